// A headless Firefox, driven through WebDriver BiDi: a WebSocket of a few lines, no package, no network.
import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";

// A text as one masked frame (RFC 6455).
function frame(text) {
  const body = Buffer.from(text), mask = randomBytes(4), head = [0x81];
  if (body.length < 126) head.push(0x80 | body.length);
  else if (body.length < 65536) head.push(0x80 | 126, body.length >> 8, body.length & 255);
  else head.push(0x80 | 127, 0, 0, 0, 0, ...[24, 16, 8, 0].map((shift) => (body.length >>> shift) & 255));
  return Buffer.concat([Buffer.from(head), mask, body.map((byte, i) => byte ^ mask[i % 4])]);
}

// Calls take(text) for each message among the bytes that come in.
function unframed(take) {
  let rest = Buffer.alloc(0), message = [];
  return (chunk) => {
    rest = Buffer.concat([rest, chunk]);
    while (rest.length >= 2) {
      const short = rest[1] & 127, head = short < 126 ? 2 : short === 126 ? 4 : 10;
      if (rest.length < head) return;
      const size = short < 126 ? short : short === 126 ? rest.readUInt16BE(2) : Number(rest.readBigUInt64BE(2));
      if (rest.length < head + size) return;
      if ((rest[0] & 15) < 3) message.push(rest.subarray(head, head + size));
      if ((rest[0] & 15) < 3 && rest[0] & 128) take(Buffer.concat(message.splice(0)).toString());
      rest = rest.subarray(head + size);
    }
  };
}

export class Firefox {
  #process; #profile; #socket; #next = 1; #waiting = new Map(); #context;
  problems = [];  // what the console said

  static async start(program) {
    const firefox = new Firefox();
    firefox.#profile = mkdtempSync(join(tmpdir(), "attn-firefox-"));
    firefox.#process = spawn(program, ["--headless", "--no-remote", "--remote-debugging-port=0", "--profile", firefox.#profile, "about:blank"],
      { stdio: ["ignore", "ignore", "pipe"], env: { ...process.env, HOME: firefox.#profile } });
    const address = await new Promise((found, failed) => {
      let said = "";
      firefox.#process.stderr.on("data", (chunk) => {
        said += chunk;
        const at = /BiDi listening on ws:\/\/([\d.:]+)/.exec(said);
        if (at !== null) found(at[1]);
      });
      firefox.#process.on("exit", () => failed(new Error("Firefox ended: " + said)));
    });
    const upgrade = { Connection: "Upgrade", Upgrade: "websocket", "Sec-WebSocket-Version": 13, "Sec-WebSocket-Key": randomBytes(16).toString("base64") };
    firefox.#socket = await new Promise((done, failed) =>
      request("http://" + address + "/session", { headers: upgrade }).on("upgrade", (_, socket) => done(socket)).on("error", failed).end());
    firefox.#socket.on("data", unframed((text) => firefox.#take(JSON.parse(text))));
    await firefox.call("session.new", { capabilities: {} });
    await firefox.call("session.subscribe", { events: ["log.entryAdded"] });
    firefox.#context = (await firefox.call("browsingContext.getTree")).contexts[0].context;
    return firefox;
  }

  async stop() {
    const ended = new Promise((done) => this.#process.on("exit", done));
    this.call("browser.close").catch(() => {});
    setTimeout(() => this.#process.kill(), 5000).unref();
    await ended;
    rmSync(this.#profile, { recursive: true, force: true, maxRetries: 5 });
  }

  call(method, params = {}) {
    const id = this.#next++;
    this.#socket.write(frame(JSON.stringify({ id, method, params })));
    return new Promise((resolve, reject) => this.#waiting.set(id, { resolve, reject }));
  }

  open(address) { return this.call("browsingContext.navigate", { context: this.#context, url: address, wait: "complete" }); }

  /// The value of an expression in the page, through JSON.
  async run(expression) {
    const { result, exceptionDetails } = await this.call("script.evaluate",
      { expression: `Promise.resolve(${expression}).then((value) => JSON.stringify(value) ?? null)`, target: { context: this.#context }, awaitPromise: true });
    if (exceptionDetails) throw new Error(exceptionDetails.text);
    return result.type === "string" ? JSON.parse(result.value) : undefined;
  }

  type(text) {
    const actions = [...text].flatMap((value) => [{ type: "keyDown", value }, { type: "keyUp", value }]);
    return this.call("input.performActions", { context: this.#context, actions: [{ type: "key", id: "keys", actions }] });
  }

  #take({ id, type, result, message, method, params }) {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (type === "success") waiting?.resolve(result);
    else if (type === "error") waiting?.reject(new Error(message));
    else if (method === "log.entryAdded" && ["error", "warn"].includes(params.level)) this.problems.push(params.text);
  }
}

// A headless Chromium, driven through its own protocol over a pipe: no package, no network.
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export class Browser {
  #process; #profile; #next = 1; #waiting = new Map(); #session; #rest = "";
  problems = [];  // what the console and the network said

  static async start(program) {
    const browser = new Browser();
    browser.#profile = mkdtempSync(join(tmpdir(), "attn-page-"));
    browser.#process = spawn(program, ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
      "--remote-debugging-pipe", "--no-first-run", "--user-data-dir=" + browser.#profile, "about:blank"],
      { stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"] });
    browser.#process.stdio[4].on("data", (chunk) => browser.#take(chunk.toString()));
    const { targetId } = await browser.#send("Target.createTarget", { url: "about:blank" });
    const { sessionId } = await browser.#send("Target.attachToTarget", { targetId, flatten: true });
    browser.#session = sessionId;
    for (const domain of ["Page", "Runtime", "Network", "Log"]) await browser.call(domain + ".enable");
    await browser.call("Network.emulateNetworkConditions", { offline: true, latency: 0, downloadThroughput: 0, uploadThroughput: 0 });
    return browser;
  }

  async stop() {
    await this.#send("Browser.close").catch(() => {});
    await new Promise((done) => (this.#process.exitCode === null ? this.#process.on("exit", done) : done()));
    rmSync(this.#profile, { recursive: true, force: true, maxRetries: 5 });
  }

  call(method, params = {}) { return this.#send(method, params, this.#session); }

  async open(path, hash = "") {
    const loaded = new Promise((done) => (this.#loaded = done));
    await this.call("Page.navigate", { url: "about:blank" });
    await this.call("Page.navigate", { url: "file://" + path + hash });
    await loaded;
    while ((await this.run("document.readyState + location.protocol")) !== "completefile:") ;
  }

  /// The value of an expression in the page.
  async run(expression) {
    const { result, exceptionDetails } = await this.call("Runtime.evaluate", { expression, returnByValue: true, awaitPromise: true });
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
    return result.value;
  }

  async press(key) {
    const code = { Enter: 13, Escape: 27, Tab: 9, Home: 36, End: 35, ArrowLeft: 37, ArrowUp: 38, ArrowRight: 39, ArrowDown: 40 }[key];
    const text = key === "Enter" ? "\r" : key.length === 1 ? key : undefined;
    await this.call("Input.dispatchKeyEvent", { type: text ? "keyDown" : "rawKeyDown", key, text, windowsVirtualKeyCode: code ?? key.toUpperCase().charCodeAt(0) });
    await this.call("Input.dispatchKeyEvent", { type: "keyUp", key, windowsVirtualKeyCode: code ?? key.toUpperCase().charCodeAt(0) });
  }

  async pointAt(selector, click = false) {
    const at = await this.run(`(() => { const e = document.querySelector(${JSON.stringify(selector)});
      e.scrollIntoView({ block: "center" }); const b = e.getBoundingClientRect(); return { x: b.x + b.width / 2, y: b.y + b.height / 2 }; })()`);
    await this.call("Input.dispatchMouseEvent", { type: "mouseMoved", ...at });
    if (!click) return;
    for (const type of ["mousePressed", "mouseReleased"])
      await this.call("Input.dispatchMouseEvent", { type, button: "left", clickCount: 1, ...at });
  }

  size(width, height) { return this.call("Emulation.setDeviceMetricsOverride", { width, height, deviceScaleFactor: 1, mobile: width < 500 }); }
  media(media, features = []) { return this.call("Emulation.setEmulatedMedia", { media, features }); }

  async screenshot() {
    const { data } = await this.call("Page.captureScreenshot", { format: "png" });
    return Buffer.from(data, "base64");
  }

  /// A PDF of the page, on paper of so many millimetres.
  async print(width, height) {
    const { data } = await this.call("Page.printToPDF", { paperWidth: width / 25.4, paperHeight: height / 25.4, printBackground: true });
    return Buffer.from(data, "base64");
  }

  #loaded = () => {};

  #send(method, params = {}, sessionId = undefined) {
    const id = this.#next++;
    this.#process.stdio[3].write(JSON.stringify({ id, method, params, sessionId }) + "\0");
    return new Promise((resolve, reject) => this.#waiting.set(id, { resolve, reject, method }));
  }

  #take(text) {
    const messages = (this.#rest + text).split("\0");
    this.#rest = messages.pop();
    for (const message of messages.map((each) => JSON.parse(each))) {
      const waiting = this.#waiting.get(message.id);
      if (waiting) {
        this.#waiting.delete(message.id);
        if (message.error) waiting.reject(new Error(waiting.method + ": " + message.error.message));
        else waiting.resolve(message.result);
      } else this.#note(message);
    }
  }

  #note({ method, params }) {
    if (method === "Page.loadEventFired") this.#loaded();
    if (method === "Runtime.exceptionThrown") this.problems.push(params.exceptionDetails.exception?.description ?? params.exceptionDetails.text);
    if (method === "Runtime.consoleAPICalled" && ["error", "warning"].includes(params.type))
      this.problems.push(params.args.map((each) => each.value).join(" "));
    if (method === "Log.entryAdded" && ["error", "warning"].includes(params.entry.level)) this.problems.push(params.entry.text);
    if (method === "Network.requestWillBeSent" && !/^(file|about|data|blob):/.test(params.request.url)) this.problems.push("request: " + params.request.url);
  }
}

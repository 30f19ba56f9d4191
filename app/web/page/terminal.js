// Terminal: a line to type commands in, what they print, and the files that they make, in memory.
let terminalFiles = {};

// A line as a shell splits it: words, with '…' and "…" around those with spaces.
function wordsOfLine(line) {
  const words = [];
  const bare = (word) => word.replace(/'([^']*)'|"([^"]*)"/g, (_, a, b) => a ?? b);
  for (const [word] of line.matchAll(/(?:'[^']*'|"[^"]*"|[^\s'"])+/g)) words.push(bare(word));
  return words;
}

function makeTerminal(root) {
  const out = make("div", { class: "screen", tabindex: "0", role: "log", "aria-label": inWords("Output") }), shelf = make("p", { class: "files" });
  const plain = { autocomplete: "off", spellcheck: "false", autocapitalize: "off" };
  const field = make("input", { class: "line", "aria-label": inWords("Command"), placeholder: "explain --mask causal", ...plain });
  const history = [];
  let at = 0, last = Promise.resolve();  // one command after the other: each finds the files of the one before

  function print(text, look) { if (text !== "") out.append(make("pre", { class: look }, text)); }
  function showFiles() {
    const get = (name) => download(name.split("/").pop(), terminalFiles[name], "application/octet-stream");
    shelf.replaceChildren(...Object.keys(terminalFiles).sort().map((name) => button(name, () => get(name), { title: inWords("Download") })));
    if (shelf.children.length > 0) shelf.prepend(inWords("Files:"), " ");
  }

  async function run(line) {
    const words = wordsOfLine(line);
    if (words[0] === "attn") words.shift();
    print("$ attn " + words.join(" "), "typed");
    const top = out.lastElementChild;
    if (words[0] === "clear") return out.replaceChildren();
    try {
      const columns = Math.max(40, Math.floor(out.clientWidth / 8.5) - 2);
      const args = words.includes("--width") ? words : ["--width", String(columns), ...words];
      const result = await core.attn(args, { files: terminalFiles });
      print(result.stdout, "out");
      print(result.stderr, "err");
      if (result.code !== 0) print(inWords("exit code {n}", { n: result.code }), "dim");
      terminalFiles = result.files;
    } catch (error) {
      print(error.message, "err");
    }
    out.scrollTop = top.offsetTop - out.offsetTop;
    showFiles();
  }

  const form = make("form", { onsubmit: (event) => {
    event.preventDefault();
    const line = field.value.trim();
    if (line === "") return;
    history.push(line);
    at = history.length;
    field.value = "";
    last = last.then(() => run(line));
  } }, make("label", {}, "$ attn ", field), make("button", { type: "submit" }, inWords("Run")));
  field.addEventListener("keydown", (event) => {
    const by = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    if (by === undefined) return;
    at = Math.max(0, Math.min(history.length, at + by));
    field.value = history[at] ?? "";
    event.preventDefault();
  });
  const open = takeFiles(root, inWords("Add files:"), undefined, (name, bytes) => {
    terminalFiles[name] = bytes;
    showFiles();
  }, true);
  root.append(out, form, open, shelf);
  return {
    async open(words) {
      if (words.get("run") || out.children.length === 0) await run(words.get("run") || "attn");
      field.focus({ preventScroll: true });
    },
    show: () => field.focus({ preventScroll: true }),
  };
}

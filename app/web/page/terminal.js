// Terminal: a line to type commands in, what they print, and the files that they make, in memory.
const HISTORY = 200;

// A line as a shell splits it: words, with '…' and "…" around those with spaces.
function wordsOfLine(line) {
  const words = [];
  const bare = (word) => word.replace(/'([^']*)'|"([^"]*)"/g, (_, a, b) => a ?? b);
  for (const [word] of line.matchAll(/(?:'[^']*'|"[^"]*"|[^\s'"])+/g)) words.push(bare(word));
  return words;
}

function makeTerminal(root) {
  const out = make("div", { class: "screen", tabindex: "0", role: "log", "aria-label": "Output" }), shelf = make("p", { class: "files" });
  const plain = { autocomplete: "off", spellcheck: "false", autocapitalize: "off" };
  const field = make("input", { class: "line", "aria-label": "Command", placeholder: "explain --mask causal", ...plain });
  const history = [];
  let files = {}, at = 0;

  function print(text, look) {
    if (text !== "") out.append(make("pre", { class: look }, text));
    out.scrollTop = out.scrollHeight;
  }
  function showFiles() {
    const get = (name) => download(name.split("/").pop(), files[name], "application/octet-stream");
    shelf.replaceChildren(...Object.keys(files).sort().map((name) => button(name, () => get(name), { title: "Download" })));
    if (shelf.children.length > 0) shelf.prepend("Files: ");
  }

  async function run(line) {
    const words = wordsOfLine(line);
    if (words[0] === "attn") words.shift();
    print("$ attn " + words.join(" "), "typed");
    if (words[0] === "clear") return out.replaceChildren();
    try {
      const columns = Math.max(40, Math.floor(out.clientWidth / 8.5) - 2);
      const args = words.includes("--width") || words.length === 0 ? words : [...words, "--width", String(columns)];
      let result = await core.attn(args, { files });
      if (result.code === 2 && args !== words && /--width/.test(result.stderr)) result = await core.attn(words, { files });
      print(result.stdout, "out");
      print(result.stderr, "err");
      if (result.code !== 0) print("exit code " + result.code, "dim");
      files = result.files;
    } catch (error) {
      print(error.message, "err");
    }
    showFiles();
  }

  const form = make("form", { onsubmit: (event) => {
    event.preventDefault();
    const line = field.value.trim();
    if (line === "") return;
    history.push(line);
    history.splice(0, history.length - HISTORY);
    at = history.length;
    field.value = "";
    run(line);
  } }, make("label", {}, "$ attn ", field), make("button", { type: "submit" }, "Run"));
  field.addEventListener("keydown", (event) => {
    const by = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    if (by === undefined) return;
    at = Math.max(0, Math.min(history.length, at + by));
    field.value = history[at] ?? "";
    event.preventDefault();
  });
  const open = make("input", { type: "file", multiple: true, "aria-label": "Add files", onchange: async () => {
    for (const file of open.files) files[file.name] = new Uint8Array(await file.arrayBuffer());
    showFiles();
  } });
  root.append(out, form, make("p", { class: "dim" }, "Add files: ", open), shelf);
  return {
    open() {
      if (out.children.length === 0) run("--help");
    },
  };
}

// Tokens: the pieces that a text is cut into, while it is typed, by attn's own tokenizer or by one that is opened.
const MOST_PIECES = 2000, MOST_PLAYED = 12, MOST_IN_ADDRESS = 500;
const FIRST_TEXT = "The cat sat on the mat. 猫 🙂";

// A token as it is read aloud: a space, a line end and bytes are words.
const SPOKEN = { "␣": inWords("space"), "\\n": inWords("line end"), "\\t": inWords("tab") };
const aloud = (shown) => shown.replace(/␣|\\n|\\t|<0x(\w\w)>/g, (mark, hex) => ` ${SPOKEN[mark] ?? inWords("byte") + " " + hex} `).trim();

// What the program notes about a text, which is English in JSON: with its gaps filled in the language of the page.
const NOTES = ["Decoded, these tokens are not quite the same text: {shown}.",
  "These tokens do not keep all of the text. Lost: {letters}. Decoded, they are {shown}."];
function noteInWords(note) {
  for (const english of NOTES) {
    const gaps = /\{(\w+)\}/g, pattern = english.replace(/[.]/g, "\\.").replace(gaps, "(?<$1>.+)");
    const found = new RegExp("^" + pattern + "$", "s").exec(note);
    if (found) return inWords(english, found.groups);
  }
  return note;
}

function makeTokensView(root, page) {
  const newest = core.newestOnly();
  const plain = { spellcheck: "false", autocapitalize: "off", autocomplete: "off" };
  const field = make("textarea", { class: "prose", rows: "3", oninput: () => cut(), ...plain });
  const status = make("p", { class: "status" }), trouble = make("p", { class: "trouble", hidden: true, role: "alert" });
  const notes = make("div"), pieces = make("ol", { class: "tokens", role: "list", "aria-label": inWords("Tokens") });
  const play = button(inWords("Play with these tokens"), playThem, { title: inWords("Attention between them, with made-up numbers") });
  let own = { name: "", files: {}, args: [] }, cutting = { shown: [] }, saying;
  const back = button(inWords("attn's own tokenizer"), () => { own = { name: "", files: {}, args: [] }; cut(); }, { hidden: true });

  const ask = ({ files, args }) => core.attn(["tokens", "-", "--json", "--quiet", "--error-format", "json", ...args], { stdin: field.value, files });
  // Answers whether a run went well; else its first error is shown.
  function went(run) {
    let error = { what: run.error?.message };
    if (run.error === undefined && run.code !== 0) try { [error] = JSON.parse(run.stderr).errors; } catch { error = { what: run.stderr }; }
    trouble.hidden = error.what === undefined;
    trouble.textContent = trouble.hidden ? "" : [error.what, error.fix].filter(Boolean).join(". ");
    return trouble.hidden;
  }

  async function cut() {
    const began = performance.now();
    page.setAddress(field.value.length <= MOST_IN_ADDRESS ? { text: field.value } : {});
    const run = await newest(() => ask(own));
    if (run === undefined || !went(run)) return;
    show(JSON.parse(run.stdout));
    requestAnimationFrame(() => setTimeout(() => page.measured(performance.now() - began)));
  }

  function show(answer) {
    const { ids, tokens, shown } = (cutting = answer), count = inWords(ids.length === 1 ? "1 token" : "{n} tokens", { n: ids.length });
    const piece = (text, i) => make("li", {},
      make("span", { class: "piece", title: tokens[i], "aria-hidden": "true" }, text), make("span", { class: "aside" }, aloud(text)),
      make("small", {}, String(ids[i])));
    pieces.replaceChildren(...shown.slice(0, MOST_PIECES).map(piece));
    notes.replaceChildren(...answer.notes.map((note) => make("p", { class: "note" }, noteInWords(note))));
    status.replaceChildren(count, make("span", {}, " · " + (own.name === "" ? inWords("attn's own English tokenizer") : own.name) +
      (ids.length > MOST_PIECES ? " · " + inWords("the first {n} are shown", { n: MOST_PIECES }) : "")));
    back.hidden = own.name === "";
    play.hidden = ids.length === 0 || ids.length > MOST_PLAYED;
    clearTimeout(saying);
    saying = setTimeout(() => say(count), 800);  // when the typing stops
  }

  // A tokenizer that attn cannot read leaves the one before.
  async function take(name, bytes) {
    const file = name.replace(/^[-.]+|[^\w.-]/g, "_"), taken = { name, files: { [file]: bytes }, args: ["--tokenizer", file] };
    status.replaceChildren(inWords("Reading {name} …", { name }));
    const run = await newest(() => ask(taken));
    if (run === undefined) return;
    if (went(run)) own = taken, show(JSON.parse(run.stdout));
    else show(cutting), say(trouble.textContent);
  }

  // A problem of random small numbers whose tokens these are: an id that is there twice has one row of them.
  async function playThem() {
    const { ids, shown } = cutting, run = await core.attn(["new", "--random", "--tokens", String(ids.length)]);
    const file = JSON.parse(run.stdout);
    Object.assign(file, { tokens: shown, embeddings: ids.map((id) => file.embeddings[ids.indexOf(id)]) });
    return showView("play", new URLSearchParams({ problem: await packed(JSON.stringify(file)) }));
  }

  const open = takeFiles(root, inWords("Open, or drop here, the tokenizer.json of a model:"), ".json", take);
  root.append(make("label", { class: "typing" }, make("span", { class: "dim" }, inWords("Text")), field), trouble, make("div", { class: "bar" }, status),
    pieces, notes, make("div", { class: "settings" }, play, open, back),
    make("p", { class: "dim" }, inWords("A model reads these ids, not letters. ␣ is a space, which belongs to the word after it; <0xE7> is a byte of a character that has no token of its own."), " ",
      doing("attn help text")));
  return {
    open(words) {
      field.value = words.get("text") ?? FIRST_TEXT;
      return cut();
    },
  };
}

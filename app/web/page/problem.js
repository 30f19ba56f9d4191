// The problem that is played with: a file's content, settings on top of it, and all that was before.
const SETTINGS = ["mask", "heads", "kv-heads", "scale", "softcap", "positions", "masking", "fill", "empty-row", "align", "dtype",
  "precision", "fault"];

// Where a file keeps the numbers of a given step, if not among its weights or under the step's name.
const PLACES = { x: ["embeddings"], memory: ["memory", "embeddings"], past_k: ["past", "k"], past_v: ["past", "v"] };
function listOf(file, step) {
  if (step in PLACES) return PLACES[step].reduce((value, key) => value?.[key], file);
  return file.weights?.[step] ?? file[step];
}

// Which sides of which matrices have a size in common.
const SIZES = {
  d_model: [["x", "cols"], ["w_q", "rows"], ["w_k", "rows"], ["w_v", "rows"]],
  d_k: [["w_q", "cols"], ["w_k", "cols"], ["b_q", "cols"], ["b_k", "cols"]],
  d_v: [["w_v", "cols"], ["b_v", "cols"], ["w_o", "rows"]],
};

// The innermost list that holds a given number, and where in it; undefined where the file has no such list.
function holderOf(file, { step, head, batch, row, col }) {
  let list = listOf(file, step), path = [row, col];
  const depth = (value) => (Array.isArray(value) ? 1 + depth(value[0]) : 0);
  const size = depth(list);
  if (size === 1 && row === 0) path = [col];
  if (size === 3) path.unshift(stepOf(step)?.shape[1] > 0 ? head : batch);
  if (size === 4) path.unshift(batch, head);
  for (const i of path.slice(0, -1)) list = Array.isArray(list) ? list[i] : undefined;
  const at = path[path.length - 1];
  return Array.isArray(list) && at < list.length ? { list, at } : undefined;
}

// A number as typed: 0.5, 0,5 and 1/2 are numbers; what is none stays text.
function typed(text) {
  const [, above, below] = /^([^/]+)(?:\/([^/]+))?$/.exec(text.replace(",", ".").replace("−", "-")) || [];
  const read = (part = "1") => (/^\s*-?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?\s*$/i.test(part) ? Number(part) : NaN), value = read(above) / read(below);
  return above === undefined || !Number.isFinite(value) ? text : value;
}
// What to say about a text that is none.
const notANumber = (text) => typeof typed(text) === "string" &&
  (text.trim() === "" ? "" : inWords("“{text}” cannot be used as a number.", { text }) + " ") + inWords("Type one such as 0.5, -2 or 1/3.");

class Problem {
  sample = ""; file = {}; settings = {};
  begun = undefined;  // the sample that it was once
  steps = 0;  // how many edits there were: typing on in one field is one
  #past = []; #future = []; #kind;

  begin(sample, file, settings = {}) { Object.assign(this, { sample, file, settings }); }
  get own() { return this.sample === ""; }
  get text() { return JSON.stringify(this.file); }
  // The settings as options, but those named.
  argsWithout(...names) {
    return Object.entries(this.settings).filter(([name, value]) => value && !names.includes(name)).flatMap(([name, value]) => ["--" + name, value]);
  }

  #now() { return JSON.stringify({ sample: this.sample, begun: this.begun, file: this.file, settings: this.settings }); }
  #be(text) { Object.assign(this, JSON.parse(text)); this.#kind = undefined; }

  // Changes `what`; what changes the same `kind` again is one step of undo.
  change(what, edit, kind) {
    if (kind === undefined || kind !== this.#kind) ++this.steps, this.#past.push({ what, text: this.#now() });
    this.#kind = kind;
    this.#future = [];
    edit(this);
  }
  get canUndo() { return this.#past.length > 0; }
  get canRedo() { return this.#future.length > 0; }
  undo() { return this.#go(this.#past, this.#future); }
  redo() { return this.#go(this.#future, this.#past); }
  // Goes one step back or forth, and answers what that changes.
  #go(from, to) {
    const { what, text } = from.pop() ?? { what: undefined, text: this.#now() };
    if (what !== undefined) to.push({ what, text: this.#now() });
    this.#be(text);
    return what ?? inWords("nothing");
  }

  // The same of the numbers and tokens themselves.
  #own(what, edit, kind) { this.change(what, () => { edit(), this.sample = ""; }, kind); }
  setNumber(cell, text) {
    this.#own(nameOf(cell), () => {
      const { list, at } = holderOf(this.file, cell);
      list[at] = typed(text);
    }, "number " + JSON.stringify(cell));
  }

  // The tokens of X, or of what is attended to, and all lists that have an entry for each of them.
  #part(name) { return name === "memory" ? this.file.memory : this.file; }
  tokens(name) {
    const tokens = this.#part(name)?.tokens;
    return Array.isArray(tokens) && tokens.every((token) => typeof token === "string") ? tokens : [];
  }
  #perToken(name) {
    const part = this.#part(name), n = part.tokens.length;
    return ["tokens", "embeddings", "q", "k", "v", "labels"].map((key) => part[key]).filter((list) => Array.isArray(list) && list.length === n);
  }
  rename(name, row, word) { this.#own(inWords("the name {word}", { word }), () => { this.#part(name).tokens[row] = word; }, "token " + name + row); }
  addToken(name) {
    this.#own(inWords("a token more"), () => {
      for (const list of this.#perToken(name)) {
        const last = list[list.length - 1];
        list.push(Array.isArray(last) ? last.map(() => 0) : typeof last === "string" ? "new" : last);
      }
    });
  }
  removeToken(name, row) { this.#own(inWords("a token less"), () => { for (const list of this.#perToken(name)) list.splice(row, 1); }); }

  // How many columns of X, Q and K, or V there are, where they are lists of numbers; numbers that still fit stay.
  sizeOf(name) {
    const list = listOf(this.file, SIZES[name][0][0]);
    return Array.isArray(list?.[0]) && typeof list[0][0] === "number" ? list[0].length : undefined;
  }
  resize(name, n) {
    this.#own(name, () => {
      for (const [step, axis] of SIZES[name]) {
        const list = listOf(this.file, step);
        if (!Array.isArray(list)) continue;
        const fit = (row, next) => Array.from({ length: n }, (_, i) => row[i] ?? next());
        if (axis === "rows") list.splice(0, Infinity, ...fit(list, () => list[0].map(() => 0)));
        else if (Array.isArray(list[0])) list.forEach((row, i) => { list[i] = fit(row, () => 0); });
        else list.splice(0, Infinity, ...fit(list, () => 0));
      }
    });
  }
}

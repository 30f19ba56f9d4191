// Play's settings above the board, what-if and its banner, the command line below, and the buttons of the header.
const CHOICES = [
  { name: "mask", label: inWords("Mask"), usual: "none", values: ["none", "causal", "window:1", "window:1,1", "prefix:2"] },
  { name: "heads", label: inWords("Heads"), usual: "1", values: ["1", "2", "3", "4", "6", "8"] },
  { name: "scale", label: inWords("Scale"), usual: "1/sqrt(d_k)", values: ["1/sqrt(d_k)", "none", "0.1", "0.25", "2", "10"],
    words: { "1/sqrt(d_k)": "1/√d_k" } },
  { name: "positions", label: inWords("Positions"), usual: "none", values: ["none", "sinusoidal", "rope", "alibi"], more: true },
  { name: "softcap", label: inWords("Softcap"), usual: "", values: ["1", "5", "30"], words: { "": "none" }, more: true },
  { name: "precision", label: inWords("Decimals"), usual: "3", values: ["2", "3", "4", "5", "6"], more: true },
];
const LABELS = { fault: inWords("What if"), ...Object.fromEntries(CHOICES.map(({ name, label }) => [name, label])) };
const quoted = (word) => (/^[\w:.,/-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`);

function makeSettings(play) {
  const { problem, edit } = play;
  const bar = make("div", { class: "settings" }), banner = make("div", { class: "banner", hidden: true });
  const inside = make("div", { class: "settings" }), more = make("details", { class: "more" }, make("summary", {}, inWords("More")), inside);
  const set = (name, value) => edit(() => problem.change(LABELS[name] ?? name, () => { problem.settings[name] = value; }));

  const sample = chooser(inWords("Sample"), [], (name) => name !== "" && play.open(name), { class: "sample" });
  const choices = CHOICES.map((choice) => ({ ...choice, ...chooser(choice.label, [], (value) => set(choice.name, value)) }));
  const sizes = Object.keys(SIZES).map((name) => ({ name, more: true, ...chooser(name, [], (n) => edit(() => problem.resize(name, Number(n)))) }));
  const whatIf = chooser(inWords("What if"), [], (code) => set("fault", code), { class: "what-if" });
  function place() {
    const isInside = (choice) => choice.more || PHONE.matches, all = [...choices, ...sizes, whatIf];
    const elements = (some) => some.map((choice) => choice.all);
    bar.replaceChildren(sample.all, ...elements(all.filter((choice) => !isInside(choice))), more);
    inside.append(...elements(all.filter(isInside)));
  }
  place();
  PHONE.addEventListener("change", place);

  // Which mistakes can occur is found out while nothing else is to be done.
  let possible = MISTAKES, possibleFor = "", thinking;
  const stateNow = () => JSON.stringify([problem.file, { ...problem.settings, fault: undefined }]);
  function think() {
    clearTimeout(thinking);
    thinking = setTimeout(async () => {
      const state = stateNow();
      if (state === possibleFor) return;
      const rows = await possibleMistakes(MISTAKES, problem.text, problem.argsWithout("fault"), () => state === stateNow());
      if (rows === undefined) return;
      [possible, possibleFor] = [rows, state];
      if (document.activeElement !== whatIf.select) write();
    }, 400);
  }

  function writeChoice({ name, usual, values, words = {}, select }) {
    const inFile = name in problem.file ? problem.file[name] : usual, chosen = problem.settings[name];
    const own = typeof inFile === "string" || typeof inFile === "number" ? String(inFile) : inWords("as in the file");
    const others = new Set([...values, ...(chosen ? [chosen] : [])]);
    others.delete(own);
    select.fill([["", words[own] ?? own], ...[...others].map((value) => [value, words[value] ?? value])], chosen === own ? "" : chosen || "");
  }

  function writeWhatIf() {
    const { fault } = problem.settings, known = MISTAKES.find(([code]) => code === fault) || [fault, fault];
    const isMissing = fault && !possible.some(([code]) => code === fault);
    whatIf.select.fill([["", inWords("nothing is wrong")], ...possible, ...(isMissing ? [known] : [])], fault || "");
    banner.hidden = !fault;
    if (!fault) return;
    const back = button(inWords("Back"), () => set("fault", undefined));
    banner.replaceChildren(make("strong", {}, inWords("What if: {mistake}.", { mistake: known[1] }), " "),
      differing(play.original?.size ?? 0, [...play.reshaped.values()]), " ", back);
  }

  function differing(count, reshaped) {
    const numbers = inWords(count === 1 ? "1 number differs from the right one, which is crossed out."
      : headCount() > 1 ? "{n} numbers in all heads differ from the right ones, which are crossed out."
        : "{n} numbers differ from the right ones, which are crossed out.", { n: count });
    const shapes = inWords("The shape changes: {shapes}, so that these cells cannot be compared.", { shapes: reshaped.join(", ") });
    return [count > 0 || reshaped.length === 0 ? numbers : "", reshaped.length > 0 ? shapes : ""].join(" ").trim();
  }

  function write() {
    sample.select.fill([...(problem.own ? [["", inWords("My numbers")]] : []), ...play.samples], problem.sample);
    choices.forEach(writeChoice);
    for (const { name, all, select } of sizes) {
      const size = problem.sizeOf(name);
      all.hidden = size === undefined;
      if (size !== undefined) select.fill([...new Set([1, 2, 3, 4, 5, 6, 7, 8, size])].map((n) => [n, n]), size);
    }
    writeWhatIf();
    undo.disabled = reset.disabled = !problem.canUndo;
    redo.disabled = !problem.canRedo;
    file = (problem.sample || "mine") + ".json";
    command.textContent = ["$ attn explain", file, ...problem.argsWithout().map(quoted)].join(" ");
  }

  const undo = button(inWords("Undo"), play.undo, { title: "Ctrl+Z" }), redo = button(inWords("Redo"), play.redo, { title: "Ctrl+Y" });
  const reset = button(inWords("Reset"), () => play.open(problem.begun || play.samples[0][0]));
  const projector = button(inWords("Projector"), play.page.project, { class: "wide-only projects" });
  const practise = button(inWords("Practise"), async () => showView("practice", new URLSearchParams(await play.wordsNow())),
    { title: inWords("Hide steps of this problem, and fill them in") });
  const tools = [undo, redo, reset, practise, button(inWords("Link"), link), button(inWords("Save"), save), projector];

  let file;
  const command = make("code"), words = () => command.textContent.slice(2);
  const line = make("p", { class: "command" }, command, button(inWords("Copy"), () => copy(words(), inWords("The command is copied."))), button(inWords("Run in Terminal"), () => {
    terminalFiles[file] = problem.text;
    showView("terminal", new URLSearchParams({ run: words() }));
  }));
  // Where a browser refuses to copy, the text is there to be copied by hand.
  const copy = async (text, done) => play.tell(await navigator.clipboard?.writeText(text).then(() => done, () => text) ?? text);
  async function save() {
    const args = ["convert", "-", "-o", "mine.json", "--error-format", "json", ...problem.argsWithout("fault", "precision")];
    const { code, files, stderr } = await core.attn(args, { stdin: problem.text });
    if (code === 0) download("mine.json", files["mine.json"]);
    else play.refuse(stderr);
  }
  async function link() {
    if (await play.writeAddress()) copy(location.href, inWords("The link is copied."));
    else play.tell(inWords("These numbers are too many for a link:"), " ", button(inWords("save them as a file"), save));
  }
  return { bar, banner, line, tools, write, think };
}

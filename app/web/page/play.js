// Play: a problem whose given numbers are fields, and everything that follows from them.
function makePlay(root, page) {
  const problem = new Problem(), newest = core.newestOnly();
  const status = make("p", { class: "status" }), trouble = make("p", { class: "trouble", hidden: true, id: "trouble" });
  // What its parts share: the answer that is shown, the one before the last edit (`base`), the right one beside a mistake
  // (`truth`, and the texts of `original` numbers that differ), and the cell that is pinned or looked at.
  const play = {
    page, problem, view: { head: 0, batch: 0, stage: 0 }, samples: [], changed: new Map(), invited: true,
    answer: undefined, base: undefined, truth: undefined, original: undefined, reshaped: new Map(), did: "", pinned: undefined, looked: undefined,
    edit, wordsNow, undo: () => travel(() => inWords("Undone: {what}.", { what: problem.undo() })), redo: () => travel(() => inWords("Redone: {what}.", { what: problem.redo() })), open, refuse, tell, writeAddress,
  };
  const board = (play.board = makeBoard(play)), path = (play.path = makePath(play));
  const settings = (play.settings = makeSettings(play)), panel = (play.panel = makePanel(play));

  // ---- the program
  function explain(more) {
    const args = ["explain", "-", "--format", "html", "--no-examples", "--quiet", "--error-format", "json", ...more];
    return core.attn(args, { stdin: problem.text });
  }

  // `cell` is the one that was edited; with `force`, fields are written although one has the focus.
  async function compute({ cell, force = false } = {}) {
    writeAddress();
    const began = performance.now(), { fault } = problem.settings;
    const done = await newest(async () => {
      const plain = problem.argsWithout("fault"), right = await explain(plain);
      return { right, wrong: fault && right.code === 0 ? await explain([...plain, "--fault", fault]) : undefined };
    });
    if (done === undefined) return;
    if (done.error !== undefined) return refuse(done.error.message, cell);
    const failed = [done.right, done.wrong].find((run) => run !== undefined && run.code !== 0);
    if (failed !== undefined) return refuse(failed.stderr, cell);
    play.truth = fault ? answerOf(done.right.stdout) : undefined;
    play.original = undefined;
    accept(answerOf((done.wrong || done.right).stdout), force);
    requestAnimationFrame(() => setTimeout(() => page.measured(performance.now() - began)));
    settings.think();
  }

  // The last results stay, grey; the program's own sentence is beside the field, or above the board.
  function refuse(text, cell) {
    let error = { what: text };
    try { error = JSON.parse(text).errors[0]; } catch { /* a sentence of the browser */ }
    const field = board.fieldOf(cell);
    board.element.classList.add("stale");
    trouble.textContent = (field && notANumber(field.value)) || error.what + (field ? "" : ". " + (error.fix || ""));
    trouble.hidden = false;
    trouble.classList.toggle("beside", Boolean(field));
    if (field) {
      field.setAttribute("aria-invalid", "true");
      field.setAttribute("aria-describedby", "trouble");
      const at = field.getBoundingClientRect(), all = root.getBoundingClientRect();
      trouble.style.left = Math.max(0, Math.min(at.left - all.left, all.width - 260)) + "px";
      trouble.style.top = at.bottom - all.top + 4 + "px";
    }
    say(trouble.textContent);
  }

  function accept(answer, force) {
    const { base, truth } = play;
    trouble.hidden = true;
    board.element.classList.remove("stale");
    for (const field of board.element.querySelectorAll("[aria-invalid]"))
      field.removeAttribute("aria-invalid"), field.removeAttribute("aria-describedby");
    play.answer = answer;
    if (truth !== undefined) compareWith(truth, answer);
    takeCells(answer.cells);
    answer.fault = truth && problem.settings.fault;
    play.changed = base?.fault === answer.fault ? differences(base, answer) : new Map();
    if (play.pinned !== undefined && !isCell(play.pinned)) play.pinned = undefined;
    if (play.looked === undefined || !isCell(play.looked)) play.looked = panel.firstLook();
    board.draw({ force });
    const isFixed = board.element.querySelector("input.n") === null;
    if (base !== undefined && base.fault === answer.fault) tellChanges();
    else if (base !== undefined) tell(play.did), say(settings.banner.textContent);
    else if (play.invited) tell(make("span", {}, inWords(isFixed ? "Point at a number to see how it is made."
      : PHONE.matches ? "Tap a number in a border and change it." : "Numbers in a border are given: change one. Point at any other to see how it is made.")));
  }

  function tell(...content) { status.replaceChildren(...content); say(status.textContent); }
  function tellChanges() {
    const given = [...play.changed.values()].filter((cell) => isGiven(stepOf(cell.step))).length, results = play.changed.size - given;
    const followed = inWords(results === 1 ? "1 result followed" : "{n} results followed", { n: results });
    if (given > 0) tell(play.did + inWords(given === 1 ? "1 number changed, {followed}" : "{n} numbers changed, {followed}", { n: given, followed }));
    else tell(play.did + inWords(results === 0 ? "No number changed" : results === 1 ? "1 result changed" : "{n} results changed", { n: results }));
  }

  // What of a run with a mistake differs from the right one: the texts of numbers, and the matrices of another shape.
  function compareWith(truth, answer) {
    takeCells(truth.cells);
    for (const { id } of answer.cells.steps) if (truth.shown.has(id)) answer.shown.add(id);
    const sizeOf = (step) => step.shape.slice(2).join("×"), right = new Map(truth.cells.steps.map((step) => [step.id, sizeOf(step)]));
    const others = answer.cells.steps.filter((step) => isShown(answer, step.id) && right.has(step.id) && right.get(step.id) !== sizeOf(step));
    play.reshaped = new Map(others.map((step) => [step.id, inWords("{name} is {size} instead of {other}", { name: step.name, size: sizeOf(step), other: right.get(step.id) })]));
    const alike = [...differences(truth, answer)].filter(([, cell]) => !play.reshaped.has(cell.step));
    play.original = new Map(alike.map(([key, cell]) => [key, shownCell(truth, cell).text]));
  }

  // ---- editing
  function edit(change, options) {
    const before = problem.steps;
    play.did = "";
    change();
    if (problem.steps !== before) play.base = play.answer;
    if (play.invited) board.endInvitation();
    return compute(options);
  }
  function travel(move) {
    play.base = play.answer;
    play.did = move() + " ";
    return compute({ force: true });
  }
  const pad = answerKeys(board.element, {
    edit: (cell, text) => edit(() => problem.setNumber(cell, text), { cell }),
    pin: panel.pin,
    release: () => panel.pin(undefined),
  });
  root.addEventListener("keydown", (event) => {
    if (!(event.ctrlKey || event.metaKey) || event.altKey) return;
    const key = event.key.toLowerCase();
    if (key === "z" && !event.shiftKey) play.undo();
    else if (key === "y" || (key === "z" && event.shiftKey)) play.redo();
    else return;
    event.preventDefault();
  });

  // ---- the address
  let writes = 0;
  async function wordsNow() {
    const words = problem.own ? { problem: await packed(problem.text) } : { sample: problem.sample };
    for (const [name, value] of Object.entries(problem.settings)) if (value) words[name] = value;
    return words;
  }
  // Answers whether all of the problem is in the address.
  async function writeAddress() {
    const turn = ++writes, words = await wordsNow();
    const fits = (words.problem || "").length <= MOST_LETTERS;
    if (turn !== writes) return fits;  // a newer one is on its way
    if (!fits) delete words.problem;
    if (play.pinned !== undefined) words.cell = placeText(play.pinned);
    if (play.view.head > 0) words.head = play.view.head;
    if (play.view.batch > 0) words.batch = play.view.batch;
    page.setAddress(words);
    return fits;
  }

  const sampleNamed = (name) => core.attn(["new", "--sample", name, "--error-format", "json"]);
  function begin(name, file, given) {
    problem.begin(name, file, given);
    if (name !== "") problem.begun = name;
    play.base = play.pinned = play.looked = undefined;
    play.view.stage = 0;
    board.forget();
    status.replaceChildren();
  }

  async function open(name) {
    const { code, stdout, stderr } = await sampleNamed(name);
    if (code !== 0) return refuse(stderr);
    problem.change(inWords("the sample"), () => begin(name, JSON.parse(stdout), {}));
    return compute({ force: true });
  }

  // What comes from an address may be anything: settings are words for the program, which refuses what is none.
  async function openAddress(words) {
    const given = {}, [first] = play.samples[0];
    for (const name of SETTINGS) if (words.get(name)) given[name] = words.get(name).slice(0, 200);
    const cell = placeOf(words.get("cell"), words.get("head"), words.get("batch"));
    play.view.head = Math.floor(Number(words.get("head"))) || 0;
    play.view.batch = Math.floor(Number(words.get("batch"))) || 0;
    problem.begun ??= first;
    let wrong;  // then there is nothing to go on showing but the first sample
    const name = words.get("sample") || first, { code, stdout, stderr } = words.get("problem") ? { code: 0 } : await sampleNamed(name);
    try {
      if (code !== 0) wrong = JSON.parse(stderr).errors[0].what;
      else if (words.get("problem")) begin("", JSON.parse(await unpacked(words.get("problem"))), given);
      else begin(name, JSON.parse(stdout), given);
    } catch {
      wrong = inWords("This link is damaged: its problem cannot be read. Copy the whole link again, or ask for the file");
    }
    if (wrong === undefined) await compute({ force: true });
    if (wrong === undefined && play.answer === undefined) wrong = trouble.textContent;
    if (wrong !== undefined) return await open(first), refuse(wrong);
    if (cell === undefined || !isCell(cell)) return;
    panel.pin(cell, true);
    panel.uncover(cell);
  }

  addEventListener("resize", () => play.answer && !root.hidden && board.draw());
  root.append(settings.bar, make("div", { class: "bar" }, path.path, status), settings.banner, trouble, path.heads, path.pager,
    board.element, pad, make("div", { class: "foot" }, panel.element, settings.line));
  return {
    tools: settings.tools,
    show() {
      if (play.answer === undefined) return;
      takeCells(play.answer.cells);
      board.draw();
    },
    async open(words) {
      if (play.samples.length === 0) {
        const { stdout } = await core.attn(["new", "--list", "--lang", LANGUAGE]);
        play.samples = stdout.trim().split("\n").map((row) => /^(\S+)\s+(.*)$/.exec(row).slice(1));
      }
      await openAddress(words);
    },
  };
}

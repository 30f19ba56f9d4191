// Play: a problem whose given numbers are fields, and everything that follows from them.
const CHOICES = [
  { name: "mask", label: "Mask", usual: "none", values: ["none", "causal", "window:1", "window:1,1", "prefix:2"] },
  { name: "heads", label: "Heads", usual: "1", values: ["1", "2", "3", "4", "6", "8"] },
  { name: "scale", label: "Scale", usual: "1/sqrt(d_k)", values: ["1/sqrt(d_k)", "none", "0.1", "0.25", "2", "10"], words: { "1/sqrt(d_k)": "1/√d_k" } },
  { name: "positions", label: "Positions", usual: "none", values: ["none", "sinusoidal", "rope", "alibi"], more: true },
  { name: "softcap", label: "Softcap", usual: "", values: ["", "1", "5", "30"], words: { "": "none" }, more: true },
  { name: "precision", label: "Decimals", usual: "3", values: ["2", "3", "4", "5", "6"], more: true },
];
const MOST_IN_PATH = 16;
const countOf = (n, one) => n + " " + one + (n === 1 ? "" : "s");

function makePlay(root, page) {
  const problem = new Problem(), newest = core.newestOnly(), view = { head: 0, batch: 0, stage: 0 };
  let answer, base, truth, original, changed = new Map(), samples = [], pinned, looked, invited = true, inviting = "", tables = [], byRoot = new Map(), drawn = "";

  // What is on the page, from top to bottom.
  const more = make("details", { class: "more" }, make("summary", {}, "More"));
  const settings = make("div", { class: "settings" });
  const banner = make("div", { class: "banner", hidden: true });
  const path = make("nav", { class: "path", "aria-label": "Steps" }), status = make("p", { class: "status" });
  const heads = make("div", { class: "heads", hidden: true, role: "group", "aria-label": "Heads" });
  const pager = make("div", { class: "pager", hidden: true });
  const board = make("div", { class: "board" }), trouble = make("p", { class: "trouble", hidden: true, id: "trouble" });
  const panel = make("section", { class: "panel", "aria-label": "How a number is made" });
  const command = make("code"), line = make("p", { class: "command" }, command, button("Copy", () => copy(command.textContent.slice(2), "The command is copied.")));

  async function copy(text, done) {
    try { await navigator.clipboard.writeText(text); say(done); status.textContent = done; } catch { status.textContent = text; }
  }

  // ---- the program
  const explain = (more) => core.attn(["explain", "-", "--format", "html", "--no-examples", "--quiet", "--error-format", "json", ...more], { stdin: problem.text });

  async function compute({ cell, force = false } = {}) {
    write();
    const began = performance.now(), { fault } = problem.settings;
    const done = await newest(async () => {
      const plain = problem.argsWithout("fault"), right = await explain(plain);
      return { right, wrong: fault && right.code === 0 ? await explain([...plain, "--fault", fault]) : undefined };
    });
    if (done === undefined) return;
    if (done.error !== undefined) return refuse(done.error.message, cell);
    const failed = [done.right, done.wrong].find((run) => run !== undefined && run.code !== 0);
    if (failed !== undefined) return refuse(failed.stderr, cell);
    truth = fault ? answerOf(done.right.stdout) : undefined;
    accept(answerOf((done.wrong || done.right).stdout), force);
    requestAnimationFrame(() => setTimeout(() => page.measured(performance.now() - began)));
    thinkOfMistakes();
  }

  function refuse(text, cell) {
    let error = { what: text };
    try { error = JSON.parse(text).errors[0]; } catch { /* a sentence of the browser */ }
    const field = cell && tables.map((table) => table.querySelector(`[data-key="${keyOf(cell)}"] input`)).find((each) => each !== null);
    board.classList.add("stale");
    trouble.textContent = error.what + (field ? "" : ". " + (error.fix || ""));
    trouble.hidden = false;
    if (field) {
      field.setAttribute("aria-invalid", "true");
      field.setAttribute("aria-describedby", "trouble");
      const at = field.getBoundingClientRect(), all = root.getBoundingClientRect();
      trouble.style.left = Math.max(0, Math.min(at.left - all.left, all.width - 260)) + "px";
      trouble.style.top = at.bottom - all.top + 4 + "px";
    }
    trouble.classList.toggle("beside", Boolean(field));
    say(trouble.textContent);
  }

  function accept(now, force) {
    board.classList.remove("stale");
    trouble.hidden = true;
    for (const field of board.querySelectorAll("[aria-invalid]")) field.removeAttribute("aria-invalid"), field.removeAttribute("aria-describedby");
    takeCells(now.cells);
    const all = [...differences(base, now).values()].filter((cell) => isShown(now, cell.step));
    changed = new Map(all.map((cell) => [keyOf(cell), cell]));
    answer = now;
    original = truth && new Map([...differences(truth, now)].map(([key, cell]) => [key, shownCell(truth, cell).text]));
    if (pinned !== undefined && !isCell(pinned)) pinned = undefined;
    if (looked === undefined || !isCell(looked)) looked = firstLook();
    draw(force);
    const given = all.filter((cell) => isGiven(stepOf(cell.step))).length, results = all.length - given;
    if (base !== undefined && base !== now) tell(given, results);
    else if (invited) status.replaceChildren(make("span", {}, PHONE.matches ? "Tap a number in a border and change it." : "Numbers in a border are given: change one. Point at any other to see how it is made."));
  }

  function tell(given, results) {
    const text = given > 0 ? `${countOf(given, "number")} changed, ${countOf(results, "result")} followed` : `${countOf(results, "result")} changed`;
    status.textContent = text;
    say(text);
  }

  // A first cell to look at: of the first product of two results.
  function firstLook() {
    const stages = stagesOfAnswer(answer), stage = isSingle() ? stages[view.stage] : stages.find((each) => each.transposed) || stages[0];
    if (stage === undefined) return undefined;
    const { shape } = stepOf(stage.result);
    return { step: stage.result, row: Math.min(1, shape[2] - 1), col: 0, head: view.head % Math.max(1, shape[1]), batch: view.batch % Math.max(1, shape[0]) };
  }

  // ---- drawing
  const isSingle = () => PHONE.matches || isLarge(answer);
  const hasField = (cell) => isGiven(stepOf(cell.step)) && holderOf(problem.file, cell) !== undefined;

  function bands() {
    const all = stagesOfAnswer(answer), stages = isSingle() || innerWidth >= 1600 ? all : withoutRepeats(answer, all);
    if (!isSingle()) return { stages, shown: bandsOf(stages, breaks) };
    view.stage = Math.max(0, Math.min(view.stage, stages.length - 1));
    return { stages, shown: stages.length === 0 ? [] : [bandsOf([stages[view.stage]])[0]] };
  }

  function draw(force = false) {
    const room = [innerWidth, document.documentElement.className, answer.cells.steps.map((step) => step.shape)].join(" ");
    if (room !== measuredFor) breaks = new Set(), measuredFor = room;
    const { stages, shown } = bands();
    const signature = JSON.stringify([shown, view, isSingle(), innerWidth, document.documentElement.className, answer.cells.steps.map((step) => [step.id, step.shape, step.rows, step.cols])]);
    const key = document.activeElement?.closest?.("[data-key]")?.dataset.key;
    if (signature !== drawn) build(shown, stages);
    drawn = signature;
    if (force) for (const input of board.querySelectorAll("input.n")) if (input === document.activeElement) input.blur();
    for (const table of tables) writeMatrix(table, answer, { changed, original, problem });
    for (const group of groups) setWidths(group, isTyping());
    for (const band of board.children) {
      band.classList.toggle("compared", band.querySelector("del") !== null);
      if (isSingle()) band.classList.toggle("stacked", band.querySelector(".over") === null && band.scrollWidth > board.clientWidth);
    }
    if (breakLines(shown)) return draw();
    const again = key === undefined ? null : board.querySelector(`table:not([aria-hidden]) [data-key="${key}"]`);
    if (again !== null && document.activeElement !== focusable(again)) focusable(again).focus({ preventScroll: true });
    writeHeads();
    mark();
    look();
    writeSettings();
  }

  // Where a band is wider than the page, its last matrices go to the next line. Answers whether one did.
  function breakLines(shown) {
    if (isSingle()) return false;
    const wide = [...board.children].findIndex((band) => band.scrollWidth > board.clientWidth + 1);
    const items = wide < 0 ? [] : [...board.children[wide].children], right = board.getBoundingClientRect().right;
    const over = items.findIndex((item, i) => i > 1 && item.lastElementChild.getBoundingClientRect().right > right + 1);
    if (over < 0 || shown[wide] === undefined || breaks.has(shown[wide][over].step)) return false;
    breaks.add(shown[wide][over].step);
    return true;
  }

  const isTyping = () => document.activeElement?.matches?.("input.n") && board.contains(document.activeElement);
  board.addEventListener("focusout", () => setTimeout(() => { if (!isTyping()) for (const group of groups) setWidths(group, false); }));

  let groups = [], breaks = new Set(), measuredFor = "";
  function build(shown, stages) {
    tables = [];
    groups = [];
    const seen = new Set();
    const add = (options) => {
      const table = matrixOf(view, { ...options, again: seen.has(options.id), fields: hasField });
      seen.add(options.id);
      tables.push(table);
      return table;
    };
    board.replaceChildren(...shown.map((band) => {
      const items = band.map(({ step, stage }, i) => {
        const over = make("div", { class: "over" }), own = make("div", { class: "own" });
        const heading = answer.headings.get(step), formula = heading?.formula;
        if (stage === undefined && !seen.has("") && band === shown[0]) over.append(invitation(step)), seen.add("");
        const caption = stage && !isSingle() && make("p", { class: "caption" }, formula ? document.importNode(formula, true) : stepOf(step).title);
        if (caption) (stage.top === undefined ? own : over).append(caption);
        const group = [];
        if (stage?.top !== undefined) group.push(add({ id: stage.top, transposed: stage.transposed, names: namesTop(i > 1 && band[i - 1].step === stage.left), header: true }));
        over.append(...group);
        const table = add({ id: step, names: i === 0 ? "rows" : "symbol", header: stage?.top === undefined });
        group.push(table);
        own.append(table);
        if (i === 0 && table.getAttribute("aria-hidden") === null) addTokens(table);
        groups.push(group);
        if (stage?.top !== undefined) return make("div", { class: "item" }, over, own);
        own.prepend(...over.childNodes);
        return make("div", { class: "item alone" }, own);
      });
      return make("div", { class: "band", role: "group" }, ...items);
    }), ...loose(seen, add));
    board.querySelector(`[data-key="${inviting}"]`)?.classList.add("here");
    byRoot = new Map();
    for (const table of tables) for (const td of table.querySelectorAll("td[data-key]")) {
      const root = rootOf(td.cell);
      byRoot.set(root, [...(byRoot.get(root) || []), td]);
    }
    writePath(shown, stages);
  }

  // The rows of V are named by the columns of A beside them, where there is little room.
  const namesTop = (isBeside) => (isBeside && !isSingle() && innerWidth < 1600 ? "none" : "rows");

  // Given matrices that no product shows: biases, tables of masks.
  function loose(seen, add) {
    if (isSingle()) return [];
    const rest = answer.cells.steps.filter((step) => isGiven(step) && isShown(answer, step.id) && !seen.has(step.id));
    if (rest.length === 0) return [];
    return [make("div", { class: "band" }, ...rest.map((step) => {
      const table = add({ id: step.id, names: rowLabel(cellAt(step, view, 0, 0)) === undefined ? "none" : "rows", header: true });
      groups.push([table]);
      return make("div", { class: "item alone" }, make("div", { class: "own" }, make("p", { class: "caption" }, step.title), table));
    }))];
  }

  const rootOf = (cell) => { while (isLeaf(patternOf(cell))) cell = leafOf(patternOf(cell), cell); return keyOf(cell); };

  function invitation(step) {
    const target = firstField(step);
    if (!invited || target === undefined || isSingle()) return make("span");
    inviting = keyOf(target);
    return make("p", { class: "invitation" }, `Change this ${holderOf(problem.file, target).list[target.col]} and watch.`);
  }
  function firstField(step) {
    const numbers = stepOf(step).numbers, cols = stepOf(step).shape[3], row = Math.min(1, stepOf(step).shape[2] - 1);
    const col = Math.max(0, Array.from({ length: cols }, (_, c) => numbers[row * cols + c]).findIndex((value) => value !== 0));
    const cell = { step, row, col, head: 0, batch: 0 };
    return hasField(cell) ? cell : undefined;
  }

  // Tokens beside the rows of the first matrix: a click renames one, × removes it, + adds one.
  function addTokens(table) {
    const step = stepOf(table.dataset.step), part = step.id, tokens = problem.tokens(part);
    const labels = step.rows[0] || [], isNamed = (label, i) => label === tokens[i] || label === i + ":" + tokens[i];
    if (tokens.length === 0 || labels.length !== tokens.length || !labels.every(isNamed) || !isGiven(step)) return;
    table.querySelectorAll("tbody th").forEach((th, row) => {
      const word = th.textContent, less = button("×", () => edit(() => problem.removeToken(part, row)), { class: "less", "aria-label": "Remove " + word });
      const name = button(word, () => {
        const field = make("input", { class: "word", "aria-label": "New name of " + word });
        field.value = tokens[row];
        const done = (keep) => {
          field.onblur = null;
          if (keep && field.value !== tokens[row]) edit(() => problem.rename(part, row, field.value));
          else th.replaceChildren(less, name), name.focus();
        };
        field.onkeydown = (event) => { if (event.key === "Enter" || event.key === "Escape") done(event.key === "Enter"), event.stopPropagation(); };
        field.onblur = () => done(true);
        th.replaceChildren(field);
        field.select();
      }, { class: "token", title: "Rename" });
      th.replaceChildren(...(tokens.length > 1 ? [less] : []), name);
    });
    table.querySelector(".corner").append(" ", button("+", () => edit(() => problem.addToken(part)), { class: "plus", "aria-label": "Add a token", title: "Add a token" }));
  }

  function writePath(shown, stages) {
    const steps = [], single = isSingle();
    for (const band of single ? bandsOf(stages) : shown) for (const item of band) if (!steps.some((each) => each.step === item.step)) steps.push(item);
    const items = steps.map(({ step, stage }, i) => {
      const beside = stage?.top !== undefined && steps[i - 1]?.stage?.left === stage.left;
      const link = button("", () => visit(step, stages), { "data-step": step, title: stepOf(step).title });
      link.append(...symbol(stepOf(step).name));
      return make("li", { class: beside ? "beside" : "" }, link);
    });
    path.replaceChildren(make("ol", {}, ...items));
    path.hidden = steps.length > MOST_IN_PATH;
    pager.hidden = !single || stages.length === 0;
    if (!single || stages.length === 0) return;
    const turn = (by) => {
      view.stage += by;
      if (pinned === undefined) looked = firstLook();
      draw();
    };
    const stage = stages[view.stage], formula = answer.headings.get(stage.result)?.formula;
    const back = button("‹", () => turn(-1), { "aria-label": "previous step" }), on = button("›", () => turn(1), { "aria-label": "next step" });
    back.disabled = view.stage === 0;
    on.disabled = view.stage === stages.length - 1;
    pager.replaceChildren(back, make("span", { class: "dim" }, `${view.stage + 1}/${stages.length}`),
      make("span", { class: "now" }, formula ? document.importNode(formula, true) : stepOf(stage.result).name), on);
  }

  function visit(step, stages) {
    if (isSingle()) {
      const at = stages.findIndex((stage) => stage.result === step), uses = stages.findIndex((stage) => stage.left === step || stage.top === step);
      view.stage = at >= 0 ? at : Math.max(0, uses);
      draw();
    }
    const table = board.querySelector(`table[data-step="${CSS.escape(step)}"]:not([aria-hidden])`);
    table?.querySelector("[tabindex='0']")?.focus();
  }

  function writeHeads() {
    const count = headCount(), batches = Math.max(1, ...[...masked.values()].map((step) => step.shape[0]));
    view.head = Math.min(view.head, count - 1);
    view.batch = Math.min(view.batch, batches - 1);
    heads.hidden = count === 1 && batches === 1;
    if (heads.hidden) return heads.replaceChildren();
    const shares = answer.cells.steps.find((step) => gridOf(answer, step.id, 0, 0)?.shares && step.shape[1] === count);
    const show = (what, i) => { view[what] = i; draw(); heads.querySelector(`[data-${what}="${i}"]`).focus(); };
    const entries = batches === 1 ? [] : Array.from({ length: batches }, (_, b) => button("sentence " + b, () => show("batch", b), { "aria-pressed": String(b === view.batch), "data-batch": b }));
    const all = count === 1 ? [] : Array.from({ length: count }, (_, h) => {
      const grid = shares && gridOf(answer, shares.id, view.batch, h), small = make("span", { class: "small", "aria-hidden": "true" });
      if (grid && grid.cells.length <= 32) {
        small.style.setProperty("--n", grid.cells[0].length);
        small.append(...grid.cells.flat().map(({ look }) => make("i", { class: look })));
      }
      return make("button", { type: "button", onclick: () => show("head", h), "aria-pressed": String(h === view.head), "data-head": h }, small, "head " + h);
    });
    heads.replaceChildren(...entries, ...all);
  }

  // ---- pointing and pinning
  function mark() {
    for (const td of board.querySelectorAll(".chosen, .source")) td.classList.remove("chosen", "source");
    const cell = pinned || looked;
    if (cell === undefined) return;
    for (const leaf of leavesOf(cell)) for (const td of byRoot.get(rootOf(leaf)) || []) td.classList.add("source");
    for (const td of byRoot.get(rootOf(cell)) || []) td.classList.add("chosen");
    for (const link of path.querySelectorAll("button")) link.toggleAttribute("aria-current", link.dataset.step === cell.step);
  }

  function look() {
    const cell = pinned || looked;
    if (cell === undefined) return panel.replaceChildren();
    const keep = pinned === undefined ? button("Pin", () => pin(looked), { class: "keep" }) : button("Unpin", () => pin(undefined), { class: "keep", "aria-pressed": "true" });
    panel.replaceChildren(keep, ...workedPanel(answer, cell, (leaf) => pin(leaf, true)));
    panel.classList.toggle("pinned", pinned !== undefined);
    for (const link of panel.querySelectorAll(".leaf")) link.addEventListener("mouseenter", () => {
      for (const td of board.querySelectorAll(".pointed")) td.classList.remove("pointed");
      for (const td of board.querySelectorAll(`[data-key="${link.dataset.leaf}"]`)) td.classList.add("pointed");
    });
  }

  function pin(cell, visits = false) {
    if (cell === undefined) looked = pinned || looked;
    pinned = cell;
    if (cell !== undefined && visits) {
      if (stepOf(cell.step).shape[1] === headCount()) view.head = cell.head;
      if (isSingle()) {
        const { stages } = bands(), at = stages.findIndex((stage) => stage.result === cell.step);
        if (at >= 0) view.stage = at;
      }
      draw();
    }
    mark();
    look();
    write();
    if (cell !== undefined) say(panel.querySelector(".worked").textContent);
  }

  const cellOfEvent = (event) => event.target.closest?.("td[data-key]")?.cell;
  function preview(event) {
    const cell = cellOfEvent(event);
    if (cell === undefined || pinned !== undefined || isGiven(stepOf(cell.step)) || (looked && keyOf(cell) === keyOf(looked))) return;
    looked = cell;
    mark();
    look();
  }
  board.addEventListener("mouseover", preview);
  board.addEventListener("focusin", preview);
  board.addEventListener("click", (event) => {
    const cell = cellOfEvent(event);
    if (cell === undefined || event.target.matches("input")) return;
    pin(pinned && keyOf(pinned) === keyOf(cell) ? undefined : cell);
    const td = event.target.closest("td");
    if (td.tabIndex === -1 && td.closest("table").getAttribute("aria-hidden") === null) goTo(td);
  });

  // ---- editing
  function edit(change, options = {}) {
    const before = problem.steps;
    change();
    if (problem.steps !== before) base = answer;
    if (invited) {
      invited = false;
      inviting = "";
      for (const old of board.querySelectorAll(".invitation")) old.classList.add("gone");
    }
    return compute(options);
  }
  const actions = {
    edit: (cell, text) => edit(() => problem.setNumber(cell, text), { cell }),
    pin: (cell) => pin(cell),
    release: () => pin(undefined),
  };
  const pad = answerKeys(board, actions);
  root.addEventListener("keydown", (event) => {
    if (!(event.ctrlKey || event.metaKey) || event.altKey) return;
    const key = event.key.toLowerCase();
    if (key === "z" && !event.shiftKey) undo();
    else if (key === "y" || (key === "z" && event.shiftKey)) redo();
    else return;
    event.preventDefault();
  });
  function undo() { base = answer; problem.undo(); return compute({ force: true }); }
  function redo() { base = answer; problem.redo(); return compute({ force: true }); }

  // ---- settings
  const sample = chooser("Sample", [], (name) => name !== "" && open(name), { class: "sample" });
  const choices = CHOICES.map((choice) => {
    const one = chooser(choice.label, [], (value) => edit(() => problem.change(undefined, () => { problem.settings[choice.name] = value; })));
    return { ...choice, ...one };
  });
  const sizes = Object.keys(SIZES).map((name) => ({ name, more: true, ...chooser(name, [], (n) => edit(() => problem.resize(name, Number(n)))) }));
  const whatIf = chooser("What if", [["", "nothing is wrong"]], (code) => edit(() => problem.change(undefined, () => { problem.settings.fault = code; })), { class: "what-if" });
  function placeSettings() {
    const inside = (choice) => choice.more || PHONE.matches;
    settings.replaceChildren(sample.all, ...choices.filter((choice) => !inside(choice)).map(({ all }) => all), ...(PHONE.matches ? [] : [whatIf.all]), more);
    more.append(...[...choices.filter(inside), ...sizes].map(({ all }) => all), ...(PHONE.matches ? [whatIf.all] : []));
  }
  placeSettings();

  // Which mistakes can occur is found out while nothing else is to be done.
  let possible = MISTAKES, possibleFor = "", thinking;
  function thinkOfMistakes() {
    clearTimeout(thinking);
    thinking = setTimeout(async () => {
      const { fault, ...others } = problem.settings, key = JSON.stringify([problem.file, others]);
      if (key === possibleFor) return;
      const rows = await possibleMistakes(problem, () => key === JSON.stringify([problem.file, { ...problem.settings, fault: undefined }]));
      if (rows === undefined) return;
      [possible, possibleFor] = [rows, key];
      if (document.activeElement !== whatIf.select) writeSettings();
    }, 400);
  }

  function given(choice) {
    const value = problem.file[choice.name === "precision" ? "" : choice.name] ?? choice.usual;
    return typeof value === "string" || typeof value === "number" ? String(value) : "as in the file";
  }
  function writeSettings() {
    sample.select.fill([...(problem.own ? [["", "My numbers"]] : []), ...samples], problem.sample);
    for (const choice of choices) {
      const own = given(choice), words = choice.words || {}, set = problem.settings[choice.name];
      const values = [...new Set([own, ...choice.values, ...(set ? [set] : [])])].filter((value) => value !== own);
      choice.select.fill([["", words[own] ?? own], ...values.filter((value) => value !== "").map((value) => [value, words[value] ?? value])], set === own ? "" : set || "");
    }
    for (const { name, all, select } of sizes) {
      const size = problem.sizeOf(name);
      all.hidden = size === undefined;
      if (size !== undefined) select.fill([...new Set([1, 2, 3, 4, 5, 6, 7, 8, size])].map((n) => [n, n]), size);
    }
    const { fault } = problem.settings;
    const unusual = fault && !possible.some(([code]) => code === fault) ? [MISTAKES.find(([code]) => code === fault) || [fault, fault]] : [];
    whatIf.select.fill([["", "nothing is wrong"], ...possible, ...unusual], fault || "");
    banner.hidden = !fault;
    if (fault) {
      const words = MISTAKES.find(([code]) => code === fault)?.[1] || fault, count = original ? [...original.keys()].length : 0;
      banner.replaceChildren(make("strong", {}, "What if: " + words + ". "), `${countOf(count, "number")} differ from the right ones, which are crossed out. `,
        button("Back", () => edit(() => problem.change(undefined, () => { delete problem.settings.fault; }))));
    }
    undoButton.disabled = !problem.canUndo;
    redoButton.disabled = !problem.canRedo;
    resetButton.disabled = !problem.canUndo;
    command.textContent = "$ attn explain mine.json" + problem.argsWithout().map((word) => " " + (/^[\w:.,/-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`)).join("");
  }

  const undoButton = button("Undo", undo, { title: "Ctrl+Z" }), redoButton = button("Redo", redo, { title: "Ctrl+Y" });
  const resetButton = button("Reset", () => open(problem.begun || samples[0][0]));
  const tools = [undoButton, redoButton, resetButton, button("Link", link), button("Save", save), button("Projector", () => page.project(), { class: "wide-only" })];

  async function save() {
    const { code, files, stderr } = await core.attn(["convert", "-", "-o", "mine.json", ...problem.argsWithout("fault", "precision")], { stdin: problem.text });
    if (code === 0) download("mine.json", files["mine.json"]);
    else refuse(stderr);
  }
  async function link() {
    await write();
    if (location.hash.length > MOST_LETTERS || linkIsTooLong) return status.replaceChildren("These numbers are too many for a link: ", button("save them as a file", save));
    copy(location.href, "The link is copied.");
  }

  // ---- the address
  let linkIsTooLong = false;
  async function write() {
    const words = problem.own ? { problem: await packed(problem.text) } : { sample: problem.sample };
    for (const [name, value] of Object.entries(problem.settings)) if (value !== "") words[name] = value;
    if (pinned !== undefined) words.cell = placeText(pinned);
    if (view.head > 0) words.head = view.head;
    if (view.batch > 0) words.batch = view.batch;
    linkIsTooLong = (words.problem || "").length > MOST_LETTERS;
    if (linkIsTooLong) delete words.problem;
    page.setAddress(words);
  }

  async function open(name, settings = {}) {
    const { code, stdout, stderr } = await core.attn(["new", "--sample", name, "--error-format", "json"]);
    if (code !== 0) return refuse(stderr);
    base = undefined;
    view.stage = 0;
    problem.change(undefined, () => problem.begin(name, JSON.parse(stdout), settings));
    problem.begun = name;
    looked = undefined;
    pinned = undefined;
    drawn = "";
    status.textContent = "";
    return compute({ force: true });
  }

  async function openAddress(words) {
    const settings = {};
    for (const name of SETTINGS) if (words.get(name)) settings[name] = words.get(name).slice(0, 200);
    const cell = placeOf(words.get("cell"), words.get("head"), words.get("batch"));
    view.head = Number(words.get("head")) || 0;
    view.batch = Number(words.get("batch")) || 0;
    problem.begun = samples[0][0];
    if (words.get("problem")) {
      try {
        problem.begin("", JSON.parse(await unpacked(words.get("problem"))), settings);
        await compute();
      } catch (error) {
        refuse("The address holds no problem that can be read: " + error.message);
      }
      if (answer === undefined) await open(samples[0][0]);
    } else {
      const name = words.get("sample") || samples[0][0];
      problem.begin(name, {}, settings);
      const { code, stdout, stderr } = await core.attn(["new", "--sample", name, "--error-format", "json"]);
      if (code !== 0) return open(samples[0][0]).then(() => refuse(stderr));
      problem.begin(name, JSON.parse(stdout), settings);
      problem.begun = name;
      await compute();
    }
    if (cell !== undefined && answer !== undefined && isCell(cell)) pin(cell, true);
  }

  PHONE.addEventListener("change", placeSettings);
  addEventListener("resize", () => answer && draw());
  root.append(settings, make("div", { class: "bar" }, path, status), banner, trouble, heads, pager, board, pad, make("div", { class: "foot" }, panel, line));
  return {
    tools,
    async open(words) {
      if (samples.length === 0) {
        const { stdout } = await core.attn(["new", "--list"]);
        samples = stdout.trim().split("\n").map((row) => /^(\S+)\s+(.*)$/.exec(row).slice(1));
      }
      await openAddress(words);
    },
  };
}

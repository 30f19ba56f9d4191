// Play's matrices: laid beside each other once, then only written, so that focus and scroll position stay.
const WIDE = 1600;  // pixels from which there is room for every step, and for all names of rows

function makeBoard(play) {
  const { problem, view } = play, board = make("div", { class: "board" });
  let tables = [], groups = [], byRoot = new Map(), drawn = "", way = "", breaks = new Set(), measuredFor = "", inviting = "";

  const isSingle = () => PHONE.matches || isLarge(play.answer);
  const hasField = (cell) => isGiven(stepOf(cell.step)) && holderOf(problem.file, cell) !== undefined;
  const isTyping = () => document.activeElement?.matches?.("input.n") && board.contains(document.activeElement);

  function bands() {
    const stages = stagesOfAnswer(play.answer);
    if (!isSingle()) return { stages, shown: bandsOf(stages, breaks) };
    view.stage = Math.max(0, Math.min(view.stage, stages.length - 1));
    return { stages, shown: stages.length === 0 ? [] : [bandsOf([stages[view.stage]])[0]] };
  }

  function draw({ force = false } = {}) {
    const { answer } = play;
    const room = [innerWidth, document.documentElement.className, answer.cells.steps.map((step) => step.shape)].join(" ");
    if (room !== measuredFor) breaks = new Set(), measuredFor = room;
    const { stages, shown } = bands(), ids = new Set(shown.flat().flatMap(({ step, stage }) => [step, stage?.top]));
    const sizes = answer.cells.steps.filter((step) => !isSingle() || ids.has(step.id)).map((step) => [step.id, step.shape, step.rows, step.cols]);
    const signature = JSON.stringify([shown, view, isSingle() ? innerWidth : room, sizes]), nowWay = JSON.stringify([stages, view.stage, signature]);
    const key = document.activeElement?.closest?.("[data-key]")?.dataset.key;
    if (signature !== drawn) build(shown);
    if (nowWay !== way) play.path.write(shown, stages);
    [drawn, way] = [signature, nowWay];
    if (force && isTyping()) document.activeElement.blur();
    for (const table of tables) writeMatrix(table, play);
    for (const group of groups) setWidths(group, isTyping());
    for (const band of board.children) {
      band.classList.toggle("compared", band.querySelector("del") !== null);
      const isStacked = isSingle() && (band.querySelector(".over") === null || isLarge(answer));
      band.classList.remove("stacked");
      band.classList.toggle("stacked", isStacked && band.scrollWidth > board.clientWidth);
    }
    if (breakLines(shown)) return draw();
    const again = key === undefined ? null : board.querySelector(`table:not([aria-hidden]) [data-key="${key}"]`);
    if (again !== null && document.activeElement !== focusable(again)) focusable(again).focus({ preventScroll: true });
    play.path.writeHeads();
    play.panel.show();
    play.settings.write();
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

  function build(shown) {
    const seen = new Set();
    [tables, groups, byRoot] = [[], [], new Map()];
    const add = (options) => {
      const table = matrixOf(view, { ...options, again: seen.has(options.id), fields: hasField });
      seen.add(options.id);
      tables.push(table);
      return table;
    };
    const bandOf = (band) => make("div", { class: "band", role: "group" }, ...band.map((_, i) => itemOf(band, i, add)));
    board.replaceChildren(...shown.map(bandOf), ...loose(seen, add));
    const first = shown[0]?.[0];
    if (first !== undefined && play.invited && !isSingle()) invite(first.step);
    for (const table of tables) for (const td of table.querySelectorAll("td[data-key]")) {
      const root = rootOf(td.cell);
      byRoot.set(root, [...(byRoot.get(root) || []), td]);
    }
  }

  // A result, below what its columns come from; or a matrix alone.
  function itemOf(band, i, add) {
    const { step, stage } = band[i], formula = play.answer.headings.get(step)?.formula;
    const caption = stage && !isSingle() && make("p", { class: "caption" }, formula ? document.importNode(formula, true) : stepOf(step).title);
    const captions = caption ? [caption] : [], names = i === 0 || (isSingle() && stage.top === undefined) ? "rows" : "symbol";
    if (stage?.top === undefined) {
      const table = add({ id: step, names, header: true });
      if (isSingle() && i > 0) groups[0].push(table);
      else groups.push([table]);
      if (i === 0 && table.getAttribute("aria-hidden") === null) addTokens(table, problem, play.edit);
      return make("div", { class: "item alone" }, make("div", { class: "own" }, ...captions, table));
    }
    // The rows of V are named by the columns of A beside them, where there is little room.
    const isNamed = i > 1 && band[i - 1].step === stage.left && innerWidth < WIDE;
    const top = add({ id: stage.top, transposed: stage.transposed, names: isNamed ? "none" : "rows", header: true });
    const bias = stage.bias === undefined ? [] : [add({ id: stage.bias, names: "symbol" })], table = add({ id: step, names });
    groups.push([top, ...bias, table]);
    return make("div", { class: "item" }, make("div", { class: "over" }, ...captions, top, ...bias), make("div", { class: "own" }, table));
  }

  // Given matrices that no product shows: tables of masks.
  function loose(seen, add) {
    const isLoose = (step) => isGiven(step) && isShown(play.answer, step.id) && !seen.has(step.id);
    const rest = isSingle() ? [] : play.answer.cells.steps.filter(isLoose);
    if (rest.length === 0) return [];
    return [make("div", { class: "band", role: "group" }, ...rest.map((step) => {
      const table = add({ id: step.id, names: rowLabel(cellAt(step, view, 0, 0)) === undefined ? "none" : "rows", header: true });
      groups.push([table]);
      return make("div", { class: "item alone" }, make("div", { class: "own" }, make("p", { class: "caption" }, step.title), table));
    }))];
  }

  // One invitation, above the first matrix, to change a number that is not 0.
  function invite(step) {
    const { numbers, shape: [, , rows, cols] } = stepOf(step), row = Math.min(1, rows - 1);
    const col = Math.max(0, numbers.slice(row * cols, (row + 1) * cols).findIndex((value) => value !== 0));
    const cell = { step, row, col, head: 0, batch: 0 }, td = board.querySelector(`[data-key="${keyOf(cell)}"]`);
    if (!hasField(cell) || td === null) return;
    inviting = keyOf(cell);
    td.classList.add("here");
    td.closest(".own").prepend(make("p", { class: "invitation" }, inWords("Change this {n} and watch.", { n: holderOf(problem.file, cell).list[col] })));
  }
  function endInvitation() {
    play.invited = false;
    for (const old of board.querySelectorAll(".invitation")) old.classList.add("gone");
    board.querySelector(`[data-key="${inviting}"]`)?.classList.remove("here");
  }

  // What a cell is a copy of, in the end: all of these light up together.
  function rootOf(cell) {
    let root = cell;
    while (isLeaf(patternOf(root))) root = leafOf(patternOf(root), root);
    return keyOf(root);
  }

  function goToStage(step) {
    if (!isSingle()) return;
    const { stages } = bands(), made = stages.findIndex((stage) => stage.result === step);
    const at = made >= 0 ? made : stages.findIndex((stage) => stage.left === step || stage.top === step);
    if (at >= 0) view.stage = at;
  }

  function visit(step) {
    goToStage(step);
    draw();
    board.querySelector(`table[data-step="${CSS.escape(step)}"]:not([aria-hidden]) [tabindex='0']`)?.focus();
  }

  board.addEventListener("focusout", () => setTimeout(() => {
    if (!isTyping()) for (const group of groups) setWidths(group, false);
  }));
  return {
    element: board, draw, isSingle, visit, goToStage, endInvitation,
    placesOf: (cell) => byRoot.get(rootOf(cell)) || [],
    fieldOf: (cell) => cell && board.querySelector(`table:not([aria-hidden]) [data-key="${keyOf(cell)}"] input`),
    forget() { drawn = ""; },
  };
}

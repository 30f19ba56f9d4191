// Play's pointing and pinning: which cell is looked at, what it is made from on the board, and its arithmetic below.
function makePanel(play) {
  const { board } = play;
  const panel = make("section", { class: "panel", "aria-label": inWords("How a number is made") });
  const looksAt = () => play.pinned || play.looked;

  function mark() {
    for (const td of board.element.querySelectorAll(".chosen, .source")) td.classList.remove("chosen", "source");
    const cell = looksAt();
    if (cell === undefined) return;
    for (const leaf of leavesOf(cell)) for (const td of board.placesOf(leaf)) td.classList.add("source");
    for (const td of board.placesOf(cell)) td.classList.add("chosen");
    play.path.mark(cell.step);
  }

  function look() {
    const cell = looksAt(), isPinned = play.pinned !== undefined;
    if (cell === undefined) return panel.replaceChildren();
    const keep = isPinned ? button(inWords("Unpin"), () => pin(undefined), { class: "keep", "aria-pressed": "true" })
      : button(inWords("Pin"), () => pin(play.looked), { class: "keep" });
    panel.replaceChildren(keep, ...workedPanel(play.answer, cell, (leaf) => pin(leaf, true)));
    panel.classList.toggle("pinned", isPinned);
    for (const link of panel.querySelectorAll(".leaf")) link.addEventListener("mouseenter", () => point(link.dataset.leaf));
  }

  function point(key) {
    for (const td of board.element.querySelectorAll(".pointed")) td.classList.remove("pointed");
    for (const td of board.element.querySelectorAll(`[data-key="${key}"]`)) td.classList.add("pointed");
  }

  // Keeps a cell; undefined lets it go. With `visits`, the board goes where it is.
  function pin(cell, visits = false) {
    if (cell === undefined) play.looked = looksAt();
    play.pinned = cell;
    if (cell !== undefined && visits) {
      if (stepOf(cell.step).shape[1] === headCount()) play.view.head = cell.head;
      board.goToStage(cell.step);
      board.draw();
    }
    show();
    play.writeAddress();
    if (cell !== undefined) say(panel.querySelector(".worked").textContent);
  }

  // A first cell to look at: of the first product of two results.
  function firstLook() {
    const stages = stagesOfAnswer(play.answer), { view } = play;
    const stage = board.isSingle() ? stages[view.stage] : stages.find((each) => each.transposed) || stages[0];
    if (stage === undefined) return undefined;
    const [batches, heads, rows] = stepOf(stage.result).shape;
    return { step: stage.result, row: Math.min(1, rows - 1), col: 0, head: view.head % Math.max(1, heads), batch: view.batch % Math.max(1, batches) };
  }

  function show() { mark(); look(); }

  // Scrolls as far as it takes to see a cell above the panel.
  function uncover(cell) {
    const [td] = board.placesOf(cell), most = panel.getBoundingClientRect().top - 8, bottom = td?.getBoundingClientRect().bottom;
    if (bottom > most) scrollBy(0, bottom - most);
  }

  const cellOf = (event) => event.target.closest?.("td[data-key]")?.cell;
  function preview(event) {
    const cell = cellOf(event), { pinned, looked } = play;
    if (cell === undefined || pinned !== undefined || isGiven(stepOf(cell.step)) || (looked && keyOf(cell) === keyOf(looked))) return;
    play.looked = cell;
    show();
  }
  board.element.addEventListener("mouseover", preview);
  board.element.addEventListener("focusin", preview);
  board.element.addEventListener("click", (event) => {
    const cell = cellOf(event), { pinned } = play;
    if (cell === undefined || event.target.matches("input")) return;
    pin(pinned && keyOf(pinned) === keyOf(cell) ? undefined : cell);
    const td = event.target.closest("td");
    if (td.tabIndex === -1 && td.closest("table").getAttribute("aria-hidden") === null) goTo(td);
  });
  return { element: panel, show, pin, firstLook, uncover };
}

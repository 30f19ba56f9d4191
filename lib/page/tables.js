// Matrices that answer: pointing, keys, highlights, and the address of a cell.
const tables = [...document.querySelectorAll("table[data-step]")].filter((table) => masked.has(table.dataset.step));

function stepAt(table, row) {
  const last = table.dataset.last;
  return last !== undefined && row === table.tBodies[0].rows.length - 1 ? last : table.dataset.step;
}

function cellOf(td) {
  const table = td.closest("table"), row = td.parentElement.sectionRowIndex, step = stepAt(table, row);
  const cell = {
    step, row: step === table.dataset.step ? row + Number(table.dataset.row || 0) : 0, col: td.cellIndex - 1,
    batch: Number(table.dataset.batch || 0), head: Number(table.dataset.head || 0),
  };
  return isCell(cell) ? cell : undefined;
}

// The place of a cell on the page, if a table shows it.
function tdOf(cell) {
  for (const table of tables) {
    const step = stepOf(cell.step), { batch, head, row = 0, last } = table.dataset;
    const own = Number(batch || 0) === cell.batch && Number(head || 0) === cell.head;
    if (last === cell.step && own) return table.tBodies[0].rows[table.tBodies[0].rows.length - 1].cells[cell.col + 1];
    if (table.dataset.step !== cell.step) continue;
    const alike = table.dataset.alike !== undefined;
    if (!alike && step.shape[0] > 0 && Number(batch || 0) !== cell.batch) continue;
    if (!alike && step.shape[1] > 0 && Number(head || 0) !== cell.head) continue;
    const line = table.tBodies[0].rows[cell.row - Number(row)];
    if (line !== undefined) return line.cells[cell.col + 1];
  }
  return undefined;
}

// The same, or the place of what it is a copy of: a head's columns of Q.
function tdBehind(cell) {
  for (let own = cell; own !== undefined; own = (patternOf(own) || {}).numbers === "{0}" ? leavesOf(own)[0] : undefined) {
    const td = tdOf(own);
    if (td !== undefined) return td;
  }
  return undefined;
}

function mark(cell) {
  for (const old of document.querySelectorAll(".chosen, .source")) old.classList.remove("chosen", "source");
  if (cell === undefined) return;
  const own = tdOf(cell);
  if (own !== undefined) own.classList.add("chosen");
  for (const leaf of leavesOf(cell)) {
    const td = tdBehind(leaf);
    if (td === undefined) continue;
    td.classList.add("source");
    td.parentElement.cells[0].classList.add("source");
    td.closest("table").tHead.rows[0].cells[td.cellIndex].classList.add("source");
  }
}

function look(cell) {
  show(cell);
  mark(cell);
}

function fromAddress() {
  const words = new URLSearchParams(location.hash.slice(1));
  const number = (name) => Number(words.get(name) || 0);
  const cell = { step: words.get("step"), row: number("row"), col: number("col"), batch: number("batch"), head: number("head") };
  return isCell(cell) ? cell : undefined;
}

const isSame = (a, b) => (a === undefined || b === undefined ? a === b : addressOf(a) === addressOf(b));

// Goes to the cell of the address; to the panel, if no matrix on the page holds it.
function follow() {
  const cell = fromAddress();
  if (isSame(cell, pinned)) return;
  pinned = cell;
  look(cell);
  const td = cell && tdOf(cell);
  if (td === undefined) return cell && panel.focus({ preventScroll: true });
  moveTo(td);
}

function pin(cell) {
  pinned = cell;
  look(cell);
  if (cell === undefined) history.replaceState(null, "", "#");
  else location.hash = addressOf(cell);
}

// One stop for Tab in each matrix; arrows move inside.
function moveTo(td) {
  const table = td.closest("table");
  for (const other of table.querySelectorAll("td[tabindex='0']")) other.tabIndex = -1;
  td.tabIndex = 0;
  td.focus({ preventScroll: true });
  td.scrollIntoView({ block: "nearest", inline: "nearest" });
}

function numbersIn(table) {
  return [...table.tBodies[0].rows].map((row) => [...row.cells].filter((td) => td.tagName === "TD" && !td.classList.contains("sum")));
}

function moved(td, key) {
  const rows = numbersIn(td.closest("table")), r = td.parentElement.sectionRowIndex, c = td.cellIndex - 1;
  const to = { ArrowLeft: [r, c - 1], ArrowRight: [r, c + 1], ArrowUp: [r - 1, c], ArrowDown: [r + 1, c],
    Home: [r, 0], End: [r, rows[r].length - 1] }[key];
  return to === undefined ? undefined : (rows[to[0]] || [])[to[1]];
}

function otherStep(td, by) {
  if (tables.length === 0) return undefined;
  const steps = [...new Set(tables.map((table) => table.dataset.step))];
  const here = td === null ? -1 : steps.indexOf(td.closest("table").dataset.step);
  const step = steps[here === -1 ? 0 : Math.min(steps.length - 1, Math.max(0, here + by))];
  return numbersIn(tables.find((table) => table.dataset.step === step))[0][0];
}

function onKey(event) {
  if (event.altKey || event.ctrlKey || event.metaKey || event.target.closest("input, select")) return;
  const td = event.target.closest("table[data-step] td");
  const next = event.key === "n" || event.key === "p" ? otherStep(td, event.key === "n" ? 1 : -1)
    : td === null ? undefined : moved(td, event.key);
  if (next !== undefined) {
    if (pinned !== undefined) pin(undefined);
    moveTo(next);
  }
  else if (event.key === "Escape") pin(undefined);
  else if (event.key === "Enter" && td !== null) pin(cellOf(td));
  else return;
  event.preventDefault();
}

function onTable(name, use) {
  document.addEventListener(name, (event) => {
    const td = event.target.closest && event.target.closest("table[data-step] td");
    const cell = td ? cellOf(td) : undefined;
    if (cell !== undefined) use(cell, td);
  });
}

for (const table of tables) {
  table.classList.add("reads");
  table.setAttribute("role", "grid");
  for (const row of numbersIn(table)) for (const td of row) td.tabIndex = -1;
  numbersIn(table)[0][0].tabIndex = 0;
  table.closest(".scroll").removeAttribute("tabindex");
}
onTable("mouseover", (cell) => { if (pinned === undefined) look(cell); });
onTable("focusin", (cell) => { if (pinned === undefined) look(cell); });  // Tab leaves what is kept
onTable("click", (cell, td) => { moveTo(td); pin(cell); });
document.addEventListener("keydown", onKey);
window.addEventListener("hashchange", follow);

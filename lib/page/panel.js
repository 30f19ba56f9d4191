// The panel beside the matrices: the cell that a reader points at, and how it was made.
takeCells(JSON.parse(document.getElementById("cells").textContent));
let decimals = data.precision;
let pinned;  // the cell of the address, if any
let shown;

const panel = make("aside", { id: "panel", "aria-live": "polite", tabindex: "-1", "aria-label": inWords("How a number was made") });
document.body.classList.add("asked");
document.body.append(panel);

function addressOf(cell) {
  const step = stepOf(cell.step);
  let address = "#step=" + encodeURIComponent(cell.step) + "&row=" + cell.row + "&col=" + cell.col;
  if (step.shape[0] > 0) address += "&batch=" + cell.batch;
  if (step.shape[1] > 0) address += "&head=" + cell.head;
  return address;
}

// A number as a link to its cell; `beside` is the cell that is explained.
function linkTo(leaf, text, beside) { return make("a", { href: addressOf(leaf), title: nameOf(leaf, beside) }, text); }

// The cells it was made from, each once, as links.
function madeFrom(cell) {
  const list = make("ul"), seen = new Set();
  for (const leaf of leavesOf(cell)) {
    if (seen.has(addressOf(leaf))) continue;
    seen.add(addressOf(leaf));
    list.append(make("li", {}, linkTo(leaf, nameOf(leaf, cell), cell), " = " + shortNumber(valueOf(leaf), decimals)));
  }
  return list;
}

// Both vectors, their products and the running sum: a row for each term.
function termTable(cell) {
  const columns = termLines(cell, decimals, linkTo);
  if (columns === undefined) return undefined;
  const head = columns.map(({ name }) => make("th", { scope: "col" }, name));
  const rows = termLabels(cell).map((label, i) => make("tr", {}, make(label === "" ? "td" : "th", { scope: "row" }, label), ...columns.map(({ cells }) => make("td", {}, cells[i]))));
  return make("table", { class: "terms" }, make("thead", {}, make("tr", {}, make("td"), ...head)), make("tbody", {}, ...rows));
}

function place(cell) {
  const step = stepOf(cell.step), row = rowLabel(cell), col = colLabel(cell);
  const parts = [step.shape[0] > 0 ? inWords("batch {n}", { n: cell.batch }) : "", step.shape[1] > 0 ? headName(cell) : "",
    row === undefined ? "" : inWords("row {n} ({name})", { n: cell.row, name: isolated(row) }), col === undefined ? "" : inWords("column {n} ({name})", { n: cell.col, name: isolated(col) })];
  return parts.filter((text) => text !== "").join(", ");
}

function welcome() {
  const howTo = document.querySelector("table[data-step]") === null
    ? inWords("Each link on this page shows how a number was made.")
    : inWords("Point at a number, tap it, or move to it with Tab and the arrow keys: its arithmetic appears here, and what it was " +
      "made from is outlined where the page shows it. Enter or a click keeps it; Escape lets it go. n and p go to the " +
      "next and the previous step.");
  panel.replaceChildren(make("h2", {}, inWords("Where does a number come from?")), make("p", { class: "dim" }, howTo));
}

const keptButton = () => button(inWords("let go"), () => pin(undefined), { id: "kept" });

function show(cell) {
  shown = cell;
  panel.classList.toggle("empty", cell === undefined);
  if (cell === undefined) return welcome();
  const step = stepOf(cell.step), facts = make("dl");
  const fact = (name, text) => facts.append(make("dt", {}, name), make("dd", {}, text));
  fact(inWords("matrix"), step.name === step.title ? step.name : step.name + ", " + step.title);
  if (place(cell) !== "") fact(inWords("place"), place(cell));
  const value = valueOf(cell);
  fact(inWords("value"), Number.isFinite(value) ? String(value) : special(value));
  panel.replaceChildren(...(pinned === undefined ? [] : [keptButton()]), make("h2", {}, nameOf(cell)), facts, workedLine(cell, decimals, linkTo));
  if (sentence(cell) !== "") panel.append(make("p", { class: "remark" }, sentence(cell)));
  const sources = madeFrom(cell), pattern = patternOf(cell);
  if (pattern === undefined && step.inputs.length > 0)
    panel.append(make("p", { class: "dim" }, inWords("This page does not show how this number was made: with all the numbers it comes from, the page would be too large.")));
  if (sources.children.length === 0) return;
  const terms = termTable(cell);
  if (terms !== undefined) return panel.append(terms);
  panel.append(make("p", { class: "dim" }, inWords(isReplaced(pattern) ? "It replaces" : "Made from")), sources);
}

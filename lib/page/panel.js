// The panel beside the matrices: the cell that a reader points at, and how it was made.
takeCells(JSON.parse(document.getElementById("cells").textContent));
let decimals = data.precision;
let pinned;  // the cell of the address, if any
let shown;

const panel = document.createElement("aside");
panel.id = "panel";
panel.setAttribute("aria-live", "polite");
panel.tabIndex = -1;
panel.setAttribute("aria-label", "How a number was made");
document.body.classList.add("asked");
document.body.append(panel);

const node = (name, text, className) => {
  const made = document.createElement(name);
  if (text !== undefined) made.textContent = text;
  if (className !== undefined) made.className = className;
  return made;
};

function addressOf(cell) {
  const step = stepOf(cell.step);
  let address = "#step=" + encodeURIComponent(cell.step) + "&row=" + cell.row + "&col=" + cell.col;
  if (step.shape[0] > 0) address += "&batch=" + cell.batch;
  if (step.shape[1] > 0) address += "&head=" + cell.head;
  return address;
}

function linkTo(cell, text) {
  const link = node("a", text);
  link.href = addressOf(cell);
  return link;
}

function arithmetic(cell) {
  const line = node("p", undefined, "worked");
  line.append(nameOf(cell));
  const pattern = patternOf(cell);
  if (isLeaf(pattern)) line.append(" = ", linkTo(leafOf(pattern, cell), nameOf(leafOf(pattern, cell), cell)));
  stagesOf(cell, decimals).forEach((stage, i) => {
    line.append(" " + stage.sign + " ");
    if (i > 0) line.append(document.createElement("wbr"));
    for (const piece of stage.pieces) line.append(piece.leaf === undefined ? piece.text ?? piece : numberLink(piece, cell));
  });
  return line;
}

function numberLink(piece, cell) {
  const link = linkTo(piece.leaf, piece.text);
  link.title = nameOf(piece.leaf, cell);
  return link;
}

// The cells it was made from, each once, as links.
function madeFrom(cell) {
  const list = node("ul"), seen = new Set();
  for (const leaf of leavesOf(cell)) {
    if (seen.has(addressOf(leaf))) continue;
    seen.add(addressOf(leaf));
    const item = node("li");
    item.append(linkTo(leaf, nameOf(leaf, cell)), " = " + shortNumber(valueOf(leaf), decimals));
    list.append(item);
  }
  return list;
}

// Both vectors, their products and the running sum: a row for each term.
function termTable(cell) {
  const terms = termsOf(cell);
  if (terms === undefined) return undefined;
  const table = node("table", undefined, "terms"), number = (value) => shortNumber(value, decimals);
  const vectors = [0, 1].map((side) => terms.filter(({ factors }) => factors.length === 2).map(({ factors }) => factors[side]));
  const label = vectors[0].map(isAlongRow(vectors[0]) ? colLabel : rowLabel), sums = runningSums(terms);
  const line = (name, section, tag, others) => {
    const row = section.insertRow(), first = node(name === "" ? "td" : "th", name);
    row.append(first, ...others.map((other) => { const box = node(tag); box.append(other); return box; }));
  };
  line("", table.createTHead(), "th", [...vectors.map((cells) => vectorName(cells, cell)), "product", "sum so far"]);
  const body = table.createTBody();
  terms.forEach(({ factors, value }, i) => {
    const bias = factors.length === 1, numbers = bias ? ["", ""] : factors.map((leaf) => linkTo(leaf, number(valueOf(leaf))));
    line(bias ? "bias" : label[i] ?? String(i), body, "td", [...numbers, bias ? linkTo(factors[0], number(value)) : number(value), number(sums[i])]);
  });
  for (const th of table.querySelectorAll("th")) th.scope = th.closest("thead") ? "col" : "row";
  return table;
}

function place(cell) {
  const step = stepOf(cell.step), row = rowLabel(cell), col = colLabel(cell);
  const parts = [step.shape[0] > 0 ? "batch " + cell.batch : "", step.shape[1] > 0 ? headName(cell) : "",
    row === undefined ? "" : "row " + cell.row + " (" + isolated(row) + ")", col === undefined ? "" : "column " + cell.col + " (" + isolated(col) + ")"];
  return parts.filter((text) => text !== "").join(", ");
}

function welcome() {
  const howTo = document.querySelector("table[data-step]") === null
    ? "Each link on this page shows how a number was made."
    : "Point at a number, tap it, or move to it with Tab and the arrow keys: its arithmetic appears here, and what it was " +
      "made from is outlined where the page shows it. Enter or a click keeps it; Escape lets it go. n and p go to the " +
      "next and the previous step.";
  panel.replaceChildren(node("h2", "Where does a number come from?"), node("p", howTo, "dim"));
}

function keptButton() {
  const button = node("button", "let go");
  button.id = "kept";
  button.type = "button";
  button.addEventListener("click", () => pin(undefined));
  return button;
}

function show(cell) {
  shown = cell;
  panel.classList.toggle("empty", cell === undefined);
  if (cell === undefined) return welcome();
  const step = stepOf(cell.step), facts = node("dl");
  const fact = (name, text) => facts.append(node("dt", name), node("dd", text));
  fact("matrix", step.name === step.title ? step.name : step.name + ", " + step.title);
  if (place(cell) !== "") fact("place", place(cell));
  const value = valueOf(cell);
  fact("value", Number.isFinite(value) ? String(value) : special(value));
  const heading = node("h2", nameOf(cell));
  panel.replaceChildren(...(pinned === undefined ? [] : [keptButton()]), heading, facts, arithmetic(cell));
  if (sentence(cell) !== "") panel.append(node("p", sentence(cell), "remark"));
  const sources = madeFrom(cell), pattern = patternOf(cell);
  if (pattern === undefined && step.inputs.length > 0)
    panel.append(node("p", "This page does not show how this number was made: with all the numbers it comes from, the page would be too large.", "dim"));
  if (sources.children.length === 0) return;
  const terms = termTable(cell);
  if (terms !== undefined) return panel.append(terms);
  panel.append(node("p", isReplaced(pattern) ? "It replaces" : "Made from", "dim"), sources);
}

// The panel below the matrices: how one number is made, with its operands, their products and the running sum.
const MOST_TERMS = 64;

function termTable(cell, decimals, link) {
  const lines = termLines(cell, decimals, link);
  if (lines === undefined || lines[0].cells.length > MOST_TERMS) return undefined;
  const rows = lines.map(({ name, cells }) => make("tr", {}, make("th", { scope: "row" }, name), ...cells.map((each) => make("td", {}, each))));
  const table = make("table", { class: "terms" }, make("tbody", {}, ...rows));
  return make("div", { class: "scroll", role: "group", tabindex: "0", "aria-label": inWords("products and their sum") }, table);
}

// The cell that `follow(cell)` shows when its number is chosen.
function workedPanel(answer, cell, follow) {
  const { precision } = answer.cells, step = stepOf(cell.step), heading = answer.headings.get(cell.step);
  const link = (leaf, text) => {
    const onclick = (event) => {
      event.preventDefault();
      follow(leaf);
    };
    return make("a", { href: "#", class: "leaf", title: nameOf(leaf, cell), "data-leaf": keyOf(leaf), onclick }, text);
  };
  const about = make("p", { class: "dim about" }, step.title + (heading?.phrase ? ": " + heading.phrase : ""));
  if (heading?.formula) about.prepend(document.importNode(heading.formula, true), " ");
  const parts = [about, workedLine(cell, precision, link), termTable(cell, precision, link), make("p", {}, sentence(cell))];
  return parts.filter((part) => part !== undefined && part.textContent !== "");
}

// The panel below the matrices: how one number is made, with its operands, their products and the running sum.

function termTable(cell, answer, link) {
  const terms = termsOf(cell);
  if (terms === undefined || terms.length > 64) return undefined;
  const decimals = answer.cells.precision, number = (value) => shortNumber(value, decimals);
  const line = (name, cells, className) => make("tr", { class: className }, make("th", { scope: "row" }, name), ...cells);
  const factors = [0, 1].map((k) => {
    const cells = terms.map(({ factors }) => factors.length === 2 && factors[k]);
    const bias = ({ factors }) => (k === 0 ? link(factors[0], stepOf(factors[0].step).name) : "");
    return line(vectorName(cells.filter(Boolean)), cells.map((leaf, i) => make("td", {}, leaf ? link(leaf, number(valueOf(leaf))) : bias(terms[i]))));
  });
  const products = terms.map(({ value }) => make("td", {}, number(value)));
  const running = runningSums(terms).map((sum) => make("td", {}, number(sum)));
  const sums = [line("products", products, "products"), line("running sum", running, "running")];
  const table = make("table", { class: "terms" }, make("tbody", {}, ...factors, ...sums));
  return make("div", { class: "scroll", role: "group", tabindex: "0", "aria-label": "products and their sum" }, table);
}

// The cell that `follow(cell)` shows when its number is chosen.
function workedPanel(answer, cell, follow) {
  const decimals = answer.cells.precision, step = stepOf(cell.step), heading = answer.headings.get(cell.step);
  const link = (leaf, text) => {
    const onclick = (event) => {
      event.preventDefault();
      follow(leaf);
    };
    return make("a", { href: "#", class: "leaf", title: nameOf(leaf, cell), "data-leaf": keyOf(leaf), onclick }, text);
  };
  const line = make("p", { class: "worked" }, make("strong", {}, nameOf(cell)));
  const pattern = patternOf(cell);
  if (isLeaf(pattern)) line.append(" = ", link(leafOf(pattern, cell), nameOf(leafOf(pattern, cell), cell)));
  for (const stage of stagesOf(cell, decimals)) {
    line.append(" " + stage.sign + " ", make("wbr"));
    for (const piece of stage.pieces) line.append(piece.leaf === undefined ? piece.text ?? piece : link(piece.leaf, piece.text));
  }
  const about = make("p", { class: "dim about" }, step.title + (heading?.phrase ? ": " + heading.phrase : ""));
  if (heading?.formula) about.prepend(document.importNode(heading.formula, true), " ");
  const parts = [about, line, termTable(cell, answer, link), make("p", {}, sentence(cell))];
  return parts.filter((part) => part !== undefined && part.textContent !== "");
}

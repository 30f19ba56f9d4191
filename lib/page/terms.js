// How a number was made, as a line; sums of products also term by term.

// "Q[cat] = 1·1 + 0·0 ≈ 2"; link(leaf, text, cell) makes an element of each number.
function workedLine(cell, decimals, link) {
  const line = make("p", { class: "worked" }, make("strong", {}, nameOf(cell))), pattern = patternOf(cell);
  if (isLeaf(pattern)) line.append(" = ", link(leafOf(pattern, cell), nameOf(leafOf(pattern, cell), cell), cell));
  for (const { sign, pieces } of stagesOf(cell, decimals)) {
    line.append(" " + sign + " ", make("wbr"));
    for (const piece of pieces) line.append(piece.leaf === undefined ? piece.text ?? piece : link(piece.leaf, piece.text, cell));
  }
  return line;
}

// A sum of products, also with a bias: {factors, value} for each term; undefined for other arithmetic.
function termsOf(cell) {
  const pattern = patternOf(cell);
  if (!Array.isArray(pattern) || isLeaf(pattern)) return undefined;
  const terms = pattern[0] === "+" ? pattern.slice(1) : [pattern];
  const isProduct = (term) => Array.isArray(term) && term[0] === "·" && term.length === 3 && term.slice(1).every(isLeaf);
  if (!isProduct(terms[0]) || !terms.every((term) => isProduct(term) || isLeaf(term))) return undefined;
  return terms.map((term) => ({ factors: (isLeaf(term) ? [term] : term.slice(1)).map((leaf) => leafOf(leaf, cell)), value: treeOf(term, cell).value }));
}

// The sums of the terms so far.
function runningSums(terms) {
  let sum;
  return terms.map(({ value }) => (sum = sum === undefined ? value : results["+"]([sum, value])));
}

// Whether these cells are part of a row: those of a factor are a row or a column.
const isAlongRow = ([first, second]) => (second === undefined ? stepOf(first.step).shape[2] > 1 : first.row === second.row);

// "Q[cat]" for the row of a factor, "V[:, o1]" for a column; "… of kv head 0" beside a cell of another head.
function vectorName(cells, beside) {
  const [first] = cells, step = stepOf(first.step), alongRow = isAlongRow(cells);
  const label = alongRow ? rowLabel(first) : colLabel(first);
  const other = beside !== undefined && step.shape[1] > 0 && headName(first) !== headName(beside);
  const name = step.name + (label === undefined ? "" : (alongRow ? "[" : "[:, ") + isolated(label) + "]");
  return other ? inWords("{cell} of {head}", { cell: name, head: headName(first) }) : name;
}

// Both vectors, their products and the running sum: {name, cells} each, a cell for each term; undefined for other arithmetic.
function termLines(cell, decimals, link) {
  const terms = termsOf(cell), number = (value) => shortNumber(value, decimals);
  if (terms === undefined) return undefined;
  const vectors = [0, 1].map((side) => {
    const leaves = terms.map(({ factors }) => (factors.length === 2 ? factors[side] : undefined));
    const bias = ({ factors }) => (side === 0 ? link(factors[0], stepOf(factors[0].step).name, cell) : "");
    return { name: vectorName(leaves.filter(Boolean), cell), cells: leaves.map((leaf, i) => (leaf ? link(leaf, number(valueOf(leaf)), cell) : bias(terms[i]))) };
  });
  return [...vectors, { name: inWords("products"), cells: terms.map(({ value }) => number(value)) },
    { name: inWords("running sum"), cells: runningSums(terms).map(number) }];
}

// The names of the terms: those of the columns, or rows, that meet.
function termLabels(cell) {
  const terms = termsOf(cell), first = terms.filter(({ factors }) => factors.length === 2).map(({ factors }) => factors[0]);
  const label = isAlongRow(first) ? colLabel : rowLabel;
  return terms.map(({ factors }, i) => (factors.length === 1 ? "" : label(factors[0]) ?? String(i)));
}

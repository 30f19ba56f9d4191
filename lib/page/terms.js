// Sums of products, term by term.

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
  return step.name + (label === undefined ? "" : (alongRow ? "[" : "[:, ") + isolated(label) + "]") + (other ? " of " + headName(first) : "");
}

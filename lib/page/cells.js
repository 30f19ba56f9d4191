// The steps, their cells, and what each cell was made from.
let data;
const read = (v) => (typeof v === "number" ? v : v === null ? -Infinity : v === "inf" ? Infinity : NaN);
const masked = new Map(), unmasked = new Map();
function takeCells(cells) {
  data = cells;
  for (const [list, steps] of [[data.steps, masked], [data.unmasked, unmasked]]) {
    steps.clear();
    for (const step of list) steps.set(step.id, { ...step, numbers: step.numbers.map(read) });
  }
}

let withMask = true;
const stepOf = (id) => (!withMask && unmasked.get(id)) || masked.get(id);

function indexOf(step, cell) {
  const [batches, heads, rows, cols] = step.shape;
  const b = batches === 0 ? 0 : cell.batch, h = heads === 0 ? 0 : cell.head;
  return ((b * Math.max(1, heads) + h) * rows + cell.row) * cols + cell.col;
}

function isCell(cell) {
  const step = stepOf(cell.step);
  if (step === undefined) return false;
  const [batches, heads, rows, cols] = step.shape;
  const inside = (i, n) => Number.isInteger(i) && i >= 0 && i < n;
  return inside(cell.row, rows) && inside(cell.col, cols) && inside(cell.batch, Math.max(1, batches)) &&
    inside(cell.head, Math.max(1, heads));
}

// A list, or one number for all.
const numbered = (list, i) => (Array.isArray(list) ? list[i] : list);
const valueOf = (cell) => stepOf(cell.step).numbers[indexOf(stepOf(cell.step), cell)];
const isHidden = (cell) => {
  const step = stepOf(cell.step);
  return step.hidden !== undefined && step.hidden[indexOf(step, cell)] === "1";
};
const remarkOf = (cell) => {
  const step = stepOf(cell.step);
  return step.remark === undefined ? "" : step.remarks[numbered(step.remark, indexOf(step, cell))];
};

function labelsOf(step, lists, cell) {
  if (lists.length < 2) return lists[0];
  return lists[(step.shape[0] === 0 ? 0 : cell.batch) * Math.max(1, step.shape[1]) +
    (step.shape[1] === 0 ? 0 : cell.head)];
}
const rowLabel = (cell) => (labelsOf(stepOf(cell.step), stepOf(cell.step).rows, cell) || [])[cell.row];
const colLabel = (cell) => (labelsOf(stepOf(cell.step), stepOf(cell.step).cols, cell) || [])[cell.col];

const headName = (cell) => inWords(stepOf(cell.step).kvHeads ? "kv head {n}" : "head {n}", { n: cell.head });

// A name in Hebrew or Arabic, set off so that the names beside it keep their places.
const isolated = (name) => (/[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/.test(name) ? "\u2068" + name + "\u2069" : name);

// "A[cat, the]"; "… of head 1" unless it is beside a cell of that head.
function nameOf(cell, beside) {
  const step = stepOf(cell.step);
  const places = [rowLabel(cell), colLabel(cell)].filter((label) => label !== undefined);
  const name = places.length === 0 ? step.name : step.name + "[" + places.map(isolated).join(", ") + "]";
  const other = beside === undefined || stepOf(beside.step).shape[1] === 0 || headName(beside) !== headName(cell);
  return step.shape[1] > 0 && other ? inWords("{cell} of {head}", { cell: name, head: headName(cell) }) : name;
}

function patternOf(cell) {
  const step = stepOf(cell.step);
  if (step.patterns.length === 0) return undefined;
  return step.patterns[step.pattern === undefined ? 0 : numbered(step.pattern, indexOf(step, cell))];
}

// The cell at the place of a leaf: [input, row, column, batch, head], each fixed or relative to `cell`.
function leafOf([input, row, col, batch = "b", head = "h"], cell) {
  const own = { b: cell.batch, h: cell.head, r: cell.row, c: cell.col };
  const at = (where) => (typeof where === "number" ? where : own[where[0]] + Number(where.slice(1)));
  const id = stepOf(cell.step).inputs[input], step = stepOf(id);
  return {
    step: id, row: at(row), col: at(col),
    batch: step === undefined || step.shape[0] === 0 ? 0 : at(batch),
    head: step === undefined || step.shape[1] === 0 ? 0 : at(head),
  };
}

const isLeaf = (pattern) => Array.isArray(pattern) && typeof pattern[0] === "number";
const isReplaced = (pattern) => pattern !== undefined && pattern !== null && pattern.replaces !== undefined;

// The cells that a cell was made from, in the order of its arithmetic.
function leavesOf(cell, pattern = patternOf(cell)) {
  if (isReplaced(pattern)) return [leafOf(pattern.replaces, cell)];
  if (isLeaf(pattern)) return [leafOf(pattern, cell)];
  return Array.isArray(pattern) ? pattern.slice(1).flatMap((part) => leavesOf(cell, part)) : [];
}

// The stages of a cell, {sign, pieces}: its arithmetic, the same with its parts computed, the number.
function stagesOf(cell, decimals) {
  const pattern = patternOf(cell), step = stepOf(cell.step), at = indexOf(step, cell), result = { value: valueOf(cell) };
  const trees = [result];
  if (Array.isArray(pattern) && !isLeaf(pattern)) {
    const tree = treeOf(pattern, cell);
    const values = step.parts === undefined ? [] : step.parts[at].map(read);
    trees.unshift(tree, computed(tree, values));
  }
  const stages = trees.map((tree) => ({ pieces: written(tree, decimals), exact: isExact(tree, decimals) }));
  const textOf = (stage) => stage.pieces.map((piece) => piece.text ?? piece).join("");
  if (stages.length > 1 && textOf(stages[0]) === textOf(stages[1])) stages.splice(1, 1);
  const last = stages.length - 1;
  const changed = last > 0 && step.rounded !== undefined && step.rounded[at] === "1";  // by the number type
  stages.forEach((stage, i) => {
    const exact = stage.exact && (i === 0 || stages[i - 1].exact) && !(changed && (i === 0 || i === last));
    stage.sign = exact ? "=" : "≈";
  });
  return stages;
}

// "hidden by causal: …" (render/story/cells/why_hidden.cpp) and "given" as sentences.
function sentence(cell) {
  const text = remarkOf(cell);
  if (/^(hidden|masked) by /.test(text)) return "This cell is " + text + ".";
  if (text === "given") return "This number is given.";
  return text === "" ? "" : inWords("{text}.", { text: text[0].toUpperCase() + text.slice(1) });
}

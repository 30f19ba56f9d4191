// The steps, their cells, and what each cell was made from.
const data = JSON.parse(document.getElementById("cells").textContent);
const read = (v) => (typeof v === "number" ? v : v === null ? -Infinity : v === "inf" ? Infinity : NaN);
const masked = new Map(), unmasked = new Map();
for (const [list, steps] of [[data.steps, masked], [data.unmasked, unmasked]]) {
  for (const step of list) steps.set(step.id, { ...step, numbers: step.numbers.map(read) });
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

const headName = (cell) => (stepOf(cell.step).kvHeads ? "kv head " : "head ") + cell.head;

// "A[cat, the]"; "… of head 1" unless it is beside a cell of that head.
function nameOf(cell, beside) {
  const step = stepOf(cell.step);
  const places = [rowLabel(cell), colLabel(cell)].filter((label) => label !== undefined);
  const name = places.length === 0 ? step.name : step.name + "[" + places.join(", ") + "]";
  const other = beside === undefined || stepOf(beside.step).shape[1] === 0 || headName(beside) !== headName(cell);
  return step.shape[1] > 0 && other ? name + " of " + headName(cell) : name;
}

function patternOf(cell) {
  const step = stepOf(cell.step);
  if (step.patterns.length === 0) return undefined;
  return step.patterns[step.pattern === undefined ? 0 : numbered(step.pattern, indexOf(step, cell))];
}

// The cells that a cell was made from, in the order of its arithmetic.
function leavesOf(cell) {
  const pattern = patternOf(cell);
  if (pattern === undefined) return [];
  const own = { b: cell.batch, h: cell.head, r: cell.row, c: cell.col };
  const at = (where) => (typeof where === "number" ? where : own[where[0]] + Number(where.slice(1)));
  return pattern.leaves.map(([input, row, col, batch = "b", head = "h"]) => {
    const step = stepOf(stepOf(cell.step).inputs[input]);
    return {
      step: stepOf(cell.step).inputs[input], row: at(row), col: at(col),
      batch: step === undefined || step.shape[0] === 0 ? 0 : at(batch),
      head: step === undefined || step.shape[1] === 0 ? 0 : at(head),
    };
  });
}

// How a number reads where it is put into arithmetic: brackets and signs as on paper.
function placed(before, text, after) {
  if (!text.startsWith("-") && !text.startsWith("−")) return { before, text };
  const tight = /^[·²]/.test(after) || /[·]$|\/ $|-$|- $/.test(before) || (before.endsWith("+ ") && after.startsWith(" /"));
  if (tight) return { before, text: "(" + text + ")" };
  if (before.endsWith("+ ")) return { before: before.slice(0, -2) + "- ", text: text.slice(1) };
  return { before, text };
}

// A pattern with its numbers: a list of strings, and {text, value, leaf} for each number.
function filled(template, leaves, parts, decimals) {
  const pieces = template.split(/\{(#?\d+)\}/);
  const out = [];
  for (let i = 1; i < pieces.length; i += 2) {
    const isPart = pieces[i].startsWith("#");
    const leaf = isPart ? undefined : leaves[Number(pieces[i])];
    const value = isPart ? read(parts[Number(pieces[i].slice(1))]) : valueOf(leaf);
    const how = placed(pieces[i - 1], shortNumber(value, decimals), pieces[i + 1]);
    out.push(how.before, { text: how.text, value, leaf });
  }
  out.push(pieces[pieces.length - 1]);
  return out;
}

// The stages of a cell: its arithmetic, the same with its parts computed, the number.
function stagesOf(cell, decimals) {
  const pattern = patternOf(cell), step = stepOf(cell.step), value = valueOf(cell);
  const stages = [];
  if (pattern !== undefined && pattern.numbers !== "") {
    const leaves = leavesOf(cell);
    const parts = step.parts === undefined ? [] : step.parts[indexOf(step, cell)];
    const add = (template, rounded) => stages.push(Object.assign(filled(template, leaves, parts, decimals), { rounded }));
    if (pattern.numbers !== "{0}") add(pattern.numbers, pattern.numbersRounded);
    if (pattern.values) add(pattern.values, pattern.valuesRounded);
  }
  stages.push([{ text: shortNumber(value, decimals), value }]);
  return stages;
}

// Whether a number in a stage is rounded, unless a 0 alone decides the result.
const isZero = (stage) => stage.every((piece) => typeof piece !== "string" || /^·?$/.test(piece)) &&
  stage.some((piece) => piece.value === 0);
const isRounded = (stage) => stage.rounded || (!isZero(stage) && stage.some((piece) => piece.value !== undefined && Number.isFinite(piece.value) &&
  !isNearly(Math.abs(Number(piece.text.replace(/[()]/g, ""))), Math.abs(piece.value))));

// How matrices lie beside each other: each result beside what it is made from, with no word about attention.
const isShown = (answer, id) => answer.shown.has(id);
const isGiven = (step) => step.inputs.length === 0;

// Whose rows and columns meet in a sum of products, and what is added: {left, top, transposed, bias}; undefined for other steps.
function factorsOf(step) {
  for (const pattern of step.patterns) {
    if (!Array.isArray(pattern)) continue;
    const terms = pattern[0] === "+" ? pattern.slice(1) : [pattern];
    const term = terms.find((each) => Array.isArray(each) && each[0] === "·" && each.length === 3 && each.slice(1).every(isLeaf));
    if (term === undefined) continue;
    const [, left, top] = term, is = (where, axis) => String(where)[0] === axis;
    if (!is(left[1], "r") || is(left[2], "c") || left[0] === top[0]) return undefined;
    if (!is(top[2], "c") && !is(top[1], "c")) return undefined;
    const bias = terms.find(isLeaf);
    return { left: step.inputs[left[0]], top: step.inputs[top[0]], transposed: is(top[1], "c"), bias: bias && step.inputs[bias[0]] };
  }
  return undefined;
}

// The stages of a computation, in order: {result, left, top, transposed}, or {result, left} for what acts on each number.
function stagesOfAnswer(answer) {
  return answer.cells.steps.filter((step) => isShown(answer, step.id) && !isGiven(step)).map((step) => {
    const factors = factorsOf(step);
    if (factors !== undefined) return { result: step.id, ...factors };
    return { result: step.id, left: step.inputs.find((id) => isShown(answer, id)) ?? step.inputs[0] };
  });
}

// Bands of matrices side by side: [{step, stage}], the first without a stage. `breaks` begin a band, for want of room.
function bandsOf(stages, breaks = new Set()) {
  const bands = [];
  for (const stage of stages) {
    const band = bands[bands.length - 1];
    const continues = band !== undefined && !breaks.has(stage.result) && (band[band.length - 1].step === stage.left ||
      (band[0].step === stage.left && band.slice(1).every((item) => item.stage.left === stage.left)));
    if (!continues) bands.push([{ step: stage.left }]);
    bands[bands.length - 1].push({ step: stage.result, stage });
  }
  return bands;
}

// Beyond these sizes, or on a phone, one product at a time.
function isLarge(answer) {
  return answer.cells.steps.some((step) => isShown(answer, step.id) && (step.shape[2] > 8 || step.shape[3] > 8 || step.shape[1] > 4));
}

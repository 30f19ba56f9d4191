// The texts and looks of one matrix, which are read when they are first shown.
function partOf(rows, shares) {
  const cellsOf = (row) => [...row.querySelectorAll("td:not(.sum)")].map((td) => ({ text: td.textContent, look: td.className }));
  let cells;
  return { shares, get cells() { return (cells ??= rows.map(cellsOf)); } };
}

// What the program says about a problem, read from the page that it writes: the text of each cell, headings,
// and how each number was made.
function answerOf(html) {
  const page = new DOMParser().parseFromString(html.slice(html.indexOf("<body")), "text/html");
  const data = page.getElementById("cells"), grids = new Map(), headings = new Map();
  for (const table of page.querySelectorAll("table[data-step]")) {
    const { step, batch, head, alike, shares, last } = table.dataset;
    const rows = [...table.tBodies[0].rows];
    const add = (id, rows) => {
      if (!grids.has(id)) grids.set(id, { alike: alike !== undefined, parts: new Map() });
      grids.get(id).parts.set(`${batch || 0} ${head || 0}`, partOf(rows, shares !== undefined));
    };
    if (last !== undefined) add(last, [rows.pop()]);  // a bias below its matrix
    add(step, rows);
  }
  for (const section of page.querySelectorAll("section[id^='step-']")) {
    const heading = section.querySelector("h2"), part = (name) => heading.querySelector(name);
    const shown = { formula: part("math"), phrase: part(".phrase")?.textContent || "" };
    headings.set(section.id.slice(5), shown);
    for (const table of section.querySelectorAll("table[data-step]"))
      if (!headings.has(table.dataset.step)) headings.set(table.dataset.step, { ...shown, formula: undefined });
  }
  const cells = data === null ? { precision: 3, steps: [], unmasked: [] } : JSON.parse(data.textContent);
  return { cells, grids, headings, shown: shownSteps(cells.steps, grids) };
}

// The steps with a matrix of their own: those that the program shows, and copies that a shown result is made from.
function shownSteps(steps, grids) {
  const shown = new Set(grids.keys()), computed = new Set(steps.filter((step) => step.inputs.length > 0).map((step) => step.id));
  for (const step of [...steps].reverse())
    if (shown.has(step.id) && factorsOf(step) === undefined) for (const id of step.inputs) if (computed.has(id)) shown.add(id);
  return shown;
}

// One matrix of a step as the program shows it.
function gridOf(answer, step, batch, head) {
  const grid = answer.grids.get(step);
  if (grid === undefined) return undefined;
  const { shape } = answer.cells.steps.find((each) => each.id === step);
  return grid.parts.get(`${shape[0] > 0 && !grid.alike ? batch : 0} ${shape[1] > 0 && !grid.alike ? head : 0}`);
}

// A cell's text and look; those of what it is a copy of, where the program shows only that.
function shownCell(answer, cell) {
  const shown = gridOf(answer, cell.step, cell.batch, cell.head)?.cells[cell.row]?.[cell.col];
  const pattern = patternOf(cell);
  if (shown === undefined && isLeaf(pattern)) return shownCell(answer, leafOf(pattern, cell));
  return shown || { text: shortNumber(valueOf(cell), answer.cells.precision), look: "" };
}

// The numbers of `now` that are not those of `before`, by their keys. Where rows or columns came or went, names say which are which.
const isSameNumber = (a, b) => a === b || isNearly(read(a), read(b));
const keyOf = (cell) => [cell.step, cell.batch, cell.head, cell.row, cell.col].join(" ");
function differences(before, now) {
  const found = new Map();
  if (before === undefined) return found;
  const old = new Map(before.cells.steps.map((step) => [step.id, step]));
  const placeIn = ([names = []], [others = []]) => (i) => (names.length === others.length ? i : others.indexOf(names[i]));
  for (const step of now.cells.steps.filter((each) => now.shown.has(each.id) && old.has(each.id))) {
    const other = old.get(step.id), [batches, heads, rows, cols] = step.shape, [b, h, oldRows, oldCols] = other.shape;
    const rowIn = placeIn(step.rows, other.rows), colIn = placeIn(step.cols, other.cols);
    step.numbers.forEach((value, i) => {
      const row = Math.floor(i / cols) % rows, col = i % cols, part = Math.floor(i / (rows * cols)), r = rowIn(row), c = colIn(col);
      const isOld = b === batches && h === heads && r >= 0 && r < oldRows && c >= 0 && c < oldCols;
      if (isOld && isSameNumber(value, other.numbers[(part * oldRows + r) * oldCols + c])) return;
      const cell = { step: step.id, row, col, batch: heads === 0 ? part : Math.floor(part / heads), head: heads === 0 ? 0 : part % heads };
      found.set(keyOf(cell), cell);
    });
  }
  return found;
}

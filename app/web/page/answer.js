// What the program says about a problem, read from the page that it writes: the text of each cell, headings,
// and how each number was made.
function answerOf(html) {
  const page = new DOMParser().parseFromString(html.slice(html.indexOf("<body")), "text/html");
  const data = page.getElementById("cells"), grids = new Map(), headings = new Map();
  for (const table of page.querySelectorAll("table[data-step]")) {
    const { step, batch, head, alike, shares, last } = table.dataset;
    const cellsOf = (row) => [...row.querySelectorAll("td:not(.sum)")].map((td) => ({ text: td.textContent, look: td.className }));
    const cells = [...table.tBodies[0].rows].map(cellsOf);
    const add = (id, cells) => {
      if (!grids.has(id)) grids.set(id, { alike: alike !== undefined, parts: new Map() });
      grids.get(id).parts.set(`${batch || 0} ${head || 0}`, { shares: shares !== undefined, cells });
    };
    if (last !== undefined) add(last, [cells.pop()]);  // a bias below its matrix
    add(step, cells);
  }
  for (const section of page.querySelectorAll("section[id^='step-']")) {
    const heading = section.querySelector("h2"), part = (name) => heading.querySelector(name);
    const shown = { formula: part("math"), phrase: part(".phrase")?.textContent || "" };
    headings.set(section.id.slice(5), shown);
    for (const table of section.querySelectorAll("table[data-step]"))
      if (!headings.has(table.dataset.step)) headings.set(table.dataset.step, { ...shown, formula: undefined });
  }
  const cells = data === null ? { precision: 3, steps: [], unmasked: [] } : JSON.parse(data.textContent);
  return { cells, grids, headings };
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

// The numbers of `now` that are not those of `before`, by their keys.
const keyOf = (cell) => [cell.step, cell.batch, cell.head, cell.row, cell.col].join(" ");
function differences(before, now) {
  const found = new Map();
  if (before === undefined) return found;
  const old = new Map(before.cells.steps.map((step) => [step.id, step]));
  for (const step of now.cells.steps) {
    const other = old.get(step.id);
    if (other === undefined || String(other.shape) !== String(step.shape)) continue;
    const [, heads, rows, cols] = step.shape;
    step.numbers.forEach((value, i) => {
      if (value === other.numbers[i] || isNearly(read(value), read(other.numbers[i]))) return;
      const row = Math.floor(i / cols) % rows, part = Math.floor(i / (rows * cols));
      const [batch, head] = heads === 0 ? [part, 0] : [Math.floor(part / heads), part % heads];
      const cell = { step: step.id, row, col: i % cols, head, batch };
      found.set(keyOf(cell), cell);
    });
  }
  return found;
}

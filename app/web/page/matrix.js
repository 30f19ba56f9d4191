// One matrix as a table: its cells, labels and fields, and the widths of its columns.
const PHONE = matchMedia("(max-width: 719px), (max-height: 480px)");  // as in page.css

// `seen` holds the steps that are already on the page: again, they are for the eye only.
const SYMBOL = /^(.+?)_(\w+)(.*)$/;
function symbol(name) {
  const [, letter, index, rest] = SYMBOL.exec(name) || [];
  return letter === undefined ? [name] : [letter, make("sub", {}, index), rest];
}

function labelsBeside(step, at) {
  const of = (lists) => labelsOf(step, lists, at) || [];
  return { rows: of(step.rows), cols: of(step.cols) };
}

// The cell of a matrix's place, of the head and batch entry that are shown.
function cellAt(step, view, row, col) {
  return { step: step.id, row, col, batch: step.shape[0] === 0 ? 0 : view.batch, head: headFor(step, view.head) };
}
function headFor(step, head) { return step.shape[1] === 0 ? 0 : Math.floor(head * step.shape[1] / headCount()); }
function headCount() { return Math.max(1, ...[...masked.values()].map((step) => step.shape[1])); }

const FIELD = { class: "n", autocomplete: "off", spellcheck: "false", inputmode: "decimal", tabindex: "-1" };

// {id, transposed, names: "rows" | "symbol" | "none", header, fields, again}
function matrixOf(view, { id, transposed = false, names, header, fields, again }) {
  const step = stepOf(id), [, , rows, cols] = step.shape;
  const at = cellAt(step, view, 0, 0), labels = labelsBeside(step, at);
  const [tall, wide] = transposed ? [cols, rows] : [rows, cols];
  const [side, above] = transposed ? [labels.cols, labels.rows] : [labels.rows, labels.cols];
  const name = step.name + (transposed ? "ᵀ" : "");
  const table = make("table", { class: "m " + (isGiven(step) ? "given" : "made"), "data-step": id,
    ...(again ? { "aria-hidden": "true" } : { role: "grid", "aria-label": name + ", " + step.title }) });
  if (header) {
    const corner = make("td", { class: "corner" }, ...(names === "symbol" ? [] : symbol(name)));
    const head = (c) => make("th", { scope: "col", title: above[c] }, make("small", {}, above[c] ?? ""));
    table.append(make("thead", {}, make("tr", {}, corner, ...Array.from({ length: wide }, (_, c) => head(c)))));
  }
  const body = make("tbody");
  for (let r = 0; r < tall; ++r) {
    const line = make("tr");
    if (names === "rows") line.append(make("th", { scope: "row", title: side[r] }, side[r] ?? ""));
    if (names === "none") line.append(make("td", { class: "gap" }));
    if (names === "symbol" && r === 0) line.append(make("th", { class: "name", rowspan: String(tall) }, ...symbol(name)));
    for (let c = 0; c < wide; ++c) {
      const cell = transposed ? cellAt(step, view, c, r) : cellAt(step, view, r, c);
      const td = make("td", { "data-key": keyOf(cell), ...(again ? {} : { role: "gridcell" }) });
      td.cell = cell;
      if (fields(cell)) td.append(make("input", { ...FIELD, "aria-label": nameOf(cell) }));
      else if (!again) td.tabIndex = -1;
      line.append(td);
    }
    body.append(line);
  }
  table.append(body);
  if (!again) (table.querySelector("input") || table.querySelector("td[data-key]")).tabIndex = 0;
  return table;
}

// Widths of the columns: what is widest in them, never less than before. While a field has the focus they stay as they
// are: numbers that are longer are written smaller.
function setWidths(tables, isFixed) {
  let most = 0, side = 2;
  const widest = Math.max(...tables.map((table) => Number(table.dataset.widest ?? (PHONE.matches ? 2 : 3))));
  const lengthOf = (td) => td.querySelector("input")?.value.length + 0.3 || (td.lastChild?.textContent ?? "").length;
  for (const table of tables) {
    const heads = [...table.querySelectorAll("thead th")].map((th) => Math.min(6, 0.75 * th.textContent.length));
    const texts = [...table.querySelectorAll("td[data-key]")].map(lengthOf);
    most = Math.max(most, ...heads, ...texts.map((n) => Math.min(n, 9)));
    const names = [...table.querySelectorAll("tbody th")].map((th) => (th.querySelector(".token, .word") || th).textContent.length + (th.querySelector(".less") ? 2 : 0));
    const corner = table.querySelector("thead .corner")?.textContent.length ?? 0;
    side = Math.max(side, corner + 0.5, ...names.map((n) => Math.min(n, 9)));
  }
  const width = isFixed && tables[0].dataset.widest !== undefined ? widest : Math.max(most, widest);
  for (const table of tables) {
    if (width < most || table.dataset.shrunk)
      for (const td of table.querySelectorAll("td[data-key]")) td.style.setProperty("--shrink", Math.min(1, width / (lengthOf(td) || 1)));
    table.dataset.shrunk = width < most ? "yes" : "";
    if (table.dataset.widest === String(width) && isFixed) continue;
    table.dataset.widest = width;
    table.style.setProperty("--w", `calc(${width}ch + var(--pad) + 1px)`);
    table.style.setProperty("--g", table.tBodies[0].querySelector("th, .gap") || table.tHead ? `calc(${side}ch + var(--pad))` : "0px");
    table.style.setProperty("--n", table.tBodies[0].rows[0].querySelectorAll("td[data-key]").length);
  }
}

// The numbers of a table, as the program writes them; `original` are the right ones beside those of a mistake. Cells that
// look as before are left alone: a browser lays out again whatever is written.
function writeMatrix(table, { answer, changed, original, problem }) {
  for (const td of table.querySelectorAll("td[data-key]")) {
    const { text, look } = shownCell(answer, td.cell), input = td.querySelector("input"), was = original?.get(td.dataset.key);
    const isHere = td.classList.contains("here") && changed.size === 0, remark = remarkOf(td.cell);
    td.className = look + (isHere ? " here" : "") + (changed.has(td.dataset.key) ? " changed" : "") +
      (was === undefined || input !== null ? "" : " differs");
    if (input !== null) {
      const holder = holderOf(problem.file, td.cell), value = holder && String(holder.list[holder.at]);
      if (document.activeElement !== input && value !== undefined && input.value !== value) input.value = value;
      continue;
    }
    const shown = [text, was, remark].join("|"), isAgain = table.getAttribute("aria-hidden") !== null;
    if (td.shown === shown) continue;
    td.shown = shown;
    td.replaceChildren(...(was === undefined || isAgain ? [] : [make("del", {}, was), " "]), make("span", {}, text));
    if (isAgain) continue;
    const name = nameOf(td.cell), value = was === undefined ? inWords("{name} is {text}", { name, text })
      : inWords("{name}, right and with the mistake: {right} {text}", { name, right: was, text });
    td.setAttribute("aria-label", [value, remark].filter((part) => part !== "").join(", "));
  }
}

// Switches above the matrices: masks and decimals, before the button for light or dark.
const labelled = (text, control) => make("label", {}, text + " ", control);

const numbersOf = (table) => [...table.tBodies[0].rows].flatMap((row) => [...row.cells]).filter((td) => td.tagName === "TD")
  .map((td) => [td, cellOf(td)]).filter(([, cell]) => cell !== undefined);

// All matrices of a step have the same format.
function formatOf(step) {
  const plain = tables.filter((table) => table.dataset.step === step).flatMap(numbersOf).map(([, cell]) => cell)
    .filter((cell) => !isHidden(cell)).map(valueOf);
  return chooseFormat(plain, decimals);
}

function writeTable(table) {
  const numbers = numbersOf(table), format = formatOf(table.dataset.step);
  for (const [td, cell] of numbers) {
    const value = valueOf(cell), hidden = isHidden(cell);
    (td.querySelector("mark") || td).textContent = hidden && value === 0 ? "0" : formatNumber(value, format);
    td.classList.toggle("hidden", hidden);
    if (table.dataset.shares === undefined) continue;
    td.className = td.className.replace(/\bw\d+\b/, "").trim();
    if (!hidden && value >= 0 && value <= 1) td.classList.add("w" + Math.round(10 * value));
  }
  for (const td of table.querySelectorAll("td[data-sum]"))
    td.textContent = formatNumber(Number(td.dataset.sum), { decimals: Math.max(format.decimals, 2), scientific: false });
}

// What the switches do not change.
const status = make("p", { class: "note" });
function tell() {
  const texts = [withMask ? "" : inWords("The matrices are computed without the mask; the text and the formulas still include it."),
    decimals === data.precision ? "" : inWords(data.precision === 1 ? "Examples in the text keep {n} decimal." : "Examples in the text keep {n} decimals.", { n: data.precision })].filter((text) => text !== "");
  status.textContent = texts.join(" ");
  if (texts.length > 0) controls.after(status);
  else status.remove();
}

function rewrite() {
  for (const table of tables) writeTable(table);
  look(shown);
  tell();
}

const places = make("select");
for (let n = 2; n <= 6; ++n) places.append(new Option(String(n), String(n), false, n === decimals));
if (decimals < 2 || decimals > 6) places.prepend(new Option(String(decimals), String(decimals), true, true));
places.addEventListener("change", () => { decimals = Number(places.value); rewrite(); });
if (tables.length > 0) theme.before(labelled(inWords("decimals"), places));

if (data.unmasked.length > 0 && tables.length > 0) {
  const box = make("input", { type: "checkbox", checked: true });
  box.addEventListener("change", () => {
    withMask = box.checked;
    document.body.classList.toggle("unmasked", !withMask);
    rewrite();
  });
  theme.before(labelled(inWords("mask"), box));
}

look(undefined);
follow();

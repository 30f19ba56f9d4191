// A sheet to fill in: keeps in the browser what is typed, and writes the file to hand in. It knows no answers.
const sheet = JSON.parse(document.getElementById("sheet").textContent);
const key = ["attn", sheet.exercise, sheet.student || "", sheet.variant].join(":");
const blanks = [...document.querySelectorAll("td input[data-step]")];

const form = make("div", { class: "controls" }), said = make("span", { role: "status" });
const save = button(inWords("save the answers as a file"), () => download((sheet.student || "sheet") + ".json", answers()));

// Find the bug: which step is wrong first, and which mistake it is, by their titles.
const titleOfStep = (id) => document.querySelector(`table[data-step="${id}"]`)?.caption?.textContent.split(" · ")[0] ?? id;
const mistakes = JSON.parse(document.getElementById("mistakes")?.textContent ?? "[]");
const questions = sheet.bug === undefined ? [] : [
  ["first_wrong", inWords("First wrong step"), Object.keys(sheet.answers).map((id) => [id, titleOfStep(id)])],
  ["code", inWords("The mistake"), mistakes]];
const replies = questions.map(([name, text, choices]) => {
  const options = [["", ""], ...choices].map(([value, title]) => make("option", { value }, title));
  const select = make("select", { "data-bug": name }, ...options);
  form.append(make("label", {}, text + " ", select));
  return select;
});
const load = make("input", { type: "file", accept: ".json", onchange: () => open(load.files[0]) });
form.append(save, make("label", {}, inWords("open a saved file") + " ", load), said);
document.querySelector("main").append(form);

// What was typed is in the browser's storage, or, where that is refused, in the address.
function keep(text) {
  try { localStorage.setItem(key, text); } catch { history.replaceState(null, "", "#" + encodeURIComponent(text)); }
}
function kept() {
  try { const text = localStorage.getItem(key); if (text !== null) return text; } catch { /* refused */ }
  return decodeURIComponent(location.hash.slice(1));
}

const all = [...blanks, ...replies];
function count() {
  const filled = all.filter((input) => input.value.trim() !== "").length;
  said.textContent = inWords("{n} of {all} blanks filled in", { n: filled, all: all.length });
}
function restore() {
  let texts;
  try { texts = JSON.parse(kept()); } catch { return; }
  if (Array.isArray(texts)) all.forEach((input, i) => setText(input, texts[i] || ""));
}

// A file that was saved here; another sheet's stays closed.
async function open(file) {
  if (file === undefined) return;
  let saved;
  try { saved = JSON.parse(await file.text()); } catch { saved = {}; }
  if (saved?.exercise !== sheet.exercise || saved.variant !== sheet.variant || saved.answers === undefined) {
    said.textContent = inWords("{name} is not a file of this sheet", { name: file.name });
    return;
  }
  for (const input of blanks) {
    const [row, col] = placeOfBox(saved.answers, input.dataset);
    input.value = String(row?.[col] ?? "");
  }
  for (const input of replies) setText(input, saved.bug?.[input.dataset.bug] ?? "");
  keep(JSON.stringify(all.map((each) => each.value)));
  count();
}

const answers = () => JSON.stringify(filledSheet(sheet, blanks, replies), null, 1) + "\n";

for (const input of all) {
  input.addEventListener("input", () => {
    keep(JSON.stringify(all.map((each) => each.value)));
    count();
  });
}
restore();
count();

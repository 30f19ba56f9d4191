// A sheet to fill in: keeps in the browser what is typed, and writes the file to hand in. It knows no answers.
const sheet = JSON.parse(document.getElementById("sheet").textContent);
const key = ["attn", sheet.exercise, sheet.student || "", sheet.variant].join(":");
const blanks = [...document.querySelectorAll("td input[data-step]")];

const made = (name, text) => {
  const node = document.createElement(name);
  node.textContent = text;
  return node;
};

const form = made("div", "");
form.className = "controls";
const said = made("span", "");
said.setAttribute("role", "status");
const save = made("button", "save the answers as a file");
save.type = "button";

// Find the bug: which step is wrong first, and which mistake it is.
const questions = sheet.bug === undefined ? [] : [["first_wrong", "first wrong step"], ["code", "code of the mistake"]];
const replies = questions.map(([name, text]) => {
  const label = made("label", text + " "), input = document.createElement("input");
  input.dataset.bug = name;
  label.append(input);
  form.append(label);
  return input;
});
form.append(save, said);
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
  said.textContent = filled + " of " + all.length + " blanks filled in";
}
function restore() {
  let texts;
  try { texts = JSON.parse(kept()); } catch { return; }
  if (Array.isArray(texts)) all.forEach((input, i) => { input.value = texts[i] || ""; });
}

// 0.5 and 0,5 as a number; "3/4" and everything else as it was typed: grading says what cannot be read.
function answer(text) {
  if (text === "") return null;
  return /^-?\d+([.,]\d+)?$/.test(text) ? Number(text.replace(",", ".")) : text;
}

function answers() {
  const filled = structuredClone(sheet);
  for (const input of blanks) {
    const { step, batch, head, row, col } = input.dataset;
    let matrix = filled.answers[step];
    for (const i of [batch, head, row]) if (i !== undefined) matrix = matrix[Number(i)];
    matrix[Number(col)] = answer(input.value.trim());
  }
  for (const input of replies) filled.bug[input.dataset.bug] = input.value.trim() || null;
  return JSON.stringify(filled, null, 1) + "\n";
}

save.addEventListener("click", () => {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([answers()], { type: "application/json" }));
  link.download = (sheet.student || "sheet") + ".json";
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
});
for (const input of all) {
  input.addEventListener("input", () => {
    keep(JSON.stringify(all.map((each) => each.value)));
    count();
  });
}
restore();
count();

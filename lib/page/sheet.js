// A sheet with what was typed into its boxes, <input data-step data-row …> and those of `bug`, and how a file is saved.

// 0.5 and 0,5 as a number; "3/4" and everything else as it was typed: grading says what cannot be read.
function answer(text) {
  if (text === "") return null;
  return /^[-−]?\d+([.,]\d+)?$/.test(text) ? Number(text.replace(",", ".").replace("−", "-")) : text;
}

// The innermost list of a step that holds the number of a box, and its place in it.
function placeOfBox(answers, { step, batch, head, row, col }) {
  let matrix = answers[step];
  for (const i of [batch, head, row]) if (i !== undefined) matrix = matrix?.[Number(i)];
  return [matrix, Number(col)];
}

function filledSheet(sheet, boxes, replies) {
  const filled = structuredClone(sheet);
  for (const box of boxes) {
    const [row, col] = placeOfBox(filled.answers, box.dataset);
    row[col] = answer(box.value.trim());
  }
  for (const reply of replies) filled.bug[reply.dataset.bug] = reply.value.trim() || null;
  return filled;
}

// The text of a box, or what is chosen of a list, also before the list is known.
function setText(box, text) {
  box.value = text;
  if (box.value !== text) box.append(new Option(text, text, true, true));
}

function download(name, content, type = "application/json") {
  const link = make("a", { href: URL.createObjectURL(new Blob([content], { type })), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

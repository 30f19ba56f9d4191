// Sheet: the file of a teacher, filled in here, kept by the browser, and saved as the file to hand in.
const KEPT = "attn.sheet:";

function makeSheetView(root) {
  const body = make("div"), said = make("p", { role: "status", class: "dim" },
    inWords("A sheet is a file from your teacher, such as causal.json or causal.html. Without one, Practice has exercises with new numbers each time."));
  const open = takeFiles(root, inWords("Open, or drop here, the sheet that you were given:"), ".json,.html", take);
  let shown, key;
  const save = button(inWords("Save the file to hand in"), () => {
    const sheet = shown.filled();
    download([sheet.exercise, sheet.student].filter(Boolean).join(".") + ".json", JSON.stringify(sheet, null, 1) + "\n");
  }, { class: "main", hidden: true });
  const clear = button(inWords("Forget all sheets here"), () => {
    if (!confirm(inWords("Remove what was typed into any sheet from this browser? What is not saved as a file is lost."))) return;
    try {
      for (const name of Object.keys(localStorage)) if (name.startsWith(KEPT)) localStorage.removeItem(name);
    } catch { /* a frame that keeps nothing */ }
    location.hash = "view=sheet";
    body.replaceChildren();
    save.hidden = true;
    said.textContent = inWords("Nothing of any sheet is kept here any more.");
  }, { title: inWords("Removes all sheets from this browser, as in a lab") });
  root.append(make("div", { class: "settings" }, open, save, clear), said, body);

  function keep() {
    try {
      localStorage.setItem(key, JSON.stringify(shown.texts()));
      said.textContent = inWords("Kept in this browser as you type. Hand in the file that Save writes.");
    } catch {
      said.textContent = inWords("This browser keeps nothing here: save the file before you close the page.");
    }
  }

  async function take(name, bytes) {
    try {
      const text = new TextDecoder().decode(bytes);
      const inside = name.endsWith(".html") ? new DOMParser().parseFromString(text, "text/html").getElementById("sheet")?.textContent ?? "" : text;
      const made = await core.attn(["convert", "sheet.json", "-o", "sheet.html"], { files: { "sheet.json": inside } });
      if (made.code !== 0) throw new Error(made.stderr);
      const sheet = JSON.parse(inside);
      shown = sheetOf(new TextDecoder().decode(made.files["sheet.html"]), sheet, keep);
      key = KEPT + [sheet.exercise, sheet.student, sheet.variant].join(":");
      let kept = null;
      try { kept = JSON.parse(localStorage.getItem(key)); } catch { /* refused, or not ours */ }
      const inFile = shown.texts(), differs = inFile.some((each, i) => each !== "" && each !== kept?.[i]);
      const asked = inWords("This browser keeps other answers for this sheet. Go on with those, and not with the file's?");
      if (Array.isArray(kept) && (!differs || (kept.some((each) => each !== "") && confirm(asked)))) shown.fill(kept);
      body.replaceChildren(shown.root);
      save.hidden = false;
      keep();
    } catch (error) {
      said.textContent = error.message;
    }
  }
  const isInside = SHEET.length > 2;  // more than "{}"
  return { open: () => (isInside && shown === undefined ? take("sheet.json", new TextEncoder().encode(SHEET)) : undefined) };
}

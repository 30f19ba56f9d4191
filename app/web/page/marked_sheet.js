// A sheet to fill in: its page as the program writes it, whose boxes are checked and marked here by `attn check`.
const MARKS = { right: "✓", wrong: "✗", follows: "~", unreadable: "?" };
const MARK_WORDS = { right: "right", wrong: "wrong", follows: "follows from your earlier answer", unreadable: "no number" };

// {root, texts(), fill(texts), filled()}; `changed` is called after each edit.
function sheetOf(html, sheet, changed) {
  const root = documentOf(html), boxes = [...root.querySelectorAll("td input[data-step]")];
  const replies = sheet.bug === undefined ? [] : [
    make("select", { "data-bug": "first_wrong" }, ...["", ...Object.keys(sheet.answers)].map((id) => new Option(id, id))),
    make("input", { "data-bug": "code", autocomplete: "off", placeholder: "scale.missing" })];
  const said = make("p", { class: "status", role: "status" }), report = make("div", { class: "hints" });
  const filled = () => filledSheet(sheet, boxes, replies);
  let hint = 0;

  const unmark = () => { for (const box of boxes) box.parentElement.classList.remove(...Object.keys(MARKS)), box.removeAttribute("aria-description"); };
  function mark(step) {
    for (const box of boxes.filter((each) => each.dataset.step === step.id)) {
      const [row, col] = placeOfBox({ [step.id]: step.cells }, box.dataset), verdict = row?.[col];
      if (!(verdict in MARKS)) continue;
      box.parentElement.classList.add(verdict);
      box.setAttribute("aria-description", MARK_WORDS[verdict]);
    }
  }
  async function check(level) {
    hint = level;
    const files = { "sheet.json": JSON.stringify(filled()) };
    const { code, stdout, stderr } = await core.attn(["check", "sheet.json", "--json"], { files });
    unmark();
    report.replaceChildren();
    if (code > 1) return void (said.textContent = stderr);
    const result = JSON.parse(stdout);
    if (sheet.self_check !== "off") result.steps.forEach(mark);
    const words = await documentFrom(["check", "sheet.json", ...(sheet.bug === undefined ? ["--hint", String(level)] : [])], { files });
    const done = result.right && result.complete;
    said.textContent = done ? "Everything is right." : words.querySelector(".facts").textContent;
    const causes = !done && (sheet.self_check === undefined || sheet.self_check === "causes");
    if (causes) report.append(...words.querySelectorAll(".steps section h2, .steps p"));
    more.hidden = !causes || result.first_wrong === null || level >= 4 || sheet.bug !== undefined;
  }
  const more = button("A further hint", () => check(hint + 1), { hidden: true });
  const buttons = sheet.self_check === "off" ? [] : [button("Check", () => check(1), { class: "main" })];
  const bug = replies.map((reply, i) => make("label", { class: "choice" }, make("span", {}, ["First wrong step", "Code of the mistake"][i]), reply));
  root.classList.add("sheet");
  root.append(make("div", { class: "checks" }, make("div", { class: "settings" }, ...bug, ...buttons, more, said), report));
  root.addEventListener("input", ({ target }) => {
    target.parentElement.classList.remove(...Object.keys(MARKS));
    changed?.();
  });
  root.addEventListener("keydown", (event) => {
    const td = event.target.closest?.("td"), arrow = { Enter: [1, 0], ArrowDown: [1, 0], ArrowUp: [-1, 0] }[event.key];
    if (!td || arrow === undefined) return;
    const column = boxes.filter((box) => box.closest("table") === td.closest("table") && box.parentElement.cellIndex === td.cellIndex);
    column[column.indexOf(event.target) + arrow[0]]?.focus();
    event.preventDefault();
  });
  const all = [...boxes, ...replies];
  const fill = (texts) => { all.forEach((box, i) => { box.value = texts[i] ?? ""; }); };
  const textsOf = (file) => [
    ...boxes.map((box) => { const [row, col] = placeOfBox(file.answers ?? {}, box.dataset); return String(row?.[col] ?? ""); }),
    ...replies.map((reply) => file.bug?.[reply.dataset.bug] ?? "")];
  fill(textsOf(sheet));
  return { root, filled, fill, textsOf, texts: () => all.map((box) => box.value) };
}

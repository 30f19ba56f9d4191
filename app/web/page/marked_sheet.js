// A sheet to fill in: its page as the program writes it, whose boxes are checked and marked here by `attn check`.
const MARKS = { right: "✓ " + inWords("right"), wrong: "✗ " + inWords("wrong"), follows: "~ " + inWords("follows from your earlier number"), unreadable: "? " + inWords("no number") };
const LAST_HINT = 5;  // those of --hint, then the whole report, which names the cause

// What is made of given matrices begins a line with them; so does a product of others.
function beginLines(root) {
  let wasGiven = true;
  for (const formula of root.querySelectorAll("section h2 math")) {
    const text = formula.getAttribute("alttext"), isGiven = !text.includes("=");
    if (!wasGiven && (isGiven || text.includes("·"))) formula.closest("section").before(make("div", { class: "line" }));
    wasGiven = isGiven;
  }
}

// The known mistakes by their titles; soon only those that can be built into this problem.
async function fillMistakes(select, problem) {
  const { stdout } = await core.attn(["exercise", "rules", "--json"]), rules = JSON.parse(stdout).map(({ code, title }) => [code, title]);
  const write = (some) => {
    const { value } = select;
    select.fill([["", ""], ...some], "");
    setText(select, value);
  };
  write(rules);
  if (problem.q === undefined && problem.embeddings === undefined) return;  // they are left out of a sheet with a bug
  write(await possibleMistakes(rules, JSON.stringify(problem), [], () => select.isConnected) ?? rules);
}

// {root, filled(), fill(texts), texts(), reveal(html)}; `changed` is called after each edit. Only its `key` checks a sheet with a bug.
function sheetOf(html, sheet, changed, key) {
  const root = documentOf(html), boxes = [...root.querySelectorAll("td input[data-step]")], tables = [...root.querySelectorAll("table[data-step]")];
  const nameOfStep = (id) => tables.find((table) => table.dataset.step === id)?.caption?.textContent.split(" · ")[0] ?? id;
  const steps = Object.keys(sheet.answers).map((id) => [id, nameOfStep(id)]), choose = (label, rows, bug) => chooser(label, [["", ""], ...rows], () => {}, { "data-bug": bug });
  const bug = sheet.bug === undefined ? [] : [choose(inWords("First wrong step"), steps, "first_wrong"), choose(inWords("The mistake"), [], "code")], replies = bug.map(({ select }) => select);
  const said = make("p", { class: "status", role: "status" }), report = make("div", { class: "hints" });
  const filled = () => filledSheet(sheet, boxes, replies), causes = sheet.self_check === undefined || sheet.self_check === "causes";
  let hint = 0;

  function unmark(note) {
    for (const box of boxes) box.parentElement.classList.remove(...Object.keys(MARKS)), box.removeAttribute("aria-description");
    report.replaceChildren();
    more.hidden = true;
    said.textContent = note;
  }
  function mark(step) {
    for (const box of boxes.filter((each) => each.dataset.step === step.id)) {
      const [row, col] = placeOfBox({ [step.id]: step.cells }, box.dataset), verdict = row?.[col];
      if (!(verdict in MARKS)) continue;
      box.parentElement.classList.add(verdict);
      box.setAttribute("aria-description", MARKS[verdict].slice(2));
    }
  }
  async function check(level) {
    hint = level;
    const isBug = sheet.bug !== undefined, given = isBug ? ["--key", "key"] : [];
    const files = { "sheet.json": JSON.stringify(filled()), ...(isBug ? { "key/answers/sheet.json": key } : {}) };
    const { code, stdout, stderr } = await core.attn(["check", "sheet.json", ...given, "--json"], { files });
    unmark(stderr);
    if (code > 1) return;
    const result = JSON.parse(stdout);
    if (sheet.self_check !== "off") result.steps.forEach(mark);
    const words = await documentFrom(["check", "sheet.json", ...given, ...(isBug || level === LAST_HINT ? [] : ["--hint", String(level)])], { files });
    const done = result.right && result.complete, marks = Object.keys(MARKS).filter((verdict) => root.querySelector("td." + verdict) !== null);
    said.textContent = done ? inWords("Everything is right.") : words.querySelector(".facts").textContent;
    if (marks.length > 0) report.append(make("p", { class: "dim" }, marks.map((verdict) => MARKS[verdict]).join(" · ")));
    if (done || !(causes || isBug)) return;
    report.append(...(isBug ? [...words.querySelectorAll("header p")].filter((p) => p.querySelector("strong")) : words.querySelector(".steps section")?.querySelectorAll("h2, p:not(.dim)") ?? []));
    more.hidden = isBug || result.first_wrong === null || level === LAST_HINT;
    report.scrollTop = report.scrollHeight;
  }
  // The right numbers beside what was typed, of the page of the solved sheet.
  function reveal(html) {
    const solved = documentOf(html), theirs = [...solved.querySelectorAll("table[data-step]")];
    unmark(inWords("The right numbers are beside yours."));
    for (const { parentElement: td } of boxes) {
      const right = theirs[tables.indexOf(td.closest("table"))].rows[td.parentElement.rowIndex].cells[td.cellIndex];
      td.querySelector(".told")?.remove();
      td.append(make("span", { class: "told" }, right.textContent));
    }
    if (sheet.bug !== undefined) report.append(...[...solved.querySelectorAll("section p")].filter((p) => p.querySelector("strong")));
  }
  const more = button(inWords("A further hint"), () => check(hint + 1), { hidden: true });
  const buttons = sheet.self_check === "off" || (sheet.bug !== undefined && key === undefined) ? [] : [button(inWords("Check"), () => check(1), { class: "main" })];
  root.classList.add("sheet");
  beginLines(root);
  root.append(make("div", { class: "checks" }, make("div", { class: "settings" }, ...bug.map(({ all }) => all), ...buttons, more, said), report));
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
  const fill = (texts) => { all.forEach((box, i) => setText(box, texts[i] ?? "")); };
  fill([...boxes.map((box) => { const [row, col] = placeOfBox(sheet.answers ?? {}, box.dataset); return String(row?.[col] ?? ""); }),
    ...replies.map((reply) => sheet.bug[reply.dataset.bug] ?? "")]);
  if (sheet.bug !== undefined) fillMistakes(replies[1], sheet.problem);
  return { root, filled, fill, reveal, texts: () => all.map((box) => box.value) };
}

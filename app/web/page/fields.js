// Moving and typing in matrices with the keyboard: arrows move, typing replaces, F2 edits, Alt+↑ and Alt+↓ add or subtract 1.
const ARROWS = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };

function focusable(td) { return td.querySelector("input") || td; }

function goTo(td) {
  for (const other of td.closest("table").querySelectorAll("[tabindex='0']")) other.tabIndex = -1;
  const to = focusable(td);
  to.tabIndex = 0;
  to.focus();
  if (to.select) to.select();
}

function neighbour(td, [down, right]) {
  const rows = [...td.closest("tbody").rows].map((row) => [...row.cells].filter((each) => each.cell !== undefined));
  const r = rows.findIndex((row) => row.includes(td));
  return rows[r + down]?.[rows[r].indexOf(td) + right];
}

// What a key on a phone's bar, or Alt+arrow, makes of a number as it is typed.
function stepped(text, by) {
  const number = typed(text === "" ? "0" : text);
  return typeof number === "number" ? String(Number((number + by).toPrecision(12))) : text;
}
const negated = (text) => (/^[-−]/.test(text) ? text.slice(1) : "-" + text);

// `actions`: edit(cell, text), pin(cell), release().
function answerKeys(root, actions) {
  let before = "", edits = false, field;
  const put = (input, text) => {
    input.value = text;
    actions.edit(input.closest("td").cell, text);
  };
  root.addEventListener("focusin", ({ target }) => {
    pad.hidden = !target.matches("input.n");
    if (pad.hidden) return;
    [field, before, edits] = [target, target.value, false];
    for (const other of target.closest("table").querySelectorAll("[tabindex='0']")) other.tabIndex = -1;
    target.tabIndex = 0;
  });
  root.addEventListener("input", ({ target }) => {
    if (target.matches("input.n")) actions.edit(target.closest("td").cell, target.value);
  });
  root.addEventListener("mouseup", ({ target }) => {
    if (target.matches("input.n") && !edits && target.selectionStart === target.selectionEnd) target.select();
  });
  root.addEventListener("keydown", (event) => {
    const td = event.target.closest("table.m td"), input = event.target.matches("input.n") ? event.target : undefined;
    if (td === null || td.cell === undefined || event.ctrlKey || event.metaKey) return;
    const arrow = ARROWS[event.key];
    if (event.altKey && input && arrow && arrow[0] !== 0) put(input, stepped(input.value, -arrow[0]));
    else if (event.altKey) return;
    else if (event.key === "F2" && input) {
      edits = !edits;
      input.setSelectionRange(input.value.length, input.value.length);
    } else if (arrow && !edits) {
      const next = neighbour(td, arrow);
      if (next !== undefined) goTo(next);
      else if (event.key === "ArrowLeft") td.parentElement.querySelector(".token")?.focus();
    } else if (event.key === "Enter") {
      if (input) edits = false, before = input.value, input.select();
      else actions.pin(td.cell);
    } else if (event.key === "Escape") {
      if (input?.matches("[aria-invalid]")) put(input, before), input.select();
      else actions.release();
    } else return;
    event.preventDefault();
  });

  // Keys that keyboards of phones lack.
  const pad = make("div", { class: "pad", hidden: true, role: "toolbar", "aria-label": inWords("Change this number") });
  const stays = (event) => event.preventDefault();  // with the focus in the field
  const key = (text, label, change) => button(text, () => put(field, change(field.value)), { "aria-label": label, onpointerdown: stays });
  pad.append(key("−1", inWords("subtract 1"), (text) => stepped(text, -1)), key("+1", inWords("add 1"), (text) => stepped(text, 1)),
    key("±", inWords("change the sign"), negated), key(".", inWords("decimal point"), (text) => text + "."));
  root.addEventListener("focusout", ({ relatedTarget }) => { if (!pad.contains(relatedTarget)) pad.hidden = true; });
  return pad;
}

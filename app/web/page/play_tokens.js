// Tokens beside the rows of a given matrix: a click renames one, × removes it, + adds one.
// Arrow keys lead to them from the first column; Delete removes one.
function addTokens(table, problem, edit) {
  const step = stepOf(table.dataset.step), part = step.id, tokens = problem.tokens(part), labels = step.rows[0] || [];
  const isNamed = (label, i) => label === tokens[i] || label === i + ":" + tokens[i];
  if (!isGiven(step) || tokens.length === 0 || labels.length !== tokens.length || !labels.every(isNamed)) return;
  table.querySelectorAll("tbody th").forEach((th, row) => {
    const word = th.textContent;
    const less = button("×", () => edit(() => problem.removeToken(part, row)), { class: "less", tabindex: "-1", "aria-label": inWords("Remove {word}", { word }) });
    const name = button(word, () => rename(th, tokens[row], (text) => {
      if (text === undefined) show(), name.focus();
      else edit(() => problem.rename(part, row, text));
    }), { class: "token", title: inWords("Rename"), tabindex: "-1" });
    const show = () => th.replaceChildren(...(tokens.length > 1 ? [less] : []), name);
    name.addEventListener("keydown", (event) => {
      const rows = [...table.tBodies[0].rows], by = { ArrowUp: -1, ArrowDown: 1 }[event.key];
      if (by) rows[row + by]?.querySelector(".token").focus();
      else if (event.key === "ArrowRight") goTo(rows[row].querySelector("td[data-key]"));
      else if (event.key === "Delete" && tokens.length > 1) less.click();
      else return;
      event.preventDefault();
    });
    show();
  });
  const plus = button("+", () => edit(() => problem.addToken(part)), { class: "plus", "aria-label": inWords("Add a token"), title: inWords("Add a token") });
  table.querySelector(".corner").append(" ", plus);
}

// A field in place of a name; done(text) where it was changed, done(undefined) where it was not.
function rename(th, old, done) {
  const field = make("input", { class: "word", "aria-label": inWords("New name of {word}", { word: old }) });
  let isOpen = true;
  const end = (keeps) => {
    if (isOpen) done(keeps && field.value !== old ? field.value : undefined);
    isOpen = false;
  };
  field.addEventListener("blur", () => end(true));
  field.addEventListener("keydown", (event) => {
    event.stopPropagation();
    if (event.key === "Enter" || event.key === "Escape") end(event.key === "Enter");
  });
  field.value = old;
  th.replaceChildren(field);
  field.select();
}

// Practice: a new problem with each click, to be worked out, checked and named.
function makePractice(root, page) {
  const presets = [["self", "one head"], ["causal", "a causal mask"], ["multihead", "several heads"], ["cross", "cross attention"], ["softmax", "softmax"], ["find-the-bug", "find the bug"]];
  const body = make("div"), pick = chooser("Exercise", presets, () => begin());
  const amount = chooser("To fill in", [["40%", "some"], ["all", "all"], ["one", "one of each"]], () => begin());
  let seed;
  const solve = button("Show the numbers", () => {
    shown.fill(shown.textsOf(solved));
    say("The right numbers are filled in.");
  });
  let shown, solved;
  root.append(make("div", { class: "settings" }, pick.all, amount.all, button("New numbers", () => begin(), { class: "main" }), solve), body);

  async function begin(given = crypto.getRandomValues(new Uint32Array(1))[0]) {
    seed = String(given);
    const preset = pick.select.value, bug = preset === "find-the-bug";
    amount.all.hidden = bug;
    const { code, stderr, files } = await core.attn(["exercise", "make", "--preset", preset, "--seed", seed, "--format", "html", "-o", "e", ...(bug ? [] : ["--blanks", amount.select.value])], {});
    if (code !== 0) return body.replaceChildren(make("pre", { class: "trouble" }, stderr));
    const text = (name) => new TextDecoder().decode(files[name]);
    solved = JSON.parse(text("e/key/answers/sheet.json"));
    shown = sheetOf(text("e/sheets/sheet.html"), JSON.parse(text("e/sheets/sheet.json")));
    body.replaceChildren(shown.root);
    page.setAddress({ exercise: preset, blanks: amount.select.value, seed });
  }
  return {
    open(words) {
      for (const [select, name] of [[pick.select, "exercise"], [amount.select, "blanks"]])
        if ([...select.options].some((option) => option.value === words.get(name))) select.value = words.get(name);
      return begin(/^\d{1,15}$/.test(words.get("seed")) ? words.get("seed") : undefined);
    },
  };
}

// Practice: a problem to be worked out, checked and named; drawn anew with each click, or the one that Play shows.
function makePractice(root, page) {
  const presets = [["self", inWords("one head")], ["causal", inWords("a causal mask")], ["multihead", inWords("several heads")], ["cross", inWords("cross attention")], ["softmax", "softmax"], ["find-the-bug", inWords("find the bug")]];
  const body = make("div"), pick = chooser(inWords("Exercise"), presets, () => begin()), step = chooser(inWords("Hide"), [], () => begin());
  const amount = chooser(inWords("To fill in"), [["40%", inWords("some")], ["all", inWords("all")], ["one", inWords("one of each")]], () => begin());
  const again = button(inWords("New numbers"), () => begin(), { class: "main" });
  const solve = button(inWords("Show the numbers"), () => shown.reveal(solved));
  let shown, solved, own;  // own: a problem of one's own, {words, file, trace}
  root.append(make("div", { class: "settings" }, pick.all, step.all, amount.all, again, solve), body);

  const refused = (text) => body.replaceChildren(make("pre", { class: "trouble", role: "alert" }, text));

  // What an address, or Play, says about a problem: its steps can be hidden.
  async function takeProblem(words) {
    const given = SETTINGS.filter((name) => words.get(name) && name !== "fault" && name !== "precision");
    const stdin = words.get("problem") ? await unpacked(words.get("problem"))
      : (await core.attn(["new", "--sample", words.get("sample")])).stdout;
    const made = await core.attn(["convert", "-", "-o", "p.json", ...given.flatMap((name) => ["--" + name, words.get(name)])], { stdin });
    if (made.code !== 0) throw new Error(made.stderr);
    const { stdout, stderr } = await core.attn(["explain", "p.json", "--json"], { files: made.files });
    if (stdout === "") throw new Error(stderr);
    own = { words, file: made.files["p.json"], trace: JSON.parse(stdout), title: JSON.parse(stdin).title };
    const { order, steps } = own.trace, hidden = order.filter((id) => steps[id].inputs.length > 0 && steps[id].data !== undefined);
    step.select.fill([["", inWords("the usual steps")], ...hidden.map((id) => [id, id.includes(".") ? id : steps[id].title])], "");
    pick.select.fill([["own", inWords("the problem of Play")], ...presets], "own");
  }

  // The problem as an exercise: what a hidden step is made from is printed.
  function specOfOwn() {
    const spec = { name: "practice", problem: "p.json", title: own.title ?? inWords("Practice"), force: true, decimals: Number(own.words.get("precision")) || 3 };
    const hidden = step.select.value, { steps } = own.trace;
    if (hidden === "") return spec;
    const printed = steps[hidden].inputs.filter((id) => steps[id]?.inputs.length > 0);
    return { ...spec, steps: Object.fromEntries([...printed.map((id) => [id, 0]), [hidden, 2]]) };
  }

  // What a hidden step is not made from is out of the way.
  function foldGivens() {
    const near = new Set([step.select.value, ...own.trace.steps[step.select.value].inputs]), folded = make("details", {}, make("summary", {}, inWords("The numbers before")));
    for (const section of shown.root.querySelectorAll(".steps section"))
      if (![...section.querySelectorAll("[data-step]")].some(({ dataset }) => near.has(dataset.step))) folded.append(section);
    shown.root.querySelector(".steps").prepend(folded);
  }

  async function begin(given = crypto.getRandomValues(new Uint32Array(1))[0]) {
    const seed = String(given), preset = pick.select.value, mine = preset === "own", bug = preset === "find-the-bug";
    amount.all.hidden = bug;
    step.all.hidden = !mine;
    again.textContent = inWords(mine ? "Other blanks" : "New numbers");
    const args = ["exercise", "make", ...(mine ? ["--spec", "spec.json"] : ["--preset", preset]), "--seed", seed, "--format", "html", "-o", "e"];
    const attempt = (within) => {
      const files = mine ? { "p.json": own.file, "spec.json": JSON.stringify({ ...specOfOwn(), accept_within: within }) } : {};
      return core.attn([...args, ...(bug ? [] : ["--blank-cells", amount.select.value])], { files });
    };
    let { code, stderr, files: made } = await attempt();
    for (const within of mine ? [0.1, 1] : []) if (code !== 0) ({ code, stderr, files: made } = await attempt(within));  // large numbers
    solve.hidden = code !== 0;
    if (code !== 0) return refused(stderr);
    const text = (name) => new TextDecoder().decode(made[name]);
    solved = text("e/key/answers/sheet.html");
    shown = sheetOf(text("e/sheets/sheet.html"), JSON.parse(text("e/sheets/sheet.json")), undefined, text("e/key/answers/sheet.json"));
    if (!mine) shown.root.querySelector(".title").textContent = inWords("Practice: {name}", { name: pick.select.selectedOptions[0].text });
    if (mine && step.select.value !== "") foldGivens();
    body.replaceChildren(shown.root);
    const words = { blanks: amount.select.value, seed };
    if (!mine) page.setAddress({ exercise: preset, ...words });
    else if (String(own.words).length <= MOST_LETTERS) page.setAddress({ ...Object.fromEntries(own.words), ...words, hide: step.select.value });
  }
  return {
    async open(words) {
      try { if (SHEET === "" && (words.get("problem") || words.get("sample"))) await takeProblem(words); } catch (error) { return refused(error.message); }
      for (const [select, name] of [[pick.select, "exercise"], [amount.select, "blanks"], [step.select, "hide"]])
        if ([...select.options].some((option) => option.value === words.get(name))) select.value = words.get(name);
      return begin(/^\d{1,15}$/.test(words.get("seed")) ? words.get("seed") : undefined);
    },
  };
}

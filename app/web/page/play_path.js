// Play's way through the steps: X › Q K V › S …, the pager of one product at a time, and the heads as thumbnails.
const MOST_IN_PATH = 16, MOST_IN_THUMBNAIL = 32;

function makePath(play) {
  const path = make("nav", { class: "path", "aria-label": inWords("Steps") }), pager = make("div", { class: "pager", hidden: true });
  const heads = make("div", { class: "heads", hidden: true, role: "group", "aria-label": inWords("Heads") });
  const formulaOf = (step) => play.answer.headings.get(step)?.formula;

  function write(shown, stages) {
    const { board, view } = play, single = board.isSingle(), steps = [];
    for (const item of (single ? bandsOf(stages) : shown).flat()) if (!steps.some((each) => each.step === item.step)) steps.push(item);
    path.replaceChildren(make("ol", {}, ...steps.map(({ step, stage }, i) => {
      const isBeside = stage?.top !== undefined && steps[i - 1]?.stage?.left === stage.left;
      const link = button("", () => board.visit(step), { "data-step": step, title: stepOf(step).title });
      link.append(...symbol(stepOf(step).name));
      return make("li", { class: isBeside ? "beside" : "" }, link);
    })));
    path.hidden = steps.length > MOST_IN_PATH;
    pager.hidden = !single || stages.length === 0;
    if (pager.hidden) return;
    const { result } = stages[view.stage], formula = formulaOf(result);
    const back = button("‹", () => turn(-1), { "aria-label": inWords("previous step") }), on = button("›", () => turn(1), { "aria-label": inWords("next step") });
    back.disabled = view.stage === 0;
    on.disabled = view.stage === stages.length - 1;
    const all = chooser(`${view.stage + 1}/${stages.length}`, stages.map((stage, i) => [i, stepOf(stage.result).name]), (i) => turn(i - view.stage));
    all.select.value = view.stage;
    pager.replaceChildren(back, all.all, make("span", { class: "now" }, formula ? document.importNode(formula, true) : stepOf(result).name), on);
  }

  function turn(by) {
    play.view.stage += by;
    if (play.pinned === undefined) play.looked = play.panel.firstLook();
    play.board.draw();
    pager.querySelector(Math.abs(by) !== 1 ? "select" : by < 0 ? "button" : "button:last-child").focus();
  }

  // A square for each weight; those that look alike are one path.
  function thumbnail(grid) {
    const cells = grid?.cells ?? [], squares = new Map();
    if (cells.length <= MOST_IN_THUMBNAIL)
      cells.forEach((row, r) => row.forEach(({ look }, c) => squares.set(look, `${squares.get(look) ?? ""}M${c} ${r}h1v1h-1z`)));
    const paths = [...squares].map(([look, d]) => drawn("path", look.includes("hidden") ? { d, class: "hidden", "fill-opacity": 0.5 }
      : { d, "fill-opacity": (/w(\d+)/.exec(look)?.[1] ?? 0) / 10 }));
    const viewBox = `0 0 ${cells[0]?.length ?? 1} ${cells.length || 1}`;
    return drawn("svg", { class: "small", "aria-hidden": "true", viewBox, preserveAspectRatio: "none" }, ...paths);
  }

  function writeHeads() {
    const { answer, view } = play, count = headCount(), batches = Math.max(1, ...[...masked.values()].map((step) => step.shape[0]));
    view.head = Math.min(view.head, count - 1);
    view.batch = Math.min(view.batch, batches - 1);
    heads.hidden = count === 1 && batches === 1;
    const shares = answer.cells.steps.find((step) => gridOf(answer, step.id, 0, 0)?.shares && step.shape[1] === count);
    const choice = (what, i, ...content) => {
      const show = () => {
        view[what] = i;
        play.board.draw();
        play.writeAddress();
        heads.querySelector(`[data-${what}="${i}"]`).focus();
      };
      return make("button", { type: "button", onclick: show, "aria-pressed": String(i === view[what]), ["data-" + what]: i }, ...content);
    };
    const each = (n, choose) => (n === 1 ? [] : Array.from({ length: n }, (_, i) => choose(i)));
    heads.replaceChildren(...each(batches, (b) => choice("batch", b, inWords("sentence {n}", { n: b }))),
      ...each(count, (h) => choice("head", h, thumbnail(shares && gridOf(answer, shares.id, view.batch, h)), inWords("head {n}", { n: h }))));
  }

  function mark(step) {
    for (const link of path.querySelectorAll("button")) link.toggleAttribute("aria-current", link.dataset.step === step);
  }
  return { path, pager, heads, write, writeHeads, mark };
}

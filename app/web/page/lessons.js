// Lessons: the list, and one of them. The browser keeps which were read to the end.
const READ = "attn.lessons";

function makeLessons(root, page) {
  const read = () => { try { return (localStorage.getItem(READ) ?? "").split(" "); } catch { return []; } };
  const keep = (names) => { try { localStorage.setItem(READ, names.join(" ")); } catch { /* a frame that keeps nothing */ } };
  const forget = button(inWords("Forget what I read"), () => { keep([]), show(""); }, { title: inWords("Removes the marks from this browser") });
  const body = make("div", { "aria-live": "polite" }), pick = chooser(inWords("Lesson"), [["", "…"]], (name) => show(name));
  const back = button(inWords("All lessons"), () => show("")), next = button(inWords("Next lesson"), () => show(names[names.indexOf(pick.select.value) + 1]));
  root.append(make("div", { class: "settings" }, pick.all, back), body, make("p", {}, next, forget));
  let names = [];

  async function list() {
    const all = await documentFrom(["lesson"]), rows = [...all.querySelectorAll("tbody tr")];
    names = rows.map((row) => row.cells[1].textContent);  // after its number
    for (const [i, row] of rows.entries()) row.cells[1].replaceChildren(button(names[i], () => show(names[i]), { class: "plain" }), read().includes(names[i]) ? " ✓ " + inWords("read") : "");
    pick.select.fill([["", "…"], ...names.map((name) => [name, name])], "");
    return all;
  }

  // What follows a question is folded until its answer was opened.
  function foldQuestions(article, name) {
    const blocks = [...article.querySelectorAll("section, h2, h3, p, ul, pre, .grids, .scroll, details")].filter((each) => !each.parentElement.closest("details"));
    const write = () => {
      const first = blocks.findIndex((each) => each.matches("details:not([data-seen])"));
      blocks.forEach((each, i) => each.classList.toggle("later", first >= 0 && i > first));
      if (first < 0) keep([...new Set([...read(), name])]);
    };
    article.addEventListener("toggle", ({ target }) => { target.toggleAttribute("data-seen", true), write(); }, true);
    article.classList.add("lesson");
    return write(), article;
  }

  async function show(name) {
    const all = await list();
    if (name !== "" && !names.includes(name)) name = "";
    pick.select.value = name;
    const lesson = name === "" ? all : foldQuestions(await documentFrom(["lesson", name]), name);
    if (SHEET !== "") for (const command of lesson.querySelectorAll("th > code")) command.closest("tr").remove();
    body.replaceChildren(lesson);
    back.hidden = name === "";
    next.hidden = name === "" || names.at(-1) === name;
    forget.hidden = name !== "" || read().join("") === "";
    page.setAddress(name === "" ? {} : { lesson: name });
    scrollTo(0, 0);
  }
  return { open: (words) => show(words.get("lesson") || "") };
}

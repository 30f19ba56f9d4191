// Documents: what a command writes as a page, shown in a view without its scripts.
function documentOf(html) {
  const tags = { "<h1>": '<h2 class="title">', "</h1>": "</h2>", "<main>": '<div class="steps">', "</main>": "</div>" };
  const body = html.slice(html.indexOf("<body")).replace(/<\/?(h1|main)>/g, (tag) => tags[tag]);
  const page = new DOMParser().parseFromString(body, "text/html");
  for (const each of page.querySelectorAll("script, footer")) each.remove();
  for (const link of page.querySelectorAll("a")) link.replaceWith(...link.childNodes);  // to cells of that page
  for (const each of page.querySelectorAll("[id]")) each.removeAttribute("id");
  const article = make("article", { class: "document" }, ...[...page.body.childNodes].map((node) => document.importNode(node, true)));
  for (const typed of article.querySelectorAll("code, .typed")) if (isDone(typed)) typed.replaceWith(doing(typed.textContent));
  return article;
}

// Commands that a page mentions: examples, and pages of help.
const isDone = (typed) => SHEET === "" && /^attn /.test(typed.textContent) && (typed.matches("code") || /^attn help ./.test(typed.textContent));
// A button that shows in Play what a command explains, and runs others in Terminal.
function doing(command) {
  const [, name, ...options] = wordsOfLine(command), words = new URLSearchParams();
  for (let i = 0; i < options.length; i += 2) words.set(options[i].slice(2), options[i + 1] ?? "");
  const plays = name === "explain" && [...words].every(([option, value]) => value !== "" && [...SETTINGS, "cell"].includes(option));
  const run = () => (plays ? showView("play", words) : showView("terminal", new URLSearchParams({ run: command })));
  return button(command, run, { class: "plain typed", title: inWords(plays ? "Open in Play" : "Run in Terminal") });
}

// What `args` write as a page; errors as text.
async function documentFrom(args, given) {
  const { code, stdout, stderr } = await core.attn([...args, "--format", "html", "--quiet"], given);
  return stdout === "" ? make("pre", { class: "trouble", role: "alert" }, stderr || inWords("exit code {n}", { n: code })) : documentOf(stdout);
}

// Files that are dropped on `root` or chosen: take(name, bytes).
function takeFiles(root, label, accept, take, multiple = false) {
  const all = async (files) => { for (const file of files) await take(file.name, new Uint8Array(await file.arrayBuffer())); };
  const input = make("input", { type: "file", accept, multiple, onchange: () => all(input.files).then(() => { input.value = ""; }) });
  root.addEventListener("dragover", (event) => { event.preventDefault(); root.classList.add("dropping"); });
  root.addEventListener("dragleave", () => root.classList.remove("dropping"));
  root.addEventListener("drop", (event) => {
    event.preventDefault();
    root.classList.remove("dropping");
    all(event.dataTransfer.files);
  });
  return make("label", { class: "choice" }, make("span", {}, label), input);
}

// Documents: what a command writes as a page, shown in a view without its scripts.
function documentOf(html) {
  const page = new DOMParser().parseFromString(html.slice(html.indexOf("<body")), "text/html");
  for (const each of page.querySelectorAll("script, footer")) each.remove();
  for (const link of page.querySelectorAll("a")) link.replaceWith(...link.childNodes);  // to cells of that page
  for (const each of page.querySelectorAll("[id]")) each.removeAttribute("id");
  for (const heading of page.querySelectorAll("h1")) {
    const lower = page.createElement("h2");
    lower.className = "title";
    lower.append(...heading.childNodes);
    heading.replaceWith(lower);
  }
  for (const main of page.querySelectorAll("main")) {
    const steps = page.createElement("div");
    steps.className = "steps";
    steps.append(...main.childNodes);
    main.replaceWith(steps);
  }
  return make("article", { class: "document" }, ...[...page.body.childNodes].map((node) => document.importNode(node, true)));
}

// What `args` write as a page; errors as text.
async function documentFrom(args, given) {
  const { code, stdout, stderr } = await core.attn([...args, "--format", "html", "--quiet"], given);
  return stdout === "" ? make("pre", { class: "trouble", role: "alert" }, stderr || "exit code " + code) : documentOf(stdout);
}

// Files that are dropped on `root` or chosen: take(name, bytes).
function takeFiles(root, label, accept, take) {
  const all = async (files) => { for (const file of files) await take(file.name, new Uint8Array(await file.arrayBuffer())); };
  const input = make("input", { type: "file", accept, onchange: () => all(input.files).then(() => { input.value = ""; }) });
  root.addEventListener("dragover", (event) => { event.preventDefault(); root.classList.add("dropping"); });
  root.addEventListener("dragleave", () => root.classList.remove("dropping"));
  root.addEventListener("drop", (event) => {
    event.preventDefault();
    root.classList.remove("dropping");
    all(event.dataTransfer.files);
  });
  return make("label", { class: "choice" }, make("span", {}, label), input);
}

// The shell: tabs, the address, light or dark, the projector's type. It knows nothing of what a view shows.
const tabs = document.getElementById("tabs"), toolbar = document.getElementById("tools"), main = document.getElementById("views");
const made = new Map();
let current;

function addressOfView(id, words) {
  const all = new URLSearchParams(id === VIEWS[0].id ? words : { view: id, ...words });
  return "#" + String(all).replace(/%3A/g, ":").replace(/%2C/g, ",");
}

function pageFor(id) {
  return {
    setAddress(words) {
      const address = addressOfView(id, words);
      if (current === id && location.hash !== address) history.replaceState(null, "", address);
      made.get(id).address = address;
    },
    project: () => project(!document.documentElement.classList.contains("projector")),
    measured(milliseconds) { document.documentElement.dataset.edit = milliseconds.toFixed(1); },
  };
}

function project(isOn) {
  document.documentElement.classList.toggle("projector", isOn);
  for (const each of document.querySelectorAll(".projects")) each.textContent = inWords(isOn ? "Leave (Esc)" : "Projector");
  dispatchEvent(new Event("resize"));
}

const themeButton = button(inWords("Theme"), switchTheme, { title: inWords("light or dark") });

// Shows a view; with `words`, as they say.
async function showView(id, words) {
  current = id;
  for (const tab of tabs.children) tab.toggleAttribute("aria-current", tab.dataset.view === id);
  const isNew = !made.has(id);
  if (isNew) {
    const view = VIEWS.find((each) => each.id === id), root = make("section", { class: "view", id: "view-" + id, "aria-label": view.title });
    made.set(id, { root });
    Object.assign(made.get(id), view.make(root, pageFor(id)));
    main.append(root);
  }
  for (const [other, { root }] of made) root.hidden = other !== id;
  const view = made.get(id);
  toolbar.replaceChildren(...(view.tools || []), themeButton, languageChoice);
  if (words !== undefined || isNew) return view.open?.(words || new URLSearchParams());
  if (view.address !== undefined) history.replaceState(null, "", view.address);
  view.show?.();
}

function followAddress() {
  const words = wordsOfAddress(), wanted = words.get("view") ?? (words.get("hide") ? "practice" : "");
  const id = VIEWS.some((view) => view.id === wanted) ? wanted : VIEWS[0].id;
  return showView(id, words);
}

tabs.append(...VIEWS.map((view) => button(view.title, () => showView(view.id), { "data-view": view.id })));
addEventListener("hashchange", followAddress);
addEventListener("keydown", (event) => { if (event.key === "Escape" && document.documentElement.classList.contains("projector")) project(false); });
followAddress().then(() => {
  document.getElementById("starting")?.remove();
  document.documentElement.dataset.ready = performance.now().toFixed(0);
}, (error) => { document.getElementById("starting").textContent = inWords("This browser cannot run attn: {why}", { why: error.message }); });

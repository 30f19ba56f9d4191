// Elements: make("button", {class: "x", onclick}, "text", child …). Text never becomes markup.
const make = (name, ...rest) => fitted(document.createElement(name), ...rest);
function fitted(made, properties = {}, ...children) {
  for (const [key, value] of Object.entries(properties)) {
    if (value === undefined || value === false) continue;
    if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
    else made.setAttribute(key, value === true ? "" : value);
  }
  made.append(...children.filter((child) => child !== undefined));
  return made;
}

function button(text, onclick, properties = {}) { return make("button", { type: "button", onclick, ...properties }, text); }

// What the page says, in the language of its reader if the page has that: {name} is filled with gaps.name.
let translations;
function inWords(english, gaps = {}) {
  translations ??= JSON.parse(document.getElementById("words")?.textContent ?? "{}");
  return (translations[english] ?? english).replace(/\{(\w+)\}/g, (gap, name) => gaps[name] ?? gap);
}

function switchTheme() {
  const root = document.documentElement;
  const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = dark ? "light" : "dark";
}

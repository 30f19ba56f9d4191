// The sheet that this page was made for, as JSON; "{}" for any, "" for a page with all views.
const SHEET = document.getElementById("sheet").textContent;

// Elements: make("button", {class: "x", onclick}, "text", child …). Text never becomes markup.
const make = (name, ...rest) => fitted(document.createElement(name), ...rest);
const drawn = (name, ...rest) => fitted(document.createElementNS("http://www.w3.org/2000/svg", name), ...rest);
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

// A list to choose from: rows of [value, text].
function chooser(label, rows, onchange, properties = {}) {
  const select = make("select", { onchange: () => onchange(select.value), ...properties });
  select.fill = (rows, value) => {
    select.replaceChildren(...rows.map(([value, text]) => new Option(text, value)));
    select.value = value;
  };
  select.fill(rows, rows[0]?.[0]);
  const all = make("label", { class: "choice" }, make("span", {}, label), select);
  return { all, select };
}

function download(name, content, type = "application/json") {
  const link = make("a", { href: URL.createObjectURL(new Blob([content], { type })), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

// In the live region: changes that are seen are also said.
function say(text) { document.getElementById("said").textContent = text; }

// The sheet that this page was made for, as JSON; "{}" for any, "" for a page with all views.
const SHEET = document.getElementById("sheet").textContent;

const drawn = (name, ...rest) => fitted(document.createElementNS("http://www.w3.org/2000/svg", name), ...rest);

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

// In the live region: changes that are seen are also said.
function say(text) { document.getElementById("said").textContent = text; }

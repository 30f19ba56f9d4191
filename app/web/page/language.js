// The language of the page: that of ?lang=, the one chosen before, or the first of the browser that there is.
const CHOSEN = "attn.lang", TEXTS = JSON.parse(document.getElementById("texts").textContent);  // {de: {name, texts}, …}
const LANGUAGE = (() => {
  let kept;
  try { kept = localStorage.getItem(CHOSEN); } catch { /* a frame that keeps nothing */ }
  const wanted = [new URLSearchParams(location.search).get("lang"), kept, ...navigator.languages].map((tag) => (tag ?? "").toLowerCase().split("-")[0]);
  return wanted.find((code) => code === "en" || code in TEXTS) ?? "en";
})();
translations = TEXTS[LANGUAGE]?.texts ?? {};
document.documentElement.lang = LANGUAGE;
for (const each of document.querySelectorAll("[data-words]")) {
  const label = each.getAttribute("aria-label");
  if (label !== null) each.setAttribute("aria-label", inWords(label));
  else each.textContent = inWords(each.textContent);
}

// Loads the page anew: what it shows is in its address, and a sheet is kept by the browser.
function chooseLanguage(code) {
  const words = new URLSearchParams(location.search);
  try { localStorage.setItem(CHOSEN, code); } catch { words.set("lang", code); }
  if (words.has("lang")) words.set("lang", code);
  const query = String(words);
  if (query === location.search.slice(1)) location.reload();
  else location.search = query;
}
const languageChoice = make("select", { class: "language", "aria-label": inWords("Language"), onchange: ({ target }) => chooseLanguage(target.value) },
  ...[["en", "English"], ...Object.entries(TEXTS).map(([code, { name }]) => [code, name])].map(([code, name]) => make("option", { value: code, lang: code, selected: code === LANGUAGE }, name)));

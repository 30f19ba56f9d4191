// Light or dark: a button that every page has.
const controls = document.createElement("div"), theme = document.createElement("button");
controls.className = "controls";
theme.type = "button";
theme.textContent = "light or dark";
theme.addEventListener("click", () => {
  const root = document.documentElement;
  const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = dark ? "light" : "dark";
});
controls.append(theme);
document.querySelector("header").append(controls);

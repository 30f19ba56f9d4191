// Light or dark: a button that every page has.
const theme = button(inWords("light or dark"), switchTheme), controls = make("div", { class: "controls" }, theme);
document.querySelector("header").append(controls);

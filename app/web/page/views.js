// The views: a row each, in the order of the tabs. A view that has no row has no tab.
// To add one, write its file (join.mjs lists the files) with make…(root, page), which fills the empty <section> `root` once
// and returns
//   open(words)   called when the view is shown first, and again when the address changes: `words` are URLSearchParams
//   show()        called when its tab is chosen again: cells.js speaks of one computation, so that a view which uses it
//                 calls takeCells there (optional, as tools is)
//   tools         buttons for the right end of the header, if it has some
// `page` has setAddress({name: value}), which writes the address while the view is shown; project(), which turns the
// projector's large type on or off; and measured(milliseconds) for the page's own clock. Shared by all: core.attn(args,
// {stdin, files}) runs the program, make and button (dom.js) make elements, say(text) tells the live region,
// answerOf(html) (answer.js) reads what `explain --format html` writes.
const ALL_VIEWS = [
  { id: "play", title: inWords("Play"), make: makePlay },
  { id: "practice", title: inWords("Practice"), make: makePractice },
  { id: "sheet", title: inWords("Sheet"), make: makeSheetView },
  { id: "lessons", title: inWords("Lessons"), make: makeLessons },
  { id: "tokens", title: inWords("Tokens"), make: makeTokensView },
  { id: "file", title: inWords("File"), make: makeFileView },
  { id: "terminal", title: inWords("Terminal"), make: makeTerminal },
];
// A page that `attn exercise make --web` made for sheets has no view that computes what a sheet asks for.
const VIEWS = SHEET === "" ? ALL_VIEWS : ["sheet", "practice", "lessons"].map((id) => ALL_VIEWS.find((view) => view.id === id));

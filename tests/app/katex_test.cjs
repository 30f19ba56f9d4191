// The mathematics of LaTeX and Markdown, read by KaTeX: node katex_test.cjs ATTN [FOLDER_OF_KATEX].
// Skipped (77) without KaTeX.
const { execFileSync, spawnSync } = require("child_process");
const fs = require("fs");
const os = require("os");
const path = require("path");

const [attn, folder] = process.argv.slice(2);
let katex;
try {
  katex = require(folder || "katex");
} catch {
  console.log("skipped: npm's katex is not installed");
  process.exit(77);
}

const run = (args, input = "") => {
  const done = spawnSync(attn, args, { input, encoding: "utf8", maxBuffer: 1 << 28 });
  if (done.status > 1) throw new Error(args.join(" ") + ": " + done.stderr);
  return done.stdout;
};

/// The formulas of LaTeX: between \[ and \], and between dollars that are in no braces.
function formulas(text) {
  const found = [];
  for (let i = 0; i < text.length; ++i) {
    if (text.startsWith("\\[", i)) {
      const end = text.indexOf("\n\\]", i);
      found.push({ math: text.slice(i + 2, end), display: true });
      i = end + 2;
    } else if (text[i] === "\\") {
      ++i;
    } else if (text[i] === "%") {
      i = text.indexOf("\n", i);
    } else if (text[i] === "$") {
      let end = i + 1;
      for (let depth = 0; depth > 0 || text[end] !== "$"; ++end) {
        if (text[end] === "\\") ++end;
        else if (text[end] === "{") ++depth;
        else if (text[end] === "}") --depth;
      }
      found.push({ math: text.slice(i + 1, end), display: false });
      i = end;
    }
  }
  return found;
}

/// The formulas of Markdown for GitHub.
const inMarkdown = (text) =>
  [...text.matchAll(/\$`(.*?)`\$/g)].map((match) => ({ math: match[1], display: false }));

const usual = { "\\textbackslash": "\\", "\\textasciitilde": "~", "\\textasciicircum": "^", "\\textless": "<",
                "\\textgreater": ">", "\\textbar": "|", "\\{": "{", "\\}": "}", "\\$": "$", "\\&": "&",
                "\\#": "#", "\\%": "%", "\\_": "_", "\\ldots": "…", "--": "--" };

/// What a reader sees of the letters in a parse tree.
function letters(node) {
  if (Array.isArray(node)) return node.map(letters).join("");
  if (node === null || typeof node !== "object") return "";
  if (node.type === "textord" || node.type === "mathord" || node.type === "atom")
    return usual[node.text] ?? node.text;
  if (node.type === "accent") return (letters(node.base) + "\u0301").normalize("NFC");  // only é
  if (node.type === "spacing") return " ";
  return letters(Object.entries(node).filter(([key]) => key !== "loc").map(([, value]) => value));
}

let count = 0;
function check(name, all) {
  if (all.length === 0) throw new Error(name + " has no formula");
  for (const { math, display } of all) {
    try {
      katex.renderToString(math, { displayMode: display, strict: false, throwOnError: true });
    } catch (error) {
      throw new Error(name + ": " + error.message + "\n" + math);
    }
    ++count;
  }
}

const problem = path.join(fs.mkdtempSync(path.join(os.tmpdir(), "attn-")), "hostile.json");
const python = [path.join(__dirname, "../support"),
                "import hostile; print(hostile.problem(hostile.TOKENS))"];
fs.writeFileSync(problem, execFileSync("python3", ["-c", python[1]], { cwd: python[0] }));
const commands = [
  ["explain", "--mask", "causal", "--heads", "2", "--detail", "full", "--gradient"],
  ["explain", "--mask", "causal", "--cell", "weights:1,0"],
  ["explain", "--heads", "2", "--cell", "output:1"],
  ["compare", "--mask", "causal", "--left", "fill=0", "--right", "fill=-1e9"],
  ["explain", problem, "--detail", "full"],
  ["explain", problem, "--cell", "output:0"],
  ["lesson", "one-head"],
];
for (const args of commands) {
  check(args.join(" "), formulas(run([...args, "--format", "latex"])));
  if (!args.includes("--cell")) check(args.join(" "), inMarkdown(run([...args, "--format", "markdown"])));
}
const samples = path.join(__dirname, "../../samples");
for (const sample of fs.readdirSync(samples).filter((name) => /^(0|1[0-4]).*json$/.test(name)))
  check(sample, formulas(run(["explain", path.join(samples, sample), "--format", "latex"])));

// Each hostile token is text in its row and column, letter by letter.
const tokens = JSON.parse(fs.readFileSync(problem, "utf8")).tokens;
const page = run(["explain", problem, "--steps", "weights", "--format", "latex"]);
const matrix = formulas(page).find(({ display }) => display).math;
const array = katex.__parse(matrix, { displayMode: true, strict: false })
  .flatMap((node) => (node.type === "leftright" ? node.body : [])).find(({ type }) => type === "array");
const spelled = { "\u202eevil": "\\u{202e}evil", "a\nb": "a\\nb", " the": "' the'" };
tokens.forEach((token, i) => {
  if (/[√½\\]/.test(token) && token !== "\\") return;  // symbols become mathematics
  const want = (spelled[token] ?? token).replace(/ /g, " ");
  for (const cell of [array.body[0][i + 1], array.body[i + 1][0]]) {
    const got = letters(cell).replace(/\u00a0|\\ /g, " ").replace(/’/g, "'").replace(/‘/g, "`");
    if (got !== want) throw new Error("token " + JSON.stringify(want) + " is " + JSON.stringify(got));
  }
});
console.log("KaTeX reads " + count + " formulas and " + tokens.length + " hostile tokens");

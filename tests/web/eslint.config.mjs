// ESLint's recommended rules, for modules and for the script of a page as the browser sees it, with all parts in one.
//   ATTN_NODE_MODULES=FOLDER FOLDER/.bin/eslint -c tests/web/eslint.config.mjs app tests build-web/attn.html
import { createRequire } from "node:module";

const require = createRequire(process.env.ATTN_NODE_MODULES + "/");
const { configs } = require("@eslint/js"), globals = require("globals");

// A finding in a page says which line of the script it is about: the parts are other files.
let text;
const script = {
  preprocess(page) {
    text = [...page.matchAll(/<script>([^]*?)<\/script>/g)].at(-1)[1];
    return [{ text, filename: "page.js" }];
  },
  postprocess([found]) {
    const lines = text.split("\n");
    return found.map((each) => ({ ...each, message: each.message + ": " + lines[each.line - 1]?.trim() }));
  },
};

// What only the pages of documents use of the parts that they share with attn.html.
const ELSEWHERE = "^(chooseFormat|formatNumber|isHidden|termLabels)$";

export default [
  { ignores: ["app/web/page/*.js", "app/web/page/*.html"] },
  { ...configs.recommended, files: ["**/*.mjs", "**/page.js"] },
  { files: ["**/*.html"], plugins: { page: { processors: { script } } }, processor: "page/script" },
  { files: ["**/page.js"], languageOptions: { sourceType: "script", globals: globals.browser } },
  { files: ["**/*.mjs"], languageOptions: { globals: globals.node } },
  { rules: { "no-unused-vars": ["error", { caughtErrors: "none", varsIgnorePattern: ELSEWHERE }], "no-empty": ["error", { allowEmptyCatch: true }] } },
];

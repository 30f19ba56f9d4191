// attn.html in a real browser, without a network: page_test.mjs attn.html [ATTN [AXE]]. Skips without Chromium.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { deflateRawSync } from "node:zlib";
import { Browser } from "../page/browser.mjs";

const [file, attn, axe] = process.argv.slice(2);
const path = resolve(file);
const chromium = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find(existsSync);
if (chromium === undefined) {
  console.log("skipped: Chromium is not installed");
  process.exit(77);
}
const browser = await Browser.start(chromium);
const run = (expression) => browser.run(expression);
const text = (selector) => run(`document.querySelector(${JSON.stringify(selector)})?.innerText ?? null`);
const pause = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));
async function until(expression, what = expression) {
  for (let i = 0; i < 600; ++i) {
    if (await run(expression).catch(() => false)) return;
    if ((await text("#starting"))?.startsWith("This browser")) break;
    await pause(50);
  }
  throw new Error("never: " + what + "; the page says " + (await text("#views")).slice(0, 300));
}
async function open(hash = "") {
  await browser.open(path, hash);
  await until("document.documentElement.dataset.ready !== undefined", "ready");
}
const key = (step, row, col, head = 0) => `table:not([aria-hidden]) [data-key="${step} 0 ${head} ${row} ${col}"]`;
const shown = (step, row, col) => run(`document.querySelector('${key(step, row, col)}').innerText`);
const valueOf = (step, row, col) => run(`document.querySelector('${key(step, row, col)} input').value`);
async function type(step, row, col, letters) {
  await run(`document.querySelector('${key(step, row, col)} input').focus()`);
  await run(`document.querySelector('${key(step, row, col)} input').select()`);
  for (const letter of letters) await browser.press(letter);
}
// The text of every number of a step on the page, and in the page that the native program writes.
const TABLE = (selector) => `[...document.querySelector('${selector}').tBodies[0].rows].map((row) =>
  [...row.cells].filter((td) => td.matches("td:not(.sum, .gap)")).map((td) => td.querySelector("input")?.value ?? td.textContent))`;
const onPage = (step) => run(TABLE(`table[data-step="${step}"]:not([aria-hidden])`));
function native(problem, ...options) {
  const html = execFileSync(attn, ["explain", "-", "--format", "html", "--quiet", ...options], { input: problem, encoding: "utf8" });
  return run(`(() => { const found = {}, page = new DOMParser().parseFromString(${JSON.stringify(html.slice(html.indexOf("<body")))}, "text/html");
    for (const table of page.querySelectorAll("table[data-step]")) found[table.dataset.step] ??= [...table.tBodies[0].rows].map((row) =>
      [...row.cells].filter((td) => td.matches("td:not(.sum, .gap)")).map((td) => td.textContent));
    return found; })()`);
}
const sampleText = (name) => readFileSync(new URL(`../../samples/${name}.json`, import.meta.url), "utf8");
const followed = (pattern) => until(`${pattern}.test(document.querySelector(".status").textContent)`);
const link = (problem) => "#problem=" + deflateRawSync(JSON.stringify(problem)).toString("base64url");
// A file that is dropped on a view.
const drop = (view, name, content) => run(`(() => { const files = new DataTransfer(); files.items.add(new File([${JSON.stringify(content)}], "${name}"));
  document.getElementById("view-${view}").dispatchEvent(new DragEvent("drop", { dataTransfer: files, bubbles: true, cancelable: true })); })()`);
const times = {};

const tests = {
  async "one file, at most 3 MB, opens from file: with the first result"() {
    assert.ok(statSync(path).size <= 3e6, `${statSync(path).size} bytes`);
    await open();
    times.ready = await run("document.documentElement.dataset.ready");
    assert.equal(await shown("scores", 1, 0), "2");
    assert.equal(await text(".invitation"), "Change this 1 and watch.");
    assert.match(await text("footer"), /attn \d+\.\d+\.\d+/);
    times.paint = Math.round(await run("performance.getEntriesByName('first-contentful-paint')[0]?.startTime"));
    assert.deepEqual(browser.problems, []);
  },

  async "an edited number: what follows is what the native program says, and is marked"() {
    await open();
    await type("x", 1, 0, "3");
    await followed("/^1 number changed, \\d+ results followed$/");
    await pause(200);
    times.edit = await run("document.documentElement.dataset.edit");
    assert.equal(await run("document.activeElement.closest('td').dataset.key"), "x 0 0 1 0", "the focus stays");
    assert.equal(await run("document.querySelectorAll('.invitation:not(.gone)').length"), 0);
    assert.ok(await run(`document.querySelector('${key("scores", 1, 1)}').classList.contains("changed")`));
    assert.ok(!(await run(`document.querySelector('${key("scores", 0, 0)}').classList.contains("changed")`)));
    if (!attn) return;
    const problem = JSON.parse(sampleText("01-one-head"));
    problem.embeddings[1][0] = 3;
    const truth = await native(JSON.stringify(problem));
    for (const step of ["x", "w_k", "q", "k", "v", "scores", "scaled_scores", "weights", "output"]) assert.deepEqual(await onPage(step), truth[step], step);
    assert.match(await text(".status"), /followed$/);
  },

  async "undo, redo and reset; the fields follow"() {
    await open();
    await type("x", 1, 0, "25");
    await followed("/followed/");
    await until(`document.querySelector('${key("q", 1, 0)}').innerText === "25"`);
    await run("[...document.querySelectorAll('#tools button')].find((b) => b.innerText === 'Undo').click()");
    await until(`document.querySelector('${key("x", 1, 0)} input').value === "1"`, "both digits are one step");
    await until(`document.querySelector('${key("q", 1, 0)}').innerText === "1"`);
    await run("[...document.querySelectorAll('#tools button')].find((b) => b.innerText === 'Redo').click()");
    await until(`document.querySelector('${key("q", 1, 0)}').innerText === "25"`);
    await run("[...document.querySelectorAll('#tools button')].find((b) => b.innerText === 'Reset').click()");
    await until(`document.querySelector('${key("x", 1, 0)} input').value === "1"`);
    assert.match(await run("location.hash"), /^#sample=01-one-head/);
  },

  async "unfinished text keeps the last results, grey, with the program's sentence at the field"() {
    await open();
    const before = await onPage("output");
    await type("x", 1, 0, "-");
    await until("!document.querySelector('.trouble').hidden");
    assert.match(await text(".trouble"), /^“-” cannot be used as a number/);
    assert.ok(await run("document.querySelector('.board').classList.contains('stale')"));
    assert.equal(await run("document.activeElement.getAttribute('aria-invalid')"), "true");
    assert.deepEqual(await onPage("output"), before);
    await browser.press("2");
    await until("document.querySelector('.trouble').hidden && !document.querySelector('.stale')");
    assert.equal(await shown("q", 1, 0), "-2");
    for (const [typed, said] of [["", /^Type one such as/], ["1e400", /^“1e400” cannot/], ["abc", /^“abc” cannot/]]) {
      await run("document.activeElement.select()");
      await run("document.execCommand('delete')");
      for (const letter of typed) await browser.press(letter);
      await until(`!document.querySelector('.trouble').hidden && ${said}.test(document.querySelector('.trouble').innerText)`);
    }
    await type("x", 1, 0, "1/2");
    await until(`document.querySelector('.trouble').hidden && document.querySelector('${key("q", 1, 0)}').innerText === "0.5"`,
      "a fraction is a number");  // not what is shown for its first digit
  },

  async "Enter ends an edit without pinning; Escape lets the pin go and keeps the edit"() {
    await open("#cell=scores:2,1");
    await type("x", 1, 0, "3");
    await followed("/followed$/");
    await browser.press("Enter");
    assert.match(await text(".panel .worked"), /^S\[dreams, cat\]/);
    await browser.press("Escape");
    assert.ok(!(await run("document.querySelector('.panel').classList.contains('pinned')")));
    assert.equal(await valueOf("x", 1, 0), "3");
    await browser.pointAt(key("scores", 0, 0));
    assert.match(await text(".panel .worked"), /^S\[the, the\]/, "pointing shows again");
  },

  async "a damaged link says so; a link to a cell below the fold scrolls to it, above the panel"() {
    await open("#problem=AAAA");
    assert.match(await text(".trouble"), /^This link is damaged: .* Copy the whole link again, or ask for the file/);
    await browser.size(1280, 500);
    await open("#sample=06-translation&cell=output:2,1");
    await browser.size(1280, 800);
    assert.ok(await run(`document.querySelector('${key("output", 2, 1)}').getBoundingClientRect().bottom < document.querySelector(".panel").getBoundingClientRect().top`));
  },

  async "biases are below the matrix that they belong to; a whole model has a list of its steps, and invites to no edit"() {
    await open("#sample=03-multi-head");
    assert.equal(await run("document.querySelector('table[data-step=b_q]').closest('.over').querySelector('table').dataset.step"), "w_q");
    assert.ok(await run("[...document.querySelectorAll('thead small')].every((each) => each.parentElement.scrollWidth <= each.parentElement.clientWidth)"), "no name of a column is cut");
    await open("#sample=17-english-french");
    assert.ok(!/border/.test(await text(".status")));
    await run("const steps = document.querySelector('.pager select'); steps.value = 10; steps.dispatchEvent(new Event('change'))");
    assert.match(await text(".pager"), /^‹\s+11\/48/);
  },

  async "what has changed keeps the shade of a weight and the hatch of what is hidden"() {
    await open("#sample=04-causal");
    await type("x", 1, 0, "7");
    await followed("/followed$/");
    const looks = await run("[...document.querySelectorAll('table[data-step=weights] td.changed')].map((td) => getComputedStyle(td).backgroundImage)");
    assert.ok(looks.length > 5 && looks.filter((look) => look !== "none").length <= await run("document.querySelectorAll('table[data-step=weights] td.changed:not([class*=w])').length"));
  },

  async "the projector enlarges the numbers, and its button says how to leave"() {
    await open();
    const size = () => run(`parseFloat(getComputedStyle(document.querySelector('${key("scores", 0, 0)}')).fontSize)`), before = await size();
    await run("document.querySelector('.projects').click()");
    assert.ok(await size() > 1.3 * before);
    assert.equal(await text(".projects"), "Leave (Esc)");
    await browser.press("Escape");
    assert.equal(await text(".projects"), "Projector");
    assert.equal(await size(), before);
  },

  async "a command names the sample until numbers are changed, and runs in Terminal"() {
    await open("#sample=06-translation");
    assert.equal(await text(".command code"), "$ attn explain 06-translation.json");
    await run("[...document.querySelectorAll('.command button')].find((b) => b.innerText === 'Run in Terminal').click()");
    await until("/06-translation.json/.test(document.querySelector('.screen')?.innerText) && document.querySelector('.screen .out') !== null");
    assert.equal(await run("document.querySelector('.screen .err')"), null);
    await open("#sample=06-translation");
    await type("x", 0, 0, "3");
    await until("document.querySelector('.command code').innerText === '$ attn explain mine.json'");
  },

  async "an impossible setting says so; the results stay"() {
    await open("#sample=01-one-head&heads=3");
    assert.match(await text(".trouble"), /cannot be cut into 3 heads/);
  },

  async "pointing previews; a click pins; what is pinned survives an edit; its operands light up everywhere"() {
    await open();
    await browser.pointAt(key("scores", 2, 1));
    assert.match(await text(".panel .worked"), /^S\[dreams, cat\] = /);
    await browser.pointAt(key("scores", 2, 1), true);
    assert.match(await run("location.hash"), /cell=scores:2,1/);
    await browser.pointAt(key("scores", 0, 0));
    assert.match(await text(".panel .worked"), /^S\[dreams, cat\] = /);
    assert.equal(await run("document.querySelectorAll('table[data-step=q] td.source').length"), 8, "Q is there twice");
    await type("x", 1, 0, "3");
    await followed("/followed/");
    assert.match(await text(".panel .worked"), /^S\[dreams, cat\] = /);
    assert.match(await text(".terms tr:last-child"), /^running sum\s/);
    await browser.press("Escape");
  },

  async "products and running sum are those of the arithmetic"() {
    await open("#cell=scores:1,3");
    const rows = await run("[...document.querySelectorAll('.terms tr')].map((tr) => [...tr.cells].map((td) => td.innerText))");
    assert.deepEqual(rows, [["Q[cat]", "1", "1", "1", "1"], ["K[it]", "0", "0", "1", "2"], ["products", "0", "0", "1", "2"], ["running sum", "0", "0", "1", "3"]]);
    for (const [sample, step] of [["01-one-head", "output"], ["01-one-head", "q"], ["02-why-scale", "scores"], ["04-causal", "scores"]]) {
      await open("#sample=" + sample);
      const ends = await run(`[...document.querySelectorAll('table[data-step="${step}"]:not([aria-hidden]) td[data-key]')].map((td) => {
        td.dispatchEvent(new MouseEvent("mouseover", { bubbles: true }));
        return [document.querySelector(".panel .worked").innerText.split(/[=≈] /).pop(), document.querySelector(".terms tr:last-child td:last-child").innerText];
      })`);
      assert.ok(ends.length > 5);
      for (const [result, last] of ends) assert.equal(last, result, sample + " " + step);
    }
  },

  async "in German and Chinese, every control is; the program's texts are, too"() {
    // Names of settings, files and commands are the same everywhere; so are the tokens of problems.
    const CONTROLS = `(() => { const all = new Set(), add = (text) => { if (/[a-z]{2}/.test(text ?? "")) all.add(text.trim()); };
      const skipped = ".board td, .board th, .board table, article, .language, code, .path button, .panel .worked, .panel .leaf, .tokens li, .typed";
      const own = (selector) => [...document.querySelectorAll(selector)].filter((e) => e.closest(skipped) === null);
      for (const e of own("button, label > span, summary, legend, [data-words], .status, .settings + p, .invitation, .panel p")) add(e.textContent);
      for (const e of own("option")) if (e.textContent !== e.value && e.value !== "window:1") add(e.textContent);
      for (const name of ["aria-label", "title"]) for (const e of own("[" + name + "]")) add(e.getAttribute(name));
      return [...all]; })()`;
    const SAME = { de: ["Terminal", "Tokens", "Text", "Softcap", "d_model", "d_k", "d_v", "Ctrl+Z", "Ctrl+Y", "softmax", "none"], zh: ["d_model", "d_k", "d_v", "Ctrl+Z", "Ctrl+Y", "softmax", "none"] };
    for (const hash of ["", "#mask=causal&heads=2&fault=scale.missing", "#cell=scores:1,0", "#view=practice&seed=5", "#view=practice&exercise=find-the-bug&seed=5", "#view=sheet", "#view=lessons&lesson=softmax", "#view=tokens&text=a+cat", "#view=file", "#view=tokens"]) {
      const texts = {};
      for (const code of ["en", "de", "zh"]) {
        await open("?lang=" + code + hash);
        await pause(500);
        assert.equal(await run("document.documentElement.lang"), code);
        texts[code] = await run(CONTROLS);
      }
      for (const code of ["de", "zh"]) {
        const english = texts[code].filter((each) => texts.en.includes(each) && !SAME[code].includes(each));
        assert.deepEqual(english, [], `${hash} in ${code}`);
        assert.ok(texts[code].length > 5 || code === "zh");
      }
    }
    await open("?lang=de#view=lessons&lesson=softmax");
    await until("document.querySelector('.document') !== null");
    assert.match(await text(".document"), /Anteile/);
    await open("?lang=de#view=tokens&text=A+cat");
    await drop("tokens", "my tokenizer.json", JSON.stringify({ model: { type: "WordPiece", unk_token: "[UNK]", vocab: { "[UNK]": 0, a: 1, c: 2, "##at": 3 } },
      normalizer: { type: "Lowercase" }, pre_tokenizer: { type: "Whitespace" }, decoder: { type: "WordPiece" } }));
    await until("document.querySelectorAll('.piece').length === 3");
    assert.match(await text("#view-tokens .note"), /Verloren: A\. Zurückübersetzt ergeben sie "a cat"\./);
    assert.deepEqual(browser.problems, []);
  },

  async "the language is that of the address, then the one chosen, then the browser's"() {
    await open("?lang=pirate#view=sheet");
    assert.equal(await run("document.documentElement.lang"), "en", "of a browser that asks for English");
    const choose = async (code) => {
      await run("delete document.documentElement.dataset.ready");
      await run(`(() => { const select = document.querySelector('.language'); select.value = '${code}'; select.dispatchEvent(new Event('change')); })()`);
      await until(`document.documentElement.dataset.ready !== undefined && document.documentElement.lang === '${code}'`);
    };
    await open("#view=practice&exercise=causal&seed=5");
    await choose("zh");
    assert.equal(await run("location.hash.includes('seed=5')"), true, "what is shown is kept");
    await open("#view=sheet");
    assert.equal(await run("document.documentElement.lang"), "zh", "it is remembered");
    await open("?lang=de#view=sheet");
    assert.equal(await run("document.documentElement.lang"), "de", "a link decides");
    await choose("en");
    assert.equal(await run("new URLSearchParams(location.search).get('lang')"), "en");
    await run("localStorage.clear()");
  },

  async "what if: a banner, both numbers, and back"() {
    await open("#sample=01-one-head&fault=scale.missing");
    assert.match(await text(".banner"), /What if: I forget √d_k\. \d+ numbers differ/);
    assert.match(await shown("weights", 0, 1), /^0\.601\s+0\.889$/);
    await run("document.querySelector('.banner button').click()");
    await until("document.querySelector('.banner').hidden");
    assert.equal(await shown("weights", 0, 1), "0.601");
    await until("![...document.querySelector('.what-if').options].some((option) => option.value === 'mask.missing')", "only mistakes that can occur");
    const codes = await run("[...document.querySelector('.what-if').options].map((option) => option.value)");
    assert.ok(codes.includes("scale.missing") && !codes.includes("mask.missing"), codes.join());
  },

  async "what if: every step that the headings name is there, and as many numbers are crossed out as the banner says"() {
    for (const [sample, fault, step] of [["01-one-head", "scale.missing", "scaled_scores"], ["04-causal", "mask.missing", "masked_scores"], ["04-causal", "keys.from_w_q", "k"]]) {
      await open(`#sample=${sample}&fault=${fault}`);
      assert.match(await run(`document.querySelector('${key(step, 1, 2)}').innerHTML`), /<del>/, fault);
      assert.equal(await run("document.querySelectorAll('.board del').length"), Number(/(\d+) numbers differ/.exec(await text(".banner"))[1]), fault);
    }
    await open("#sample=03-multi-head&fault=heads.split_reshaped");
    assert.match(await shown("q_heads", 1, 0), /^0.5\s+1.5$/, "the right number of a step that is a copy there");
    await open("#sample=04-causal&fault=values.unprojected");
    assert.match(await text(".banner"), /The shape changes: V is 6×4 instead of 6×2, O is 6×4/);
    await open("#sample=01-one-head&heads=2&fault=heads.averaged");
    assert.match(await text(".banner"), /C is 5×2 instead of 5×4, O is 5×2/, "O is there, although it is a copy");
  },

  async "with a mask, or heads without W_o, no step is left out"() {
    await open("#sample=04-causal&cell=masked_scores:1,1");
    assert.equal(await shown("scaled_scores", 1, 1), "-0.577");
    assert.ok(await run(`document.querySelector('${key("scaled_scores", 1, 1)}').classList.contains('source')`));
    await open("#sample=01-one-head&heads=2");
    assert.equal(await run("document.querySelectorAll('table[data-step=concat] tbody tr:first-child td[data-key]').length"), 4);
  },

  async "what was undone is said; a new token is compared by the names of the others"() {
    await open();
    await type("x", 1, 0, "3");
    await followed("/followed$/");
    await browser.press("Enter");
    await run("document.querySelectorAll('.less')[0].click()");
    await followed("/^[1-9]\\d* results changed$/");
    assert.ok(!(await run(`document.querySelector('${key("q", 0, 0)}').classList.contains("changed")`)), "cat has its numbers still");
    assert.ok(await run("document.querySelectorAll('table[data-step=weights] td.changed').length") > 10);
    await run("[...document.querySelectorAll('#tools button')].find((b) => b.innerText === 'Undo').click()");
    await followed("/^Undone: a token less\\. /");
    await run("[...document.querySelectorAll('#tools button')].find((b) => b.innerText === 'Undo').click()");
    await followed("/^Undone: X\\[cat, x0\\]\\. 1 number changed, \\d+ results followed$/");
  },

  async "the address holds the problem: own numbers, settings and the pinned cell come back"() {
    await open("#sample=04-causal");
    await type("x", 1, 0, "7");
    await followed("/followed/");
    await run("const mask = document.querySelectorAll('.settings select')[1]; mask.value = 'none'; mask.dispatchEvent(new Event('change'))");
    await until("location.hash.includes('mask=none')");
    await browser.pointAt(key("weights", 1, 1), true);
    await until("location.hash.includes('cell=weights:1,1')");
    const hash = await run("location.hash"), output = await onPage("output");
    assert.match(hash, /^#problem=[\w-]+&/);
    await open(hash);
    assert.equal(await valueOf("x", 1, 0), "7");
    assert.deepEqual(await onPage("output"), output);
    assert.match(await text(".panel .worked"), /^A\[/);
    assert.ok(await run("document.querySelector('.panel').classList.contains('pinned')"));
  },

  async "the keyboard alone: Tab reaches a matrix, arrows move, Alt adds, Enter pins, Escape lets go"() {
    await open();
    for (let i = 0; i < 60 && !(await run("document.activeElement.matches('input.n')")); ++i) await browser.press("Tab");
    assert.ok(await run("document.activeElement.matches('input.n')"));
    const at = () => run("document.activeElement.closest('[data-key]')?.dataset.key");
    const first = (await at()).split(" ");
    await browser.press("ArrowDown");
    await browser.press("ArrowRight");
    assert.deepEqual((await at()).split(" "), [first[0], "0", "0", String(Number(first[3]) + 1), String(Number(first[4]) + 1)]);
    const before = Number(await run("document.activeElement.value"));
    await browser.call("Input.dispatchKeyEvent", { type: "rawKeyDown", key: "ArrowUp", windowsVirtualKeyCode: 38, modifiers: 1 });
    assert.equal(Number(await run("document.activeElement.value")), before + 1);
    await followed("/^1 number changed/");
    for (let i = 0; i < 60 && !(await run("document.activeElement.matches('table[data-step=scores] td')")); ++i) await browser.press("Tab");
    await browser.press("ArrowRight");
    await browser.press("Enter");
    await until("document.querySelector('.panel').classList.contains('pinned')");
    assert.match(await text(".panel .worked"), /^S\[/);
    await browser.press("Escape");
    assert.ok(!(await run("document.querySelector('.panel').classList.contains('pinned')")));
  },

  async "tokens are renamed, added and removed"() {
    await open();
    await run(`document.querySelector('${key("x", 0, 0)} input').focus()`);
    for (const name of ["ArrowLeft", "ArrowDown", "ArrowDown"]) await browser.press(name);
    assert.equal(await run("document.activeElement.innerText"), "dreams", "arrows lead to the tokens");
    assert.ok(await run("document.activeElement.scrollWidth <= document.activeElement.clientWidth"), "nothing covers the word");
    await browser.press("ArrowRight");
    await browser.press("Tab");
    assert.equal(await run("document.activeElement.closest('table').dataset.step"), "w_q", "Tab goes to the next matrix");
    const names = () => run("[...document.querySelectorAll('.token')].map((b) => b.innerText)");
    await run("document.querySelector('.token').click()");
    for (const letter of "a") await browser.press(letter);
    await browser.press("Enter");
    await until("document.querySelector('.token')?.innerText === 'a'");
    await run("document.querySelector('.plus').click()");
    await until("document.querySelectorAll('.token').length === 6");
    assert.equal((await onPage("scores")).length, 6);
    await run("document.querySelectorAll('.less')[1].click()");
    await until("document.querySelectorAll('.token').length === 5");
    assert.deepEqual((await names()).slice(0, 2), ["a", "dreams"]);
  },

  async "sizes change; numbers that still fit stay"() {
    await open();
    const set = (label, value) => run(`(() => { const all = [...document.querySelectorAll(".choice")].find((each) => each.innerText.startsWith(${JSON.stringify(label)}) || each.textContent.startsWith(${JSON.stringify(label)}));
      const select = all.querySelector("select"); select.value = ${JSON.stringify(value)}; select.dispatchEvent(new Event("change")); })()`);
    const before = await onPage("w_q");
    await set("d_k", "2");
    await until("document.querySelectorAll('table[data-step=q]:not([aria-hidden]) tbody tr:first-child td[data-key]').length === 2");
    assert.deepEqual(await onPage("w_q"), before.map((row) => row.slice(0, 2)));
    await set("d_model", "7");
    await until("document.querySelectorAll('table[data-step=x] tbody tr:first-child td[data-key]').length === 7");
    assert.ok(await run("document.querySelector('.trouble').hidden"));
  },

  async "columns keep their widths while a field has the focus"() {
    await open();
    const widths = () => run("[...document.querySelectorAll('.board table')].map((table) => table.getBoundingClientRect().width)");
    const before = await widths();
    await type("x", 1, 0, "12345");
    await until(`document.querySelector('${key("q", 1, 0)}').innerText === "12345"`);
    assert.deepEqual(await widths(), before);
    await run("document.activeElement.blur()");
    await pause(100);
    assert.ok((await widths()).some((width, i) => width > before[i] + 10));
  },

  async "every sample opens"() {
    await open();
    const samples = await run("[...document.querySelector('.sample').options].map((option) => option.value)");
    assert.ok(samples.length > 20);
    for (const name of samples) {
      await open("#sample=" + name);
      assert.ok(await run("document.querySelectorAll('table.m').length > 0"), name);
      assert.ok(await run("document.querySelector('.trouble').hidden"), name + ": " + await text(".trouble"));
      assert.deepEqual(browser.problems, [], name);
    }
  },

  async "hostile addresses are text, or refused"() {
    const tokens = ["</script><script>document.title='hacked'</script>", "<img src=x onerror=document.title='hacked'>", "a\"b'c&amp;"];
    const vectors = tokens.map((_, i) => [i, 1]);
    await open(link({ title: "<b>bold</b>", tokens, q: vectors, k: vectors, v: vectors }));
    assert.equal(await run("document.querySelectorAll('img, #views b:not(.x)').length"), 0);
    assert.notEqual(await run("document.title"), "hacked");
    assert.ok((await text("#views")).length > 0);
    assert.ok(await run("[...document.querySelectorAll('th')].some((th) => th.textContent.includes('<img src=x onerror'))"));
    for (const hash of ["#problem=%00", "#problem=AAAA", "#sample=../../etc/passwd", "#heads=<img>&cell=__proto__:0,0", "#cell=scores:99,99", "#sample=01-one-head&mask=-o&view=nothing", link(["x"]),
      "#problem=" + deflateRawSync(Buffer.alloc(3 << 20, 32)).toString("base64url")]) {
      browser.problems.length = 0;
      await open(hash);
      assert.ok(await run("document.querySelectorAll('table.m').length > 0 || !document.querySelector('.trouble').hidden"), hash);
      assert.notEqual(await run("document.title"), "hacked");
      assert.deepEqual(browser.problems, [], hash);
    }
  },

  async "a phone shows one product at a time; nothing scrolls sideways from 320 px to 2560 px"() {
    for (const width of [320, 360, 768, 1280, 1920, 2560]) {
      await browser.size(width, 740);
      await open();
      assert.ok(await run("document.documentElement.scrollWidth") <= width, `${width} px`);
      assert.equal(await run("document.querySelector('.pager').hidden"), width > 719);
    }
    for (const view of ["practice", "sheet", "lessons", "tokens", "tokens&text=" + "long".repeat(60) + "%0A%09", "file", "terminal"]) {
      await browser.size(320, 640);
      await open("#view=" + view);
      await pause(300);
      assert.ok(await run("document.documentElement.scrollWidth") <= 320, view);
    }
    await browser.size(740, 360);
    await open();
    const inView = `(() => { const at = document.querySelector('.board input.n').getBoundingClientRect();
      return document.elementFromPoint(at.x + at.width / 2, at.y + at.height / 2)?.matches('input.n') ?? false; })()`;
    assert.ok(await run(inView), "a field is in view on a phone on its side");
    await browser.size(360, 740);
    await open();
    await run("document.querySelector('.pager button:last-child').click()");
    assert.match(await text(".pager"), /2\/7/);
    await open("#sample=04-causal");
    for (let i = 0; i < 5; ++i) await run("document.querySelector('.pager > button:last-of-type').click()");
    assert.deepEqual(await run("[...document.querySelectorAll('.board table')].map((table) => [table.tBodies[0].rows[1].cells[0].innerText, table.querySelector('td[data-key]').offsetLeft])"),
      [["cannot", ...(await run("[document.querySelector('.board td[data-key]').offsetLeft]"))], ["cannot", ...(await run("[document.querySelector('.board td[data-key]').offsetLeft]"))]], "both matrices have names and line up");
    assert.ok(await run("document.querySelector('.pager math').scrollWidth <= document.querySelector('.pager math').clientWidth"));
    await open("#view=terminal");
    assert.ok(await run("document.documentElement.scrollWidth") <= 360);
    await browser.size(1280, 800);
  },

  async "8 heads of 16 tokens: one product at a time, heads as thumbnails"() {
    const rows = (n, m) => ({ randn: [n, m], seed: n + m });
    await open(link({ embeddings: rows(16, 32), heads: 8, weights: { w_q: rows(32, 32), w_k: rows(32, 32), w_v: rows(32, 32) } }));
    assert.equal(await run("document.querySelectorAll('.heads button').length"), 8);
    assert.ok(!(await run("document.querySelector('.pager').hidden")));
    await run("const s = document.querySelectorAll('.settings select')[1]; s.value = 'causal'; s.dispatchEvent(new Event('change'))");
    await followed("/results changed/");
    await pause(200);
    times.large = await run("document.documentElement.dataset.edit");
  },


  async "tokens: a typed text in pieces, with the ids of the program, spaces and bytes visible, and words for who listens"() {
    await open("#view=tokens&text=" + encodeURIComponent("The cat 猫"));
    const read = (what) => run(`[...document.querySelectorAll(".tokens li")].map((li) => li.querySelector("${what}").textContent)`);
    assert.deepEqual(await read(".piece"), ["The", "␣cat", "␣", "<0xE7>", "<0x8C>", "<0xAB>"]);
    assert.deepEqual(await read(".aside"), ["The", "space cat", "space", "byte E7", "byte 8C", "byte AB"]);
    await run("document.querySelector('textarea').select()");
    const typed = "a cats' <b>🙂</b>\n the end";
    for (const [i, letter] of [...typed].entries()) {
      await browser.call("Input.insertText", { text: letter });
      await until(`document.querySelector('.tokens').innerText !== "" && document.querySelector('textarea').value.length >= ${i}`);
    }
    await until("/%0A/.test(location.hash) && [...document.querySelectorAll('.piece')].some((each) => each.textContent === 'nd')");
    await pause(100);
    times.tokens = await run("document.documentElement.dataset.edit");
    assert.ok(Number(times.tokens) < 100, times.tokens + " ms");
    assert.equal(await run("document.querySelectorAll('.tokens b').length"), 0);
    assert.match(await text("#view-tokens .status"), /^\d+ tokens · attn's own English tokenizer$/);
    await until("/^\\d+ tokens$/.test(document.querySelector('#said').textContent)");
    if (attn) {
      const truth = JSON.parse(execFileSync(attn, ["tokens", "-", "--json"], { input: typed, encoding: "utf8" }));
      assert.deepEqual(await read(".piece"), truth.shown);
      assert.deepEqual(await read("small"), truth.ids.map(String));
    }
    const hash = await run("location.hash"), pieces = await read(".piece");
    await open(hash);
    assert.deepEqual(await read(".piece"), pieces, "the address brings the text back");
  },

  async "tokens: a tokenizer of one's own is dropped; one that attn cannot read leaves the one before; a note says what is lost"() {
    await open("#view=tokens&text=A+cat");
    const pieces = () => run("[...document.querySelectorAll('.piece')].map((each) => each.textContent).join('|')");
    await drop("tokens", "bad.json", '{"model": {"type": "Unigram", "vocab": []}}');
    await until("/Unigram/.test(document.querySelector('#view-tokens .trouble').textContent)");
    assert.equal(await pieces(), "A|␣cat");
    await drop("tokens", "my tokenizer.json", JSON.stringify({ model: { type: "WordPiece", unk_token: "[UNK]", vocab: { "[UNK]": 0, a: 1, c: 2, "##at": 3 } },
      normalizer: { type: "Lowercase" }, pre_tokenizer: { type: "Whitespace" }, decoder: { type: "WordPiece" } }));
    await until("document.querySelectorAll('.piece').length === 3");
    assert.equal(await pieces(), "a|c|##at");
    assert.ok(await run("document.querySelector('#view-tokens .trouble').hidden"));
    assert.match(await text("#view-tokens .note"), /Lost: A\. Decoded, they are "a cat"\./);
    assert.match(await text("#view-tokens .status"), /^3 tokens · my tokenizer\.json$/);
    await run("[...document.querySelectorAll('#view-tokens button')].find((b) => b.innerText === \"attn's own tokenizer\").click()");
    await until("document.querySelectorAll('.piece').length === 2");
    assert.deepEqual(browser.problems, []);
  },

  async "tokens: they become those of a problem to play with, where the same id has the same row"() {
    await open("#view=tokens&text=the+cat+the+cat");
    await run("[...document.querySelectorAll('#view-tokens button')].find((b) => b.innerText === 'Play with these tokens').click()");
    await until("document.querySelectorAll('#view-play .token').length === 4");
    assert.deepEqual(await run("[...document.querySelectorAll('#view-play .token')].map((each) => each.innerText)"), ["the", "␣cat", "␣the", "␣cat"].map((each, i) => i % 2 ? i + ":" + each : each));
    const row = (i) => run(`[...document.querySelectorAll('table[data-step=x] tbody tr')][${i}].querySelectorAll('input').length && [...document.querySelectorAll('table[data-step=x] tbody tr')[${i}].querySelectorAll('input')].map((each) => each.value).join()`);
    assert.equal(await row(1), await row(3));
    assert.notEqual(await row(0), await row(1));
  },

  async "the accessibility checker finds nothing"() {
    if (!axe || !existsSync(axe)) return console.log("not tested: axe-core");
    const script = readFileSync(axe, "utf8");
    for (const [hash, width, scheme] of [["", 1280, "light"], ["#sample=03-multi-head&fault=scale.missing&cell=weights:2,1", 1280, "dark"], ["", 360, "light"], ["#view=terminal", 1280, "light"], ["#view=practice&exercise=self&seed=1", 1280, "light"], ["#view=lessons", 360, "dark"], ["#view=lessons&lesson=scale", 1280, "light"], ["#view=tokens", 1280, "light"], ["#view=tokens&text=a+cat+猫%0A", 360, "dark"], ["#view=file", 1280, "light"], ["#view=sheet", 360, "light"]]) {
      await browser.size(width, 800);
      await browser.media("screen", [{ name: "prefers-color-scheme", value: scheme }]);
      await open(hash);
      await run(script + "\n0");
      const found = await run("axe.run().then((r) => r.violations.map((v) => v.impact + ' ' + v.id + ': ' + v.nodes.map((n) => n.html).slice(0, 3).join(' ')))");
      assert.deepEqual(found, [], hash + " " + width + " " + scheme);
    }
    await browser.media("screen");
    await browser.size(1280, 800);
  },

  async "practice: new numbers, boxes that are checked and marked, hints, and the numbers when asked for"() {
    await open("#view=practice&exercise=causal&seed=5");
    const boxes = "document.querySelectorAll('.sheet td input')", press = (name) => run(`[...document.querySelectorAll('#view-practice button')].find((b) => b.innerText === '${name}').click()`);
    assert.ok(await run(boxes + ".length") > 20);
    await run(`${boxes}[0].value = "-0.016"`);
    assert.ok(await run(`${boxes}[0].scrollWidth <= ${boxes}[0].clientWidth`), "a negative answer with three decimals fits");
    await press("Check");
    await until("/of 10 points/.test(document.querySelector('.checks .status').innerText)");
    await press("Show the numbers");
    assert.equal(await run(boxes + "[0].value"), "-0.016", "what was typed stays");
    assert.equal(await run("document.querySelectorAll('.sheet td.wrong').length"), 0);
    assert.ok(!/right\./.test(await text(".checks .status")) && (await text(".hints")) === "");
    await run(`for (const box of ${boxes}) box.value = box.parentElement.querySelector(".told").innerText`);
    await press("Check");
    await until("document.querySelector('.checks .status').innerText === 'Everything is right.'");
    assert.equal(await run("document.querySelectorAll('.sheet td.right').length"), await run(boxes + ".length"));
    await run(`const box = [...${boxes}].find((each) => each.dataset.step === "scores"); box.focus(); box.value = "77"; box.dispatchEvent(new Event("input", { bubbles: true }))`);
    assert.ok(await run("!document.activeElement.parentElement.classList.contains('right')"), "an edit takes the mark away");
    await press("Check");
    await until("/of 10 points/.test(document.querySelector('.checks .status').innerText)");
    assert.equal(await run("document.querySelectorAll('.sheet td.wrong').length"), 1);
    assert.equal(await run("document.querySelector('.sheet td.wrong input').getAttribute('aria-description')"), "wrong");
    assert.match(await text(".hints"), /S = Q|scores|how well/);
    assert.ok(!/does not follow/.test(await text(".hints")));
    await press("A further hint");
    await until("/What I see/.test(document.querySelector('.hints').innerText)");
    assert.match(await text(".hints"), /✗ wrong/, "marks are explained");
    assert.equal(await text(".title"), "Practice: a causal mask");
    const before = await run("location.hash");
    await press("New numbers");
    await until(`location.hash !== ${JSON.stringify(before)}`);
    assert.equal(await run(`[...${boxes}].every((box) => box.value === "")`), true);
    // No scale: the last hint names the cause, after the question.
    await open("#view=practice&exercise=causal&seed=5&blanks=all");
    await press("Show the numbers");
    await run(`for (const box of ${boxes}) { const name = box.dataset.step === "scaled_scores" ? "scores" : box.dataset.step;
      const like = [...${boxes}].find((each) => each.dataset.step === name && each.dataset.row === box.dataset.row && each.dataset.col === box.dataset.col);
      box.value = ["q", "k", "v", "scores", "scaled_scores"].includes(box.dataset.step) ? like.parentElement.querySelector(".told").innerText : ""; }`);
    await press("Check");
    for (let rung = 1; rung <= 4; ++rung) {
      await until("!document.querySelector('.checks button:last-of-type').hidden");
      const told = await text(".hints");
      assert.doesNotMatch(told, /scale\.missing/);
      await press("A further hint");
      await until(`document.querySelector('.hints').innerText.length > ${told.length}`);
    }
    assert.match(await text(".hints"), /scale\.missing/);
    assert.ok(await run("document.querySelector('.checks button:last-of-type').hidden"), "there is no hint after it");
    await open("#view=practice&exercise=find-the-bug&seed=3");
    await until("[...document.querySelectorAll('.checks option')].some((each) => each.innerText === 'mask forgotten')");
    await run("const [step, code] = document.querySelectorAll('.checks select'); step.value = 'weights'; code.value = 'scale.missing'");
    await press("Check");
    await until("/1 of 2 points/.test(document.querySelector('.checks .status').innerText)");
    assert.match(await text(".hints"), /Step right\s+Mistake it is another one/);
  },

  async "practice on the problem that Play shows: any of its steps is hidden; the address brings it back"() {
    const press = (view, name) => run(`[...document.querySelectorAll('${view} button')].find((b) => b.innerText === '${name}').click()`);
    const choose = (label, value) => run(`(() => { const select = [...document.querySelectorAll("#view-practice .choice")].find((each) => each.textContent.startsWith("${label}")).querySelector("select");
      select.value = "${value}"; select.dispatchEvent(new Event("change")); })()`);
    const steps = () => run("[...new Set([...document.querySelectorAll('.sheet td input')].map((box) => box.dataset.step))].join()");
    await open("#sample=03-multi-head&mask=causal");
    await type("x", 1, 0, "3");
    await followed("/followed/");
    await press("#tools", "Practise");
    await until("document.querySelectorAll('.sheet td input').length > 20");
    assert.match(await steps(), /^q,k,v,scores,.*weights,.*output$/);
    await choose("Hide", "masked_scores");
    await choose("To fill in", "all");
    await until("document.querySelectorAll('.sheet td input[data-step=masked_scores]').length === 2 * 5 * 5");
    const hash = await run("location.hash");
    assert.match(hash, /^#view=practice&problem=[\w-]+&mask=causal&blanks=all&seed=\d+&hide=masked_scores$/);
    await open(hash);
    assert.equal(await steps(), "masked_scores");
    await press("#view-practice", "Show the numbers");
    await run("for (const box of document.querySelectorAll('.sheet td input')) box.value = box.parentElement.querySelector('.told').innerText");
    await press("#view-practice", "Check");
    await until("document.querySelector('.checks .status').innerText === 'Everything is right.'");
    for (const sample of ["09-batch", "24-experts", "15-induction", "18-latent"]) {
      await open("#hide=&view=practice&sample=" + sample);
      assert.ok(await run("document.querySelectorAll('.sheet td input').length > 0"), sample + ": " + await text("#view-practice"));
    }
    assert.deepEqual(browser.problems, []);
  },

  async "a page made for sheets opens them, and has nothing that solves them"() {
    if (!attn) return;
    const folder = mkdtempSync(join(tmpdir(), "attn-web-")), spec = join(folder, "spec.json"), made = join(folder, "made");
    try {
      writeFileSync(spec, JSON.stringify({ problem: JSON.parse(sampleText("04-causal")), title: "<b>Cats</b> </script>", self_check: "cells", steps: { weights: 1 } }));
      execFileSync(attn, ["exercise", "make", "--spec", spec, "--web", path, "--format", "json,html", "-o", made]);
      const openPage = async (name, hash) => {
        await browser.open(join(made, name), hash);
        await until("document.documentElement.dataset.ready !== undefined", "ready");
      };
      for (const hash of ["", "#view=play", "#view=terminal", "#sample=04-causal"]) {
        await openPage("attn.html", hash);
        assert.equal(await run("[...document.querySelectorAll('#tabs button')].map((b) => b.innerText).join()"), "Sheet,Practice,Lessons");
        assert.equal(await run("document.querySelectorAll('.board, .screen').length"), 0);
      }
      await drop("sheet", "sheet.json", readFileSync(join(made, "sheets/sheet.json"), "utf8"));
      await until("document.querySelectorAll('#view-sheet td input').length > 5");
      await openPage("attn.html", "#view=practice&sample=04-causal");
      assert.equal(await run("document.querySelectorAll('.sheet td input[data-step=q]').length > 0"), true, "a preset, not the problem");
      await openPage("attn.html", "#view=lessons&lesson=one-head");
      assert.ok(!/attn explain --/.test(await text("#view-lessons")));
      await openPage("sheets/sheet.html");
      assert.equal(await text("#view-sheet .title"), "<b>Cats</b> </script>");
      const solved = JSON.parse(readFileSync(join(made, "key/answers/sheet.json"), "utf8")).answers.weights;
      await run(`document.querySelectorAll('#view-sheet td input').forEach((box) => { box.value = ${JSON.stringify(solved)}[box.dataset.row][box.dataset.col]; })`);
      await run("[...document.querySelectorAll('#view-sheet button')].find((b) => b.innerText === 'Check').click()");
      await until("document.querySelector('.checks .status').innerText === 'Everything is right.'");
      assert.deepEqual(browser.problems, []);
    } finally {
      rmSync(folder, { recursive: true });
    }
  },

  async "a sheet that is dropped is kept by the browser, comes back, and can be cleared"() {
    const sheet = readFileSync(new URL("sheet.json", import.meta.url), "utf8"), boxes = "document.querySelectorAll('#view-sheet td input')";
    const take = async () => {
      await open("#view=sheet");
      await drop("sheet", "sheet.json", sheet);
      await until(boxes + ".length > 0");
    };
    await take();
    await run(`${boxes}[0].focus()`);
    await browser.press("7");
    await take();
    assert.equal(await run(boxes + "[0].value"), "7");
    await run("window.saved = undefined; URL.createObjectURL = (blob) => { blob.text().then((text) => { window.saved = text; }); return 'about:blank'; }");
    await run("HTMLAnchorElement.prototype.click = function () { window.savedAs = this.download; }");
    await run("[...document.querySelectorAll('#view-sheet button')].find((b) => /^Save/.test(b.innerText)).click()");
    await until("window.saved !== undefined");
    assert.equal(await run("window.savedAs"), "causal.s017.json");
    const saved = JSON.parse(await run("window.saved")), empty = JSON.parse(sheet);
    assert.deepEqual({ ...saved, answers: 0 }, { ...empty, answers: 0 });
    assert.match(JSON.stringify(saved.answers), /7/);
    const forget = (answer) => run(`window.confirm = () => ${answer}; [...document.querySelectorAll('#view-sheet button')].find((b) => /^Forget/.test(b.innerText)).click()`);
    await forget(false);
    await take();
    assert.equal(await run(boxes + "[0].value"), "7");
    await forget(true);
    await take();
    assert.equal(await run(boxes + "[0].value"), "");
  },

  async "lessons: the list, one of them, its answers folded until asked for"() {
    await open("#view=lessons");
    assert.ok(await run("document.querySelectorAll('#view-lessons button.plain').length") > 15);
    await run("[...document.querySelectorAll('#view-lessons button.plain')].find((b) => /one-head/.test(b.innerText)).click()");
    await until("document.querySelector('#view-lessons details') !== null");
    const tables = () => run("[...document.querySelectorAll('#view-lessons table')].filter((each) => each.offsetParent !== null).length"), few = await tables();
    await run("for (const each of document.querySelectorAll('#view-lessons details')) each.open = true");
    await until(`[...document.querySelectorAll('#view-lessons table')].filter((each) => each.offsetParent !== null).length > ${few}`, "what follows an answer was folded");
    await run("for (const each of document.querySelectorAll('#view-lessons details')) each.open = false");
    const marked = () => run("[...document.querySelectorAll('#view-lessons tbody tr')].filter((each) => /✓/.test(each.innerText)).map((each) => each.cells[1].querySelector('button').innerText).join()");
    await run("[...document.querySelectorAll('#view-lessons button')].find((b) => b.innerText === 'All lessons').click()");
    await until("document.querySelectorAll('#view-lessons button.plain').length > 15");
    assert.equal(await marked(), "one-head", "a lesson that was read to the end is marked");
    await run("[...document.querySelectorAll('#view-lessons button')].find((b) => /^Forget/.test(b.innerText)).click()");
    await until("!/✓/.test(document.querySelector('#view-lessons').innerText)", "Forget forgets");
    assert.equal(await marked(), "");
    await open("#view=lessons&lesson=one-head");
    await until("document.querySelector('#view-lessons details') !== null");
    assert.match(await run("location.hash"), /view=lessons&lesson=one-head/);
    assert.match(await text("#view-lessons .title"), /One head/);
    assert.ok(await run("[...document.querySelectorAll('#view-lessons details')].every((each) => !each.open && /answer/i.test(each.firstElementChild.innerText))"));
    assert.ok(!(await run("[...document.querySelectorAll('#view-lessons p > strong:first-child')].some((each) => each.innerText === 'answer')")));
    await run("[...document.querySelectorAll('#view-lessons button')].find((b) => b.innerText === 'attn explain --mask causal').click()");
    await until("location.hash === '#sample=01-one-head&mask=causal'");
  },

  async "a file that is dropped is summed up, drawn, and played with"() {
    await open("#view=file");
    await drop("file", "my numbers.json", JSON.stringify({ title: "mine", tokens: ["a", "b"], q: [[1, 0], [0, 1]], k: [[1, 0], [0, 1]], v: [[1, 2], [3, 4]] }));
    await until("document.querySelector('#view-file svg') !== null");
    assert.match(await text("#view-file"), /weights/);
    assert.match(await text("#view-file"), /my_numbers\.json/, "a file keeps its name");
    await run("[...document.querySelectorAll('#view-file button')].find((b) => b.innerText === 'Play with it').click()");
    await until("location.hash.startsWith('#problem=') && document.querySelector('#view-play table.m') !== null");
    await open("#view=file");
    await drop("file", "bad.json", "{]");
    await until("document.querySelector('#view-file .trouble') !== null");
    assert.deepEqual(browser.problems, []);
  },

  async "a command in the terminal prints what the program prints; its files are there"() {
    await open("#view=terminal");
    await until("document.querySelector('.screen pre.out') !== null && document.activeElement.matches('.line')");
    assert.equal(await run("document.querySelector('.screen').scrollTop"), 0, "its beginning is visible");
    await browser.call("Input.insertText", { text: "new --sample 01-one-head -o a.json" });
    await browser.press("Enter");
    await until("document.querySelector('.files button')?.innerText === 'a.json'");
    await run("document.querySelector('.line').focus()");
    await browser.press("ArrowUp");
    assert.equal(await run("document.querySelector('.line').value"), "new --sample 01-one-head -o a.json");
  },
};

let failed = 0;
try {
  await browser.size(1280, 800);
  for (const [name, test] of Object.entries(tests)) {
    browser.problems.length = 0;
    try {
      await test();
      console.log("ok: " + name);
    } catch (error) {
      ++failed;
      console.log("FAILED: " + name + "\n" + error.message + "\n" + (error.stack ?? "").split("\n").slice(1, 3).join("\n"));
    }
  }
  console.log(`first paint after ${times.paint} ms, ready after ${times.ready} ms, an edit on screen after ${times.edit} ms, with 8 heads of 16 tokens after ${times.large} ms, tokens after ${times.tokens} ms`);
} finally {
  await browser.stop();
}
process.exit(failed === 0 ? 0 : 1);

// Pages in a real browser, without a network: page_test.mjs ATTN [AXE]. Skips without Chromium.
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Browser } from "./browser.mjs";

const [attn, axe] = process.argv.slice(2);
const chromium = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find(existsSync);
if (chromium === undefined) {
  console.log("skipped: Chromium is not installed");
  process.exit(77);
}
const folder = mkdtempSync(join(tmpdir(), "attn-pages-"));
const run = (...args) => execFileSync(attn, args, { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
const page = (name, ...args) => {
  run(...args, "-o", join(folder, name));
  return join(folder, name);
};
const browser = await Browser.start(chromium);
const text = (selector) => browser.run(`document.querySelector(${JSON.stringify(selector)})?.innerText ?? null`);
const td = (step, row, col, head = "") => `table[data-step='${step}']${head} tbody tr:nth-child(${row + 1}) td:nth-child(${col + 2})`;
const causal = page("causal.html", "explain", "--mask", "causal");
const heads = page("heads.html", "explain", "--heads", "2", "--mask", "causal");
const samples = new URL("../../samples/", import.meta.url).pathname;
const checked = join(folder, "checked.html");
spawnSync(attn, ["check", samples + "answers/first-try.json", "--problem", samples + "01-one-head.json", "-o", checked]);
const week = join(folder, "week");
run("exercise", "make", "--preset", "multihead", "--format", "json,html", "-o", week);
const sheet = join(week, "sheets", "sheet.html");
// Made of what heads.html and the filled sheet have, so that the accessibility checker need not read them.
const alike = [page("grouped.html", "explain", samples + "12-grouped-heads.json"), page("solved.html", "exercise", "key", week)];
const everyKind = [causal, heads, checked, sheet, join(week, "key", "answers", "sheet.html"),
  page("gradient.html", "explain", "--gradient", "--mask", "causal"),
  page("cell.html", "explain", "--cell", "weights:2,1", "--mask", "causal"),
  page("summary.html", "explain", "--summary"),
  page("blank.html", "explain", "--blank", "weights"),
  page("compare.html", "compare", "--left", "mask=none", "--right", "mask=causal"),
  page("lesson.html", "lesson", "masks"),
  page("lessons.html", "lesson"),
  page("model.html", "explain", samples + "15-induction.json"),
  page("generated.html", "generate", samples + "15-induction.json"),
  page("class.html", "check", join(week, "sheets"), "--key", join(week, "key")),
  page("rules.html", "exercise", "rules"),
  ...alike,
];

const tests = {
  async "every kind of page loads without an error or a request, is accessible, and can be light or dark"() {
    const checker = axe && existsSync(axe) ? readFileSync(axe, "utf8") : console.log("not tested: axe-core");
    const paper = () => browser.run("getComputedStyle(document.body).backgroundColor");
    for (const each of everyKind) {
      await browser.open(each);
      assert.notEqual(await text("h1"), null, each);
      const before = await paper();
      if (checker && !alike.includes(each)) {
        await browser.run(checker + "\n0");
        const found = await browser.run("axe.run().then((r) => r.violations.map((v) => v.impact + ' ' + v.id + ': ' + v.nodes.map((n) => n.html).slice(0, 3).join(' ')))");
        assert.deepEqual(found, [], each);
      }
      await browser.run("[...document.querySelectorAll('header button')].find((b) => b.innerText === 'light or dark').click()");
      assert.notEqual(await paper(), before, each);
      assert.deepEqual(browser.problems, [], each);
    }
  },

  async "the arithmetic of every cell is that of --cell"() {
    const odd = join(folder, "odd.json"), zero = [[0, 0, 0]], big = [[1.5e9, -5711947.48697, 2], [0, -3e-7, 1]];
    writeFileSync(odd, JSON.stringify({ q: [...zero, [1, -2.25, 0.1]], k: big, v: big, dtype: "float32" }));
    const plain = (t) => t.replace(/ \([^()]*[a-z]{3}[^()]*\)$/, "").replace(/-inf/g, "−∞").replace(/\binf\b/g, "∞").replace(/\bnan\b/g, "NaN").replace(/ of (kv )?head \d/g, "").replace(/\s+/g, " ").trim();
    const looked = new Set();
    const huge = join(folder, "huge.json");
    writeFileSync(huge, JSON.stringify({ q: [[1e200, 1], [1e160, 1 / 3]], k: [[1e200, 2], [-1e200, 1]], v: [[1], [2]] }));
    const steep = join(folder, "steep.json");  // e^15.56: a divisor of seven digits before the point
    writeFileSync(steep, JSON.stringify({ q: [[15.558], [14.1]], k: [[1], [0.7], [0.3]], v: [[1], [2], [3]] }));
    for (const what of [["--heads", "2", "--mask", "causal"], [odd], [huge], [steep], ["--mask", "causal", "--masking", "add", "--fill", "-1e9"],
      ["--mask", "causal", "--softcap", "3", "--precision", "17"], ["--fault", "softmax.twice", "--mask", "causal"],
      ["--positions", "rope"], ["--gradient", "--mask", "window:1"]]) {
      const steps = JSON.parse(run("explain", ...what, "--json")).steps;
      await browser.open(page("every.html", "explain", ...what));
      for (const [step, { shape, data }] of Object.entries(steps)) {
        const tables = `table[data-step='${step}']`, each_head = shape.length === 3;
        if (await text(tables) === null) continue;
        looked.add(step);
        for (const [head, rows] of (each_head ? data : [data]).entries()) {
          const cells = rows.flatMap((values, row) => values.map((value, col) => ({ row, col, value })));
          const told = run("explain", ...what, ...cells.flatMap(({ row, col }) => ["--cell", `${step}:${row},${col}`]),
            "--depth", "0", ...(each_head ? ["--head", head] : []), "--layout", "lines").split(/^Where /m).slice(1);
          const shown = await browser.run(`${JSON.stringify(cells)}.map(({ row, col }) => {
            const table = document.querySelectorAll(${JSON.stringify(tables)})[${head}];
            table.tBodies[0].rows[row].cells[col + 1].dispatchEvent(new MouseEvent("mouseover", { bubbles: true }));
            return [document.querySelector("#panel .worked").innerText, document.querySelector("#panel dl").lastChild.textContent];
          })`);
          assert.equal(told.length, cells.length);
          for (const [i, { row, col, value }] of cells.entries()) {
            const line = told[i].split("\n").find((each) => /^[^ ]+\[[^\]]*\].* [=≈] /.test(each));
            const where = `${what.join(" ")}: ${step}:${row},${col} of head ${head}`;
            const copied = /^([^=≈]+ = [^=≈]+\]) [=≈] [^=≈]+$/.exec(plain(shown[i][0]));
            if (copied) assert.ok(plain(line).startsWith(copied[1] + " "), where);
            else assert.equal(plain(shown[i][0]), plain(line), where);
            assert.equal(shown[i][1], { "-Infinity": "−∞", Infinity: "∞" }[value] ?? String(value), where);
          }
        }
      }
    }
    for (const step of ["x", "q", "k", "v", "scores", "scaled_scores", "masked_scores", "weights", "context", "output", "weights1", "q_rotated", "scores.grad"])
      assert.ok(looked.has(step), step);
  },

  async "each batch entry has numbers of its own"() {
    const batch = join(folder, "entries.json");
    writeFileSync(batch, JSON.stringify({ q: [[[1]], [[2]]], k: [[[1], [2]], [[3], [5]]], v: [[[1], [2]], [[3], [4]]] }));
    await browser.open(page("entries.html", "explain", batch));
    const shown = await browser.run(`[...document.querySelectorAll("table[data-step='scores']")].map((table) => {
      table.tBodies[0].rows[0].cells[2].dispatchEvent(new MouseEvent("mouseover", { bubbles: true }));
      return document.querySelector("#panel dl").lastChild.textContent;
    })`);
    assert.deepEqual(shown, ["2", "10"]);
  },

  async "pointing shows a cell and marks its sources; a click keeps it; Escape lets it go"() {
    await browser.open(causal);
    await browser.pointAt(td("weights", 2, 1));
    assert.equal(await text("#panel h2"), "A[dreams, cat]");
    assert.equal(await browser.run("document.querySelectorAll('table[data-step=masked_scores] td.source').length"), 3);
    assert.equal(await browser.run("document.querySelectorAll('td.chosen').length"), 1);
    assert.equal(await text("table[data-step=masked_scores] tr:nth-child(3) th.source"), "dreams");
    await browser.pointAt(td("weights", 2, 1), true);
    assert.equal(await browser.run("location.hash"), "#step=weights&row=2&col=1");
    await browser.pointAt(td("weights", 1, 1));
    assert.equal(await text("#panel h2"), "A[dreams, cat]", "kept");
    await browser.press("Escape");
    await browser.pointAt(td("weights", 1, 0));
    assert.equal(await text("#panel h2"), "A[cat, the]");
  },

  async "the matrices of a comparison and of a lesson answer, each for its own computation"() {
    await browser.open(join(folder, "compare.html"), "#step=right%3Aweights&row=2&col=1");
    assert.match(await text("#panel .worked"), /^A\[dreams, cat\] = e\^1\.5 \/ \(e\^0\.5 \+ e\^1\.5 \+ e\^1\)/);
    await browser.open(join(folder, "compare.html"), "#step=left%3Aweights&row=2&col=1");
    assert.match(await text("#panel .worked"), /^A\[dreams, cat\] = e\^1\.5 \/ \(e\^0\.5 \+ e\^1\.5 \+ e\^1 \+ e\^1 \+ e\^2\)/);
    await browser.open(join(folder, "lesson.html"));
    const tables = await browser.run("document.querySelectorAll('table.reads').length");
    assert.equal(tables, await browser.run("document.querySelectorAll('table[data-step]').length"));
    assert.ok(tables > 3);
  },

  async "a sum of products shows both vectors, their products and the running sum"() {
    const { q, k, weights, v, output } = JSON.parse(run("explain", "--mask", "causal", "--json")).steps;
    const rows = () => browser.run("[...document.querySelectorAll('#panel .terms tr')].map((tr) => [...tr.cells].map((td) => td.innerText))");
    const check = async (names, a, b, sum) => {
      const [head, ...lines] = await rows();
      assert.deepEqual(head.slice(1), [...names, "products", "running sum"]);
      assert.equal(lines.length, a.length);
      let so_far = 0;
      for (const [i, line] of lines.entries()) {
        so_far += a[i] * b[i];
        for (const [j, value] of [a[i], b[i], a[i] * b[i], so_far].entries()) assert.ok(Math.abs(Number(line[j + 1]) - value) <= 5e-4, `${line}`);
      }
      assert.ok(Math.abs(so_far - sum) < 1e-12);
    };
    await browser.open(causal, "#step=scores&row=2&col=1");
    await check(["Q[dreams]", "K[cat]"], q.data[2], k.data[1], 3);
    assert.deepEqual((await rows()).slice(1).map((line) => line[0]), ["q0", "q1", "q2", "q3"]);
    await browser.open(causal, "#step=output&row=2&col=1");
    await check(["A[dreams]", "V[:, v1]"], weights.data[2], v.data.map((row) => row[1]), output.data[2][1]);
    assert.deepEqual((await rows()).slice(1).map((line) => line[0]), ["the", "cat", "dreams", "it", "flies"]);
  },

  async "matrices are side by side where there is room, so that what a number was made from is in view"() {
    const tops = () => browser.run("['q', 'k'].map((id) => document.getElementById('step-' + id).getBoundingClientRect().top)");
    await browser.size(1280, 800);
    await browser.open(causal, "#step=scores&row=2&col=1");
    const [q, k] = await tops();
    assert.equal(q, k);
    const seen = await browser.run("[...document.querySelectorAll('td.source')].map((td) => td.getBoundingClientRect()).map((box) => box.top >= 0 && box.bottom <= innerHeight)");
    assert.deepEqual(seen, Array(8).fill(true));
    assert.ok((await browser.run("document.documentElement.scrollWidth")) <= 1280);
    await browser.size(480, 800);
    const [above, below] = await tops();
    assert.ok(above < below);
    await browser.size(1280, 900);
  },

  async "names in Hebrew keep their places"() {
    const file = join(folder, "hebrew.json"), vectors = [[1, 0], [0, 1], [1, 1]];
    writeFileSync(file, JSON.stringify({ tokens: ["שלום", "עולם", "cat"], q: vectors, k: vectors, v: vectors, mask: "causal" }));
    await browser.open(page("hebrew.html", "explain", file), "#step=weights&row=0&col=1");
    const lefts = (selector) => browser.run(`["שלום", "עולם"].map((name) => {
      const all = document.createTreeWalker(document.querySelector(${JSON.stringify(selector)}), NodeFilter.SHOW_TEXT), range = document.createRange();
      while (all.nextNode()) {
        const at = all.currentNode.data.indexOf(name);
        if (at === -1) continue;
        range.setStart(all.currentNode, at); range.setEnd(all.currentNode, at + name.length);
        return range.getBoundingClientRect().left;
      }
      return undefined;
    })`);
    for (const selector of ["#panel h2", "#panel .worked", "#panel dl"]) {
      const [row, col] = await lefts(selector);
      assert.ok(row < col, `${selector}: ${row}, ${col}`);
    }
    const [row, col] = await browser.open(page("hebrew-cell.html", "explain", file, "--cell", "weights:0,1")).then(() => lefts("main"));
    assert.ok(row < col, `main: ${row}, ${col}`);
  },

  async "Tab leaves what is kept; arrows and Escape let it go"() {
    await browser.open(causal);
    await browser.run(`document.querySelector("${td("scores", 0, 0)}").focus()`);
    await browser.press("ArrowRight");
    await browser.press("Enter");
    assert.equal(await text("#panel h2"), "S[the, cat]");
    const inTable = () => browser.run("document.activeElement.closest('table')?.dataset.step ?? null");
    for (let tabs = 0; tabs < 30 && (await inTable()) !== "scaled_scores"; ++tabs) await browser.press("Tab");
    assert.equal(await inTable(), "scaled_scores");
    assert.equal(await text("#panel h2"), "S[the, cat]");
    assert.equal(await browser.run("location.hash"), "#step=scores&row=0&col=1");
    await browser.press("ArrowDown");
    assert.equal(await text("#panel h2"), "S′[cat, the]");
  },

  async "headers stay in view while a large matrix scrolls"() {
    const file = join(folder, "large.json"), many = Array.from({ length: 60 }, (_, i) => [i / 60, 1]);
    writeFileSync(file, JSON.stringify({ q: many, k: many, v: many }));
    await browser.open(page("large.html", "explain", file, "--steps", "weights"));
    const boxes = await browser.run(`(() => {
      const table = document.querySelector("table[data-step=weights]"), around = table.closest(".scroll"), box = (e) => { const { top, left, bottom, right } = e.getBoundingClientRect(); return { top, left, bottom, right }; };
      around.scrollTo(around.scrollWidth, around.scrollHeight);
      return { around: box(around), col: box(table.tHead.rows[0].cells[60]), row: box(table.tBodies[0].rows[59].cells[0]) };
    })()`);
    assert.ok(boxes.around.bottom - boxes.around.top <= 900);
    assert.ok(Math.abs(boxes.col.top - boxes.around.top) <= 3, JSON.stringify(boxes));
    assert.ok(Math.abs(boxes.row.left - boxes.around.left) <= 3, JSON.stringify(boxes));
  },

  async "infinities are written in one way; a name that is its title is said once"() {
    const file = join(folder, "infinite.json");
    writeFileSync(file, JSON.stringify({ q: [[1e200], [1]], k: [[1e200], [1]], v: [[1], [2]] }));
    spawnSync(attn, ["explain", file, "--cell", "weights:0,0", "-o", join(folder, "infinite.html")]);
    await browser.open(join(folder, "infinite.html"));
    assert.ok((await text("main")).includes("e^(∞ - ∞)"));
    assert.doesNotMatch(await text("main"), /\b(inf|nan)\b/);
    await browser.open(page("mask.html", "explain", "--mask", "causal", "--steps", "mask"));
    assert.equal(await text("caption"), "mask · 5×5");
  },

  async "answers of a lesson are folded until a reader opens them"() {
    await browser.open(join(folder, "lesson.html"));
    const folded = await browser.run("[...document.querySelectorAll('details')].map((each) => [each.open, each.innerText, each.querySelector('p').checkVisibility({ contentVisibilityAuto: true })])");
    const questions = (await text("main")).match(/^question /gm).length;
    assert.equal(folded.length, questions);
    for (const [open, shown, visible] of folded) assert.ok(!open && shown.trim() === "answer" && !visible, shown);
    const claim = "The last row is the same with and without the causal mask.";  // as it would give the answer away
    assert.ok(!(await text("main")).includes(claim));
    await browser.run("document.querySelector('summary').click()");
    assert.ok((await text("main")).includes(claim));
    assert.ok((await browser.run("document.querySelector('details').innerText")).length > 20);
  },

  async "the page of a whole model begins with a picture of all heads, that of --overview"() {
    await browser.open(join(folder, "model.html"));
    const svg = join(folder, "model.svg");
    run("heatmap", samples + "15-induction.json", "--overview", "-o", svg);
    const boxes = [...readFileSync(svg, "utf8").matchAll(/<rect x="(\d+)"/g)].map((match) => Number(match[1]));
    assert.ok(boxes.length > 50);
    assert.deepEqual(await browser.run("[...document.querySelectorAll('main > figure:first-child rect[x]')].map((box) => Number(box.getAttribute('x')))"), boxes);
  },

  async "legends say what the page shows"() {
    await browser.open(join(folder, "compare.html"));
    assert.match(await text("main"), /hatched: .*, coloured: /);
    await browser.open(page("blanks.html", "explain", "--mask", "causal", "--blank", "masked_scores,weights"));
    assert.doesNotMatch(await text("main"), /hatched/);
  },

  async "a hidden cell says why, and what it replaces"() {
    await browser.open(causal, "#step=masked_scores&row=1&col=3");
    assert.match(await text("#panel .remark"), /hidden by causal: ./);
    assert.match(await text("#panel ul"), /S′\[cat, it\] = 1\.5/);
  },

  async "a key/value head is named as one, also beside a query head of that number"() {
    for (const [head, shared] of [[0, 0], [3, 1]]) {
      await browser.open(join(folder, "grouped.html"), `#step=scores&row=1&col=1&head=${head}`);
      assert.equal(await text("#panel h2"), `S[hands, hands] of head ${head}`);
      assert.match(await text("#panel thead"), new RegExp(`Q_i\\[hands\\]\\s+K_i\\[hands\\] of kv head ${shared}\\s`));
    }
    await browser.open(join(folder, "grouped.html"), "#step=k_heads&row=1&col=1&head=1");
    assert.match(await text("#panel dl"), /kv head 1, row 1 \(hands\)/);
  },

  async "the leaves of a cell lead down to the givens"() {
    await browser.open(causal, "#step=output&row=1&col=0");
    const names = [];
    for (let i = 0; i < 12; ++i) {
      names.push((await text("#panel h2")).split("[")[0]);
      if (!(await browser.run("(() => { const a = document.querySelector('#panel :is(ul, table) a'); if (a) a.click(); return a !== null; })()"))) break;
      await browser.run("new Promise((done) => setTimeout(done, 5))");
    }
    assert.deepEqual(names, ["O", "A", "M", "S′", "S", "Q", "X"]);
    await browser.run("history.back()");
    await browser.run("new Promise((done) => setTimeout(done, 50))");
    assert.match(await text("#panel h2"), /^Q\[/);
  },

  async "keys move in a matrix and between steps; each matrix is one stop"() {
    await browser.open(causal);
    assert.equal(await browser.run("[...document.querySelectorAll('table[data-step]')].every((t) => t.querySelectorAll(\"td[tabindex='0']\").length === 1)"), true);
    await browser.run(`document.querySelector("${td("weights", 0, 0)}").focus()`);
    for (const key of ["ArrowDown", "ArrowDown", "ArrowRight"]) await browser.press(key);
    assert.equal(await text("#panel h2"), "A[dreams, cat]");
    await browser.press("End");
    assert.equal(await text("#panel h2"), "A[dreams, flies]");
    await browser.press("Home");
    assert.equal(await text("#panel h2"), "A[dreams, the]");
    await browser.press("Enter");
    assert.equal(await browser.run("location.hash"), "#step=weights&row=2&col=0");
    await browser.press("Escape");
    await browser.press("n");
    assert.equal(await text("#panel h2"), "O[the, o0]");
    await browser.press("p");
    await browser.press("p");
    assert.equal(await text("#panel h2"), "M[the, the]");
    assert.equal(await browser.run("document.querySelector('#panel').getAttribute('aria-live')"), "polite");
    assert.notEqual(await browser.run("getComputedStyle(document.activeElement).outlineStyle"), "none");
  },

  async "decimals and the mask can be switched; numbers are those of the program"() {
    await browser.open(causal);
    const choose = (n) => browser.run(`(() => { const s = document.querySelector(".controls select"); s.value = "${n}"; s.dispatchEvent(new Event("change")); })()`);
    const before = await text("main");
    await choose(5);
    assert.equal(await text(td("weights", 1, 0)), "0.18243");
    await choose(3);
    assert.equal(await text("main"), before, "back as it was");
    await browser.run("document.querySelector('.controls input').click()");
    const free = JSON.parse(run("explain", "--json")).steps;
    for (const step of ["weights", "output"])
      for (const [row, values] of free[step].data.entries())
        for (const [col, value] of values.entries()) assert.equal(await text(td(step, row, col)), value.toFixed(3));
    assert.equal(await browser.run("document.querySelectorAll('td.hidden').length"), 0);
  },

  async "what the switches do not change is said, of one decimal too"() {
    for (const [precision, words] of [[3, "3 decimals."], [1, "1 decimal."]]) {
      await browser.open(page("rounded.html", "explain", "--precision", String(precision)));
      await browser.run(`(() => { const s = document.querySelector(".controls select"); s.value = "5"; s.dispatchEvent(new Event("change")); })()`);
      assert.ok((await text("body")).includes("Examples in the text keep " + words), words);
    }
  },

  async "switches that are set back leave the page as it was"() {
    for (const each of [heads, join(folder, "compare.html"), join(folder, "gradient.html")]) {
      await browser.open(each);
      const before = await browser.run("document.querySelector('main').innerHTML.replace(/ class=\"[^\"]*\"| tabindex=\"[^\"]*\"/g, '')");
      for (const n of [5, 3]) await browser.run(`(() => { const s = document.querySelector(".controls select"); s.value = "${n}"; s.dispatchEvent(new Event("change")); })()`);
      assert.equal(await browser.run("document.querySelector('main').innerHTML.replace(/ class=\"[^\"]*\"| tabindex=\"[^\"]*\"/g, '')"), before, each);
    }
  },

  async "every link to a number leads to one"() {
    for (const name of ["one-head", "gradients", "order"]) page(name + ".html", "lesson", name);
    for (const each of [causal, heads, join(folder, "cell.html"), ...["one-head", "gradients", "order"].map((name) => join(folder, name + ".html"))]) {
      const html = readFileSync(each, "utf8"), ids = JSON.parse(/id="cells">(.*?)<\/script>/s.exec(html)[1]).steps.map((step) => step.id);
      const links = [...html.matchAll(/href="#step=([^&]*)&amp;/g)].map((match) => decodeURIComponent(match[1]));
      assert.ok(links.length > 0, each);
      for (const link of links) assert.ok(ids.includes(link), `${each}: ${link}`);
    }
  },

  async "keys do nothing where there are no matrices"() {
    await browser.open(join(folder, "cell.html"));
    await browser.press("n");
    await browser.press("p");
    assert.deepEqual(browser.problems, []);
  },

  async "Escape leaves the page where it is; arrows go on from a kept cell"() {
    await browser.open(causal, "#step=weights&row=2&col=1");
    const before = await browser.run("scrollY");
    assert.ok(before > 0);
    await browser.press("ArrowRight");
    assert.equal(await text("#panel h2"), "A[dreams, dreams]");
    await browser.press("Enter");
    await browser.press("Escape");
    assert.equal(await browser.run("scrollY"), before);
  },

  async "tables and data hold the numbers of the JSON"() {
    const trace = JSON.parse(run("explain", "--mask", "causal", "--json")).steps;
    const data = JSON.parse(/id="cells">(.*?)<\/script>/s.exec(readFileSync(causal, "utf8"))[1]);
    await browser.open(causal);
    const tables = await browser.run(`Object.fromEntries([...document.querySelectorAll("table[data-step]")].map((table) =>
      [table.dataset.step, [...table.querySelectorAll("tbody td:not(.sum)")].map((cell) => cell.textContent)]))`);
    for (const [id, step] of Object.entries(trace)) {
      const own = data.steps.find((each) => each.id === id), numbers = step.data.flat(step.shape.length - 1);
      assert.deepEqual(own.numbers, numbers.map((v) => (v === "-Infinity" ? null : v)), id);
      if (id === "mask") continue;  // the masked scores show it
      numbers.forEach((v, i) => assert.ok(v === "-Infinity" ? tables[id][i] === "−∞" : Math.abs(tables[id][i].replace("·", "0") - v) <= 0.0005, `${id}: ${tables[id][i]}`));
      assert.equal(tables[id].length, numbers.length);
    }
  },

  async "a find-the-bug sheet counts its two answers"() {
    const bugs = join(folder, "bugs");
    run("exercise", "make", "--preset", "find-the-bug", "--format", "json,html", "-o", bugs);
    await browser.open(join(bugs, "sheets", "sheet.html"));
    assert.equal(await text("[role=status]"), "0 of 2 blanks filled in");
  },

  async "a find-the-bug sheet offers steps and mistakes by their titles, in its language"() {
    for (const [language, title, mistake] of [["en", "weights", "not scaled"], ["de", "Aufmerksamkeitsgewichte", "Scores nicht skaliert"], ["zh", "注意力权重", "分数没有缩放"]]) {
      const bugs = join(folder, "bugs-" + language);
      run("exercise", "make", "--preset", "find-the-bug", "--seed", "7", "--lang", language, "--format", "json,html", "-o", bugs);
      const { bug } = JSON.parse(readFileSync(join(bugs, "key", "answers", "sheet.json")));
      await browser.open(join(bugs, "sheets", "sheet.html"));
      const choices = await browser.run("[...document.querySelectorAll('main .controls select')].map((each) => [...each.options].map((o) => [o.value, o.text]))");
      assert.equal(choices.length, 2);
      assert.ok(choices[0].some(([, shown]) => shown.includes(title)), JSON.stringify(choices[0]));
      assert.ok(choices[1].some(([, shown]) => shown.includes(mistake)), JSON.stringify(choices[1]));
      for (const [value, shown] of choices.flat().slice(1)) assert.ok(["", "mask"].includes(value) || (shown !== value && shown !== ""), value);
      await browser.run(`document.querySelectorAll("main .controls select").forEach((select, i) => {
        select.value = ${JSON.stringify([bug.first_wrong, bug.code])}[i]; select.dispatchEvent(new Event("input")); })`);
      const saved = await browser.run(`new Promise((done) => { URL.createObjectURL = (blob) => { blob.text().then(done); return "#"; };
        document.querySelector("main .controls button").click(); })`);
      writeFileSync(join(folder, "found.json"), saved);
      run("check", join(folder, "found.json"), "--key", join(bugs, "key"));  // exit 0: both are right
      await browser.open(join(bugs, "sheets", "sheet.html"));
      assert.equal(await browser.run("document.querySelectorAll('main .controls select')[1].value"), bug.code, "kept");
    }
  },

  async "a sheet is filled in on its page, kept there, and saved as the file to hand in"() {
    const key = JSON.parse(readFileSync(join(week, "key", "answers", "sheet.json")));
    assert.ok(!readFileSync(join(week, "key", "answers", "sheet.html"), "utf8").includes("<input"));
    await browser.open(sheet);
    assert.equal(await browser.run("document.querySelectorAll('#cells, .reads').length"), 0, "no arithmetic on a sheet");
    const blanks = await browser.run("[...document.querySelectorAll('td input')].map((i) => ({ ...i.dataset, name: i.getAttribute('aria-label') }))");
    assert.ok(blanks.length > 10 && blanks.every((blank) => blank.name.includes(": ")));
    const answers = blanks.map(({ step, batch, head, row, col }) =>
      [batch, head, row, col].filter((i) => i !== undefined).reduce((matrix, i) => matrix[Number(i)], key.answers[step]));
    await browser.run(`(() => { const answers = ${JSON.stringify(answers)};
      document.querySelectorAll("td input").forEach((input, i) => { input.value = String(answers[i]).replace(".", i % 2 ? "," : "."); input.dispatchEvent(new Event("input")); }); })()`);
    assert.equal(await text("[role=status]"), `${blanks.length} of ${blanks.length} blanks filled in`);
    await browser.open(sheet);
    assert.equal(await browser.run("document.querySelector('td input').value"), String(answers[0]), "kept");
    const saved = await browser.run(`new Promise((done) => { URL.createObjectURL = (blob) => { blob.text().then(done); return "#"; };
      document.querySelector("main .controls button").click(); })`);
    const handedIn = join(folder, "handed-in.json");
    writeFileSync(handedIn, saved);
    await browser.run("localStorage.clear()");
    await browser.open(sheet);
    const reopen = (content) => browser.run(`(async () => { const files = new DataTransfer(), input = document.querySelector("input[type=file]");
      files.items.add(new File([${JSON.stringify(content)}], "saved.json"));
      input.files = files.files;
      input.dispatchEvent(new Event("change"));
      await new Promise((done) => setTimeout(done, 200));
      return document.querySelector("[role=status]").textContent; })()`);
    assert.equal(await reopen("{}"), "saved.json is not a file of this sheet");
    assert.equal(await reopen(saved), `${blanks.length} of ${blanks.length} blanks filled in`, "loads what it saved");
    const report = JSON.parse(run("check", handedIn, "--json"));
    assert.ok(report.right && report.complete);
    assert.equal(report.score, report.max_score);
    assert.deepEqual(browser.problems, []);
  },

  async "hostile tokens are text, letter for letter"() {
    const tokens = ["</script><script>document.title='hacked'</script>", "<img src=x onerror=document.title='hacked'>", "a\"b'c&amp;",
      "|", "$x$", "\\", "猫", "🙂", "\u202eright"];
    const vectors = tokens.map((_, i) => [i, 1]);
    const file = join(folder, "hostile.json");
    writeFileSync(file, JSON.stringify({ title: "<b>bold</b>", tokens, q: vectors, k: vectors, v: vectors }));
    await browser.open(page("hostile.html", "explain", file), "#step=weights&row=0&col=1");
    assert.equal(await text("h1"), "<b>bold</b>");
    assert.match(await browser.run("document.title"), /^<b>bold<\/b>/);
    assert.equal(await browser.run("document.querySelectorAll('img, b').length"), 0);
    const shown = await browser.run("[...document.querySelectorAll('table[data-step=weights] tbody th')].map((th) => th.textContent)");
    assert.deepEqual(shown, tokens.map((token) => token.replace("\u202e", "\\u{202e}")));
    assert.equal(await text("#panel h2"), `A[${tokens[0]}, ${tokens[1]}]`);
    assert.deepEqual(browser.problems, []);
  },

  async "text has enough contrast in light and in dark"() {
    const luminance = (rgb) => rgb.map((v) => v / 255).map((v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4))
      .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
    for (const scheme of ["light", "dark"]) {
      await browser.media("screen", [{ name: "prefers-color-scheme", value: scheme }]);
      await browser.open(causal, "#step=weights&row=2&col=1");
      const pairs = await browser.run(`(() => {
        const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
        const rgb = (color) => { canvas.clearRect(0, 0, 1, 1); canvas.fillStyle = color; canvas.fillRect(0, 0, 1, 1); return [...canvas.getImageData(0, 0, 1, 1).data]; };
        const behind = (e) => { const c = rgb(getComputedStyle(e).backgroundColor); return c[3] === 255 || !e.parentElement ? c : behind(e.parentElement); };
        return [...document.querySelectorAll("p, td, th, h1, h2, span, a, dd, dt, li, label, button, caption")]
          .filter((e) => e.innerText.trim() !== "").map((e) => ({ text: e.innerText, ink: rgb(getComputedStyle(e).color), paper: behind(e) }));
      })()`);
      assert.ok(pairs.length > 200);
      for (const { text, ink, paper } of pairs) {
        const [dark, light] = [luminance(ink.slice(0, 3)), luminance(paper.slice(0, 3))].sort((a, b) => a - b);
        assert.ok((light + 0.05) / (dark + 0.05) >= 4.5, `${scheme}: "${text}" has ${ink} on ${paper}`);
      }
    }
    await browser.media("screen");
  },

  async "a phone shows the page without scrolling sideways, and a chosen cell above the panel"() {
    await browser.size(320, 640);
    await browser.open(causal, "#step=weights&row=2&col=1");
    assert.equal(await browser.run("document.documentElement.scrollWidth"), 320);
    const [cell, panel] = await browser.run("['td.chosen', '#panel'].map((s) => document.querySelector(s).getBoundingClientRect()).map((b) => [b.top, b.bottom])");
    assert.ok(cell[0] >= 0 && cell[1] <= panel[0], `cell ${cell}, panel ${panel}`);
    await browser.size(1280, 900);
  },

  async "a narrow page keeps the remarks of a checklist readable, and short facts in one line"() {
    await browser.size(480, 800);
    await browser.open(checked);
    const remark = "[...document.querySelectorAll('tbody tr')].find((tr) => tr.innerText.includes('follow')).lastElementChild";
    assert.ok(await browser.run(`${remark}.getBoundingClientRect().width`) >= 95);
    assert.equal(await browser.run(`(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)(${remark}.closest(".scroll"))`), 0);
    await browser.open(join(folder, "model.html"));
    const lines = await browser.run(`[...document.querySelectorAll("td.short")].map((td) => {
      const all = document.createRange(); all.selectNodeContents(td); return all.getClientRects().length; })`);
    assert.ok(lines.length > 10 && Math.max(...lines) === 1);
    await browser.size(1280, 900);
  },

  async "print has no controls, keeps the shading, and is light"() {
    await browser.media("print", [{ name: "prefers-color-scheme", value: "dark" }]);
    await browser.open(causal);
    const style = (selector, name) => browser.run(`getComputedStyle(document.querySelector("${selector}"))["${name}"]`);
    assert.equal(await style("#panel", "display"), "none");
    assert.equal(await style(".controls", "display"), "none");
    assert.equal(await style("section", "breakInside"), "avoid");
    assert.equal(await style("body", "backgroundColor"), "rgb(255, 255, 255)");
    assert.equal(await style("body", "printColorAdjust"), "exact");
    assert.equal(await style("td.hidden", "backgroundImage"), "none");
    assert.equal(await style("td.hidden", "backgroundColor"), "rgb(228, 228, 228)");
    await browser.media("screen");
  },

  async "sheets print on A4 and Letter: no number is cut off, and each student begins a page"() {
    if (spawnSync("pdftotext", ["-v"]).error) return console.log("not tested: pdftotext");
    const roster = join(folder, "roster.csv"), salt = join(folder, "salt");
    writeFileSync(roster, "id\ns001\ns002\n");
    writeFileSync(salt, "a salt that is long enough");
    await browser.media("print");
    const wide = join(folder, "wide.json"), random = (seed) => ({ randint: [18, 3], seed, low: -2, high: 3 });
    writeFileSync(wide, JSON.stringify({ problem: { q: random(1), k: random(2), v: random(3) }, steps: { weights: 1 }, blanks: "one" }));
    const preset = (...options) => ["--preset", ...options];
    let turn = 0;
    for (const what of [preset("causal"), preset("multihead"), preset("find-the-bug"), preset("inverse"),
      preset("self", "--tokens", "8", "--d-model", "12", "--d-k", "5"), ["--spec", wide]]) {
      const made = mkdtempSync(join(folder, "print-")), all = join(made, "all-sheets.html");
      run("exercise", "make", ...what, "--roster", roster, "--salt-file", salt, "--format", "json,html", "--merge", "-o", made);
      await browser.open(all);
      const shown = await browser.run("[...document.querySelectorAll('td')].flatMap((each) => each.innerText.split(/\\s+/)).filter((each) => each !== '')");
      assert.ok(shown.length > 40, what[1]);
      const papers = [["A4", 210, 297], ["Letter", 215.9, 279.4]];  // both for the longest and the widest
      const both = what[1] === "multihead" || what[1] === wide;
      for (const [paper, width, height] of both ? papers : [papers[turn++ % 2]]) {
        writeFileSync(join(folder, "print.pdf"), await browser.print(width, height));
        const pages = execFileSync("pdftotext", ["-bbox", join(folder, "print.pdf"), "-"], { encoding: "utf8" }).split("<page ").slice(1);
        const left = new Map(), first = [];
        for (const [number, page] of pages.entries()) {
          for (const [, xMin, yMin, xMax, yMax, word] of page.matchAll(/<word xMin="([^"]+)" yMin="([^"]+)" xMax="([^"]+)" yMax="([^"]+)">([^<]*)</g)) {
            const [x0, y0, x1, y1] = [xMin, yMin, xMax, yMax].map((each) => each / 72 * 25.4);
            assert.ok(x0 > 14 && y0 > 14 && x1 < width - 14 && y1 < height - 14, `${what[1]}, ${paper}: ${word} is in the margin`);
            left.set(word, (left.get(word) ?? 0) + 1);
            if (/^s00[12]$/.test(word)) first.push([word, number, y0 < 40]);
          }
        }
        for (const number of shown) {
          assert.ok(left.get(number) > 0, `${what[1]}, ${paper}: ${number} is not on paper`);
          left.set(number, left.get(number) - 1);
        }
        assert.deepEqual(first.map(([id, , top]) => [id, top]), [["s001", true], ["s002", true]], `${what[1]}, ${paper}`);
        assert.ok(pages.every((page) => page.includes("<word ")), `${what[1]}, ${paper}: an empty page`);
      }
    }
    await browser.media("screen");
  },

  async "forced colours keep the choice visible"() {
    await browser.media("screen", [{ name: "forced-colors", value: "active" }]);
    await browser.open(causal, "#step=weights&row=2&col=1");
    assert.equal(await browser.run("getComputedStyle(document.querySelector('td.chosen')).outlineStyle"), "solid");
    await browser.media("screen");
  },

};

let failed = 0;
try {
  await browser.size(1280, 900);
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
} finally {
  await browser.stop();
  rmSync(folder, { recursive: true, force: true });
}
process.exit(failed === 0 ? 0 : 1);

// Packages of QTI 2.1 in somebody else's player: player_test.mjs ATTN [FOLDER_OF_NODE_MODULES].
// npm's @citolab/qti-convert makes QTI 3 of them, and @citolab/qti-components shows and scores the items in Chromium. Skips (77)
// without these, but fails where a package lacks its file. The converter takes whatever is XML: what it misreads has no box, or earns nothing. The player knows no tolerance
// and compares exactly; qti_test.py computes with tolerances.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { Browser } from "./browser.mjs";

const [attn, modules = "."] = process.argv.slice(2);
const needed = (file) => join(modules, file);
const player = needed("@citolab/qti-components/cdn/index.global.js");
const converter = needed("@citolab/qti-convert/dist/qti-converter-node/index.js");
const chromium = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find(existsSync);
for (const [name, place] of [["Chromium", chromium ?? ""],
  ...["@citolab/qti-components", "@citolab/qti-convert"].map((name) => ["npm's " + name, needed(name)])]) {
  if (existsSync(place)) continue;
  console.log(`skipped: ${name} is not installed`);
  process.exit(77);
}
for (const file of [player, converter]) {
  if (existsSync(file)) continue;
  console.log(`FAILED: ${file} is not in its package`);
  process.exit(1);
}
const load = async (file) => {
  const found = await import(pathToFileURL(needed(file)));
  return found.default ?? found;
};
globalThis.SaxonJS = await load("saxon-js/SaxonJS2N.js");  // the converter expects it there
const zip = await load("jszip/lib/index.js");
const { convertPackageFile } = await import(pathToFileURL(converter));
const log = console.log;

const folder = mkdtempSync(join(tmpdir(), "attn-player-"));
const run = (...args) => execFileSync(attn, args, { encoding: "utf8", stdio: ["ignore", "pipe", "pipe"], cwd: folder });
writeFileSync(join(folder, "player.html"), `<!DOCTYPE html><meta charset="utf-8">
<qti-item><item-container></item-container></qti-item><script src="${pathToFileURL(player)}"></script>`);
const browser = await Browser.start(chromium);

/// The items of an exercise as QTI 3, each with the key that it was made from.
async function items(name, ...options) {
  run("exercise", "make", ...options, "-o", name);
  run("exercise", "export", name, "--format", "qti", "-o", name + ".zip");
  console.log = () => {};  // the converter says what it does
  await convertPackageFile(join(folder, name + ".zip"), join(folder, name + "-3.zip"));
  console.log = log;
  const archive = await zip.loadAsync(readFileSync(join(folder, name + "-3.zip")));
  const manifest = await archive.file("imsmanifest.xml").async("string");
  const listed = [...manifest.matchAll(/<resource [^>]*href="([^"]+)"/g)].map((each) => each[1]);
  const answers = join(folder, name, "key/answers");
  const keys = readdirSync(answers).map((file) => JSON.parse(readFileSync(join(answers, file), "utf8")));
  assert.equal(listed.length, keys.length, "the manifest lists an item for each sheet");
  const found = [];
  for (const file of listed) {
    const xml = await archive.file(file).async("string");
    found.push({ xml, key: keys.find((key) => xml.includes(key.variant)) });
  }
  return found;
}

/// A new page with the item; its boxes. (The player keeps answers when an item is shown again.)
async function show(xml) {
  await browser.open(join(folder, "player.html"));
  return browser.run(`(async () => {
    const container = document.querySelector("item-container");
    container.itemXML = ${JSON.stringify(xml)};
    do {
      await new Promise((done) => setTimeout(done, 5));
      window.item = container.shadowRoot.querySelector("qti-assessment-item");
    } while (!(item?.variables?.length > 2));
    return [...item.querySelectorAll("qti-text-entry-interaction")].map((each) => each.getAttribute("response-identifier"));
  })()`);
}

/// What the player gives for what is typed, box by box, and how many hints it has.
const score = async (xml, typed) => await show(xml) && browser.run(`(() => {
  for (const [i, box] of [...item.querySelectorAll("qti-text-entry-interaction")].entries()) {
    const input = box.shadowRoot.querySelector("input"), text = ${JSON.stringify(typed)}[i];
    if (text == null) continue;
    input.value = text;
    for (const type of ["input", "keyup", "change"]) input.dispatchEvent(new Event(type, { bubbles: true, composed: true }));
  }
  item.processResponse();
  const hints = (item.getOutcome("FEEDBACK").value ?? []).filter((each) => /^HINT_/.test(each));
  return { score: Number(item.getOutcome("SCORE").value), hints: hints.length };
})()`);

const flat = (matrix) => (Array.isArray(matrix) ? matrix.flatMap(flat) : [matrix]);
const near = (found, expected, what) => assert.ok(Math.abs(found - expected) < 0.02, `${what}: ${found}, not ${expected}`);  // the player rounds

async function plays({ xml, key }) {
  const what = `${key.exercise} ${key.student}`;
  const blanks = Object.entries(key.blanks).flatMap(([step, marks]) => {
    const right = flat(key.answers[step]), asked = flat(marks), count = asked.filter(Boolean).length;
    return right.flatMap((number, i) => (asked[i] ? [{ number, points: key.points[step] / count }] : []));
  });
  const boxes = await show(xml);
  assert.equal(boxes.length, blanks.length, `${what}: boxes`);
  const all = blanks.map(({ number }) => String(number).replace("-Infinity", "−∞"));
  const nothing = blanks.map(({ number }) => (typeof number === "number" ? null : "?"));  // the player's stringMatch fails without text
  const points = Object.values(key.points).reduce((sum, each) => sum + each, 0);
  assert.deepEqual(await score(xml, nothing), { score: 0, hints: 0 }, `${what}: nothing typed`);
  near((await score(xml, all)).score, points, `${what}: everything right`);
  for (const [i, blank] of blanks.entries()) {
    if (i % 5 !== 0) continue;
    const one = await score(xml, all.map((text, j) => (i === j ? text : nothing[j])));
    near(one.score, blank.points, `${what}: ${boxes[i]} alone`);
  }
  const hinted = /<qti-response-else-if>\s*<qti-equal [^>]*>\s*<qti-variable identifier="(\w+)"\/>\s*<qti-base-value base-type="float">([^<]+)</.exec(xml);
  assert.deepEqual(await score(xml, boxes.map((id, i) => (id === hinted[1] ? hinted[2] : nothing[i]))), { score: 0, hints: 1 }, `${what}: a known mistake`);
}

async function playsBug({ xml, key }) {
  assert.deepEqual(await show(xml), []);
  const points = await browser.run(`(async () => {
    const lists = [...item.querySelectorAll("qti-inline-choice-interaction")];
    const chosen = (list, words) => [...list.querySelectorAll("qti-inline-choice")].find((each) => each.textContent.includes(words));
    const answers = [lists[0].querySelectorAll("qti-inline-choice")[${Object.keys(key.answers).indexOf(key.bug.first_wrong)}],
      chosen(lists[1], ${JSON.stringify("(" + key.bug.code + ")")})].map((each) => each.getAttribute("identifier"));
    const result = [];
    for (const [i, list] of lists.entries()) {
      item.updateResponseVariable(list.getAttribute("response-identifier"), answers[i]);
      item.processResponse();
      result.push(Number(item.getOutcome("SCORE").value));
    }
    return result;
  })()`);
  assert.deepEqual(points, [key.points.bug / 2, key.points.bug]);
}

let failed = false;
try {
  writeFileSync(join(folder, "roster.csv"), "id,name\ns001,Ann\na&<b>,Bo\n");
  writeFileSync(join(folder, "salt"), "a salt that is long enough");
  writeFileSync(join(folder, "own.json"), JSON.stringify({ preset: "causal", steps: { masked_scores: 2, weights: 2 }, blanks: "all",
    mistakes: [], decimal_mark: "comma", force: true, language: "de" }));
  const all = [...await items("week", "--preset", "causal", "--roster", "roster.csv", "--salt-file", "salt"),
    ...await items("heads", "--preset", "multihead"), ...await items("own", "--spec", "own.json")];
  for (const item of all) await plays(item);
  for (const item of await items("bug", "--preset", "find-the-bug")) await playsBug(item);
  assert.deepEqual(browser.problems.filter((each) => each !== "toleranceMode is not supported yet"), []);
  console.log(`${all.length + 1} items`);
} catch (error) {
  failed = true;
  console.log(`FAILED: ${error.message}`);
} finally {
  await browser.stop();
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}
process.exit(failed ? 1 : 0);

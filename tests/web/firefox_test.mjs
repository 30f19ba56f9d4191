// attn.html in Firefox, from file: node firefox_test.mjs attn.html. Skips without Firefox.
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { Firefox } from "./firefox.mjs";

const address = String(pathToFileURL(resolve(process.argv[2])));
const program = "/usr/bin/firefox-esr";
if (!existsSync(program)) {
  console.log("skipped: firefox-esr is not installed");
  process.exit(77);
}
const firefox = await Firefox.start(program);
const run = (expression) => firefox.run(expression);
async function until(expression) {
  for (let i = 0; i < 600; ++i) {
    if (await run(expression)) return;
    await new Promise((done) => setTimeout(done, 50));
  }
  throw new Error("never: " + expression + "; the page says " + (await run("document.body.innerText.slice(0, 300)")));
}
try {
  await firefox.open(address);
  await until("document.documentElement.dataset.ready !== undefined");
  const cell = (step) => `document.querySelector('table:not([aria-hidden]) [data-key="${step}"]')`;
  assert.equal(await run(cell("scores 0 0 1 0") + ".innerText"), "2");
  await run(`(${cell("x 0 0 1 0")}.querySelector("input").focus(), ${cell("x 0 0 1 0")}.querySelector("input").select())`);
  await firefox.type("3");
  await until("/^1 number changed, \\d+ results followed$/.test(document.querySelector('.status').textContent)");
  assert.equal(await run(cell("scores 0 0 1 0") + ".innerText"), "4");
  await until("document.documentElement.dataset.edit !== undefined");
  const [ready, edit] = await run("[document.documentElement.dataset.ready, document.documentElement.dataset.edit]");
  for (const view of ["practice", "sheet", "lessons", "file", "terminal"]) {
    await run(`document.querySelector("[data-view=${view}]").click()`);
    await until(`!document.getElementById("view-${view}").hidden && document.getElementById("view-${view}").innerText.length > 20`);
  }
  await until("document.querySelectorAll('#view-practice td input').length > 20");
  await until("document.querySelector('.screen pre.out') !== null");
  assert.deepEqual(firefox.problems, []);
  console.log(`ok: Firefox opens the page, computes an edit, shows each view; ready after ${ready} ms, an edit on screen after ${edit} ms`);
} finally {
  await firefox.stop();
}

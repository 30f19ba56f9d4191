// The npm package in memory. Usage: node tests/web/npm_test.mjs build-web/npm [PROGRAM].
import assert from "node:assert/strict";
import {execFileSync} from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import {pathToFileURL} from "node:url";

const [folder, program] = process.argv.slice(2);
const {attn, loadCore} = await import(pathToFileURL(path.resolve(folder, "attn.mjs")));
const {inMemory} = await import(pathToFileURL(path.resolve(folder, "run.mjs")));

const first = await attn(["explain", "--mask", "causal"]);
assert.equal(first.code, 0);
assert.equal(first.stderr, "");
assert.match(first.stdout, /^Scaled dot-product attention/);
if (program) {
  assert.equal(first.stdout, execFileSync(program, ["explain", "--mask", "causal"], {encoding: "utf8"}));
}

// Standard input, files in, files out; nothing of a run is there in the next.
const problem = (await attn(["new", "--sample", "01-one-head"])).stdout;
const trace = JSON.parse((await attn(["explain", "-", "--json"], {stdin: problem})).stdout);
assert.equal(trace.format, "attn.trace");
const made = await attn(["explain", "in/mine.json", "-o", "out.npz"], {files: {"in/mine.json": problem}});
assert.equal(made.code, 0, made.stderr);
assert.deepEqual(Object.keys(made.files).sort(), ["in/mine.json", "out.npz"]);
const read = await attn(["check", "out.npz", "--problem", "mine.json"],
  {files: {"out.npz": made.files["out.npz"], "mine.json": problem}});
assert.equal(read.code, 0, read.stderr + read.stdout);
assert.deepEqual((await attn(["explain"])).files, {});

// On the disk, files are what the native program would write.
const disk = fs.mkdtempSync(path.join(os.tmpdir(), "attn-"));
const cli = path.resolve(folder, "cli.mjs");
execFileSync(process.execPath, [cli, "explain", "--json", "-o", "trace.json"], {cwd: disk, stdio: "pipe"});
assert.equal(JSON.parse(fs.readFileSync(path.join(disk, "trace.json"), "utf8")).format, "attn.trace");
assert.deepEqual(fs.readdirSync(disk), ["trace.json"]);
fs.rmSync(disk, {recursive: true});

// The example of the package's README prints the weights.
const example = /```js\n(.*?)```/s.exec(fs.readFileSync(path.join(folder, "README.md"), "utf8"))[1];
const installed = JSON.stringify(pathToFileURL(path.resolve(folder, "attn.mjs")));
const printed = execFileSync(process.execPath,
  ["--input-type=module", "--eval", example.replace('"attn"', installed)], {encoding: "utf8"});
assert.match(printed, /^\[\s+\[ 1, 0, 0 \]/);

// Refusals are those of the program.
const missing = await attn(["explain", "mine.json"]);
assert.equal(missing.code, 4);
assert.match(missing.stderr, /^error\[cannot-read\]/);
assert.equal((await attn(["explain", "--mask", "casual"])).code, 2);
assert.equal((await attn(["explain", "-"], {stdin: '{"x": [[1e999]]}'})).code, 3);
assert.match((await attn(["new", "猫 🙂"])).stderr, /猫 🙂/);

// After a trap, the next run has another instance.
let instances = 0;
const fragile = inMemory(async () => {
  const core = await loadCore();
  if (++instances === 1) core._attn_run = () => { throw new WebAssembly.RuntimeError("unreachable"); };
  return core;
});
await assert.rejects(fragile(["explain"]), WebAssembly.RuntimeError);
assert.equal((await fragile(["explain", "--mask", "causal"])).stdout, first.stdout);
assert.equal(instances, 2);

// A thousand runs give the first one's bytes, in the memory that the first ten needed.
const memory = () => process.memoryUsage().arrayBuffers;
let after_ten;
for (let run = 1; run <= 1000; ++run) {
  const again = await attn(["explain", "--mask", "causal"]);
  assert.equal(again.stdout, first.stdout);
  if (run === 10) after_ten = memory();
}
assert.ok(memory() <= after_ten + 4e6, `${memory()} bytes after 1000 runs, ${after_ten} after 10`);
console.log("ok");

#!/usr/bin/env node
// attn on the command line of Node.js, with the real files of the disk.
import fs from "node:fs";
import {loadCore, runIn} from "./attn.mjs";

const NOT_MOUNTED = ["dev", "proc", "sys"];

const core = await loadCore({
  preRun: [(module) => Object.assign(module.ENV, process.env)],
});
for (const {name} of fs.readdirSync("/", {withFileTypes: true})) {
  const path = `/${name}`;
  if (NOT_MOUNTED.includes(name) || !fs.statSync(path, {throwIfNoEntry: false})?.isDirectory()) continue;
  core.FS.mkdirTree(path);
  core.FS.mount(core.FS.filesystems.NODEFS, {root: path}, path);
}
core.FS.chdir(process.cwd());

function read(size) {
  const block = Buffer.alloc(size);
  for (;;) {
    try {
      return block.subarray(0, fs.readSync(0, block, 0, size, null));
    } catch (error) {
      if (error.code === "EOF") return block.subarray(0, 0);
      if (error.code !== "EAGAIN") throw error;
    }
  }
}

function write(stream, bytes) {
  for (let done = 0; done < bytes.length;) {
    try {
      done += fs.writeSync(stream, bytes, done);
    } catch (error) {
      if (error.code === "EPIPE") process.exit(141);
      if (error.code !== "EAGAIN") throw error;
    }
  }
}

const columns = (stream) => (stream.isTTY ? stream.columns || 80 : 0);
process.exitCode = runIn(core, process.argv.slice(2), {read, write},
  {outColumns: columns(process.stdout), errColumns: columns(process.stderr)});

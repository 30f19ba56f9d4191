// Runs the program in memory, in an instance that all runs share.

const HOME = "/work";
const encoder = new TextEncoder();
const decoder = new TextDecoder();
const bytesOf = (content) => (typeof content === "string" ? encoder.encode(content) : content);

/** Runs the program once in `core`. `run` has read(size) → Uint8Array and write(stream, Uint8Array). */
export function runIn(core, args, run, {outColumns = 0, errColumns = 0} = {}) {
  const words = encoder.encode(args.map((word) => word + "\0").join(""));
  const at = core._malloc(words.length + 1);
  core.HEAPU8.set(words, at);
  core.streams = run;
  try {
    return core._attn_run(at, words.length, outColumns, errColumns);
  } finally {
    core._free(at);
  }
}

/** All files below `folder`, by their paths from there. */
function filesBelow(fs, folder, prefix = "", found = {}) {
  for (const name of fs.readdir(folder)) {
    if (name === "." || name === "..") continue;
    const path = `${folder}/${name}`;
    if (fs.isDir(fs.stat(path).mode)) filesBelow(fs, path, `${prefix}${name}/`, found);
    else found[prefix + name] = fs.readFile(path);
  }
  return found;
}

function removeBelow(fs, folder) {
  for (const name of fs.readdir(folder)) {
    if (name === "." || name === "..") continue;
    const path = `${folder}/${name}`;
    if (fs.isDir(fs.stat(path).mode)) {
      removeBelow(fs, path);
      fs.rmdir(path);
    } else {
      fs.unlink(path);
    }
  }
}

/**
 * A function that runs `attn ARGS…` with the files (text or Uint8Array, by name) in its working folder and
 * nothing else on its disk. The files of the result, all as Uint8Array, are those that are there when it has
 * ended. `load` makes an instance: the first one, and another after a trap.
 */
export function inMemory(load) {
  let shared;
  return async function attn(args, {stdin = "", files = {}, outColumns = 0} = {}) {
    shared ??= load();
    const core = await shared;
    const fs = core.FS;
    let input = bytesOf(stdin);
    const chunks = {1: [], 2: []};
    const run = {
      read(size) {
        const part = input.subarray(0, size);
        input = input.subarray(size);
        return part;
      },
      write: (stream, bytes) => chunks[stream].push(bytes),
    };
    try {
      fs.mkdirTree(HOME);
      fs.chdir(HOME);
      for (const [name, content] of Object.entries(files)) {
        if (name.includes("/")) fs.mkdirTree(`${HOME}/${name.slice(0, name.lastIndexOf("/"))}`);
        fs.writeFile(`${HOME}/${name}`, bytesOf(content));
      }
      const code = runIn(core, args, run, {outColumns});
      const text = (parts) => parts.map((part) => decoder.decode(part, {stream: true})).join("") + decoder.decode();
      const result = {code, stdout: text(chunks[1]), stderr: text(chunks[2]), files: filesBelow(fs, HOME)};
      removeBelow(fs, HOME);
      return result;
    } catch (trap) {
      shared = undefined;
      throw trap;
    }
  };
}

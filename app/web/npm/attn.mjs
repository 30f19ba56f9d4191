// attn in memory: await attn(["explain", "-", "--json"], {stdin, files}) → {code, stdout, stderr, files}.
import makeCore from "./attn-core.js";
import {inMemory} from "./run.mjs";

export {runIn} from "./run.mjs";

/** A fresh instance of the program. `options` are those of Emscripten's modules. */
export async function loadCore(options = {}) {
  const {readFile} = await import("node:fs/promises");
  const wasmBinary = await readFile(new URL("attn-core.wasm", import.meta.url));
  return makeCore({wasmBinary, ...options});
}

export const attn = inMemory(loadCore);

// Makes attn.html of its parts. Usage: node join.mjs SOURCE NPM VERSION OUT.
import {createHash} from "node:crypto";
import {readFileSync, readdirSync, writeFileSync} from "node:fs";
import {join} from "node:path";
import {deflateRawSync} from "node:zlib";

const [source, npm, version, out] = process.argv.slice(2);
const read = (...path) => readFileSync(join(source, ...path), "utf8");
const PAGE = "app/web/page", SHARED = "lib/page";
const SCRIPTS = [
  [SHARED, ["elements"]],
  [PAGE, ["language"]],
  [SHARED, ["numbers", "cells", "arithmetic", "terms", "sheet"]],
  [PAGE, ["unpack", "dom", "core", "address", "problem", "answer", "stages", "matrix", "worked", "fields", "what_if"]],
  [PAGE, ["play_tokens", "play_path", "play_board", "play_panel", "play_settings", "play"]],
  [PAGE, ["document", "marked_sheet", "practice", "sheet_view", "lessons", "tokens_view", "file_view", "terminal"]],
  [PAGE, ["views", "shell"]],
];

const script = '"use strict";\n{\n' +
  SCRIPTS.map(([folder, names]) => names.map((name) => read(folder, name + ".js")).join("")).join("") + "}\n";
const style = read(SHARED, "page.css") + read(PAGE, "page.css");
const worker = readFileSync(join(npm, "attn-core.js"), "utf8") +
  readFileSync(join(npm, "run.mjs"), "utf8").replace(/^export /gm, "") + read(PAGE, "unpack.js") + read(PAGE, "worker.js");
if (/<\/script|<!--/i.test(script)) throw new Error("the script would end too early");

// Four bytes as five letters, from "(" on without "<": a quarter more, where base64 takes a third. The last letter says how many
// bytes there are too many.
function letters(bytes) {
  const excess = (4 - bytes.length % 4) % 4, all = Buffer.concat([bytes, Buffer.alloc(excess)]), out = Buffer.alloc(all.length / 4 * 5);
  for (let i = 0; i < all.length / 4; ++i) {
    for (let word = all.readUInt32BE(4 * i), k = 4; k >= 0; --k, word = Math.floor(word / 85)) {
      const code = 40 + word % 85;
      out[5 * i + k] = code < 60 ? code : code + 1;
    }
  }
  return out.toString("latin1") + excess;
}
const packed = (content) => letters(deflateRawSync(content, {level: 9}));

// What the page says in other languages: of the catalogues, the texts that occur in its scripts and its HTML.
const html = read(PAGE, "page.html"), texts = {};
const isSaid = (english) => script.includes(JSON.stringify(english)) || html.includes(">" + english + "<") || html.includes(`"${english}"`);
for (const name of readdirSync(join(source, "samples/lang"))) {
  const {language, texts: all, sentences} = JSON.parse(read("samples/lang", name));
  const said = Object.entries({...sentences, ...all}).filter(([english]) => isSaid(english));
  texts[name.replace(".json", "")] = {name: language, texts: Object.fromEntries(said)};
}

const hash = (text) => "'sha256-" + createHash("sha256").update(text).digest("base64") + "'";
const parts = {
  STYLE_HASH: hash(style), SCRIPT_HASH: hash(script), STYLE: style, SCRIPT: script, VERSION: version,
  TEXTS: JSON.stringify(texts).replace(/</g, "\\u003c"),
  WORKER: packed(worker), CORE: packed(readFileSync(join(npm, "attn-core.wasm"))),
};
const page = html.replace(/@([A-Z_]+)@/g, (_, name) => parts[name]);
writeFileSync(out, page);
const size = Buffer.byteLength(page), most = 3e6;
if (size > most) throw new Error(`attn.html has ${size} bytes, more than ${most}`);

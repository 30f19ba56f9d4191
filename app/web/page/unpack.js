// Raw deflate: how the page carries the program, and an address a problem.
async function piped(bytes, through, most = Infinity) {
  const reader = new Blob([bytes]).stream().pipeThrough(through).getReader(), chunks = [];
  for (let size = 0; ;) {
    const { done, value } = await reader.read();
    if (done) return new Uint8Array(await new Blob(chunks).arrayBuffer());
    size += value.length;
    if (size > most) throw new Error("it is larger than " + most + " bytes when unpacked");
    chunks.push(value);
  }
}

const inflated = (bytes, most) => piped(bytes, new DecompressionStream("deflate-raw"), most);

// The bytes of the letters that join.mjs makes: five for four bytes, from "(" on without "<"; then how many bytes are too many.
function bytesOfLetters(letters) {
  const words = (letters.length - 1) / 5, bytes = new DataView(new ArrayBuffer(4 * words));
  for (let i = 0, at = 0; i < words; ++i) {
    let word = 0;
    for (let k = 0; k < 5; ++k) {
      const code = letters.charCodeAt(at++);
      word = word * 85 + code - (code > 60 ? 41 : 40);
    }
    bytes.setUint32(4 * i, word);
  }
  return new Uint8Array(bytes.buffer, 0, 4 * words - Number(letters[letters.length - 1]));
}

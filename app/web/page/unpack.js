// Raw deflate, in base64: how the page carries the program, and an address a problem.
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

function inflated(base64, most) {
  const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
  return piped(bytes, new DecompressionStream("deflate-raw"), most);
}

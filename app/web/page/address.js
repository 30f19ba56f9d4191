// What the address holds: settings by the names of their options, and a problem as a packed text.
const MOST_LETTERS = 8000, MOST_BYTES = 1 << 20;

async function packed(text) {
  const bytes = await piped(new TextEncoder().encode(text), new CompressionStream("deflate-raw"));
  const letters = Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
  return btoa(letters).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
}

async function unpacked(text) {
  const letters = atob(text.replace(/-/g, "+").replace(/_/g, "/"));
  return new TextDecoder().decode(await inflated(Uint8Array.from(letters, (letter) => letter.charCodeAt(0)), MOST_BYTES));
}

const wordsOfAddress = () => new URLSearchParams(location.hash.slice(1));

// "scores:0,0" as a place; undefined where it is none.
function placeOf(text, head, batch) {
  const found = /^([\w.:]+):(\d{1,6}),(\d{1,6})$/.exec(text || "");
  return found === null ? undefined
    : { step: found[1], row: Number(found[2]), col: Number(found[3]), head: Number(head || 0), batch: Number(batch || 0) };
}

const placeText = (cell) => `${cell.step}:${cell.row},${cell.col}`;

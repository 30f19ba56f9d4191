// In the worker: unpacks the program once, and answers each message with the result of a run.
let module;  // compiled once, also where a trap makes another instance necessary
async function loadCore() {
  module = await module;
  const instantiateWasm = (imports, receive) => {
    WebAssembly.instantiate(module, imports).then((instance) => receive(instance, module));
    return {};
  };
  return Module({instantiateWasm, printErr() {}});
}
const attn = inMemory(loadCore);

onmessage = async ({data: {number, letters, args, given}}) => {
  if (letters !== undefined) module = inflated(bytesOfLetters(letters)).then((bytes) => WebAssembly.compile(bytes));
  else await attn(args, given).then((result) => postMessage({number, result}), (trap) => postMessage({number, trap: String(trap)}));
};

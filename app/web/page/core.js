// The program, in a worker: attn(args, {stdin, files}) → {code, stdout, stderr, files}.
const core = (() => {
  const textOf = (id) => document.getElementById(id).textContent;
  const waiting = new Map();
  let worker, next = 1;

  async function start() {
    const script = await inflated(bytesOfLetters(textOf("worker")));
    const started = new Worker(URL.createObjectURL(new Blob([script], { type: "text/javascript" })));
    started.onmessage = ({ data: { number, result, trap } }) => {
      const { resolve, reject } = waiting.get(number);
      waiting.delete(number);
      if (trap === undefined) resolve(result);
      else reject(new Error(inWords("attn stopped: {why}", { why: trap })));
    };
    started.onerror = (event) => {
      for (const { reject } of waiting.values()) reject(new Error(event.message || inWords("the worker stopped")));
      waiting.clear();
      started.terminate();
      worker = undefined;
    };
    started.postMessage({ letters: textOf("core") });
    return started;
  }

  // After a trap, the worker makes another instance by itself. What it prints is in the language of the page.
  async function attn(args, given = {}) {
    if (LANGUAGE !== "en" && !args.includes("--lang")) args = ["--lang", LANGUAGE, ...args];  // after "--" it would be text
    worker ??= start();
    const started = await worker;
    return new Promise((resolve, reject) => {
      waiting.set(next, { resolve, reject });
      started.postMessage({ number: next++, args, given });
    });
  }

  // Runs jobs one after the other, and of those that wait only the newest; the others become undefined.
  function newestOnly() {
    let newest = 0, last;
    return (job) => {
      const turn = ++newest, run = () => (turn === newest ? job().catch((error) => ({ error })) : undefined);
      return (last = Promise.resolve(last).then(run).then((answer) => (turn === newest ? answer : undefined)));
    };
  }
  return { attn, newestOnly };
})();

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
      else reject(new Error("attn stopped: " + trap));
    };
    started.onerror = (event) => {
      for (const { reject } of waiting.values()) reject(new Error(event.message || "the worker stopped"));
      waiting.clear();
      worker = undefined;
    };
    started.postMessage({ letters: textOf("core") });
    return started;
  }

  // After a trap, the worker makes another instance by itself.
  async function attn(args, given = {}) {
    worker ??= start();
    const started = await worker;
    return new Promise((resolve, reject) => {
      waiting.set(next, { resolve, reject });
      started.postMessage({ number: next++, args, given });
    });
  }

  // Runs jobs one after the other, and of those that wait only the newest; the others become undefined.
  function newestOnly() {
    let running = false, waits;
    async function run(job, done) {
      running = true;
      const answer = await job().catch((error) => ({ error }));
      running = false;
      const { job: later, done: doneLater } = waits || {};
      waits = undefined;
      done(later === undefined ? answer : undefined);
      if (later !== undefined) run(later, doneLater);
    }
    return (job) => new Promise((done) => {
      if (!running) return void run(job, done);
      if (waits !== undefined) waits.done(undefined);
      waits = { job, done };
    });
  }
  return { attn, newestOnly };
})();

// File: a problem, trace or model from the disk: what is in it, its pictures and its steps.
const MOST_TO_PLAY = 20000;

function makeFileView(root) {
  const body = make("div"), open = takeFiles(root, inWords("Open, or drop here, a problem or trace:"), ".json,.npz,.safetensors,.ndjson", take);
  root.append(make("div", { class: "settings" }, open), make("p", { class: "dim" }, inWords("A problem is a file that Save (in Play) or attn new writes; a trace, one of attn explain -o. It stays on your computer: the page sends nothing.")), body);

  async function take(name, bytes) {
    const file = name.replace(/^[-.]+|[^\w.-]/g, "_"), given = { files: { [file]: bytes } };
    body.replaceChildren(make("p", {}, inWords("Reading {name} …", { name })));
    const summary = await documentFrom(["explain", file, "--summary"], given);
    const picture = make("div"), steps = make("div");
    const play = button(inWords("Play with it"), async () => showView("play", new URLSearchParams({ problem: await packed(new TextDecoder().decode(bytes)) })));
    play.hidden = !file.endsWith(".json") || bytes.length > MOST_TO_PLAY;
    const all = button(inWords("All steps"), async () => steps.replaceChildren(await documentFrom(["explain", file], given)));
    body.replaceChildren(summary, make("p", {}, play, " ", all), picture, steps);
    if (summary.matches(".trouble")) return body.replaceChildren(summary);
    const { stdout } = await core.attn(["heatmap", file, "--format", "svg", "--quiet"], given);
    if (stdout === "") return;
    const drawn = new DOMParser().parseFromString(stdout.replace(/ style="[^"]*"/, ""), "image/svg+xml").documentElement;
    picture.replaceChildren(make("div", { class: "scroll" }, document.importNode(drawn, true)));
  }
  return {};
}

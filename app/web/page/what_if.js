// Known mistakes as a student would say them; the program builds them in and explains them.
const MISTAKES = [
  ["scale.missing", "I forget √d_k"], ["scale.multiplied", "I multiply by √d_k"], ["softmax.columns", "I take softmax down the columns"],
  ["softmax.twice", "I take softmax twice"], ["softmax.no_exp", "I leave out e^"], ["mask.missing", "I forget the mask"],
  ["mask.after_softmax", "I mask after softmax"], ["mask.triangle_flipped", "I turn the mask's triangle round"],
  ["keys.from_w_q", "I make the keys with W_q"], ["values.from_w_k", "I make the values with W_k"],
  ["values.unprojected", "I take X for V"], ["projection.q_transposed", "I transpose W_q"],
  ["scores.query_query", "I compare queries with queries"], ["heads.split_reshaped", "I cut the heads in the wrong direction"],
  ["heads.averaged", "I average the heads"], ["output.w_o_missing", "I forget W_o"], ["positions.missing", "I forget the positions"],
];

// Those of some mistakes, [code, words] each, that can occur in a problem; undefined where it changes meanwhile.
async function possibleMistakes(mistakes, stdin, args, isStill) {
  const found = [];
  for (const mistake of mistakes) {
    const run = core.attn(["explain", "-", "--summary", "--quiet", "--fault", mistake[0], ...args], { stdin });
    const { code } = await run.catch(() => ({ code: 1 }));
    if (!isStill()) return undefined;
    if (code === 0) found.push(mistake);
  }
  return found;
}

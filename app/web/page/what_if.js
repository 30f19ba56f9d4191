// Known mistakes as a student would say them; the program builds them in and explains them.
const MISTAKES = [
  ["scale.missing", inWords("I forget √d_k")], ["scale.multiplied", inWords("I multiply by √d_k")], ["softmax.columns", inWords("I take softmax down the columns")],
  ["softmax.twice", inWords("I take softmax twice")], ["softmax.no_exp", inWords("I leave out e^")], ["mask.missing", inWords("I forget the mask")],
  ["mask.after_softmax", inWords("I mask after softmax")], ["mask.triangle_flipped", inWords("I turn the mask's triangle round")],
  ["keys.from_w_q", inWords("I make the keys with W_q")], ["values.from_w_k", inWords("I make the values with W_k")],
  ["values.unprojected", inWords("I take X for V")], ["projection.q_transposed", inWords("I transpose W_q")],
  ["scores.query_query", inWords("I compare queries with queries")], ["heads.split_reshaped", inWords("I cut the heads in the wrong direction")],
  ["heads.averaged", inWords("I average the heads")], ["output.w_o_missing", inWords("I forget W_o")], ["positions.missing", inWords("I forget the positions")],
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

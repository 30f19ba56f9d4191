# The samples are part of the program, so that `attn explain` works with no file at hand.
set(ATTN_SAMPLES  # in teaching order; the first is shown when no file is named
  01-one-head
  02-why-scale
  03-multi-head
  04-causal
  05-padding
  06-translation
  07-per-head-weights
  08-mlm-columns
  09-batch
  10-chinese
  11-decode-step
  12-grouped-heads
  13-embedding-table
  14-french-decoder
  15-induction
  16-reversal
  17-english-french
  18-latent
  19-qk-norm
  20-sinks
  21-additive
  22-t5-bias
  23-rope-scaling
  24-experts
  25-gate)

# Tokenizers: samples/tokenizers/NAME.json.
set(ATTN_TOKENIZERS english)

# Lessons, in teaching order: samples/lessons/NAME.md.
set(ATTN_LESSONS
  tokens one-head softmax scale masks minus-infinity heads future training add-or-multiply order symbols
  translation hidden-words what-heads-learn inside window rope-scaling qk-norm sinks additive online-softmax latent
  experts gradients)

# Languages: samples/lang/CODE.json; English is in the code.
set(ATTN_LANGUAGES de zh)

# Lessons in other languages: samples/lessons/CODE/NAME.md.
set(ATTN_TRANSLATED_LESSONS
  de/tokens de/one-head de/softmax de/scale de/masks zh/tokens zh/one-head zh/softmax zh/scale zh/masks)

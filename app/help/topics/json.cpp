// attn help json.
#include "attn/tool/problem_options.hpp"
#include "attn/tool/text.hpp"
#include "help/topics.hpp"

namespace attn::app {
namespace {

std::string line(const KeyExample& key) {
  const std::string json = "  " + std::string(key.json);
  return (key.says.empty() ? json : pad_right(json, 45) + std::string(key.says)) + "\n";
}

}  // namespace

std::string json_page() {
  std::string page = R"page(attn help json - the problem file, key by key

A problem is a JSON object with "embeddings" and "weights", with "q", "k" and
"v", or with a whole model (attn help models). Everything else is optional.
Keys that begin with _ or $ are comments. An unknown key is an error, so that
no misspelling goes unnoticed.
)page";
  for (const std::vector<KeyExample>& group : key_examples()) {
    page += "\n";
    for (const KeyExample& key : group) page += line(key);
  }
  return page + R"page(  "_note": "anything"                        a comment

A matrix is a list of rows. With one more level of brackets it is a batch
(embeddings, q, k, v) or one matrix per head (weights). JSON has no infinity:
write "-Infinity" in quotation marks. A matrix may also be described:

  "bias": {"zeros": [2, 2]}                  likewise "ones"; {"eye": 2}
  "q": {"randn": [2, 4], "seed": 42}         torch.randn after manual_seed(42)
  "q": {"rand": [2, 4], "seed": 42}          torch.rand, from 0 to below 1

or read from a file in the problem's folder: {"file": "q.npy"}.

  attn new --list                            samples to begin with
  attn new --sample 01-one-head -o one.json
  attn explain one.json
)page";
}

}  // namespace attn::app

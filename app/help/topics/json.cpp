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

A problem is a JSON object with "embeddings" and "weights", or with "q", "k"
and "v". All else is optional. Keys that begin with _ are comments; any other
key that is not listed here is an error: no typing mistake goes unseen.
)page";
  for (const std::vector<KeyExample>& group : key_examples()) {
    page += "\n";
    for (const KeyExample& key : group) page += line(key);
  }
  return page + R"page(  "_note": "anything"                        a comment

A matrix is a list of rows. One level of brackets more, and it is a batch
(embeddings, q, k, v) or one matrix per head (weights). JSON knows no infinity:
"-Infinity" is written in quotation marks. A matrix may be described, too:

  "bias": {"zeros": [2, 2]}                  likewise "ones"; {"eye": 2}
  "q": {"randn": [2, 4], "seed": 42}         torch.randn after manual_seed(42)

or read from {"file": "q.npy"} in the folder of the problem.

  attn new --list                            samples to begin with
  attn new --sample 01-one-head -o one.json
  attn explain one.json
)page";
}

}  // namespace attn::app

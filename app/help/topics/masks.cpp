// attn help masks.
#include <array>
#include <initializer_list>

#include "attn/mask.hpp"
#include "attn/problem.hpp"
#include "attn/tool/text.hpp"
#include "help/topics.hpp"

namespace attn::app {
namespace {

constexpr Index kTokens = 5;
constexpr std::ptrdiff_t kPictureWidth = 13;  // of a picture, and of the longest name above one
constexpr std::ptrdiff_t kGap = 3;

/// Who may attend to whom among five tokens: one line per query, "1 · · · ·".
std::array<std::string, kTokens> picture(const char* mask) {
  ProblemDraft draft;
  draft.q = draft.k = draft.v = Array{{kTokens, 1}, std::vector<double>(kTokens, 1.0)};
  draft.masks = {parse_mask(mask)};
  const Problem problem = make_problem(draft);
  std::array<std::string, kTokens> lines;
  for (Index i = 0; i < kTokens; ++i) {
    const bool kept = !problem->kept_queries || problem->kept_queries->at({0, 0, i, 0}) != 0.0;
    for (Index j = 0; j < kTokens; ++j) {
      const bool seen =
          !problem->visibility || problem->visibility->allowed.at({0, 0, i, j}) != 0.0;
      lines.at(static_cast<std::size_t>(i)) +=
          std::string(j > 0 ? " " : "") + (kept && seen ? "1" : "·");
    }
  }
  return lines;
}

/// The pictures of these masks side by side, below their names.
std::string pictures(std::initializer_list<const char*> masks) {
  std::array<std::string, kTokens + 1> lines;
  for (const char* mask : masks) {
    const auto rows = picture(mask);
    const std::ptrdiff_t before = display_width(lines.front());
    const std::ptrdiff_t start = before == 0 ? 2 : before + kGap;
    for (std::size_t i = 0; i < lines.size(); ++i) {
      lines.at(i) = pad_right(lines.at(i), start) +
                    (i == 0 ? pad_right(mask, kPictureWidth) : rows.at(i - 1));
    }
  }
  std::string text;
  for (std::string& line : lines) {
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
}

}  // namespace

std::string masks_page() {
  std::string text = R"page(attn help masks - who may attend to whom

A mask is a table of 0s and 1s, query × key. 1 means "may attend". Where it is
0, the score becomes −∞ before softmax, and the weight exactly 0.

)page";
  for (const MaskKind& kind : mask_kinds()) {
    text += "  " + pad_right(kind.usage, 21) + kind.summary + "\n";
  }
  text += R"page(
KEYS and ROWS are indices from 0, ranges and tokens, with commas between them:
keys:0,2-4,cat. Five tokens, one row per query (1 may attend, · is hidden):

)page";
  text += pictures({"causal", "window:1", "window:1,1", "prefix:2"}) + "\n";
  text += pictures({"padding:3-4", "keys:1", "queries:4", "documents:3,2"});
  return text + R"page(
Several masks combine: a key is visible only if all of them allow it.

  attn explain --mask causal --mask keys:it
  attn explain --mask window:1 --steps masked_scores,weights

In a problem file, "mask" takes the same words, one or a list; --mask replaces
them. There are also

  "allowed": [[1, 0], [1, 1]]   a table of your own
  "bias": [[0, -2], [0.5, 0]]   numbers to add to the scores; "-Infinity" hides
  "key_lengths": [5, 3]         how many keys of each batch entry are real
  "align": "end"                with more keys than queries: the last query is
                                at the last key ("key-lengths": the last real
                                one); "start": query 0 is at key 0, or right
                                after the past

A hidden score becomes −∞. --fill writes another number instead, and --masking
add adds it to the score. --masking multiply sets the weights of hidden keys to
0 after softmax; --masking renormalize does so too, and then makes each row add
up to 1 again.

Programs disagree on what 1 means: "may attend" in attn, ONNX and
scaled_dot_product_attention, "hidden" in nn.MultiheadAttention. See attn help
pytorch. A query that sees no key is reported; --empty-row decides its weights.
)page";
}

}  // namespace attn::app

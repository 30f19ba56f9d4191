#include "io/json/expectation.hpp"

#include <algorithm>
#include <iterator>

namespace attn::json {
namespace {

constexpr Expectation kText{"text", "Write text in quotation marks.", true};
constexpr Expectation kWord{"a word", "Write the word in quotation marks, or leave out the key.",
                            true};
constexpr Expectation kTexts{"a list of texts", "Write a list such as [\"the\", \"cat\"]."};
constexpr Expectation kNumber{"a number", "Write a number such as 0.5, or leave out the key."};
constexpr Expectation kCount{"a whole number", "Write a number such as 2, or leave out the key."};
constexpr Expectation kCounts{"a list of whole numbers",
                              "Write a list such as [3, 4], or leave out the key."};
constexpr Expectation kScale{
    "a number", "Write a number, \"none\" or \"1/sqrt(d_k)\", or leave out the key.", true};
constexpr Expectation kCell{"a number", "Write a number, without quotation marks."};
constexpr Expectation kNumbers{"numbers",
                               "Write a list such as [1, 0.5]; a matrix is a list of such lists."};
constexpr Expectation kMatrix{"a matrix", "Write one list for each row, such as [[1, 0], [0, 1]]."};
constexpr Expectation kBiasCell{
    "a number", "Write a number, or \"-Infinity\" in quotation marks to hide the key.", false,
    false, true};
constexpr Expectation kFill{"a number", "Write a number such as -1e9, or \"-Infinity\".", false,
                            false, true};
constexpr Expectation kFlag{"0 or 1", "Write 1 where the query may attend to the key, 0 where not.",
                            false, true};
constexpr Expectation kSwitch{"true or false", "Write true or false.", false, true};
constexpr Expectation kMask{"a mask", "Write a mask such as \"causal\", or leave out the key.",
                            true};
constexpr Expectation kObject{"an object", "Write the keys and their values in braces."};

struct Row {
  std::string_view pointer;
  const Expectation& whole;
  const Expectation& item;
};

// Of two pointers that fit, the longer one stands first.
constexpr Row kRows[] = {
    {"/format", kText, kText},
    {"/format_version", kText, kText},
    {"/title", kText, kText},
    {"/description", kText, kText},
    {"/tokens", kTexts, kText},
    {"/key_tokens", kTexts, kText},
    {"/memory/tokens", kTexts, kText},
    {"/past/tokens", kTexts, kText},
    {"/embeddings", kMatrix, kCell},
    {"/embedding_table", kObject, kCell},
    {"/memory/embeddings", kMatrix, kCell},
    {"/memory", kObject, kObject},
    {"/weights/add_zero_attn", kSwitch, kSwitch},
    {"/weights", kObject, kCell},
    {"/q", kMatrix, kCell},
    {"/k", kMatrix, kCell},
    {"/v", kMatrix, kCell},
    {"/past", kObject, kCell},
    {"/heads", kCount, kCount},
    {"/kv_heads", kCount, kCount},
    {"/mask", kMask, kMask},
    {"/allowed", kMatrix, kFlag},
    {"/bias", kMatrix, kBiasCell},
    {"/key_lengths", kCounts, kCount},
    {"/align", kWord, kWord},
    {"/masking/fill", kFill, kFill},
    {"/masking/mode", kWord, kWord},
    {"/masking", kObject, kObject},
    {"/empty_row", kWord, kWord},
    {"/scale", kScale, kScale},
    {"/softcap", kNumber, kNumber},
    {"/positions/kind", kWord, kWord},
    {"/positions/base", kNumber, kNumber},
    {"/positions/rotary_dim", kCount, kCount},
    {"/positions/offset", kCount, kCount},
    {"/positions/slopes", kNumbers, kCell},
    {"/positions", kWord, kWord},
    {"/dtype", kWord, kWord},
};

bool is_below(std::string_view pointer, std::string_view parent) {
  return pointer.starts_with(parent) &&
         (pointer.size() == parent.size() || pointer[parent.size()] == '/');
}

}  // namespace

const Expectation* expectation_at(std::string_view pointer, bool in_list) {
  const auto* row = std::find_if(std::begin(kRows), std::end(kRows),
                                 [&](const Row& each) { return is_below(pointer, each.pointer); });
  if (row == std::end(kRows)) return nullptr;
  if (in_list) return &row->item;
  // What stands below an object: weights, past, embedding_table.
  const bool inner = pointer.size() > row->pointer.size();
  return inner && &row->whole == &kObject ? &kNumbers : &row->whole;
}

}  // namespace attn::json

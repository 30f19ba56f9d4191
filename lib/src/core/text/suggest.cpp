// Looks for a synonym, else counts edits, and proposes up to three words that are near enough.
#include "attn/suggest.hpp"

#include "attn/phrases.hpp"

#include <algorithm>
#include <cstdlib>

namespace attn {
namespace {

/// Other names for a word.
struct Synonym {
  std::string_view theirs, ours;
};
constexpr Synonym kSynonyms[] = {
    {"rotary", "rope"},           {"sin", "sinusoidal"},    {"sinusoid", "sinusoidal"},
    {"absolute", "sinusoidal"},   {"half", "float16"},      {"fp16", "float16"},
    {"bf16", "bfloat16"},         {"fp32", "float32"},      {"single", "float32"},
    {"float", "float32"},         {"fp64", "float64"},      {"double", "float64"},
    {"sliding", "window"},        {"local", "window"},      {"band", "window"},
    {"autoregressive", "causal"}, {"triangular", "causal"}, {"tril", "causal"},
    {"look-ahead", "causal"},     {"pad", "padding"},       {"packed", "documents"},
    {"attn_weights", "weights"},  {"attention", "weights"}, {"logits", "scores"},
    {"softmax", "weights"},       {"sqrt", "1/sqrt(d_k)"},  {"normalizing", "normalize"},
};

/// The word in small letters, without the dashes of an option.
std::string plain(std::string_view word) {
  return lowered(word.substr(std::min(word.find_first_not_of('-'), word.size())));
}

/// Edits (insert, delete, replace, swap neighbours) that turn `a` into `b`.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before(b.size() + 1), above(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) above[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({above[j] + 1, row[j - 1] + 1, above[j - 1] + (a[i - 1] != b[j - 1])});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) row[j] = std::min(row[j], before[j - 2] + 1);
    }
    before.swap(above);
    above.swap(row);
  }
  return above[b.size()];
}

}  // namespace

std::vector<std::string> suggestions(std::string_view wrong,
                                     const std::vector<std::string>& known) {
  const std::string written = plain(wrong);
  const std::size_t limit = std::min<std::size_t>(2, (written.size() + 1) / 3);
  for (const Synonym& row : kSynonyms) {
    const bool meant = row.theirs == written;
    if (meant && std::find(known.begin(), known.end(), row.ours) != known.end()) {
      return {std::string(row.ours)};
    }
  }
  std::vector<std::pair<std::size_t, std::string>> near;
  for (const std::string& word : known) {
    const std::string right = plain(word);
    if (right.size() > written.size() + limit || written.size() > right.size() + limit) continue;
    const std::size_t distance = edit_distance(written, right);
    if (distance <= limit) near.emplace_back(distance, word);
  }
  std::stable_sort(near.begin(), near.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<std::string> words;
  for (std::size_t i = 0; i < near.size() && i < 3; ++i) words.push_back(near[i].second);
  return words;
}

std::string did_you_mean(std::string_view wrong, const std::vector<std::string>& known) {
  return did_you_mean(suggestions(wrong, known));
}

std::string did_you_mean(const std::vector<std::string>& words) {
  return words.empty() ? "" : "; did you mean " + either(quoted(words)) + "?";
}

}  // namespace attn

// What lessons about special layers need: windows, latents, experts, blocks of keys.
#include <algorithm>

#include "attn/attend.hpp"
#include "attn/core/online_softmax.hpp"
#include "attn/phrases.hpp"
#include "teach/lessons/scene.hpp"

namespace attn {
namespace {

constexpr Index kManyWords = 9, kFewColumns = 4;

/// X of the lesson on windows, with one row changed if `changed` is one.
Array words_as_numbers(Index changed) {
  Array x{{kManyWords, kFewColumns}, {}};
  for (Index i = 0; i < kManyWords; ++i) {
    for (Index c = 0; c < kFewColumns; ++c)
      x.data.push_back(static_cast<double>((3 * i + 2 * c * i + c) % 5) - 2.0 +
                       (i == changed ? 0.5 : 0.0));
  }
  return x;
}

/// The last row of the output of attention layers on top of each other.
std::vector<double> last_row_of(const std::vector<std::string>& masks, Index changed) {
  Array x = words_as_numbers(changed);
  for (const std::string& mask : masks) {
    ProblemDraft draft;
    draft.embeddings = x;
    draft.masks = {parse_mask(mask)};
    x.data = attend_output(make_problem(draft)).data().copy();
  }
  return {x.data.end() - kFewColumns, x.data.end()};
}

/// Which of 9 words the last one depends on, through so many layers with a mask, and one more with
/// another: reached(2, "window:2", "causal").
LessonValue reached(Scene&, const Arguments& a) {
  const double layers = one_number(a[0]);
  if (!(layers >= 0 && layers <= 16)) throw LessonFault{"there are 0 to 16 layers"};
  std::vector<std::string> masks(static_cast<std::size_t>(layers), text_of(a[1]));
  if (a.size() > 2) masks.push_back(text_of(a[2]));
  const std::vector<double> before = last_row_of(masks, -1);
  std::vector<double> flags;
  for (Index token = 0; token < kManyWords; ++token)
    flags.push_back(last_row_of(masks, token) != before ? 1.0 : 0.0);
  return list_value(flags);
}

/// "··xxxxxxx": which numbers are not 0.
LessonValue marks_of(Scene&, const Arguments& a) {
  std::string text;
  for (const double x : numbers_of(a[0]).data()) text += x != 0.0 ? "x" : "·";
  return text;
}

/// "0 and 3": where a row is not 0.
LessonValue places_text(Scene&, const Arguments& a) {
  std::vector<std::string> places;
  const auto row = numbers_of(a[0]).data();
  for (std::size_t j = 0; j < row.size(); ++j) {
    if (row[j] != 0.0) places.push_back(std::to_string(j));
  }
  return together(places);
}

Index keys_per_block(Scene& scene) {
  const Index keys = scene.trace()->settings().n_keys;
  return scene.lesson().block().value_or(std::max<Index>(2, (keys + 7) / 8));
}
std::vector<OnlineBlock> blocks_of(Scene& scene, Index size) {
  return online_softmax(*scene.trace(), scene.row().cell, size);
}
std::vector<double> divided_by_sum(const OnlineRow& row) {
  std::vector<double> result = row.output;
  for (double& x : result) x /= row.sum;
  return result;
}

std::string numbers_text(Scene& scene, std::span<const double> numbers) {
  std::vector<std::string> texts;
  for (const double x : numbers) texts.push_back(scene.lesson().number(x));
  return listed(texts, 6);
}

/// The table of an online softmax, a line for each block.
LessonValue blocks_table(Scene& scene, const Arguments&) {
  Table table{{"keys", "scores", "maximum", "factor", "sum", "output"}, {}, 2};
  const Followed& row = scene.row();
  const std::vector<OnlineBlock> blocks = blocks_of(scene, keys_per_block(scene));
  bool is_empty = true;  // so far
  for (const OnlineBlock& block : blocks) {
    const auto first = row.keys.begin() + block.first;
    const std::vector<std::string> keys(first, first + std::ssize(block.scores));
    table.rows.push_back({listed(keys, 3), numbers_text(scene, block.scores),
                          scene.lesson().number(block.row.maximum),
                          is_empty ? "" : scene.lesson().number(block.rescale),
                          scene.lesson().number(block.row.sum),
                          numbers_text(scene, block.row.output)});
    is_empty = block.row.sum == 0.0;
  }
  const std::vector<double> result = divided_by_sum(blocks.back().row);
  table.rows.push_back({"output / sum", "", "", "", "", numbers_text(scene, result)});
  return table;
}

/// The first block that brings a larger maximum: the one before, the new one, the factor. Empty if
/// there is none.
LessonValue larger_maximum(Scene& scene, const Arguments&) {
  const std::vector<OnlineBlock> blocks = blocks_of(scene, keys_per_block(scene));
  for (std::size_t i = 1; i < blocks.size(); ++i) {
    if (blocks[i].rescale > 0.0 && blocks[i].rescale < 1.0)
      return list_value({blocks[i - 1].row.maximum, blocks[i].row.maximum, blocks[i].rescale});
  }
  return list_value({});
}

/// The row that blocks of a size end in.
LessonValue online_row(Scene& scene, const Arguments& a) {
  const double size = one_number(a[0]);
  if (!(size >= 1 && size <= 1e9)) throw LessonFault{"a block has at least one key"};
  const auto blocks = blocks_of(scene, static_cast<Index>(size));
  return transposed_value(list_value(divided_by_sum(blocks.back().row)));
}

constexpr LessonFunction kOfLayers[] = {
    {"reached", 2, 3, reached},
    {"marks", 1, 1, marks_of},
    {"places_text", 1, 1, places_text},
    {"block_size", 0, 0,
     [](Scene& s, const Arguments&) -> LessonValue { return number_value(keys_per_block(s)); }},
    {"blocks_table", 0, 0, blocks_table},
    {"larger_maximum", 0, 0, larger_maximum},
    {"online_row", 1, 1, online_row},
};

}  // namespace

std::span<const LessonFunction> functions_of_layers() { return kOfLayers; }

}  // namespace attn

// What lessons about special layers need: windows, latents, experts, blocks of keys.
#include <algorithm>
#include <array>

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

/// 1 for each expert that has a gradient other than 0.
LessonValue learning_experts(Scene&, const Arguments& a) {
  std::vector<double> flags;
  const Trace& trace = *trace_of(a[0]);
  while (const Step* step =
             trace.find("layers.0.expert." + std::to_string(flags.size()) + ".linear2.weight.grad"))
    flags.push_back(largest_size(step->value) > 0.0 ? 1.0 : 0.0);
  return list_value(flags);
}

/// How many numbers one expert has.
LessonValue numbers_per_expert(Scene& scene, const Arguments&) {
  Index count = 0;
  for (const auto& [name, array] : scene.draft().weights) {
    if (name.find("experts.0.") != name.npos) count += std::ssize(array.data);
  }
  return number_value(static_cast<double>(count));
}

/// W_UV·W_O of each head, one below the other: rank × d_out per head.
Array absorbed_output(const Trace& trace, Index heads) {
  const Tensor &up = trace.value("w_uv"), &w_o = trace.value("w_o");
  const Index v = up.cols() / heads;
  Array w{{heads * up.rows(), w_o.cols()}, {}};
  for (Index h = 0; h < heads; ++h) {
    for (Index r = 0; r < up.rows(); ++r) {
      for (Index o = 0; o < w_o.cols(); ++o) {
        double sum = 0.0;
        for (Index c = 0; c < v; ++c)
          sum += up.at({0, 0, r, h * v + c}) * w_o.at({0, 0, h * v + c, o});
        w.data.push_back(sum);
      }
    }
  }
  return w;
}

/// The same attention on the latents themselves: one head of keys and values for all queries.
LessonValue absorbed(Scene& scene, const Arguments&) {
  const Trace& trace = *scene.trace();
  const Tensor &c = trace.value("kv_latent_normed"), &up = trace.value("w_uk"),
               &q = trace.value("q_rotated"), &k = trace.value("k_rotated");
  const Index heads = q.heads(), nope = up.cols() / heads, width = c.cols() + q.cols() - nope;
  ProblemDraft one;
  one.tokens = scene.draft().tokens;
  one.masks = scene.draft().masks;
  one.scale = {ScaleRule::Kind::Number, trace.settings().scale.number};
  one.q = Array{{1, heads, q.rows(), width}, {}};
  one.k = Array{{1, 1, c.rows(), width}, {}};
  one.v = Array{{1, 1, c.rows(), c.cols()}, c.data().copy()};
  for (Index h = 0; h < heads; ++h) {
    for (Index i = 0; i < q.rows(); ++i) {  // [q_nope·W_UKᵀ | q_rope]
      for (Index r = 0; r < c.cols(); ++r) {
        double sum = 0.0;
        for (Index n = 0; n < nope; ++n) sum += q.at({0, h, i, n}) * up.at({0, 0, r, h * nope + n});
        one.q->data.push_back(sum);
      }
      for (Index n = nope; n < q.cols(); ++n) one.q->data.push_back(q.at({0, h, i, n}));
    }
  }
  for (Index j = 0; j < c.rows(); ++j) {
    const auto latent = c.row(0, 0, j), key = k.row(0, 0, j);
    one.k->data.insert(one.k->data.end(), latent.begin(), latent.end());
    one.k->data.insert(one.k->data.end(), key.begin() + nope, key.end());
  }
  one.weights["w_o"] = absorbed_output(trace, heads);
  return computed(one);
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

constexpr std::array kOfLayers{
    LessonFunction{"reached", 2, 3, reached},
    LessonFunction{"marks", 1, 1, marks_of},
    LessonFunction{"places_text", 1, 1, places_text},
    LessonFunction{"learning_experts", 1, 1, learning_experts},
    LessonFunction{"numbers_per_expert", 0, 0, numbers_per_expert},
    LessonFunction{"absorbed", 0, 0, absorbed},
    LessonFunction{"block_size", 0, 0,
                   [](Scene& s, const Arguments&) -> LessonValue {
                     return number_value(static_cast<double>(keys_per_block(s)));
                   }},
    LessonFunction{"blocks_table", 0, 0, blocks_table},
    LessonFunction{"larger_maximum", 0, 0, larger_maximum},
    LessonFunction{"online_row", 1, 1, online_row},
};

}  // namespace

std::span<const LessonFunction> functions_of_layers() { return kOfLayers; }

}  // namespace attn

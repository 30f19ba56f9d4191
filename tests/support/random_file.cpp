// Adds the keys to random problems that are about words and number types.
#include "support/random_file.hpp"

#include <iterator>
#include <string>
#include <string_view>

#include "attn/attend.hpp"
#include "attn/io/problem_file.hpp"
#include "support/dice.hpp"
#include "support/random_model.hpp"
#include "support/random_problem.hpp"

namespace attn::testing {
namespace {

const std::vector<std::string> kTitles = {"", "Attention", "<b>a|b</b> & \"c\", `d`",
                                          "=1+1; \\input{x} $y$", "\x1b[2J two\nlines 猫"};

/// Keys of a course's material, which go together with few others.
constexpr std::string_view kMaterial[] = {
    R"({"attention_weights": [[0.25, 0.75]], "v": [[1, 2], [3, 4]]})",
    R"({"q": [[1, 0], [0, 1]], "k": [[1, 0], [0, 1]], "v": [[1], [2]], "hidden": [[0, 1], [0, 0]],
        "dropout": {"p": 0.5, "keep": [[1, 0], [1, 1]]}, "target": [[1], [0]]})",
    R"({"embeddings": [[1, 0], [0, 1]], "heads": 1, "fused": "parts", "weights":
        {"qkv_proj.weight": [[1, 0], [0, 1], [1, 1], [0, 2], [1, 0], [2, 1]]}})",
    R"({"embeddings": [[1, 0, 2], [0, 1, 1]], "layout": "columns", "weights":
        {"w_q": [[1, 0]], "w_k": [[0, 1]], "w_v": [[1, 1]]}})"};

/// Rows of the memory by name, in place of the rows themselves.
void name_memory(MemoryDraft& memory, Dice& dice) {
  if (memory.embeddings.rank() != 2 || memory.tokens.size() > 1) return;
  const Index width = memory.embeddings.shape[1];
  memory.tokens = {{}};
  for (Index i = 0; i < memory.embeddings.shape[0]; ++i) {
    memory.tokens.front().push_back("m" + std::to_string(i));
    memory.embedding_table.emplace_back(memory.tokens.front().back(), dice.numbers({width}).data);
  }
  memory.embeddings = {};
}

void add_words(ProblemDraft& draft, Dice& dice) {
  const Tensor output = attend_output(make_problem(draft));
  const Index count = dice.between(1, 4);
  VocabularyDraft words{{}, dice.numbers({output.cols(), count}), {}, {}};
  for (Index i = 0; i < count; ++i) words.tokens.push_back("w" + std::to_string(i));
  if (dice.chance(50)) words.b = dice.numbers({count});
  if (dice.chance(50)) words.end_token = words.tokens.back();
  draft.vocabulary = words;
  if (dice.chance(40)) return;
  for (Index b = 0; b < output.batch(); ++b) {
    auto& labels = draft.labels.emplace_back(output.rows());
    for (LabelDraft& label : labels)
      if (&label == &labels.front() || dice.chance(70)) label.index = dice.between(0, count - 1);
  }
}

}  // namespace

ProblemDraft random_file(std::uint64_t seed) {
  Dice dice(seed + 7700);
  if (seed % 20 == 19) return parse_problem(kMaterial[seed / 20 % std::size(kMaterial)], "p").draft;
  ProblemDraft draft = seed % 3 == 0 ? random_model(seed / 3) : random_problem(seed);
  draft.title = dice.one_of(kTitles);
  draft.description = dice.one_of(kTitles);
  draft.dtype = dice.one_of<Dtype>(
      {Dtype::Float64, Dtype::Float64, Dtype::Float32, Dtype::Float16, Dtype::Bfloat16});
  if (draft.memory && draft.masks.empty() && draft.memory_masks.empty() && dice.chance(50))
    name_memory(*draft.memory, dice);
  const bool complete = draft.empty_row != EmptyRow::Error;
  if (!draft.model && complete && dice.chance(40)) add_words(draft, dice);
  return draft;
}

}  // namespace attn::testing

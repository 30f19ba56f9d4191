// What lessons do to the tokens of a sentence: fewer, in another order, one by one.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "attn/attend.hpp"
#include "attn/number_text.hpp"
#include "attn/phrases.hpp"
#include "attn/torch_random.hpp"
#include "core/tensor/slices.hpp"
#include "core/trace/multiplications.hpp"
#include "teach/lessons/lesson_settings.hpp"
#include "teach/lessons/scene.hpp"

namespace attn {
namespace {

bool same_row(std::span<const double> x, std::span<const double> y) {
  return std::equal(x.begin(), x.end(), y.begin(),
                    [](double p, double q) { return is_close(p, q); });
}

/// 1 for each row in which two steps differ in some head.
LessonValue row_differs(Scene&, const Arguments& a) {
  const Tensor &one = numbers_of(a[0]), &other = numbers_of(a[1]);
  std::vector<double> flags(static_cast<std::size_t>(one.rows()), 0.0);
  for_each_slice(one, [&](Index b, Index h) {
    for (Index i = 0; i < std::min(one.rows(), other.rows()); ++i) {
      if (!same_row(one.row(b, h, i), other.row(b, h, i))) flags[static_cast<std::size_t>(i)] = 1.0;
    }
  });
  return list_value(flags);
}

/// The tokens of the rows that are marked with 1: "none", "all", or their names.
LessonValue marked_rows(Scene& scene, const Arguments& a) {
  std::vector<std::string> names;
  const auto flags = numbers_of(a[0]).data();
  for (std::size_t i = 0; i < flags.size(); ++i) {
    if (flags[i] != 0.0) names.push_back(scene.row(static_cast<Index>(i)).token);
  }
  return names.empty() ? "none" : names.size() == flags.size() ? "all" : listed(names, 4);
}

/// "-2, 1.5, …"
LessonValue first_two(Scene& scene, const Arguments& a) {
  std::vector<std::string> texts;
  for (const double x : numbers_of(a[0]).data()) texts.push_back(scene.lesson().number(x));
  return listed(texts, 2);
}

/// Rows in another order (token_order), in every head and batch entry.
LessonValue reordered(Scene&, const Arguments& a) {
  Tensor result = numbers_of(a[0]);
  const Tensor& before = numbers_of(a[0]);
  const auto order = token_order(before.rows(), text_of(a[1]));
  for_each_slice(before, [&](Index b, Index h) {
    for (Index i = 0; i < before.rows(); ++i) {
      const auto row = before.row(b, h, order[static_cast<std::size_t>(i)]);
      std::copy(row.begin(), row.end(), result.row(b, h, i).begin());
    }
  });
  return result;
}

/// The largest difference, relative to the largest number of the first (or 1).
LessonValue difference_of(Scene&, const Arguments& a) {
  double most = 0.0, size = 1.0;
  combined(numbers_of(a[0]), numbers_of(a[1]), [&](double x, double y) {
    most = std::max(most, std::abs(x - y));
    size = std::max(size, std::abs(x));
    return 0.0;
  });
  return number_value(most / size);
}

/// What the masks of the reader's problem have to do with order, in a sentence.
LessonValue masks_and_order(Scene& scene, const Arguments&) {
  const ProblemDraft& own = scene.lesson().draft();
  if (own.masks.empty() && !own.allowed && own.key_lengths.empty()) return "";
  Tensor outputs[2];
  for (std::size_t i = 0; i < 2; ++i) {
    ProblemDraft draft = own;
    draft.empty_row = EmptyRow::Zero;
    draft.positions = {};
    draft.labels.clear();
    if (i == 1) permute_tokens(draft, "reversed");
    outputs[i] = computed(draft)->value("output");
  }
  const LessonValue expected = reordered(scene, {outputs[0], "reversed"});
  const bool follows = one_number(difference_of(scene, {outputs[1], expected})) <= 1e-12;
  return follows ? "The masks of this problem follow its tokens, as padding does: with them, too, "
                   "the reversed tokens give the reversed rows."
                 : "The masks of this problem go by position: with them, the reversed tokens do "
                   "not give the reversed rows.";
}

Array as_array(const Tensor& t) {
  Array array{{t.rows(), t.cols()}, t.data().copy()};
  if (t.shape().heads) array.shape.insert(array.shape.begin(), *t.shape().heads);
  return array;
}

/// Tokens `first` to `last` alone: with the keys and values that `before` kept, if there is one.
ProblemDraft part_of(const ProblemDraft& all, const Tensor& x, Index first, Index last,
                     const Trace* before) {
  ProblemDraft part = all;
  const auto& words = all.tokens.front();
  part.tokens = {{words.begin() + first, words.begin() + last + 1}};
  const auto rows = x.data().begin();
  part.embeddings =
      Array{{last + 1 - first, x.cols()}, {rows + first * x.cols(), rows + (last + 1) * x.cols()}};
  part.embedding_table.clear();
  part.text.reset();
  for (std::vector<Index>& ids : part.positions.ids)
    ids = {ids.begin() + first, ids.begin() + last + 1};
  if (before == nullptr) return part;
  part.past = {{words.begin(), words.begin() + first},
               as_array(before->input(before->at("scores"), 1).value),
               as_array(before->input(mixed_step(*before), 1).value)};
  if (is_added(part.positions.kind) && part.positions.ids.empty())
    part.positions.offset = part.positions.offset.value_or(0) + first;
  return part;
}

/// Each token alone, with the keys and values kept of those before it.
std::vector<SharedTrace> one_by_one(Scene& scene, ProblemDraft& draft, Tensor& x) {
  draft = scene.draft();
  const Problem problem = make_problem(draft);
  draft.tokens = problem->query_tokens;
  x = *problem->x;
  std::vector<SharedTrace> alone;
  for (Index t = 0; t < x.rows(); ++t)
    alone.push_back(
        computed(part_of(draft, x, t, t, alone.empty() ? nullptr : alone.back().get())));
  return alone;
}

LessonValue last_alone(Scene& scene, const Arguments&) {
  ProblemDraft draft;
  Tensor x;
  return one_by_one(scene, draft, x).back();
}

/// For each token: whether its row is that of the whole pass, with a cache and from scratch; then
/// the multiplications of both.
LessonValue token_by_token(Scene& scene, const Arguments&) {
  ProblemDraft draft;
  Tensor x;
  const std::vector<SharedTrace> alone = one_by_one(scene, draft, x);
  std::vector<double> numbers;
  for (Index t = 0; t < x.rows(); ++t) {
    const Trace& cached = *alone[static_cast<std::size_t>(t)];
    const Trace prefix = attend(make_problem(part_of(draft, x, 0, t, nullptr)));
    const auto row = scene.trace()->value("output").row(0, 0, t);
    const bool same = same_row(cached.value("output").row(0, 0, 0), row),
               again = same_row(prefix.value("output").row(0, 0, t), row);
    numbers.insert(numbers.end(), {same ? 1.0 : 0.0, again ? 1.0 : 0.0, multiplications(cached),
                                   multiplications(prefix)});
  }
  return Tensor({{}, {}, x.rows(), 4}, numbers);
}

constexpr LessonFunction kOfSentences[] = {
    {"row_differs", 2, 2, row_differs},
    {"marked_rows", 1, 1, marked_rows},
    {"first_two", 1, 1, first_two},
    {"reordered", 2, 2, reordered},
    {"difference", 2, 2, difference_of},
    {"masks_and_order", 0, 0, masks_and_order},
    {"last_alone", 0, 0, last_alone},
    {"token_by_token", 0, 0, token_by_token},
    {"multiplications", 1, 1,
     [](Scene&, const Arguments& a) -> LessonValue {
       return number_value(multiplications(*trace_of(a[0])));
     }},
};

}  // namespace

/// Which token each place gets: {2, 0, 1} puts the last of three first.
std::vector<Index> token_order(Index n, const std::string& name) {
  std::vector<Index> order(static_cast<std::size_t>(n));
  std::iota(order.begin(), order.end(), Index{0});
  if (name == "reversed") {
    std::reverse(order.begin(), order.end());
  } else if (name == "dealt") {  // every other token, then those left out: 0 2 4 1 3
    std::stable_partition(order.begin(), order.end(), [](Index i) { return i % 2 == 0; });
  } else {
    const auto seed = parse_finite(name);
    if (!seed || *seed < 0 || *seed > 1e9)
      throw LessonFault{"there is no order \"" + name + "\"", "reversed, dealt, or a seed: 1."};
    const std::vector<double> keys = rand({n}, static_cast<std::uint64_t>(*seed)).data;
    std::sort(order.begin(), order.end(), [&](Index a, Index b) {
      return keys[static_cast<std::size_t>(a)] < keys[static_cast<std::size_t>(b)];
    });
  }
  return order;
}

void permute_tokens(ProblemDraft& draft, const std::string& name) {
  for (auto& list : draft.tokens) {
    const std::vector<std::string> before = list;
    const auto order = token_order(std::ssize(list), name);
    for (std::size_t i = 0; i < order.size(); ++i)
      list[i] = before[static_cast<std::size_t>(order[i])];
  }
  if (!draft.embeddings) return;
  auto& [shape, data] = *draft.embeddings;
  const std::vector<double> before = data;
  const Index rows = shape[shape.size() - 2], cols = shape.back();
  const auto order = token_order(rows, name);
  for (Index row = 0; row < std::ssize(data) / cols; ++row) {
    const Index from = row - row % rows + order[static_cast<std::size_t>(row % rows)];
    std::copy_n(before.begin() + from * cols, cols, data.begin() + row * cols);
  }
}

std::span<const LessonFunction> functions_of_sentences() { return kOfSentences; }

}  // namespace attn

// The functions that every lesson may use.
#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "attn/attend.hpp"
#include "attn/number_text.hpp"
#include "attn/phrases.hpp"
#include "core/text/thousands.hpp"
#include "teach/lessons/scene.hpp"

namespace attn {
namespace {

using Row = std::span<const double>;

double sum_of(Row row) { return std::accumulate(row.begin(), row.end(), 0.0); }
double largest_of(Row row) {
  return row.empty() ? -HUGE_VAL : *std::max_element(row.begin(), row.end());
}
double place_of_largest(Row row) {
  return static_cast<double>(std::max_element(row.begin(), row.end()) - row.begin());
}

/// A function of each number, of all numbers, and of each row.
template <double (*kOf)(double)>
LessonValue of_each(Scene&, const Arguments& a) {
  return mapped(numbers_of(a[0]), kOf);
}
template <double (*kOf)(Row)>
LessonValue of_all(Scene&, const Arguments& a) {
  return number_value(kOf(numbers_of(a[0]).data()));
}
template <double (*kOf)(Row)>
LessonValue of_rows(Scene&, const Arguments& a) {
  return by_row(numbers_of(a[0]), kOf);
}

double size_of(double x) { return std::abs(x); }
double root_of(double x) { return std::sqrt(x); }
double power_of_e(double x) { return std::exp(x); }
double natural_log(double x) { return std::log(x); }
double log_of_2(double x) { return std::log2(x); }
double tangent(double x) { return std::tanh(x); }
double rounded_number(double x) { return std::round(x); }
double one_if_0(double x) { return x == 0.0 ? 1.0 : 0.0; }
double smallest_of(Row row) {
  return row.empty() ? HUGE_VAL : *std::min_element(row.begin(), row.end());
}
double how_many(Row row) { return static_cast<double>(row.size()); }
double mean_of(Row row) { return sum_of(row) / static_cast<double>(row.size()); }
double rises(Row row) {
  return std::adjacent_find(row.begin(), row.end(), std::greater_equal()) == row.end() ? 1 : 0;
}
double falls(Row row) {
  return std::adjacent_find(row.begin(), row.end(), std::less_equal()) == row.end() ? 1 : 0;
}

Index index_in(const LessonValue& value, Index size) {
  const double x = one_number(value);
  if (x >= 0 && x < static_cast<double>(size)) return static_cast<Index>(x);
  throw LessonFault{"index " + format_exact(x) + " is not between 0 and " +
                    std::to_string(size - 1)};
}

LessonValue key_name(Scene& scene, const Arguments& a) {
  const auto& keys = scene.row().keys;
  return keys[static_cast<std::size_t>(index_in(a[0], std::ssize(keys)))];
}
LessonValue query_name(Scene& scene, const Arguments& a) {
  return scene.row(index_in(a[0], scene.trace()->settings().n_queries)).token;
}
LessonValue query_names(Scene& scene, const Arguments& a) {
  std::vector<std::string> names;
  for (const double i : numbers_of(a[0]).data())
    names.push_back(std::get<std::string>(query_name(scene, {number_value(i)})));
  return listed(names, 8);
}

std::string shape_text(const Tensor& t) {
  std::vector<std::string> sizes;
  for (const Index size : t.shape().sizes()) sizes.push_back(std::to_string(size));
  return separated(sizes, "×");
}

/// The places of the numbers that are below another.
LessonValue places_below(Scene&, const Arguments& a) {
  std::vector<double> found;
  const auto numbers = numbers_of(a[0]).data();
  for (std::size_t j = 0; j < numbers.size(); ++j) {
    if (numbers[j] < one_number(a[1])) found.push_back(static_cast<double>(j));
  }
  return list_value(found);
}

/// How many numbers the projections of a computation have.
LessonValue parameters(Scene&, const Arguments& a) {
  Index count = 0;
  for (const Step& given : trace_of(a[0])->givens) count += given.value.shape().count();
  return number_value(static_cast<double>(count));
}

/// Batch 2, 7 tokens, d_model 512, 8 heads: shapes only.
LessonValue large_layer(Scene&, const Arguments&) {
  const auto zeros = [](std::vector<Index> shape) {
    Index count = 1;
    for (const Index size : shape) count *= size;
    return Array{std::move(shape), std::vector<double>(static_cast<std::size_t>(count))};
  };
  ProblemDraft draft;
  draft.embeddings = zeros({2, 7, 512});
  for (const char* name : {"w_q", "w_k", "w_v", "w_o"}) draft.weights[name] = zeros({512, 512});
  for (const char* name : {"b_q", "b_k", "b_v", "b_o"}) draft.weights[name] = zeros({512});
  draft.heads = 8;
  return std::make_shared<const Trace>(outline(make_problem(draft)));
}

/// "3,4", for settings.
LessonValue commas(Scene&, const Arguments& a) {
  std::vector<std::string> texts;
  for (const double x : numbers_of(a[0]).data()) texts.push_back(format_exact(x));
  return separated(texts, ",");
}

LessonValue numbers_below(Scene&, const Arguments& a) {
  std::vector<double> numbers;
  const double end = std::min(one_number(a[0]), 1e6);
  for (double i = 0; i < end; ++i) numbers.push_back(i);
  return list_value(numbers);
}

LessonValue identity(Scene&, const Arguments& a) {
  const double n = one_number(a[0]);
  if (!(n >= 0 && n <= 1000)) throw LessonFault{"identity(n) has at most 1000 rows"};
  Tensor result({{}, {}, static_cast<Index>(n), static_cast<Index>(n)});
  for (Index i = 0; i < result.rows(); ++i) result.at({0, 0, i, i}) = 1.0;
  return result;
}

/// Numbers of key × key, the first 6: key_table("score of", …).
LessonValue key_table(Scene& scene, const Arguments& a) {
  const Tensor& t = numbers_of(a[1]);
  const auto& keys = scene.row().keys;
  const Index n = std::min<Index>({t.rows(), t.cols(), std::ssize(keys), 6});
  Table table{{text_of(a[0])}, {}, 1};
  for (Index j = 0; j < n; ++j) {
    table.header.push_back(keys[static_cast<std::size_t>(j)]);
    auto& line = table.rows.emplace_back(1, keys[static_cast<std::size_t>(j)]);
    for (Index i = 0; i < n; ++i) line.push_back(scene.lesson().number(t.at({0, 0, j, i})));
  }
  return table;
}

/// What the lesson leaves out of the reader's problem, in words; "" if that is nothing.
LessonValue set_aside(Scene& scene, const Arguments& a) {
  return what_is_set_aside(scene.lesson(), a.empty() ? "causal" : text_of(a[0]),
                           a.size() < 2 ? "" : text_of(a[1]));
}

/// Whether queries and keys are the same tokens, at least so many of them.
LessonValue self_attention(Scene& scene, const Arguments& a) {
  return number_value(
      is_self_attention(*scene.trace(), static_cast<Index>(one_number(a[0]))) ? 1.0 : 0.0);
}

using F = LessonFunction;
constexpr std::array kGeneral{
    F{"sum", 1, 1, of_all<sum_of>},
    F{"max", 1, 1, of_all<largest_of>},
    F{"min", 1, 1, of_all<smallest_of>},
    F{"mean", 1, 1, of_all<mean_of>},
    F{"count", 1, 1, of_all<how_many>},
    F{"rises", 1, 1, of_all<rises>},
    F{"falls", 1, 1, of_all<falls>},
    F{"largest", 1, 1, of_all<place_of_largest>},
    F{"rows_sum", 1, 1, of_rows<sum_of>},
    F{"rows_max", 1, 1, of_rows<largest_of>},
    F{"rows_largest", 1, 1, of_rows<place_of_largest>},
    F{"rows_entropy", 1, 1, of_rows<entropy>},
    F{"abs", 1, 1, of_each<size_of>},
    F{"sqrt", 1, 1, of_each<root_of>},
    F{"exp", 1, 1, of_each<power_of_e>},
    F{"ln", 1, 1, of_each<natural_log>},
    F{"log2", 1, 1, of_each<log_of_2>},
    F{"tanh", 1, 1, of_each<tangent>},
    F{"round", 1, 1, of_each<rounded_number>},
    F{"is_zero", 1, 1, of_each<one_if_0>},
    F{"transposed", 1, 1,
      [](Scene&, const Arguments& a) -> LessonValue { return transposed_value(numbers_of(a[0])); }},
    F{"places_below", 2, 2, places_below},
    F{"parameters", 1, 1, parameters},
    F{"large_layer", 0, 0, large_layer},
    F{"commas", 1, 1, commas},
    F{"max_of", 2, 2,
      [](Scene&, const Arguments& a) -> LessonValue {
        return combined(numbers_of(a[0]), numbers_of(a[1]),
                        [](double x, double y) { return std::max(x, y); });
      }},
    F{"mask_option", 0, 0,
      [](Scene& s, const Arguments&) -> LessonValue { return causal_option(s.lesson().draft()); }},
    F{"can_unmask", 0, 0,
      [](Scene& s, const Arguments&) -> LessonValue {
        return number_value(can_unmask(s.lesson().draft()) ? 1.0 : 0.0);
      }},
    F{"masks_scores", 0, 0,
      [](Scene& s, const Arguments&) -> LessonValue {
        return number_value(acts_before_softmax(s.lesson().draft().masking) ? 1.0 : 0.0);
      }},
    F{"is_own", 0, 0,
      [](Scene& s, const Arguments&) -> LessonValue {
        return number_value(s.lesson().is_own() ? 1.0 : 0.0);
      }},
    F{"unmasked_option", 0, 0,
      [](Scene& s, const Arguments&) -> LessonValue {
        const ProblemDraft& d = s.lesson().draft();
        return d.masks.empty() && !d.allowed ? " --mask causal" : "";
      }},
    F{"reads_embeddings", 0, 0,
      [](Scene& s, const Arguments&) -> LessonValue {
        const ProblemDraft& d = s.lesson().draft();
        return number_value(!d.memory && !d.past && !d.q ? 1.0 : 0.0);
      }},
    F{"norm_after_rope", 0, 0,
      [](Scene& s, const Arguments&) -> LessonValue {
        return number_value(s.lesson().draft().qk_norm.after == QkNormAfter::Rope ? 1.0 : 0.0);
      }},
    F{"has_positions", 0, 0,
      [](Scene& s, const Arguments&) -> LessonValue {
        return number_value(s.lesson().draft().positions.kind != PositionKind::None ? 1.0 : 0.0);
      }},
    F{"set_aside", 0, 2, set_aside},
    F{"self_attention", 1, 1, self_attention},
    F{"below", 1, 1, numbers_below},
    F{"choose", 3, 3,
      [](Scene&, const Arguments& a) { return one_number(a[0]) != 0.0 ? a[1] : a[2]; }},
    F{"identity", 1, 1, identity},
    F{"key_table", 2, 2, key_table},
    F{"has_vocabulary", 0, 0,
      [](Scene& s, const Arguments&) -> LessonValue {
        return number_value(s.lesson().draft().vocabulary ? 1.0 : 0.0);
      }},
    F{"cols", 1, 1,
      [](Scene&, const Arguments& a) -> LessonValue {
        return number_value(static_cast<double>(numbers_of(a[0]).cols()));
      }},
    F{"rows", 1, 1,
      [](Scene&, const Arguments& a) -> LessonValue {
        return number_value(static_cast<double>(numbers_of(a[0]).rows()));
      }},
    F{"share", 1, 1,
      [](Scene& s, const Arguments& a) -> LessonValue {
        return s.lesson().share(one_number(a[0]));
      }},
    F{"thousands", 1, 1,
      [](Scene&, const Arguments& a) -> LessonValue { return in_thousands(one_number(a[0])); }},
    F{"shape", 1, 1,
      [](Scene&, const Arguments& a) -> LessonValue { return shape_text(numbers_of(a[0])); }},
    F{"key", 1, 1, key_name},
    F{"query", 1, 1, query_name},
    F{"queries", 1, 1, query_names},
};

}  // namespace

std::span<const LessonFunction> general_functions() { return kGeneral; }

std::span<const LessonFunction> functions_of_masks();
std::span<const LessonFunction> functions_of_rows();
std::span<const LessonFunction> functions_of_layers();
std::span<const LessonFunction> functions_of_sentences();
std::span<const LessonFunction> functions_of_models();
std::span<const LessonFunction> functions_of_hiding();

std::vector<std::span<const LessonFunction>> functions_of_lessons() {
  return {functions_of_rows(),   functions_of_masks(),  functions_of_sentences(),
          functions_of_models(), functions_of_hiding(), functions_of_layers()};
}

}  // namespace attn

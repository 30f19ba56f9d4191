// The functions that every lesson may use.
#include <algorithm>
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

/// "0·1 + 2·3": how the product of two rows is added up; of long rows, the beginning.
LessonValue products_text(Scene& scene, const Arguments& a) {
  const Row one = numbers_of(a[0]).data(), other = numbers_of(a[1]).data();
  if (one.size() != other.size())
    throw LessonFault{"products(…) takes two rows of the same length, not of " +
                      std::to_string(one.size()) + " and " + std::to_string(other.size())};
  constexpr std::size_t kMost = 8;
  const auto factor = [&](double x) {
    const std::string text = scene.lesson().number(x);
    return x < 0.0 ? "(" + text + ")" : text;
  };
  std::vector<std::string> products;
  for (std::size_t i = 0; i < std::min(one.size(), kMost); ++i)
    products.push_back(factor(one[i]) + "·" + factor(other[i]));
  if (one.size() > kMost) products.emplace_back("…");
  return separated(products, " + ");
}

LessonValue of_each(const Arguments& a, const std::function<double(double)>& f) {
  return mapped(numbers_of(a[0]), f);
}

/// A function of all numbers, and of each row.
template <double (*kOf)(Row)>
LessonValue of_all(Scene&, const Arguments& a) {
  return number_value(kOf(numbers_of(a[0]).data()));
}
template <double (*kOf)(Row)>
LessonValue of_rows(Scene&, const Arguments& a) {
  return by_row(numbers_of(a[0]), kOf);
}

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

LessonValue shape_text(Scene&, const Arguments& a) {
  std::vector<std::string> sizes;
  for (const Index size : numbers_of(a[0]).shape().sizes()) sizes.push_back(std::to_string(size));
  return separated(sizes, "×");
}

/// How many numbers the projections of a computation have.
LessonValue parameters(Scene&, const Arguments& a) {
  Index count = 0;
  for (const Step& given : trace_of(a[0])->givens) count += given.value.shape().count();
  return number_value(count);
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
  const double end = std::min(one_number(a[0]), 1e4);
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

LessonValue larger_of(Scene&, const Arguments& a) {
  return combined(numbers_of(a[0]), numbers_of(a[1]),
                  [](double x, double y) { return std::max(x, y); });
}

/// " --mask causal" for a problem that hides nothing.
LessonValue unmasked_option(Scene& scene, const Arguments&) {
  const ProblemDraft& draft = scene.lesson().draft();
  return draft.masks.empty() && !draft.allowed ? " --mask causal" : "";
}

using A = const Arguments&;
using V = LessonValue;
constexpr LessonFunction kGeneral[] = {
    {"sum", 1, 1, of_all<sum_of>},
    {"max", 1, 1, of_all<largest_of>},
    {"min", 1, 1, of_all<smallest_of>},
    {"mean", 1, 1, of_all<mean_of>},
    {"count", 1, 1, of_all<how_many>},
    {"rises", 1, 1, of_all<rises>},
    {"falls", 1, 1, of_all<falls>},
    {"largest", 1, 1, of_all<place_of_largest>},
    {"rows_sum", 1, 1, of_rows<sum_of>},
    {"rows_max", 1, 1, of_rows<largest_of>},
    {"rows_largest", 1, 1, of_rows<place_of_largest>},
    {"rows_entropy", 1, 1, of_rows<entropy>},
    {"abs", 1, 1, [](Scene&, A a) { return of_each(a, [](double x) { return std::abs(x); }); }},
    {"sqrt", 1, 1, [](Scene&, A a) { return of_each(a, [](double x) { return std::sqrt(x); }); }},
    {"exp", 1, 1, [](Scene&, A a) { return of_each(a, [](double x) { return std::exp(x); }); }},
    {"ln", 1, 1, [](Scene&, A a) { return of_each(a, [](double x) { return std::log(x); }); }},
    {"log2", 1, 1, [](Scene&, A a) { return of_each(a, [](double x) { return std::log2(x); }); }},
    {"tanh", 1, 1, [](Scene&, A a) { return of_each(a, [](double x) { return std::tanh(x); }); }},
    {"round", 1, 1, [](Scene&, A a) { return of_each(a, [](double x) { return std::round(x); }); }},
    {"is_zero", 1, 1,
     [](Scene&, A a) { return of_each(a, [](double x) { return x == 0.0 ? 1.0 : 0.0; }); }},
    {"transposed", 1, 1, [](Scene&, A a) -> V { return transposed_value(numbers_of(a[0])); }},
    {"parameters", 1, 1, parameters},
    {"large_layer", 0, 0, large_layer},
    {"commas", 1, 1, commas},
    {"max_of", 2, 2, larger_of},
    {"mask_option", 0, 0, [](Scene& s, A) -> V { return causal_option(s.lesson().draft()); }},
    {"unmasked_option", 0, 0, unmasked_option},
    {"set_aside", 0, 2, set_aside},
    {"below", 1, 1, numbers_below},
    {"choose", 3, 3, [](Scene&, A a) -> V { return a[one_number(a[0]) != 0.0 ? 1 : 2]; }},
    {"identity", 1, 1, identity},
    {"key_table", 2, 2, key_table},
    {"cols", 1, 1, [](Scene&, A a) -> V { return number_value(numbers_of(a[0]).cols()); }},
    {"rows", 1, 1, [](Scene&, A a) -> V { return number_value(numbers_of(a[0]).rows()); }},
    {"products", 2, 2, products_text},
    {"share", 1, 1, [](Scene& s, A a) -> V { return s.lesson().share(one_number(a[0])); }},
    {"thousands", 1, 1, [](Scene&, A a) -> V { return in_thousands(one_number(a[0])); }},
    {"shape", 1, 1, shape_text},
    {"key", 1, 1, key_name},
    {"query", 1, 1, query_name},
    {"queries", 1, 1, query_names},
};

}  // namespace

std::span<const LessonFunction> functions_of_layers();
std::span<const LessonFunction> functions_of_sentences();
std::span<const LessonFunction> functions_of_models();
std::span<const LessonFunction> functions_of_masks();

std::span<const LessonFunction> functions_of_lessons() {
  static const std::vector<LessonFunction> kAll = [] {
    std::vector<LessonFunction> all(std::begin(kGeneral), std::end(kGeneral));
    for (const auto& some : {functions_of_sentences(), functions_of_models(), functions_of_masks(),
                             functions_of_layers()})
      all.insert(all.end(), some.begin(), some.end());
    return all;
  }();
  return kAll;
}

}  // namespace attn

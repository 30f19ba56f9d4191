// Tables of lessons that have a formula beside them hold what the formula says.
// Computed here in plain loops, without the calculator of lessons.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>

#include "attn/attend.hpp"
#include "attn/number_text.hpp"
#include "attn/teach/lesson.hpp"
#include "support/compare.hpp"
#include "support/oracle.hpp"
#include "teach/lessons/telling.hpp"

namespace attn::testing {
namespace {

/// The table of a lesson whose header has that word.
Table table_of(const std::string& lesson, const std::string& header) {
  const auto at = std::find_if(lessons().begin(), lessons().end(),
                               [&](const Lesson& each) { return each.name == lesson; });
  REQUIRE(at != lessons().end());
  for (const LessonPart& part : tell(*at)) {
    const auto* table = std::get_if<Table>(&part);
    if (table == nullptr) continue;
    if (std::find(table->header.begin(), table->header.end(), header) != table->header.end())
      return *table;
  }
  FAIL(lesson << " has no table with a column \"" << header << "\"");
  return {};
}

/// "1,050,624" or "1.430e-04".
double number(std::string text) {
  std::erase(text, ',');
  const auto x = parse_number(text);
  REQUIRE_MESSAGE(x.has_value(), text);
  return x.value_or(0.0);
}

/// Whether a text is this number, rounded to the digits that it shows.
void check_rounded(const std::string& text, double expected) {
  CAPTURE(text);
  CAPTURE(expected);
  const double x = number(text);
  CHECK(close(x, expected, 0.000501));
  if (text.find('e') != std::string::npos) CHECK(close(1, x / expected, 0.001));
}

void check_column(const std::string& lesson, const std::string& header, std::size_t column,
                  const std::function<double(std::size_t row)>& formula) {
  CAPTURE(lesson);
  CAPTURE(column);
  const Table table = table_of(lesson, header);
  REQUIRE(!table.rows.empty());
  for (std::size_t row = 0; row < table.rows.size(); ++row)
    check_rounded(table.rows[row].at(column), formula(row));
}

using Row = std::vector<double>;

std::vector<Row> rows_of(const Array& array) {
  const auto cols = static_cast<std::ptrdiff_t>(array.shape.back());
  std::vector<Row> rows;
  for (auto at = array.data.begin(); at != array.data.end(); at += cols)
    rows.emplace_back(at, at + cols);
  return rows;
}

/// A step of a sample, from the oracle.
std::vector<Row> step_of(const std::string& sample, const std::string& id) {
  return rows_of(oracle(draft_of_sample(sample), false).at(id));
}

double sum_of_powers(const Row& row, std::size_t from = 0) {
  double sum = 0.0;
  for (std::size_t j = from; j < row.size(); ++j) sum += std::exp(row[j]);
  return sum;
}

/// The share of the keys after `query` with `added` to their scores.
double leak(Row scores, std::size_t query, double added) {
  for (std::size_t j = query + 1; j < scores.size(); ++j) scores[j] += added;
  return sum_of_powers(scores, query + 1) / sum_of_powers(scores);
}

double largest_leak(const std::vector<Row>& scores, double added) {
  double most = 0.0;
  for (std::size_t i = 0; i < scores.size(); ++i) most = std::max(most, leak(scores[i], i, added));
  return most;
}

}  // namespace

TEST_CASE("lesson tables: softmax, e^score divided by the sum") {
  const Row s = step_of("01-one-head", "scaled_scores").at(0);
  const double all = sum_of_powers(s), most = *std::max_element(s.begin(), s.end());
  check_column("softmax", "e^score", 1, [&](std::size_t i) { return s[i]; });
  check_column("softmax", "e^score", 2, [&](std::size_t i) { return std::exp(s[i]); });
  check_column("softmax", "e^score", 3, [&](std::size_t i) { return std::exp(s[i]) / all; });
  const std::string moved = "score − 2.5";
  check_column("softmax", moved, 1, [&](std::size_t i) { return s[i] - most; });
  check_column("softmax", moved, 2, [&](std::size_t i) { return std::exp(s[i] - most); });
  check_column("softmax", moved, 3, [&](std::size_t i) { return std::exp(s[i]) / all; });
  const double gaps[] = {0, 1, 2, 5, 10};
  check_column("softmax", "score larger by", 1, [&](std::size_t i) { return std::exp(gaps[i]); });
}

TEST_CASE("lesson tables: what a hidden score is set to, and where the mask is added") {
  const std::vector<Row> s = step_of("04-causal", "scaled_scores");
  const double divided = std::sqrt(3.0);  // √d_k
  const double fills[] = {0.0, -10.0, -1e9, -4294967295.0, -INFINITY};
  check_column("minus-infinity", "float64", 1, [&](std::size_t row) {
    std::vector<Row> filled = s;
    for (std::size_t i = 0; i < s.size(); ++i)
      std::fill(filled[i].begin() + static_cast<std::ptrdiff_t>(i) + 1, filled[i].end(),
                fills[row]);
    return largest_leak(filled, 0.0);
  });
  check_column("minus-infinity", "added to hidden scores", 1, [&](std::size_t row) {
    return largest_leak(s, row == 0 ? -10.0 : -10.0 / divided);
  });
  const double added[] = {-INFINITY, -1e9, -10.0};
  check_column("add-or-multiply", "added to hidden scores", 1,
               [&](std::size_t row) { return leak(s[1], 1, added[row]); });
  check_column("add-or-multiply", "added to hidden scores", 2,
               [&](std::size_t row) { return leak(s[1], 1, added[row] / divided); });
}

TEST_CASE("lesson tables: √d_k, d_k of a head, and how many numbers there are to learn") {
  const double sizes[] = {1, 4, 16, 64, 256}, heads[] = {1, 2, 3, 6};
  check_column("scale", "√d_k", 1, [&](std::size_t row) { return std::sqrt(sizes[row]); });
  check_column("heads", "d_k", 1, [&](std::size_t row) { return 6.0 / heads[row]; });
  double all = 0.0;
  for (const auto& [name, array] : draft_of_sample("03-multi-head").weights)
    all += static_cast<double>(array.data.size());
  check_column("heads", "d_k", 2, [&](std::size_t) { return all; });
}

TEST_CASE("lesson tables: the two weights of the first of two tokens add up") {
  const std::vector<Row> s = step_of("10-chinese", "scaled_scores");
  const double a = std::exp(s[0][0]), b = std::exp(s[0][1]);
  const double first[] = {a / (a + b), 1.0, a / (a + b)}, second[] = {b / (a + b), 0.0, 0.0};
  check_column("future", "a₁₁", 1, [&](std::size_t row) { return first[row]; });
  check_column("future", "a₁₁", 2, [&](std::size_t row) { return second[row]; });
  check_column("future", "a₁₁", 3, [&](std::size_t row) { return first[row] + second[row]; });
}

TEST_CASE("lesson tables: how fast a share changes is a·(1 − a), or −a·b for another") {
  const Row a = step_of("04-causal", "weights").at(5);
  for (std::size_t j = 0; j < a.size(); ++j)
    check_column("gradients", "score of", j + 1,
                 [&](std::size_t i) { return i == j ? a[i] * (1.0 - a[i]) : -a[i] * a[j]; });
}

TEST_CASE("lesson tables: multiplications with and without a cache, and numbers moved") {
  const double projections = 4 * 3 + 4 * 3 + 4 * 2, pair = 3 + 2;  // of 04-causal
  const auto keys = [](std::size_t row) { return static_cast<double>(row + 1); };
  check_column("training", "from scratch", 2,
               [&](std::size_t row) { return projections + pair * keys(row); });
  check_column("training", "from scratch", 3, [&](std::size_t row) {
    return projections * keys(row) + pair * keys(row) * keys(row);
  });
  const double n[] = {1024, 4096, 16384};
  check_column("online-softmax", "moved, full", 1,
               [&](std::size_t row) { return 4 * n[row] * 64 + 4 * n[row] * n[row]; });
  check_column("online-softmax", "moved, full", 2,
               [&](std::size_t row) { return 2 * n[row] * 64 + 2 * n[row] * 64 * n[row] / 128; });
  check_column("online-softmax", "moved, full", 3,
               [&](std::size_t row) { return 2 * n[row] * n[row]; });
}

TEST_CASE("lesson tables: a latent cache keeps fewer numbers than keys and values of all heads") {
  const Trace trace = attend(make_problem(draft_of_sample("18-latent")));
  const auto width = [&](const char* id) { return trace.value(id).cols(); };
  const Table cache = table_of("latent", "a cache keeps for each token");
  CHECK(number(cache.rows.at(0).at(1)) ==
        2.0 * static_cast<double>(width("k_heads") + width("v_heads")));
  const std::string latent = std::to_string(width("kv_latent")),
                    turned = std::to_string(width("k_rope"));
  CHECK(cache.rows.at(1).at(1).starts_with(latent + " + " + turned + " = "));
}

TEST_CASE("lesson tables: loss is −ln of a probability, and turns are angles by 2π") {
  const Table loss = table_of("translation", "loss");
  for (const std::vector<std::string>& row : loss.rows)
    CHECK(close(number(row[3]), std::exp(-number(row[4])), 0.0011));
  const double places[] = {31.0, 255.0};
  for (std::size_t column : {1U, 2U})
    check_column("rope-scaling", "turns at 'far'", column, [&](std::size_t pair) {
      return places[column - 1] * std::pow(100.0, -2.0 * static_cast<double>(pair) / 8.0) /
             (2.0 * std::numbers::pi);
    });
}

TEST_CASE("lesson tables: windows, sizes of X, scores without tanh") {
  check_column("window", "words", 2,
               [](std::size_t row) { return 2.0 * static_cast<double>(row + 1) + 1.0; });
  const Table sizes = table_of("qk-norm", "score, normed");
  const double factors[] = {0.1, 1.0, 10.0, 100.0};
  for (std::size_t row = 0; row < sizes.rows.size(); ++row) {
    const double square = factors[row] * factors[row], one = number(sizes.rows.at(1)[1]);
    CHECK(close(one * square, number(sizes.rows[row][1]), 0.01));
    CHECK(sizes.rows[row][3] == sizes.rows[0][3]);
  }
  const ProblemDraft draft = draft_of_sample("21-additive");
  const std::vector<Row> k = step_of("21-additive", "k");
  const std::vector<double>& v = draft.weights.at("v_score").data;
  Row scores;
  for (const Row& key : k) {
    double score = 0.0;
    for (std::size_t i = 0; i < v.size(); ++i) score += v[i] * key[i];
    scores.push_back(score);
  }
  for (std::size_t j = 0; j < scores.size(); ++j)
    check_column("additive", "without tanh", j + 1,
                 [&](std::size_t) { return std::exp(scores[j]) / sum_of_powers(scores); });
}

}  // namespace attn::testing

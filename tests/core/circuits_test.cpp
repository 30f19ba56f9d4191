// Circuits of heads, against the scores and the output that a head makes.
// Singular values are compared with rotations of the whole product.

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "attn/attend.hpp"
#include "attn/error.hpp"
#include "attn/inside.hpp"
#include "attn/io/problem_file.hpp"
#include "support/compare.hpp"
#include "support/derivations.hpp"
#include "support/errors.hpp"
#include "support/files.hpp"
#include "support/random_model.hpp"
#include "support/random_problem.hpp"

namespace attn::testing {
namespace {

bool is_circuit(const Step& step) {
  return step.info().appears.with == std::string("circuits of heads");
}

Trace with_circuits(const Problem& problem, const KeepStep& keeps = {}) {
  return attend_inside(problem, {}, keeps, {.circuits = true});
}

/// Single attentions and models that have circuits, with their traces.
void for_each_trace(const std::function<void(const Trace&)>& look) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    CAPTURE(seed);
    std::optional<Trace> looked = if_accepted([&] {
      return attend(make_problem(seed < 200 ? random_problem(seed) : random_model(seed - 200)));
    });
    if (!looked) continue;  // a query sees no key
    const std::string refused = refusal_from([&] { add_circuits(*looked); }).id;
    if (refused.empty()) {
      look(*looked);
    } else {
      CHECK(refused == "needs-weights");
    }
  }
}

void for_all_cells(const Tensor& of, const std::function<void(const Cell&)>& act) {
  for (Index b = 0; b < of.batch(); ++b) {
    for (Index h = 0; h < of.heads(); ++h) {
      for (Index r = 0; r < of.rows(); ++r) {
        for (Index c = 0; c < of.cols(); ++c) act({b, h, r, c});
      }
    }
  }
}

/// By turning pairs of columns until all are at right angles; the largest first.
std::vector<double> turned_apart(const Tensor& w, Index head, std::size_t count) {
  std::vector<std::vector<double>> columns(static_cast<std::size_t>(w.cols()));
  for (Index c = 0; c < w.cols(); ++c) {
    for (Index r = 0; r < w.rows(); ++r)
      columns[static_cast<std::size_t>(c)].push_back(w.at({0, head, r, c}));
  }
  const auto dot = [](const std::vector<double>& a, const std::vector<double>& b) {
    double total = 0.0;
    for (std::size_t i = 0; i < a.size(); ++i) total += a[i] * b[i];
    return total;
  };
  for (int sweep = 0; sweep < 40; ++sweep) {
    for (std::size_t i = 0; i < columns.size(); ++i) {
      for (std::size_t j = i + 1; j < columns.size(); ++j) {
        const double angle =
            0.5 * std::atan2(2.0 * dot(columns[i], columns[j]),
                             dot(columns[i], columns[i]) - dot(columns[j], columns[j]));
        for (std::size_t k = 0; k < columns[i].size(); ++k) {
          const double x = columns[i][k], y = columns[j][k];
          columns[i][k] = std::cos(angle) * x + std::sin(angle) * y;
          columns[j][k] = std::cos(angle) * y - std::sin(angle) * x;
        }
      }
    }
  }
  std::vector<double> lengths;
  for (const std::vector<double>& each : columns) lengths.push_back(std::sqrt(dot(each, each)));
  std::sort(lengths.begin(), lengths.end(), std::greater<>());
  lengths.resize(count);
  return lengths;
}

/// The rows that a step is a linear layer of, cut into heads or not; nullptr if anything else,
/// such as a bias or a rotation, takes part.
const Tensor* rows_behind(const Trace& trace, const Step& step) {
  if (step.only_rearranges() || step.operation->copies)
    return rows_behind(trace, trace.input(step, 0));
  const bool plain = step.operation->name == std::string("linear") && step.inputs.size() == 2;
  return plain ? &trace.input(step, 0).value : nullptr;
}

/// row i of `a` times `w` times row j of `b`
double between(const Tensor& a, const Tensor& b, const Tensor& w, const Cell& cell) {
  double total = 0.0;
  for (Index r = 0; r < w.rows(); ++r) {
    for (Index c = 0; c < w.cols(); ++c)
      total += a.at({cell.batch, 0, cell.row, r}) * w.at({0, cell.head, r, c}) *
               b.at({cell.batch, 0, cell.col, c});
  }
  return total;
}

std::string circuit_id(const Scope& scope, const char* word) {
  return scope.name.empty() ? word : "circuits." + scope.name + "." + word;
}

}  // namespace

TEST_CASE("inside: singular values are those of the product, and every cell is explained" *
          doctest::test_suite("long")) {
  int values = 0, grouped = 0;
  for_each_trace([&](const Trace& trace) {
    for (const Step& step : trace.steps) {
      if (!is_circuit(step)) continue;
      CAPTURE(step.id);
      CHECK(first_wrong_derivation(trace, step) == "");
      if (step.info().role != StepRole::SingularValues) continue;
      const bool qk = step.id.ends_with("qk_values");
      const Tensor& product =
          trace.value(step.id.substr(0, step.id.size() - 9) + (qk ? "w_qk" : "w_ov"));
      for (Index head = 0; head < step.value.heads(); ++head) {
        const auto own = step.value.row(0, head, 0);
        const std::vector<double> expected = turned_apart(product, head, own.size());
        double squares = 0.0, of_cells = 0.0;
        for (std::size_t i = 0; i < own.size(); ++i) {
          CHECK(close(expected[i], own[i], 1e-6));
          CHECK((i == 0 || own[i] <= own[i - 1]));
          squares += own[i] * own[i];
        }
        for (const double x : product.matrix(0, head)) of_cells += x * x;
        CHECK(close(of_cells, squares));
      }
      ++values;
      grouped += step.scope->settings.kv_heads < step.scope->settings.heads ? 1 : 0;
    }
  });
  CHECK(values > 100);
  CHECK(grouped > 20);
}

TEST_CASE("inside: a row times W_QK times a row is a score, and W_OV makes the output") {
  int scores = 0, outputs = 0, grouped = 0;
  for_each_trace([&](const Trace& trace) {
    for (const Step& step : trace.steps) {
      const Step* qk = trace.find(circuit_id(*step.scope, "w_qk"));
      const Step* ov = trace.find(circuit_id(*step.scope, "w_ov"));
      CAPTURE(step.id);
      if (qk != nullptr && step.operation->name == std::string("multiply_transposed")) {
        const Tensor* a = rows_behind(trace, trace.input(step, 0));
        const Tensor* b = rows_behind(trace, trace.input(step, 1));
        if (a == nullptr || b == nullptr) continue;
        for_all_cells(step.value, [&](const Cell& cell) {
          CHECK(close(between(*a, *b, qk->value, cell), step.value.at(cell), 1e-6));
        });
        ++scores;
        grouped += step.scope->settings.kv_heads < step.scope->settings.heads ? 1 : 0;
      }
      const bool projects = step.operation->name == std::string("linear") &&
                            step.inputs.size() == 2 && step.inputs[1].ends_with("w_o");
      if (ov == nullptr || !projects) continue;
      const Step* context = &trace.input(step, 0);
      while (context->only_rearranges()) context = &trace.input(*context, 0);
      if (context->operation->name != std::string("multiply")) continue;
      const Tensor* rows = rows_behind(trace, trace.input(*context, 1));
      if (rows == nullptr) continue;
      const Tensor& shares = trace.input(*context, 0).value;
      for_all_cells(step.value, [&](const Cell& cell) {
        double total = 0.0;
        for (Index h = 0; h < shares.heads(); ++h) {
          for (Index j = 0; j < shares.cols(); ++j) {
            for (Index r = 0; r < rows->cols(); ++r)
              total += shares.at({cell.batch, h, cell.row, j}) * rows->at({cell.batch, 0, j, r}) *
                       ov->value.at({0, h, r, cell.col});
          }
        }
        CHECK(close(total, step.value.at(cell), 1e-6));
      });
      ++outputs;
    }
  });
  CHECK(scores > 20);
  CHECK(outputs > 10);
  CHECK(grouped > 3);
}

TEST_CASE("inside: products that nobody wants have no numbers, singular values always") {
  const Problem problem = make_problem(random_model(3));
  const auto wanted = [](const std::string& id) { return id.ends_with("w_ov"); };
  const Trace few = with_circuits(problem, wanted), all = with_circuits(problem);
  Trace shapes = outline(problem);
  add_circuits(shapes);
  REQUIRE(shapes.steps.size() == all.steps.size());
  int products = 0;
  for (std::size_t i = 0; i < all.steps.size(); ++i) {
    const Step& step = all.steps[i];
    CHECK(shapes.steps[i].value.shape() == step.value.shape());
    if (!is_circuit(step)) continue;
    CHECK(few.steps[i].is_outline() == step.id.ends_with("w_qk"));
    CHECK(shapes.steps[i].is_outline());
    ++products;
  }
  CHECK(products > 3);
}

TEST_CASE("inside: circuits of a sample as NumPy has them") {
  const std::string file = "../samples/03-multi-head.json";
  const Trace trace = with_circuits(make_problem(parse_problem(read_test_file(file), file).draft));
  const std::vector<double> qk{1.618033989, 1.414213562, 0.6180339887, 2.449489743, 1, 1},
      ov{2.792304302, 1.685826322, 0.6008546376, 2.869175642, 1.490254934, 0.7395751265};
  const auto same = [&](const char* id, const std::vector<double>& expected) {
    const auto own = trace.value(id).data();
    REQUIRE(own.size() == expected.size());
    for (std::size_t i = 0; i < own.size(); ++i) CHECK(close(expected[i], own[i], 1e-8));
  };
  same("qk_values", qk);
  same("ov_values", ov);
}

TEST_CASE("inside: circuits need weights and dot products, and are added once") {
  Trace trace = with_circuits(make_problem(random_model(3)));
  CHECK(refusal_from([&] { add_circuits(trace); }).id == "already-computed");
  const char* bare = R"({"format": "attn.problem", "format_version": "1.0", "q": [[1, 2]],
                         "k": [[1, 0]], "v": [[3, 4]]})";
  CHECK(refusal_from([&] { with_circuits(make_problem(parse_problem(bare, "bare").draft)); }).id ==
        "needs-weights");
}

}  // namespace attn::testing

// Mistakes in routers, made in plain loops, are named from what the router and the layer give.
#include <doctest/doctest.h>

#include <algorithm>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "attn/check.hpp"
#include "support/model_diagnosis.hpp"
#include "support/small_models.hpp"

namespace attn::testing {
namespace {

using Row = std::vector<double>;

/// All but the `keep` largest set to 0.
Row top(Row row, std::size_t keep) {
  Row sorted = row;
  std::sort(sorted.begin(), sorted.end(), std::greater<>());
  for (double& x : row) x = x >= sorted[keep - 1] ? x : 0.0;
  return row;
}

Row divided(Row row) {
  double sum = 0.0;
  for (const double x : row) sum += x;
  for (double& x : row) x /= sum;
  return row;
}

}  // namespace

TEST_CASE(
    "experts.order: a router that weighs otherwise is named, from its weights and from logits" *
    doctest::test_suite("long")) {
  const TinyModel model = tiny_model(gpt_oss_model, 7);  // 2 of 4 experts, divided by their sum
  const std::pair<const char*, std::function<Row(Row)>> wrong[] = {
      {"not divided by their sum", [](const Row& scores) { return top(scores, 2); }},
      {"all experts", [](const Row& scores) { return scores; }},
      {"three experts", [](const Row& scores) { return divided(top(scores, 3)); }}};
  for (const auto& [what, made] : wrong) {
    const std::string way = what;
    CAPTURE(way);
    const std::string layer = "layers.1.";  // the last one: nothing comes after it but the logits
    const Tensor& scores = model.truth.value(layer + "router_scores");
    Tensor weights = model.truth.value(layer + "router_weights");
    Tensor experts = model.truth.value(layer + "experts");
    for (Index r = 0; r < scores.rows(); ++r) {
      const auto from = scores.row(0, 0, r);
      const Row row = made(Row(from.begin(), from.end()));
      std::copy(row.begin(), row.end(), weights.row(0, 0, r).begin());
      for (Index c = 0; c < experts.cols(); ++c) {
        double sum = 0.0;
        for (Index e = 0; e < weights.cols(); ++e) {
          const std::string expert = layer + "expert." + std::to_string(e) + ".linear2";
          sum += weights.at({0, 0, r, e}) * model.truth.value(expert).at({0, 0, r, c});
        }
        experts.at({0, 0, r, c}) = sum;
      }
    }
    for (const auto& [id, tensor] :
         {std::pair{layer + "router_weights", weights}, {layer + "experts", experts}}) {
      const std::string step = id;
      CAPTURE(step);
      Answers answers{.source = "dump.npz", .by_program = true};
      answers.matrices.push_back(
          {.id = id, .shape = tensor.shape().sizes(), .numbers = tensor.data().copy()});
      const CheckReport report = check_answers(model.truth, answers);
      REQUIRE(report.steps.front().findings.size() == 1);
      const Finding& finding = report.steps.front().findings.front();
      CHECK(finding.code == "experts.order");
      CHECK(finding.confidence == Confidence::Certain);
      CHECK(finding.scope == "layers.1");
    }
  }
}

}  // namespace attn::testing

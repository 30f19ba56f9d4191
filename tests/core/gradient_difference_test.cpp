// Gradients against the loss itself: every given changed a little, and all computed again.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "attn/gradient.hpp"
#include "core/operations/row_links.hpp"
#include "support/compare.hpp"
#include "support/dice.hpp"
#include "support/gradients.hpp"

namespace attn::testing {
namespace {

/// The loss that the gradients of a trace are about, once `id` has other numbers.
double loss_with(const Trace& trace, const GradientChoice& choice, const std::string& id,
                 const Tensor& numbers) {
  std::map<std::string, Tensor> others{{id, numbers}};  // what is made from it
  const auto value = [&](const std::string& of) -> const Tensor& {
    const auto at = others.find(of);
    return at == others.end() ? trace.value(of) : at->second;
  };
  for (const Step& step : trace.steps) {
    const auto is_other = [&](const std::string& input) { return others.contains(input); };
    if (std::none_of(step.inputs.begin(), step.inputs.end(), is_other)) continue;
    std::vector<const Tensor*> inputs;
    for (const std::string& input : step.inputs) inputs.push_back(&value(input));
    others[step.id] = ops::evaluate(*step.operation, {inputs, step.parameters, step.value.shape()});
  }
  if (!choice.upstream) return value("mean_loss").data().front();
  const NumberSpan output = value("output").data();
  double loss = 0.0;
  for (std::size_t i = 0; i < output.size(); ++i) loss += output[i] * choice.upstream->data[i];
  return loss;
}

bool agree(double a, double b) { return close(a, b, 1e-6); }

/// How the loss changes when one number of a given does, from the loss on both sides; as closely
/// as it takes to confirm `found`, if that is right.
double slope(const Trace& trace, const GradientChoice& choice, const Step& given, std::size_t at,
             double found) {
  const auto loss = [&](double change) {
    Tensor value = given.value;
    value.edit()[at] += change;
    return loss_with(trace, choice, given.id, value);
  };
  // The error of a central difference is of order h²; that of two combined is of order h⁴.
  const auto central = [&](double h) { return (loss(h) - loss(-h)) / (2.0 * h); };
  constexpr double kStep = 1e-4;
  const double rough = central(kStep);
  return agree(found, rough) ? rough : (4.0 * central(kStep / 2.0) - rough) / 3.0;
}

/// The first gradient of a given that the loss contradicts, in words.
std::string first_contradiction(const ProblemDraft& draft, std::uint64_t seed,
                                std::set<std::string>& seen) {
  const Trace trace = attend(make_problem(draft));
  const GradientChoice choice = gradient_choice(trace, seed);
  Trace both = trace;
  add_gradients(both, choice);
  Dice dice(seed);
  for (const Step& gradient : both.steps) {
    const std::string_view owner = owner_of_gradient(gradient.id);
    if (owner.empty() || gradient.id != std::string(owner) + ".grad") continue;
    const Step& given = trace.at(owner);
    if (!given.is_given()) continue;
    seen.insert(given.info().id);
    for (int n = 0; n < 2; ++n) {
      const auto at = static_cast<std::size_t>(dice.between(0, given.value.shape().count() - 1));
      if (std::isinf(given.value.data()[at])) continue;
      const double found = gradient.value.data()[at];
      const double expected = slope(trace, choice, given, at, found);
      if (!agree(found, expected))
        return gradient.id + " " + std::to_string(at) + ": " + std::to_string(found) + ", not " +
               std::to_string(expected);
    }
  }
  return "";
}

}  // namespace

TEST_CASE("gradients: changing a number of any given changes the loss as its gradient says") {
  std::set<std::string> seen;
  for (std::uint64_t seed = 1; seed < 200; ++seed) {
    CAPTURE(seed);
    ProblemDraft draft = differentiable(seed);
    if (draft.fill && std::isfinite(*draft.fill))
      draft.fill = std::max(*draft.fill, -9.0);  // −1e9 would swallow the digits of scores
    CHECK(first_contradiction(draft, seed, seen) == "");
  }
  for (const char* id :
       {"x", "memory", "w_q", "b_k", "w_o", "b_o", "past_k", "past_v", "extra_k", "bias",
        "given_bias", "q_heads", "v_score", "bias_table", "position_table"})
    CHECK_MESSAGE(seen.contains(id), id);
}

TEST_CASE("gradients: the same in whole models of every kind" * doctest::test_suite("long")) {
  std::set<std::string> seen;
  for (std::uint64_t seed = 1; seed < 40; ++seed) {
    CAPTURE(seed);
    CHECK(first_contradiction(differentiable_model(seed), seed, seen) == "");
  }
  for (const char* id : {"x", "memory", "token_table", "position_table", "norm.weight", "norm.bias",
                         "linear.weight", "linear.bias", "w_vocabulary", "b_vocabulary"})
    CHECK_MESSAGE(seen.contains(id), id);
}

}  // namespace attn::testing

// A look inside whole models: the lens against the same model with fewer layers.

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "attn/attend.hpp"
#include "attn/error.hpp"
#include "attn/inside.hpp"
#include "support/derivations.hpp"
#include "support/random_model.hpp"
#include "support/random_problem.hpp"

namespace attn::testing {
namespace {

constexpr std::uint64_t kInside = 245;  // each kind several times

bool predicts(const Trace& trace) { return trace.find("probabilities") != nullptr; }

/// The stack whose layers lead to the logits, and how many they are.
ModelPlace last_layer(const Trace& trace) {
  ModelPlace last;
  for (const Step& step : trace.steps) {
    const ModelPlace place = place_of(*step.scope);
    if (place.layer && place.module.empty()) last = place;
  }
  return last;
}

/// The model without the layers of that stack from `first` on.
ProblemDraft cut_short(ProblemDraft draft, const std::string& stack, Index first) {
  std::erase_if(draft.weights, [&](const auto& weight) {
    const std::size_t at = weight.first.find(stack + ".");
    if (at == std::string::npos || (at > 0 && weight.first[at - 1] != '.')) return false;
    return std::stol(weight.first.substr(at + stack.size() + 1)) >= first;
  });
  auto& layers = draft.model->layers;
  if (std::ssize(layers) > first) layers.resize(static_cast<std::size_t>(first));
  return draft;
}

/// Bit for bit.
bool same_numbers(const Trace& a, const std::string& of_a, const Trace& b,
                  const std::string& of_b) {
  const Tensor &x = a.value(of_a), &y = b.value(of_b);
  return x.shape() == y.shape() &&
         std::equal(x.data().begin(), x.data().end(), y.data().begin(),
                    [](double u, double v) { return u == v || (std::isnan(u) && std::isnan(v)); });
}

std::string thrown_id(const Trace& trace) {
  Trace copy = trace;
  try {
    add_lens(copy);
  } catch (const Error& error) {
    return error.diagnostics().front().id;
  }
  return "";
}

}  // namespace

TEST_CASE("lens: the last one is what the model predicts, the others what fewer layers would") {
  int models = 0, shorter = 0;
  for (std::uint64_t seed = 0; seed < kInside; ++seed) {
    const ProblemDraft draft = random_model(seed);
    Trace trace = attend(make_problem(draft));
    CAPTURE(seed);
    if (!predicts(trace)) {
      CHECK(thrown_id(trace) == "needs-model");
      continue;
    }
    ++models;
    const ModelPlace last = last_layer(trace);
    add_lens(trace);
    const std::string end = "lens." + std::to_string(*last.layer + 1) + ".";
    CHECK(same_numbers(trace, end + "logits", trace, "logits"));
    CHECK(same_numbers(trace, end + "probabilities", trace, "probabilities"));
    for (Index layer = 1; layer <= *last.layer; ++layer) {
      CAPTURE(layer);
      const Trace part = attend(make_problem(cut_short(draft, last.stack, layer)));
      const std::string id = "lens." + std::to_string(layer) + ".logits";
      CHECK(same_numbers(trace, id, part, "logits"));
      ++shorter;
    }
  }
  CHECK(models > 100);
  CHECK(shorter > 50);
}

TEST_CASE("lens: every cell is explained by the cells it was made from") {
  for (std::uint64_t seed = 0; seed < 49; ++seed) {
    Trace trace = attend(make_problem(random_model(seed)));
    if (!predicts(trace)) continue;
    CAPTURE(seed);
    add_lens(trace);
    for (const Step& step : trace.steps) {
      if (step.id.starts_with("lens.")) CHECK(first_wrong_derivation(trace, step) == "");
    }
  }
}

TEST_CASE("lens: shapes need no numbers, and what nobody wants is dropped") {
  for (std::uint64_t seed = 0; seed < 49; ++seed) {
    const Problem problem = make_problem(random_model(seed));
    Trace shapes = outline(problem);
    if (!predicts(shapes)) continue;
    CAPTURE(seed);
    add_lens(shapes);
    const auto wanted = [](const std::string& id) { return id.ends_with("probabilities"); };
    const Trace few = attend_inside(problem, {}, wanted, {.lens = true});
    const Trace all = attend_inside(problem, {}, {}, {.lens = true});
    REQUIRE(shapes.steps.size() == all.steps.size());
    for (std::size_t i = 0; i < all.steps.size(); ++i) {
      const Step& step = all.steps[i];
      CAPTURE(step.id);
      CHECK(shapes.steps[i].id == step.id);
      CHECK(shapes.steps[i].value.shape() == step.value.shape());
      if (wanted(step.id)) CHECK(same_numbers(few, step.id, all, step.id));
      if (step.id.starts_with("lens.")) CHECK(few.at(step.id).is_outline() == !wanted(step.id));
    }
  }
}

TEST_CASE("lens: a single attention has no layers, and a trace has one lens at most") {
  CHECK(thrown_id(attend(make_problem(random_problem(1)))) == "needs-model");
  for (std::uint64_t seed = 0;; ++seed) {
    Trace trace = attend(make_problem(random_model(seed)));
    if (!predicts(trace)) continue;
    add_lens(trace);
    CHECK(thrown_id(trace) == "already-computed");
    break;
  }
}

}  // namespace attn::testing

// The computation with a mistake built in, against the simulated student who makes it.
#include <doctest/doctest.h>

#include <cmath>
#include <map>
#include <optional>
#include <set>

#include "attn/attend.hpp"
#include "attn/error.hpp"
#include "attn/teach/mistakes.hpp"
#include "support/compare.hpp"
#include "support/derivations.hpp"
#include "support/errors.hpp"
#include "support/traces.hpp"
#include "support/wrong_sheets.hpp"

namespace attn::testing {
namespace {

/// N × T × d as T × N × d: both layouts are in use.
Array first_axes_exchanged(const Array& array) {
  if (array.rank() != 3) return array;
  const Index n = array.shape[0], t = array.shape[1], d = array.shape[2];
  Array turned{{t, n, d}, {}};
  for_each(1, t, n, d, [&](Index, Index i, Index b, Index c) {
    turned.data.push_back(array.data[static_cast<std::size_t>((b * t + i) * d + c)]);
  });
  return turned;
}

/// The first step in which the trace and the student differ; empty if they agree in all that both
/// have, the weights or the output among them.
std::string first_disagreement(const Trace& trace, const Steps& steps) {
  bool compared = false;
  for (const Step& step : trace.steps) {
    const auto found = steps.find(step.id);
    if (found == steps.end()) continue;
    const bool as_is = step.value.shape().sizes() == found->second.shape;
    const Array theirs = as_is ? found->second : first_axes_exchanged(found->second);
    if (step.value.shape().sizes() != theirs.shape) return step.id + ": shape";
    for (std::size_t n = 0; n < theirs.data.size(); ++n) {
      if (!close(theirs.data[n], step.value.data()[n], 1e-9)) return step.id;
    }
    compared = compared || step.id == "weights" || step.id == "output";
  }
  return compared ? "" : "nothing to compare";
}

/// Slips and dropout are recognised but never built in: what they do differs each time.
bool is_only_recognised(const std::string& code) {
  return code.rfind("slip.", 0) == 0 || code == "dropout.on";
}

}  // namespace

TEST_CASE("a mistake that is built in gives the numbers of the student who makes it" *
          doctest::test_suite("long")) {
  std::map<std::string, std::string> failures;
  std::set<std::string> agreed;
  for (const WrongWay& way : wrong_ways()) {
    if (is_only_recognised(way.code)) continue;
    const Sample sample = sample_of(way, 2, all_handed().front());
    const Trace truth = truth_for(way, sample.draft);
    std::string said;
    try {
      said = first_disagreement(with_mistake(truth, way.code), sample.steps);
    } catch (const std::exception& error) {
      said = error.what();
    }
    if (said.empty()) agreed.insert(way.code);
    failures[way.code] += std::string(" [") + way.variant + "] " + said;
  }
  for (const auto& failure : failures) {
    CAPTURE(failure.first);
    CAPTURE(failure.second);
    CHECK(agreed.count(failure.first) == 1);
  }
}

TEST_CASE("the arithmetic of every cell of a mistaken norm gives that cell again") {
  const Trace truth = sample_trace(17);
  int built_in = 0;
  for (const std::string& code : mistake_codes()) {
    if (!code.starts_with("norm.")) continue;
    CAPTURE(code);
    const std::optional<Trace> wrong = if_accepted([&] { return with_mistake(truth, code); });
    if (!wrong) continue;  // its norms are no others
    ++built_in;
    for (const Step& step : wrong->steps) {
      if (step.operation->name == std::string_view("mistaken_norm"))
        CHECK(first_wrong_derivation(*wrong, step) == "");
    }
  }
  CHECK(built_in >= 6);
}

TEST_CASE("a place after the @ of a mistake is one of the model's, and no other problem has any") {
  const auto refused = [](int sample, const char* fault) {
    return refusal_from([&] { with_mistake(sample_trace(sample), fault); });
  };
  const Diagnostic model = refused(15, "scale.missing@layers.1");
  CHECK(id_and_what(model) ==
        "no-such-fault: scale.missing has no place called \"layers.1\" in this model");
  CHECK(model.fix.starts_with("After the @ comes one of *, layers.0.self_attn, "));
  CHECK(refused(1, "scale.missing@h.0").fix == "Leave out @h.0: places are for whole models.");
}

}  // namespace attn::testing

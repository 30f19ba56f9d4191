// Steps of whole models by name: words, patterns, symbols, layers.
#include <doctest/doctest.h>

#include "attn/error.hpp"
#include "attn/suggest.hpp"
#include "support/errors.hpp"
#include "support/models.hpp"
#include "support/phrases.hpp"

namespace attn::testing {
namespace {

using Ids = std::vector<std::string>;

Ids ids_of(const Trace& trace, const std::string& name) {
  Ids ids;
  for (const Step* step : steps_named(trace, name)) ids.push_back(step->id);
  return ids;
}

}  // namespace

TEST_CASE("named steps: a word names the steps of all scopes, with or without its number") {
  const Trace trace = model_trace("gpt2_prefixed");
  CHECK(ids_of(trace, "weights") == Ids{"h.0.attn.weights", "h.1.attn.weights"});
  CHECK(ids_of(trace, "norm2") == Ids{"h.0.norm2", "h.1.norm2"});
  CHECK(ids_of(trace, "residual").size() == 4);
  CHECK(ids_of(trace, "output") == Ids{"h.0.attn.output", "h.1.attn.output", "output"});
  CHECK(ids_of(trace, "h.1.norm1") == Ids{"h.1.norm1"});
  CHECK(ids_of(trace, "N2") == Ids{"h.0.norm2", "h.1.norm2"});
}

TEST_CASE("named steps: * is any text and ? any character; steps are tried before givens") {
  const Trace trace = model_trace("gpt2_prefixed");
  CHECK(ids_of(trace, "h.?.attn.weights") == Ids{"h.0.attn.weights", "h.1.attn.weights"});
  CHECK(ids_of(trace, "*norm1") == Ids{"h.0.norm1", "h.1.norm1"});
  CHECK(ids_of(trace, "h.1.*").front() == "h.1.norm1");
  CHECK(ids_of(trace, "*.w_q") == Ids{"h.0.attn.w_q", "h.1.attn.w_q"});
  CHECK(ids_of(trace, "*a*t*n*w*s") == Ids{"h.0.attn.weights", "h.1.attn.weights"});
  CHECK(ids_of(trace, "*.nothing").empty());
  CHECK(ids_of(trace, "**").size() == trace.steps.size());
}

TEST_CASE("named steps: a name that no step has is refused, with what was meant") {
  const Trace trace = model_trace("gpt2_prefixed");
  CHECK(refusal_from([&] { chosen_steps(trace, {"wieghts"}); }).what ==
        no_such("step", "wieghts") + did_you_mean({"weights"}));
}

TEST_CASE("named steps: a scope's name says which layer of which stack it is in") {
  const auto place = [](const std::string& name) {
    Scope scope;
    scope.name = name;
    return place_of(scope);
  };
  const ModelPlace cross = place("decoder.layers.11.multihead_attn");
  CHECK(cross.stack == "decoder.layers");
  CHECK(cross.layer == 11);
  CHECK(cross.module == "multihead_attn");
  CHECK(place("h.0").module == "");
  CHECK(!place("encoder").layer);
  CHECK(place("h.0.attn").same_layer(place("h.0")));
  CHECK(!place("h.0.attn").same_layer(place("h.1.attn")));
}

TEST_CASE("named steps: a number in the id is one in the formula") {
  const Trace trace = model_trace("gpt2_prefixed");
  CHECK(formula_text(trace, trace.at("h.1.residual2")) == "R2 = R1 + H2");
  CHECK(formula_text(trace, trace.at("h.1.linear1")) == "H1 = N2·W1 + b1");
}

}  // namespace attn::testing

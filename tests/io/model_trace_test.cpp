// Traces of whole models: files read back, scopes and words included.
#include <doctest/doctest.h>

#include "attn/io/trace_file.hpp"
#include "support/derivations.hpp"
#include "support/errors.hpp"
#include "support/models.hpp"
#include "support/program.hpp"

namespace attn::testing {

TEST_CASE("model trace: every model reads back as the same trace, in the same bytes") {
  for (const std::string& name : model_names()) {
    CAPTURE(name);
    const Trace trace = model_trace(name);
    const std::string json = trace_json(trace);
    const Trace again = parse_trace(json, "a.json");
    CHECK(trace_json(again) == json);
    CHECK(trace_ndjson(again) == trace_ndjson(trace));
    CHECK(trace_csv(again) == trace_csv(trace));
    REQUIRE(again.scopes.size() == trace.scopes.size());
    for (std::size_t i = 0; i < trace.scopes.size(); ++i) {
      CHECK(again.scopes[i]->name == trace.scopes[i]->name);
      CHECK(again.scopes[i]->query_tokens.front() == trace.scopes[i]->query_tokens.front());
      CHECK(again.scopes[i]->key_tokens.front() == trace.scopes[i]->key_tokens.front());
      CHECK(again.scopes[i]->settings.masks == trace.scopes[i]->settings.masks);
      CHECK(again.scopes[i]->settings.d_k == trace.scopes[i]->settings.d_k);
      CHECK(again.scopes[i]->settings.positions.kind == trace.scopes[i]->settings.positions.kind);
    }
    for (const Step& step : again.steps) {
      CHECK(step.scope->name == trace.at(step.id).scope->name);
      CHECK(first_wrong_derivation(again, step) == "");
    }
  }
}

TEST_CASE("model trace: a scope holds only what differs from the model") {
  const std::string json = trace_json(model_trace("transformer_post_relu"));
  CHECK(has(json, "\"decoder\": {},"));
  CHECK(has(json,
            "\"decoder.layers.0.self_attn\": {\"tokens\": {\"key\": [\"t0\", \"t1\", \"t2\"]}, "
            "\"settings\": {\"d_k\": 2, \"d_v\": 2, \"n_keys\": 3, \"mask\": [\"causal\"]"));
}

TEST_CASE("model trace: a trace of chosen steps has only their scopes, and reads back") {
  const Trace trace = model_trace("gpt2_prefixed");
  const std::string json =
      trace_json(trace, {"token_embeddings", "position_embeddings", "x", "h.0.norm1"});
  CHECK(has(json, "\"h.0\": {}"));
  CHECK(!has(json, "\"h.1\""));
  CHECK(trace_json(parse_trace(json, "part.json")) == json);
}

TEST_CASE("model trace: a scope that contradicts itself is refused where it is") {
  std::string json = trace_json(model_trace("transformer_post_relu"));
  const std::string wrong = "\"n_keys\": 3, \"mask\": [\"causal\"]";
  json.replace(json.find(wrong), 11, "\"n_keys\": 7");
  const Error error = error_from([&] { parse_trace(json, "broken.json"); });
  CHECK(error.diagnostics().front().id == "token-count");
  CHECK(error.diagnostics().front().places.front().pointer ==
        "/scopes/decoder.layers.0.self_attn/tokens/key");
}

}  // namespace attn::testing

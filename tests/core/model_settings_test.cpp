// Settings of whole models and of their layers: each acts, or it is refused at its place.
#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "attn/attend.hpp"
#include "attn/error.hpp"
#include "support/errors.hpp"
#include "support/phrases.hpp"
#include "support/small_models.hpp"

namespace attn::testing {
namespace {

ProblemDraft small_llama() {
  Dice dice(3);
  return llama_model(dice);
}

std::vector<double> logits_of(const ProblemDraft& draft) {
  const Trace trace = attend(make_problem(draft));
  const auto numbers = trace.value("logits").stored();
  return {numbers.begin(), numbers.end()};
}

/// The first thing that is wrong.
Diagnostic refusal_of(const ProblemDraft& draft) {
  return error_from([&] { attend(make_problem(draft)); }).diagnostics().front();
}

}  // namespace

TEST_CASE("layers: those that do nothing otherwise are like all, with their positions") {
  const auto with = [](auto change) {
    ProblemDraft draft = small_llama();
    change(draft.positions);
    return draft;
  };
  const ProblemDraft drafts[] = {with([](Positions& p) {
                                   p.kind = PositionKind::Alibi;
                                   p.slopes = {3, 4, 0.5, 0.25};
                                 }),
                                 with([](Positions& p) {
                                   p.kind = PositionKind::RopeInterleaved;
                                   p.base = 7;
                                   p.rotary_dim = 2;
                                 }),
                                 with([](Positions& p) {
                                   p.kind = PositionKind::Rope;
                                   p.partial_rotary_factor = 0.5;
                                   p.ids = {{5, 1, 2, 3, 9}};
                                 })};
  for (ProblemDraft draft : drafts) {
    const std::vector<double> alike = logits_of(draft);
    draft.model->layers = {LayerSettings(), LayerSettings()};
    CHECK(logits_of(draft) == alike);
    CHECK(logits_of(draft) != logits_of(small_llama()));
  }
}

TEST_CASE("layers: a layer without positions has none of their settings, the others keep them") {
  ProblemDraft draft = small_llama();
  draft.positions.kind = PositionKind::Rope;
  draft.positions.base = 7;
  LayerSettings none;
  none.positions = PositionKind::None;
  draft.model->layers = {none, none};
  const std::vector<double> unrotated = logits_of(draft);
  draft.model->layers[1] = LayerSettings();
  CHECK(logits_of(draft) != unrotated);
}

TEST_CASE("layers: what a layer cannot use is refused at its own place") {
  ProblemDraft draft = small_llama();
  LayerSettings wrong;
  wrong.positions = PositionKind::None;
  wrong.rope_base = 500.0;
  draft.model->layers = {LayerSettings(), wrong};
  CHECK(refusal_of(draft).places.front().pointer == "/model/layers/1/rope_base");
  draft.model->layers[1] = LayerSettings();
  draft.model->layers[1].scaling.emplace().kind = RopeScalingKind::Linear;
  CHECK(refusal_of(draft).places.front().pointer == "/model/layers/1/scaling");
  draft.positions.kind = PositionKind::Alibi;
  draft.model->layers[1] = LayerSettings();
  draft.model->layers[1].rope_base = 500.0;
  CHECK(refusal_of(draft).places.front().pointer == "/model/layers/1/rope_base");
}

TEST_CASE("model: settings of another kind of attention are refused") {
  ProblemDraft draft = small_llama();
  draft.latent.emplace();
  CHECK(refusal_of(draft).what == does_not_read("llama", "latent"));
  draft = small_llama();
  draft.positions.kind = PositionKind::T5;
  CHECK(refusal_of(draft).places.front().pointer == "/positions");
}

TEST_CASE("model: gains of a norm that is turned off are refused, not left out") {
  ProblemDraft draft = small_llama();
  const std::string prefix = draft.weights.contains("model.norm.weight") ? "model." : "";
  for (const char* layer : {"0", "1"})
    draft.weights[prefix + "layers." + layer + ".self_attn.q_norm.weight"] = {{4}, {1, 2, 3, 4}};
  draft.qk_norm = {.kind = QkNormKind::None, .is_given = true};
  CHECK(refusal_of(draft).what ==
        "qk_norm is none, but layers.0.self_attn.q_norm.weight belongs to a norm");
}

TEST_CASE("model: keys that `hidden` hides are called so in every layer") {
  ProblemDraft draft = small_llama();
  const Index n = std::ssize(draft.ids.front());
  draft.hidden = Array{{n, n}, std::vector<double>(static_cast<std::size_t>(n * n), 0.0)};
  draft.hidden->data[1] = 1.0;
  const Trace trace = attend(make_problem(draft));
  bool named = false;
  for (const Step& step : trace.steps) {
    if (!step.scope->visibility) continue;
    const std::vector<std::string>& names = step.scope->visibility->names;
    CHECK(std::find(names.begin(), names.end(), "allowed") == names.end());
    named = named || std::find(names.begin(), names.end(), "hidden") != names.end();
  }
  CHECK(named);
}

TEST_CASE("model: a base that is said twice has one value") {
  ProblemDraft draft = small_llama();
  draft.positions.kind = PositionKind::Rope;
  draft.positions.base = 7;
  draft.model->rope_base = 5;
  const Diagnostic found = refusal_of(draft);
  CHECK(found.what == "model/rope_base is 5, but positions/base is 7");
  CHECK(found.places.back().pointer == "/positions/base");
  draft.model->rope_base = 7;
  CHECK_NOTHROW(make_problem(draft));
}

TEST_CASE("model: a tensor with the prefix of its library, and again without it, is given twice") {
  ProblemDraft draft = small_llama();
  const bool prefixed = draft.weights.contains("model.norm.weight");
  const std::string other = prefixed ? "norm.weight" : "model.norm.weight";
  draft.weights[other] = draft.weights.at(prefixed ? "model.norm.weight" : "norm.weight");
  const Diagnostic found = refusal_of(draft);
  CHECK(found.id == "given-twice");
  CHECK(found.what == given_twice("norm.weight") + ": as model.norm.weight and as norm.weight");
}

TEST_CASE("model: a tensor that no layer reads is none that other layers lack") {
  ProblemDraft draft = small_llama();
  const bool prefixed = draft.weights.contains("model.norm.weight");
  const std::string layer = std::string(prefixed ? "model." : "") + "layers.0.self_attn.";
  draft.weights[layer + "foo.weight"] = {{1}, {1}};
  CHECK(refusal_of(draft).what ==
        "the weights have 1 tensor that Llama does not: layers.0.self_attn.foo.weight");
}

TEST_CASE("model: where a row is too large for its norm, a note says so") {
  ProblemDraft draft = small_llama();
  draft.model->embedding_multiplier = 1e300;
  const Trace trace = attend(make_problem(draft));
  CHECK(std::any_of(trace.notes.begin(), trace.notes.end(), [](const std::string& note) {
    return note.starts_with("step layers.0.norm1 has a number too large");
  }));
}

TEST_CASE("model: one note says how the weights of all layers are stored, by the family's name") {
  const Trace trace = attend(make_problem(small_llama()));
  const auto is_about_names = [](const std::string& note) {
    return note.starts_with(foreign_names(""));
  };
  CHECK(std::count_if(trace.notes.begin(), trace.notes.end(), is_about_names) == 1);
  Dice dice(3);
  const Trace gpt2 = attend(make_problem(gpt2_model(dice)));
  CHECK(std::find(gpt2.notes.begin(), gpt2.notes.end(), foreign_names("GPT-2") + kAsInConv1D) !=
        gpt2.notes.end());
}

}  // namespace attn::testing

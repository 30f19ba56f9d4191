// Only what is asked for, on any number of threads: the same bytes as all steps on one.
#include <doctest/doctest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <map>

#include "attn/attend.hpp"
#include "attn/core/threads.hpp"
#include "attn/error.hpp"
#include "attn/mask.hpp"
#include "support/dice.hpp"
#include "support/errors.hpp"
#include "support/random_problem.hpp"

namespace attn::testing {
namespace {

/// What blocks could get wrong, and whether the problem has it.
std::map<std::string, bool> features(const ProblemFacts& p) {
  const auto empty = [&](EmptyRow policy) {
    return !p.empty_queries.empty() && p.empty_row == policy;
  };
  std::map<std::string, bool> found{{"empty rows, zero", empty(EmptyRow::Zero)},
                                    {"empty rows, nan", empty(EmptyRow::Nan)},
                                    {"empty rows, uniform", empty(EmptyRow::Uniform)},
                                    {"batch", p.batch.has_value()},
                                    {"heads", p.heads.value_or(1) > 1},
                                    {"grouped", p.kv_heads < p.heads.value_or(1)},
                                    {"past", p.n_past > 0},
                                    {"extra", p.n_extra > 0},
                                    {"cross", p.memory.has_value()},
                                    {"bias", p.bias.has_value()},
                                    {"softcap", p.softcap.has_value()},
                                    {"alibi", p.positions.kind == PositionKind::Alibi},
                                    {"rope", p.positions.kind == PositionKind::Rope},
                                    {"sinusoidal", p.positions.kind == PositionKind::Sinusoidal},
                                    {"add", p.masking == MaskingMode::Add},
                                    {"finite fill", p.fill_is_finite()},
                                    {"mask before scale", p.mask_before_scale},
                                    {"padded queries", p.kept_queries.has_value()}};
  for (const MaskKind& kind : mask_kinds()) found[std::string(kind.name)] = false;
  for (const std::string& mask : p.mask_texts) found[mask.substr(0, mask.find(':'))] = true;
  return found;
}

bool same_bytes(const Tensor& a, const Tensor& b) {
  return a.shape() == b.shape() && a.data().size() == b.data().size() &&
         std::memcmp(a.data().data(), b.data().data(), a.data().size_bytes()) == 0;
}

/// Keeping one step alone changes none of its bytes, and leaves no other.
void check_each_step_alone(const Problem& problem) {
  const Trace all = attend(problem);
  for (const Step& wanted : all.steps) {
    const bool as_q = wanted.id == "k" || wanted.id == "v";
    if (as_q && wanted.is_given()) continue;  // nothing that is computed is kept, as with q
    CAPTURE(wanted.id);
    const Trace some = attend(problem, {}, [&](const std::string& id) { return id == wanted.id; });
    REQUIRE(some.steps.size() == all.steps.size());
    CHECK(same_bytes(some.value(wanted.id), wanted.value));
    CHECK(some.notes == all.notes);
    for (const Step& step : some.steps) CHECK((step.id == wanted.id || step.is_outline()));
  }
  CHECK(same_bytes(attend_output(problem), all.value("output")));
}

/// For queries in one block or in several, and more keys than products take at a time.
Problem large_problem(const std::vector<std::string>& masks, Index queries, Index keys) {
  Dice dice(3);
  ProblemDraft draft;
  draft.q = dice.numbers({2, 3, queries, 8});
  draft.k = dice.numbers({2, 3, keys, 8});
  draft.v = dice.numbers({2, 3, keys, 5});
  draft.align = Align::End;
  for (const std::string& mask : masks) draft.masks.push_back(parse_mask(mask));
  return make_problem(draft);
}

const std::vector<std::vector<std::string>> kMasks = {{},
                                                      {"causal"},
                                                      {"window:7"},
                                                      {"window:3,250"},
                                                      {"prefix:230"},
                                                      {"documents:200,180,40,1"},
                                                      {"keys:0-190,400-420"},
                                                      {"causal", "keys:3", "queries:5-9"}};

}  // namespace

TEST_CASE("attend: one step alone has the bytes that it has among all, with every mask") {
  std::map<std::string, int> seen;
  for (std::uint64_t seed = 0; seed < 250; ++seed) {
    CAPTURE(seed);
    const Diagnostic refusal = refusal_from([&] {
      const Problem problem = make_problem(random_problem(seed));
      for (const auto& [name, has] : features(*problem)) seen[name] += has ? 1 : 0;
      check_each_step_alone(problem);
    });
    CHECK((refusal.id.empty() || refusal.id == "empty-row"));
  }
  for (const auto& each : seen) CHECK_MESSAGE(each.second >= 2, each.first);
}

TEST_CASE("attend: many rows and keys, in blocks, with what masks hide left out" *
          doctest::test_suite("long")) {
  for (const auto& masks : kMasks) {
    for (const Index queries : {261, 33}) {
      CAPTURE(queries);
      CAPTURE(masks.size());
      check_each_step_alone(large_problem(masks, queries, 421));
    }
  }
}

TEST_CASE("attend: bias, softcap, past and the like, with what masks hide left out" *
          doctest::test_suite("long")) {
  struct Feature {
    const char* name;
    void (*add)(ProblemDraft& draft, Dice& dice);
  };
  const Feature kFeatures[] = {
      {"as many columns as keys",
       [](ProblemDraft& d, Dice& dice) {
         d.q = d.k = dice.numbers({2, 389, 389});
       }},
      {"ALiBi", [](ProblemDraft& d, Dice&) { d.positions.kind = PositionKind::Alibi; }},
      {"bias",
       [](ProblemDraft& d, Dice& dice) {
         d.bias = dice.numbers({389, 389});
         for (std::size_t i = 0; i < d.bias->data.size(); i += 7)
           d.bias->data[i] = -std::numeric_limits<double>::infinity();
       }},
      {"softcap", [](ProblemDraft& d, Dice&) { d.softcap = 2.0; }},
      {"finite fill", [](ProblemDraft& d, Dice&) { d.fill = -30.0; }},
      {"added mask", [](ProblemDraft& d, Dice&) { d.masking = MaskingMode::Add; }},
      {"multiplied mask", [](ProblemDraft& d, Dice&) { d.masking = MaskingMode::Multiply; }},
      {"mask before scale", [](ProblemDraft& d, Dice&) { d.mask_before_scale = true; }},
      {"float16", [](ProblemDraft& d, Dice&) { d.dtype = Dtype::Float16; }},
      {"one key more", [](ProblemDraft& d, Dice&) { d.add_zero_attn = true; }},
      {"past", [](ProblemDraft& d, Dice& dice) {
         d.q = dice.numbers({2, 250, 8});
         d.k = dice.numbers({2, 250, 8});
         d.v = dice.numbers({2, 250, 5});
         d.past = {{}, dice.numbers({2, 200, 8}), dice.numbers({2, 200, 5})};
       }}};
  for (const Feature& feature : kFeatures) {
    for (const char* mask : {"causal", "window:60,60"}) {
      CAPTURE(feature.name);
      CAPTURE(mask);
      Dice dice(3);
      ProblemDraft draft;
      draft.q = draft.k = dice.numbers({2, 389, 8});
      draft.v = dice.numbers({2, 389, 5});
      draft.masks = {parse_mask(mask)};
      feature.add(draft, dice);
      check_each_step_alone(make_problem(draft));
    }
  }
}

TEST_CASE("attend: queries without a visible key, among others, in blocks") {
  for (const EmptyRow policy : {EmptyRow::Zero, EmptyRow::Nan, EmptyRow::Uniform}) {
    CAPTURE(policy);
    Dice dice(3);
    ProblemDraft draft;
    draft.q = draft.k = dice.numbers({1, 421, 8});
    draft.v = dice.numbers({1, 421, 5});
    draft.masks = {parse_mask("causal"), parse_mask("keys:0-5")};
    draft.empty_row = policy;
    check_each_step_alone(make_problem(draft));
  }
}

TEST_CASE("attend: a step that a recipe takes past the mask sees what the mask hides") {
  const Problem problem = large_problem({"causal"}, 421, 421);
  const Recipe recipe{{.step = "weights", .inputs = {"scaled_scores"}}};
  const Tensor expected = attend(problem, recipe).value("weights");
  const auto keeps = [](const std::string& id) { return id == "weights"; };
  CHECK(expected.at({0, 0, 0, 400}) > 0.0);
  CHECK(same_bytes(attend(problem, recipe, keeps).value("weights"), expected));
}

TEST_CASE("attend: steps that mix columns before the mask see all of them") {
  const auto same_output = [](Index d_k, const Rewiring& change) {
    Dice dice(3);
    ProblemDraft draft;
    draft.q = dice.numbers({1, 450, d_k});
    draft.k = dice.numbers({1, 450, d_k});
    draft.v = dice.numbers({1, 450, 5});
    draft.masks = {parse_mask("window:60,60")};
    const Problem problem = make_problem(draft);
    const auto keeps = [](const std::string& id) { return id == "output"; };
    return same_bytes(attend(problem, {change}, keeps).value("output"),
                      attend(problem, {change}).value("output"));
  };
  CHECK(same_output(8, {.step = "scaled_scores",
                        .operation = find_operation("softmax"),
                        .parameters = {{"empty_row", "zero"}, {"dtype", "float64"}}}));
  CHECK(same_output(450, {.step = "scores", .operation = find_operation("multiply")}));
}

TEST_CASE("attend: the same bytes on any number of threads") {
  for (const auto& masks : kMasks) {
    const Problem problem = large_problem(masks, 421, 421);
    use_threads(1);
    const Trace one = attend(problem);
    for (const int threads : {2, 3, 16}) {
      use_threads(threads);
      const Trace many = attend(problem);
      for (const Step& step : one.steps) {
        CAPTURE(step.id);
        CHECK(same_bytes(many.value(step.id), step.value));
      }
    }
    use_threads(0);
  }
}

TEST_CASE("attend: a value that is not finite shows, hidden or not") {
  for (const bool late : {false, true}) {
    Dice dice(3);
    ProblemDraft draft;
    draft.q = draft.k = dice.numbers({1, 400, 4});
    draft.v = dice.numbers({1, 400, 9});
    draft.masks = {parse_mask("causal")};
    const Problem problem = make_problem(draft);
    Tensor v(Shape{1, {}, 400, 9}, draft.v->data);
    const Index key = late ? 399 : 0;
    v.at({0, 0, key, 2}) = std::numeric_limits<double>::infinity();
    const Trace trace = attend(problem, {{.step = "v", .value = v}});
    for (Index query = 0; query < 400; ++query) {  // 0 · ∞ is not a number
      const double found = trace.value("output").at({0, 0, query, 2});
      CHECK(std::isnan(found) == (query < key));
      CHECK(std::isfinite(trace.value("output").at({0, 0, query, 3})));
    }
  }
}

}  // namespace attn::testing

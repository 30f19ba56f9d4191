// A look inside whole models: the lens and contributions.
// They are compared with the same model with fewer layers, with the logit, and with plain loops.

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "attn/attend.hpp"
#include "attn/error.hpp"
#include "attn/inside.hpp"
#include "attn/io/problem_file.hpp"
#include "core/operations/operations.hpp"
#include "support/compare.hpp"
#include "support/derivations.hpp"
#include "support/errors.hpp"
#include "support/files.hpp"
#include "support/random_model.hpp"
#include "support/random_problem.hpp"
#include "support/small_models.hpp"

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
  return x.shape() == y.shape() && same(x.data(), y.data());
}

std::string thrown_id(const Trace& trace) {
  Trace copy = trace;
  return refusal_from([&] { add_lens(copy); }).id;
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

namespace {

/// Contributions to words 0 and 1 in one row.
Trace attributed(const Problem& problem, Index row) {
  return attend_inside(problem, {}, {},
                       {.contributions = ContributionChoice{{"0", "1"}, std::to_string(row)}});
}

/// How far the sum of all contributions is from the logits of that row, as a share of the largest
/// of them where that is above 1.
double farthest(const Trace& trace, Index row) {
  const Tensor &parts = trace.value("logit.contributions"), &logits = trace.value("logits");
  double most = 0.0;
  for (Index b = 0; b < logits.batch(); ++b) {
    const Index own = parts.batch() > 1 ? b : 0;
    for (Index word = 0; word < 2; ++word) {
      double sum = 0.0, size = 1.0;
      for (Index r = 0; r < parts.rows(); ++r) {
        sum += parts.at({own, 0, r, word});
        size = std::max(size, std::abs(parts.at({own, 0, r, word})));
      }
      most = std::max(most, std::abs(sum - logits.at({b, 0, row, word})) / size);
      most = std::max(
          most, std::abs(trace.value("logit.contribution_sum").at({own, 0, 0, word}) - sum) / size);
    }
  }
  return most;
}

bool is_whole(const Trace& trace) {
  return trace.settings().dtype == Dtype::Float64 && trace.find("probabilities") != nullptr &&
         steps_with_nan(trace).empty();
}

}  // namespace

TEST_CASE("contributions: they add up to the logit, in every family and every row" *
          doctest::test_suite("long")) {
  std::map<std::string, int> kinds;
  for (std::uint64_t seed = 0; seed < 2 * kInside; ++seed) {
    const ProblemDraft draft = random_model(seed);
    const Problem problem = make_problem(draft);
    const Trace plain = attend(problem);
    if (!is_whole(plain) || plain.value("logits").cols() < 2) continue;
    CAPTURE(seed);
    CAPTURE(draft.model->kind);
    const Index rows = plain.value("logits").rows();
    const Index row = static_cast<Index>(seed) % rows;
    CHECK(farthest(attributed(problem, row), row) < 1e-10);
    ++kinds[draft.model->kind];
  }
  CHECK(kinds.size() == 7);
  for (const auto& each : kinds) CHECK_MESSAGE(each.second > 20, each.first);
}

TEST_CASE("inside: the models whose numbers PyTorch made, in every family") {
  int models = 0;
  for (const auto& entry :
       std::filesystem::directory_iterator(source_dir() + "/tests/reference/models")) {
    const std::string name = entry.path().stem().string();
    if (entry.path().extension() != ".json" || name.ends_with(".expected")) continue;
    CAPTURE(name);
    const std::string file = "reference/models/" + name + ".json";
    const Problem problem = make_problem(parse_problem(read_test_file(file), file).draft);
    Trace plain = attend(problem);
    if (!is_whole(plain) || plain.value("logits").cols() < 2) continue;
    const Index row = plain.value("logits").rows() - 1;
    CHECK(farthest(attributed(problem, row), row) < 1e-10);
    add_lens(plain);
    const std::string end = "lens." + std::to_string(*last_layer(attend(problem)).layer + 1);
    CHECK(same_numbers(plain, end + ".logits", plain, "logits"));
    ++models;
  }
  CHECK(models >= 6);
}

TEST_CASE(
    "inside: models of today, with softcaps, multipliers, experts, latents, four norms a layer") {
  const auto granite = [](Dice& dice) {
    ProblemDraft draft = llama_model(dice);
    draft.model->embedding_multiplier = 3.0;
    draft.model->residual_multiplier = 0.5;
    draft.model->logits_scaling = 2.0;
    return draft;
  };
  for (const SmallModel make :
       {gpt2_model, untied_gpt2_model, llama_model, layered_llama_model, bert_model, gpt_oss_model,
        deepseek_model, gemma2_model, SmallModel(granite)}) {
    Dice dice(7);
    const ProblemDraft draft = make(dice);
    CAPTURE(draft.model->kind);
    const Problem problem = make_problem(draft);
    const Trace plain = attend(problem);
    REQUIRE(is_whole(plain));
    for (Index row = 0; row < plain.value("logits").rows(); ++row)
      CHECK(farthest(attributed(problem, row), row) < 1e-10);
    const Trace lens = attend_inside(problem, {}, {}, {.lens = true});
    CHECK(same_numbers(lens, "lens.2.logits", lens, "logits"));
    const Trace part = attend(make_problem(cut_short(draft, last_layer(plain).stack, 1)));
    CHECK(same_numbers(lens, "lens.1.logits", part, "logits"));
  }
}

TEST_CASE("contributions: every cell is explained by the cells it was made from") {
  for (std::uint64_t seed = 0; seed < 98; ++seed) {
    const Problem problem = make_problem(random_model(seed));
    Trace plain = outline(problem);
    if (!predicts(plain) || plain.value("logits").cols() < 2) continue;
    CAPTURE(seed);
    const Trace trace = attributed(problem, 0);
    for (const Step& step : trace.steps) {
      const bool own = step.scope->name == "parts" || step.scope->name == "logit";
      if (own) CHECK(first_wrong_derivation(trace, step) == "");
    }
    add_contributions(plain, {{"0", "1"}, "0"});
    CHECK(plain.value("logit.contributions").shape() == trace.value("logit.contributions").shape());
  }
}

TEST_CASE(
    "contributions: that of a head is what it writes, normed as the row was, times the word") {
  int heads = 0;
  for (std::uint64_t seed = 0; seed < kInside; ++seed) {
    const ProblemDraft draft = random_model(seed);
    if (draft.model->kind != "llama" && draft.model->kind != "gpt2") continue;
    const Problem problem = make_problem(draft);
    const Trace trace = attributed(problem, 0);
    if (!is_whole(trace) || trace.settings().has_batch) continue;
    const bool centred = draft.model->kind == "gpt2";
    const ModelPlace last = last_layer(trace);
    const Step& final_norm = trace.at("norm");
    const Tensor &x = trace.input(final_norm, 0).value, &gain = trace.input(final_norm, 1).value;
    const Index d = x.cols();
    const auto n = static_cast<double>(d);
    double mean = 0.0, squares = 0.0;
    for (Index c = 0; centred && c < d; ++c) mean += x.at({0, 0, 0, c}) / n;
    for (Index c = 0; c < d; ++c) squares += std::pow(x.at({0, 0, 0, c}) - mean, 2.0) / n;
    const double size = std::sqrt(squares + final_norm.parameters.number("epsilon"));
    const Step& logits = trace.at("logits");
    if (logits.inputs.size() == 1) continue;  // scaled or capped
    const bool tied = logits.parameters.find("transposed") != nullptr;
    const Tensor& words = trace.input(logits, 1).value;
    const std::string scope =
        last.stack + ".0." + (centred ? std::string("attn") : std::string("self_attn"));
    const Tensor &z = trace.value(scope + ".context"), &w_o = trace.value(scope + ".w_o");
    const Step& made = trace.at("logit.contributions");
    for (Index head = 0; head < z.heads(); ++head) {
      std::vector<double> wrote(static_cast<std::size_t>(d));
      for (Index l = 0; l < z.cols(); ++l) {
        for (Index c = 0; c < d; ++c)
          wrote[static_cast<std::size_t>(c)] +=
              z.at({0, head, 0, l}) * w_o.at({0, 0, head * z.cols() + l, c});
      }
      double centre = 0.0, expected = 0.0;
      for (const double each : wrote) centre += centred ? each / n : 0.0;
      for (Index c = 0; c < d; ++c)
        expected += (wrote[static_cast<std::size_t>(c)] - centre) / size * gain.at({0, 0, 0, c}) *
                    words.at(tied ? Cell{0, 0, 1, c} : Cell{0, 0, c, 1});
      const auto& labels = made.scope->key_tokens.front();
      const auto at =
          std::find(labels.begin(), labels.end(), scope + ".head" + std::to_string(head));
      REQUIRE(at != labels.end());
      CHECK(close(expected, made.value.at({0, 0, at - labels.begin(), 1})));
      ++heads;
    }
  }
  CHECK(heads > 4);
}

TEST_CASE("contributions: of a trace that a file makes up, they are refused") {
  const auto refused = [](Trace trace) {
    return refusal_from([&] { add_contributions(trace, {{"0"}, ""}); }).id;
  };
  const std::string file = "../samples/15-induction.json";
  const Trace right = attend(make_problem(parse_problem(read_test_file(file), file).draft));
  CHECK(refused(right) == "");
  const auto changed = [&](const std::function<void(StepList&, Step&)>& before_logits) {
    Trace trace = right;
    trace.steps = {};
    for (Step step : right.steps) {
      if (step.id == "logits") before_logits(trace.steps, step);
      trace.steps.push_back(std::move(step));
    }
    return trace;
  };
  CHECK(refused(changed([](StepList&, Step& logits) {
          logits.operation = &ops::relu;
          logits.inputs.resize(1);
        })) == "needs-model");
  const Trace doubled = changed([](StepList& steps, Step& logits) {
    for (int i = 0; i < 40; ++i) {
      const std::string before = logits.inputs.front();
      Step twice = *steps.find(before);
      logits.inputs.front() = twice.id = "residual" + std::to_string(i + 10);
      twice.operation = &ops::add;
      twice.inputs = {before, before};
      steps.push_back(std::move(twice));
    }
  });
  CHECK(refused(doubled) == "too-large");
}

}  // namespace attn::testing

// Gradients are checked as other steps are: right ones accepted, mistakes named.
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "attn/gradient.hpp"
#include "attn/io/problem_file.hpp"
#include "attn/teach/mistakes.hpp"
#include "io/json/json.hpp"
#include "support/diagnosis.hpp"
#include "support/expected_numbers.hpp"
#include "support/files.hpp"
#include "support/pace.hpp"
#include "support/small_models.hpp"

using namespace attn;
using namespace attn::testing;

namespace {

const Handed kEveryStep{"all steps", {}, false};
const Handed kOfInput{"of the input", {"x.grad"}, false};
const Handed kWeightGradients{
    "of the weights", {"w_q.grad", "w_k.grad", "w_v.grad", "w_o.grad"}, false};

Trace truth_and_back(const ProblemDraft& draft) {
  return attend_and_back(make_problem(draft), {}, {.upstream = upstream_of(draft)});
}

/// The gradients of a trace, or those of its weights, as somebody's dump.
Answers dumped_gradients(const Trace& trace, bool weights_alone = false) {
  Answers answers;
  answers.by_program = true;
  for (const Step& step : trace.steps) {
    if (step.info().role != StepRole::Gradient) continue;
    const bool weight =
        step.id.find("w_") != step.id.npos || step.id.find("weight") != step.id.npos;
    if (weights_alone && (!weight || step.id.ends_with("weights.grad"))) continue;
    answers.matrices.push_back({step.id,
                                step.value.shape().sizes(),
                                {step.value.data().begin(), step.value.data().end()},
                                {},
                                {}});
  }
  return answers;
}

}  // namespace

TEST_CASE("gradients worked out in plain loops are right") {
  for (const WrongWay& way : right_gradients()) {
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
      const attn::testing::Sample sample = sample_of(way, seed, kEveryStep);
      const Trace truth = truth_and_back(sample.draft);
      const Answers answers = answers_of(truth, sample.steps, kEveryStep);
      CHECK(std::count_if(answers.matrices.begin(), answers.matrices.end(),
                          [](const Answer& each) { return each.id.ends_with(".grad"); }) >= 15);
      const CheckReport report = check_answers(truth, answers, {});
      CHECK_MESSAGE(report.right, report.first_wrong.value_or(""));
    }
  }
}

TEST_CASE("PyTorch's gradients are right") {
  const std::string folder = "reference/gradients/";
  int count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(source_dir() + "/tests/" + folder)) {
    const std::string name = entry.path().filename().string(),
                      stem = name.substr(0, name.find('.'));
    const bool model = name.ends_with(".model.json");
    if (!model && !name.ends_with(".expected.json")) continue;
    CAPTURE(name);
    const std::string file = (model ? "reference/models/" : folder) + stem + ".json";
    const Problem problem = make_problem(parse_problem(read_test_file(file), file).draft);
    const json::Document expected = json::parse(read_test_file(folder + name), name);
    GradientChoice choice;
    if (const json::Node* upstream = json::find(expected.root, "upstream")) {
      choice.upstream.emplace();
      append_numbers(*upstream, choice.upstream->data);
      choice.upstream->shape = outline(problem).value("output").shape().sizes();
    }
    const Trace truth = attend_and_back(problem, {}, choice);
    Answers answers;
    answers.by_program = true;
    for (const json::Member& each :
         std::get<json::Members>(json::find(expected.root, "gradients")->value)) {
      Answer answer{each.key + ".grad", truth.value(each.key).shape().sizes(), {}, {}, {}};
      append_numbers(each.value, answer.numbers);
      answers.matrices.push_back(std::move(answer));
    }
    const CheckReport report = check_answers(truth, answers, {});
    CHECK_MESSAGE(report.right, report.first_wrong.value_or(""));
    ++count;
  }
  CHECK(count >= 20);
}

TEST_CASE("mistakes in gradients are named, from all steps and from the weights alone" *
          doctest::test_suite("long")) {
  int named = 0, visible = 0;
  for (const WrongWay& way : wrong_gradients()) {
    for (std::uint64_t seed = 1; seed <= 4; seed += kEach) {
      for (const Handed* handed : {&kEveryStep, &kWeightGradients, &kOfInput}) {
        CAPTURE(way.code);
        CAPTURE(way.variant);
        CAPTURE(seed);
        CAPTURE(handed->title);
        const Diagnosis diagnosis = diagnose(way, seed, *handed);
        CAPTURE(diagnosis.said);
        CHECK(diagnosis.outcome != Outcome::Misnamed);
        CHECK(diagnosis.outcome != Outcome::NotNamed);
        visible += diagnosis.outcome == Outcome::Invisible ? 0 : 1;
        named += diagnosis.outcome == Outcome::Named ? 1 : 0;
      }
    }
  }
  CHECK(visible > 100 / static_cast<int>(kEach));
  CHECK(named > visible * 9 / 10);
}

TEST_CASE("autograd follows a wrong computation: its mistake is named from the gradients alone") {
  Dice dice(3);
  const ProblemDraft draft = causal_problem(dice);
  const Trace truth = truth_and_back(draft);
  for (const char* code :
       {"scale.missing", "mask.missing", "queries_keys.swapped", "heads.interleaved"}) {
    CAPTURE(code);
    Trace wrong = with_mistake(attend(make_problem(draft)), code);
    add_gradients(wrong, {.upstream = upstream_of(draft)});
    for (const bool weights_alone : {false, true}) {
      const CheckReport report = check_answers(truth, dumped_gradients(wrong, weights_alone), {});
      const Diagnosis diagnosis = diagnosed(report, code);
      CAPTURE(diagnosis.said);
      CHECK(diagnosis.outcome <= Outcome::Tied);
    }
    CHECK(dumped_gradients(with_mistake(truth, code)).matrices.size() ==
          dumped_gradients(wrong).matrices.size());
  }
}

TEST_CASE("mistakes in the gradients of a whole model are named, with their place" *
          doctest::test_suite("long")) {
  Dice dice(5);
  ProblemDraft draft = gpt2_model(dice);
  const Trace forward = attend(make_problem(draft));
  draft.labels.assign(1, {});
  for (Index i = 0; i < forward.at("logits").value.rows(); ++i)
    draft.labels.front().push_back({.index = i % 3, .text = {}});
  const Trace truth = attend_and_back(make_problem(draft), {}, {});
  for (const std::string fault :
       {"gradient.softmax_sum", "gradient.scale", "gradient.scale@h.1.attn", "gradient.mask",
        "gradient.transpose@h.0.attn", "gradient.residual_branch@h.*.norm1.grad"}) {
    CAPTURE(fault);
    const Trace wrong = with_mistake(truth, fault);
    for (const bool weights_alone : {false, true}) {
      const CheckReport report = check_answers(truth, dumped_gradients(wrong, weights_alone), {});
      const Diagnosis diagnosis = diagnosed(report, fault.substr(0, fault.find('@')));
      CAPTURE(diagnosis.said);
      CHECK(diagnosis.outcome <= Outcome::Tied);
    }
  }
}

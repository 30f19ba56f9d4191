// Hands dumps of wrong models in and reads what is said about them.
#include "support/model_diagnosis.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "attn/attend.hpp"
#include "support/honest_sheets.hpp"

namespace attn::testing {
namespace {

std::string last_part(const std::string& id) { return id.substr(id.rfind('.') + 1); }

bool is_any(const std::string&, const Trace&) { return true; }

bool is_attention(const std::string& id, const Trace&) {
  const std::string part = last_part(id);
  return part == "weights" || part == "output" || part == "logits";
}

/// The last step of each layer, and what is made of the last layer.
bool is_hidden_state(const std::string& id, const Trace& truth) {
  if (id == "memory" || id == "output" || id == "logits") return true;
  const std::string part = last_part(id);
  const std::string layer = id.substr(0, id.size() - part.size());
  if (!part.starts_with("residual") && !part.starts_with("norm")) return false;
  if (layer.empty() || layer == "encoder." || layer == "decoder.") return false;
  std::string last;
  for (const Step& step : truth.steps) {
    if (step.id.starts_with(layer)) last = step.id;
  }
  return last == id;
}

bool is_result(const std::string& id, const Trace& truth) {
  return id == (truth.find("logits") != nullptr ? "logits" : "output");
}

/// The model of a way, computed once for all mistakes that are tried on it with one seed.
const TinyModel& tiny_model_of(SmallModel make, std::uint64_t seed) {
  static std::map<SmallModel, TinyModel> all;
  static std::uint64_t seed_of_all = seed;
  if (seed != seed_of_all) all.clear();
  seed_of_all = seed;
  const auto at = all.find(make);
  return at != all.end() ? at->second : all.emplace(make, tiny_model(make, seed)).first->second;
}

}  // namespace

const char* name_of(Digits digits) {
  if (digits == Digits::Full) return "exact";
  return digits == Digits::Float32 ? "float32" : "3 decimals";
}

const std::vector<ModelDump>& model_dumps() {
  static const std::vector<ModelDump> all = {{"all steps", is_any},
                                             {"weights, outputs", is_attention},
                                             {"hidden states, logits", is_hidden_state},
                                             {"logits", is_result}};
  return all;
}

TinyModel tiny_model(SmallModel make, std::uint64_t seed) {
  Dice dice(seed);
  ProblemDraft draft = make(dice);
  Trace truth = attend(make_problem(draft));
  return {std::move(draft), std::move(truth)};
}

Answers dump_of(const Trace& truth, const Steps& steps, const ModelDump& dump, Digits digits) {
  Handed handed{dump.title, {}, digits == Digits::ThreeDecimals};
  for (const Step& step : truth.steps) {
    if (dump.holds(step.id, truth)) handed.steps.push_back(step.id);
  }
  Answers answers = answers_of(truth, steps, handed);
  if (digits != Digits::Float32) return answers;
  answers.dtype = Dtype::Float32;
  for (Answer& answer : answers.matrices) {
    for (double& x : answer.numbers) x = static_cast<float>(x);
  }
  return answers;
}

ModelAttempt attempt_at(const WrongModel& way, const TinyModel& model, std::uint64_t seed) {
  ModelAttempt attempt{model.draft, way.place};
  const std::size_t at = way.place.find('N');
  if (at != way.place.npos) attempt.place.replace(at, 1, seed % 2 == 0 ? "0" : "1");
  way.spoil(attempt);
  return attempt;
}

Diagnosis diagnose(const WrongModel& way, std::uint64_t seed, const ModelDump& dump,
                   Digits digits) {
  const TinyModel& model = tiny_model_of(way.model, seed);
  const Steps steps = ported(attempt_at(way, model, seed));
  const Answers answers = dump_of(model.truth, steps, dump, digits);
  if (!first_visible(model.truth, answers)) return {Outcome::Invisible, "nothing differs"};
  const CheckReport report = check_answers(model.truth, answers, {});
  // what is off by less in each step adds up over the layers
  const bool barely = report.right && !first_visible(model.truth, answers, 20);
  return barely ? Diagnosis{Outcome::Invisible, "hardly differs"} : diagnosed(report, way.code);
}

std::vector<std::string> accusations_of_models(std::uint64_t seed) {
  struct Kind {
    SmallModel make;
    const char* name;
    bool has_port = true;
  };
  constexpr Kind kModels[] = {{gpt2_model, "gpt2"},
                              {untied_gpt2_model, "untied gpt2"},
                              {llama_model, "llama"},
                              {bert_model, "bert"},
                              {pre_norm_translation, "pre-norm"},
                              {post_norm_translation, "post-norm"},
                              {gpt_oss_model, "gpt-oss", false},
                              {deepseek_model, "DeepSeek", false},
                              {gemma2_model, "Gemma 2", false}};
  std::vector<std::string> all;
  for (const Kind& each : kModels) {
    const TinyModel model = tiny_model(each.make, seed);
    const auto add = [&, kind = std::string(each.name)](const Answers& answers,
                                                        const std::string& how) {
      const std::string said = accusation(model.truth, answers);
      all.push_back(said.empty() ? said : kind + ", " + how + ": " + said);
    };
    const Steps right = each.has_port ? ported({model.draft}) : Steps{};
    for (const ModelDump& dump : model_dumps()) {
      for (const Digits digits : kDigits) {
        if (!each.has_port) continue;
        add(dump_of(model.truth, right, dump, digits),
            dump.title + (std::string(", ") + name_of(digits)));
      }
      constexpr std::pair<Dtype, const char*> kTypes[] = {
          {Dtype::Float32, "float32"}, {Dtype::Bfloat16, "bfloat16"}, {Dtype::Float16, "float16"}};
      for (const auto& [dtype, type] : kTypes) {
        ProblemDraft draft = model.draft;
        draft.dtype = dtype;
        Steps steps;
        for (const Step& step : attend(make_problem(draft)).steps) {
          const NumberSpan numbers = step.value.data();
          steps[step.id] = {step.value.shape().sizes(), {numbers.begin(), numbers.end()}};
        }
        Answers answers = dump_of(model.truth, steps, dump, Digits::Full);
        answers.dtype = dtype;
        add(answers, dump.title + (", run in " + std::string(type)));
      }
    }
  }
  return all;
}

}  // namespace attn::testing

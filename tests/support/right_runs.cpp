// Hands right runs in, as many programs and people would.
#include "support/right_runs.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "attn/attend.hpp"
#include "attn/check.hpp"
#include "attn/error.hpp"
#include "support/diagnosis.hpp"
#include "support/dice.hpp"
#include "support/errors.hpp"
#include "support/model_oracle.hpp"
#include "support/oracle.hpp"
#include "support/random_model.hpp"
#include "support/random_problem.hpp"

namespace attn::testing {
namespace {

/// What is found wrong: any wrong cell, and any finding that is not about another road.
std::string fault(const Trace& truth, const Answers& answers) {
  const CheckReport report = check_answers(truth, answers);
  if (!report.right) return diagnosed(report, "").said;
  for (const StepReport& step : report.steps) {
    for (const Finding& each : step.findings) {
      const bool harmless = each.code.starts_with("equivalent.") ||
                            each.code.starts_with("layout.") || each.code.starts_with("rounding.");
      if (!harmless) return step.id + ": " + each.code;
    }
  }
  return "";
}

Answers dump(const Trace& truth, const Steps& steps, Dtype dtype = Dtype::Float64) {
  Answers answers{.source = "dump.npz", .by_program = true, .dtype = dtype};
  for (const Step& step : truth.steps) {
    const auto made = steps.find(step.id);
    if (made == steps.end()) continue;
    answers.matrices.push_back(
        {.id = step.id, .shape = made->second.shape, .numbers = made->second.data});
  }
  return answers;
}

Steps steps_of(const Trace& trace) {
  Steps steps;
  for (const Step& step : trace.steps) {
    const NumberSpan numbers = step.value.data();
    steps[step.id] = {step.value.shape().sizes(), {numbers.begin(), numbers.end()}};
  }
  return steps;
}

/// An answer with its last three axes, a × b × c, as b × a × c.
Answer second_first(const Answer& answer) {
  Answer turned = answer;
  const std::size_t rank = answer.shape.size();
  const auto a = static_cast<std::size_t>(answer.shape[rank - 3]),
             b = static_cast<std::size_t>(answer.shape[rank - 2]),
             c = static_cast<std::size_t>(answer.shape[rank - 1]);
  std::swap(turned.shape[rank - 3], turned.shape[rank - 2]);
  for (std::size_t i = 0; i < answer.numbers.size(); ++i) {
    const std::size_t col = i % c, row = i / c % b, head = i / (c * b) % a, rest = i / (c * b * a);
    turned.numbers[((rest * b + row) * a + head) * c + col] = answer.numbers[i];
  }
  return turned;
}

/// Rows as columns.
Answer turned(const Answer& answer) {
  Answer other = answer;
  const std::size_t rank = answer.shape.size();
  const auto rows = static_cast<std::size_t>(answer.shape[rank - 2]),
             cols = static_cast<std::size_t>(answer.shape[rank - 1]);
  std::swap(other.shape[rank - 2], other.shape[rank - 1]);
  for (std::size_t i = 0; i < answer.numbers.size(); ++i) {
    const std::size_t matrix = i / (rows * cols);
    other.numbers[matrix * rows * cols + i % cols * rows + i / cols % rows] = answer.numbers[i];
  }
  return other;
}

/// Each key/value head once for each query head that shares it.
Answer repeated(const Answer& answer, Index group) {
  Answer many = answer;
  const std::size_t axis = answer.shape.size() - 3;
  const auto matrix = static_cast<std::size_t>(answer.shape[axis + 1] * answer.shape[axis + 2]);
  many.shape[axis] *= group;
  many.numbers.clear();
  for (std::size_t first = 0; first < answer.numbers.size(); first += matrix) {
    const auto begin = answer.numbers.begin() + static_cast<std::ptrdiff_t>(first);
    for (Index copy = 0; copy < group; ++copy)
      many.numbers.insert(many.numbers.end(), begin, begin + static_cast<std::ptrdiff_t>(matrix));
  }
  return many;
}

/// Whether some row is −∞ throughout: there a finite fill is no other road.
bool hides_a_row(const Tensor& t) {
  for (std::size_t i = 0; i < t.data().size(); i += static_cast<std::size_t>(t.cols())) {
    const auto row = t.data().subspan(i, static_cast<std::size_t>(t.cols()));
    if (std::all_of(row.begin(), row.end(), [](double x) { return x < -1e4; })) return true;
  }
  return false;
}

/// The ways of handing in the right steps of one computation.
class Handing {
 public:
  Handing(const Trace& truth, const ProblemDraft& draft, const Steps& steps, std::uint64_t seed)
      : truth_(truth), draft_(draft), steps_(steps), dice_(seed) {}

  std::vector<RightRun> exact() && {
    add_exact();
    return std::move(runs_);
  }
  std::vector<RightRun> all() && {
    add_exact();
    add_in_types();
    add_noise();
    add_arranged();
    return std::move(runs_);
  }

 private:
  void add_exact() {
    add("plain loops", dump(truth_, steps_));
    add("weights and output alone", only([](const Step& step) {
          return step.info().role == StepRole::Weights || step.local_id() == "output";
        }));
    add_decimals();
  }
  void add(const std::string& how, const Answers& answers) {
    if (!answers.matrices.empty()) runs_.push_back({how, fault(truth_, answers)});
  }
  template <typename Is>
  Answers only(Is is) const {
    Answers answers = dump(truth_, steps_);
    std::erase_if(answers.matrices, [&](const Answer& each) { return !is(truth_.at(each.id)); });
    return answers;
  }
  /// Each answer changed where `change` returns another.
  template <typename Change>
  std::optional<Answers> changed(Change change) const {
    Answers answers = dump(truth_, steps_);
    bool any = false;
    for (Answer& each : answers.matrices) {
      std::optional<Answer> other = change(each, truth_.at(each.id));
      any = any || other;
      if (other) each = std::move(*other);
    }
    return any ? std::optional(std::move(answers)) : std::nullopt;
  }

  /// Whether a number of the truth is infinite in float16: such a run is not right.
  bool overflows() const {
    return std::any_of(truth_.steps.begin(), truth_.steps.end(), [](const Step& step) {
      const NumberSpan numbers = step.value.data();
      return std::any_of(numbers.begin(), numbers.end(),
                         [](double x) { return std::isfinite(x) && std::abs(x) > 65504.0; });
    });
  }
  void add_in_types() {
    for (const auto& [dtype, name] : {std::pair{Dtype::Float32, "float32"},
                                      {Dtype::Bfloat16, "bfloat16"},
                                      {Dtype::Float16, "float16"}}) {
      if (dtype == Dtype::Float16 && overflows()) continue;
      ProblemDraft draft = draft_;
      draft.dtype = dtype;
      const Steps steps = steps_of(attend(make_problem(draft)));
      add(std::string("a run in ") + name, dump(truth_, steps, dtype));
    }
  }
  void add_noise() {
    Answers answers = dump(truth_, steps_, Dtype::Float32);
    for (Answer& each : answers.matrices) {
      for (double& x : each.numbers) x = static_cast<float>(x * (1.0 + 1e-7 * dice_.number()));
    }
    add("noise of float32", answers);
  }
  void add_decimals() {
    Answers answers = dump(truth_, steps_);
    answers.by_program = false;
    for (Answer& each : answers.matrices) {
      for (double& x : each.numbers) {
        if (std::isfinite(x)) x = std::round(x * 1000) / 1000;
      }
    }
    add("3 decimals", answers);
  }
  void add_arranged() {
    const Settings& s = truth_.attention().settings;
    const auto add_some = [&](const std::string& how, const std::optional<Answers>& answers) {
      if (answers) add(how, *answers);
    };
    const auto of_heads = [](const Step& step) {
      return step.value.shape().heads && !step.info().is_pairwise();
    };
    add_some("heads after tokens", changed([&](const Answer& each, const Step& step) {
               return of_heads(step) ? std::optional(second_first(each)) : std::nullopt;
             }));
    if (!truth_.is_model() && s.kv_heads < s.heads) {
      add_some("keys and values repeated", changed([&](const Answer& each, const Step& step) {
                 const bool shared = of_heads(step) &&
                                     each.shape[each.shape.size() - 3] == s.kv_heads &&
                                     !step.id.starts_with("q") && step.id != "context";
                 return shared ? std::optional(repeated(each, s.heads / s.kv_heads)) : std::nullopt;
               }));
    }
    // in a row that is divided by its sum, −10⁹ is no way to hide a score
    const bool sums = s.normalize == NormalizeKind::Sum;
    add_some("hidden scores of −10⁹", changed([&](const Answer& each, const Step& step) {
               std::optional<Answer> finite;
               if (sums || step.info().role != StepRole::MaskedScores || hides_a_row(step.value))
                 return finite;
               finite = each;
               for (double& x : finite->numbers) x = std::isinf(x) ? -1e9 : x;
               return finite;
             }));
    if (truth_.is_model()) return;
    // a single row or column looks like heads on another axis, and square matrices alike
    const bool square = std::all_of(truth_.steps.begin(), truth_.steps.end(), [](const Step& step) {
      return step.value.rows() == step.value.cols();
    });
    const bool lines = std::any_of(truth_.steps.begin(), truth_.steps.end(), [](const Step& step) {
      return step.value.rows() == 1 || step.value.cols() == 1;
    });
    if (!square && !lines) {
      add_some("tokens in columns", changed([](const Answer& each, const Step&) {
                 return std::optional(turned(each));
               }));
    }
  }

  const Trace& truth_;
  const ProblemDraft& draft_;
  const Steps& steps_;
  Dice dice_;
  std::vector<RightRun> runs_ = {};
};

}  // namespace

std::vector<RightRun> right_runs(std::uint64_t seed, bool exact) {
  const bool is_model = seed % 4 == 0;
  const ProblemDraft draft = is_model ? random_model(seed) : random_problem(seed);
  if (!is_model && draft.empty_row == EmptyRow::Error && has_empty_row(draft)) return {};
  const std::optional<Trace> truth = if_accepted([&] { return attend(make_problem(draft)); });
  if (!truth) return {};  // a query without a visible key, where that is refused
  const Steps steps = is_model ? model_oracle(draft) : oracle(draft, false);
  Handing handing(*truth, draft, steps, seed);
  return exact ? std::move(handing).exact() : std::move(handing).all();
}

}  // namespace attn::testing

// Tries seeds until scores are neither tiny nor huge, and fills blanks with numbers of a trace.
#include "support/class_sheets.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include "attn/attend.hpp"
#include "attn/teach/mistakes.hpp"

namespace attn::testing {
namespace {

Array small_integers(Index rows, Index cols, std::mt19937& bits) {
  Array array{{rows, cols}, {}};
  for (Index i = 0; i < rows * cols; ++i)
    array.data.push_back(bits() % 3 == 0 ? 0.0 : static_cast<double>(bits() % 5) - 2.0);
  return array;
}

double rounded(double x, int decimals) {
  const double unit = std::pow(10.0, decimals);
  return std::isfinite(x) ? std::round(x * unit) / unit : x;
}

SheetStep step_of(const Step& step, int decimals) {
  SheetStep asked{.id = step.id, .shape = step.value.shape().sizes(), .points = 5.0};
  for (const double x : step.value.data()) {
    asked.numbers.push_back(rounded(x, decimals));
    const auto i = static_cast<Index>(asked.blank.size());
    const Index row = i / step.value.cols(), col = i % step.value.cols();
    const bool visible = !step.info().is_pairwise() || col <= row;
    asked.blank.push_back(visible && row + col > 0 ? 1 : 0);
  }
  return asked;
}

constexpr const char* kAsked[] = {"scores", "scaled_scores", "masked_scores", "weights", "output"};

Sheet bare_sheet(const std::string& student, unsigned seed) {
  std::mt19937 bits(seed);
  Sheet sheet;
  sheet.exercise = "hw1";
  sheet.student = student;
  sheet.variant = "V" + std::to_string(seed);
  sheet.problem.tokens = {{"a", "b", "c", "d"}};
  sheet.problem.embeddings = small_integers(4, 6, bits);
  for (const char* name : {"w_q", "w_k", "w_v"})
    sheet.problem.weights[name] = small_integers(6, 3, bits);
  sheet.problem.masks = {parse_mask("causal")};
  return sheet;
}

/// Whether softmax stays away from 0 and 1, so that mistakes show.
bool is_gentle(const Trace& truth) {
  const NumberSpan scores = truth.value("scaled_scores").data();
  return std::all_of(scores.begin(), scores.end(), [](double x) { return std::abs(x) <= 4.0; }) &&
         std::any_of(scores.begin(), scores.end(), [](double x) { return std::abs(x) >= 1.0; });
}

/// A problem that is gentle, from that seed on.
Sheet gentle_sheet(const std::string& student, unsigned seed) {
  for (unsigned tried = 1000 * seed;; ++tried) {
    Sheet sheet = bare_sheet(student, tried);
    if (is_gentle(attend(make_problem(sheet.problem)))) return sheet;
  }
}

}  // namespace

Sheet solved_class_sheet(const std::string& student, unsigned seed) {
  Sheet sheet = gentle_sheet(student, seed);
  const Trace truth = attend(make_problem(sheet.problem));
  for (const char* id : kAsked) sheet.steps.push_back(step_of(truth.at(id), sheet.decimals));
  return sheet;
}

Answers filled_in(const Sheet& sheet, const Trace& work) {
  Answers answers{.source = "sheet.json"};
  for (const SheetStep& step : sheet.steps) {
    Answer answer{.id = step.id, .shape = step.shape, .numbers = step.numbers};
    answer.states.assign(step.numbers.size(), CellState::Given);
    const NumberSpan numbers = work.value(step.id).data();
    for (const std::size_t i : blanks_of(sheet, step.id)) {
      answer.numbers[i] = rounded(numbers[i], sheet.decimals);
      answer.states[i] = CellState::Filled;
    }
    answers.matrices.push_back(std::move(answer));
  }
  return answers;
}

Answers left_blank(const Sheet& sheet) {
  Answers answers = filled_in(sheet, attend(make_problem(sheet.problem)));
  for (Answer& answer : answers.matrices) {
    for (std::size_t i = 0; i < answer.states.size(); ++i) {
      if (answer.states[i] != CellState::Filled) continue;
      answer.states[i] = CellState::Empty;
      answer.numbers[i] = std::numeric_limits<double>::quiet_NaN();
    }
  }
  return answers;
}

Answer& matrix(Answers& answers, const std::string& step) {
  return *std::find_if(answers.matrices.begin(), answers.matrices.end(),
                       [&](const Answer& each) { return each.id == step; });
}

std::vector<std::size_t> blanks_of(const Sheet& sheet, const std::string& step) {
  std::vector<std::size_t> places;
  for (const SheetStep& each : sheet.steps) {
    for (std::size_t i = 0; each.id == step && i < each.blank.size(); ++i) {
      if (each.blank[i] != 0) places.push_back(i);
    }
  }
  return places;
}

Sheet bug_sheet(const std::string& student, unsigned seed, const std::string& code) {
  Sheet sheet = solved_class_sheet(student, seed);
  const Trace wrong = with_mistake(attend(make_problem(sheet.problem)), code);
  for (SheetStep& step : sheet.steps) {
    step.points = 0.0;
    std::fill(step.blank.begin(), step.blank.end(), 0);
    const Step* made = wrong.find(step.id);
    for (std::size_t i = 0; made != nullptr && i < step.numbers.size(); ++i)
      step.numbers[i] = rounded(made->value.data()[i], sheet.decimals);
  }
  sheet.bug_points = 10.0;
  sheet.bug = BugAnswer{};
  return sheet;
}

}  // namespace attn::testing

// Everything that `check` and reports say is in the catalogues: read in a language without letters.
#include <doctest/doctest.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "attn/attend.hpp"
#include "attn/check.hpp"
#include "attn/io/problem_file.hpp"
#include "attn/io/samples.hpp"
#include "attn/language.hpp"
#include "attn/number_text.hpp"
#include "attn/operation.hpp"
#include "attn/render/check_report.hpp"
#include "attn/render/formula.hpp"
#include "attn/teach/mistakes.hpp"
#include "attn/writers.hpp"
#include "core/trace/axis_names.hpp"
#include "support/errors.hpp"
#include "support/program.hpp"
#include "support/silence.hpp"

using namespace attn;
using namespace attn::testing;

namespace {

Answers answers_of_all(const Trace& trace, bool rounded) {
  Answers answers{.source = "answers.json", .matrices = {}};
  for (const Step& step : trace.steps) {
    std::vector<double> numbers = step.value.data().copy();
    if (rounded)
      for (double& each : numbers) each = std::isfinite(each) ? rounded_to(each, 3) : each;
    answers.matrices.push_back({.id = step.id,
                                .shape = step.value.shape().sizes(),
                                .numbers = std::move(numbers),
                                .states = {},
                                .unreadable = {}});
  }
  return answers;
}

std::string shown_in_silence(const Document& document) {
  TextStyle style;
  style.width = 0;
  return document_formats().front().document(document, style);
}

/// The report in every form, in the language in use.
std::string all_of_report(const CheckReport& report, const Trace& truth) {
  std::string text;
  for (const bool figures : {false, true})
    text += shown_in_silence(check_document(report, truth, {"answers", figures, {}, "attn help"}));
  for (int hint = 1; hint <= 4; ++hint)
    text += shown_in_silence(check_document(report, truth, {"answers", false, hint, "attn help"}));
  return text;
}

}  // namespace

namespace {

/// What was said of a problem and has words that no catalogue has: word → where.
class Listener {
 public:
  explicit Listener(const Trace& truth) {
    for (const Step& step : truth.steps) {
      name_parts({step.id, step.info().symbol});
      names_.insert(step.id);
      if (!step.is_given()) formulas_.insert(formula_text(truth, step));
      for (Index b = 0; b < step.value.batch(); ++b) {
        for (Index h = 0; h < step.value.heads(); ++h) {
          name_parts(row_names(step, b, h).names);
          name_parts(col_names(step, b, h).names);
        }
      }
    }
  }

  void hear(const std::string& what, const Answers& answers, const Trace& truth) {
    const CheckReport report = check_answers(truth, answers);
    for (const StepReport& step : report.steps) {
      for (const Finding& finding : step.findings) {
        for (const Fact& fact : finding.facts) {
          name_parts({fact.name});
          if (const auto* word = std::get_if<std::string>(&fact.value)) name_parts({*word});
        }
      }
    }
    const LanguageInUse language(nothing_);
    hear(what, all_of_report(report, truth));
  }
  void hear(const std::string& what, std::string text) {
    for (const std::string& formula : formulas_) {
      for (std::size_t at = text.find(formula); at != text.npos; at = text.find(formula, at))
        text.erase(at, formula.size());
    }
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
      for (const std::string& word : words_left_in(line, names_)) heard_[word] = what + ": " + line;
    }
  }
  const std::map<std::string, std::string>& heard() const { return heard_; }

 private:
  /// Words of names: "layers", "self_attn" and "q" of "layers.0.self_attn.q".
  void name_parts(const std::vector<std::string>& all) {
    for (const std::string& name : all) {
      std::string part;
      for (const char c : name + " ") {
        if (std::isalnum(static_cast<unsigned char>(c)) || c == '_') {
          part += c;
        } else if (!part.empty()) {
          names_.insert(std::exchange(part, ""));
        }
      }
    }
  }

  Language nothing_ = silent();
  std::set<std::string> names_{"softmax", "mask",   "where",    "causal",  "padding", "positions",
                               "rope",    "score",  "additive", "qk_norm", "rms",     "keys",
                               "and",     "inf",    "nan",      "answers", "wieghts", "split",
                               "stack",   "concat", "rowsum",   "rowmax",  "colsum"};
  std::map<std::string, std::string> heard_;
  std::set<std::string> formulas_;
};

}  // namespace

TEST_CASE("untranslated: no report of a known mistake says a word that the catalogues lack" *
          doctest::test_suite("long")) {
  std::map<std::string, std::string> heard;  // by word, so that each is said once
  std::map<std::string, int> tried;          // code → samples that accepted it
  for (const attn::Sample& sample : samples()) {
    ProblemDraft draft = parse_problem(sample.text, "p").draft;
    draft.title.clear();
    const Trace truth = attend(make_problem(draft));
    Listener listener(truth);
    if (truth.steps.size() > 25) continue;  // a whole model
    for (const std::string& code : mistake_codes()) {
      const std::optional<Trace> wrong = if_accepted([&] { return with_mistake(truth, code); });
      if (!wrong) continue;
      const int before = tried[code]++;  // both in the first sample, then in turn
      for (const bool rounded : {false, true}) {
        if (before == 0 || rounded == (before % 2 == 1))
          listener.hear(std::string(sample.name) + " " + code, answers_of_all(*wrong, rounded),
                        truth);
      }
    }
    heard.insert(listener.heard().begin(), listener.heard().end());
  }
  for (const auto& row : heard)
    CHECK_MESSAGE(false, "no catalogue has the word \"", row.first, "\": ", row.second);
}

TEST_CASE("untranslated: nor does one of slips, other shapes, blanks and names") {
  ProblemDraft draft = parse_problem(samples()[3].text, "p").draft;
  draft.title.clear();
  const Trace truth = attend(make_problem(draft));
  Listener listener(truth);
  using Change = void (*)(Answer & answer);
  const std::pair<const char*, Change> changes[] = {
      {"sign", [](Answer& a) { a.numbers[1] = -a.numbers[1]; }},
      {"point", [](Answer& a) { a.numbers[1] *= 10.0; }},
      {"swapped", [](Answer& a) { std::swap(a.numbers[0], a.numbers[1]); }},
      {"one more",
       [](Answer& a) {
         for (double& each : a.numbers) each += 1.0;
       }},
      {"factor",
       [](Answer& a) {
         for (double& each : a.numbers) each *= 1.37;
       }},
      {"infinite", [](Answer& a) { a.numbers[1] = INFINITY; }},
      {"alike",
       [](Answer& a) {
         for (double& each : a.numbers) each = 0.5;
       }},
      {"alike in every blank",
       [](Answer& a) {
         a.states.assign(a.numbers.size(), CellState::Filled);
         for (double& each : a.numbers) each = 0.25;
       }},
      {"one row",
       [](Answer& a) {
         for (std::size_t i = 0; i < 3; ++i) a.numbers[i] += 0.3;
       }},
      {"rounded early",
       [](Answer& a) {
         for (double& each : a.numbers) each = rounded_to(each, 1);
       }},
      {"transposed", [](Answer& a) { std::swap(a.shape.front(), a.shape.back()); }},
      {"flat",
       [](Answer& a) {
         a.shape = {1, std::ssize(a.numbers)};
       }},
      {"blanks",
       [](Answer& a) {
         a.states.assign(a.numbers.size(), CellState::Filled);
         for (std::size_t i = 0; i + 2 < a.numbers.size(); ++i) a.states[i] = CellState::Empty;
         a.numbers.back() += 1.0;
       }},
      {"commas", [](Answer& a) { a.commas = 39; }},
      {"another name", [](Answer& a) { a.id = "wieghts"; }},
      {"a twin", [](Answer& a) { a.id = "scores"; }},
  };
  for (const char* step : {"q", "scores", "scaled_scores", "masked_scores", "weights", "output"}) {
    for (const auto& [what, change] : changes) {
      Answers answers = answers_of_all(truth, true);
      for (Answer& each : answers.matrices) {
        if (each.id == step) change(each);
        if (each.id == step) break;
      }
      const std::string_view change_name = what;
      if (change_name == "alike in every blank")
        std::erase_if(answers.matrices, [&](const Answer& each) { return each.id != step; });
      listener.hear(std::string(step) + ", " + what, answers, truth);
    }
  }
  for (const auto& row : listener.heard())
    CHECK_MESSAGE(false, "no catalogue has the word \"", row.first, "\": ", row.second);
}

TEST_CASE("untranslated: nor has the formula of any operation a word in English") {
  const std::set<std::string> names{"rowsum", "rowmax", "colsum", "softmax", "concat",
                                    "split",  "stack",  "rope",   "mask",    "sin",
                                    "cos",    "tanh",   "erf",    "max"};
  const Language nothing = silent();
  const LanguageInUse language(nothing);
  for (const Operation* operation : operations()) {
    for (const bool optional : {false, true}) {
      std::string text = "Y = ";
      bool inside = false;
      for (const char* at = operation->formula; *at != '\0'; ++at) {
        if (*at == '[' || *at == ']') {
          inside = *at == '[';
        } else if (*at == '{') {
          while (*at != '}') ++at;
          if (!inside || optional) text += "X";
        } else if (!inside || optional) {
          text += *at;
        }
      }
      std::string said = translated_sentence(as_mathematics(text));
      constexpr std::string_view kMean = "mean(";  // as a function
      for (std::size_t at = said.find(kMean); at != said.npos; at = said.find(kMean))
        said.erase(at, kMean.size());
      for (const std::string& word : words_left_in(said, names))
        CHECK_MESSAGE(false, operation->name, " says \"", word, "\": ", said);
    }
  }
}

TEST_CASE("untranslated: nor has what explain prints of the samples, whatever their settings") {
  std::vector<std::vector<std::string>> settings{{},
                                                 {"--summary"},
                                                 {"--outline"},
                                                 {"--gradient"},
                                                 {"--mask", "window:2"},
                                                 {"--scale", "none"},
                                                 {"--normalize", "sum"},
                                                 {"--score", "distance"},
                                                 {"--renormalize"},
                                                 {"--fault", "scale.missing"},
                                                 {"--cell", "output:0,0"},
                                                 {"--fill", "-1e9", "--mask", "causal"}};
  for (const std::string& id : step_ids()) {  // and what brings a step about
    const Appearance& needs = find_step_info(id)->appears;
    std::vector<std::string> options{"--" + std::string(needs.setting)};
    if (*needs.value != '\0') options.emplace_back(needs.value);
    if (*needs.setting != '\0' &&
        std::find(settings.begin(), settings.end(), options) == settings.end())
      settings.push_back(options);
  }
  std::map<std::string, std::string> heard;
  int said = 0;
  for (const attn::Sample& sample : samples()) {
    Listener listener(attend(make_problem(parse_problem(sample.text, "p").draft)));
    for (std::vector<std::string> args : settings) {
      args.insert(args.begin(), {"explain", std::string(sample.name), "--width", "1000"});
      const Language nothing = silent();
      const LanguageInUse language(nothing);
      const Ran ran = attn_run(args);
      if (ran.exit_code != 0) continue;  // this sample does not go with that setting
      ++said;
      std::string text = ran.out;
      // What was typed is repeated as it is.
      const std::string typed = args.size() > 5 ? args[4].substr(2) + " " + args[5] : "";
      for (const std::string& name : {std::string(sample.name), std::string("key_lengths"),
                                      std::string("queries:0"), typed}) {
        if (name.empty()) continue;
        for (std::size_t at = text.find(name); at != text.npos; at = text.find(name))
          text.erase(at, name.size());
      }
      listener.hear(args.size() > 4 ? args[4] : "", text);
    }
    heard.insert(listener.heard().begin(), listener.heard().end());
  }
  CHECK(said > 200);
  // functions, values of settings, options to type, parts of the names of steps
  for (const char* name : {"sin",       "cos",         "tanh",
                           "mean",      "min",         "max",
                           "alibi",     "distance",    "sum",
                           "softcap",   "renormalize", "scale",
                           "none",      "fill",        "masking",
                           "normalize", "set",         "norm",
                           "head",      "layer",       "steps",
                           "full",      "cell",        "depth",
                           "window",    "missing",     "weight",
                           "bias",      "angles",      "grad",
                           "decoder",   "Mixtral",     "MultiheadAttention",
                           "sinks",     "sink",        "sinusoidal",
                           "added",     "add",         "multiply"})
    heard.erase(name);
  for (const auto& row : heard)
    CHECK_MESSAGE(false, "no catalogue has the word \"", row.first, "\": ", row.second);
}

// Finds the step or the mistake that somebody means, also by what is printed about it.
#include <algorithm>
#include <array>
#include <vector>

#include "attn/language.hpp"
#include "attn/phrases.hpp"
#include "attn/teach/grading.hpp"
#include "attn/teach/mistakes.hpp"

namespace attn {
namespace {

using Pair = std::pair<std::string_view, std::string_view>;

constexpr std::array kQuotes{Pair{"\"", "\""}, Pair{"'", "'"}, Pair{"`", "`"},   Pair{"„", "“"},
                             Pair{"„", "”"},   Pair{"“", "”"}, Pair{"‘", "’"},   Pair{"‚", "‘"},
                             Pair{"«", "»"},   Pair{"»", "«"}, Pair{"「", "」"}, Pair{"『", "』"},
                             Pair{"(", ")"},   Pair{"[", "]"}};

/// Without a full stop after it, or quotation marks or brackets around it; as it is if there are
/// none.
std::string_view unwrapped(std::string_view name) {
  for (const std::string_view stop : {"。", "."}) {
    if (name.ends_with(stop)) return trimmed(name.substr(0, name.size() - stop.size()));
  }
  for (const auto& [open, close] : kQuotes) {
    if (name.size() < open.size() + close.size()) continue;
    if (name.starts_with(open) && name.ends_with(close))
      return trimmed(name.substr(open.size(), name.size() - open.size() - close.size()));
  }
  return name;
}

/// What somebody wrote as a name, in half width, without what is only around it.
std::string written_name(std::string_view text) {
  const std::string half = half_width(text);
  std::string_view name = trimmed(half);
  for (std::string_view less = unwrapped(name); less != name; less = unwrapped(name)) name = less;
  return std::string(name);
}

/// Letters and digits, without capitals: "Scale missing" is "scale.missing".
std::string folded(std::string_view text) {
  std::string all = caseless(trimmed(text));
  std::erase_if(all, [](char c) { return c == ' ' || c == '_' || c == '-' || c == '.'; });
  return all;
}

constexpr std::size_t kShortestEnd = 6;  ///< bytes: two Chinese characters

/// Whether a text, or if that is enough its end, is written there, in English or in the language of
/// any sheet.
bool says(std::string_view written, const char* english, bool end_is_enough = false) {
  const std::string own = folded(written);
  const std::vector<std::string> codes = language_codes();
  return !own.empty() && std::any_of(codes.begin(), codes.end(), [&](const std::string& code) {
    const auto& texts = language_of(code).texts;
    const auto at = texts.find(std::string_view(english));
    const std::string text = folded(at == texts.end() ? std::string_view(english) : at->second);
    return own == text || (end_is_enough && own.size() >= kShortestEnd && text.ends_with(own));
  });
}

/// "7/8" of "Schritt 7/8" and "第 7/8 步".
std::string_view without_step(std::string_view name) {
  for (const char* before : {"step", "schritt", "步骤", "第"}) {
    if (lowered(name).starts_with(before)) name.remove_prefix(std::string_view(before).size());
  }
  if (name.ends_with("步")) name.remove_suffix(std::string_view("步").size());
  return trimmed(name);
}

/// The words of a name, in small letters.
std::vector<std::string> split_words(std::string_view name) {
  std::string text = caseless(name);
  for (char& c : text) c = c == '_' || c == '-' ? ' ' : c;
  std::vector<std::string> words;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    if (end > at) words.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return words;
}

/// The words of a name, sorted; a symbol as the words of its step, and without those that say
/// nothing: "S_scaled" and "the scaled scores" are "scaled" and "scores".
std::vector<std::string> words_of(const Trace& truth, std::string_view name) {
  constexpr std::array<std::string_view, 9> kSilent{"the", "of",  "matrix", "matrices", "step",
                                                    "die", "der", "das",    "schritt"};
  std::vector<std::string> words;
  for (const std::string& word : split_words(name)) {
    if (std::find(kSilent.begin(), kSilent.end(), word) != kSilent.end()) continue;
    const auto meant = std::find_if(truth.steps.begin(), truth.steps.end(), [&](const Step& step) {
      return caseless(step.info().symbol) == word;
    });
    const std::vector<std::string> own =
        meant == truth.steps.end() ? std::vector{word} : split_words(meant->info().id);
    words.insert(words.end(), own.begin(), own.end());
  }
  std::sort(words.begin(), words.end());
  return words;
}

/// The step whose id or title has these words, in any order.
const Step* step_of_words(const Trace& truth, std::string_view name) {
  const std::vector<std::string> words = words_of(truth, name);
  const auto at = std::find_if(truth.steps.begin(), truth.steps.end(), [&](const Step& step) {
    const StepInfo& info = step.info();
    return words == words_of(truth, info.id) || words == words_of(truth, info.title) ||
           words == words_of(truth, translated(info.title));
  });
  return words.empty() || at == truth.steps.end() ? nullptr : &*at;
}

/// The step whose title or words these are, or else the only one whose title ends with them, or
/// that has these words.
const Step* step_titled(const Trace& truth, std::string_view words) {
  const Step* ending = nullptr;
  bool several = false;
  for (const Step& step : truth.steps) {
    if (says(words, step.info().title) || says(words, step.info().phrase)) return &step;
    if (!says(words, step.info().title, true)) continue;
    several = several || ending != nullptr;
    ending = &step;
  }
  if (ending != nullptr && !several) return ending;
  return truth.is_model() ? nullptr : step_of_words(truth, words);
}

}  // namespace

const Step* step_named(const Trace& truth, std::string_view text) {
  constexpr std::size_t kLongest = 1000;  // bytes: no title is as long
  if (text.size() > kLongest) return nullptr;
  const std::string written = written_name(text);
  const std::string_view name = written;
  for (const std::string_view each : {name, without_step(name), name.substr(0, name.find('='))})
    if (const Step* step = step_meant(truth, each)) return step;
  const std::size_t number_end = name.find(']');
  if (!name.starts_with('[') || number_end == name.npos) return step_titled(truth, name);
  const Step* numbered = step_meant(truth, name.substr(0, number_end + 1));
  const Step* named = step_named(truth, name.substr(number_end + 1));
  return numbered == named ? named : nullptr;
}

std::string code_named(std::string_view text) {
  const std::string written = written_name(text);
  std::string_view word = written;
  if (const std::size_t open = word.rfind('['); open != word.npos && word.ends_with(']'))
    word = word.substr(open + 1, word.size() - open - 2);
  for (const Mistake& each : mistakes()) {
    if (folded(word) == folded(each.code) || says(word, each.title)) return each.code;
  }
  return lowered(trimmed(word));
}

}  // namespace attn

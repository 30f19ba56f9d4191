// Finds the step that a person means: by id, symbol or title in any case, or by its printed number.
#include <algorithm>

#include "attn/language.hpp"
#include "attn/phrases.hpp"
#include "attn/trace.hpp"
#include "core/text/ascii.hpp"

namespace attn {
namespace {

/// Without capitals, spaces, hyphens and underscores, primes as apostrophes.
std::string folded(std::string_view text) {
  std::string all = caseless(text);
  for (const auto& [from, to] : {std::pair{"′", "'"}, {"’", "'"}, {"″", "''"}}) {
    for (std::size_t at = all.find(from); at != all.npos; at = all.find(from, at))
      all.replace(at, std::string_view(from).size(), to);
  }
  std::erase_if(all, [](char c) { return c == ' ' || c == '_' || c == '-'; });
  return all;
}

/// "6", "6/9" or "[6/9]" as 6, if there are nine; otherwise 0.
std::size_t number_in(std::string_view text, std::size_t total) {
  if (text.starts_with('[') && text.ends_with(']')) text = text.substr(1, text.size() - 2);
  const std::size_t slash = std::min(text.find('/'), text.size());
  const std::string_view first = trimmed(text.substr(0, slash));
  const auto number = [](std::string_view digits) -> std::size_t {
    const bool plain =
        !digits.empty() && digits.size() < 5 &&
        std::all_of(digits.begin(), digits.end(), [](char c) { return is_digit(c); });
    return plain ? std::stoul(std::string(digits)) : 0;
  };
  if (slash < text.size() && number(trimmed(text.substr(slash + 1))) != total) return 0;
  return number(first) <= total ? number(first) : 0;
}

}  // namespace

std::vector<const Step*> numbered_steps(const Trace& trace, bool full) {
  std::vector<const Step*> all = chosen_steps(trace, {});
  if (full) return all;
  std::erase_if(all, [&](const Step* step) {
    return step->info().role == StepRole::Mask &&
           trace.first_of(StepRole::MaskedScores, *step->scope) != nullptr;
  });
  return all;
}

bool is_name_of(std::string_view text, const StepInfo& info) {
  const std::string name = folded(text);
  return !name.empty() && (name == folded(info.id) || name == folded(info.symbol) ||
                           name == folded(info.title) || name == folded(translated(info.title)));
}

const Step* step_meant(const Trace& trace, std::string_view text) {
  const std::string_view name = trimmed(text);
  if (name.empty()) return nullptr;
  if (const Step* step = trace.find_named(name)) return step;
  const std::vector<const Step*> numbered = numbered_steps(trace, false);
  if (const std::size_t number = number_in(name, numbered.size()); number > 0)
    return numbered[number - 1];
  const std::string own = folded(name);
  for (const Step& step : trace.steps) {
    if (folded(step.id) == own) return &step;
  }
  if (trace.is_model()) return nullptr;  // the same symbols and titles are in every layer
  const auto named = std::find_if(trace.steps.begin(), trace.steps.end(),
                                  [&](const Step& step) { return is_name_of(name, step.info()); });
  return named == trace.steps.end() ? nullptr : &*named;
}

}  // namespace attn

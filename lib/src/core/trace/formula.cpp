// Formulas of steps: the pattern of the operation with symbols and parameters filled in.
#include <cmath>

#include "attn/number_text.hpp"
#include "attn/phrases.hpp"
#include "attn/trace.hpp"
#include "core/text/ascii.hpp"
#include "core/trace/unnumbered.hpp"

namespace attn {
namespace {

/// The number at the end of a name: "1" of "h.0.norm1".
std::string number_of(std::string_view id) { return std::string(id.substr(unnumbered(id).size())); }

/// The number that tells steps of one layer apart: "1" of "h.0.norm1" and of "h.0.norm1.grad", and
/// of the weights "h.0.norm1.weight".
std::string own_number(const Step& step) {
  const std::string_view owner = owner_of_gradient(step.id);
  std::string_view id = owner.empty() ? std::string_view(step.id) : owner;
  const bool of_module = std::string_view(step.info().forward().id).find('.') != id.npos;
  if (of_module) id = id.substr(0, id.rfind('.'));
  return number_of(id);
}

/// The number of the path that a part of a gradient is about: "2" of "x.grad2".
std::string path_number(const Step& step) {
  return step.info().gradient_of == nullptr ? "" : number_of(step.id);
}

/// "₁₂" of "12".
std::string subscript(const std::string& digits) {
  std::string text;
  for (const char digit : digits)
    text += std::string("\xE2\x82") + static_cast<char>(digit - '0' + 0x80);
  return text;
}

/// A parameter in a formula: numbers as their shortest exact text; empty for lists of decimals.
std::string parameter_text(const Parameters::Value& value) {
  if (const auto* count = std::get_if<Index>(&value)) return std::to_string(*count);
  if (const auto* word = std::get_if<std::string>(&value)) return *word;
  if (const auto* counts = std::get_if<std::vector<Index>>(&value)) {
    std::vector<std::string> texts;
    for (const Index count : *counts) texts.push_back(std::to_string(count));
    return separated(texts, ", ");
  }
  const auto* number = std::get_if<double>(&value);
  if (number == nullptr) return "";
  return std::isinf(*number) && *number < 0 ? "−∞" : format_exact(*number);
}

struct Filler {
  const Trace& trace;
  const Step& step;

  bool has(char input) const { return static_cast<std::size_t>(input - '0') < step.inputs.size(); }

  /// What {name} means, before `rest`.
  std::string meaning(std::string_view name, std::string_view rest) const {
    if (name.size() == 1 && is_digit(name[0])) {
      const Step& input = trace.input(step, static_cast<std::size_t>(name[0] - '0'));
      const std::string symbol = symbol_text(input);
      const bool needs_brackets = rest.starts_with("ᵀ") && symbol.find('/') != symbol.npos;
      return needs_brackets ? "(" + symbol + ")" : symbol;  // (∂L/∂S)ᵀ
    }
    const Parameters::Value* value = step.parameters.find(name);
    return value == nullptr ? "" : parameter_text(*value);
  }

  std::string fill(std::string_view pattern) const {
    std::string text;
    for (std::size_t i = 0; i < pattern.size(); ++i) {
      if (pattern[i] == '[') {  // optional: left out without the input it names
        if (!has(pattern[pattern.find('{', i) + 1])) i = pattern.find(']', i);
      } else if (pattern[i] == '{') {
        const std::size_t close = pattern.find('}', i);
        text += meaning(pattern.substr(i + 1, close - i - 1), pattern.substr(close + 1));
        i = close;
      } else if (pattern[i] != ']') {
        text += pattern[i];
      }
    }
    return text;
  }
};

}  // namespace

std::string symbol_text(const Step& step) {
  const std::string path = path_number(step), symbol = step.info().symbol + own_number(step);
  return path.empty() ? symbol : "∂" + subscript(path) + symbol.substr(std::string("∂").size());
}

std::string formula_text(const Trace& trace, const Step& step) {
  const std::string symbol = symbol_text(step);
  if (step.is_given()) return symbol;
  const Operation& operation = *step.operation;
  const char* pattern =
      operation.formula_for == nullptr ? operation.formula : operation.formula_for(step.parameters);
  return symbol + " = " + Filler{trace, step}.fill(pattern);
}

}  // namespace attn

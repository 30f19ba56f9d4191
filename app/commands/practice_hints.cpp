// Says how a cell is made: in a formula, in words, in numbers.
#include "commands/practice_hints.hpp"

#include <algorithm>
#include <iterator>
#include <string_view>

#include "attn/language.hpp"
#include "attn/phrases.hpp"
#include "attn/render/explain.hpp"
#include "attn/render/formula.hpp"
#include "attn/writers.hpp"

namespace attn::app {
namespace {

/// What an operation does for one cell; {} are its first two inputs.
struct InWords {
  std::string_view operation, sentence;
};
constexpr InWords kInWords[] = {
    {"multiply",
     in_catalogue(
         "The row of {a} times the column of {b}: multiply number by number, and add up.")},
    {"linear", in_catalogue("The row of {a} times the column of {b}: multiply number by number, "
                            "add up, and add the bias, if there is one.")},
    {"multiply_transposed", in_catalogue("The row of {a} for the query, the row of {b} for the "
                                         "key: multiply number by number, and add up.")},
    {"scale", in_catalogue("The number of {a} in the same place, divided by √d_k, where d_k is how "
                           "many columns K has (or times the scale, if the formula has one).")},
    {"softmax", in_catalogue("e to the power of the number of {a} in the same place, divided by "
                             "the sum of such powers over the whole row. What is -inf gives 0.")},
    {"hide",
     in_catalogue(
         "The number of {a} in the same place if the mask lets the query see the key, else -inf.")},
};

std::string symbol_of(const Trace& truth, const Step& step, std::size_t input) {
  return input < step.inputs.size() ? symbol_text(truth.at(step.inputs[input])) : "";
}

}  // namespace

std::string headline_hint(const Trace& truth, const Step& step) {
  return translated("{formula}: {what}.", formula_in_language(truth, step),
                    translated(step.info().phrase));
}

std::string hint_in_words(const Trace& truth, const Step& step) {
  const auto at = std::find_if(std::begin(kInWords), std::end(kInWords), [&](const InWords& each) {
    return each.operation == step.operation->name;
  });
  if (at == std::end(kInWords)) return translated(step.info().why);
  return translated(at->sentence, symbol_of(truth, step, 0), symbol_of(truth, step, 1));
}

std::string arithmetic_hint(const Trace& truth, const Step& step, const Cell& cell, int decimals) {
  View view;
  view.batch = cell.batch;
  view.head = cell.head;
  view.depth = 0;
  view.precision = decimals;
  const std::string place =
      step.id + ":" + std::to_string(cell.row) + "," + std::to_string(cell.col);
  TextStyle style;
  style.width = 10000;  // the arithmetic is one line
  const std::string text = write_text(explain_cell(truth, place, view), style);
  const std::size_t begin = text.find("\n    " + symbol_text(step) + "[");
  if (begin == text.npos) return "";
  const std::size_t end = text.find('\n', begin + 1);
  const std::string line(trimmed(text.substr(begin + 1, end - begin - 1)));
  const std::size_t equals = std::min(line.find(" = "), line.find(" ≈ "));  // ≈: of rounded numbers
  if (equals == line.npos) return "";
  const std::size_t result = std::min(line.find(" = ", equals + 3), line.find(" ≈ ", equals + 3));
  const bool follows = end != text.npos && trimmed(text.substr(end + 1, 80)).starts_with("≈");
  if (result == line.npos && !follows) return "";
  return line.substr(0, result) + " = ?";
}

}  // namespace attn::app

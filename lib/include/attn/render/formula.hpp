// Formulas as trees, from which each kind of mathematics is printed.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "attn/trace.hpp"

namespace attn {

/// A formula, or a part of one. Formulas are written once, as the text that a terminal shows:
///
///   S′ = S / √d_k     A_m = A ∘ mask     ∂L/∂K = (∂L/∂S)ᵀ·Q     M = S, −∞ where mask = 0
///
/// A letter is a symbol; primes, ᵀ, ², digits, _k, ^x and ^(…) are scripts. A longer word is the
/// name of a function if a bracket follows, else a word, which others may follow. " / " makes a
/// fraction if what comes next is in brackets, "(…)" or "√(…)"; in ∂L/∂S, "/" does.
struct Formula {
  enum class Kind : unsigned char {
    Row,       ///< `parts`, one after the other
    Symbol,    ///< a letter: "S", "γ"
    Number,    ///< without its sign: "0.5", "1e-05", "inf"
    Name,      ///< of a function: "softmax"
    Words,     ///< "row sums", with the spaces beside them; a long name: "mask"
    Sign,      ///< an operator or comma with the spaces beside it, or a prime
    Times,     ///< the "·" before a letter, which mathematics may leave out
    Bracket,   ///< "()" or "||", with `parts` inside
    Fraction,  ///< two parts, and the sign that is between them in text
    Root,      ///< of the only part
    Scripts,   ///< base, subscript, superscript: the last two are rows, perhaps empty
  };
  Kind kind = Kind::Row;
  std::string text = {};
  std::vector<Formula> parts = {};

  /// Whether brackets around it must grow: it contains a fraction.
  bool is_tall() const;
  /// Without the brackets that a bar or a root makes superfluous.
  const std::vector<Formula>& bare() const;
};

/// The tree of a formula. Every text has one: what the notation does not know is a symbol.
Formula parse_formula(std::string_view text);

/// The text with functions where it says in words what mathematics has functions for: "r =
/// rowsum(E)" for "r = sum of each row of E". parse_formula does so first.
std::string as_mathematics(std::string_view text);

/// The formula of a step as people read it: in English as `formula_text` writes it; in other
/// languages as mathematics, with the words that are left in that language, as far as its
/// catalogue has them.
std::string formula_in_language(const Trace& trace, const Step& step);

/// A formula in LaTeX (with amsmath), KaTeX or MathJax: "S' = S / \\sqrt{d_{k}}".
std::string formula_latex(std::string_view text);

/// A formula as a `math` element of HTML, its text as `alttext`.
std::string formula_mathml(std::string_view text);

}  // namespace attn

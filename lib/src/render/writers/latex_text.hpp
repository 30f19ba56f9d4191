// Text and mathematics in LaTeX, for plain LaTeX, KaTeX and MathJax.
#pragma once

#include <set>
#include <string>
#include <string_view>

namespace attn {

/// One line of text as LaTeX: every character that means something is escaped, and our own symbols
/// are mathematics: "√d_k" → "$\sqrt{d_{k}}$".
std::string latex_text(std::string_view text);

/// Arithmetic and shapes as attn writes them, in math mode: "2 / √4 ≈ e^-inf·1.5e-05".
/// In contrast to a formula (formula_latex), it stays on one line.
std::string latex_math(std::string_view text);

/// A sign or letter of ours in math mode, "\cdot " for "·"; nullptr for other characters.
const char* latex_symbol(char32_t code);

/// The name of a cell, whose labels may hold anything: "S′[the, a_b]" → "S'[\text{the, a\_b}]".
std::string latex_name(std::string_view name);

/// A number as format_number writes it: "-inf" → "-\infty", "1.5e-05" → "1.5\cdot 10^{-5}".
std::string latex_number(std::string_view number);

/// The characters of `text` that pdflatex has no letters for.
std::set<char32_t> foreign_letters(std::string_view text);

}  // namespace attn

// Escapes for LaTeX. What pdflatex knows without packages: LaTeX's utf8.def and the T1 encoding.
#include "render/writers/latex_text.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>

#include "core/text/ascii.hpp"
#include "render/terminal/width.hpp"

namespace attn {
namespace {

struct Spelling {
  char32_t symbol;
  const char* latex;
};

/// What means something in text; commands that KaTeX knows, too.
constexpr std::array kEscapes{
    Spelling{U'\\', "\\textbackslash{}"},
    Spelling{U'{', "\\{"},
    Spelling{U'}', "\\}"},
    Spelling{U'$', "\\$"},
    Spelling{U'&', "\\&"},
    Spelling{U'#', "\\#"},
    Spelling{U'%', "\\%"},
    Spelling{U'_', "\\_"},
    Spelling{U'~', "\\textasciitilde{}"},
    Spelling{U'^', "\\textasciicircum{}"},
    Spelling{U'<', "\\textless{}"},
    Spelling{U'>', "\\textgreater{}"},
    Spelling{U'|', "\\textbar{}"},
    Spelling{U'`', "{`}"},
};

/// The symbols of our own sentences and formulas, in math mode.
constexpr std::array kSymbols{
    Spelling{U'×', "\\times "},  Spelling{U'·', "\\cdot "},
    Spelling{U'∘', "\\odot "},   Spelling{U'−', "-"},
    Spelling{U'Σ', "\\sum "},    Spelling{U'∞', "\\infty "},
    Spelling{U'ᵀ', "^{\\top}"},  Spelling{U'′', "'"},
    Spelling{U'″', "''"},        Spelling{U'→', "\\to "},
    Spelling{U'←', "\\gets "},   Spelling{U'≤', "\\le "},
    Spelling{U'≥', "\\ge "},     Spelling{U'≠', "\\ne "},
    Spelling{U'≈', "\\approx "}, Spelling{U'±', "\\pm "},
    Spelling{U'…', "\\ldots "},  Spelling{U'₀', "_{0}"},
    Spelling{U'₁', "_{1}"},      Spelling{U'₂', "_{2}"},
    Spelling{U'₃', "_{3}"},      Spelling{U'₄', "_{4}"},
    Spelling{U'₅', "_{5}"},      Spelling{U'₆', "_{6}"},
    Spelling{U'₇', "_{7}"},      Spelling{U'₈', "_{8}"},
    Spelling{U'₉', "_{9}"},      Spelling{U'²', "^{2}"},
    Spelling{U'³', "^{3}"},      Spelling{U'½', "\\tfrac{1}{2}"},
    Spelling{U'β', "\\beta "},   Spelling{U'γ', "\\gamma "},
    Spelling{U'π', "\\pi "},     Spelling{U'σ', "\\sigma "},
    Spelling{U'ℓ', "\\ell "},    Spelling{U'∂', "\\partial "},
    Spelling{U'␣', "\\sqcup "},  Spelling{U'✓', "\\surd "},
    Spelling{U'✗', "\\times "},  Spelling{U'\uFFFD', "\\diamond "},
    Spelling{U'⊤', "\\top "},    Spelling{U'Θ', "\\Theta "},
    Spelling{U'ρ', "\\rho "},
};

constexpr std::u32string_view kNotInT1 = U"ĦħĸĿŀŉŦŧ", kPunctuation = U"–—‘’‚“”„";

template <std::size_t N>
const char* find(const std::array<Spelling, N>& rows, char32_t code) {
  const auto row =
      std::find_if(rows.begin(), rows.end(), [&](const Spelling& r) { return r.symbol == code; });
  return row == rows.end() ? nullptr : row->latex;
}

bool is_word(char c) { return is_letter(c) || is_digit(c) || c == '_'; }

}  // namespace

std::string latex_text(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    const CodePoint next = decode(text);
    const char* escape = find(kEscapes, next.code);
    const char* symbol = find(kSymbols, next.code);
    // "--", ",," and "''" would become one character.
    const bool joins = next.code == U'-' || next.code == U',' || next.code == U'\'';
    const bool doubled = joins && result.ends_with(text[0]);
    std::string_view rest = text.substr(next.bytes);
    if (next.code == U'√') {
      const auto end = std::find_if_not(rest.begin(), rest.end(), is_word);
      const std::size_t size =
          rest.starts_with('(') ? rest.find(')') + 1 : static_cast<std::size_t>(end - rest.begin());
      result += "$" + latex_math(text.substr(0, next.bytes + size)) + "$";
      rest.remove_prefix(size);
    } else if (symbol != nullptr) {
      std::string math = symbol;
      if (math.ends_with(' ')) math.pop_back();
      result += "$" + math + "$";
    } else if (escape != nullptr) {
      result += escape;
    } else if (next.code == U' ' && (result.empty() || result.ends_with(' '))) {
      result += "\\ ";  // spaces that follow each other would be one
    } else {
      result += (doubled ? "{}" : "") + std::string(text.substr(0, next.bytes));
    }
    text = rest;
  }
  return result;
}

std::string latex_number(std::string_view number) {
  if (number == "inf") return "\\infty";
  if (number == "-inf") return "-\\infty";
  if (number == "nan") return "\\mathrm{NaN}";
  const std::size_t e = number.find('e');
  if (e != number.npos) {
    const std::string power = std::to_string(std::atoi(std::string(number.substr(e + 1)).c_str()));
    const std::string factor(number.substr(0, e));
    const bool one = factor == "1" || factor == "-1";
    return (one ? factor.substr(0, factor.size() - 1) : factor + "\\cdot ") + "10^{" + power + "}";
  }
  if (const std::size_t comma = number.find(','); comma != number.npos)  // or a space follows it
    return latex_number(number.substr(0, comma)) + "{,}" + std::string(number.substr(comma + 1));
  const bool bound = number.starts_with('<') || number.starts_with('>');  // "<.001"
  return bound ? "{" + std::string(number.substr(0, 1)) + "}" + std::string(number.substr(1))
               : std::string(number);
}

const char* latex_symbol(char32_t code) { return find(kSymbols, code); }

std::string latex_name(std::string_view name) {
  const std::size_t open = name.find('['), close = name.rfind(']');
  if (open == name.npos || close == name.npos || close < open) return latex_math(name);
  std::string_view after = name.substr(close + 1);
  const std::string space = after.starts_with(' ') ? " " : "";
  after.remove_prefix(space.size());
  return latex_math(name.substr(0, open)) + "[\\text{" +
         latex_text(name.substr(open + 1, close - open - 1)) + "}]" +
         (after.empty() ? "" : "\\text{" + space + latex_text(after) + "}");
}

std::set<char32_t> foreign_letters(std::string_view text) {
  std::set<char32_t> letters;
  while (!text.empty()) {
    const CodePoint next = decode(text);
    const bool western = next.code < 0x17F && kNotInT1.find(next.code) == kNotInT1.npos;
    const bool punctuation = kPunctuation.find(next.code) != kPunctuation.npos;
    if (!western && !punctuation) letters.insert(next.code);
    text.remove_prefix(next.bytes);
  }
  return letters;
}

}  // namespace attn

// Prints formulas as LaTeX.
#include "attn/render/formula.hpp"
#include "core/text/ascii.hpp"
#include "render/terminal/width.hpp"
#include "render/writers/latex_text.hpp"

namespace attn {
namespace {

/// Operators and letters, without spaces that follow each other.
std::string latex_signs(std::string_view text) {
  constexpr std::string_view kPlain = " +-*/=()[],.!<>:;'";
  std::string latex;
  while (!text.empty()) {
    const CodePoint next = decode(text);
    const std::string own(text.substr(0, next.bytes));
    const char* symbol = own == "|" ? "\\mid " : latex_symbol(next.code);
    const bool plain = is_letter(own[0]) || kPlain.find(own[0]) != kPlain.npos;
    if (symbol != nullptr) {
      latex += symbol;
    } else if (own != " " || !latex.ends_with(' ')) {
      latex += plain ? own : "\\text{" + latex_text(own) + "}";
    }
    text.remove_prefix(next.bytes);
  }
  return latex;
}

/// In arithmetic, a fraction is on one line, and products keep their dots.
struct LatexPrinter {
  using Kind = Formula::Kind;
  using Parts = std::vector<Formula>;

  const bool arithmetic;

  std::string all(const Parts& parts, bool inside = true) const {
    std::string latex;
    for (const Formula& part : parts) {
      const std::string next = one(part, inside);
      latex += next.substr(latex.ends_with(' ') && next.starts_with(' ') ? 1 : 0);
    }
    return latex.substr(0, latex.find_last_not_of(' ') + 1);
  }

  std::string braces(const Parts& parts) const { return "{" + all(parts) + "}"; }

  /// `inside`: of a bracket, a fraction …
  std::string one(const Formula& f, bool inside) const {
    constexpr std::string_view kFunctions = " max min sin cos tanh ln log exp ";
    switch (f.kind) {
      case Kind::Row:
        return all(f.parts);
      case Kind::Number:
        return latex_number(f.text);
      case Kind::Name:
        return kFunctions.find(" " + f.text + " ") != kFunctions.npos
                   ? "\\" + f.text
                   : "\\operatorname{" + f.text + "}";
      case Kind::Words:
        return "\\text{" + f.text + "}";
      case Kind::Symbol:
        return latex_signs(f.text);
      case Kind::Sign:  // after a comma, the formula is explained
        return f.text == ", " && !inside ? ",\\; " : latex_signs(f.text);
      case Kind::Times:
        return arithmetic ? latex_signs(f.text) : " ";
      case Kind::Bracket:
        return bracket(f, !arithmetic && f.is_tall());
      case Kind::Fraction:
        if (arithmetic) return all(f.parts[0].parts) + f.text + all(f.parts[1].parts);
        return "\\frac" + braces(f.parts[0].bare()) + braces(f.parts[1].bare());
      case Kind::Root:
        return "\\sqrt" + braces(f.bare());
      case Kind::Scripts:
        return all({f.parts[0]}) + scripts(f.parts[1].parts, f.parts[2].bare());
    }
    return {};
  }

  std::string bracket(const Formula& f, bool grows) const {
    const std::string close = f.text.substr(1);
    return (grows ? "\\left" : "") + f.text.substr(0, 1) + all(f.parts) +
           (grows && !close.empty() ? "\\right" : "") + close;
  }

  /// Primes are not in braces.
  std::string scripts(const Parts& below, const Parts& above) const {
    std::string latex = below.empty() ? "" : "_" + braces(below);
    auto rest = above.begin();
    while (rest != above.end() && (rest->text == "′" || rest->text == "″"))
      latex += latex_signs((rest++)->text);
    return rest == above.end() ? latex : latex + "^" + braces({rest, above.end()});
  }
};

}  // namespace

std::string formula_latex(std::string_view text) {
  return LatexPrinter{false}.all(parse_formula(text).parts, false);
}

std::string latex_math(std::string_view text) {
  return LatexPrinter{true}.all(parse_formula(text).parts);
}

}  // namespace attn

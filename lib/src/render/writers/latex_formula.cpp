// Prints formulas as LaTeX.
#include "attn/render/formula.hpp"
#include "core/text/ascii.hpp"
#include "render/formulas/formula_reader.hpp"
#include "render/terminal/width.hpp"
#include "render/writers/latex_text.hpp"

namespace attn {
namespace {

/// Prints a tree. In arithmetic, fractions are written in one line and products keep their dots.
class LatexPrinter {
 public:
  explicit LatexPrinter(bool arithmetic) : arithmetic_(arithmetic) {}

  std::string printed(const std::vector<Formula>& parts) {
    all(parts);
    trim();
    return out_;
  }

 private:
  using Kind = Formula::Kind;

  void all(const std::vector<Formula>& parts) {
    for (const Formula& part : parts) one(part);
  }

  void one(const Formula& f) {
    switch (f.kind) {
      case Kind::Row:
        return all(f.parts);
      case Kind::Number:
        out_ += latex_number(f.text);
        return;
      case Kind::Name:
        out_ += is_known_function(f.text) ? "\\" + f.text : "\\operatorname{" + f.text + "}";
        return;
      case Kind::Words:
        out_ += "\\text{" + f.text + "}";
        return;
      case Kind::Symbol:
        return signs(f.text);
      case Kind::Sign:
        if (f.text != ", " || depth_ > 0 || arithmetic_) return signs(f.text);
        out_ += ",\\; ";  // what follows explains the formula
        return;
      case Kind::Times:
        return signs(arithmetic_ ? f.text : " ");
      case Kind::Bracket:
        return bracket(f, !arithmetic_ && f.is_tall());
      case Kind::Fraction:
        return fraction(f);
      case Kind::Root:
        return group("\\sqrt", f.parts);
      case Kind::Scripts:
        return scripts(f.parts[0], f.parts[1].parts, f.parts[2].parts);
    }
  }

  void fraction(const Formula& f) {
    if (arithmetic_) return all({f.parts[0], {Kind::Sign, f.text}, f.parts[1]});
    group("\\frac", f.parts[0].bare());
    group("", f.parts[1].bare());
  }

  void group(const char* before, const std::vector<Formula>& parts) {
    out_ += std::string(before) + "{";
    ++depth_;
    all(parts);
    --depth_;
    trim();
    out_ += "}";
  }

  void bracket(const Formula& f, bool grows) {
    out_ += (grows ? "\\left" : "") + f.text.substr(0, 1);
    ++depth_;
    all(f.parts);
    --depth_;
    trim();
    if (f.text.size() > 1) out_ += (grows ? "\\right" : "") + f.text.substr(1);
  }

  void trim() {
    while (out_.ends_with(' ')) out_.pop_back();
  }

  /// Primes are not in braces.
  void scripts(const Formula& base, const std::vector<Formula>& below,
               const std::vector<Formula>& above) {
    one(base);
    trim();
    if (!below.empty()) group("_", below);
    auto rest = above.begin();
    while (rest != above.end() && (rest->text == "′" || rest->text == "″")) one(*rest++);
    if (rest != above.end()) group("^", {rest, above.end()});
  }

  /// Operators and letters, without spaces that would follow each other.
  void signs(std::string_view text) {
    constexpr std::string_view kPlain = " +-*/=()[],.!<>:;'";
    while (!text.empty()) {
      const CodePoint next = decode(text);
      const std::string own(text.substr(0, next.bytes));
      const char* symbol = own == "|" ? "\\mid " : latex_symbol(next.code);
      const bool plain = is_letter(own[0]) || kPlain.find(own[0]) != kPlain.npos;
      if (symbol != nullptr) {
        out_ += symbol;
      } else if (own != " " || !out_.ends_with(' ')) {
        out_ += plain ? own : "\\text{" + latex_text(own) + "}";
      }
      text.remove_prefix(next.bytes);
    }
  }

  const bool arithmetic_;
  int depth_ = 0;  ///< of brackets and groups
  std::string out_;
};

}  // namespace

std::string formula_latex(std::string_view text) {
  return LatexPrinter(false).printed(parse_formula(text).parts);
}

std::string latex_math(std::string_view text) {
  return LatexPrinter(true).printed(parse_formula(text).parts);
}

std::string latex_root(std::string_view& text) {
  return LatexPrinter(true).printed({take_term(text)});
}

}  // namespace attn

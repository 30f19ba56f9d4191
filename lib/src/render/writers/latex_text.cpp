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
    Spelling{U'∘', "\\circ "},   Spelling{U'−', "-"},
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
};

constexpr std::u32string_view kNotInT1 = U"ĦħĸĿŀŉŦŧ", kPunctuation = U"–—‘’‚“”„";

template <std::size_t N>
const char* find(const std::array<Spelling, N>& rows, char32_t code) {
  const auto row =
      std::find_if(rows.begin(), rows.end(), [&](const Spelling& r) { return r.symbol == code; });
  return row == rows.end() ? nullptr : row->latex;
}

/// Takes from the front of `text` as long as `belongs` is true.
template <typename Belongs>
std::string_view take(std::string_view& text, Belongs belongs) {
  const auto end = std::find_if_not(text.begin(), text.end(), belongs);
  const std::string_view taken = text.substr(0, static_cast<std::size_t>(end - text.begin()));
  text.remove_prefix(taken.size());
  return taken;
}

bool is_word(char c) { return is_letter(c) || is_digit(c) || c == '_'; }

/// The inside of the bracket that `text` begins with, which is removed from its front.
std::string_view take_bracket(std::string_view& text) {
  std::size_t end = 0, open = 0;
  do {
    open += text[end] == '(' ? 1 : 0;
    open -= text[end] == ')' ? 1 : 0;
  } while (open > 0 && ++end < text.size());
  const std::string_view inside = text.substr(1, end - 1);
  text.remove_prefix(std::min(end + 1, text.size()));
  return inside;
}

/// The number at the front of `text`, with a sign if there is one.
std::string_view take_number(std::string_view& text) {
  std::size_t end = text.starts_with('-') ? 1 : 0;
  if (text.substr(end, 3) == "inf" || text.substr(end, 3) == "nan") {
    end += 3;
  } else {
    while (end < text.size() && (is_digit(text[end]) || text[end] == '.')) ++end;
    const bool power =
        end + 2 < text.size() && text[end] == 'e' && (text[end + 1] == '-' || text[end + 1] == '+');
    if (power) end += 2;
    while (power && end < text.size() && is_digit(text[end])) ++end;
  }
  const std::string_view number = text.substr(0, end);
  text.remove_prefix(end);
  return number;
}

/// What a root or a power applies to, taken from the front of `text`: "(2/π)", "4", "-1.5", "d_k".
std::string take_argument(std::string_view& text, bool keeps_brackets) {
  if (text.starts_with('(')) {
    const std::string inside = latex_math(take_bracket(text));
    return keeps_brackets ? "(" + inside + ")" : inside;
  }
  if (!text.empty() && !is_letter(text.front())) return latex_number(take_number(text));
  if (text.starts_with("inf")) return latex_number(take_number(text));
  return latex_math(take(text, is_word));
}

/// "d_k" → "d_{k}", "max" → "\mathrm{max}".
std::string latex_word(std::string_view word) {
  const std::size_t sub = std::min(word.find('_'), word.size());
  const auto upright = [](std::string_view name) {
    return name.size() == 1 ? std::string(name) : "\\mathrm{" + std::string(name) + "}";
  };
  const std::string below = sub < word.size() ? latex_text(word.substr(sub + 1)) : "";
  const std::string head = upright(word.substr(0, sub));
  return below.empty() ? head
                       : head + "_{" + (below.size() == 1 ? below : "\\text{" + below + "}") + "}";
}

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
      result += "$\\sqrt{" + take_argument(rest, false) + "}$";
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
  const bool bound = number.starts_with('<') || number.starts_with('>');  // "<.001"
  return bound ? "{" + std::string(number.substr(0, 1)) + "}" + std::string(number.substr(1))
               : std::string(number);
}

std::string latex_math(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    const char c = text.front();
    const bool word = text.size() > 3 && (is_letter(text[3]) || text[3] == '_');
    if (is_digit(c) || (!word && (text.starts_with("inf") || text.starts_with("nan")))) {
      result += latex_number(take_number(text));
    } else if (text.starts_with("e^")) {
      text.remove_prefix(2);
      result += "e^{" + take_argument(text, false) + "}";
    } else if (is_letter(c)) {
      result += latex_word(take(text, is_word));
    } else if (text.starts_with("√")) {
      text.remove_prefix(std::string_view("√").size());
      result += "\\sqrt{" + take_argument(text, false) + "}";
    } else {
      const CodePoint next = decode(text);
      const char* symbol = find(kSymbols, next.code);
      const std::string as_text = latex_text(text.substr(0, next.bytes));
      const bool plain = std::string_view(" +-*/=()[],.!<>|:;'").find(c) != std::string_view::npos;
      const bool again = c == ' ' && result.ends_with(' ');
      result += symbol != nullptr ? symbol
                : again           ? ""
                : plain           ? std::string(1, c)
                                  : "\\text{" + as_text + "}";
      text.remove_prefix(next.bytes);
    }
  }
  return result;
}

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

// Turns the LaTeX of formulas into MathML.
#include "render/page/mathml.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include "core/text/ascii.hpp"
#include "render/page/html_text.hpp"

namespace attn {
namespace {

/// A command that is one symbol.
struct Symbol {
  std::string_view command;
  const char* element;
  const char* text;
};
constexpr std::array kSymbols{
    Symbol{"cdot", "mo", "·"},       Symbol{"odot", "mo", "⊙"},  Symbol{"circ", "mo", "∘"},
    Symbol{"sum", "mo", "∑"},        Symbol{"ge", "mo", "≥"},    Symbol{"le", "mo", "≤"},
    Symbol{"top", "mi", "⊤"},        Symbol{"infty", "mi", "∞"}, Symbol{"partial", "mi", "∂"},
    Symbol{"sigma", "mi", "σ"},      Symbol{"pi", "mi", "π"},    Symbol{"mu", "mi", "μ"},
    Symbol{"gamma", "mi", "γ"},      Symbol{"beta", "mi", "β"},  Symbol{"epsilon", "mi", "ε"},
    Symbol{"varepsilon", "mi", "ε"}, Symbol{"theta", "mi", "θ"}, Symbol{"ell", "mi", "ℓ"},
    Symbol{"max", "mi", "max"},      Symbol{"min", "mi", "min"}, Symbol{"tanh", "mi", "tanh"},
    Symbol{"sin", "mi", "sin"},      Symbol{"cos", "mi", "cos"}, Symbol{"ln", "mi", "ln"},
    Symbol{"log", "mi", "log"},      Symbol{"exp", "mi", "exp"}, Symbol{"mid", "mo", "|"},
    Symbol{"to", "mo", "→"},         Symbol{"times", "mo", "×"}, Symbol{"phi", "mi", "φ"},
    Symbol{"Phi", "mi", "Φ"},        Symbol{"ldots", "mo", "…"}, Symbol{"delta", "mi", "δ"},
};

std::string element(const std::string& name, const std::string& content) {
  return "<" + name + ">" + content + "</" + name + ">";
}

std::string row(const std::string& content) { return element("mrow", content); }

class Reader {
 public:
  explicit Reader(std::string_view latex) : rest_(latex) {}

  /// Everything up to `end`, which is read too.
  std::string until(std::string_view end) {
    std::string all;
    while (!rest_.empty()) {
      if (!end.empty() && rest_.starts_with(end)) {
        rest_.remove_prefix(end.size());
        break;
      }
      all += scripted();
    }
    return all;
  }

 private:
  char next() const { return rest_.empty() ? '\0' : rest_.front(); }

  template <typename While>
  std::string take_while(While holds) {
    std::size_t n = 0;
    while (n < rest_.size() && holds(rest_[n])) ++n;
    std::string taken(rest_.substr(0, n));
    rest_.remove_prefix(n);
    return taken;
  }

  void skip_spaces() {
    take_while([](char c) { return c == ' '; });
  }

  /// What is between braces, as it is written.
  std::string raw_group() {
    skip_spaces();
    if (next() != '{') return {};
    rest_.remove_prefix(1);
    const std::size_t end = std::min(rest_.find('}'), rest_.size());
    std::string text(rest_.substr(0, end));
    rest_.remove_prefix(std::min(end + 1, rest_.size()));
    return text;
  }

  /// A group in braces, or a single symbol, as one element.
  std::string group() {
    skip_spaces();
    if (next() != '{') return symbol();
    rest_.remove_prefix(1);
    return row(until("}"));
  }

  /// The words of \text, with the spaces at their ends.
  std::string words() {
    std::string text = html_text(raw_group());
    if (text.starts_with(' ')) text.replace(0, 1, "&nbsp;");
    if (text.ends_with(' ')) text.replace(text.size() - 1, 1, "&nbsp;");
    return element("mtext", text);
  }

  /// A symbol with its primes, subscript and superscript.
  std::string scripted() {
    const std::string base = symbol();
    std::string below, above;
    for (;;) {
      if (next() == '\'') {
        rest_.remove_prefix(1);
        above += element("mo", "′");
      } else if (next() == '_' && below.empty()) {
        rest_.remove_prefix(1);
        below = group();
      } else if (next() == '^') {
        rest_.remove_prefix(1);
        above += group();
      } else {
        break;
      }
    }
    if (base.empty()) return below + above;
    if (below.empty() && above.empty()) return base;
    const std::string over = above.empty() ? "" : row(above);
    if (above.empty()) return element("msub", base + below);
    if (below.empty()) return element("msup", base + over);
    return element("msubsup", base + below + over);
  }

  /// `stretches`: a bracket is as tall as what it encloses.
  std::string symbol(bool stretches = false) {
    skip_spaces();
    const char c = next();
    if (c == '\0') return {};
    const bool keeps = c == '\\' || c == '{';
    if (keeps || is_digit(c) || is_letter(c)) begins_ = false;
    if (c == '\\') return command();
    if (c == '{') return group();
    if (is_digit(c)) {
      return element("mn", take_while([](char d) { return is_digit(d) || d == '.'; }));
    }
    if (is_letter(c)) {
      rest_.remove_prefix(1);
      return element("mi", std::string(1, c));
    }
    const auto bytes = take_while([first = true](char b) mutable {
      const bool own = first || (static_cast<unsigned char>(b) & 0xC0) == 0x80;
      first = false;
      return own;
    });
    return operator_of(bytes, stretches);
  }

  /// Brackets and signs say what they are: a renderer cannot tell from their position alone.
  std::string operator_of(const std::string& text, bool stretches) {
    const bool opens = text == "(" || text == "[", closes = text == ")" || text == "]";
    const bool sign = text == "-" && begins_;
    begins_ = opens || text == "," || text == "=";
    const std::string form = opens || sign ? "prefix" : closes ? "postfix" : "";
    const std::string name = (form.empty() ? "mo" : "mo form=\"" + form + "\"") +
                             (stretches || !(opens || closes) ? "" : " stretchy=\"false\"");
    return "<" + name + ">" + (text == "-" ? "−" : html_text(text)) + "</mo>";
  }

  std::string command() {
    rest_.remove_prefix(1);
    if (!is_letter(next())) {  // \, \; are spaces; matrix() looks for \\ itself
      if (!rest_.empty()) rest_.remove_prefix(1);
      return "<mspace width=\"0.2em\"/>";
    }
    const std::string name = take_while(is_letter);
    const auto known = std::find_if(kSymbols.begin(), kSymbols.end(),
                                    [&](const Symbol& each) { return each.command == name; });
    if (known != kSymbols.end()) return element(known->element, known->text);
    if (name == "left" || name == "right") return symbol(true);
    if (name == "frac" || name == "tfrac") {
      const std::string top = group();
      return element("mfrac", top + group());
    }
    if (name == "sqrt") return element("msqrt", group());
    if (name == "text") return words();
    if (name == "operatorname" || name == "mathrm" || name == "mathbf")
      return element("mi", html_text(raw_group()));
    if (name == "overline") return over("‾");
    if (name == "hat") return over("^");
    if (name == "begin") return matrix();
    return element("mtext", "\\" + name);
  }

  std::string over(const char* accent) {
    return "<mover accent=\"true\">" + group() + element("mo", accent) + "</mover>";
  }

  /// \begin{bmatrix} a \\ b \end{bmatrix}
  std::string matrix() {
    const std::string end = "\\end{" + raw_group() + "}";
    std::string_view inside = rest_.substr(0, rest_.find(end));
    rest_.remove_prefix(std::min(inside.size() + end.size(), rest_.size()));
    std::string rows;
    while (!inside.empty()) {
      const std::size_t line = std::min(inside.find("\\\\"), inside.size());
      rows += element("mtr", element("mtd", Reader(inside.substr(0, line)).until("")));
      inside.remove_prefix(std::min(line + 2, inside.size()));
    }
    return element("mo", "[") + element("mtable", rows) + element("mo", "]");
  }

  std::string_view rest_;
  bool begins_ = true;  ///< a minus here is a sign
};

}  // namespace

std::string mathml(const Formula& formula) {
  return "<math alttext=\"" + html_text(formula.text) + "\">" +
         row(Reader(formula.latex).until("")) + "</math>";
}

}  // namespace attn

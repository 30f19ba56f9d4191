// Prints formulas as MathML.
#include <string>
#include <vector>

#include "attn/render/formula.hpp"
#include "attn/render/text.hpp"

namespace attn {
namespace {

using Kind = Formula::Kind;

std::string element(const std::string& name, const std::string& content) {
  return "<" + name + ">" + content + "</" + name + ">";
}

std::string row_of(const std::vector<Formula>& parts);

/// Brackets and signs say what they are: a renderer cannot tell from their position alone.
std::string sign_of(std::string text, const std::string& attributes) {
  constexpr const char* kSpace = "<mspace width=\"0.25em\"/>";
  std::erase(text, ' ');
  if (text.empty()) return kSpace;
  const std::string sign = text == "-" ? "−" : html_text(text);
  return "<mo" + attributes + ">" + sign + "</mo>" + (text == "," ? kSpace : "");
}

std::string bracket_of(const Formula& f) {
  const std::string fixed = f.is_tall() ? "" : " stretchy=\"false\"";
  return element("mrow", sign_of(f.text.substr(0, 1), " form=\"prefix\"" + fixed) +
                             row_of(f.parts) +
                             sign_of(f.text.substr(1), " form=\"postfix\"" + fixed));
}

/// "1.5e-05" is 1.5·10⁻⁵.
std::string number_of(const std::string& text) {
  const std::size_t e = text.find('e');
  if (e == text.npos) return element("mn", text);
  const std::string factor = e == 1 && text[0] == '1' ? "" : text.substr(0, e) + "·";
  const std::string power = std::to_string(std::stoi(text.substr(e + 1)));
  return row_of(parse_formula(factor + "10^" + power).parts);
}

/// Names are identifiers: next to mtext, an operator would be taken for a sign.
std::string words_of(std::string text) {
  const bool name = !text.starts_with(' ') && !text.ends_with(' ');
  if (text.starts_with(' ')) text.replace(0, 1, "&nbsp;");
  if (text.ends_with(' ')) text.replace(text.size() - 1, 1, "&nbsp;");
  return element(name ? "mi" : "mtext", text);
}

std::string scripts_of(const std::vector<Formula>& parts) {
  const std::string base = row_of({parts[0]});
  const auto& below = parts[1].parts;
  const auto& above = parts[2].bare();
  if (above.empty()) return element("msub", base + row_of(below));
  if (below.empty()) return element("msup", base + row_of(above));
  return element("msubsup", base + row_of(below) + row_of(above));
}

/// `begins`: it is a sign in front of a term.
std::string part_of(const Formula& f, bool begins) {
  switch (f.kind) {
    case Kind::Row:
      return row_of(f.parts);
    case Kind::Number:
      return number_of(f.text);
    case Kind::Symbol:
    case Kind::Name:
      return element("mi", html_text(f.text));
    case Kind::Words:
      return words_of(f.text);
    case Kind::Sign:
      return sign_of(f.text, begins ? " form=\"prefix\"" : "");
    case Kind::Times:
      return "<mo>&#x2062;</mo>";
    case Kind::Bracket:
      return bracket_of(f);
    case Kind::Fraction:
      return element("mfrac", row_of(f.parts[0].bare()) + row_of(f.parts[1].bare()));
    case Kind::Root:
      return element("msqrt", row_of(f.bare()));
    case Kind::Scripts:
      return scripts_of(f.parts);
  }
  return {};
}

/// The parts as one element.
std::string row_of(const std::vector<Formula>& parts) {
  std::string all;
  bool begins = true;
  for (const Formula& part : parts) {
    all += part_of(part, begins && (part.text == "-" || part.text == "−"));
    begins = part.kind == Kind::Sign;
  }
  return parts.size() == 1 ? all : element("mrow", all);
}

}  // namespace

std::string formula_mathml(std::string_view text) {
  return "<math alttext=\"" + html_text(text) + "\">" + row_of(parse_formula(text).parts) +
         "</math>";
}

}  // namespace attn

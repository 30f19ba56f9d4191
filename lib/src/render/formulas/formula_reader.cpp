// Reads the notation of formulas, which attn/render/formula.hpp describes.
#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "attn/render/formula.hpp"
#include "core/text/ascii.hpp"
#include "render/terminal/width.hpp"

namespace attn {
namespace {

using Kind = Formula::Kind;

constexpr std::u32string_view kSigns = U"+-−=·∘×/→←≤≥≠≈±,;:<>!*";

/// A letter that is a superscript of what is before it, and what it means there.
struct Script {
  std::string_view letter;
  Kind kind;
  const char* meaning;
};
constexpr std::array kScripts{Script{"ᵀ", Kind::Symbol, "⊤"}, Script{"′", Kind::Sign, "′"},
                              Script{"″", Kind::Sign, "″"}, Script{"²", Kind::Number, "2"},
                              Script{"³", Kind::Number, "3"}};

/// Functions that are written without brackets, too.
bool is_function(std::string_view word) {
  constexpr std::array<std::string_view, 4> kFunctions{"cos", "ln", "max", "sin"};
  return std::find(kFunctions.begin(), kFunctions.end(), word) != kFunctions.end();
}

/// What a text says in words, and how mathematics writes it: around what is between the words.
struct Wording {
  std::string_view before, after;
  std::string_view opens, closes;
};
constexpr std::array kWordings{Wording{"sum of each row of ", "", "rowsum(", ")"},
                               Wording{"largest of each row of ", "", "rowmax(", ")"},
                               Wording{"column sums of ", "", "colsum(", ")"},
                               Wording{"sin, cos of ", "", "sin, cos(", ")"},
                               Wording{"sin, then cos of ", "", "sin, then cos(", ")"},
                               Wording{"", " side by side", "concat(", ")"},
                               Wording{"", " cut into 1 head", "split(", ", 1)"}};

/// The right side of a formula as mathematics; an explanation after a comma stays as it is.
std::string with_functions(std::string text) {
  if (const std::size_t at = text.find(" rotated by position"); at != text.npos)
    return "rope(" + text.substr(0, at) + ")" +
           text.substr(std::min(text.find(", ", at), text.size()));
  if (const std::size_t at = text.find(" cut into "); at != text.npos && text.ends_with(" heads")) {
    const std::size_t number = at + std::string_view(" cut into ").size();
    return "split(" + text.substr(0, at) + ", " +
           text.substr(number, text.find(' ', number) - number) + ")";
  }
  if (std::size_t at = text.find(" above "); at != text.npos) {
    for (; at != text.npos; at = text.find(" above ")) text.replace(at, 7, ", ");
    return "stack(" + text + ")";
  }
  for (const Wording& each : kWordings) {
    const std::size_t end =
        each.after.empty() ? std::min(text.find(", z"), text.size()) : text.size();
    const std::string_view said = std::string_view(text).substr(0, end);
    if (!said.starts_with(each.before) || !said.ends_with(each.after)) continue;
    const std::size_t size = said.size() - each.before.size() - each.after.size();
    return std::string(each.opens) + text.substr(each.before.size(), size) +
           std::string(each.closes) + text.substr(end);
  }
  return text;
}

bool is_letter_or_digit(char c) { return is_letter(c) || is_digit(c); }

template <typename Belongs>
std::size_t length(std::string_view text, Belongs belongs) {
  return static_cast<std::size_t>(std::find_if_not(text.begin(), text.end(), belongs) -
                                  text.begin());
}

/// The kind of a part without its scripts.
Kind base_kind(const Formula& f) { return f.kind == Kind::Scripts ? f.parts[0].kind : f.kind; }

/// Whether it ends in a bracket that a bar makes superfluous.
bool is_bracketed(const Formula& f) {
  return f.text == "()" || (f.kind == Kind::Root && f.parts.back().text == "()");
}

bool is_between_terms(const Formula& f) {
  return f.kind == Kind::Sign || f.kind == Kind::Times || f.kind == Kind::Words;
}

/// Makes a fraction of the last parts: a term, a sign, and `below` parts.
void divide(std::vector<Formula>& parts, std::ptrdiff_t below) {
  const auto sign = parts.end() - below - 1;
  const auto begin = std::find_if(std::make_reverse_iterator(sign), parts.rend(), is_between_terms);
  const auto top = begin.base();
  if (top == sign) return;
  Formula made{Kind::Fraction, sign->text, {{Kind::Row, "", {top, sign}}}};
  made.parts.push_back({Kind::Row, "", {sign + 1, parts.end()}});
  parts.erase(top, parts.end());
  parts.push_back(std::move(made));
}

/// Adds a part to a row: words join, a product may lose its dot, and fractions are made.
void append(std::vector<Formula>& parts, Formula part) {
  static const Formula kNone;
  const Formula& last = parts.empty() ? kNone : parts.back();
  const Formula& before = parts.size() < 2 ? kNone : *(parts.end() - 2);
  const bool words = part.kind == Kind::Words, continues = part.text == " " || part.text == "a";
  if (last.kind == Kind::Words ? words || continues : words && last.text == " ") {
    parts.back() = {Kind::Words, last.text + part.text};
    return;
  }
  const bool letter = base_kind(part) == Kind::Symbol || part.kind == Kind::Name;
  if (last.text == "·" && letter && base_kind(before) != Kind::Words)
    parts.back().kind = Kind::Times;
  const bool divided = last.text == " / " && is_bracketed(part);
  const bool derivative = last.text == "∂" && before.text == "/";
  parts.push_back(std::move(part));
  if (divided || derivative) divide(parts, divided ? 1 : 2);
}

class FormulaReader {
 public:
  explicit FormulaReader(std::string_view text) : rest_(text) {}

  /// Everything up to `end`, or to the end of the text.
  std::vector<Formula> row(char end = '\0') {
    std::vector<Formula> parts;
    while (!rest_.empty() && next() != end) append(parts, part());
    return parts;
  }

 private:
  char next() const { return rest_.empty() ? '\0' : rest_.front(); }

  std::string take(std::size_t size) {
    std::string taken(rest_.substr(0, size));
    rest_.remove_prefix(taken.size());
    return taken;
  }

  template <typename Belongs>
  std::string take_while(Belongs belongs) {
    return take(length(rest_, belongs));
  }

  bool take_if(std::string_view text) {
    const bool found = rest_.starts_with(text);
    if (found) rest_.remove_prefix(text.size());
    return found;
  }

  /// A term, or what is between terms.
  Formula part() {
    std::string text = take_while([](char c) { return c == ' '; });
    const CodePoint first = rest_.empty() ? CodePoint{U' ', 1} : decode(rest_);
    const bool sign =
        kSigns.find(first.code) != kSigns.npos || (first.code == U'|' && !text.empty());
    if (!sign) return text.empty() ? term() : Formula{Kind::Sign, " "};
    text += take(first.bytes);
    return {Kind::Sign, text + take_while([](char c) { return c == ' '; })};
  }

  Formula term() {
    Formula base = atom(), below, above;
    while (script(base, below, above)) {
    }
    if (below.parts.empty() && above.parts.empty()) return base;
    if (base.kind == Kind::Number && base.text.find('e') != base.text.npos)
      base = {Kind::Bracket, "()", {base}};  // it has a power of its own
    return {Kind::Scripts, "", {std::move(base), std::move(below), std::move(above)}};
  }

  /// Takes a script, if there is one.
  bool script(const Formula& base, Formula& below, Formula& above) {
    for (const Script& each : kScripts) {
      if (!take_if(each.letter)) continue;
      above.parts.push_back({each.kind, each.meaning});
      return true;
    }
    const char32_t code = rest_.empty() ? U' ' : decode(rest_).code;
    if (code >= U'₀' && code <= U'₉') {
      take(decode(rest_).bytes);
      below.parts.push_back({Kind::Number, std::to_string(code - U'₀')});
    } else if (base.kind == Kind::Symbol && is_digit(next())) {
      below.parts.push_back({Kind::Number, take_while(is_digit)});
    } else if (rest_.size() > 1 && take_if("_")) {
      const std::size_t size = length(rest_, is_letter_or_digit);
      below.parts.push_back(size > 1 ? Formula{Kind::Words, take(size)} : atom());
    } else if (rest_.size() > 1 && take_if("^")) {
      above.parts = argument();
    } else {
      return false;
    }
    return true;
  }

  Formula atom() {
    if (take_if("√")) return {Kind::Root, "", argument()};
    if (next() == '(' || next() == '|') return bracket();
    if (is_digit(next()) || next() == '.') return {Kind::Number, number()};
    if (std::string text = chinese(); !text.empty()) return {Kind::Words, std::move(text)};
    const std::size_t letters = length(rest_, is_letter);
    if (letters <= 1) return {Kind::Symbol, rest_.empty() ? "" : take(decode(rest_).bytes)};
    std::string word = take(letters);
    if (word == "inf" || word == "nan") return {Kind::Number, std::move(word)};
    const bool names = next() == '(' || is_function(word);
    return {names ? Kind::Name : Kind::Words, std::move(word)};
  }

  /// Characters from U+2E80 on, which are no symbols of mathematics.
  std::string chinese() {
    std::string text;
    while (!rest_.empty() && decode(rest_).code >= U'\u2E80') text += take(decode(rest_).bytes);
    return text;
  }

  std::string number() {
    std::string text = take_while([](char c) { return is_digit(c) || c == '.'; });
    const bool power = rest_.starts_with("e-") || rest_.starts_with("e+");
    if (power && rest_.size() > 2 && is_digit(rest_[2])) {
      text += take(2);
      text += take_while(is_digit);
    }
    return text;
  }

  Formula bracket() {
    const std::string open = take(1);
    std::vector<Formula> inside = row(open == "(" ? ')' : '|');
    return {Kind::Bracket, open + take(1), std::move(inside)};
  }

  /// What a root or a power applies to.
  std::vector<Formula> argument() {
    std::vector<Formula> parts;
    if (next() == '-' || rest_.starts_with("−"))
      parts.push_back({Kind::Sign, take(decode(rest_).bytes)});
    parts.push_back(term());
    return parts;
  }

  std::string_view rest_;
};

}  // namespace

bool Formula::is_tall() const {
  return kind == Kind::Fraction || std::any_of(parts.begin(), parts.end(),
                                               [](const Formula& part) { return part.is_tall(); });
}

const std::vector<Formula>& Formula::bare() const {
  return parts.size() == 1 && parts.front().text == "()" ? parts.front().parts : parts;
}

std::string as_mathematics(std::string_view text) {
  const std::size_t sign = text.find(" = "), right = sign == text.npos ? 0 : sign + 3;
  return std::string(text.substr(0, right)) + with_functions(std::string(text.substr(right)));
}

Formula parse_formula(std::string_view text) {
  return {Kind::Row, "", FormulaReader(as_mathematics(text)).row()};
}

}  // namespace attn

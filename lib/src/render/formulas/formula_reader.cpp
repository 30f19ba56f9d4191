// Reads the notation of formulas, which attn/render/formula.hpp describes.
#include "render/formulas/formula_reader.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "core/text/ascii.hpp"
#include "render/terminal/width.hpp"

namespace attn {
namespace {

using Kind = Formula::Kind;

constexpr std::u32string_view kSigns = U"+-−=·∘×/→←≤≥≠≈±,;:<>!*";
constexpr std::array<std::string_view, 8> kFunctions{"exp", "ln",  "max", "min",
                                                     "log", "sin", "cos", "tanh"};

/// A letter that is a superscript of what is before it, and what it means there.
struct Script {
  std::string_view letter;
  Kind kind;
  const char* meaning;
};
constexpr std::array kScripts{Script{"ᵀ", Kind::Symbol, "⊤"}, Script{"′", Kind::Sign, "′"},
                              Script{"″", Kind::Sign, "″"}, Script{"²", Kind::Number, "2"},
                              Script{"³", Kind::Number, "3"}};

const Script* script_at(std::string_view text) {
  const auto at = std::find_if(kScripts.begin(), kScripts.end(),
                               [&](const Script& each) { return text.starts_with(each.letter); });
  return at == kScripts.end() ? nullptr : at;
}

template <typename Belongs>
std::size_t length(std::string_view text, Belongs belongs) {
  return static_cast<std::size_t>(std::find_if_not(text.begin(), text.end(), belongs) -
                                  text.begin());
}

bool is_space(char c) { return c == ' '; }
bool is_letter_or_digit(char c) { return is_letter(c) || is_digit(c); }
bool is_number_word(std::string_view word) { return word == "inf" || word == "nan"; }

bool begins_with_sign(std::string_view text) {
  return !text.empty() && kSigns.find(decode(text).code) != kSigns.npos;
}

/// How many bytes of the front of `text` are a word that has no script and is no function;
/// `continues`: the article "a" is one, too.
std::size_t word_length(std::string_view text, bool continues) {
  const std::size_t size = length(text, is_letter);
  const std::string_view word = text.substr(0, size), rest = text.substr(size);
  const bool known = is_known_function(word) || is_number_word(word);
  const bool joined = !rest.empty() && (std::string_view("(_^").find(rest[0]) != rest.npos ||
                                        is_digit(rest[0]) || script_at(rest) != nullptr);
  return !known && !joined && (size > 1 || (continues && word == "a")) ? size : 0;
}

/// What the front of `text` is, which must not be empty.
Kind kind_of_atom(std::string_view text) {
  if (text[0] == '(' || text[0] == '|') return Kind::Bracket;
  if (text.starts_with("√")) return Kind::Root;
  if (is_digit(text[0]) || text[0] == '.') return Kind::Number;
  const std::string_view word = text.substr(0, length(text, is_letter));
  if (is_number_word(word)) return Kind::Number;
  if (word.size() <= 1) return Kind::Symbol;
  const bool called = text.substr(word.size()).starts_with('(');
  return called || is_known_function(word) ? Kind::Name : Kind::Words;
}

bool is_word(const Formula& part) {
  return part.kind == Kind::Words || (part.kind == Kind::Scripts && is_word(part.parts[0]));
}

class FormulaReader {
 public:
  explicit FormulaReader(std::string_view text) : rest_(text) {}

  std::string_view rest() const { return rest_; }

  /// Everything up to `end`, or to the end of the text.
  std::vector<Formula> row(char end = '\0') {
    std::vector<Formula> parts;
    while (!rest_.empty() && rest_.front() != end) {
      const bool divides = rest_.starts_with(" / (") || rest_.starts_with(" / √(");
      if ((divides || rest_.starts_with("/∂")) && ends_in_term(parts)) {
        parts = fraction(std::move(parts), divides ? " / " : "/");
      } else {
        parts.push_back(part());
        if (parts.back().text == "·" && is_implied(parts)) parts.back().kind = Kind::Times;
      }
    }
    return parts;
  }

  Formula term() {
    Formula base = atom();
    Formula below, above;
    for (;;) {
      const Script* script = script_at(rest_);
      const char32_t code = rest_.empty() ? U' ' : decode(rest_).code;
      if (script != nullptr) {
        take(script->letter.size());
        above.parts.push_back({script->kind, script->meaning});
      } else if (code >= U'₀' && code <= U'₉') {
        take(decode(rest_).bytes);
        below.parts.push_back({Kind::Number, std::to_string(code - U'₀')});
      } else if (base.kind == Kind::Symbol && is_digit(next())) {
        below.parts.push_back({Kind::Number, take(length(rest_, is_digit))});
      } else if (next() == '_' && rest_.size() > 1) {
        take(1);
        const std::size_t size = length(rest_, is_letter_or_digit);
        below.parts.push_back(size > 1 ? Formula{Kind::Words, take(size)} : atom());
      } else if (next() == '^' && rest_.size() > 1) {
        take(1);
        for (Formula& each : argument()) above.parts.push_back(std::move(each));
      } else {
        break;
      }
    }
    if (below.parts.empty() && above.parts.empty()) return base;
    if (base.kind == Kind::Number && base.text.find('e') != base.text.npos)
      base = {Kind::Bracket, "()", {base}};  // it has a power of its own
    return {Kind::Scripts, "", {std::move(base), std::move(below), std::move(above)}};
  }

 private:
  char next() const { return rest_.empty() ? '\0' : rest_.front(); }

  std::string take(std::size_t size) {
    std::string taken(rest_.substr(0, size));
    rest_.remove_prefix(taken.size());
    return taken;
  }

  static bool ends_term(const Formula& part) {
    return part.kind == Kind::Sign || part.kind == Kind::Times || part.kind == Kind::Words;
  }
  static bool ends_in_term(const std::vector<Formula>& parts) {
    return !parts.empty() && !ends_term(parts.back());
  }

  /// Whether the product at the end of `parts` is clear without its dot: a letter follows.
  bool is_implied(const std::vector<Formula>& parts) const {
    if (parts.size() < 2 || is_word(parts[parts.size() - 2]) || rest_.empty()) return false;
    const Kind kind = kind_of_atom(rest_);
    return kind == Kind::Name || (kind == Kind::Symbol && !begins_with_sign(rest_));
  }

  /// `parts`, of which the last term is divided by what comes after `sign`.
  std::vector<Formula> fraction(std::vector<Formula> parts, std::string_view sign) {
    take(sign.size());
    const auto from = std::find_if(parts.rbegin(), parts.rend(), ends_term).base();
    Formula top{Kind::Row, "", {from, parts.end()}}, bottom{Kind::Row, "", {term()}};
    if (sign == "/") bottom.parts.push_back(term());  // what is after ∂
    parts.erase(from, parts.end());
    parts.push_back({Kind::Fraction, std::string(sign), {std::move(top), std::move(bottom)}});
    return parts;
  }

  /// A term, or what is between terms.
  Formula part() {
    const std::size_t spaces = length(rest_, is_space);
    const std::string_view after = rest_.substr(spaces);
    if (word_length(after, false) > 0) return words();
    if (begins_with_sign(after) || (spaces > 0 && after.starts_with('|'))) {
      const std::size_t size = decode(after).bytes;
      std::string sign = take(spaces + size);
      sign += take(length(rest_, is_space));
      return {Kind::Sign, std::move(sign)};
    }
    return spaces > 0 ? Formula{Kind::Sign, take(spaces)} : term();
  }

  /// Words, with the spaces between them and a term.
  Formula words() {
    std::string all;
    for (;;) {
      const std::size_t spaces = length(rest_, is_space);
      const std::string_view after = rest_.substr(spaces);
      const std::size_t size = word_length(after, !all.empty());
      if (size == 0 && (after.empty() || begins_with_sign(after) || after.starts_with('|'))) break;
      all += take(spaces + size);
      if (size == 0) break;
    }
    return {Kind::Words, all};
  }

  Formula atom() {
    if (rest_.empty()) return {};
    const Kind kind = kind_of_atom(rest_);
    if (kind == Kind::Bracket) return bracket();
    if (kind == Kind::Number) return {kind, number()};
    if (kind == Kind::Symbol) return {kind, take(decode(rest_).bytes)};
    if (kind != Kind::Root) return {kind, take(length(rest_, is_letter))};
    take(std::string_view("√").size());
    return {kind, "", {{Kind::Row, "", argument()}}};
  }

  std::string number() {
    if (is_letter(next())) return take(3);  // inf, nan
    std::string text = take(length(rest_, [](char c) { return is_digit(c) || c == '.'; }));
    const bool power = rest_.size() > 2 && rest_[0] == 'e' && (rest_[1] == '-' || rest_[1] == '+');
    if (power) text += take(2);
    if (power) text += take(length(rest_, is_digit));
    return text;
  }

  Formula bracket() {
    const char open = take(1)[0], close = open == '(' ? ')' : '|';
    Formula made{Kind::Bracket, std::string(1, open), row(close)};
    made.text += take(1);
    return made;
  }

  /// What a root or a power applies to, without its brackets.
  std::vector<Formula> argument() {
    std::vector<Formula> parts;
    if (next() == '-' || rest_.starts_with("−")) {
      parts.push_back({Kind::Sign, take(decode(rest_).bytes)});
    } else if (next() == '(') {
      return bracket().parts;
    }
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
  const bool one = kind == Kind::Row && parts.size() == 1;
  return one && parts.front().text == "()" ? parts.front().parts : parts;
}

Formula parse_formula(std::string_view text) {
  return {Formula::Kind::Row, "", FormulaReader(text).row()};
}

Formula take_term(std::string_view& text) {
  FormulaReader reader(text);
  Formula term = reader.term();
  text = reader.rest();
  return term;
}

bool is_known_function(std::string_view name) {
  return std::find(kFunctions.begin(), kFunctions.end(), name) != kFunctions.end();
}

}  // namespace attn

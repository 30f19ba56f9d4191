// Turns matrices in LaTeX into plain rows of arithmetic.
#include <algorithm>
#include <string>
#include <string_view>

#include "io/arrays/matrix_text.hpp"

namespace attn {
namespace {

/// A command and what is written in its place.
struct Command {
  std::string_view name;
  std::string_view text;
};
constexpr Command kCommands[] = {
    {"\\\\", "\n"},  {"\\cdot", "*"},  {"\\times", "*"}, {"\\infty", "Infinity"},
    {"\\left", " "}, {"\\right", " "}, {"\\hline", " "}, {"\\displaystyle", " "},
    {"\\quad", " "}, {"\\qquad", " "}, {"\\,", " "},     {"\\;", " "},
    {"\\:", " "},    {"\\!", " "},     {"\\ ", " "},     {"\\[", " "},
    {"\\]", " "},    {"\\(", " "},     {"\\)", " "},     {"\\%", "%"},
};

/// Rewrites LaTeX from its first to its last byte; what it does not know stays.
class Latex {
 public:
  explicit Latex(std::string_view text) : text_(text) {}

  std::string all() {
    while (at_ < text_.size()) step();
    return out_;
  }

 private:
  static constexpr int kDeepest = 20;

  bool take(std::string_view word) {
    if (!text_.substr(at_).starts_with(word)) return false;
    at_ += word.size();
    return true;
  }

  /// What is in the braces at this place, or its next letter.
  std::string_view argument() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
    if (at_ >= text_.size()) return {};
    if (text_[at_] != '{') return text_.substr(at_++, 1);
    const std::size_t begin = at_ + 1;
    for (int open = 0; at_ < text_.size(); ++at_) {
      if (text_[at_] == '{') ++open;
      if (text_[at_] == '}' && --open == 0) return text_.substr(begin, at_++ - begin);
    }
    return text_.substr(begin);
  }

  std::string inner(std::string_view text) const {
    Latex reader(text);
    reader.depth_ = depth_ + 1;
    return reader.depth_ > kDeepest ? "?" : reader.all();
  }

  void step() {
    if (take("\\begin")) {
      argument();
      if (at_ < text_.size() && text_[at_] == '{') argument();  // the columns of an array
      return;
    }
    if (take("\\end")) return void(argument());
    if (take("\\frac") || take("\\tfrac") || take("\\dfrac")) {
      const std::string above = inner(argument());
      out_ += "(" + above + ")/(" + inner(argument()) + ")";
      return;
    }
    if (take("\\sqrt")) {
      out_ += "√(" + inner(argument()) + ")";
      return;
    }
    for (const Command& each : kCommands) {
      if (take(each.name)) return void(out_ += each.text);
    }
    const char c = text_[at_++];
    if (c == '&') out_ += ',';
    if (c == '{') out_ += '(';
    if (c == '}') out_ += ')';
    if (c == '\n') out_ += ' ';
    if (std::string_view("&{}$\n\r").find(c) == std::string_view::npos) out_ += c;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  int depth_ = 0;
  std::string out_;
};

}  // namespace

std::string without_latex(std::string_view text) {
  const bool latex = text.find("\\begin") != text.npos || text.find("\\\\") != text.npos;
  return latex ? Latex(text).all() : std::string(text);
}

}  // namespace attn

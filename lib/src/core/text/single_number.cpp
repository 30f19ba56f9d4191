// Tells one number, which may be a fraction or a root, from a formula, a range and two numbers.
#include <algorithm>
#include <array>

#include "attn/arithmetic.hpp"
#include "attn/number_text.hpp"
#include "core/text/ascii.hpp"

namespace attn {
namespace {

/// What is left to read; each function says whether its part is there.
class NumberForm {
 public:
  explicit NumberForm(std::string_view text) : text_(text) {}

  bool all() {
    if (!signed_part()) return false;
    if (!take(kOver))
      take(std::array{"%"});
    else if (!signed_part())
      return false;
    skip();
    return text_.empty();
  }

 private:
  static constexpr std::array kOver{"/", "÷"};
  static constexpr std::array kTimes{"*", "·", "×"};
  static constexpr std::array kMinus{"-", "−"};
  static constexpr std::array kRoots{"√", "sqrt"};

  void skip() { text_.remove_prefix(std::min(text_.find_first_not_of(" \t\n"), text_.size())); }

  template <std::size_t N>
  bool take(const std::array<const char*, N>& signs) {
    skip();
    for (const std::string_view sign : signs) {
      if (!text_.starts_with(sign)) continue;
      text_.remove_prefix(sign.size());
      return true;
    }
    return false;
  }

  bool signed_part() {
    if (!take(kMinus)) take(std::array{"+"});
    if (!take(std::array{"("})) return part();
    if (!take(kMinus)) take(std::array{"+"});
    return part() && (!take(kOver) || part()) && take(std::array{")"});
  }

  /// 2, √2, 2·√2, 2·10^-3
  bool part() {
    if (take(kRoots)) return root();
    if (!number()) return false;
    if (!take(kTimes)) return true;
    if (take(kRoots)) return root();
    if (!take(std::array{"10^"})) return false;
    take(kMinus);
    return number();
  }

  /// 2, (2), (1/2) after the sign of a root
  bool root() {
    if (!take(std::array{"("})) return number();
    return number() && (!take(kOver) || number()) && take(std::array{")"});
  }

  bool number() {
    if (take(std::array{"∞", "Infinity", "infinity", "inf"})) return true;
    const bool begins =
        !text_.empty() &&
        (is_digit(text_[0]) || (text_[0] == '.' && text_.size() > 1 && is_digit(text_[1])));
    if (!begins) return false;
    double x = 0.0;
    const char* const end = parse_number(text_.data(), text_.data() + text_.size(), x);
    text_.remove_prefix(static_cast<std::size_t>(end - text_.data()));
    return true;
  }

  std::string_view text_;
};

}  // namespace

std::optional<double> single_number(std::string_view text) {
  return NumberForm(text).all() ? arithmetic(text) : std::nullopt;
}

}  // namespace attn

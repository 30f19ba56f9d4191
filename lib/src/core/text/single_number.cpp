// Tells one number, which may be a fraction or a root, from a formula, a range and two numbers.
#include <algorithm>
#include <initializer_list>

#include "attn/arithmetic.hpp"
#include "attn/number_text.hpp"
#include "core/text/ascii.hpp"
#include "core/text/leading_signs.hpp"

namespace attn {
namespace {

/// What is left to read; each function says whether its part is there.
class NumberForm {
 public:
  explicit NumberForm(std::string_view text) : text_(text) {}

  bool all() {
    if (!signed_part()) return false;
    if (!over())
      take({"%"});
    else if (!signed_part())
      return false;
    skip_spaces(text_);
    return text_.empty();
  }

 private:
  bool over() { return take({"/", "÷"}); }
  bool times() { return take({"*", "·", "×"}); }
  bool minus() { return take({"-", "−"}); }
  bool roots() { return take({"√", "sqrt"}); }

  bool take(std::initializer_list<std::string_view> signs) { return take_sign(text_, signs); }

  bool signed_part() {
    if (!minus()) take({"+"});
    if (!take({"("})) return part();
    if (!minus()) take({"+"});
    return part() && (!over() || part()) && take({")"});
  }

  /// 2, √2, 2·√2, 2·10^-3
  bool part() {
    if (roots()) return root();
    if (!number()) return false;
    if (!times()) return true;
    if (roots()) return root();
    if (!take({"10^"})) return false;
    minus();
    return number();
  }

  /// 2, (2), (1/2) after the sign of a root
  bool root() {
    if (!take({"("})) return number();
    return number() && (!over() || number()) && take({")"});
  }

  bool number() {
    if (take({"∞", "Infinity", "infinity", "inf"})) return true;
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

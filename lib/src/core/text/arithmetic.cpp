// Reads arithmetic without names.
#include "attn/arithmetic.hpp"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <limits>

#include "attn/number_text.hpp"
#include "core/text/ascii.hpp"
#include "core/text/leading_signs.hpp"

namespace attn {
namespace {

/// What is left to read. NaN is what cannot be read, and whatever is made from it.
class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  double all() {
    const double x = sum();
    skip_spaces(text_);
    return text_.empty() ? x : kNothing;
  }

 private:
  static constexpr double kNothing = std::numeric_limits<double>::quiet_NaN();
  static constexpr int kDeepest = 100;

  bool take(std::initializer_list<std::string_view> signs) { return take_sign(text_, signs); }

  double sum() {
    double x = product();
    while (true) {
      if (take({"+"}))
        x += product();
      else if (take({"-", "−", "–"}))
        x -= product();
      else
        return x;
    }
  }

  double product() {
    double x = factor();
    while (true) {
      if (take({"*", "·", "×"})) {
        x *= factor();
      } else if (take({"/", "÷"})) {
        const double below = factor();
        x = below == 0.0 ? kNothing : x / below;
      } else {
        return x;
      }
    }
  }

  double factor() {
    if (++depth_ > kDeepest) return kNothing;
    const double x = signed_power();
    --depth_;
    return x;
  }

  double signed_power() {
    if (take({"-", "−", "–"})) return text_.starts_with('-') ? kNothing : -factor();  // "--5"
    if (take({"+"})) return factor();
    if (take({"√", "sqrt"})) return std::sqrt(factor());
    if (take({"exp"})) return std::exp(factor());
    double x = primary();
    while (take({"%"})) x /= 100.0;
    if (take({"²"})) return x * x;
    if (!take({"^", "**"})) return x;
    const double y = factor();
    return std::isnan(x) || std::isnan(y) ? kNothing : std::pow(x, y);
  }

  double primary() {
    if (take({"("})) {
      const double x = sum();
      return take({")"}) ? x : kNothing;
    }
    if (take({"∞", "infinity", "Infinity", "inf"})) return std::numeric_limits<double>::infinity();
    const bool begins =
        !text_.empty() &&
        (is_digit(text_[0]) || (text_[0] == '.' && text_.size() > 1 && is_digit(text_[1])));
    if (!begins) return take({"e"}) ? std::exp(1.0) : kNothing;
    double x = kNothing;
    const char* const end = parse_number(text_.data(), text_.data() + text_.size(), x);
    if (end == text_.data()) return kNothing;
    text_.remove_prefix(static_cast<std::size_t>(end - text_.data()));
    return x;
  }

  std::string_view text_;
  int depth_ = 0;
};

}  // namespace

std::optional<double> arithmetic(std::string_view text) {
  if (text == "e") return std::nullopt;  // a letter
  const double x = Reader(text).all();
  return std::isnan(x) ? std::nullopt : std::optional(x);
}

}  // namespace attn

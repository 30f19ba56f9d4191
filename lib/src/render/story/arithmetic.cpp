#include "render/story/arithmetic.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "render/story/number.hpp"

namespace attn {
namespace {

using Kind = Expression::Kind;

constexpr int kLeastDecimals = 3;  // with fewer, e^2 would stand for e^2.5
constexpr int kMostDecimals = 17;
constexpr double kWholeNumbersEnd = 1e16;  // from here on doubles do not hold all whole numbers

bool is_number(const Expression& e) { return e.parts.empty() && e.text.empty(); }

/// How tightly an operation binds; parts that bind less get parentheses.
int strength(const Expression& e) {
  switch (e.kind) {
    case Kind::Sum:
      return e.parts.size() == 1 ? strength(e.parts[0]) : 1;
    case Kind::Negative:
      return 1;
    case Kind::Product:
      return 2;
    case Kind::Quotient:
      return is_number(e.parts[0]) && std::signbit(e.parts[0].value) ? 1 : 2;
    default:
      return is_number(e) && e.value < 0 ? 1 : 4;
  }
}

struct Writer {
  int precision;
  std::size_t most_terms;

  std::string part(const Expression& e, int at_least) const {
    const std::string text = whole(e);
    return strength(e) < at_least ? "(" + text + ")" : text;
  }

  std::string sum(const Expression& e) const {
    std::string text;
    const std::size_t n = e.parts.size();
    const bool shortened = most_terms != 0 && n > most_terms;
    for (std::size_t i = 0; i < n; ++i) {
      if (shortened && i == most_terms - 1 && i + 1 < n) {
        text += " + … " + std::to_string(n - most_terms) + " more …";
        i = n - 1;
      }
      const Expression& term = e.parts[i];
      const bool minus =
          i > 0 && (term.kind == Kind::Negative || (is_number(term) && term.value < 0.0));
      if (i > 0) text += minus ? " - " : " + ";
      if (!minus) {
        text += part(term, i == 0 ? 0 : 2);
      } else if (term.kind == Kind::Negative) {
        text += part(term.parts[0], 2);
      } else {
        text += short_number(-term.value, precision);
      }
    }
    return text;
  }

  std::string whole(const Expression& e) const {
    switch (e.kind) {
      case Kind::Constant:
        return e.text.empty() ? short_number(e.value, precision) : e.text;
      case Kind::Leaf:
        return short_number(e.value, precision);
      case Kind::Sum:
        return sum(e);
      case Kind::Product: {
        std::string text;
        for (const Expression& each : e.parts) text += (text.empty() ? "" : "·") + part(each, 2);
        return text;
      }
      case Kind::Negative:
        return "-" + part(e.parts[0], 2);
      case Kind::Quotient:
        return part(e.parts[0], is_number(e.parts[0]) ? 0 : 2) + " / " + part(e.parts[1], 3);
      case Kind::Exp:
        return "e^" + part(e.parts[0], e.parts[0].parts.empty() ? 0 : 4);
      case Kind::Function:
        return e.text + "(" + whole(e.parts[0]) + ")";
      case Kind::Max: {
        std::string text;
        for (const Expression& each : e.parts) text += (text.empty() ? "" : ", ") + whole(each);
        return "max(" + text + ")";
      }
    }
    return "";
  }
};

/// The expression with the composed parts of its terms replaced by their values.
Expression with_values(Expression e) {
  const bool has_terms = e.kind == Kind::Sum || e.kind == Kind::Negative;
  for (Expression& part : e.parts) {
    if (has_terms && (part.kind == Kind::Product || part.kind == Kind::Negative)) {
      part = with_values(part);
    } else if (!is_number(part)) {
      part = constant(part.value);
    }
  }
  return e;
}

}  // namespace

std::string short_number(double value, int precision) {
  const int decimals = std::max(precision, kLeastDecimals);
  const double size = std::abs(value);
  const bool vanishes = size > 0.0 && size <= 0.5 * std::pow(10.0, -decimals);
  if (std::isfinite(value) && (vanishes || size >= kWholeNumbersEnd)) {
    std::array<char, 32> digits{};
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value,
                                   std::chars_format::general, decimals);
    return {digits.data(), end.ptr};
  }
  std::string text = format_number(value, NumberFormat{std::min(decimals + 2, kMostDecimals)});
  if (text.find('.') == text.npos) return text;
  if (std::stod(text) != value) return format_number(value, NumberFormat{decimals});
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text;
}

std::vector<std::string> arithmetic_stages(const Expression& expression, int precision,
                                           std::size_t most_terms) {
  const Writer writer{precision, most_terms};
  std::vector<std::string> stages{writer.whole(expression)};
  const std::string second = writer.whole(with_values(expression));
  if (second != stages[0]) stages.push_back(second);
  return stages;
}

}  // namespace attn

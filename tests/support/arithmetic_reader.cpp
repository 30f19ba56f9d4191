// Evaluates printed arithmetic by recursive descent, with intervals.
#include "support/arithmetic_reader.hpp"
#include "support/infinity.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <stdexcept>

namespace attn::testing {
namespace {

/// The range of all results, a little wider than doubles compute it; anything if one is not a
/// number.
Range around(std::initializer_list<double> results) {
  Range range{kInfinity, -kInfinity};
  for (const double x : results) {
    if (std::isnan(x)) return {-kInfinity, kInfinity};
    range.low = std::min(range.low, x);
    range.high = std::max(range.high, x);
  }
  const auto slack = [](double x) { return std::isinf(x) ? 0.0 : 1e-14 * std::abs(x); };
  return {range.low - slack(range.low), range.high + slack(range.high)};
}

Range operator+(const Range& a, const Range& b) { return around({a.low + b.low, a.high + b.high}); }
Range operator-(const Range& a) { return {-a.high, -a.low}; }
Range operator*(const Range& a, const Range& b) {
  return around({a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high});
}
Range operator/(const Range& a, const Range& b) {
  if (b.low <= 0.0 && b.high >= 0.0 && b.width() > 0.0) return {-kInfinity, kInfinity};
  return around({a.low / b.low, a.low / b.high, a.high / b.low, a.high / b.high});
}

/// sin or cos over a short range: its middle, and how far it can go from there.
Range wave(double (*function)(double), const Range& x) {
  const double middle = function((x.low + x.high) / 2), reach = x.width() / 2;
  return around({std::max(-1.0, middle - reach), std::min(1.0, middle + reach)});
}

class Reader {
 public:
  Reader(const std::string& text, int decimals) : text_(text), decimals_(decimals) {}

  Range read() {
    const Range result = sum();
    if (at_ != text_.size()) fail();
    return result;
  }

 private:
  [[noreturn]] void fail() const {
    throw std::invalid_argument("cannot read \"" + text_.substr(at_) + "\" in \"" + text_ + "\"");
  }

  bool take(const std::string& word) {
    if (text_.compare(at_, word.size(), word) != 0) return false;
    at_ += word.size();
    return true;
  }

  Range sum() {
    Range total = product();
    for (;;) {
      if (take(" + ")) {
        total = total + product();
      } else if (take(" - ")) {
        total = total + -product();
      } else {
        return total;
      }
    }
  }

  Range product() {
    Range total = factor();
    for (;;) {
      if (take("·")) {
        total = total * factor();
      } else if (take(" / ") || take("/")) {
        total = total / factor();
      } else {
        return total;
      }
    }
  }

  Range factor() {
    if (take("-")) return -factor();
    if (take("√")) {
      const Range x = factor();
      return around({std::sqrt(x.low), std::sqrt(x.high)});
    }
    if (take("e^")) {
      const Range x = factor();
      return around({std::exp(x.low), std::exp(x.high)});
    }
    const Range base = atom();
    if (take("²")) {
      const Range square = around({base.low * base.low, base.high * base.high});
      return base.low <= 0.0 && base.high >= 0.0 ? Range{0.0, square.high} : square;
    }
    if (!take("^")) return base;
    const Range power = factor();
    return around({std::pow(base.low, power.low), std::pow(base.high, power.high)});
  }

  Range in_parentheses() {
    const Range inner = sum();
    if (!take(")")) fail();
    return inner;
  }

  Range atom() {
    if (take("(")) return in_parentheses();
    if (take("½")) return {0.5, 0.5};
    if (take("tanh(")) {
      const Range x = in_parentheses();
      return around({std::tanh(x.low), std::tanh(x.high)});
    }
    if (take("ln(")) {
      const Range x = in_parentheses();
      return around({std::log(x.low), std::log(x.high)});
    }
    if (take("sin(")) return wave(std::sin, in_parentheses());
    if (take("cos(")) return wave(std::cos, in_parentheses());
    if (take("max(")) {
      Range most = sum();
      while (take(", ")) {
        const Range other = sum();
        most = {std::max(most.low, other.low), std::max(most.high, other.high)};
      }
      if (!take(")")) fail();
      return most;
    }
    return number();
  }

  Range number() {
    const std::size_t begin = at_;
    if (take("inf") || take("nan")) return read_number(text_.substr(begin, 3), decimals_);
    const auto digits = [&] {
      while (at_ < text_.size() && std::isdigit(static_cast<unsigned char>(text_[at_]))) ++at_;
    };
    digits();
    if (take(".")) digits();
    if (at_ == begin) fail();
    if (take("e-") || take("e+")) digits();
    return read_number(text_.substr(begin, at_ - begin), decimals_);
  }

  const std::string& text_;
  int decimals_;
  std::size_t at_ = 0;
};

}  // namespace

Range read_number(const std::string& text, int decimals) {
  std::size_t length = 0;
  const double value = std::stod(text, &length);
  if (length != text.size()) throw std::invalid_argument("\"" + text + "\": no number");
  if (std::isnan(value)) return {-kInfinity, kInfinity};
  if (std::isinf(value)) return {value, value};
  const std::size_t point = text.find('.');
  const int shown = point == text.npos ? 0 : static_cast<int>(text.size() - point - 1);
  const int usual = std::max(decimals, 2);
  const bool has_exponent = text.find('e') != text.npos;
  if (has_exponent || std::abs(value) <= 0.5 * std::pow(10.0, -usual)) {
    if (value == 0.0) return {value, value};
    const double size = std::floor(std::log10(std::abs(value)));
    const double half = 0.5 * std::pow(10.0, size + 1 - usual);
    return around({value - half, value + half});
  }
  if (shown != usual) return around({value});
  const double half = 0.5 * std::pow(10.0, -usual);
  return around({value - half, value + half});
}

Range read_arithmetic(const std::string& text, int decimals) {
  return Reader(text, decimals).read();
}

std::vector<std::string> numbers_in(const std::string& text) {
  const std::string kParts = "0123456789.";
  std::vector<std::string> numbers;
  for (std::size_t at = 0; at < text.size();) {
    if (text.compare(at, 3, "inf") == 0 || text.compare(at, 3, "nan") == 0) {
      numbers.push_back(text.substr(at, 3));
      at += 3;
      continue;
    }
    std::size_t end = std::min(text.find_first_not_of(kParts, at), text.size());
    if (end == at) {
      ++at;
      continue;
    }
    const bool exponent = text.compare(end, 2, "e-") == 0 || text.compare(end, 2, "e+") == 0;
    if (exponent) end = std::min(text.find_first_not_of(kParts, end + 2), text.size());
    numbers.push_back(text.substr(at, end - at));
    at = end;
  }
  return numbers;
}

}  // namespace attn::testing

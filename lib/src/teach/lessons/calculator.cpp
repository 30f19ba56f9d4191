// Reads and computes expressions: rows_sum(hide.weights[:, hidden]) = 1.
#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <limits>

#include "attn/number_text.hpp"
#include "attn/phrases.hpp"
#include "attn/suggest.hpp"
#include "teach/lessons/expression_reader.hpp"
#include "teach/lessons/scene.hpp"

namespace attn {
namespace {

constexpr double kTwelveDigits = 1e-12;  // "=" agrees to twelve digits

/// Functions whose 0 or 1 is a number, not a condition.
constexpr std::string_view kCounting[] = {"sum", "max",  "min", "mean", "count", "largest", "round",
                                          "abs", "sqrt", "exp", "ln",   "log2",  "tanh"};

class Calculator : public ExpressionReader {
 public:
  Calculator(Scene& scene, std::string_view& text) : ExpressionReader(text), scene_(scene) {}

  /// Whether the last expression compares values, or joins what does.
  bool is_condition() const { return is_condition_; }

  LessonValue any_of() {
    LessonValue value = all_of();
    while (take_word("or")) {
      const LessonValue other = all_of();
      value = truth(one_number(value) != 0.0 || one_number(other) != 0.0);
      is_condition_ = true;
    }
    return value;
  }

 private:
  static LessonValue truth(bool is_true) { return number_value(is_true ? 1.0 : 0.0); }

  LessonValue all_of() {
    LessonValue value = negated();
    while (take_word("and")) {
      const LessonValue other = negated();
      value = truth(one_number(value) != 0.0 && one_number(other) != 0.0);
      is_condition_ = true;
    }
    return value;
  }

  LessonValue negated() {
    const Nesting nesting(depth_, 100);
    if (take_word("not")) {
      const LessonValue value = negated();
      is_condition_ = true;
      return truth(one_number(value) == 0.0);
    }
    return comparison();
  }

  /// A sign of comparison; `±` after what is on its right is how far "=" may be off.
  std::string_view relation() {
    for (const std::string_view sign : {"==", "!=", "<=", ">=", "≤", "≥", "=", "<", ">"}) {
      if (take(sign)) return sign;
    }
    return {};
  }

  LessonValue comparison() {
    LessonValue left = sum();
    std::string_view sign = relation();
    if (sign.empty()) return left;
    bool all = true;
    for (; !sign.empty(); sign = relation()) {
      LessonValue right = sum();
      double off = kTwelveDigits;
      bool absolute = false;
      if (take("±") || take("+-") || take("+/-")) {
        off = one_number(sum());
        absolute = true;
      }
      all = compared(left, sign, right, off, absolute) && all;
      left = std::move(right);
    }
    is_condition_ = true;
    return truth(all);
  }

  static bool compared(const LessonValue& a, std::string_view sign, const LessonValue& b,
                       double off, bool absolute) {
    if (std::holds_alternative<std::string>(a)) {
      const bool same = text_of(a) == text_of(b);
      if (sign != "=" && sign != "==" && sign != "!=")
        throw LessonFault{"text is equal or not; it is not larger or smaller", "Use = or !=."};
      return same == (sign != "!=");
    }
    const Shape &one = numbers_of(a).shape(), &other = numbers_of(b).shape();
    const bool is_list = one.cols == 1 && other.cols == 1 && one.rows > 1 && other.rows > 1;
    if (is_list && one.rows != other.rows && sign.find('=') == 0) return false;
    bool all = true;
    combined(numbers_of(a), numbers_of(b), [&](double x, double y) {
      const bool close = absolute ? x == y || std::abs(x - y) <= off : is_close(x, y, off);
      const bool holds = sign == "=="                  ? x == y
                         : sign == "!=" || sign == "=" ? close
                         : sign == "<"                 ? x < y
                         : sign == ">"                 ? x > y
                         : sign == "<=" || sign == "≤" ? x <= y
                                                       : x >= y;
      all = all && holds;
      return 0.0;
    });
    return all == (sign != "!=");
  }

  LessonValue sum() {
    LessonValue value = product();
    while (true) {
      if (begins_tolerance()) return value;
      if (take("+")) {
        const LessonValue other = product();
        if (std::holds_alternative<std::string>(value) ||
            std::holds_alternative<std::string>(other))
          value = as_text(value) + as_text(other);
        else
          value = combined(numbers_of(value), numbers_of(other), std::plus());
      } else if (take("-") || take("−")) {
        value = combined(numbers_of(value), numbers_of(product()), std::minus());
      } else {
        return value;
      }
      is_condition_ = false;
    }
  }

  /// Whether "+-" or "+/-" is next, which is ± in a lesson.
  bool begins_tolerance() {
    skip();
    return text_.starts_with("+-") || text_.starts_with("+/-");
  }

  std::string as_text(const LessonValue& value) { return scene_.text_of_value(value); }

  LessonValue product() {
    LessonValue value = factor();
    while (true) {
      if (take("*") || take("·") || take("×"))
        value = combined(numbers_of(value), numbers_of(factor()), std::multiplies());
      else if (take("/") || take("÷"))
        value = combined(numbers_of(value), numbers_of(factor()), std::divides());
      else if (take("@"))
        value = matrix_product(numbers_of(value), numbers_of(factor()));
      else
        return value;
      is_condition_ = false;
    }
  }

  LessonValue factor() {
    const Nesting nesting(depth_, 100);
    if (take("-") || take("−")) return mapped(numbers_of(factor()), std::negate());
    if (take("√")) return mapped(numbers_of(factor()), [](double x) { return std::sqrt(x); });
    LessonValue value = primary();
    while (true) {
      if (text_.starts_with('.') && std::holds_alternative<SharedTrace>(value)) {
        text_.remove_prefix(1);
        value = scene_.within(trace_of(value), dotted_name());
      } else if (take("[")) {
        value = indexed(numbers_of(value));
        is_condition_ = false;
      } else {
        break;
      }
    }
    if (take("²")) value = mapped(numbers_of(value), [](double x) { return x * x; });
    if (take("³")) value = mapped(numbers_of(value), [](double x) { return x * x * x; });
    if (take("^") || take("**"))
      value = combined(numbers_of(value), numbers_of(factor()),
                       [](double x, double y) { return std::pow(x, y); });
    return value;
  }

  LessonValue primary() {
    skip();
    is_condition_ = false;
    if (take("(")) {
      LessonValue value = any_of();
      expect(")");
      return value;
    }
    if (take("[")) {
      LessonValue list = listed_numbers();
      is_condition_ = false;
      return list;
    }
    if (take("∞")) return number_value(std::numeric_limits<double>::infinity());
    if (curly_quote(text_.substr(0, 3)) == 0) throw curly_fault();
    if (text_.starts_with('"')) {
      const std::string text = quoted();
      return scene_.filled_in(text);
    }
    if (begins_number()) return number_value(number());
    if (begins_name()) return name();
    throw LessonFault{"expected a number, a name or ( here",
                      "For example sum(weights[row, hidden]) or 2*d_k."};
  }

  /// "1, 4, 16]", or "EXPRESSION for NUMBERS]": the expression for each of them.
  LessonValue listed_numbers() {
    const std::size_t mark = place_outside_brackets(" for ");
    if (mark == text_.npos) return list_value(until("]"));
    const std::string_view expression = text_.substr(0, mark);
    text_.remove_prefix(mark + 5);
    const LessonValue over = any_of();
    expect("]");
    const auto outer = scene_.each;
    std::vector<double> numbers;
    for (const double x : numbers_of(over).data()) {
      scene_.each = x;
      numbers.push_back(one_number(scene_.value(expression)));
    }
    scene_.each = outer;
    return list_value(numbers);
  }

  std::vector<double> until(std::string_view end) {
    std::vector<double> numbers;
    if (take(end)) return numbers;
    do numbers.push_back(one_number(any_of()));
    while (take(","));
    expect(end);
    return numbers;
  }

  LessonValue name() {
    const std::string_view begin = text_;
    const std::string found = dotted_name();
    if (found == "last" && last_ >= 0) return number_value(static_cast<double>(last_));
    if (take("(")) return called(found, begin);
    if (std::optional<LessonValue> value = scene_.named(found)) {
      is_condition_ = is_true_or_false(*value);
      return *value;
    }
    text_ = begin;
    throw LessonFault{"there is no step, computation or role \"" + found + "\" here" +
                          did_you_mean(found, scene_.known_names()),
                      "attn explain lists the steps; computations are named in ```show blocks."};
  }

  /// A name or a function may stand for a condition.
  static bool is_true_or_false(const LessonValue& value) {
    const auto* number = std::get_if<Tensor>(&value);
    if (number == nullptr || number->shape().count() != 1) return false;
    const double x = number->data().front();
    return x == 0.0 || x == 1.0;
  }

  LessonValue called(const std::string& function, std::string_view begin) {
    if (function == "exists") {
      skip();
      const bool exists = scene_.has_step(dotted_name());
      expect(")");
      is_condition_ = true;
      return truth(exists);
    }
    if (function == "with") {  // settings, whose numbers have all digits
      skip();
      if (!text_.starts_with('"')) throw LessonFault{"expected settings here", "with(\"fill=0\")"};
      const std::string settings = quoted();
      expect(")");
      return scene_.computed_with(settings);
    }
    Arguments arguments;
    if (!take(")")) {
      do arguments.push_back(any_of());
      while (take(","));
      expect(")");
    }
    const auto all = functions_of_lessons();
    const auto found = std::find_if(
        all.begin(), all.end(), [&](const LessonFunction& each) { return each.name == function; });
    const auto count = arguments.size();
    if (found != all.end() && count >= found->least && count <= found->most) {
      LessonValue value = found->call(scene_, arguments);
      const bool counts =
          std::find(std::begin(kCounting), std::end(kCounting), found->name) != std::end(kCounting);
      is_condition_ = !counts && is_true_or_false(value);
      return value;
    }
    text_ = begin;
    if (found == all.end()) {
      std::vector<std::string> names{"exists", "with"};
      for (const LessonFunction& each : all) names.emplace_back(each.name);
      throw LessonFault{"there is no function \"" + function + "\"" + did_you_mean(function, names),
                        "docs/writing-lessons.md lists the functions."};
    }
    const std::string most = counted(static_cast<Index>(found->most), "argument");
    throw LessonFault{
        function + "() takes " +
        (found->least == found->most ? most : std::to_string(found->least) + " to " + most) +
        ", not " + std::to_string(count)};
  }

  /// The indices of one axis: a number, a list, or ":" for all.
  std::vector<Index> indices(Index size) {
    const auto outer = std::exchange(last_, size - 1);
    std::vector<Index> found;
    if (take(":")) {
      for (Index i = 0; i < size; ++i) found.push_back(i);
    } else {
      const std::string_view begin = text_;
      const LessonValue all = any_of();
      const std::string_view end = std::exchange(text_, begin);  // the place of a fault
      for (const double x : numbers_of(all).data())
        found.push_back(index_in(number_value(x), size));
      text_ = end;
    }
    last_ = outer;
    return found;
  }

  LessonValue indexed(const Tensor& t) {
    Index head = 0;
    const std::size_t comma = place_outside_brackets(",");
    std::string_view after = comma == text_.npos ? "" : text_.substr(comma + 1);
    std::swap(after, text_);
    const bool has_head = place_outside_brackets(",") != text_.npos;
    std::swap(after, text_);
    if (has_head) {
      head = indices(t.heads()).at(0);
      expect(",");
    }
    const std::vector<Index> rows = indices(t.rows());
    std::vector<Index> cols;
    if (take(",")) {
      cols = indices(t.cols());
    } else {
      for (Index j = 0; j < t.cols(); ++j) cols.push_back(j);
    }
    expect("]");
    return picked(t, head, rows, cols);
  }

  Scene& scene_;
  Index last_ = -1;  // of the axis whose index is read
  int depth_ = 0;
  bool is_condition_ = false;
};

}  // namespace

LessonValue calculate(Scene& scene, std::string_view& text, bool* is_condition) {
  Calculator calculator(scene, text);
  LessonValue value = calculator.any_of();
  if (is_condition != nullptr) *is_condition = calculator.is_condition();
  return value;
}

}  // namespace attn

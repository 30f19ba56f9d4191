// Writes expressions as arithmetic, with as few parentheses as it takes.
// lib/page/arithmetic.js does the same.
#include "render/writers/arithmetic.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <utility>

#include "attn/language.hpp"
#include "render/terminal/number.hpp"

namespace attn {
namespace {

using Kind = Expression::Kind;

/// How numbers are written.
struct Digits {
  int precision;
  NumberWriter write = short_number;
  std::string text(double value) const { return write(value, precision); }
};

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

/// Whether the arithmetic, with its numbers as they are written, has exactly the value that is
/// meant: all of them are exact, or one alone decides, as in 0·x, −∞ / x, −∞ + x.
bool is_exact(const Expression& e, int precision) {
  if (e.parts.empty()) return is_number(e) ? is_exact_in_short(e.value, precision) : true;
  const auto exact = [&](const Expression& part) { return is_exact(part, precision); };
  const auto decides = [&](const Expression& part) {
    const bool zero = part.value == 0.0 && e.kind != Kind::Sum;
    return part.value == e.value && (zero || std::isinf(part.value)) && exact(part);
  };
  const auto begin = e.parts.begin();
  const bool has_many = e.kind == Kind::Product || e.kind == Kind::Sum;
  const auto end = has_many ? e.parts.end() : e.kind == Kind::Quotient ? begin + 1 : begin;
  return std::any_of(begin, end, decides) || std::all_of(begin, e.parts.end(), exact);
}

/// Writes an expression: what is added continues the last piece, where a line may not break.
class Arithmetic {
 public:
  /// `inputs`: ids of the steps that the leaves are cells of; none: they are only numbers.
  Arithmetic(const Digits& digits, std::size_t most_terms, const std::vector<std::string>& inputs)
      : digits_(digits), most_terms_(most_terms), inputs_(inputs) {}

  Pieces pieces(const Expression& e) {
    add(e);
    return std::move(pieces_);
  }

 private:
  void add(std::string_view text) {
    Piece& piece = pieces_.back();
    if (piece.empty() || !piece.back().step.empty()) piece.emplace_back();
    piece.back().text += text;
  }
  /// The number of `e`, or `value` in its place.
  void add_number(const Expression& e, double value) {
    const std::string text = digits_.text(value);
    if (e.kind != Kind::Leaf || inputs_.empty()) return add(text);
    pieces_.back().push_back({text, inputs_.at(static_cast<std::size_t>(e.input)), e.cell});
  }
  void begin_piece() { pieces_.emplace_back(); }

  void add_part(const Expression& e, int at_least) {
    const bool enclosed = strength(e) < at_least;
    if (enclosed) add("(");
    add(e);
    if (enclosed) add(")");
  }

  void add_product(const Expression& e) {
    for (const Expression& factor : e.parts) {
      if (&factor != &e.parts.front()) add("·");
      add_part(factor, 2);
    }
  }

  void add_sum(const Expression& e) {
    add_part(e.parts.front(), 0);
    const std::size_t n = e.parts.size();
    const bool shortened = most_terms_ != 0 && n > most_terms_;
    for (std::size_t i = 1; i < n; ++i) {
      begin_piece();
      if (shortened && i == most_terms_ - 1 && i + 1 < n) {
        add("+ " + translated("… {n} more …", n - most_terms_));
        begin_piece();
        i = n - 1;
      }
      const Expression& term = e.parts[i];
      const bool negative = term.kind == Kind::Negative;
      const bool minus = negative || (is_number(term) && term.value < 0.0);
      add(minus ? "- " : "+ ");
      if (minus && !negative)
        add_number(term, -term.value);
      else
        add_part(negative ? term.parts[0] : term, 2);
    }
  }

  void add_largest(const Expression& e) {
    add("max(");
    for (const Expression& part : e.parts) {
      if (&part != &e.parts.front()) begin_piece();
      add(part);
      add(&part == &e.parts.back() ? ")" : ",");
    }
  }

  void add(const Expression& e) {
    const bool leaf = e.kind == Kind::Constant || e.kind == Kind::Leaf;
    if (!leaf && e.parts.empty()) return;
    switch (e.kind) {
      case Kind::Constant:
      case Kind::Leaf:
        return is_number(e) ? add_number(e, e.value) : add(e.text);
      case Kind::Sum:
        return add_sum(e);
      case Kind::Product:
        return add_product(e);
      case Kind::Negative:
        add("-");
        return add_part(e.parts[0], 2);
      case Kind::Quotient:
        add_part(e.parts[0], is_number(e.parts[0]) ? 0 : 2);
        begin_piece();
        add("/ ");
        return add_part(e.parts[1], 3);
      case Kind::Exp:
        add("e^");
        return add_part(e.parts[0], e.parts[0].parts.empty() ? 0 : 4);
      case Kind::Square:
        add_part(e.parts[0], 4);
        return add("²");
      case Kind::Function:
        add(e.text + "(");
        add(e.parts[0]);
        return add(")");
      case Kind::Max:
        return add_largest(e);
    }
  }

  Digits digits_;
  std::size_t most_terms_;
  const std::vector<std::string>& inputs_;
  Pieces pieces_{{}};
};

/// Words as pieces that lead to a cell, if there is one.
Pieces pieces_of(const std::string& text, const std::string& step = {}, const Cell& cell = {}) {
  Pieces pieces;
  for (const std::string& word : words_of(text)) pieces.push_back({{word, step, cell}});
  return pieces;
}

void put_before(Piece& piece, const std::string& text) { piece.insert(piece.begin(), {text}); }

/// What is on one side of a sign.
struct Side {
  Pieces pieces;
  double value;
  bool rounded = false;
};

/// "=" where both sides are exactly what is written, "≈" where a number was rounded.
const char* sign_between(const Side& a, const Side& b) {
  return a.rounded || b.rounded || !is_nearly(a.value, b.value) ? "≈" : "=";
}

/// "(1, 0.5)"; if `shorten`, the middle of a long row is left out, "… 4 more …".
Side row_side(const std::vector<double>& row, const Digits& digits, bool shorten) {
  constexpr std::size_t kEnds = 4, kMost = 2 * kEnds + 1;
  Side side{{}, 0.0};
  std::string text = "(";
  for (std::size_t i = 0; i < row.size(); ++i) {
    if (shorten && row.size() > kMost && i == kEnds) {
      text += translated("… {n} more …", row.size() - 2 * kEnds) + ", ";
      i = row.size() - kEnds;
    }
    const std::string number = digits.text(row[i]);
    side.rounded |= !is_exact_in_short(row[i], digits.precision);
    text += number + (i + 1 == row.size() ? "" : ", ");
  }
  side.pieces = pieces_of(text + ")");
  return side;
}

/// The terms of a row by name, "A[cat, the]·V[the] + …", and in numbers, "0.2·(1, 0) + …".
std::pair<Side, Side> row_sides(const Worked& worked, const Digits& digits, bool shorten) {
  std::pair<Side, Side> sides{{{}, 0.0}, {{}, 0.0}};
  for (const RowTerm& term : worked.terms) {
    Side row = row_side(term.row, digits, shorten);
    Pieces names = pieces_of(term.name);
    if (!term.factor.name.empty()) {
      Pieces factor = pieces_of(term.factor.name, term.factor.step, term.factor.cell);
      put_before(names.front(), "·");
      std::move(names.front().begin(), names.front().end(), std::back_inserter(factor.back()));
      names.front() = std::move(factor.back());
      names.insert(names.begin(), factor.begin(), factor.end() - 1);
      const std::string weight = digits.text(term.weight);
      const bool zeros =
          std::all_of(term.row.begin(), term.row.end(), [](double x) { return x == 0.0; });
      row.rounded |= !zeros && !is_exact_in_short(term.weight, digits.precision);
      put_before(row.pieces.front(), (term.weight < 0 ? "(" + weight + ")" : weight) + "·");
    }
    if (&term != &worked.terms.front()) {
      put_before(names.front(), "+ ");
      put_before(row.pieces.front(), "+ ");
    }
    sides.first.pieces.insert(sides.first.pieces.end(), names.begin(), names.end());
    sides.second.pieces.insert(sides.second.pieces.end(), row.pieces.begin(), row.pieces.end());
    sides.second.rounded |= row.rounded;
  }
  for (std::size_t i = 0; i < worked.row.size(); ++i) {
    double sum = 0.0;
    for (const RowTerm& term : worked.terms) sum += term.weight * term.row[i];
    sides.second.rounded |= !is_nearly(sum, worked.row[i]);  // by the number type
  }
  return sides;
}

Side side_of(const Expression& e, const Digits& digits, std::size_t most_terms,
             const std::vector<std::string>& inputs) {
  return {Arithmetic(digits, most_terms, inputs).pieces(e), e.value,
          !is_exact(e, digits.precision)};
}

std::vector<Stage> with_signs(const std::vector<Side>& sides) {
  std::vector<Stage> stages;
  for (std::size_t i = 0; i < sides.size(); ++i)
    stages.push_back({i == 0 ? "" : sign_between(sides[i - 1], sides[i]), sides[i].pieces});
  return stages;
}

/// The expression with the composed parts of its terms replaced by what `shown` makes of them.
Expression with_values(Expression e, const std::function<Expression(const Expression&)>& shown) {
  const bool has_terms = e.kind == Kind::Sum || e.kind == Kind::Negative;
  for (Expression& part : e.parts) {
    if (has_terms && (part.kind == Kind::Product || part.kind == Kind::Negative)) {
      part = with_values(std::move(part), shown);
    } else if (!is_number(part)) {
      part = shown(part);
    }
  }
  return e;
}

}  // namespace

std::string text_of(const Piece& piece) {
  std::string text;
  for (const Inline& part : piece) text += part.text;
  return text;
}

std::string text_of(const Pieces& pieces) {
  std::string text;
  for (const Piece& piece : pieces) text += (&piece == &pieces.front() ? "" : " ") + text_of(piece);
  return text;
}

std::vector<Stage> worked_stages(const Worked& worked, int precision, bool shorten,
                                 NumberWriter write) {
  const Digits digits{precision, write};
  std::vector<Side> sides;
  for (const NamedCell& cell : worked.cells) {
    const std::string step = worked.row.empty() ? cell.step : "";  // a whole row is no cell
    sides.push_back({pieces_of(cell.name, step, cell.cell), worked.result});
  }
  if (!worked.row.empty()) {
    auto [names, numbers] = row_sides(worked, digits, shorten);
    sides.insert(sides.end(), {names, numbers, row_side(worked.row, digits, shorten)});
    return with_signs(sides);
  }
  const std::size_t most_terms = shorten ? worked.most_terms : 0;
  if (!worked.how.parts.empty()) {
    sides.push_back(side_of(worked.how, digits, most_terms, worked.inputs));
    Side values = side_of(with_values(worked.how, [](auto& part) { return constant(part.value); }),
                          digits, most_terms, worked.inputs);
    if (text_of(values.pieces) != text_of(sides.back().pieces)) sides.push_back(std::move(values));
  }
  sides.push_back(side_of(constant(worked.result), digits, 0, {}));
  return with_signs(sides);
}

std::string arithmetic_text(const Expression& how, int precision) {
  return text_of(Arithmetic({precision}, 0, {}).pieces(how));
}

std::vector<std::string> words_of(const std::string& text) {
  std::vector<std::string> words;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t space = std::min(text.find(' ', at), text.size());
    words.push_back(text.substr(at, space - at));
    at = space + 1;
  }
  return words;
}

}  // namespace attn

// Arithmetic of the values in a lesson.
#include "teach/lessons/lesson_value.hpp"

#include <algorithm>
#include <cmath>

#include "attn/number_text.hpp"
#include "core/tensor/slices.hpp"

namespace attn {
namespace {

template <typename T>
const T& held(const LessonValue& value, const char* expected) {
  if (const T* found = std::get_if<T>(&value)) return *found;
  constexpr const char* kNames[] = {"numbers", "text", "a table", "a computation"};
  throw LessonFault{std::string("expected ") + expected + ", found " + kNames[value.index()],
                    value.index() == 3 ? "Name a step of it: NAME.weights." : ""};
}

Index joint_size(Index a, Index b, const char* what) {
  if (a == b || b == 1) return a;
  if (a == 1) return b;
  throw LessonFault{std::string("numbers with ") + std::to_string(a) + " and with " +
                        std::to_string(b) + " " + what + " do not go together",
                    "Choose cells with [row, column], or add up with rows_sum(…)."};
}

std::optional<Index> joint_axis(std::optional<Index> a, std::optional<Index> b, const char* what) {
  if (!a || !b) return a ? a : b;
  return joint_size(*a, *b, what);
}

void refuse_size(Index numbers) {
  if (numbers > 10'000'000) throw LessonFault{"this has too many numbers"};
}

/// The place in a smaller tensor, which is repeated.
Cell within(const Tensor& t, const Cell& c) {
  return {t.batch() == 1 ? 0 : c.batch, t.heads() == 1 ? 0 : c.head, t.rows() == 1 ? 0 : c.row,
          t.cols() == 1 ? 0 : c.col};
}

}  // namespace

Tensor number_value(double x) { return Tensor({{}, {}, 1, 1}, x); }

Tensor list_value(const std::vector<double>& numbers) {
  return Tensor({{}, {}, std::ssize(numbers), 1}, numbers);
}

const Tensor& numbers_of(const LessonValue& value) { return held<Tensor>(value, "numbers"); }
const std::string& text_of(const LessonValue& value) { return held<std::string>(value, "text"); }
const SharedTrace& trace_of(const LessonValue& value) {
  return held<SharedTrace>(value, "a computation");
}

double one_number(const LessonValue& value) {
  const Tensor& t = numbers_of(value);
  if (t.shape().count() == 1) return t.data().front();
  throw LessonFault{"expected one number, found " + std::to_string(t.shape().count()),
                    "Choose one with [row, column], or use sum(…), max(…) or mean(…)."};
}

Index whole_number(const LessonValue& value) {
  const double x = one_number(value);
  if (std::abs(x) <= 1e9 && x == std::floor(x)) return static_cast<Index>(x);
  throw LessonFault{"expected a whole number"};
}

Index index_in(const LessonValue& value, Index size) {
  const double x = one_number(value);
  if (x >= 0 && x < static_cast<double>(size) && x == std::floor(x)) return static_cast<Index>(x);
  throw LessonFault{
      "index " + format_exact(x) + " is not between 0 and " + std::to_string(size - 1),
      "Indices count from 0; last is the last one."};
}

Tensor combined(const Tensor& a, const Tensor& b, const std::function<double(double, double)>& f) {
  const Shape shape{joint_axis(a.shape().batch, b.shape().batch, "batch entries"),
                    joint_axis(a.shape().heads, b.shape().heads, "heads"),
                    joint_size(a.rows(), b.rows(), "rows"),
                    joint_size(a.cols(), b.cols(), "columns")};
  refuse_size(shape.count());
  std::vector<double> data;
  data.reserve(static_cast<std::size_t>(shape.count()));
  for (Index i = 0; i < shape.count(); ++i) {
    const Cell cell = shape.cell_at(i);
    data.push_back(f(a.at(within(a, cell)), b.at(within(b, cell))));
  }
  return {shape, std::move(data)};
}

Tensor mapped(Tensor a, const std::function<double(double)>& f) {
  for (double& x : a.edit()) x = f(x);
  return a;
}

Tensor by_row(const Tensor& a, const std::function<double(std::span<const double>)>& f) {
  Tensor result({a.shape().batch, a.shape().heads, a.rows(), 1});
  for_each_slice(a, [&](Index b, Index h) {
    for (Index i = 0; i < a.rows(); ++i) result.at({b, h, i, 0}) = f(a.row(b, h, i));
  });
  return result;
}

Tensor matrix_product(const Tensor& a, const Tensor& b) {
  if (a.cols() != b.rows())
    throw LessonFault{std::to_string(a.cols()) + " columns @ " + std::to_string(b.rows()) +
                          " rows: a product needs as many rows as columns",
                      "transposed(…) exchanges rows and columns."};
  Tensor result({joint_axis(a.shape().batch, b.shape().batch, "batch entries"),
                 joint_axis(a.shape().heads, b.shape().heads, "heads"), a.rows(), b.cols()});
  refuse_size(result.shape().count() * a.cols());
  for (Index i = 0; i < result.shape().count(); ++i) {
    const Cell cell = result.shape().cell_at(i);
    for (Index c = 0; c < a.cols(); ++c)
      result.at(cell) +=
          a.at({a.batch() == 1 ? 0 : cell.batch, a.heads() == 1 ? 0 : cell.head, cell.row, c}) *
          b.at({b.batch() == 1 ? 0 : cell.batch, b.heads() == 1 ? 0 : cell.head, c, cell.col});
  }
  return result;
}

Tensor transposed_value(const Tensor& a) {
  Tensor result({a.shape().batch, a.shape().heads, a.cols(), a.rows()});
  for (Index i = 0; i < a.shape().count(); ++i) {
    const Cell c = a.shape().cell_at(i);
    result.at({c.batch, c.head, c.col, c.row}) = a.at(c);
  }
  return result;
}

Tensor picked(const Tensor& a, Index head, const std::vector<Index>& rows,
              const std::vector<Index>& cols) {
  Tensor result({{}, {}, std::ssize(rows), std::ssize(cols)});
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (std::size_t j = 0; j < cols.size(); ++j)
      result.at({0, 0, static_cast<Index>(i), static_cast<Index>(j)}) =
          a.at({0, head, rows[i], cols[j]});
  }
  return result;
}

}  // namespace attn

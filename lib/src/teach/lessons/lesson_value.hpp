// What an expression of a lesson has as its value, and the arithmetic of such values.
#pragma once

#include <concepts>
#include <functional>
#include <memory>
#include <string>
#include <variant>

#include "attn/document.hpp"
#include "attn/trace.hpp"

namespace attn {

using SharedTrace = std::shared_ptr<const Trace>;

/// Numbers (one number is 1 × 1, true is 1, a list is one column), text, a table that a function
/// made, or a computation.
using LessonValue = std::variant<Tensor, std::string, Table, SharedTrace>;

/// Why an expression has no value: what is wrong, and what to try.
struct LessonFault {
  std::string what, fix = {};
};

/// How deep expressions are within each other.
struct Nesting {
  Nesting(int& depth, int most) : depth_(depth) {
    if (++depth_ > most) throw LessonFault{"too many expressions within each other"};
  }
  ~Nesting() { --depth_; }
  int& depth_;
};

Tensor number_value(double x);
Tensor number_value(std::integral auto x) { return number_value(static_cast<double>(x)); }
Tensor list_value(const std::vector<double>& numbers);

/// The one number of a value, its numbers, its text. Throw LessonFault if it is something else.
double one_number(const LessonValue& value);
Index whole_number(const LessonValue& value);
/// The same as an index below `size`.
Index index_in(const LessonValue& value, Index size);
const Tensor& numbers_of(const LessonValue& value);
const std::string& text_of(const LessonValue& value);
const SharedTrace& trace_of(const LessonValue& value);

/// f of each cell of two tensors; an axis that is absent or of size 1 is repeated. Throws
/// LessonFault if the shapes do not fit.
Tensor combined(const Tensor& a, const Tensor& b, const std::function<double(double, double)>& f);
Tensor mapped(Tensor a, const std::function<double(double)>& f);
/// f of each row: T × 1, with the batch entries and heads of `a`.
Tensor by_row(const Tensor& a, const std::function<double(std::span<const double>)>& f);
/// a·b, head by head.
Tensor matrix_product(const Tensor& a, const Tensor& b);
Tensor transposed_value(const Tensor& a);

/// Rows and columns of one matrix: of that of batch entry and head 0, or of a head.
Tensor picked(const Tensor& a, Index head, const std::vector<Index>& rows,
              const std::vector<Index>& cols);

}  // namespace attn

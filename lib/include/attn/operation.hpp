// An operation of the computation: how it is computed, explained, checked and written as a formula.
#pragma once

#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "attn/core/expression.hpp"
#include "attn/tensor.hpp"

namespace attn {

/// What an operation needs besides its inputs: values by name, in the order in which they were set.
/// Asking for an absent one, or for another type, throws std::out_of_range.
class Parameters {
 public:
  using Value =
      std::variant<bool, Index, double, std::string, std::vector<Index>, std::vector<double>>;

  Parameters() = default;
  Parameters(std::initializer_list<std::pair<std::string, Value>> values) : values_(values) {}

  /// Sets a value, replacing one of the same name.
  void set(std::string_view name, Value value);
  const Value* find(std::string_view name) const;

  bool flag(std::string_view name) const { return get<bool>(name); }
  Index count(std::string_view name) const { return get<Index>(name); }
  double number(std::string_view name) const { return get<double>(name); }
  const std::string& word(std::string_view name) const { return get<std::string>(name); }
  const std::vector<Index>& counts(std::string_view name) const {
    return get<std::vector<Index>>(name);
  }
  const std::vector<double>& numbers(std::string_view name) const {
    return get<std::vector<double>>(name);
  }

  bool operator==(const Parameters&) const = default;

 private:
  template <typename T>
  const T& get(std::string_view name) const;

  std::vector<std::pair<std::string, Value>> values_;
};

/// One parameter: its name in traces and formulas, and the values it may have.
struct ParameterField {
  enum class Kind {
    Flag,
    Count,    ///< a whole number, at least `least`
    Number,   ///< a finite number, above `least`
    Real,     ///< any number, also −∞
    Word,     ///< one of `words`
    Counts,   ///< a list of whole numbers, each at least `least`
    Numbers,  ///< a list of numbers
  };
  const char* name;
  Kind kind;
  const char* summary;  ///< "how many columns are rotated"
  double least = -std::numeric_limits<double>::infinity();
  std::span<const char* const> words = {};
  bool required = true;
  Index multiple_of = 1;  ///< a count must be a multiple of this
};

/// An operation applied: its inputs, its parameters, and the shape of the result.
struct Call {
  std::span<const Tensor* const> inputs;
  const Parameters& parameters;
  Shape shape;

  const Tensor& operator[](std::size_t i) const { return *inputs[i]; }
};

/// Some rows of one matrix.
template <typename Number>
struct Rows {
  Number* begin = nullptr;
  Index rows = 0, cols = 0;

  std::span<Number> row(Index r) const {
    return {begin + r * cols, static_cast<std::size_t>(cols)};
  }
};

/// An operation applied to some rows of one batch entry and head.
struct RowsCall {
  std::span<const Rows<const double>> inputs;  ///< the same rows of each, or the whole matrix
  const Parameters& parameters;
  Rows<double> result;  ///< to be written
  Index batch, head;
  Index first;  ///< the number of the first row
  Shape whole;  ///< of the result with all its rows and columns

  const Rows<const double>& operator[](std::size_t i) const { return inputs[i]; }
};

/// How a headline shows that the sizes of two inputs match: (5×6)·(6×4), or one of them transposed.
enum class SizesMeet { No, Plain, Transposed, FirstTransposed };

struct Operation;

/// Which inputs fit together, and the shape of the result.
struct ShapeRule {
  std::size_t least, most;  ///< how many inputs
  const char* sentence;     ///< which sizes must match
  /// The shape of the result; nothing if the inputs do not fit together. `own` is the shape that
  /// the result is said to have: where the inputs do not decide the shape, it is accepted.
  std::optional<Shape> (*result)(std::span<const Shape> inputs, const Parameters& parameters,
                                 const Shape& own);
};

/// A step whose gradient is known, as its operation sees it.
struct Differentiated {
  const std::vector<std::string>& inputs;  ///< their ids
  const std::vector<Shape>& shapes;        ///< of the inputs
  const Parameters& parameters;
  const std::string& id;        ///< of its result
  const std::string& gradient;  ///< the id of the gradient of its result
};

/// The part of its gradient that a step passes on to one of its inputs: an operation on recorded
/// steps. The result has the shape of that input.
struct Share {
  std::size_t input;
  const Operation* operation;
  std::vector<std::string> inputs;  ///< ids
  Parameters parameters = {};
};

/// Everything about one kind of operation, defined in one place; `operations` is the table.
struct Operation {
  const char* name;  ///< in traces: "multiply_transposed"
  /// The usual formula, in the notation of attn/render/formula.hpp: "{0}·{1}[ + {2}]". {0}, {1} …
  /// are the symbols of the inputs, {name} a parameter; what is in [ ] stays only if the input it
  /// names is present.
  const char* formula;
  ShapeRule shape_rule;
  /// Computes all of the result. Operations whose rows do not depend on each other have
  /// `write_rows` instead, which computes some of them.
  Tensor (*evaluate)(const Call& call) = nullptr;
  void (*write_rows)(const RowsCall& call) = nullptr;
  /// How many inputs, from the first on, `write_rows` sees only in its own rows. It sees all of the
  /// others: matrices that serve every row.
  std::size_t (*inputs_by_row)(const Parameters& parameters) = [](const Parameters&) {
    return std::numeric_limits<std::size_t>::max();
  };
  /// How one cell is made; nullptr for givens, which nothing computes.
  Expression (*derive)(const Call& call, const Cell& cell) = nullptr;

  std::span<const ParameterField> fields = {};
  const char* (*formula_for)(const Parameters& parameters) = nullptr;  ///< where it varies
  SizesMeet sizes_meet = SizesMeet::No;
  /// Whether a cell is made from all visible keys of its query.
  bool (*sums_over_keys)(const Parameters& parameters) = [](const Parameters&) { return false; };
  bool copies = false;  ///< the result is its input
  /// Whether it only cuts columns into heads, or puts heads side by side; nullptr: it never does.
  bool (*only_rearranges)(const Parameters& parameters) = nullptr;
  const char* why = "";  ///< in place of what the step table says, where that is not true
  /// What each input gets of the gradient; inputs that are constants get nothing. Without shares
  /// there is no gradient: known mistakes.
  std::vector<Share> (*backward)(const Differentiated& step) = nullptr;
  const char* gradient_why = "";  ///< in a sentence or two: why gradients are made by it
};

/// Every operation, in the order in which attention uses them.
std::span<const Operation* const> operations();

/// The operation of that name, or nullptr.
const Operation* find_operation(std::string_view name);

}  // namespace attn

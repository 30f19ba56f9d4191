// Computes expressions from their leaves upwards, and compares each value with the stated one.
#include "support/derivations.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>
#include <vector>

#include "attn/core/expression.hpp"
#include "support/compare.hpp"

namespace attn::testing {
namespace {

using Tensors = std::vector<const Tensor*>;

/// The value of an expression from its leaves upwards, never from its own `value`s, and the first
/// thing that is not as it should be.
struct Reckoner {
  const Tensors& inputs;
  std::string complaint = {};

  void demand(bool right, const std::string& what) {
    if (!right && complaint.empty()) complaint = what;
  }

  bool lies_inside(const Expression& leaf) {
    if (leaf.input < 0 || static_cast<std::size_t>(leaf.input) >= inputs.size()) return false;
    const Tensor& tensor = *inputs[static_cast<std::size_t>(leaf.input)];
    const Shape& shape = tensor.shape();
    const Cell& cell = leaf.cell;
    const auto among = [](Index n, Index count) { return n >= 0 && n < count; };
    return (!shape.batch || among(cell.batch, *shape.batch)) &&
           (!shape.heads || among(cell.head, *shape.heads)) && among(cell.row, shape.rows) &&
           among(cell.col, shape.cols);
  }

  double value_of_leaf(const Expression& leaf) {
    demand(lies_inside(leaf), "a leaf lies outside its input");
    if (!lies_inside(leaf)) return 0;
    return inputs[static_cast<std::size_t>(leaf.input)]->at(leaf.cell);
  }

  double function(const std::string& name, double x) {
    if (name == "sin") return std::sin(x);
    if (name == "cos") return std::cos(x);
    if (name == "tanh") return std::tanh(x);
    if (name == "erf") return std::erf(x);
    if (name == "ln") return std::log(x);
    demand(name == "√", "there is no function " + name);
    return std::sqrt(x);
  }

  double combine(const Expression& expression, const std::vector<double>& parts) {
    double result = 0;
    switch (expression.kind) {
      case Expression::Kind::Constant:
        return expression.value;
      case Expression::Kind::Leaf:
        return value_of_leaf(expression);
      case Expression::Kind::Sum:
        for (const double part : parts) result += part;
        return result;
      case Expression::Kind::Product:
        result = 1;
        for (const double part : parts) result *= part;
        return result;
      case Expression::Kind::Negative:
        return -parts.at(0);
      case Expression::Kind::Quotient:
        return parts.at(0) / parts.at(1);
      case Expression::Kind::Exp:
        return std::exp(parts.at(0));
      case Expression::Kind::Square:
        return parts.at(0) * parts.at(0);
      case Expression::Kind::Function:
        return function(expression.text, parts.at(0));
      case Expression::Kind::Max:
        return *std::max_element(parts.begin(), parts.end());
    }
    return std::numeric_limits<double>::quiet_NaN();
  }

  double value_of(const Expression& expression) {
    std::vector<double> parts;
    for (const Expression& part : expression.parts) parts.push_back(value_of(part));
    const double value = combine(expression, parts);
    demand(close(value, expression.value), "an expression's value is not that of its parts");
    return value;
  }
};

/// What is wrong with the derivation of one cell; empty if nothing is.
std::string complaint_about(const Trace& trace, const Step& step, const Cell& cell) {
  const Tensors inputs = trace.inputs(step);
  Reckoner reckoner{inputs};
  const Expression expression = derive(trace, step, cell);
  const double expected = step.value.at(cell);
  const double value = reckoner.value_of(expression);
  reckoner.demand(close(expected, value), "worked out again it is " + std::to_string(value) +
                                              " instead of " + std::to_string(expected));
  if (reckoner.complaint.empty()) return "";
  std::ostringstream text;
  text << step.id << " [" << cell.batch << ", " << cell.head << ", " << cell.row << ", " << cell.col
       << "]: " << reckoner.complaint;
  return text.str();
}

}  // namespace

std::string first_wrong_derivation(const Trace& trace, const Step& step) {
  const Tensor& value = step.value;
  for (Index b = 0; b < value.batch(); ++b) {
    for (Index h = 0; h < value.heads(); ++h) {
      for (Index i = 0; i < value.rows(); ++i) {
        for (Index j = 0; j < value.cols(); ++j) {
          std::string complaint = complaint_about(trace, step, {b, h, i, j});
          if (!complaint.empty()) return complaint;
        }
      }
    }
  }
  return "";
}

}  // namespace attn::testing

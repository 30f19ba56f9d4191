// The arithmetic of one cell: nodes that know their value.
#include "attn/core/expression.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace attn {
namespace {

using Kind = Expression::Kind;

Expression node(Kind kind, double value, std::vector<Expression> parts) {
  Expression e;
  e.kind = kind;
  e.value = value;
  e.parts = std::move(parts);
  return e;
}

/// The parts are moved: a list in braces would copy them.
template <typename... Parts>
Expression node_of(Kind kind, double value, Parts&&... parts) {
  Expression e = node(kind, value, {});
  e.parts.reserve(sizeof...(parts));
  (e.parts.push_back(std::move(parts)), ...);
  return e;
}

Expression function(const char* name, double value, Expression argument) {
  Expression e = node_of(Kind::Function, value, std::move(argument));
  e.text = name;
  return e;
}

}  // namespace

Expression constant(double value, std::string text) {
  Expression e = node(Kind::Constant, value, {});
  e.text = std::move(text);
  return e;
}

Expression leaf(const Tensor& tensor, int input, const Cell& cell) {
  Expression e = node(Kind::Leaf, tensor.at(cell), {});
  e.input = input;
  e.cell = cell;
  return e;
}

Expression sum(std::vector<Expression> parts) {
  double total = 0.0;
  for (const Expression& part : parts) total += part.value;
  return node(Kind::Sum, total, std::move(parts));
}

Expression product(std::vector<Expression> parts) {
  double total = 1.0;
  for (const Expression& part : parts) total *= part.value;
  return node(Kind::Product, total, std::move(parts));
}

Expression product(Expression first, Expression second) {
  const double value = first.value * second.value;
  return node_of(Kind::Product, value, std::move(first), std::move(second));
}

Expression negative(Expression part) {
  const double value = -part.value;
  return node_of(Kind::Negative, value, std::move(part));
}

Expression quotient(Expression numerator, Expression denominator) {
  const double value = numerator.value / denominator.value;
  return node_of(Kind::Quotient, value, std::move(numerator), std::move(denominator));
}

Expression exponential(Expression exponent) {
  const double value = std::exp(exponent.value);
  return node_of(Kind::Exp, value, std::move(exponent));
}

Expression square(Expression base) {
  const double value = base.value * base.value;
  return node_of(Kind::Square, value, std::move(base));
}

Expression root(Expression argument) {
  const double value = std::sqrt(argument.value);
  return function("√", value, std::move(argument));
}

Expression logarithm(Expression argument) {
  const double value = std::log(argument.value);
  return function("ln", value, std::move(argument));
}

Expression error_function(Expression argument) {
  const double value = std::erf(argument.value);
  return function("erf", value, std::move(argument));
}

Expression tangent_hyperbolic(Expression argument) {
  const double value = std::tanh(argument.value);
  return function("tanh", value, std::move(argument));
}

Expression sine(Expression argument) {
  const double value = std::sin(argument.value);
  return function("sin", value, std::move(argument));
}

Expression cosine(Expression argument) {
  const double value = std::cos(argument.value);
  return function("cos", value, std::move(argument));
}

Expression largest(std::vector<Expression> parts) {
  double value = -std::numeric_limits<double>::infinity();
  for (const Expression& part : parts)
    value = std::isnan(part.value) ? part.value : std::max(value, part.value);
  return node(Kind::Max, value, std::move(parts));
}

}  // namespace attn

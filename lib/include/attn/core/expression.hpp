// The arithmetic of one cell, as a tree.
#pragma once

#include <string>
#include <vector>

#include "attn/tensor.hpp"

namespace attn {

/// How one number came about, as arithmetic: a small tree whose leaves are cells of the inputs and
/// constants. Evaluating it gives the number again.
struct Expression {
  enum class Kind {
    Constant,  ///< `value`, written as `text` if there is one ("√4")
    Leaf,      ///< cell `cell` of input number `input`
    Sum,       ///< parts added up
    Product,   ///< parts multiplied
    Negative,  ///< −parts[0]
    Quotient,  ///< parts[0] / parts[1]
    Exp,       ///< e^parts[0]
    Square,    ///< parts[0]²
    Function,  ///< `text`(parts[0]): tanh, sin, cos, erf, ln, √
    Max,       ///< the largest of the parts
  };

  Kind kind = Kind::Constant;
  double value = 0.0;  ///< what this part evaluates to
  std::string text;    ///< Constant: how it is written, if not as a number
  int input = 0;       ///< Leaf: which input of the operation
  Cell cell;           ///< Leaf: which cell of it
  std::vector<Expression> parts;
  std::string reason;  ///< optional, on the root: why, in words: "this row has no label"
};

Expression constant(double value, std::string text = "");
/// The cell of input number `input`; `tensor` is that input.
Expression leaf(const Tensor& tensor, int input, const Cell& cell);
Expression sum(std::vector<Expression> parts);
Expression product(std::vector<Expression> parts);
Expression product(Expression first, Expression second);
Expression negative(Expression part);
Expression quotient(Expression numerator, Expression denominator);
Expression exponential(Expression exponent);
Expression square(Expression base);
Expression root(Expression argument);
Expression logarithm(Expression argument);  ///< natural
Expression error_function(Expression argument);
Expression tangent_hyperbolic(Expression argument);
Expression sine(Expression argument);
Expression cosine(Expression argument);
Expression largest(std::vector<Expression> parts);

}  // namespace attn

// Multiplies with an Eigen of its own, if it has one, then prints all digits of an attention.
#ifndef WITHOUT_EIGEN
#include <Eigen/Core>
#endif
#include <cstdio>

#include "attn/attend.hpp"
#include "attn/core/random_problem.hpp"

namespace {

/// The first number of a product of two matrices.
double multiplied() {
#ifdef WITHOUT_EIGEN
  return 25.0;
#else
  const Eigen::MatrixXd half = Eigen::MatrixXd::Constant(100, 100, 0.5), product = half * half;
  return product(0, 0);
#endif
}

}  // namespace

int main() {
  const double product = multiplied();
  attn::RandomProblem wanted;
  wanted.tokens = 100;
  wanted.d_model = 96;
  wanted.heads = 2;
  wanted.normal = true;
  const attn::Trace trace = attn::attend(attn::make_problem(attn::random_draft(wanted)));
  for (const double x : trace.value("output").data()) std::printf("%a\n", x);
  return product == 25.0 ? 0 : 1;
}

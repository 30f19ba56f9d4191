// Multiplies with an Eigen of its own, then prints all digits of an attention.
#include <Eigen/Core>
#include <cstdio>

#include "attn/attend.hpp"
#include "attn/core/random_problem.hpp"

int main() {
  const Eigen::MatrixXd half = Eigen::MatrixXd::Constant(100, 100, 0.5), product = half * half;
  attn::RandomProblem wanted;
  wanted.tokens = 100;
  wanted.d_model = 96;
  wanted.heads = 2;
  wanted.normal = true;
  const attn::Trace trace = attn::attend(attn::make_problem(attn::random_draft(wanted)));
  for (const double x : trace.value("output").data()) std::printf("%a\n", x);
  return product(0, 0) == 25.0 ? 0 : 1;
}

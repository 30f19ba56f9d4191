// Recipes for softmax in separate steps, and for the angles of rotations: none changes a number.
#include <utility>

#include "attn/attend.hpp"
#include "core/operations/operations.hpp"

namespace attn {

Recipe opened_softmax() {
  return {{.step = "weights",
           .operation = &ops::divide_rows,
           .inputs = {"exp_scores", "row_sum"},
           .before = {{"row_max", &ops::row_max, {"{0}", "{1?}"}},               // T_q × 1
                      {"exp_scores", &ops::exp_shifted, {"{0}", "row_max"}},     // T_q × T_k
                      {"exp_sink", &ops::exp_sink, {"row_max", "{1!}"}},         // T_q × 1
                      {"row_sum", &ops::row_sum, {"exp_scores", "exp_sink?"}}},  // T_q × 1
           .instead_of = &ops::softmax}};
}

Recipe shown_angles() {
  return {{.step = "q_rotated",
           .before = {{"angles", &ops::angles, {}}},  // T_q × rotary_dim/2
           .instead_of = &ops::rotate},
          {.step = "k_rotated",
           .before = {{"k_angles", &ops::angles, {}, {}, true}},  // T_k × rotary_dim/2
           .instead_of = &ops::rotate}};
}

Recipe full_detail() {
  Recipe recipe = opened_softmax();
  for (Rewiring& each : shown_angles()) recipe.push_back(std::move(each));
  return recipe;
}

}  // namespace attn

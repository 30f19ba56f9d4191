// Softmax in separate steps: a recipe that changes what is recorded, but no number.
#include "attn/attend.hpp"
#include "core/operations/operations.hpp"

namespace attn {

Recipe opened_softmax() {
  return {{.step = "weights",
           .operation = &ops::divide_rows,
           .inputs = {"exp_scores", "row_sum"},
           .before = {{"row_max", &ops::row_max, {"{0}", "{1?}"}},                 // T_q × 1
                      {"exp_scores", &ops::exp_shifted, {"{0}", "row_max"}},       // T_q × T_k
                      {"exp_sink", &ops::exp_sink, {"row_max", "{1!}"}},           // T_q × 1
                      {"row_sum", &ops::row_sum, {"exp_scores", "exp_sink?"}}}}};  // T_q × 1
}

}  // namespace attn

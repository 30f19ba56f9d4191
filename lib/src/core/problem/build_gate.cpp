// The gate of an attention: which of its matrices an activation of X·W_gate multiplies.
#include <algorithm>

#include "attn/phrases.hpp"
#include "attn/setting_names.hpp"
#include "core/problem/build.hpp"

namespace attn {

std::vector<std::string> gate_activations() {
  return {"sigmoid", "silu", "relu", "gelu", "gelu_tanh"};
}

void build_gate(Build& build, const std::optional<Tensor>& inputs) {
  ProblemFacts& p = build.problem;
  const Array* w = weight(build, "w_gate");
  const auto complain = [&](const char* id, const std::string& pointer, const std::string& what,
                            const std::string& fix) {
    build.complaints.add(id, pointer, what, fix);
  };
  if (w == nullptr) {
    if (build.draft.attention_gate)
      complain("missing-key", "/attention_gate", "there is a gate, but no w_gate makes it",
               "Add w_gate to weights, or leave out attention_gate.");
    if (weight(build, "b_gate") != nullptr)
      complain("missing-key", weight_pointer(build, "b_gate"), "b_gate is given, but w_gate is not",
               "Add w_gate, or leave out b_gate.");
    return build.complaints.throw_if_any();
  }
  const std::string pointer = weight_pointer(build, "w_gate");
  if (!inputs)
    complain("two-inputs", pointer, "w_gate multiplies X, but Q, K and V are given directly",
             "Give embeddings and weights, or leave out w_gate.");
  build.complaints.throw_if_any();
  if (!p.attention_gate) p.attention_gate.emplace();
  if (build.has_gated_queries && !build.draft.attention_gate) p.attention_gate->on = GateOn::Concat;
  const std::vector<std::string> known = gate_activations();
  if (std::find(known.begin(), known.end(), p.attention_gate->activation) == known.end())
    complain("unknown-value", "/attention_gate/activation",
             filled("there is no activation called \"{}\"", p.attention_gate->activation),
             "Write " + either(quoted(known)) + ".");
  const Index width = p.attention_gate->on == GateOn::Output && p.to_output
                          ? p.to_output->w.cols()
                          : p.heads.value_or(1) * p.d_v;
  const bool fits = w->rank() == 2 && w->shape[0] == inputs->cols() && w->shape[1] == width;
  if (!fits)
    complain(
        "shape-mismatch", pointer,
        filled("w_gate is {}, but it should be {}×{}", shape_text(w->shape), inputs->cols(), width),
        "Give it a row for each column of X, and a column for each of what it multiplies.");
  const Array* b = weight(build, "b_gate");
  if (b != nullptr && std::ssize(b->data) != width)
    complain("shape-mismatch", weight_pointer(build, "b_gate"),
             filled("b_gate has {}, but w_gate should have {}",
                    counted(std::ssize(b->data), "number"), counted(width, "column")),
             filled("Give b_gate {}.", counted(width, "number")));
  build.complaints.throw_if_any();
  p.to_gate = Projection{Tensor(Shape{{}, {}, w->shape[0], width}, w->data), std::nullopt};
  if (b != nullptr) p.to_gate->b = Tensor(Shape{{}, {}, 1, width}, b->data);
}

}  // namespace attn

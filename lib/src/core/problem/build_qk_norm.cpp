// The norm of queries and keys: which it is, and whether its gains fit.
#include <string>
#include <utility>

#include "attn/phrases.hpp"
#include "core/problem/build.hpp"

namespace attn {
namespace {

/// Where the gains of queries or of keys belong.
struct GainSide {
  const char* name;  ///< "q_norm"
  const char* of;    ///< "queries"
  Index heads;
};

/// What the shape of gains says: over the columns of a head, of each head, or of all together.
enum class Over { Head, EachHead, AllHeads, Nothing };

Over over(const Array& gains, Index heads, Index d_k) {
  Index count = 1;
  for (const Index size : gains.shape) count *= size;
  if (count == d_k) return Over::Head;
  if (count != heads * d_k) return Over::Nothing;
  const bool per_head = gains.rank() == 2 && gains.shape[0] == heads;
  return per_head ? Over::EachHead : Over::AllHeads;
}

void complain_gains(Build& build, const GainSide& side, const std::string& name,
                    const Array& gains) {
  const Index d_k = build.problem.d_k;
  const std::string several = filled(", {} for all heads together, or {}×{} for each of them",
                                     side.heads * d_k, side.heads, d_k);
  build.complaints.add({.id = "shape-mismatch",
                        .what = filled("{} is {}, but a head of the {} has {}", name,
                                       shape_text(gains.shape), side.of, counted(d_k, "column")),
                        .places = {{.pointer = weight_pointer(build, name)}},
                        .rule = "A gain multiplies one column of what the norm is over.",
                        .fix = filled("Give {} one number for each column: {} for every head{}.",
                                      name, d_k, side.heads > 1 ? several : "")});
}

/// Gains or biases as a tensor; `found` becomes what they are over.
std::optional<Tensor> gain_tensor(Build& build, const GainSide& side, const std::string& name,
                                  Over& found) {
  const Array* gains = weight(build, name);
  if (gains == nullptr) return std::nullopt;
  const Index d_k = build.problem.d_k;
  const Over own = over(*gains, side.heads, d_k);
  const bool differs = found != Over::Nothing && found != own;
  if (own == Over::Nothing || differs) {
    complain_gains(build, side, name, *gains);
    return std::nullopt;
  }
  found = own;
  const Shape shape = own == Over::EachHead   ? Shape{{}, side.heads, 1, d_k}
                      : own == Over::AllHeads ? Shape{{}, {}, 1, side.heads * d_k}
                                              : Shape{{}, {}, 1, d_k};
  return gains->data.empty() ? Tensor::outline(shape) : Tensor(shape, gains->data);
}

/// Files of other libraries have gains, but do not say of which norm.
void refuse_unknown_kind(Build& build, const std::string& name) {
  const QkNorm& said = build.draft.qk_norm;
  const std::string pointer = weight_pointer(build, name);
  if (pointer == "/weights/" + name) return;  // attn's own name: RMS, as the format says
  const bool centred = weight(build, "q_norm_bias") != nullptr;  // only LayerNorm has a bias
  const bool known = said.is_given ? said.kind != QkNormKind::Rms || said.offset : centred;
  if (known) return;
  build.complaints.add(
      {.id = "missing-key",
       .what = filled("{} belongs to a norm of queries and keys, but {}", pointer.substr(9),
                      said.is_given ? "the offset of its gains is not known"
                                    : "which norm it is, is not known"),
       .places = {{.pointer = pointer}},
       .rule =
           "Qwen3 and OLMo 2 have an RMS norm with offset 0, Gemma 3 one with offset 1 (1 + γ), "
           "Cohere a layer norm.",
       .fix = "Say it, with \"qk_norm\": {\"kind\": \"rms\", \"offset\": 0}, or put the model's "
              "config.json beside the weights.",
       .changes = {{"qk-norm", "rms"}, {"qk-norm-offset", "0"}}});
}

/// The norm is turned off. A problem with gains of its own asks what changes without them; a
/// checkpoint is another model without its norm.
void leave_out(Build& build, const std::string& name) {
  const std::string pointer = weight_pointer(build, name);
  if (pointer == "/weights/" + name)
    return build.problem.notes.push_back("qk_norm is none: computed without the norm of " + name);
  build.complaints.add(
      {.id = "not-together",
       .what = filled("qk_norm is none, but {} belongs to a norm", pointer.substr(9)),
       .places = {{.pointer = pointer}, {.pointer = "/qk_norm"}},
       .fix = kKeepOne,
       .changes = {{"qk-norm", "rms"}}});
}

void complain_norm(Build& build, const char* key, std::string what, std::string fix) {
  build.complaints.add("out-of-range", std::string("/qk_norm") + key, std::move(what),
                       std::move(fix));
}

/// Values of the setting that no norm has.
void check_norm(Build& build) {
  const QkNorm& norm = build.problem.qk_norm;
  if (!(*norm.eps >= 0.0 && *norm.eps < 1e300))
    complain_norm(build, "/eps", "eps should be a number from 0 on", "Write 1e-6, for example.");
  if (*norm.offset != 0.0 && *norm.offset != 1.0)
    complain_norm(build, "/offset", "offset should be 0 or 1",
                  "Write 1 if the norm multiplies by 1 + gain, as Gemma's, else 0.");
  if (norm.after == QkNormAfter::Rope && !is_rotary(build.problem.positions.kind))
    complain_norm(build, "/after", "the norm comes after rope, but positions are not rotary",
                  "Choose rope, or leave out after.");
}

/// What is said of a norm that there is not.
void note_idle_norm(Build& build) {
  const QkNorm& said = build.draft.qk_norm;
  for (const auto& [given, key] : {std::pair{said.eps.has_value(), "eps"},
                                   {said.offset.has_value(), "offset"},
                                   {said.after != QkNormAfter::Projection, "after"}}) {
    if (given)
      build.problem.notes.push_back(
          filled("qk_norm.{} has no effect: queries and keys have no norm", key));
  }
}

/// An offset is added to gains; a length has neither gains nor an epsilon.
void note_idle_gains(Build& build) {
  ProblemFacts& p = build.problem;
  const bool no_gains = !p.q_norm.weight && !p.k_norm.weight;
  if (no_gains && build.draft.qk_norm.offset.value_or(0.0) != 0.0)
    p.notes.push_back("qk_norm.offset has no effect: the norm has no gains (q_norm, k_norm)");
}

}  // namespace

void build_qk_norm(Build& build) {
  ProblemFacts& p = build.problem;
  const Index heads = p.heads.value_or(1);
  const GainSide sides[] = {{"q_norm", "queries", heads}, {"k_norm", "keys", p.kv_heads}};
  std::string first;  // of the weights that are given
  Over found[] = {Over::Nothing, Over::Nothing};
  for (const GainSide& side : sides) {
    const bool of_keys = &side != sides;
    Gains& gains = of_keys ? p.k_norm : p.q_norm;
    const std::string name = side.name, bias = name + "_bias";
    gains.weight = gain_tensor(build, side, name, found[of_keys]);
    gains.bias = gain_tensor(build, side, bias, found[of_keys]);
    for (const std::string& each : {name, bias}) {
      if (weight(build, each) != nullptr && first.empty()) first = each;
    }
    if (weight(build, bias) != nullptr && weight(build, name) == nullptr)
      build.complaints.add("missing-key", weight_pointer(build, bias),
                           filled("{} is given, but {} is not", bias, name),
                           filled("Add {}, or leave out {}.", name, bias));
  }
  QkNorm& norm = p.qk_norm;
  if (!first.empty()) {
    refuse_unknown_kind(build, first);
    const bool centred = weight(build, "q_norm_bias") != nullptr && first == "q_norm" &&
                         weight_pointer(build, first) != "/weights/q_norm";
    if (!norm.is_given) norm.kind = centred ? QkNormKind::Layer : QkNormKind::Rms;
    if (norm.kind == QkNormKind::None) leave_out(build, first);
  }
  check_norm(build);
  if (norm.kind == QkNormKind::None) {
    note_idle_norm(build);
    return build.complaints.throw_if_any();
  }
  note_idle_gains(build);
  const bool has_bias = p.q_norm.bias || p.k_norm.bias;
  if (has_bias && norm.kind != QkNormKind::Layer)
    build.complaints.add("unknown-key",
                         weight_pointer(build, p.q_norm.bias ? "q_norm_bias" : "k_norm_bias"),
                         "only a layer norm has a bias, and this norm is another",
                         "Leave the bias out, or set the kind of qk_norm to \"layer\".");
  p.norm_spans_heads = p.heads && (found[0] == Over::AllHeads || found[1] == Over::AllHeads);
  const auto spans = [&](std::size_t i) {
    return found[i] == Over::AllHeads || sides[i].heads == 1;
  };
  const bool cut = p.q && p.q->shape().heads;
  if (p.norm_spans_heads && !(spans(0) && spans(1)))
    build.complaints.add("shape-mismatch", weight_pointer(build, first),
                         "the gains of queries and keys are over different widths",
                         "Give both for a head, or both for all heads together.");
  if (p.norm_spans_heads && (cut || norm.after == QkNormAfter::Rope))
    build.complaints.add(
        "shape-mismatch", weight_pointer(build, first),
        cut ? "the norm is over all heads together, but q and k are already cut into heads"
            : "the norm is over all heads together, but after rope they are cut",
        cut ? "Give q and k as token × column." : "Leave out after, or give gains for one head.");
  build.complaints.throw_if_any();
}

}  // namespace attn

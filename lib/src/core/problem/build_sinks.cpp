// The sinks of softmax: one number, or one for each head.
#include "attn/phrases.hpp"
#include "attn/setting_names.hpp"
#include "core/problem/build.hpp"

namespace attn {

void build_sinks(Build& build) {
  ProblemFacts& p = build.problem;
  const Array* of_weights = weight(build, "sinks");
  const auto& given = build.draft.sinks;
  if (of_weights == nullptr && !given) return;
  const std::string pointer = given ? "/sinks" : weight_pointer(build, "sinks");
  if (given && of_weights != nullptr)
    build.complaints.add(
        {.id = "given-twice",
         .what = "sinks are given twice: once among the weights",
         .places = {{.pointer = "/sinks"}, {.pointer = weight_pointer(build, "sinks")}},
         .fix = kKeepOne});
  const Array& sinks = given ? *given : *of_weights;
  if (given) check_finite(build, sinks, pointer);
  const Index heads = p.heads.value_or(1);
  Index count = 1;
  for (const Index size : sinks.shape) count *= size;
  if (count != 1 && count != heads)
    build.complaints.add(
        "shape-mismatch", pointer,
        filled("there are {} for {}", counted(count, "sink"), counted(heads, "head")),
        heads == 1 ? "Give one number." : "Give one number, or one for each head.");
  if (p.masking == MaskingMode::Renormalize)
    build.complaints.add("out-of-range", "/masking",
                         "masking renormalize gives the share of the sink to the keys again",
                         "Choose another masking, or leave out sinks.");
  if (p.normalize != NormalizeKind::Softmax)
    build.complaints.add(
        "not-together", "/normalize",
        filled("a sink takes part in softmax, and normalize is {}", word_of(p.normalize)),
        "Leave out sinks, or normalize.");
  build.complaints.throw_if_any();
  const Shape shape{{}, p.heads && count > 1 ? p.heads : std::nullopt, 1, 1};
  p.sinks = sinks.data.empty() ? Tensor::outline(shape) : Tensor(shape, sinks.data);
  if (p.empty_row == EmptyRow::Zero) return;
  p.notes.push_back(
      filled("empty_row {} has no effect: a query that sees no key attends to the "
             "sink alone",
             word_of(p.empty_row)));
  p.empty_row = EmptyRow::Zero;
}

}  // namespace attn

// T × h·d → h × T × d: the columns cut into heads.
#include <algorithm>

#include "core/operations/heads/head_cuts.hpp"
#include "core/operations/operations.hpp"
#include "core/operations/shape_rules.hpp"
#include "core/tensor/slices.hpp"

namespace attn::ops {
namespace {

/// Where head `head`, row `row`, column `col` of the split comes from in the T × h·d matrix.
Cell before_split(const Call& call, const Cell& cell) {
  const Index heads = *call.shape.heads, rows = call.shape.rows, d = call.shape.cols;
  const std::string& cut = call.parameters.word("cut");
  if (cut == "interleaved") return {cell.batch, 0, cell.row, cell.col * heads + cell.head};
  if (cut == "reshaped") {  // the flat numbers cut again, without exchanging head and row
    const Index flat = (cell.head * rows + cell.row) * d + cell.col;
    return {cell.batch, 0, flat / (heads * d), flat % (heads * d)};
  }
  return {cell.batch, 0, cell.row, cell.head * d + cell.col};
}

Tensor evaluate_split_heads(const Call& call) {
  Tensor y = Tensor::unset(call.shape);
  for_each_slice(y, [&](Index b, Index h) {
    for (Index r = 0; r < y.rows(); ++r) {
      const Index d = y.cols();
      if (call.parameters.word("cut") == "contiguous") {
        const auto from = call[0].row(b, 0, r).subspan(static_cast<std::size_t>(h * d));
        std::copy_n(from.begin(), d, y.row(b, h, r).begin());
        continue;
      }
      for (Index c = 0; c < d; ++c)
        y.at({b, h, r, c}) = call[0].at(before_split(call, {b, h, r, c}));
    }
  });
  return y;
}

Expression derive_split_heads(const Call& call, const Cell& cell) {
  return leaf(call[0], 0, before_split(call, cell));
}

MaybeShape shape_of_split_heads(Shapes in, const Parameters& p, const Shape&) {
  const Index heads = p.count("heads");
  if (in[0].heads || heads < 1 || in[0].cols % heads != 0) return std::nullopt;
  return Shape{in[0].batch, heads, in[0].rows, in[0].cols / heads};
}

const char* formula_of_split_heads(const Parameters& p) {
  if (p.word("cut") == "interleaved") return "columns of {0} dealt out to {heads} heads in turn";
  if (p.word("cut") == "reshaped") return "{0} reshaped to {heads} heads";
  if (p.count("heads") == 1) return "{0} cut into 1 head";
  return split_heads.formula;
}

constexpr ParameterField kSplitHeadsFields[] = {
    {.name = "heads", .kind = ParameterField::Kind::Count, .summary = "how many heads", .least = 1},
    {.name = "cut",
     .kind = ParameterField::Kind::Word,
     .summary = "which columns a head gets; anything but contiguous is a known mistake",
     .words = kCuts}};

std::vector<Share> backward_split_heads(const Differentiated& step) {
  return {{0, &merge_heads, {step.gradient}, {{"cut", step.parameters.word("cut")}}}};
}

}  // namespace

const Operation split_heads{
    .name = "split_heads",
    .formula = "{0} cut into {heads} heads",
    .shape_rule = {1, 1, "Every head gets the same number of columns: columns = heads × d.",
                   shape_of_split_heads},
    .evaluate = evaluate_split_heads,
    .derive = derive_split_heads,
    .fields = kSplitHeadsFields,
    .formula_for = formula_of_split_heads,
    .only_rearranges = [](const Parameters& p) { return p.word("cut") == "contiguous"; },
    .backward = backward_split_heads,
    .gradient_why =
        "Putting heads side by side changes no number: each head gets its own columns."};

}  // namespace attn::ops

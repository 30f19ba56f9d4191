// h × T × d → T × h·d: the heads side by side; in another order as a known mistake.
#include <algorithm>

#include "core/operations/heads/head_cuts.hpp"
#include "core/operations/operations.hpp"
#include "core/operations/shape_rules.hpp"

namespace attn::ops {
namespace {

/// Which head is in place `place`.
Index head_in(const Parameters& p, Index place) {
  if (p.find("order") == nullptr) return place;
  return p.counts("order")[static_cast<std::size_t>(place)];
}

std::string_view cut_of(const Parameters& p) {
  return p.find("cut") == nullptr ? "contiguous" : std::string_view(p.word("cut"));
}

/// Where row `row`, column `col` of the merged matrix comes from.
Cell before_merge(const Call& call, const Cell& cell) {
  const Index heads = call[0].heads(), rows = call[0].rows(), d = call[0].cols();
  const std::string_view cut = cut_of(call.parameters);
  if (cut == "interleaved") return {cell.batch, cell.col % heads, cell.row, cell.col / heads};
  if (cut == "reshaped") {  // the flat numbers cut again, without exchanging head and row
    const Index flat = cell.row * heads * d + cell.col;
    return {cell.batch, flat / (rows * d), flat / d % rows, flat % d};
  }
  return {cell.batch, head_in(call.parameters, cell.col / d), cell.row, cell.col % d};
}

Tensor evaluate_merge_heads(const Call& call) {
  Tensor y = Tensor::unset(call.shape);
  const Index d = call[0].cols();
  for (Index b = 0; b < y.batch(); ++b) {
    for (Index r = 0; r < y.rows(); ++r) {
      if (cut_of(call.parameters) == "contiguous") {
        const auto to = y.row(b, 0, r);
        for (Index place = 0; place < call[0].heads(); ++place) {
          const auto from = call[0].row(b, head_in(call.parameters, place), r);
          std::copy(from.begin(), from.end(), to.begin() + place * d);
        }
        continue;
      }
      for (Index c = 0; c < y.cols(); ++c)
        y.at({b, 0, r, c}) = call[0].at(before_merge(call, {b, 0, r, c}));
    }
  }
  return y;
}

Expression derive_merge_heads(const Call& call, const Cell& cell) {
  return leaf(call[0], 0, before_merge(call, cell));
}

MaybeShape shape_of_merge_heads(Shapes in, const Parameters& p, const Shape&) {
  if (!in[0].heads) return std::nullopt;
  if (p.find("order") != nullptr) {
    const std::vector<Index>& order = p.counts("order");
    if (std::ssize(order) != *in[0].heads) return std::nullopt;
    for (const Index head : order) {
      if (head >= *in[0].heads) return std::nullopt;
    }
  }
  return Shape{in[0].batch, std::nullopt, in[0].rows, *in[0].heads * in[0].cols};
}

const char* formula_of_merge_heads(const Parameters& p) {
  if (p.find("order") != nullptr) return "{0} side by side, in the order {order}";
  if (cut_of(p) == "interleaved") return "columns of {0} in turn";
  if (cut_of(p) == "reshaped") return "{0} reshaped to one matrix";
  return merge_heads.formula;
}

bool in_order(const Parameters& p) {
  return cut_of(p) == "contiguous" && p.find("order") == nullptr;
}

constexpr ParameterField kMergeHeadsFields[] = {
    {.name = "cut",
     .kind = ParameterField::Kind::Word,
     .summary = "where columns come from; anything but contiguous is a known mistake",
     .words = kCuts,
     .required = false},
    {.name = "order",
     .kind = ParameterField::Kind::Counts,
     .summary = "the heads from left to right, if they are not in order",
     .least = 0,
     .required = false}};

std::vector<Share> backward_merge_heads(const Differentiated& step) {
  if (step.parameters.find("order") != nullptr) return {};  // a mistake
  return {{0,
           &split_heads,
           {step.gradient},
           {{"heads", *step.shapes[0].heads}, {"cut", std::string(cut_of(step.parameters))}}}};
}

}  // namespace

const Operation merge_heads{
    .name = "merge_heads",
    .formula = "{0} side by side",
    .shape_rule = {1, 1, "Only heads can be put side by side.", shape_of_merge_heads},
    .evaluate = evaluate_merge_heads,
    .derive = derive_merge_heads,
    .fields = kMergeHeadsFields,
    .formula_for = formula_of_merge_heads,
    .only_rearranges = in_order,
    .backward = backward_merge_heads,
    .gradient_why = "Cutting into heads changes no number: each goes back to its column."};

}  // namespace attn::ops

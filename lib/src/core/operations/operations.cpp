#include <algorithm>
#include <array>
#include <cassert>

#include "core/operations/op_functions.hpp"

namespace attn {
namespace {

Tensor evaluate_given(Inputs, const Parameters&) { return {}; }
Expression derive_given(Inputs, const Parameters&, const Cell&) { return {}; }

// In the order of the enumeration: op, name, formula in text and LaTeX, the two functions.
constexpr std::array kOperations = {
    Operation{Op::Given, "given", "", "", evaluate_given, derive_given},
    Operation{Op::Linear, "linear", "{0}·{1}[ + {2}]", "{0} {1}[ + {2}]", ops::linear,
              ops::derive_linear},
    Operation{Op::SplitHeads, "split_heads", "{0} cut into {p} heads",
              "\\operatorname{split}_{{p}}({0})", ops::split_heads, ops::derive_split_heads},
    Operation{Op::AppendRows, "append_rows", "{0} above {1}[ above {2}]",
              "\\begin{bmatrix} {0} \\\\ {1}[ \\\\ {2}] \\end{bmatrix}", ops::append_rows,
              ops::derive_append_rows},
    Operation{Op::Sinusoid, "sinusoid", "sin, cos of position / {p}", "\\sin, \\cos(pos / {p})",
              ops::sinusoid, ops::derive_sinusoid},
    Operation{Op::Rotate, "rotate", "{0} turned by {p}", "\\operatorname{rope}({0})", ops::rotate,
              ops::derive_rotate},
    Operation{Op::AlibiBias, "alibi_bias", "−slope·|query − key|[ + {0}]", "-m_h |i - j|[ + {0}]",
              ops::alibi_bias, ops::derive_alibi_bias},
    Operation{Op::MultiplyTransposed, "multiply_transposed", "{0}·{1}ᵀ", "{0} {1}^\\top",
              ops::multiply_transposed, ops::derive_multiply_transposed},
    Operation{Op::Scale, "scale", "{0}{p}", "{0}{p}", ops::scale, ops::derive_scale},
    Operation{Op::Softcap, "softcap", "{p}·tanh({0} / {p})",
              "{p} \\tanh\\left(\\frac{{0}}{{p}}\\right)", ops::softcap, ops::derive_softcap},
    Operation{Op::Add, "add", "{0} + {1}", "{0} + {1}", ops::add, ops::derive_add},
    Operation{Op::Hide, "hide", "{0}[ + {2}]{p}", "{0}[ + {2}]{p}", ops::hide, ops::derive_hide},
    Operation{Op::Softmax, "softmax", "softmax({0})", "\\operatorname{softmax}({0})", ops::softmax,
              ops::derive_softmax},
    Operation{Op::RowMax, "row_max", "largest of each row of {0}", "\\max_j {0}_{ij}", ops::row_max,
              ops::derive_row_max},
    Operation{Op::ExpShifted, "exp_shifted", "e^({0} − {1})", "e^{{0} - {1}}", ops::exp_shifted,
              ops::derive_exp_shifted},
    Operation{Op::RowSum, "row_sum", "sum of each row of {0}", "\\sum_j {0}_{ij}", ops::row_sum,
              ops::derive_row_sum},
    Operation{Op::DivideRows, "divide_rows", "{0} / {1}", "{0} / {1}", ops::divide_rows,
              ops::derive_divide_rows},
    Operation{Op::MultiplyElements, "multiply_elements", "{0} ∘ {1}", "{0} \\odot {1}",
              ops::multiply_elements, ops::derive_multiply_elements},
    Operation{Op::Renormalize, "renormalize", "{0} / row sums", "{0}_{ij} / \\sum_j {0}_{ij}",
              ops::renormalize, ops::derive_renormalize},
    Operation{Op::KeepRows, "keep_rows", "{0}, padded queries zero", "{0} \\odot {1}",
              ops::keep_rows, ops::derive_keep_rows},
    Operation{Op::Multiply, "multiply", "{0}·{1}", "{0} {1}", ops::multiply, ops::derive_multiply},
    Operation{Op::MergeHeads, "merge_heads", "{0} side by side", "\\operatorname{concat}({0})",
              ops::merge_heads, ops::derive_merge_heads},
    Operation{Op::Copy, "copy", "{0}", "{0}", ops::copy, ops::derive_copy},
};

constexpr bool in_order() {
  for (std::size_t i = 0; i < kOperations.size(); ++i) {
    if (kOperations[i].op != static_cast<Op>(i)) return false;
  }
  return true;
}
static_assert(in_order());

}  // namespace

const Operation& operation(Op op) { return kOperations.at(static_cast<std::size_t>(op)); }

const Operation* find_operation(std::string_view name) {
  const auto row = std::find_if(kOperations.begin(), kOperations.end(),
                                [&](const Operation& each) { return each.name == name; });
  return row == kOperations.end() ? nullptr : &*row;
}

}  // namespace attn

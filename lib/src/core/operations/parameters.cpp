#include "core/operations/parameters.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <utility>

namespace attn {
namespace {

/// A number in a formula: the shortest text that means it, −∞ as a sign.
std::string number_text(double number, const char* infinity = "∞", const char* minus = "−") {
  if (std::isinf(number)) return (number < 0 ? minus : "") + std::string(infinity);
  std::array<char, 32> buffer{};
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), number);
  return {buffer.data(), end.ptr};
}

void word_split(Parameters& p) { p.text = p.latex = std::to_string(p.heads); }

void word_scale(Parameters& p) {
  if (p.divisor != 0.0) {
    p.text = " / √d_k";
    p.latex = " / \\sqrt{d_k}";
    p.symbol = "√" + std::to_string(std::lround(p.divisor * p.divisor));
  } else {
    p.text = "·" + number_text(p.number);
    p.latex = " \\cdot " + number_text(p.number);
  }
}

void word_softcap(Parameters& p) { p.text = p.latex = number_text(p.number); }

void word_hide(Parameters& p) {
  p.text = (p.add ? " + (" : ", ") + number_text(p.number) + " where mask = 0" + (p.add ? ")" : "");
  p.latex = (p.add ? " + " : ",\\; ") + number_text(p.number, "\\infty", "-") +
            " \\text{ where mask} = 0";
}

void word_sinusoid(Parameters& p) {
  p.text = number_text(p.base) + "^(2i/d_model)";
  p.latex = number_text(p.base) + "^{2i/d_{\\text{model}}}";
}

void word_rotate(Parameters& p) {
  p.text = "position / " + number_text(p.base) + "^(2i/" + std::to_string(p.rotary_dim) + ")";
}

/// How the parameters of an operation are told; the others' formulas show none.
struct Wording {
  Op op;
  void (*word)(Parameters& p);
};
constexpr std::array kWordings = {
    Wording{Op::SplitHeads, word_split}, Wording{Op::Sinusoid, word_sinusoid},
    Wording{Op::Rotate, word_rotate},    Wording{Op::Scale, word_scale},
    Wording{Op::Softcap, word_softcap},  Wording{Op::Hide, word_hide},
};

}  // namespace

Parameters worded(Op op, Parameters p) {
  for (const Wording& row : kWordings) {
    if (row.op == op) row.word(p);
  }
  return p;
}

Parameters split_parameters(Index heads, HeadCut cut) {
  Parameters p;
  p.heads = heads;
  p.cut = cut;
  return worded(Op::SplitHeads, std::move(p));
}

Parameters scale_parameters(const Problem& problem) {
  Parameters p;
  p.number = *problem.scale;
  if (problem.scale_is_default) p.divisor = std::sqrt(static_cast<double>(problem.d_k));
  return worded(Op::Scale, std::move(p));
}

Parameters softcap_parameters(double cap) {
  Parameters p;
  p.number = cap;
  return worded(Op::Softcap, std::move(p));
}

Parameters hide_parameters(const Problem& problem) {
  Parameters p;
  p.number = problem.fill;
  p.add = problem.masking == MaskingMode::Add;
  return worded(Op::Hide, std::move(p));
}

Parameters softmax_parameters(const Problem& problem, SoftmaxOver over) {
  Parameters p;
  p.empty_row = problem.empty_row;
  p.over = over;
  p.dtype = problem.dtype;
  return p;
}

Parameters sinusoid_parameters(const Problem& problem) {
  Parameters p;
  p.shape = problem.x->shape();
  p.base = *problem.positions.base;
  p.offsets = {*problem.positions.offset};
  return worded(Op::Sinusoid, std::move(p));
}

Parameters rotate_parameters(const Problem& problem, const std::vector<Index>& offsets) {
  Parameters p;
  p.base = *problem.positions.base;
  p.rotary_dim = *problem.positions.rotary_dim;
  p.interleaved = problem.positions.kind == PositionKind::RopeInterleaved;
  p.offsets = offsets;
  for (Index& offset : p.offsets) offset += *problem.positions.offset;
  return worded(Op::Rotate, std::move(p));
}

Parameters alibi_parameters(const Problem& problem) {
  Parameters p;
  p.shape = {problem.batch, problem.heads, problem.n_queries, problem.n_keys};
  p.offsets = problem.query_offsets;
  p.slopes = problem.positions.slopes;
  p.n_distances = problem.n_keys - problem.n_extra;
  return p;
}

bool is_rotary(PositionKind kind) {
  return kind == PositionKind::Rope || kind == PositionKind::RopeInterleaved;
}

bool acts_before_softmax(MaskingMode mode) {
  return mode == MaskingMode::Replace || mode == MaskingMode::Add;
}

}  // namespace attn

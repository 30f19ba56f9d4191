#include "core/parameters.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace attn {
namespace {

/// A number in a formula: the shortest text that means it, −∞ as a sign.
std::string number_text(double number, const char* infinity = "∞", const char* minus = "−") {
  if (std::isinf(number)) return (number < 0 ? minus : "") + std::string(infinity);
  std::array<char, 32> buffer{};
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), number);
  return {buffer.data(), end.ptr};
}

}  // namespace

Parameters split_parameters(Index heads, HeadCut cut) {
  Parameters p;
  p.heads = heads;
  p.cut = cut;
  p.text = p.latex = std::to_string(heads);
  return p;
}

Parameters scale_parameters(const Problem& problem) {
  Parameters p;
  p.number = *problem.scale;
  if (problem.scale_is_default) {
    p.divisor = std::sqrt(static_cast<double>(problem.d_k));
    p.text = " / √d_k";
    p.latex = " / \\sqrt{d_k}";
    p.symbol = "√" + std::to_string(problem.d_k);
  } else {
    p.text = "·" + number_text(p.number);
    p.latex = " \\cdot " + number_text(p.number);
  }
  return p;
}

Parameters softcap_parameters(double cap) {
  Parameters p;
  p.number = cap;
  p.text = p.latex = number_text(cap);
  return p;
}

Parameters hide_parameters(const Problem& problem) {
  Parameters p;
  p.number = problem.fill;
  p.add = problem.masking == MaskingMode::Add;
  p.text = (p.add ? " + (" : ", ") + number_text(p.number) + " where mask = 0" + (p.add ? ")" : "");
  p.latex = (p.add ? " + " : ",\\; ") + number_text(p.number, "\\infty", "-") +
            " \\text{ where mask} = 0";
  return p;
}

Parameters softmax_parameters(EmptyRow empty_row, SoftmaxOver over) {
  Parameters p;
  p.empty_row = empty_row;
  p.over = over;
  return p;
}

bool acts_before_softmax(MaskingMode mode) {
  return mode == MaskingMode::Replace || mode == MaskingMode::Add;
}

}  // namespace attn

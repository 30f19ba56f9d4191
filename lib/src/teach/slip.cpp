// Slips: wrong cells that a moment of inattention explains.
#include "teach/slip.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

namespace attn {
namespace {

/// The wrong cells of a matrix: what is written, and what was expected in its place.
struct WrongCells {
  const Tensor& theirs;
  const Tensor& expected;
  Closeness close;
  std::vector<std::size_t> at;

  double written(std::size_t i) const { return theirs.data()[i]; }
  double wanted(std::size_t i) const { return expected.data()[i]; }
};

bool other_sign(const WrongCells& w, std::size_t i) {
  return w.close.agree(-w.written(i), w.wanted(i));
}

bool other_point(const WrongCells& w, std::size_t i) {
  if (std::abs(w.wanted(i)) < 5.0 * w.close.tolerance) return false;
  for (const double factor : {0.001, 0.01, 0.1, 10.0, 100.0, 1000.0}) {
    const double room = std::max({0.5 * w.close.grain, 0.005 * std::abs(w.wanted(i)), 1e-9}) *
                        std::max(1.0, factor);
    if (std::abs(w.written(i) - w.wanted(i) * factor) <= room) return true;
  }
  return false;
}

/// Whether another wrong cell holds what belongs here, and the other way round.
bool exchanged(const WrongCells& w, std::size_t i) {
  return std::any_of(w.at.begin(), w.at.end(), [&](std::size_t j) {
    return j != i && w.close.agree(w.written(i), w.wanted(j)) &&
           w.close.agree(w.written(j), w.wanted(i));
  });
}

bool nearly(const WrongCells& w, std::size_t i) {
  return std::abs(w.written(i) - w.wanted(i)) <= 3.0 * w.close.tolerance;
}

/// One digit is another, or two neighbours are exchanged, at the decimals that were written.
bool other_digit(const WrongCells& w, std::size_t i) {
  const double grain = std::max(w.close.grain, 1e-6);
  const int decimals = static_cast<int>(std::lround(-std::log10(grain)));
  const auto digits = [&](double x) {
    std::array<char, 64> text{};
    std::snprintf(text.data(), text.size(), "%+024.*f", decimals, x);
    return std::string(text.data());
  };
  if (std::abs(w.written(i)) > 1e15 || std::abs(w.wanted(i)) > 1e15) return false;
  const std::string a = digits(w.written(i)), b = digits(w.wanted(i));
  std::vector<std::size_t> differ;
  for (std::size_t k = 0; k < std::min(a.size(), b.size()); ++k) {
    if (a[k] != b[k]) differ.push_back(k);
  }
  if (differ.size() == 1) return a[differ[0]] != '-' && a[differ[0]] != '+';
  return differ.size() == 2 && differ[1] == differ[0] + 1 && a[differ[0]] == b[differ[1]] &&
         a[differ[1]] == b[differ[0]];
}

struct SlipRow {
  const char* code;
  bool (*explains)(const WrongCells& cells, std::size_t i);
  bool any_number;  ///< of cells; the others are slips only while they are few
};

constexpr std::array kSlips = {
    SlipRow{"slip.sign", other_sign, false}, SlipRow{"slip.decimal_point", other_point, false},
    SlipRow{"slip.neighbour", exchanged, true}, SlipRow{"slip.rounded_early", nearly, true},
    SlipRow{"slip.digit", other_digit, false}};

}  // namespace

bool name_slips(const Case& known, Judged& judged) {
  const Tensor* follows = known.follows.made(judged.step->id);
  if (!judged.theirs || follows == nullptr || !(follows->shape() == judged.step->value.shape()))
    return false;
  for (const Tensor* expected : {follows, &judged.step->value}) {
    WrongCells wrong{*judged.theirs, *expected, judged.close, {}};
    std::size_t filled = 0;
    for (std::size_t i = 0; i < judged.report.cells.size(); ++i) {
      filled += judged.filled(i);
      if (judged.report.cells[i] == CellVerdict::Wrong) wrong.at.push_back(i);
    }
    const std::size_t few = std::max<std::size_t>(2, filled / 8);
    std::vector<Finding> findings;
    std::size_t explained = 0;
    std::vector<bool> done(wrong.at.size());
    for (const SlipRow& slip : kSlips) {
      if (!slip.any_number && wrong.at.size() > few) continue;
      Index matched = 0;
      for (std::size_t k = 0; k < wrong.at.size(); ++k) {
        if (done[k] || !slip.explains(wrong, wrong.at[k])) continue;
        done[k] = true;
        ++matched;
      }
      if (matched == 0) continue;
      const Mistake& words = *find_mistake(slip.code);
      findings.push_back({.code = slip.code,
                          .confidence = Confidence::Possible,
                          .basis = expected == follows ? Basis::Own : Basis::True,
                          .matched = matched,
                          .of = std::ssize(wrong.at),
                          .message = words.explanation,
                          .hint = words.hint,
                          .see = words.see});
      explained += static_cast<std::size_t>(matched);
    }
    if (explained < wrong.at.size() || wrong.at.empty()) continue;
    judged.report.findings.insert(judged.report.findings.end(), findings.begin(), findings.end());
    return true;
  }
  return false;
}

}  // namespace attn

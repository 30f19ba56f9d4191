// The ways to get softmax wrong: over other cells, with another base, without a sum.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string_view>

#include "core/operations/operations.hpp"
#include "core/operations/products/products.hpp"
#include "core/operations/rows.hpp"
#include "core/tensor/slices.hpp"

namespace attn::ops {
namespace {

/// Which cells share a maximum or a sum.
enum class Group { None, Cell, Row, Column, Matrix, Heads, Batch };

/// One way: exponentials, what is subtracted before, and what they are divided by.
struct Way {
  const char* name;
  double base;                 ///< of the exponentials; 0: the scores themselves
  Group shifted, summed;       ///< by the maximum and the sum of which cells
  bool sum_of_column = false;  ///< divides by the row sum of row j instead of row i
  const char* formula;
};

constexpr double kE = 2.718281828459045;
constexpr std::array kWays = {
    Way{"columns", kE, Group::Column, Group::Column, false, "softmax of each column of {0}"},
    Way{"matrix", kE, Group::Matrix, Group::Matrix, false, "softmax of all of {0}"},
    Way{"heads", kE, Group::Heads, Group::Heads, false, "softmax of {0} over the heads"},
    Way{"batch", kE, Group::Batch, Group::Batch, false, "softmax of {0} over the batch"},
    Way{"single", kE, Group::Cell, Group::Cell, false, "softmax of each cell of {0}"},
    Way{"no_keepdims", kE, Group::None, Group::Row, true, "e^{0} / (row sums as a row)"},
    Way{"no_keepdims_shifted", kE, Group::Row, Group::Row, true,
        "e^({0} − row maximum) / (row sums as a row)"},
    Way{"column_max", kE, Group::Column, Group::Row, false, "e^({0} − column maximum) / row sums"},
    Way{"no_exp", 0.0, Group::None, Group::Row, false, "{0} / row sums"},
    Way{"not_normalised", kE, Group::None, Group::None, false, "e^{0}"},
    Way{"not_normalised_shifted", kE, Group::Row, Group::None, false, "e^({0} − row maximum)"},
    Way{"overflow", kE, Group::None, Group::Row, false, "e^{0} / row sums"},
    // Only in traces of version 0.2: now it is two steps.
    Way{"twice", kE, Group::Row, Group::Row, false, "softmax(softmax({0}))"},
    Way{"base_2", 2.0, Group::Row, Group::Row, false, "2^{0} / row sums"},
    Way{"base_10", 10.0, Group::Row, Group::Row, false, "10^{0} / row sums"},
    Way{"causal", kE, Group::Row, Group::Row, false, "softmax of {0} without later keys"},
    Way{"masked_after", kE, Group::Row, Group::Row, false, "softmax({0}) ∘ {1}"},
    Way{"scaled_after", kE, Group::Row, Group::Row, false, "softmax({0})·{factor}"},
};

const Way& way_of(const Parameters& p) {
  const std::string& name = p.word("way");
  return *std::find_if(kWays.begin(), kWays.end(),
                       [&](const Way& way) { return way.name == name; });
}

bool is_twice(const Way& way) { return std::string_view(way.name) == "twice"; }

/// A cell that is the same for all cells of a group.
inline Cell key_of(Group group, const Cell& cell) {
  switch (group) {
    case Group::Row:
      return {cell.batch, cell.head, cell.row, 0};
    case Group::Column:
      return {cell.batch, cell.head, 0, cell.col};
    case Group::Matrix:
      return {cell.batch, cell.head, 0, 0};
    case Group::Heads:
      return {cell.batch, 0, cell.row, cell.col};
    case Group::Batch:
      return {0, cell.head, cell.row, cell.col};
    case Group::None:
    case Group::Cell:
      break;
  }
  return cell;
}

/// Calls f(cell) for every cell.
template <typename F>
void for_each_cell(const Tensor& x, F f) {
  for_each_slice(x, [&](Index b, Index h) {
    for (Index r = 0; r < x.rows(); ++r) {
      for (Index c = 0; c < x.cols(); ++c) f(Cell{b, h, r, c});
    }
  });
}

/// The same by places in the data: f(place of the cell, place of its group's key).
template <typename F>
void for_each_place(const Tensor& x, Group group, F f) {
  const Index cells = x.rows() * x.cols();
  std::size_t place = 0;
  for_each_cell(x, [&](const Cell& cell) {
    const Cell key = key_of(group, cell);
    const Index slice = key.batch * x.heads() + key.head;
    f(place++, static_cast<std::size_t>(slice * cells + key.row * x.cols() + key.col));
  });
}

/// In the way that hides later keys, the scores without them; the last key goes with the last
/// query.
Tensor seen(Tensor x, const Way& way) {
  if (std::string_view(way.name) != "causal") return x;
  for_each_slice(x, [&](Index b, Index h) {
    for (Index r = 0; r < x.rows(); ++r) {
      for (Index c = std::max(r + 1 + x.cols() - x.rows(), Index{0}); c < x.cols(); ++c)
        x.at({b, h, r, c}) = kHidden;
    }
  });
  return x;
}

/// Scores that are taken as shares, without e^x: hidden ones are 0.
Tensor without_hidden(Tensor x) {
  for (double& score : x.edit()) {
    if (score == kHidden) score = 0.0;
  }
  return x;
}

/// The numbers to be divided by their sums.
Tensor numerators(const Tensor& x, const Way& way) {
  if (way.base == 0.0) return without_hidden(x);
  Tensor most(x.shape(), kHidden), y(x.shape());
  const double* from = x.data().data();
  double* m = most.edit().data();
  for_each_place(x, way.shifted, [&](std::size_t i, std::size_t key) {
    m[key] = std::isnan(from[i]) ? from[i] : std::max(m[key], from[i]);
  });
  const double log_base = std::log(way.base);
  for_each_place(x, way.shifted, [&](std::size_t i, std::size_t key) {
    const double shift = way.shifted == Group::None ? 0.0 : m[key];
    y.edit()[i] = from[i] == kHidden ? 0.0 : std::exp((from[i] - shift) * log_base);
  });
  return y;
}

/// The key of the group whose sum divides `cell`: its own, or by mistake that of row j.
Cell divisor_of(const Way& way, Group group, Cell cell) {
  if (way.sum_of_column) cell.row = cell.col;
  return key_of(group, cell);
}

/// 0/0: the policy for a row whose keys are all hidden; not a number where all exponentials of a
/// row are too small; 1 for a single number, whatever it is; for other hidden cells not a number if
/// the policy is that, else 0.
double without_sum(const Tensor& x, Group group, const Cell& cell, const Parameters& p) {
  if (group == Group::Cell) return 1.0;
  if (group != Group::Row)
    return p.word("empty_row") == "nan" ? std::numeric_limits<double>::quiet_NaN() : 0.0;
  const double most = largest_of(x.row(cell.batch, cell.head, cell.row));
  return most == kHidden ? empty_value(p, x.cols()) : std::numeric_limits<double>::quiet_NaN();
}

Tensor shares(const Tensor& x, const Way& way, const Parameters& p) {
  Tensor y = numerators(x, way);
  if (way.summed == Group::None) return y;
  Tensor sums(x.shape());
  for_each_place(y, way.summed,
                 [&](std::size_t i, std::size_t key) { sums.edit()[key] += y.data()[i]; });
  std::size_t i = 0;
  for_each_cell(y, [&](const Cell& cell) {
    const double total = sums.at(divisor_of(way, way.summed, cell));
    double& share = y.edit()[i++];
    share = total == 0.0 ? without_sum(x, way.summed, cell, p) : share / total;
  });
  return y;
}

Tensor evaluate_mistaken_softmax(const Call& call) {
  const Parameters& p = call.parameters;
  const Way& way = way_of(p);
  Tensor y = shares(seen(call[0], way), way, p);
  if (is_twice(way)) y = shares(y, way, p);
  if (call.inputs.size() > 1) y = by_cells(y, call[1], [](double a, double m) { return a * m; });
  if (p.find("factor") != nullptr) {
    for (double& a : y.edit()) a *= p.number("factor");
  }
  return y;
}

/// The cells that share a maximum or a sum with `cell`, which is one of them.
std::vector<Cell> group_of(const Tensor& x, Group group, const Cell& cell) {
  std::vector<Cell> cells;
  const auto along = [&](Index Cell::*axis, Index size, bool shared, const Cell& of, auto next) {
    Cell each = of;
    for (Index i = 0; i < (shared ? size : 1); ++i) {
      if (shared) each.*axis = i;
      next(each);
    }
  };
  const bool all = group == Group::Matrix;
  along(&Cell::batch, x.batch(), group == Group::Batch, cell, [&](const Cell& b) {
    along(&Cell::head, x.heads(), group == Group::Heads, b, [&](const Cell& h) {
      along(&Cell::row, x.rows(), all || group == Group::Column, h, [&](const Cell& r) {
        along(&Cell::col, x.cols(), all || group == Group::Row, r,
              [&](const Cell& c) { cells.push_back(c); });
      });
    });
  });
  return cells;
}

double largest(const Tensor& x, const std::vector<Cell>& cells) {
  double most = kHidden;
  for (const Cell& each : cells) most = std::max(most, x.at(each));
  return most;
}

/// base^x, or base^(x − maximum of its group) in the ways that subtract one.
Expression power(const Tensor& x, const Cell& cell, const Way& way) {
  if (x.at(cell) == kHidden) return constant(0.0);
  if (way.base == 0.0) return leaf(x, 0, cell);
  std::vector<Expression> exponent{leaf(x, 0, cell)};
  if (way.shifted != Group::None && way.shifted != Group::Cell)
    exponent.push_back(constant(-largest(x, group_of(x, way.shifted, cell))));
  Expression e = sum(std::move(exponent));
  if (way.base != kE)
    e = product(std::move(e), constant(std::log(way.base), way.base == 2.0 ? "ln 2" : "ln 10"));
  return exponential(std::move(e));
}

Expression derive_share(const Tensor& x, const Cell& cell, const Way& way, const Parameters& p) {
  if (way.summed == Group::None) return power(x, cell, way);
  std::vector<Expression> terms;
  double total = 0.0;
  for (const Cell& each : group_of(x, way.summed, divisor_of(way, way.summed, cell))) {
    terms.push_back(power(x, each, way));
    total += terms.back().value;
  }
  if (total != 0.0) return quotient(power(x, cell, way), sum(std::move(terms)));
  const double none = without_sum(x, way.summed, cell, p);
  const bool policy = way.summed == Group::Row && !std::isnan(none);
  return policy ? empty_weight(p, x.cols()) : constant(none);
}

/// The second softmax, with the numbers of the first.
Expression derive_second(const Tensor& first, const Cell& cell) {
  std::vector<Expression> terms;
  for (const double share : first.row(cell.batch, cell.head, cell.row))
    terms.push_back(exponential(constant(share)));
  return quotient(exponential(constant(first.at(cell))), sum(std::move(terms)));
}

Expression derive_mistaken_softmax(const Call& call, const Cell& cell) {
  const Parameters& p = call.parameters;
  const Way& way = way_of(p);
  const Tensor x = seen(call[0], way);
  Expression y =
      is_twice(way) ? derive_second(shares(x, way, p), cell) : derive_share(x, cell, way, p);
  if (call.inputs.size() > 1) y = product(std::move(y), leaf(call[1], 1, cell));
  if (p.find("factor") != nullptr) y = product(std::move(y), constant(p.number("factor")));
  return y;
}

MaybeShape shape_of_mistaken_softmax(Shapes in, const Parameters& p, const Shape& own) {
  if (way_of(p).sum_of_column && in[0].rows != in[0].cols) return std::nullopt;
  if (in.size() > 1) return cells_meet(in, p, own);
  return in[0];
}

const char* formula_of_mistaken_softmax(const Parameters& p) { return way_of(p).formula; }

constexpr auto kNames = [] {
  std::array<const char*, kWays.size()> names{};
  for (std::size_t i = 0; i < names.size(); ++i) names[i] = kWays[i].name;
  return names;
}();
constexpr ParameterField kMistakenSoftmaxFields[] = {{.name = "way",
                                                      .kind = ParameterField::Kind::Word,
                                                      .summary = "what is wrong",
                                                      .words = kNames},
                                                     kEmptyRowField,
                                                     {.name = "factor",
                                                      .kind = ParameterField::Kind::Number,
                                                      .summary = "what multiplies the weights",
                                                      .required = false}};

}  // namespace

const Operation mistaken_softmax{
    .name = "mistaken_softmax",
    .formula = "wrong softmax({0})",
    .shape_rule = {1, 2, "Row sums taken as a row need as many queries as keys.",
                   shape_of_mistaken_softmax},
    .evaluate = evaluate_mistaken_softmax,
    .derive = derive_mistaken_softmax,
    .fields = kMistakenSoftmaxFields,
    .formula_for = formula_of_mistaken_softmax,
    .sums_over_keys = always};

}  // namespace attn::ops

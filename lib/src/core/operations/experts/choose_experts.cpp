// The scores of the chosen experts, 0 for all others: Shazeer et al. 2017.
// Groups as in DeepSeek-V2 and V3, 2024.
#include <algorithm>
#include <numeric>

#include "core/operations/experts/choose.hpp"
#include "core/operations/operations.hpp"
#include "core/operations/shape_rules.hpp"
#include "core/tensor/slices.hpp"

namespace attn::ops {
namespace {

constexpr double kPreferred = 1e3;  // more than scores and biases differ by

bool flag_of(const Parameters& p, const char* name) {
  return p.find(name) != nullptr && p.flag(name);
}

/// The places of the `n` largest numbers, ascending; of equal ones, the first.
std::vector<Index> places_of_largest(std::span<const double> numbers, Index n) {
  std::vector<Index> places(numbers.size());
  std::iota(places.begin(), places.end(), Index{0});
  std::stable_sort(places.begin(), places.end(), [&](Index a, Index b) {
    return numbers[static_cast<std::size_t>(a)] > numbers[static_cast<std::size_t>(b)];
  });
  places.resize(static_cast<std::size_t>(std::min(n, std::ssize(numbers))));
  std::sort(places.begin(), places.end());
  return places;
}

/// Sets what is outside the best groups to 0.
void keep_best_groups(const Parameters& p, std::vector<double>& scores) {
  const auto groups = static_cast<std::size_t>(p.count("groups"));
  const std::size_t size = scores.size() / groups;
  std::vector<double> worth;
  for (std::size_t g = 0; g < groups; ++g) {
    std::vector<double> own(scores.begin() + static_cast<std::ptrdiff_t>(g * size),
                            scores.begin() + static_cast<std::ptrdiff_t>((g + 1) * size));
    std::sort(own.rbegin(), own.rend());
    worth.push_back(flag_of(p, "group_sum") && size > 1 ? own[0] + own[1] : own[0]);
  }
  const std::vector<Index> kept = places_of_largest(worth, p.count("kept_groups"));
  for (std::size_t i = 0; i < scores.size(); ++i) {
    if (!std::binary_search(kept.begin(), kept.end(), static_cast<Index>(i / size))) scores[i] = 0;
  }
}

Tensor evaluate_choose_experts(const Call& call) {
  Tensor y(call.shape);
  for_each_slice(y, [&](Index b, Index h) {
    for (Index r = 0; r < y.rows(); ++r) {
      const auto scores = call[0].row(b, h, r);
      const std::vector<Index> chosen = experts_of_row(call, 0, {b, h, r, 0});
      const double sum = chosen_sum(call.parameters, scores, chosen);
      for (const Index e : chosen)
        y.at({b, h, r, e}) =
            router_factor(call.parameters) * (scores[static_cast<std::size_t>(e)] / sum);
    }
  });
  return y;
}

Expression derive_choose_experts(const Call& call, const Cell& cell) {
  const Parameters& p = call.parameters;
  const std::vector<Index> chosen = experts_of_row(call, 0, cell);
  if (!std::binary_search(chosen.begin(), chosen.end(), cell.col)) {
    Expression none = constant(0.0);
    none.reason = "this token does not choose this expert";
    return none;
  }
  Expression own = leaf(call[0], 0, cell);
  if (p.flag("renormalize")) {
    std::vector<Expression> parts;
    for (const Index e : chosen)
      parts.push_back(leaf(call[0], 0, {cell.batch, cell.head, cell.row, e}));
    own = quotient(std::move(own), sum(std::move(parts)));
  }
  if (p.find("factor") != nullptr) own = product(constant(router_factor(p)), std::move(own));
  return own;
}

MaybeShape shape_of_choose_experts(Shapes in, const Parameters& p, const Shape&) {
  const Index experts = in[0].cols;
  const bool grouped = p.find("groups") != nullptr;
  const bool divides =
      !grouped || (p.find("kept_groups") != nullptr && experts % p.count("groups") == 0 &&
                   p.count("kept_groups") <= p.count("groups"));
  const bool biased = in.size() < 2 || in[1] == Shape{{}, {}, 1, experts};
  return p.count("top_k") <= experts && divides && biased ? MaybeShape(in[0]) : std::nullopt;
}

const char* formula_of_choose_experts(const Parameters& p) {
  const bool factor = p.find("factor") != nullptr;
  if (p.flag("renormalize"))
    return factor ? "{factor} · the {top_k} largest of each row of {0} / their sum"
                  : "the {top_k} largest of each row of {0} / their sum";
  return factor ? "{factor} · the {top_k} largest of each row of {0}" : choose_experts.formula;
}

std::vector<Share> backward_choose_experts(const Differentiated& step) {
  std::vector<std::string> inputs{step.gradient, step.inputs[0]};
  if (step.inputs.size() > 1) inputs.push_back(step.inputs[1]);
  return {{0, &choose_experts_gradient, std::move(inputs), step.parameters}};
}

}  // namespace

std::vector<Index> chosen_experts(const Parameters& p, std::span<const double> scores,
                                  std::span<const double> bias) {
  std::vector<double> own(scores.begin(), scores.end());
  for (std::size_t i = 0; i < bias.size(); ++i) own[i] += bias[i];
  if (p.find("groups") != nullptr && p.count("groups") > 1) keep_best_groups(p, own);
  return places_of_largest(own, p.count("top_k"));
}

std::vector<Index> experts_of_row(const Call& call, std::size_t scores, const Cell& row) {
  const Parameters& p = call.parameters;
  const Tensor& all = call[scores];
  const auto own = all.row(row.batch, row.head, row.row);
  const bool biased = call.inputs.size() > scores + 1;
  const auto bias = biased ? call[scores + 1].row(0, 0, 0) : std::span<const double>();
  if (p.find("preferred") == nullptr) return chosen_experts(p, own, bias);
  const std::vector<Index>& preferred = p.counts("preferred");
  const Index rows = std::ssize(preferred) / (all.batch() * all.heads() * all.cols());
  const Index first = ((row.batch * all.heads() + row.head) * rows + row.row) * all.cols();
  std::vector<double> raised(own.size());
  for (std::size_t e = 0; e < own.size(); ++e)
    raised[e] = (biased ? bias[e] : 0.0) +
                kPreferred * static_cast<double>(preferred[static_cast<std::size_t>(first) + e]);
  return chosen_experts(p, own, raised);
}

double chosen_sum(const Parameters& p, std::span<const double> scores,
                  const std::vector<Index>& chosen) {
  if (!p.flag("renormalize")) return 1.0;
  double sum = 0.0;
  for (const Index e : chosen) sum += scores[static_cast<std::size_t>(e)];
  return sum;
}

double router_factor(const Parameters& p) {
  return p.find("factor") == nullptr ? 1.0 : p.number("factor");
}

const Operation choose_experts{
    .name = "choose_experts",
    .formula = "the {top_k} largest of each row of {0}",
    .shape_rule = {1, 2, "There are at least as many experts as a row chooses, in equal groups.",
                   shape_of_choose_experts},
    .evaluate = evaluate_choose_experts,
    .derive = derive_choose_experts,
    .fields = kChooseFields,
    .formula_for = formula_of_choose_experts,
    .backward = backward_choose_experts};

}  // namespace attn::ops

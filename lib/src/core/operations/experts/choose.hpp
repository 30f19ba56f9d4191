// Which experts a token chooses, from the scores that a router gives it.
#pragma once

#include <span>
#include <vector>

#include "attn/operation.hpp"

namespace attn::ops {

/// The experts of one row, in ascending order: the `top_k` with the largest scores plus `bias`
/// (empty: none); of equal ones, the first. With `groups`, only those of the `kept_groups` best
/// groups of neighbours count, the others as 0: a group is as good as its largest score, or, with
/// `group_sum`, the sum of its two largest (DeepSeek-V2 and V3, as in Hugging Face).
std::vector<Index> chosen_experts(const Parameters& p, std::span<const double> scores,
                                  std::span<const double> bias);

/// The experts of a row whose scores are input number `scores` and whose bias, if there is one, is
/// the next; those that the parameter `preferred` names come before all others.
std::vector<Index> experts_of_row(const Call& call, std::size_t scores, const Cell& row);

/// What the chosen scores are divided by: their sum, or 1 if they are not renormalised.
double chosen_sum(const Parameters& p, std::span<const double> scores,
                  const std::vector<Index>& chosen);

/// What multiplies them then: 1 unless the router has a factor.
double router_factor(const Parameters& p);

inline constexpr ParameterField kChooseFields[] = {
    {.name = "top_k",
     .kind = ParameterField::Kind::Count,
     .summary = "how many experts each row chooses",
     .least = 1},
    {.name = "renormalize",
     .kind = ParameterField::Kind::Flag,
     .summary = "whether what is chosen is divided by its sum"},
    {.name = "factor",
     .kind = ParameterField::Kind::Number,
     .summary = "what multiplies the weights at the end",
     .required = false},
    {.name = "groups",
     .kind = ParameterField::Kind::Count,
     .summary = "into how many groups of neighbours the experts are divided",
     .least = 1,
     .required = false},
    {.name = "kept_groups",
     .kind = ParameterField::Kind::Count,
     .summary = "how many of the groups count",
     .least = 1,
     .required = false},
    {.name = "group_sum",
     .kind = ParameterField::Kind::Flag,
     .summary = "whether a group counts by the sum of its two largest scores, not by its largest",
     .required = false},
    {.name = "preferred",
     .kind = ParameterField::Kind::Counts,
     .summary = "for each row and expert, 1 if the row takes it before those with 0",
     .least = 0,
     .required = false}};

}  // namespace attn::ops

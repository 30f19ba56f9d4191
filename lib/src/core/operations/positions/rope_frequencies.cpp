// One function per kind of scaled rotary positions, as in the RoPE utilities of transformers.
#include "core/operations/positions/rope_frequencies.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <string_view>

#include "core/operations/positions/row_positions.hpp"

namespace attn {
namespace {

/// What the kinds compute with: base, columns, scaling, and one more than the largest position.
struct Rope {
  double base;
  Index dim;
  const RopeScaling& scaling;
  Index length;

  double plain(Index pair) const { return 1.0 / ops::wavelength(base, pair, dim); }
  /// The length that the model was trained with.
  double trained() const {
    return static_cast<double>(scaling.original_max_position_embeddings.value_or(
        scaling.max_position_embeddings.value_or(0)));
  }
  /// How many times longer texts may be: said, or the ratio of both lengths.
  double factor() const {
    return scaling.factor.value_or(
        static_cast<double>(scaling.max_position_embeddings.value_or(0)) / trained());
  }
};

/// Position interpolation (Chen et al. 2023): all angles divided by the factor.
double linear_frequency(const Rope& rope, Index pair) { return rope.plain(pair) / rope.factor(); }

/// Dynamic NTK: a larger base, once the text is longer than the model was trained for.
double dynamic_frequency(const Rope& rope, Index pair) {
  const double trained = static_cast<double>(rope.scaling.max_position_embeddings.value_or(0));
  const double length = std::max(static_cast<double>(rope.length), trained);
  const double stretch = rope.factor() * length / trained - (rope.factor() - 1.0);
  const auto dim = static_cast<double>(rope.dim);
  return 1.0 / ops::wavelength(rope.base * std::pow(stretch, dim / (dim - 2.0)), pair, rope.dim);
}

/// The pair, not a whole number, that turns `turns` times within the length of training.
double pair_of_turns(const Rope& rope, double turns) {
  return static_cast<double>(rope.dim) *
         std::log(rope.trained() / (turns * 2.0 * std::numbers::pi)) / (2.0 * std::log(rope.base));
}

/// YaRN (Peng et al. 2023): pairs that turn often stay, those that turn seldom are interpolated.
double yarn_frequency(const Rope& rope, Index pair) {
  double low = pair_of_turns(rope, rope.scaling.beta_fast.value_or(32.0));
  double high = pair_of_turns(rope, rope.scaling.beta_slow.value_or(1.0));
  if (rope.scaling.truncate.value_or(true)) {
    low = std::floor(low);
    high = std::ceil(high);
  }
  low = std::max(low, 0.0);
  high = std::min(high, static_cast<double>(rope.dim - 1));
  if (low == high) high += 0.001;
  const double ramp = std::clamp((static_cast<double>(pair) - low) / (high - low), 0.0, 1.0);
  return rope.plain(pair) / rope.factor() * ramp + rope.plain(pair) * (1.0 - ramp);
}

/// Llama 3.1: long waves are interpolated, short ones stay, with a smooth passage in between.
double llama3_frequency(const Rope& rope, Index pair) {
  const double plain = rope.plain(pair);
  const double low = *rope.scaling.low_freq_factor, high = *rope.scaling.high_freq_factor;
  const double turns = rope.trained() * plain / (2.0 * std::numbers::pi);
  const double share = std::clamp((turns - low) / (high - low), 0.0, 1.0);
  return (1.0 - share) * plain / rope.factor() + share * plain;
}

/// LongRoPE (Ding et al. 2024): each pair has its own divisor, one for short texts, one for long.
double long_frequency(const Rope& rope, Index pair) {
  const bool is_long = static_cast<double>(rope.length) > rope.trained();
  const std::vector<double>& factors =
      is_long ? rope.scaling.long_factor : rope.scaling.short_factor;
  return rope.plain(pair) / factors[static_cast<std::size_t>(pair)];
}

double no_factor(const Rope&) { return 1.0; }

double yarn_factor(const Rope& rope) {
  const auto scale = [&](double mscale) {
    return rope.factor() <= 1.0 ? 1.0 : 0.1 * mscale * std::log(rope.factor()) + 1.0;
  };
  const double one = rope.scaling.mscale.value_or(0.0);
  const double all = rope.scaling.mscale_all_dim.value_or(0.0);
  return one != 0.0 && all != 0.0 ? scale(one) / scale(all) : scale(1.0);
}

double long_factor(const Rope& rope) {
  if (rope.factor() <= 1.0) return 1.0;
  return std::sqrt(1.0 + std::log(rope.factor()) / std::log(rope.trained()));
}

/// In the order of RopeScalingKind.
struct ScalingRow {
  const char* name;
  double (*frequency)(const Rope& rope, Index pair);
  double (*attention_factor)(const Rope& rope);  ///< unless the scaling says it
  bool by_length = false;
};

constexpr std::array kScalings = {
    ScalingRow{"default", [](const Rope& rope, Index pair) { return rope.plain(pair); }, no_factor},
    ScalingRow{"linear", linear_frequency, no_factor},
    ScalingRow{"dynamic", dynamic_frequency, no_factor, true},
    ScalingRow{"yarn", yarn_frequency, yarn_factor},
    ScalingRow{"llama3", llama3_frequency, no_factor},
    ScalingRow{"longrope", long_frequency, long_factor, true},
};

const ScalingRow& row_of(const RopeScaling& scaling) {
  return kScalings[static_cast<std::size_t>(scaling.kind)];
}

/// A key, and the kinds that know it or need it.
struct ScalingKey {
  const char* name;
  bool (*given)(const RopeScaling& scaling);
  std::string_view known_to, needed_by;
};

template <auto member>
constexpr bool given(const RopeScaling& scaling) {
  if constexpr (requires { (scaling.*member).empty(); }) return !(scaling.*member).empty();
  if constexpr (requires { (scaling.*member).has_value(); }) return (scaling.*member).has_value();
}

using S = RopeScaling;
constexpr std::string_view kAnyScaling = "linear dynamic yarn llama3 longrope";
constexpr ScalingKey kScalingKeys[] = {
    {"factor", given<&S::factor>, kAnyScaling, "linear dynamic llama3"},
    {"attention_factor", given<&S::attention_factor>, "yarn longrope", ""},
    {"mscale", given<&S::mscale>, "yarn", ""},
    {"mscale_all_dim", given<&S::mscale_all_dim>, "yarn", ""},
    {"beta_fast", given<&S::beta_fast>, "yarn", ""},
    {"beta_slow", given<&S::beta_slow>, "yarn", ""},
    {"truncate", given<&S::truncate>, "yarn", ""},
    {"low_freq_factor", given<&S::low_freq_factor>, "llama3", "llama3"},
    {"high_freq_factor", given<&S::high_freq_factor>, "llama3", "llama3"},
    {"short_factor", given<&S::short_factor>, "longrope", "longrope"},
    {"long_factor", given<&S::long_factor>, "longrope", "longrope"},
    {"max_position_embeddings", given<&S::max_position_embeddings>, "", "dynamic"},
    {"original_max_position_embeddings",
     [](const S& s) {
       return Rope{1, 2, s, 0}.trained() > 0;
     },
     "", "yarn llama3 longrope"},
};

bool lists(std::string_view names, std::string_view name) { return names.find(name) != names.npos; }

}  // namespace

RopeFrequencies rope_frequencies(double base, Index dim, const RopeScaling& scaling, Index length) {
  const Rope rope{base, dim, scaling, length};
  RopeFrequencies made;
  for (Index pair = 0; pair < dim / 2; ++pair)
    made.each.push_back(row_of(scaling).frequency(rope, pair));
  made.attention_factor =
      scaling.attention_factor ? *scaling.attention_factor : row_of(scaling).attention_factor(rope);
  return made;
}

bool depends_on_length(const RopeScaling& scaling) { return row_of(scaling).by_length; }

std::vector<ScalingComplaint> scaling_complaints(const RopeScaling& scaling, double base,
                                                 Index dim) {
  std::vector<ScalingComplaint> all;
  const std::string kind = row_of(scaling).name;
  for (const ScalingKey& key : kScalingKeys) {
    const std::string name = key.name;
    if (key.given(scaling) && !key.known_to.empty() && !lists(key.known_to, kind))
      all.push_back({"/" + name, name + " is no parameter of " + kind, "Leave it out."});
    if (!key.given(scaling) && lists(key.needed_by, kind))
      all.push_back({"", kind + " needs " + name,
                     "Add \"" + name + "\", as the configuration of the model says."});
  }
  const auto pairs = static_cast<std::size_t>(dim / 2);
  for (const auto& [name, list] :
       {std::pair{"short_factor", &scaling.short_factor}, {"long_factor", &scaling.long_factor}}) {
    if (list->empty() || list->size() == pairs) continue;
    all.push_back({std::string("/") + name,
                   std::string(name) + " should be one number for each of the " +
                       std::to_string(pairs) + " pairs of columns",
                   "Give the list of the model's configuration."});
  }
  if (!all.empty()) return all;
  if (row_of(scaling).attention_factor != no_factor && !scaling.factor &&
      !scaling.max_position_embeddings)
    return {{"", kind + " needs a factor",
             "Add \"factor\", or \"max_position_embeddings\" beside the original one."}};
  const auto good = [](double x) { return x > 0.0 && std::isfinite(x); };
  const Index longest = std::max(scaling.max_position_embeddings.value_or(0),
                                 scaling.original_max_position_embeddings.value_or(0));
  for (const Index length : {Index{1}, longest + 1}) {  // one more than the model was trained with
    const RopeFrequencies made = rope_frequencies(base, dim, scaling, length);
    if (good(made.attention_factor) && std::all_of(made.each.begin(), made.each.end(), good))
      continue;
    return {{"", "these numbers of " + kind + " give no angles",
             "Give the numbers of the model's configuration."}};
  }
  return all;
}

}  // namespace attn

// The settings of one attention, which a problem and its trace share.
#pragma once

#include <cmath>
#include <optional>
#include <vector>

#include "attn/tensor.hpp"

namespace attn {

/// How scores are hidden: `masking` in a problem file.
enum class MaskingMode { Replace, Add, Multiply, Renormalize };

/// Modes replace and add change scores; multiply and renormalize change weights.
inline bool acts_before_softmax(MaskingMode mode) {
  return mode == MaskingMode::Replace || mode == MaskingMode::Add;
}

/// What the weights of a query with no visible key are.
enum class EmptyRow { Zero, Nan, Uniform, Error };

/// Where query 0 is among the keys.
enum class Align { Start, End, KeyLengths };

/// How positions are encoded.
enum class PositionKind { None, Sinusoidal, Rope, RopeInterleaved, Alibi };

inline bool is_rotary(PositionKind kind) {
  return kind == PositionKind::Rope || kind == PositionKind::RopeInterleaved;
}

/// How rotary positions are stretched: the values of "rope_type".
enum class RopeScalingKind { Default, Linear, Dynamic, Yarn, Llama3, LongRope };

/// Hugging Face's "rope_scaling" or "rope_parameters", with its names.
struct RopeScaling {
  RopeScalingKind kind = RopeScalingKind::Default;
  std::optional<double> rope_theta, partial_rotary_factor;  ///< as Positions' base and factor
  std::optional<double> factor;                             ///< how many times longer texts are
  std::optional<double> attention_factor, mscale, mscale_all_dim;  ///< of cosines and sines
  std::optional<double> beta_fast, beta_slow;                      ///< yarn: turns; 32 and 1
  std::optional<bool> truncate;                                    ///< yarn: whole columns; true
  std::optional<double> low_freq_factor, high_freq_factor;         ///< llama3
  std::vector<double> short_factor, long_factor;                   ///< longrope: one per pair
  std::optional<Index> max_position_embeddings, original_max_position_embeddings;
  bool operator==(const RopeScaling&) const = default;
};

/// A kind of positions with its parameters; an absent parameter has its default.
struct Positions {
  PositionKind kind = PositionKind::None;
  std::optional<double> base;       ///< sinusoidal, rope: wavelengths grow to 2π·base; 10000
  std::optional<Index> rotary_dim;  ///< rope: how many of the d_k columns are rotated; all
  std::optional<Index> offset;      ///< sinusoidal, rope: the position of row 0; 0
  std::vector<double> slopes;       ///< alibi: one per head; 2^(−8/h), 2^(−16/h), …
  std::optional<double> partial_rotary_factor = {};  ///< rope: rotary_dim / d_k
  std::optional<RopeScaling> scaling = {};           ///< rope
  /// sinusoidal, rope: the position of each new token, for all batch entries or for each; counted
  std::vector<std::vector<Index>> ids = {};
};

/// What multiplies Q·Kᵀ: 1/√d_k, nothing, or a given number.
struct ScaleRule {
  enum class Kind { InverseSqrtDk, None, Number } kind = Kind::InverseSqrtDk;
  double number = 1.0;
  bool operator==(const ScaleRule&) const = default;
};

/// The settings of one attention. A draft has them as somebody wrote them, a Problem and a trace
/// with every default filled in. A trace that is read from a file has those that the file says.
struct AttentionSettings {
  ScaleRule scale;
  std::optional<double> softcap;
  MaskingMode masking = MaskingMode::Replace;
  bool mask_before_scale = false;  ///< masks and bias act on the raw scores; not part of a trace
  std::optional<double> fill;      ///< absent: −∞
  EmptyRow empty_row = EmptyRow::Zero;
  Align align = Align::Start;
  Positions positions;  ///< of a trace in a file: only their kind
  Dtype dtype = Dtype::Float64;

  /// Whether hidden scores stay numbers, so that a hidden key may keep some weight.
  bool fill_is_finite() const { return fill && std::isfinite(*fill); }
};

/// `written` with every default filled in. RoPE may rotate only the last `rotated` of d_k columns.
AttentionSettings with_defaults(const AttentionSettings& written, Index d_k, Index heads,
                                std::optional<Index> rotated = {});

}  // namespace attn

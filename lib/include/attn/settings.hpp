// The settings of one attention, which a problem and its trace share.
#pragma once

#include <cmath>
#include <optional>
#include <string>
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
enum class PositionKind {
  None,
  Sinusoidal,
  Rope,
  RopeInterleaved,
  Alibi,
  T5,       ///< a learned bias for each bucket of distances: Raffel et al. 2020, section 2.1
  Learned,  ///< rows of a table, added to the input
  SinusoidalHalves,  ///< all sines first, as in Marian
  SinusoidalT2t,     ///< the same with wavelengths up to 2π·base itself, as in tensor2tensor
};

inline bool is_rotary(PositionKind kind) {
  return kind == PositionKind::Rope || kind == PositionKind::RopeInterleaved;
}

/// Whether sines and cosines are added to the input.
inline bool is_wave(PositionKind kind) {
  return kind == PositionKind::Sinusoidal || kind == PositionKind::SinusoidalHalves ||
         kind == PositionKind::SinusoidalT2t;
}

/// Whether something is added to the input.
inline bool is_added(PositionKind kind) { return is_wave(kind) || kind == PositionKind::Learned; }

/// Whether something is added to the scores.
inline bool is_bias(PositionKind kind) {
  return kind == PositionKind::Alibi || kind == PositionKind::T5;
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
  std::optional<Array> table = {};  ///< t5: buckets × heads; learned: positions × d_model
  std::optional<Index> num_buckets = {}, max_distance = {};  ///< t5: the table's rows; 128
  std::optional<bool> bidirectional = {};  ///< t5: whether later keys have their own buckets; true
};

/// How queries and keys are normalised: by their root mean square, their mean and variance, or
/// their length.
enum class QkNormKind { None, Rms, Layer, L2 };

/// How q, k and v are laid out in one tensor: as its name says; all of q, then k, then v; for each
/// head its q, k, v; for each key head its queries, its key, its value.
enum class FusedKind { ByName, Parts, PerHead, PerGroup };

/// How the matrices of a file are stored: tokens in rows and weights as in × out, or the other way
/// round.
enum class MatrixLayout { Rows, Columns };

/// When: after the projection, or after rotary positions have turned them.
enum class QkNormAfter { Projection, Rope };

/// The norm of queries and keys; its gains are weights.
struct QkNorm {
  QkNormKind kind = QkNormKind::None;
  bool is_given = false;              ///< the kind was said; else gains mean Rms
  std::optional<double> eps = {};     ///< 1e-6
  std::optional<double> offset = {};  ///< 0 or 1: what is added to each gain; 0
  QkNormAfter after = QkNormAfter::Projection;
};

/// What a gate multiplies: the result of each head, all of them side by side, or the output.
enum class GateOn { Context, Concat, Output };

/// An activation of X·W_gate + b_gate that multiplies part of an attention.
struct AttentionGate {
  std::string activation = "sigmoid";
  GateOn on = GateOn::Context;
};

/// What multiplies the scores: 1/√d_k, nothing, a given number; or what is usual: 1/√d_k for dot
/// products, nothing for other scores and for T5.
struct ScaleRule {
  enum class Kind { InverseSqrtDk, None, Number, Usual } kind = Kind::Usual;
  double number = 1.0;
  bool operator==(const ScaleRule&) const = default;
};

/// How a query and a key make a score.
enum class ScoreKind {
  Dot,       ///< q·k
  Additive,  ///< v·tanh(q + k): Bahdanau et al. 2015; Keras' AdditiveAttention
  Distance,  ///< −½‖q − k‖²: softmax makes Gaussian kernels of it (Nadaraya–Watson)
};

/// How scores become weights.
enum class NormalizeKind {
  Softmax,
  Sum,      ///< each row divided by its sum, without e^x; hidden keys do not count
  Sigmoid,  ///< 1 / (1 + e^−x) of each score by itself: rows need not add up to 1
};

/// The settings of one attention. A draft has them as somebody wrote them, a Problem and a trace
/// with every default filled in. A trace that is read from a file has those that the file says.
struct AttentionSettings {
  ScoreKind score = ScoreKind::Dot;
  ScaleRule scale;
  std::optional<double> softcap;
  MaskingMode masking = MaskingMode::Replace;
  bool mask_before_scale = false;  ///< masks and bias act on the raw scores; not part of a trace
  std::optional<double> fill;      ///< absent: −∞
  EmptyRow empty_row = EmptyRow::Zero;
  Align align = Align::Start;
  NormalizeKind normalize = NormalizeKind::Softmax;
  Positions positions;  ///< of a trace: without their table; in a file only their kind
  QkNorm qk_norm;       ///< of a trace in a file: only its kind
  std::optional<AttentionGate> attention_gate;  ///< absent: as W_gate says; not part of a trace
  Dtype dtype = Dtype::Float64;

  /// Whether hidden scores stay numbers, so that a hidden key may keep some weight.
  bool fill_is_finite() const { return fill && std::isfinite(*fill); }
};

/// `written` with every default filled in. RoPE may rotate only the last `rotated` of d_k columns.
AttentionSettings with_defaults(const AttentionSettings& written, Index d_k, Index heads,
                                std::optional<Index> rotated = {});

}  // namespace attn

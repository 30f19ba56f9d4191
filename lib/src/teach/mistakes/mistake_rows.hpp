// The rows of the table of mistakes, by what they touch.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "attn/language.hpp"
#include "attn/teach/mistakes.hpp"
#include "teach/mistakes/parts.hpp"
#include "teach/mistakes/wiring.hpp"

namespace attn {

/// The question about weights that do not add up to 1, whatever made them so.
inline constexpr const char* kAskForSums =
    in_catalogue("What should each row of weights add up to?");

/// A mistake, and how it changes the computation.
struct MistakeRow {
  Mistake words;
  /// The ways in which people make it; none if it cannot occur in the problem. nullptr: it can only
  /// be recognised.
  Recipes (*variants)(const Wiring& wiring) = nullptr;
  /// Whether a row of the result depends on other queries, or on keys that it must not see, so that
  /// a few rows cannot rule it out.
  bool mixes_queries = false;
  /// Whether the batch and row axes may be swapped in some of its results.
  bool swaps_axes = false;
  /// Not named where one of these mistakes explains a step, too: codes, separated by spaces.
  std::string_view yields_to = {};
  PartKind part = PartKind::Attention;  ///< what `variants` are shown
};

std::span<const MistakeRow> scale_mistakes();
std::span<const MistakeRow> softmax_mistakes();
std::span<const MistakeRow> mask_mistakes();
std::span<const MistakeRow> visibility_mistakes();
std::span<const MistakeRow> softcap_mistakes();
std::span<const MistakeRow> projection_mistakes();
std::span<const MistakeRow> head_mistakes();
std::span<const MistakeRow> extra_mistakes();
std::span<const MistakeRow> norm_mistakes();
std::span<const MistakeRow> layer_mistakes();
std::span<const MistakeRow> model_mistakes();
std::span<const MistakeRow> setting_mistakes();
std::span<const MistakeRow> rope_mistakes();
std::span<const MistakeRow> position_mistakes();
std::span<const MistakeRow> gradient_mistakes();
std::span<const MistakeRow> slips();
std::span<const MistakeRow> equivalents();

/// In which parts of a whole model a mistake is made.
enum class Spread {
  Everywhere,
  Alike,  ///< in the same part of each layer: cross attention
  Alone,  ///< in a single part
};
inline constexpr Spread kSpreads[] = {Spread::Everywhere, Spread::Alike, Spread::Alone};

/// One way of making a mistake, and where.
struct Variant {
  Recipe recipe;
  std::string scope;  ///< "*" (everywhere), "h.*.attn", "h.0.attn"; empty without a whole model
};

/// A computation, and its parts, cut out when they are needed.
class Parts {
 public:
  explicit Parts(const Trace& whole) : whole_(whole) {}
  const Trace& whole() const { return whole_; }
  const std::vector<Part>& of(PartKind kind) const;

  /// The ways to make a mistake in that spread, whether or not all steps can still be computed.
  std::vector<Variant> variants(const MistakeRow& row, Spread spread) const;

 private:
  const Trace& whole_;
  mutable std::map<PartKind, std::vector<Part>> parts_;
};

/// Whether every step that a recipe rewires can still be computed, by an outline made with it.
bool is_possible(const Recipe& recipe, const Trace& outline);

/// The scores times a factor that is not the right one; where the right ones are not scaled,
/// whatever comes next gets them scaled.
Recipes scaled_by(const Wiring& wiring, double factor);

/// The mask with as many of the last keys hidden in each batch entry (one number: in all), and no
/// others for what they are; empty if that changes nothing.
Recipe last_keys_hidden(const Wiring& wiring, const std::vector<Index>& counts);

/// All of them, in the order of `mistakes()`.
std::span<const MistakeRow* const> mistake_rows();

/// The row of that code, or nullptr.
const MistakeRow* find_mistake_row(std::string_view code);

}  // namespace attn

// The frequencies of rotary positions: plain ones, and those stretched for longer texts.
#pragma once

#include <string>
#include <vector>

#include "attn/settings.hpp"

namespace attn {

/// How queries and keys are rotated.
struct RopeFrequencies {
  std::vector<double> each;       ///< by how much each pair turns from one position to the next
  double attention_factor = 1.0;  ///< what multiplies cosines and sines
};

/// Those of `dim` columns, an even number, and of positions below `length`. All that `scaling`
/// needs must be there (scaling_complaints).
RopeFrequencies rope_frequencies(double base, Index dim, const RopeScaling& scaling, Index length);

/// Whether frequencies depend on the length of the text.
bool depends_on_length(const RopeScaling& scaling);

/// What is wrong with one key of a scaling.
struct ScalingComplaint {
  std::string key, what, fix;
};

/// Keys that its kind needs, or does not know, and lists that are not one number per pair.
std::vector<ScalingComplaint> scaling_complaints(const RopeScaling& scaling, double base,
                                                 Index dim);

}  // namespace attn

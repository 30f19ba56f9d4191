// One query of one head, as lessons follow it: its scores, its weights, what it mixes.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "teach/lessons/telling.hpp"

namespace attn {

/// A query and its rows; they point into the trace.
struct Followed {
  Cell cell;                      ///< its batch entry, head and row; column 0
  std::string token;              ///< 'the', in quotation marks; repeated ones with their place
  std::vector<std::string> keys;  ///< likewise
  std::span<const double> query;  ///< d_k numbers
  std::vector<std::span<const double>> key_rows;  ///< of the same width
  std::span<const double> scores;                 ///< what softmax sees
  std::span<const double> weights;                ///< what multiplies the values
  std::vector<std::span<const double>> values;
  std::span<const double> mixed;     ///< their weighted sum
  std::vector<std::size_t> visible;  ///< keys that no mask hides, and whose weight is above 0

  std::size_t strongest() const;  ///< the key with the largest weight
};

/// The step that mixes the values of an attention, by its weights.
const Step& mixed_step(const Trace& trace);

/// The query of batch entry 0 and head 0 that sees the most keys; of several, the first.
Followed followed(const Trace& trace);
/// The query of this cell.
Followed followed(const Trace& trace, const Cell& query);

/// Whether every mixed number lies between the smallest and the largest of the values that it is
/// mixed from.
bool lies_between(const Followed& row);

}  // namespace attn

// The parts of a computation that a mistake can be made in, each shown as if it were alone.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "attn/attend.hpp"

namespace attn {

/// What a mistake is about.
enum class PartKind {
  Attention,
  Layer,     ///< with its attentions: "attn.q", "norm1", "residual1" …
  Norm,      ///< one step, with what it is made from
  Whole,     ///< all of it, also of a single attention
  Backward,  ///< an attention with its gradients, which the parts above lack
  Sum,       ///< one gradient of which several shares arrive, with those
};

/// One part. Ids in its trace lack the part's name; what it is made from are givens: in an
/// attention "x", "memory" and "memory_values", elsewhere by their ids in the whole.
struct Part {
  std::string name;  ///< "h.0.attn"; empty: the whole
  std::string like;  ///< "h.*.attn": the same for all layers
  Trace alone;
  std::map<std::string, std::string> ids;  ///< ids of `alone` in the whole

  /// The same change, for the whole.
  Recipe lifted(Recipe recipe) const;
  std::string lifted(const std::string& id) const;
  /// The id in the whole of a step in `alone`.
  std::string whole_id(const std::string& id) const { return name.empty() ? id : ids.at(id); }
};

/// The id of the step that is rewired, in the whole.
std::string rewired_id(const Rewiring& change);

/// All parts of that kind, in the order of the computation. Those of a single attention are the
/// computation itself, or none.
std::vector<Part> parts_of(const Trace& whole, PartKind kind);

}  // namespace attn

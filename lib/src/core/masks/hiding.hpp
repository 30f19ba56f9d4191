// Hides cells one mask after the other, and remembers which mask hid each.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "core/masks/mask.hpp"

namespace attn {

/// The keys from one to another, both included; none if the last comes before the first.
struct Range {
  Index first, last;
};

/// Hides cells, and remembers the first mask that hid each. Keys that earlier masks hid from every
/// query, and keys outside the range that they left a query, are not visited again: a thousand
/// masks cost little more than one.
class Hiding {
 public:
  Hiding(Visibility& v, const MaskSite& site)
      : v_(v),
        n_keys_(site.n_keys),
        left_(static_cast<std::size_t>(v.allowed.batch() * site.n_queries), {0, site.n_keys - 1}),
        gone_(static_cast<std::size_t>(v.allowed.batch()),
              std::vector<bool>(static_cast<std::size_t>(site.n_keys))) {}

  void begin(const std::string& name) { v_.names.push_back(name); }

  void hide(const Cell& cell) {
    double& allowed = v_.allowed.at(cell);
    if (allowed == 0.0) return;
    allowed = 0.0;
    v_.hider[static_cast<std::size_t>(v_.allowed.stored_index(cell))] =
        static_cast<std::uint16_t>(v_.names.size());
  }

  /// Leaves a query only these keys. Returns whether there are others, hidden already or not.
  bool keep(Index batch, Index query, const Range& keys) {
    Range& left = left_[static_cast<std::size_t>(batch * v_.allowed.rows() + query)];
    for (Index h = 0; h < v_.allowed.heads(); ++h) {
      for (Index j = left.first; j <= left.last && j < keys.first; ++j) hide({batch, h, query, j});
      for (Index j = left.last; j >= left.first && j > keys.last; --j) hide({batch, h, query, j});
    }
    left = {std::max(left.first, keys.first), std::min(left.last, keys.last)};
    return keys.first > 0 || keys.last < n_keys_ - 1;
  }

  /// Hides a key from every query.
  void drop(Index batch, Index key) {
    auto gone = gone_[static_cast<std::size_t>(batch)][static_cast<std::size_t>(key)];
    if (gone) return;
    gone = true;
    for (Index h = 0; h < v_.allowed.heads(); ++h) {
      for (Index i = 0; i < v_.allowed.rows(); ++i) hide({batch, h, i, key});
    }
  }

 private:
  Visibility& v_;
  Index n_keys_;
  std::vector<Range> left_;              // per batch entry and query
  std::vector<std::vector<bool>> gone_;  // per batch entry and key
};

}  // namespace attn

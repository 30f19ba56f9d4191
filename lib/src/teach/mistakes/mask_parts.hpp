// A mask taken apart: what hides by position, what hides whole keys, and the rest.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "attn/trace.hpp"
#include "teach/mistakes/wiring.hpp"

namespace attn {

/// The page of `attn help` about them.
inline constexpr const char* kMaskPage = "masks";

/// Whether there is a mask, and a key that it could hide from others.
bool is_masked(const Wiring& w);
/// Whether the mask acts on the scores, before softmax.
bool is_masked_before_softmax(const Wiring& w);
/// The mask with `allows` deciding each cell; empty if that changes nothing.
Recipe other_mask(const Wiring& w, const std::function<bool(const Cell&)>& allows);

/// Rules that hide by position, and everything else that hides. Query i has position i + offset.
class MaskParts {
 public:
  /// For the first attention of the trace, which must have a mask.
  explicit MaskParts(const Trace& truth);

  /// Whether anything hides by position: causal, window or prefix, or a matrix that is causal.
  bool by_position() const { return !rules_.empty(); }
  bool has_window() const;
  bool hides_keys() const { return hides_keys_; }
  /// The other offsets at which masks are placed by mistake: start, after the past, or end.
  std::vector<Index> other_offsets() const;

  /// The position of query `row`.
  Index position(Index row) const { return row + offset_; }
  /// Whether the rules let a query at `position` see key `col`; every window begins `wider` keys
  /// earlier.
  bool sees(Index position, Index col, Index wider = 0) const;
  /// The parts of which one may be forgotten, each with its name: the two sides of a window count
  /// as two.
  std::size_t count() const { return parts_.size(); }
  const std::string& name(std::size_t part) const { return parts_[part].name; }
  /// Whether any part other than this one hides the cell.
  bool hidden_without(std::size_t part, const Cell& cell) const;
  /// Whether key `col` is hidden from every query.
  bool key_hidden(Index batch, Index col) const;
  /// Whether something other than a rule by position hides the cell.
  bool hidden_otherwise(const Cell& cell) const;

 private:
  /// A query at p sees the keys p − left … p + right, and the first `prefix` ones.
  struct Rule {
    Index left, right, prefix;
  };

  /// A limit of a rule, or what one name of the visibility hides.
  struct Part {
    std::string name;
    std::size_t at;  // the rule or the name
    enum { Earlier, Later, Named } side;
  };
  void find_parts();
  bool hides(const Part& part, const Cell& cell) const;

  const Tensor& allowed_;
  const Visibility& visibility_;
  Index offset_ = 0, n_past_ = 0;
  std::vector<Rule> rules_;
  std::vector<bool> positional_, of_keys_;  // per name of the visibility
  std::vector<std::vector<bool>> hidden_keys_;
  bool hides_keys_ = false;
  std::vector<Part> parts_;
  std::vector<std::vector<bool>> columns_;  // per name: batch × keys, whether it hides all of them
};

}  // namespace attn

// Reads rules off the names of masks, knows a causal matrix, and finds hidden columns.
#include "teach/mistakes/mask_parts.hpp"

#include <algorithm>
#include <limits>
#include <string_view>

#include "core/tensor/slices.hpp"

namespace attn {
namespace {

constexpr Index kFar = std::numeric_limits<Index>::max() / 4;

/// Which of the visibility's names hid a cell; −1 if it is visible.
Index hider(const Visibility& v, const Cell& cell) { return Index{v.hider_at(cell)} - 1; }

Index number(const MaskSpec& spec, std::size_t i, Index otherwise) {
  return i < spec.arguments.size() ? Index{std::stol(spec.arguments[i])} : otherwise;
}

}  // namespace

Recipe other_mask(const Wiring& w, const std::function<bool(const Cell&)>& allows) {
  Tensor mask = w.find("mask")->value;
  bool changed = false;
  for_each_slice(mask, [&](Index b, Index h) {
    for (Index i = 0; i < mask.rows(); ++i) {
      for (Index j = 0; j < mask.cols(); ++j) {
        double& cell = mask.at({b, h, i, j});
        const double now = allows(Cell{b, h, i, j}) ? 1.0 : 0.0;
        changed = changed || now != cell;
        cell = now;
      }
    }
  });
  return changed ? Recipe{replaced("mask", std::move(mask))} : Recipe{};
}

MaskParts::MaskParts(const Trace& truth)
    : allowed_(truth.scope().visibility->allowed), visibility_(*truth.scope().visibility) {
  const Settings& s = truth.settings();
  for (const Step& given : truth.givens) {
    if (given.info().role == StepRole::Past) n_past_ = given.value.rows();
  }
  offset_ = s.align == Align::End ? s.n_keys - s.n_queries : n_past_;
  for (const std::string& name : visibility_.names) {
    const std::string_view kind = std::string_view(name).substr(0, name.find(':'));
    const std::size_t rules = rules_.size();
    if (kind == "causal") rules_.push_back({kFar, 0, 0});
    if (kind == "window") {
      const MaskSpec spec = parse_mask(name);
      rules_.push_back({number(spec, 0, 0), number(spec, 1, 0), 0});
    }
    if (kind == "prefix") rules_.push_back({kFar, 0, number(parse_mask(name), 0, 0)});
    positional_.push_back(rules_.size() > rules);
    of_keys_.push_back(kind == "padding" || kind == "keys" || name == "key_lengths");
  }
  hidden_keys_.assign(static_cast<std::size_t>(allowed_.batch()),
                      std::vector<bool>(static_cast<std::size_t>(allowed_.cols())));
  bool causal_matrix = rules_.empty();
  for_each_slice(allowed_, [&](Index b, Index h) {
    for (Index i = 0; i < allowed_.rows(); ++i) {
      for (Index j = 0; j < allowed_.cols(); ++j) {
        const Index by = hider(visibility_, {b, h, i, j});
        if (by >= 0 && of_keys_[static_cast<std::size_t>(by)]) {
          hidden_keys_[static_cast<std::size_t>(b)][static_cast<std::size_t>(j)] = true;
          hides_keys_ = true;
        } else if ((by >= 0) != (j > position(i))) {
          causal_matrix = false;
        }
      }
    }
  });
  if (causal_matrix && allowed_.cols() > 1) {
    rules_.push_back({kFar, 0, 0});
    for (std::size_t i = 0; i < positional_.size(); ++i) positional_[i] = !of_keys_[i];
  }
  find_parts();
}

void MaskParts::find_parts() {
  for (std::size_t r = 0; r < rules_.size(); ++r) {
    const bool window = rules_[r].left < kFar;
    if (window) parts_.push_back({"the window", r, Part::Earlier});
    parts_.push_back({window ? "the limit on later keys" : "the causal mask", r, Part::Later});
  }
  const auto cols = static_cast<std::size_t>(allowed_.cols());
  for (std::size_t n = 0; n < visibility_.names.size(); ++n) {
    std::vector<bool>& all =
        columns_.emplace_back(static_cast<std::size_t>(allowed_.batch()) * cols, !positional_[n]);
    if (positional_[n]) continue;
    parts_.push_back({visibility_.names[n], n, Part::Named});
    std::vector<bool> any(all.size());
    for_each_slice(allowed_, [&](Index b, Index h) {
      for (Index i = 0; i < allowed_.rows(); ++i) {
        for (Index j = 0; j < allowed_.cols(); ++j) {
          const Index by = hider(visibility_, {b, h, i, j});
          const auto at = static_cast<std::size_t>(b * allowed_.cols() + j);
          if (by == static_cast<Index>(n)) any[at] = true;
          if (by < 0) all[at] = false;
        }
      }
    });
    for (std::size_t at = 0; at < all.size(); ++at) all[at] = all[at] && any[at];
  }
}

bool MaskParts::hides(const Part& part, const Cell& cell) const {
  if (part.side == Part::Named) {
    const auto at = static_cast<std::size_t>(cell.batch * allowed_.cols() + cell.col);
    return columns_[part.at][at] || hider(visibility_, cell) == static_cast<Index>(part.at);
  }
  const Rule& rule = rules_[part.at];
  const Index p = position(cell.row);
  if (cell.col < rule.prefix) return false;
  return part.side == Part::Earlier ? cell.col < p - rule.left : cell.col > p + rule.right;
}

bool MaskParts::hidden_without(std::size_t part, const Cell& cell) const {
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    if (i != part && hides(parts_[i], cell)) return true;
  }
  return false;
}

bool MaskParts::has_window() const {
  return std::any_of(rules_.begin(), rules_.end(),
                     [](const Rule& rule) { return rule.left < kFar; });
}

std::vector<Index> MaskParts::other_offsets() const {
  std::vector<Index> offsets;
  for (const Index offset : {Index{0}, n_past_, allowed_.cols() - allowed_.rows()}) {
    const bool known = std::find(offsets.begin(), offsets.end(), offset) != offsets.end();
    if (offset != offset_ && !known) offsets.push_back(offset);
  }
  return offsets;
}

bool MaskParts::sees(Index position, Index col, Index wider) const {
  return std::all_of(rules_.begin(), rules_.end(), [&](const Rule& rule) {
    const Index left = rule.left == kFar ? kFar : rule.left + wider;
    return col < rule.prefix || (col >= position - left && col <= position + rule.right);
  });
}

bool MaskParts::key_hidden(Index batch, Index col) const {
  return hidden_keys_[static_cast<std::size_t>(batch)][static_cast<std::size_t>(col)];
}

bool MaskParts::hidden_otherwise(const Cell& cell) const {
  const Index by = hider(visibility_, cell);
  return key_hidden(cell.batch, cell.col) ||
         (by >= 0 && !positional_[static_cast<std::size_t>(by)]);
}

bool is_masked(const Wiring& w) {
  return w.has("mask") && w.truth().scope().visibility && w.settings().n_keys > 1;
}

bool is_masked_before_softmax(const Wiring& w) {
  return is_masked(w) && (w.made_by("masked_scores", "hide") || w.has("added_mask"));
}

}  // namespace attn

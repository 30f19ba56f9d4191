// A number and what it was made from, down to the givens, as data for programs.
#include <deque>
#include <set>
#include <tuple>

#include "attn/error.hpp"
#include "attn/language.hpp"
#include "attn/phrases.hpp"
#include "attn/render/explain.hpp"
#include "render/story/cells/cell_address.hpp"
#include "render/story/cells/cell_names.hpp"
#include "render/story/cells/why_hidden.hpp"
#include "render/writers/arithmetic.hpp"

namespace attn {
namespace {

constexpr std::size_t kMostTreeNumbers = 200000;
constexpr int kAllDigits = 17;

/// A cell for sets and maps.
using Key = std::tuple<const Step*, Index, Index, Index, Index>;
Key key_of(const StepCell& place) {
  const Cell& c = place.cell;
  return {place.step, c.batch, c.head, c.row, c.col};
}

/// The cell as it goes into the data: the index on an axis that the step does not have is 0.
Cell own_cell(const StepCell& place) {
  const Shape& shape = place.step->value.shape();
  Cell cell = place.cell;
  if (!shape.batch) cell.batch = 0;
  if (!shape.heads) cell.head = 0;
  return cell;
}

/// Grows the tree level by level, so that a number that occurs more than once has its operands
/// where it is nearest to the top, and a limited depth never cuts them off.
class Grower {
 public:
  Grower(const Trace& trace, std::optional<int> depth) : trace_(trace), depth_(depth) {}

  NumberTree tree(const StepCell& place) {
    const LanguageInUse english{Language{}};  // programs read this
    NumberTree root = leaf({place.step, own_cell(place)});
    for (waiting_.push_back({&root, {place.step, root.cell}, 0}); !waiting_.empty();) {
      const Waiting next = waiting_.front();
      waiting_.pop_front();
      if (!next.place.step->is_given() && can_derive(trace_, *next.place.step)) grow(next);
    }
    return root;
  }

 private:
  struct Waiting {
    NumberTree* tree;
    StepCell place;
    int level;
  };

  NumberTree leaf(const StepCell& place) {
    const Step& step = *place.step;
    if (++count_ > kMostTreeNumbers)
      throw Error(ErrorKind::Usage, {{.id = "too-large",
                                      .what = "more than " + std::to_string(kMostTreeNumbers) +
                                              " numbers lead to this one",
                                      .fix = "Ask for fewer levels.",
                                      .changes = {{"depth", "2"}}}});
    const std::string head = head_text(step, place.cell);
    return {.step = step.id,
            .cell = place.cell,
            .has_batch = step.value.shape().batch.has_value(),
            .has_head = step.value.shape().heads.has_value(),
            .name = cell_name(step, place.cell) + (head.empty() ? "" : " of " + head),
            .value = step.value.at(place.cell)};
  }

  void grow(const Waiting& at) {
    NumberTree& tree = *at.tree;
    const bool cut = depth_ && at.level >= *depth_;
    tree.repeated =
        cut ? grown_.contains(key_of(at.place)) : !grown_.insert(key_of(at.place)).second;
    if (tree.repeated) return;
    const Step& step = *at.place.step;
    tree.hidden = hidden_text(trace_, step, tree.cell);
    const Expression how = derive(trace_, step, tree.cell);
    const bool copies = how.kind == Expression::Kind::Leaf;
    std::set<Key> seen;
    std::vector<StepCell> leaves;
    collect(how, step, seen, leaves);
    if (copies) {
      tree.expression = cell_name(*leaves.front().step, leaves.front().cell);
    } else if (!how.parts.empty()) {
      tree.expression = arithmetic_text(how, kAllDigits);
    }
    if (cut && !copies) return;
    for (const StepCell& each : leaves) tree.operands.push_back(leaf(each));
    if (copies)  // which is no level
      return waiting_.push_front({&tree.operands[0], leaves[0], at.level});
    for (std::size_t i = 0; i < leaves.size(); ++i)
      waiting_.push_back({&tree.operands[i], leaves[i], at.level + 1});
  }

  /// The cells in an expression, each once.
  void collect(const Expression& how, const Step& step, std::set<Key>& seen,
               std::vector<StepCell>& leaves) const {
    if (how.kind == Expression::Kind::Leaf) {
      const Step& input = trace_.input(step, static_cast<std::size_t>(how.input));
      const StepCell leaf{&input, own_cell({&input, how.cell})};
      if (seen.insert(key_of(leaf)).second) leaves.push_back(leaf);
    }
    for (const Expression& part : how.parts) collect(part, step, seen, leaves);
  }

  const Trace& trace_;
  std::optional<int> depth_;
  std::deque<Waiting> waiting_ = {};
  std::set<Key> grown_ = {};
  std::size_t count_ = 0;
};

}  // namespace

std::vector<NumberTree> number_trees(const Trace& trace, const std::string& cell_text,
                                     const View& view) {
  const Address address = read_address(trace, cell_text, view);
  StepCell place = address.place;
  if (!address.whole_row) return {Grower(trace, view.depth).tree(place)};
  std::vector<NumberTree> trees;
  for (place.cell.col = 0; place.cell.col < place.step->value.cols(); ++place.cell.col)
    trees.push_back(Grower(trace, view.depth).tree(place));
  return trees;
}

}  // namespace attn

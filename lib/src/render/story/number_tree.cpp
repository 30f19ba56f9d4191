// A number and what it was made from, down to the givens, as data for programs.
#include <algorithm>
#include <set>
#include <tuple>

#include "attn/error.hpp"
#include "attn/explain.hpp"
#include "attn/tool/phrases.hpp"
#include "render/story/cell_address.hpp"
#include "render/story/cell_names.hpp"
#include "render/writers/arithmetic.hpp"

namespace attn {
namespace {

constexpr std::size_t kMost = 100000;  // numbers
constexpr int kAllDigits = 17;

/// The arithmetic with every digit: "e^1 / (e^1 + e^2.5)".
std::string arithmetic_text(const Expression& how) {
  const std::vector<Stage> stages = worked_stages({.how = how}, kAllDigits, false);
  return separated(stages.front().pieces, " ");
}

class Grower {
 public:
  Grower(const Trace& trace, std::optional<int> depth) : trace_(trace), depth_(depth) {}

  NumberTree tree(const StepCell& place, int level) {
    const Step& step = *place.step;
    const Shape& shape = step.value.shape();
    Cell cell = place.cell;
    if (!shape.batch) cell.batch = 0;
    if (!shape.heads) cell.head = 0;
    NumberTree tree{step.id,
                    cell,
                    shape.batch.has_value(),
                    shape.heads.has_value(),
                    cell_name(step, cell),
                    step.value.at(cell)};
    const auto key = std::make_tuple(&step, cell.batch, cell.head, cell.row, cell.col);
    if (!told_.insert(key).second || step.is_given()) return tree;
    if (told_.size() > kMost)
      throw Error(ErrorKind::Usage,
                  {{.id = "too-large",
                    .what = "more than " + std::to_string(kMost) + " numbers lead to this one",
                    .fix = "Ask for fewer levels.",
                    .changes = {{"depth", "2"}}}});
    const Expression how = derive(trace_, step, cell);
    std::vector<StepCell> leaves;
    collect(how, step, leaves);
    if (how.kind == Expression::Kind::Leaf) {
      tree.expression = cell_name(*leaves.front().step, leaves.front().cell);
    } else if (!how.parts.empty()) {
      tree.expression = arithmetic_text(how);
    }
    if (depth_ && level >= *depth_) return tree;
    for (const StepCell& leaf : leaves) tree.operands.push_back(this->tree(leaf, level + 1));
    return tree;
  }

 private:
  /// The cells in an expression, each once.
  void collect(const Expression& how, const Step& step, std::vector<StepCell>& leaves) const {
    if (how.kind == Expression::Kind::Leaf) {
      const StepCell leaf{&trace_.input(step, static_cast<std::size_t>(how.input)), how.cell};
      const bool known = std::any_of(leaves.begin(), leaves.end(), [&](const StepCell& each) {
        return each.step == leaf.step && each.cell == leaf.cell;
      });
      if (!known) leaves.push_back(leaf);
    }
    for (const Expression& part : how.parts) collect(part, step, leaves);
  }

  const Trace& trace_;
  std::optional<int> depth_;
  std::set<std::tuple<const Step*, Index, Index, Index, Index>> told_ = {};
};

}  // namespace

std::vector<NumberTree> number_trees(const Trace& trace, const std::string& cell_text,
                                     const View& view) {
  const Address address = read_address(trace, cell_text, view);
  Grower grower(trace, view.depth);
  StepCell place = address.place;
  if (!address.whole_row) return {grower.tree(place, 0)};
  std::vector<NumberTree> trees;
  for (place.cell.col = 0; place.cell.col < place.step->value.cols(); ++place.cell.col)
    trees.push_back(grower.tree(place, 0));
  return trees;
}

}  // namespace attn

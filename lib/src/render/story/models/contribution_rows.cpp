// Reads contributions to a logit from their step.
#include "render/story/models/contribution_rows.hpp"

#include "attn/language.hpp"
#include "render/story/cells/cell_names.hpp"

namespace attn {

ContributionRows::ContributionRows(const Step& step, const GridChoice& grid) {
  for (Index c = 0; c < step.value.cols(); ++c)
    words.push_back(col_label(step, {grid.batch, grid.head, 0, c}));
  const bool differ = words.size() == 2;
  if (differ) words.push_back(words[0] + " − " + words[1]);
  if (differ) leading = 2;
  for (Index r = 0; r < step.value.rows(); ++r) {
    parts.push_back(row_label(step, {grid.batch, grid.head, r, 0}));
    const auto row = step.value.row(grid.batch, grid.head, r);
    numbers.emplace_back(row.begin(), row.end());
    if (differ) numbers.back().push_back(row[0] - row[1]);
  }
}

const Step& last_contributions(const Trace& trace) {
  const Step* last = nullptr;
  for (const Step& step : trace.steps) {
    if (step.info().role == StepRole::Contributions) last = &step;
  }
  return *last;
}

std::string contribution_row_text(const Trace& trace, const Step& contributions) {
  const Step* step = &contributions;
  while (step->parameters.find("row") == nullptr) step = &trace.input(*step, 0);
  const Index row = step->parameters.count("row");
  const std::vector<std::string>& tokens = trace.scope().query_tokens.front();
  if (row >= std::ssize(tokens)) return translated("row {n}", row);
  return translated("row {n} ({name})", row, tokens[static_cast<std::size_t>(row)]);
}

}  // namespace attn

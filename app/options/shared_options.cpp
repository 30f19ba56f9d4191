// The options that choose what to show of a trace.
#include "options/shared_options.hpp"

#include <algorithm>
#include <cstdint>

#include "attn/phrases.hpp"

namespace attn::app {
namespace {

/// "5", "6", "7" for "5-7"; anything else as it is.
void add_range(const std::string& part, std::vector<std::string>& ids) {
  const auto is_number = [](const std::string& text) {
    return !text.empty() && text.size() < 4 &&
           text.find_first_not_of("0123456789") == std::string::npos;
  };
  const std::size_t dash = std::min(part.find('-'), part.size());
  const std::string first = part.substr(0, dash),
                    last = part.substr(std::min(dash + 1, part.size()));
  const bool is_range = is_number(first) && is_number(last) && std::stoi(first) < std::stoi(last);
  if (!is_range) return ids.push_back(part);
  for (int i = std::stoi(first); i <= std::stoi(last); ++i) ids.push_back(std::to_string(i));
}

}  // namespace

std::vector<std::string> offered_steps() {
  std::vector<std::string> ids = step_ids();
  const auto weights = std::find_if(ids.begin(), ids.end(), [](const std::string& id) {
    return find_step_info(id)->role == StepRole::Weights;
  });
  std::rotate(ids.begin(), weights, weights + 1);
  return ids;
}

void add_step_names(const std::string& text, std::vector<std::string>& names) {
  for (const std::string& part : split_at_commas(text))
    add_range(std::string(trimmed(part)), names);
}

void add_selection_options(Command& command, View& view) {
  constexpr std::int64_t kMost = 1000000000;
  add_rows(
      command, Group::View,
      {again(list(offer(text("--step,--steps", "ID,…", "show only these: scores,weights or 5-7",
                             [&view](const std::string& v) { add_step_names(v, view.steps); }),
                        offered_steps),
                  List::Commas),
             Again::Adds),
       whole("--head", "show only this head, counted from 0", 0, kMost, view.head),
       whole("--batch", "show only this batch entry, counted from 0", 0, kMost, view.batch),
       text("--query", "TOKEN|INDEX", "show only the row of this query",
            [&view](const std::string& v) { view.query = v; })});
}

void add_view_options(Command& command, ViewOptions& o) {
  View& view = o.view;
  add_selection_options(command, view);
  add_rows(command, Group::View,
           {again(list(text("--cell", "[STEP:]ROW,COL",
                            "explain a number; without STEP, a query and a key",
                            [&o](const std::string& v) { o.cells.push_back(v); }),
                       List::Commas),
                  Again::Adds),
            whole("--depth", "levels below --cell (default: what fits in 24 lines)", 0, 1000,
                  view.depth),
            flag("--summary", "one line per step: shape, range, mean", o.summary),
            flag("--only", "print only the matrices", view.only),
            flag("--no-examples", "leave out the worked cells", view.examples, false),
            choice("--detail", "LEVEL", "brief, normal or full (softmax in separate steps)",
                   {{"brief", Detail::Brief}, {"normal", Detail::Normal}, {"full", Detail::Full}},
                   view.detail),
            precision_row(o.precision)});
  command.conflicts.insert(
      command.conflicts.end(),
      {{"--summary", "--cell", "one is about whole steps, the other about one number"},
       {"--summary", "--only", "a summary has no matrices"},
       {"--summary", "--query", "a summary is about whole steps"},
       {"--cell", "--steps", "a cell names its step: --cell weights:1,0"},
       {"--cell", "--query", "a cell names its row: --cell weights:1,0"},
       {"--cell", "--only", "a cell is explained in arithmetic, not as a matrix"}});
}

}  // namespace attn::app

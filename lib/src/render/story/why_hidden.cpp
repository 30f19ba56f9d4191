#include "render/story/why_hidden.hpp"

#include <algorithm>
#include <cctype>
#include <optional>
#include <variant>
#include <vector>

#include "attn/error.hpp"
#include "attn/tool/phrases.hpp"
#include "core/masks/mask.hpp"
#include "core/trace/hiding.hpp"
#include "render/story/cell_names.hpp"
#include "render/story/cell_remarks.hpp"

namespace attn {
namespace {

Index rows_of(const Trace& trace, const Scope& scope, StepRole role) {
  const Step* step = trace.first_of(role, scope);
  return step == nullptr ? 0 : step->value.rows();
}

/// The position of query 0 among the keys; nothing if it follows from key lengths, which a trace
/// does not keep.
std::optional<Index> offset_of(const Trace& trace, const Scope& scope) {
  const Settings& s = scope.settings;
  if (s.align == Align::KeyLengths) return std::nullopt;
  if (s.align == Align::Start) return rows_of(trace, scope, StepRole::Past);
  return s.n_keys - rows_of(trace, scope, StepRole::Extra) - s.n_queries;
}

/// Keys whose input row is all zero, which count as padding.
std::vector<std::vector<bool>> keys_without_input(const Trace& trace, const Scope& scope) {
  std::vector<std::vector<bool>> found;
  const Step* memory = trace.first_of(StepRole::KeyInput, scope);
  const Step* source = memory != nullptr ? memory : trace.first_of(StepRole::QueryInput, scope);
  for (Index b = 0; b < scope.settings.batch; ++b) {
    std::vector<bool> zero(static_cast<std::size_t>(scope.settings.n_keys));
    const auto past = static_cast<std::size_t>(rows_of(trace, scope, StepRole::Past));
    for (Index r = 0; source != nullptr && r < source->value.rows(); ++r) {
      const auto row = source->value.row(b, 0, r);
      zero[past + static_cast<std::size_t>(r)] =
          std::all_of(row.begin(), row.end(), [](double x) { return x == 0.0; });
    }
    found.push_back(std::move(zero));
  }
  return found;
}

MaskSite site_of(const Trace& trace, const Scope& scope, Index offset) {
  const Settings& s = scope.settings;
  MaskSite site;
  if (s.has_batch) site.batch = s.batch;
  site.n_queries = s.n_queries;
  site.n_keys = s.n_keys - rows_of(trace, scope, StepRole::Extra);
  site.query_tokens = scope.query_tokens;
  site.key_tokens = scope.key_tokens;
  for (auto& list : site.key_tokens) list.resize(static_cast<std::size_t>(site.n_keys));
  site.offsets = {offset};
  site.no_input = keys_without_input(trace, scope);
  return site;
}

/// Which queries see which keys through one mask alone; nothing for a mask that this attn cannot
/// read, as a trace of a newer one may have.
std::optional<Visibility> alone(const std::string& mask, const MaskSite& site) {
  try {
    Complaints complaints;
    return resolve_masks({parse_mask(mask)}, {}, {}, site, complaints);
  } catch (const Error&) {
    return std::nullopt;
  }
}

/// The masks behind the one that hid a cell and that would hide it as well.
std::vector<std::string> later_hiders(const Trace& trace, const Scope& scope, const Cell& cell) {
  std::vector<std::string> found;
  const std::optional<std::size_t> first = hider_of(scope, cell);
  const std::optional<Index> offset = offset_of(trace, scope);
  if (!first || !offset) return found;
  const std::vector<std::string>& names = scope.visibility->names;
  const MaskSite site = site_of(trace, scope, *offset);
  for (std::size_t i = *first + 1; i < names.size(); ++i) {
    const auto& written = scope.settings.masks;  // `allowed` and key_lengths are no masks by name
    if (std::find(written.begin(), written.end(), names[i]) == written.end()) continue;
    const std::optional<Visibility> seen = alone(names[i], site);
    if (seen && seen->allowed.at(cell) == 0.0) found.push_back(names[i]);
  }
  return found;
}

std::string stands_text(const Trace& trace, const Step& step, const Cell& cell) {
  const std::string query = "Query " + quoted_row(step, cell);
  const std::string key = "key " + quoted_col(step, cell);
  const std::optional<Index> offset = offset_of(trace, *step.scope);
  if (!offset)
    return query + " is row " + std::to_string(cell.row) + ", " + key + " is column " +
           std::to_string(cell.col) + ".";
  return query + " stands at position " + std::to_string(cell.row + *offset) + ", " + key + " at " +
         std::to_string(cell.col) + ".";
}

}  // namespace

std::string hidden_story(const Trace& trace, const Step& step, const Cell& cell) {
  std::string text = hidden_text(trace, step, cell);
  if (text.empty()) return text;
  if (text == kPaddedQuery)
    return "Query " + quoted_row(step, cell) + " is padding: its weights are set to zero.";
  text.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(text.front())));
  text += ". " + stands_text(trace, step, cell);
  const std::vector<std::string> others = later_hiders(trace, *step.scope, cell);
  if (!others.empty()) text += " It would also be hidden by " + listed(others, others.size()) + ".";
  return text;
}

}  // namespace attn

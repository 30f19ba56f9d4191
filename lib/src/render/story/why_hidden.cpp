#include "render/story/why_hidden.hpp"
#include "attn/eigen.hpp"

#include <algorithm>
#include <cctype>
#include <optional>
#include <variant>
#include <vector>

#include "attn/error.hpp"
#include "attn/tool/phrases.hpp"
#include "core/masks/mask.hpp"
#include "render/story/cell_names.hpp"
#include "render/story/cell_remarks.hpp"
#include "render/story/step_grids.hpp"

namespace attn {
namespace {

Index rows_of(const Trace& trace, const char* id) {
  const Step* step = trace.find(id);
  return step == nullptr ? 0 : step->value.rows();
}

/// The position of query 0 among the keys; nothing if it follows from key lengths, which a trace
/// does not keep.
std::optional<Index> offset_of(const Trace& trace) {
  const Settings& s = trace.settings;
  for (const auto& [name, value] : s.others) {
    if (name != "align") continue;
    const auto* word = std::get_if<std::string>(&value);
    if (word == nullptr || *word != "end") return std::nullopt;
    return s.n_keys - rows_of(trace, "extra_k") - s.n_queries;
  }
  return rows_of(trace, "past_k");
}

/// Keys whose input row is all zero, which count as padding.
std::vector<std::vector<bool>> keys_without_input(const Trace& trace) {
  std::vector<std::vector<bool>> found;
  const Step* memory = trace.find("memory");
  const Step* source = memory != nullptr ? memory : trace.find("x");
  for (Index b = 0; b < trace.settings.batch; ++b) {
    std::vector<bool> zero(static_cast<std::size_t>(trace.settings.n_keys));
    const auto past = static_cast<std::size_t>(rows_of(trace, "past_k"));
    for (Index r = 0; source != nullptr && r < source->value.rows(); ++r) {
      zero[past + static_cast<std::size_t>(r)] = view(source->value, b, 0).row(r).isZero(0.0);
    }
    found.push_back(std::move(zero));
  }
  return found;
}

MaskSite site_of(const Trace& trace, Index offset) {
  const Settings& s = trace.settings;
  MaskSite site;
  if (s.has_batch) site.batch = s.batch;
  site.n_queries = s.n_queries;
  site.n_keys = s.n_keys - rows_of(trace, "extra_k");
  site.query_tokens = trace.query_tokens;
  site.key_tokens = trace.key_tokens;
  for (auto& list : site.key_tokens) list.resize(static_cast<std::size_t>(site.n_keys));
  site.offsets = {offset};
  site.no_input = keys_without_input(trace);
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
std::vector<std::string> later_hiders(const Trace& trace, const Cell& cell) {
  std::vector<std::string> found;
  const std::optional<std::size_t> first = hider_of(trace, cell);
  const std::optional<Index> offset = offset_of(trace);
  if (!first || !offset) return found;
  const std::vector<std::string>& names = trace.visibility->names;
  const MaskSite site = site_of(trace, *offset);
  for (std::size_t i = *first + 1; i < names.size(); ++i) {
    const auto& written = trace.settings.masks;  // `allowed` and key_lengths are no masks by name
    if (std::find(written.begin(), written.end(), names[i]) == written.end()) continue;
    const std::optional<Visibility> seen = alone(names[i], site);
    if (seen && seen->allowed.at(cell) == 0.0) found.push_back(names[i]);
  }
  return found;
}

std::string stands_text(const Trace& trace, const Step& step, const Cell& cell) {
  const std::string query = "Query " + quoted_row(trace, step, cell);
  const std::string key = "key " + quoted_col(trace, step, cell);
  const std::optional<Index> offset = offset_of(trace);
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
    return "Query " + quoted_row(trace, step, cell) + " is padding: its weights are set to zero.";
  text.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(text.front())));
  text += ". " + stands_text(trace, step, cell);
  const std::vector<std::string> others = later_hiders(trace, cell);
  if (!others.empty()) text += " It would also be hidden by " + listed(others, others.size()) + ".";
  return text;
}

}  // namespace attn

#include "render/labels_of.hpp"

#include <algorithm>

#include "attn/error.hpp"
#include "attn/suggest.hpp"
#include "attn/text.hpp"
#include "render/labels.hpp"

namespace attn {
namespace {

bool is_query_side(const Step& step, std::string_view axis) {
  return axis == "query" || step.id == "x";
}

/// The tokens along an axis of `n` rows: with a past, k and v have only the last of the key tokens,
/// past_k and past_v only the first.
AxisNames tokens_of(const Trace& trace, const Step& step, std::string_view axis, Index n,
                    Index batch) {
  const TokenLists& lists = is_query_side(step, axis) ? trace.query_tokens : trace.key_tokens;
  const auto& all = lists[lists.size() == 1 ? 0 : static_cast<std::size_t>(batch)];
  const bool first = step.id.starts_with("past");
  const auto skip = first ? 0 : static_cast<std::ptrdiff_t>(all.size()) - n;
  return {{all.begin() + skip, all.begin() + skip + n}, true};
}

AxisNames names_of(const Trace& trace, const Step& step, const char* axis, const char* name,
                   Index n, Index batch) {
  if (*name == '\0') return tokens_of(trace, step, axis, n, batch);
  if (std::string_view(axis) == "1") return {{name}, false};
  return {indexed_labels(name, n), false};
}

Error no_such(const std::string& text, const AxisNames& names, const std::string& what) {
  const std::string guess = did_you_mean(text, names.names);
  std::string all;
  for (std::size_t i = 0; i < names.names.size() && i < 12; ++i) {
    all += (i ? ", " : "") + names.names[i];
  }
  if (names.names.size() > 12) all += ", …";
  return {
      Fault::Usage,
      {{.id = "no-such-" + what,
        .what = "there is no " + what + " \"" + text + "\"" + (guess.empty() ? "" : "; " + guess),
        .fix = "Name one of " + all + ", or an index from 0 to " +
               std::to_string(names.names.size() - 1) + "."}}};
}

}  // namespace

AxisNames row_names(const Trace& trace, const Step& step, Index batch) {
  const StepInfo& info = step.info();
  return names_of(trace, step, info.row_axis, info.row_name, step.value.rows(), batch);
}

AxisNames col_names(const Trace& trace, const Step& step, Index batch) {
  const StepInfo& info = step.info();
  return names_of(trace, step, info.col_axis, info.col_name, step.value.cols(), batch);
}

Index position_of(const std::string& text, const AxisNames& names, const std::string& what) {
  const auto& all = names.names;
  const auto at = std::find(all.begin(), all.end(), text);
  if (at != all.end()) {
    if (std::find(at + 1, all.end(), text) == all.end()) return at - all.begin();
    std::string where;
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (all[i] == text) where += (where.empty() ? "" : ", ") + std::to_string(i);
    }
    throw Error(Fault::Usage, {{.id = "ambiguous-" + what,
                                .what = "the token \"" + text + "\" occurs more than once",
                                .fix = "Name it by its index: " + where + "."}});
  }
  const std::size_t colon = text.find(':');  // "0:the", as repeated tokens are shown
  if (colon != text.npos && colon > 0 && colon <= 9 &&
      text.find_first_not_of("0123456789") == colon) {
    const auto position = std::stoul(text);
    if (position < all.size() && all[position] == text.substr(colon + 1)) {
      return static_cast<Index>(position);
    }
  }
  const bool digits = !text.empty() && text.size() <= 9 &&
                      text.find_first_not_of("0123456789") == std::string::npos;
  if (!digits || std::stoul(text) >= all.size()) throw no_such(text, names, what);
  return std::stol(text);
}

std::string cell_name(const Trace& trace, const Step& step, const Cell& cell) {
  const AxisNames rows = row_names(trace, step, cell.batch);
  const AxisNames cols = col_names(trace, step, cell.batch);
  const auto name = [](const AxisNames& names, Index i) {
    const auto& all = names.names;
    const std::string& own = all[static_cast<std::size_t>(i)];
    const bool repeated = std::count(all.begin(), all.end(), own) > 1;
    return (repeated ? std::to_string(i) + ":" : "") + visible(own);
  };
  std::string text = step.info().symbol;
  text += "[";
  if (std::string_view(step.info().row_axis) != "1") text += name(rows, cell.row);
  if (std::string_view(step.info().row_axis) != "1" &&
      std::string_view(step.info().col_axis) != "1")
    text += ", ";
  if (std::string_view(step.info().col_axis) != "1") text += name(cols, cell.col);
  return text + "]";
}

}  // namespace attn

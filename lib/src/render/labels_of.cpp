#include "render/labels_of.hpp"

#include <algorithm>

#include "attn/error.hpp"
#include "attn/suggest.hpp"
#include "attn/text.hpp"
#include "attn/words.hpp"

namespace attn {
namespace {

Error no_such(const std::string& text, const AxisNames& names, const std::string& what) {
  return {ErrorKind::Usage,
          {{.id = "no-such-" + what,
            .what = "there is no " + what + " \"" + text + "\"" + did_you_mean(text, names.names),
            .fix = "Name one of " + listed(names.names) + ", or " +
                   (names.names.size() == 1
                        ? "index 0."
                        : "an index from 0 to " + std::to_string(names.names.size() - 1) + ".")}}};
}

}  // namespace

Index position_of(const std::string& text, const AxisNames& names, const std::string& what) {
  const auto& all = names.names;
  const auto at = std::find(all.begin(), all.end(), text);
  if (at != all.end()) {
    if (std::find(at + 1, all.end(), text) == all.end()) return at - all.begin();
    std::string where;
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (all[i] == text) where += (where.empty() ? "" : ", ") + std::to_string(i);
    }
    throw Error(ErrorKind::Usage, {{.id = "ambiguous-" + what,
                                    .what = "the token \"" + text + "\" occurs more than once",
                                    .fix = "Name it by its index: " + where + "."}});
  }
  if (const std::string bare(trimmed(text)); bare != text) return position_of(bare, names, what);
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

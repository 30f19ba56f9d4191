// Writes arithmetic as aligned lines, broken where a screen is too narrow.
#include "render/writers/worked_lines.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "attn/language.hpp"
#include "attn/phrases.hpp"
#include "attn/render/text.hpp"
#include "render/writers/arithmetic.hpp"

namespace attn {
namespace {

using Width = std::ptrdiff_t;
using Texts = std::vector<std::string>;  ///< with one space between them, where a line may break

/// Part `i` and those up to the end of the bracket that it opens: "0.5·(1," "0," "1)".
std::string group_at(const Texts& parts, std::size_t i) {
  std::string group = parts[i];
  std::ptrdiff_t open = 0;
  for (;; group += " " + parts[i]) {
    open += std::count(parts[i].begin(), parts[i].end(), '(') -
            std::count(parts[i].begin(), parts[i].end(), ')');
    if (open <= 0 || ++i == parts.size()) return group;
  }
}

struct Lines {
  Ruler ruler;
  Width width;  // cells that a line may take
  bool wraps;   // otherwise lines end only between stages
  std::vector<std::string> done = {};
  std::string now = {};

  bool has_room(const std::string& text, Width gap) const {
    return ruler.width(now) + gap + ruler.width(text) <= width;
  }

  Width width_of(const Texts& pieces) const { return ruler.width(separated(pieces, " ")); }

  void next(Width indent) { done.push_back(std::exchange(now, spaces(indent))); }

  /// What stays on one line from part `i` on: its whole group if a new line has room for it, else
  /// the part alone.
  std::string kept_together(const Texts& parts, std::size_t i, Width indent) const {
    const std::string group = group_at(parts, i);
    return indent + ruler.width(group) <= width ? group : parts[i];
  }

  /// Parts separated by spaces, with a new line wherever one does not fit. What is in brackets
  /// stays on one line if a line has room for it.
  void add(const Texts& parts, Width indent, bool starts) {
    for (std::size_t i = 0; i < parts.size(); ++i) {
      if (wraps && !starts && !has_room(kept_together(parts, i, indent), 1)) {
        next(indent);
        starts = true;
      }
      now += (starts ? "" : " ") + parts[i];
      starts = false;
    }
  }
};

/// How many of the stages after the name go on each line: the last lines are as full as possible,
/// so that a result stays with its arithmetic. Empty if a stage is too wide for any line.
std::vector<std::size_t> stages_of_lines(const std::vector<Width>& widths, Width first,
                                         Width others) {
  std::vector<std::size_t> counts;
  std::size_t left = widths.size();
  while (left > 0) {
    const auto begin = widths.begin();
    const Width all = std::accumulate(begin, begin + static_cast<Width>(left), Width{0});
    if (all <= first) break;
    Width room = others;
    const std::size_t before = left;
    const std::size_t least = widths[0] <= first ? 1 : 0;  // the name is not left alone
    while (left > least && widths[left - 1] <= room) room -= widths[--left];
    if (left == before) return {};
    counts.insert(counts.begin(), before - left);
  }
  counts.insert(counts.begin(), left);
  return counts;
}

/// Adds what follows the name, with its signs at `sign`; beside the name if that is its place.
void add_stages(Lines& lines, const std::vector<Texts>& stages, Width sign, bool beside) {
  std::vector<Width> widths;  // with the space before
  for (const Texts& stage : stages) widths.push_back(lines.width_of(stage) + 1);
  const std::vector<std::size_t> counts =
      stages_of_lines(widths, lines.width - lines.ruler.width(lines.now), lines.width - sign + 1);
  std::size_t line = 0, on_line = 0;
  for (const Texts& stage : stages) {
    bool starts = false;
    if (counts.empty())
      starts = !(beside && &stage == &stages.front()) && !lines.has_room(separated(stage, " "), 1);
    while (!counts.empty() && on_line == counts[line]) {
      ++line;
      on_line = 0;
      starts = true;
    }
    if (starts) lines.next(sign);
    lines.add(stage, sign + 2, starts);
    ++on_line;
  }
}

}  // namespace

std::string worked_text(const Worked& worked, int precision, const TextStyle& style) {
  std::string text = worked.lead;
  for (const Stage& stage : worked_stages(worked, precision, style.fit == Fit::Screen)) {
    for (const std::string& part : {stage.sign, text_of(stage.pieces)})
      text += (text.empty() || part.empty() ? "" : " ") + part;
  }
  return with_remark(text, worked.remark);
}

std::vector<std::string> worked_lines(const Worked& worked, int precision, const TextStyle& style) {
  const auto shown = [&](const std::string& text) { return shown_text(text, style.ascii); };
  std::vector<Texts> stages;
  for (const Stage& stage : worked_stages(worked, precision, style.fit == Fit::Screen)) {
    Texts texts;
    for (const Piece& piece : stage.pieces)
      texts.push_back(
          shown((texts.empty() && !stage.sign.empty() ? stage.sign + " " : "") + text_of(piece)));
    stages.push_back(std::move(texts));
  }
  const Width indent = 4 + 2 * worked.depth;
  const std::string lead = worked.lead.empty() ? "" : shown(worked.lead) + " ";
  Lines lines{style.ruler, style.width - 1, style.fit != Fit::Whole};
  lines.now = spaces(indent) + lead;
  const bool beside_lead =
      lines.width_of(stages.front()) + lines.ruler.width(lines.now) <= lines.width;
  if (lines.wraps && !lead.empty() && !beside_lead) {
    lines.now.pop_back();
    lines.next(indent);
  }
  lines.add(stages.front(), indent + 4, true);
  stages.erase(stages.begin());
  Width longest = 0;
  for (const Texts& stage : stages) longest = std::max(longest, lines.width_of(stage));
  const Width below = lines.ruler.width(lines.now) + 1;
  const Width hanging = indent + 4;
  const bool fits = below + longest <= lines.width && below <= style.width / 2;
  const bool broken = hanging + longest > lines.width;  // wherever it begins
  const Width sign = fits || (broken && below <= style.width / 3) ? below : hanging;
  add_stages(lines, stages, sign, sign == below);
  if (!worked.remark.empty()) {
    const std::string remark = "(" + shown(worked.remark) + ")";
    const bool beside = lines.has_room(remark, 3);
    const bool below_sign = sign + 2 + lines.ruler.width(remark) <= lines.width;
    const Width start = below_sign ? sign + 2 : indent + 4;
    if (!beside) lines.next(start);
    const Texts words = words_of(remark);
    const bool wide = std::any_of(words.begin(), words.end(), [&](const std::string& word) {
      return start + 1 + lines.ruler.width(word) > lines.width;
    });
    const Width room = lines.width - start - 1;
    if (beside || !wide || !lines.wraps)
      lines.add(beside ? Texts{"  " + remark} : words, start + 1, !beside);
    else  // text without spaces
      lines.add(wrapped(remark, room, room, lines.ruler), start + 1, true);
  }
  lines.done.push_back(lines.now);
  return lines.done;
}

}  // namespace attn

// Writes arithmetic as aligned lines, broken where a screen is too narrow.
#include "render/writers/worked_lines.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "attn/tool/text.hpp"

namespace attn {
namespace {

using Width = std::ptrdiff_t;

/// Where arithmetic may be broken: behind each of these parts. A sign stays with its number:
/// "1·0", "+ 1·1", "/ √4". So does what is left out, "+ … 4 more …".
std::vector<std::string> arithmetic_parts(const std::string& text) {
  std::vector<std::string> parts;
  bool sign = false, left_out = false;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t space = std::min(text.find(' ', at), text.size());
    const std::string word = text.substr(at, space - at);
    if (sign || left_out) {
      parts.back() += " " + word;
    } else {
      parts.push_back(word);
    }
    if (word == "…" || word == "...") left_out = !left_out;
    sign = word == "+" || word == "-" || word == "/" || word == "=";
    at = space + 1;
  }
  return parts;
}

struct Lines {
  Ruler ruler;
  Width width;  // cells that a line may take
  bool wraps;   // or else lines end only between stages
  std::vector<std::string> done = {};
  std::string now = {};

  bool has_room(const std::string& text, Width gap) const {
    return ruler.width(now) + gap + ruler.width(text) <= width;
  }

  void next(Width indent) { done.push_back(std::exchange(now, spaces(indent))); }

  /// Parts with spaces between, and a new line wherever one does not fit.
  void add(const std::vector<std::string>& parts, Width indent, bool starts) {
    for (const std::string& part : parts) {
      if (wraps && !starts && !has_room(part, 1)) {
        next(indent);
        starts = true;
      }
      now += (starts ? "" : " ") + part;
      starts = false;
    }
  }
};

std::vector<std::string> words(const std::string& text) {
  std::vector<std::string> found;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t space = std::min(text.find(' ', at), text.size());
    found.push_back(text.substr(at, space - at));
    at = space + 1;
  }
  return found;
}

/// How many of the stages behind the name stand on each line: the last lines as full as they can
/// be, so that a result stays with its arithmetic. Empty if a stage is too wide for any line.
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

void add_stages(Lines& lines, const std::vector<std::string>& stages, Width sign) {
  std::vector<Width> widths;  // with the space in front
  for (const std::string& stage : stages) widths.push_back(lines.ruler.width(stage) + 1);
  const std::vector<std::size_t> counts =
      stages_of_lines(widths, lines.width - lines.ruler.width(lines.now), lines.width - sign + 1);
  std::size_t line = 0, on_line = 0;
  for (const std::string& stage : stages) {
    bool starts = false;
    if (counts.empty()) starts = &stage != &stages.front() && !lines.has_room(stage, 1);
    while (!counts.empty() && on_line == counts[line]) {
      ++line;
      on_line = 0;
      starts = true;
    }
    if (starts) lines.next(sign);
    lines.add(arithmetic_parts(stage), sign + 2, starts);
    ++on_line;
  }
}

}  // namespace

std::string worked_text(const Worked& worked) {
  std::string text = worked.lead.empty() ? "" : worked.lead + " ";
  for (std::size_t i = 0; i < worked.stages.size(); ++i)
    text += (i == 0 ? "" : " = ") + worked.stages[i];
  return worked.remark.empty() ? text : text + "   (" + worked.remark + ")";
}

std::vector<std::string> worked_lines(const Worked& worked, const TextStyle& style) {
  const auto shown = [&](const std::string& text) {
    return style.ascii ? to_ascii(visible(text)) : visible(text);
  };
  const Width indent = 4 + 2 * worked.depth;
  const std::string lead = worked.lead.empty() ? "" : shown(worked.lead) + " ";
  Lines lines{style.ruler, style.width - 1, style.fit != Fit::Whole};
  lines.now = spaces(indent) + lead + shown(worked.stages.front());
  std::vector<std::string> stages;
  Width longest = 0;
  for (std::size_t i = 1; i < worked.stages.size(); ++i) {
    stages.push_back("= " + shown(worked.stages[i]));
    longest = std::max(longest, lines.ruler.width(stages.back()));
  }
  const Width below = lines.ruler.width(lines.now) + 1;
  const bool fits = below + longest <= lines.width && below <= style.width / 2;
  const Width sign = fits || below <= style.width / 3 ? below : indent + 4;
  add_stages(lines, stages, sign);
  if (!worked.remark.empty()) {
    const std::string remark = "(" + shown(worked.remark) + ")";
    const bool beside = lines.has_room(remark, 3);
    const bool below_sign = sign + 2 + lines.ruler.width(remark) <= lines.width;
    const Width start = below_sign ? sign + 2 : indent + 4;
    if (!beside) lines.next(start);
    lines.add(beside ? std::vector{"  " + remark} : words(remark), start + 1, !beside);
  }
  lines.done.push_back(lines.now);
  return lines.done;
}

}  // namespace attn

// Finds the step and the cell that a printed line of arithmetic is about.
#include "support/worked_reader.hpp"

#include <algorithm>
#include <cmath>
#include <sstream>
#include <stdexcept>

#include "core/trace/axis_names.hpp"
#include "support/arithmetic_reader.hpp"

namespace attn::testing {
namespace {

std::vector<std::string> split(const std::string& text, const std::string& at) {
  std::vector<std::string> parts;
  std::size_t begin = 0;
  for (;;) {
    const std::size_t end = text.find(at, begin);
    parts.push_back(text.substr(begin, end == text.npos ? end : end - begin));
    if (end == text.npos) return parts;
    begin = end + at.size();
  }
}

/// The stages and the signs of "a = b ≈ c".
void read_stages(const std::string& text, WorkedLine& line) {
  for (const std::string& equals : split(text, " = ")) {
    if (!line.stages.empty()) line.signs.emplace_back("=");
    for (const std::string& stage : split(equals, " ≈ ")) {
      if (line.stages.size() > line.signs.size()) line.signs.emplace_back("≈");
      line.stages.push_back(stage);
    }
  }
}

/// The index of a printed label: a repeated token has its index in front.
Index index_of(const std::string& label, const AxisNames& names) {
  for (std::size_t i = 0; i < names.names.size(); ++i) {
    const std::string& name = names.names[i];
    const bool repeated = std::count(names.names.begin(), names.names.end(), name) > 1;
    if (label == (repeated ? std::to_string(i) + ":" + name : name)) return static_cast<Index>(i);
  }
  throw std::invalid_argument("nothing is called \"" + label + "\"");
}

std::string head_of(const Trace& trace, const Step& step, Index head) {
  const bool shared = step.value.heads() != trace.settings().heads;
  return (shared ? "kv head " : "head ") + std::to_string(head);
}

/// The head of a step that has heads, from "head 1" or "kv head 0".
Index read_head(const Trace& trace, const Step& step, const HeadName& head) {
  const std::size_t space = head.rfind(' ');
  if (space == head.npos) throw std::invalid_argument("the head is not known");
  const Index index = std::stol(head.substr(space + 1));
  if (head != head_of(trace, step, index) || index >= step.value.heads())
    throw std::invalid_argument("a cell of " + step.id + " cannot be of " + head);
  return index;
}

/// Whether a printed number is a value, rounded.
bool shows(const std::string& text, double value, int decimals) {
  if (std::isnan(value)) return text == "nan";
  return text != "nan" && read_number(text, decimals).meets({value, value});
}

/// With many decimals arithmetic leaves no doubt worth mentioning.
bool is_vague(const Range& value, int decimals) {
  const double size = std::max(1.0, std::abs(value.high));
  return decimals >= 9 && std::isfinite(size) && !(value.width() <= 1e-6 * size);
}

/// What printed arithmetic gives if every number in it is taken at face value.
Range exactly(const std::string& arithmetic) {
  Range value = read_arithmetic(arithmetic, 99);
  const double slack = 1e-12 * std::abs(value.high);
  return std::isinf(slack) ? value : Range{value.low - slack, value.high + slack};
}

/// Whether a printed number has all the decimals that there may be, as a rounded one has.
bool may_be_rounded(const std::string& arithmetic, int decimals) {
  const std::vector<std::string> numbers = numbers_in(arithmetic);
  return std::any_of(numbers.begin(), numbers.end(), [&](const std::string& number) {
    const std::size_t point = number.find('.');
    const auto shown = point == number.npos ? 0 : number.size() - point - 1;
    return number.find('e') != number.npos || shown == static_cast<std::size_t>(decimals);
  });
}

/// What is wrong with the signs between stages: names, which stand for the exact number, and
/// arithmetic.
std::string complaint_about_signs(const WorkedLine& line, int decimals) {
  const auto is_name = [](const std::string& stage) { return stage.find('[') != stage.npos; };
  for (std::size_t i = 1; i < line.stages.size(); ++i) {
    const std::string &a = line.stages[i - 1], &b = line.stages[i];
    const std::string both = " is wrong between " + a + " and " + b;
    const bool rounded = (!is_name(a) && may_be_rounded(a, std::max(decimals, 2))) ||
                         (!is_name(b) && may_be_rounded(b, std::max(decimals, 2)));
    const bool equal =
        is_name(a) || is_name(b) || a == "nan" || b == "nan" || exactly(a).meets(exactly(b));
    if (line.signs[i - 1] == "=" && !equal) return "=" + both;
    if (line.signs[i - 1] == "≈" && equal && !rounded) return "≈" + both;
  }
  return "";
}

std::string complaint_about_stages(const Trace& trace, const WorkedLine& line, Index batch,
                                   int decimals, HeadName& head) {
  if (line.stages.size() < 2) return "there is no sign";
  const std::string& result = line.stages.back();
  const Range printed = read_number(result, decimals);
  for (std::size_t i = 0; i + 1 < line.stages.size(); ++i) {
    const std::string& stage = line.stages[i];
    if (const auto named = read_name(trace, stage, batch, head)) {
      const double value = named->step->value.at(named->cell);
      if (!shows(result, value, decimals)) return stage + " is not " + result;
      continue;
    }
    if (i == 0) return "it does not begin with a name";
    if (result == "nan") continue;
    const Range value = read_arithmetic(stage, decimals);
    if (!value.meets(printed)) return stage + " does not give " + result;
    if (is_vague(value, decimals)) return stage + " could be anything";
  }
  return complaint_about_signs(line, decimals);
}

}  // namespace

std::vector<WorkedLine> worked_lines_of(const std::string& text) {
  std::vector<WorkedLine> lines;
  std::istringstream in(text);
  std::vector<std::string> rows;
  for (std::string row; std::getline(in, row);) {
    const std::size_t sign = row.find_first_not_of(' ');
    const bool goes_on =
        sign != row.npos && !rows.empty() &&
        (row.compare(sign, 2, "= ") == 0 || row.starts_with(std::string(sign, ' ') + "≈ "));
    if (goes_on) {
      rows.back() += " " + row.substr(sign);
    } else {
      rows.push_back(row);
    }
  }
  for (const std::string& row : rows) {
    WorkedLine line;
    const std::size_t begin = row.find_first_not_of(' ');
    if (begin == row.npos || begin < 4) continue;
    line.depth = static_cast<int>(begin - 4) / 2;
    std::string rest = row.substr(begin);
    if (const std::size_t gap = rest.find("   ("); gap != rest.npos) {
      line.remark = rest.substr(gap + 4, rest.size() - gap - 5);
      rest.resize(gap);
    }
    const std::size_t name_end = rest.find('[');
    const std::size_t space = rest.rfind(' ', name_end);
    if (name_end != rest.npos && space != rest.npos) {
      line.lead = rest.substr(0, space);
      rest = rest.substr(space + 1);
    }
    read_stages(rest, line);
    if (line.signs.empty()) continue;
    if (line.stages.front().find('[') != std::string::npos) lines.push_back(line);
  }
  return lines;
}

std::optional<NamedCell> read_name(const Trace& trace, const std::string& text, Index batch,
                                   HeadName& head) {
  const std::size_t open = text.find('['), close = text.rfind(']');
  if (open == text.npos || close == text.npos) return std::nullopt;
  NamedCell named;
  named.step = trace.find_named(text.substr(0, open));
  if (named.step == nullptr) throw std::invalid_argument("no step is " + text);
  const StepInfo& info = named.step->info();
  if (named.step->value.shape().batch) named.cell.batch = batch;
  std::vector<std::string> labels = split(text.substr(open + 1, close - open - 1), ", ");
  const auto next = [&](const char* axis, const AxisNames& names) -> Index {
    if (axis == std::string("1")) return 0;
    if (labels.empty()) throw std::invalid_argument(text + " names too little");
    const std::string label = labels.front();
    labels.erase(labels.begin());
    return index_of(label, names);
  };
  const std::string of = " of ";
  const bool told = text.compare(close + 1, of.size(), of) == 0;
  if (told) head = text.substr(close + 1 + of.size());
  if (named.step->value.shape().heads) named.cell.head = read_head(trace, *named.step, head);
  named.cell.row = next(info.row_axis, row_names(*named.step, batch, named.cell.head));
  named.cell.col = next(info.col_axis, col_names(*named.step, batch, named.cell.head));
  if (!labels.empty()) throw std::invalid_argument(text + " names too much");
  return named;
}

std::string complaint_about(const Trace& trace, const WorkedLine& line, Index batch, int decimals,
                            HeadName& head) {
  std::string complaint;
  try {
    complaint = complaint_about_stages(trace, line, batch, decimals, head);
  } catch (const std::logic_error& error) {
    complaint = error.what();
  }
  if (complaint.empty()) return "";
  std::string text = complaint + ", in:";
  for (const std::string& stage : line.stages) text += " = " + stage;
  return text;
}

}  // namespace attn::testing

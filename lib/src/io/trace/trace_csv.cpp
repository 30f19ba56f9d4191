// A trace as a table of numbers, and one matrix as a table with labels.
#include <string_view>

#include "attn/error.hpp"
#include "attn/io/trace_file.hpp"
#include "attn/phrases.hpp"
#include "attn/render/text.hpp"
#include "core/trace/axis_names.hpp"
#include "core/trace/text_pieces.hpp"
#include "io/json/writer.hpp"

namespace attn {
namespace {

/// A field as in RFC 4180: in quotation marks if it needs them, or is empty text. It never contains
/// line ends: they are visible escapes.
std::string field(std::string_view label) {
  const std::string text = visible(label);
  if (!text.empty() && text.find_first_of(",\"") == text.npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? "\"\"" : std::string(1, c);
  return quoted + "\"";
}

std::vector<std::string> fields(const AxisNames& labels) {
  std::vector<std::string> all;
  for (const std::string& name : labels.names) all.push_back(field(name));
  return all;
}

/// A line for each cell of one matrix; `start` is "weights,0,1,".
void append_cells(TextPieces& out, const Step& step, const std::string& start, const Cell& first) {
  const std::vector<std::string> rows = fields(row_names(step, first.batch, first.head));
  const std::vector<std::string> cols = fields(col_names(step, first.batch, first.head));
  std::vector<std::string> numbers;
  for (std::size_t c = 0; c < cols.size(); ++c) numbers.push_back(std::to_string(c) + ",");
  std::string text;
  char number[json::kRealLength];
  for (Index r = 0; r < step.value.rows(); ++r) {
    const auto row = step.value.row(first.batch, first.head, r);
    const std::string line = start + std::to_string(r) + ",";
    const std::string label = rows[static_cast<std::size_t>(r)] + ",";
    text.clear();
    for (std::size_t c = 0; c < cols.size(); ++c) {
      text.append(line).append(numbers[c]).append(label).append(cols[c]) += ',';
      text.append(number, json::put_real(number, row[c]));
      text += '\n';
    }
    out += text;
  }
}

/// The chosen matrix along an axis of `n`; without a choice, the only one.
Index choose(const Step& step, const std::optional<Index>& wanted, Index n, const std::string& what,
             const std::string& setting) {
  if (n == 1) return 0;
  if (wanted && *wanted >= 0 && *wanted < n) return *wanted;
  throw Error(ErrorKind::Usage,
              {{.id = "one-matrix",
                .what = "a wide table is one matrix, but " + step.id + " has " + counted(n, what) +
                        (wanted ? ", from 0 to " + std::to_string(n - 1) : ""),
                .fix = "Choose one.",
                .changes = {{setting, "0"}}}});
}

}  // namespace

void each_csv_piece(const Trace& trace, const TraceChoice& choice, const Sink& sink) {
  const std::vector<const Step*> steps = chosen_steps(trace, choice.steps);
  TextPieces out(sink);
  out += "step,batch,head,row,col,row_label,col_label,value\n";
  for (const Step* step : steps) {
    const Shape& shape = step->value.shape();
    for (Index b = 0; b < step->value.batch(); ++b) {
      for (Index h = 0; h < step->value.heads(); ++h) {
        const std::string start = step->id + "," + (shape.batch ? std::to_string(b) : "") + "," +
                                  (shape.heads ? std::to_string(h) : "") + ",";
        append_cells(out, *step, start, {b, h, 0, 0});
      }
    }
  }
  out.pass_on();
}

std::string trace_csv(const Trace& trace, const std::vector<std::string>& ids) {
  return in_one_text([&](const Sink& sink) { each_csv_piece(trace, {ids}, sink); });
}

std::string step_csv(const Trace& trace, const std::string& id, std::optional<Index> batch,
                     std::optional<Index> head) {
  const Step& step = *chosen_steps(trace, {id}).front();
  const Index group = step.scope->settings.heads / step.value.heads();  // `head` is a query head
  if (head) head = *head / group;
  const Index b = choose(step, batch, step.value.batch(), "batch entry", "batch");
  const Index h = choose(step, head, step.value.heads(), "head", "head");
  const std::vector<std::string> rows = fields(row_names(step, b, h));
  std::string out = field(step.info().row_axis);
  for (const std::string& name : fields(col_names(step, b, h))) out += "," + name;
  out += "\n";
  char text[json::kRealLength];
  for (Index r = 0; r < step.value.rows(); ++r) {
    out += rows[static_cast<std::size_t>(r)];
    for (const double number : step.value.row(b, h, r)) {
      out += ",";
      out.append(text, json::put_real(text, number));
    }
    out += "\n";
  }
  return out;
}

}  // namespace attn

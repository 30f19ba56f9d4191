// The report of a check as JSON.
#include "io/answers/check_json.hpp"

#include <array>
#include <cmath>
#include <string_view>

#include "attn/version.hpp"

namespace attn {
namespace {

using json::quoted;
using json::Text;

constexpr Index kMostCells = 10000;

// The words of the enumerators, in their order.
constexpr std::array kCellWords{"right", "follows", "wrong", "empty", "unreadable", "given"};
constexpr std::array kVerdictWords{"right", "follows", "wrong", "empty", "shape", "unreadable"};
constexpr std::array kConfidenceWords{"certain", "likely", "possible"};
constexpr std::array kBasisWords{"own", "true"};

template <typename Words, typename Value>
Text word(const Words& words, Value value) {
  return quoted(words.at(static_cast<std::size_t>(value)));
}

Text truth_text(bool value) { return value ? "true" : "false"; }

/// Nested lists, each innermost row on its own line.
Text cells_text(const StepReport& step, std::size_t axis, std::size_t& next, std::size_t indent) {
  const Index size = step.shape[axis];
  const bool row = axis + 1 == step.shape.size();
  std::vector<Text> items;
  for (Index i = 0; i < size; ++i)
    items.push_back(row ? word(kCellWords, step.cells[next++])
                        : cells_text(step, axis + 1, next, indent + json::kStep));
  const auto same = [](const Text& text) { return text; };
  return row ? json::list_text(items, same) : json::lines_text(items, indent, "[]");
}

Text cells_text(const StepReport& step, std::size_t indent) {
  if (step.cells.empty() || std::ssize(step.cells) > kMostCells) return "";
  std::size_t next = 0;
  return cells_text(step, 0, next, indent);
}

/// One item per line.
template <typename T, typename Write>
Text each_line(const std::vector<T>& all, std::size_t indent, Write write) {
  std::vector<Text> items;
  for (const T& each : all) items.push_back(write(each));
  return items.empty() ? "[]" : json::lines_text(items, indent, "[]");
}

Text finding_text(const Finding& f) {
  return json::object_text({{"code", quoted(f.code)},
                            {"confidence", word(kConfidenceWords, f.confidence)},
                            {"basis", word(kBasisWords, f.basis)},
                            {"matched", json::whole_text(f.matched)},
                            {"of", json::whole_text(f.of)},
                            {"message", quoted(f.message)},
                            {"hint", quoted(f.hint)},
                            {"same_as", json::texts_text(f.same_as)}});
}

Text unreadable_text(const Diagnostic& d) {
  const Place place = d.places.empty() ? Place{} : d.places.front();
  const bool line = place.line > 0;
  return json::object_text({{"what", quoted(d.what)},
                            {"line", line ? json::whole_text(place.line) : ""},
                            {"column", line ? json::whole_text(place.column) : ""},
                            {"pointer", place.pointer.empty() ? "" : quoted(place.pointer)},
                            {"fix", d.fix.empty() ? "" : quoted(d.fix)}});
}

class Writer {
 public:
  Writer(bool figures, NonFinite nonfinite) : figures_(figures), nonfinite_(nonfinite) {}

  Text step(const StepReport& s) const {
    constexpr std::size_t kIndent = 4;
    std::vector<Text> lines{
        json::members_text({{"id", quoted(s.id)},
                            {"verdict", word(kVerdictWords, s.verdict)},
                            {"shape", json::list_text(s.shape, json::whole_text)},
                            {"given_shape", json::list_text(s.given_shape, json::whole_text)},
                            {"score", json::number_text(s.score)},
                            {"max_score", json::number_text(s.max_score)}})};
    const auto add = [&](const char* key, const Text& value) {
      if (!value.empty()) lines.push_back(json::members_text({{key, value}}));
    };
    add("cells", cells_text(s, kIndent + json::kStep));
    add("findings", each_line(s.findings, kIndent + json::kStep, finding_text));
    if (figures_ && s.max_difference) add("max_difference", number(*s.max_difference));
    if (figures_ && s.first_cell) add("first_cell", first_cell(s));
    if (!s.unreadable.empty())
      add("unreadable", each_line(s.unreadable, kIndent + json::kStep, unreadable_text));
    return json::lines_text(lines, kIndent, "{}");
  }

 private:
  Text number(double x) const {
    const bool null = nonfinite_ == NonFinite::Null && !std::isfinite(x);
    return null ? "null" : json::number_text(x);
  }

  Text first_cell(const StepReport& s) const {
    const Cell& c = *s.first_cell;
    return json::object_text({{"batch", json::whole_text(c.batch)},
                              {"head", json::whole_text(c.head)},
                              {"row", json::whole_text(c.row)},
                              {"col", json::whole_text(c.col)},
                              {"given", number(s.given)},
                              {"expected", number(s.expected)}});
  }

  bool figures_;
  NonFinite nonfinite_;
};

}  // namespace

std::vector<Text> check_lines(const CheckReport& report, bool figures, NonFinite nonfinite) {
  const Writer writer(figures, nonfinite);
  return {json::members_text({{"format", quoted("attn.check")},
                              {"format_version", quoted("1.0")},
                              {"generator", quoted("attn " + version())},
                              {"right", truth_text(report.right)},
                              {"complete", truth_text(report.complete)}}),
          json::members_text(
              {{"first_wrong", report.first_wrong ? quoted(*report.first_wrong) : "null"},
               {"tolerance",
                json::object_text({{"absolute", json::number_text(report.tolerance.absolute)},
                                   {"relative", json::number_text(report.tolerance.relative)}})},
               {"score", json::number_text(report.score)},
               {"max_score", json::number_text(report.max_score)}}),
          json::members_text(
              {{"steps", each_line(report.steps, 2,
                                   [&](const StepReport& step) { return writer.step(step); })}}),
          json::members_text({{"findings", each_line(report.findings, 2, finding_text)}}),
          json::members_text({{"notes", each_line(report.notes, 2, json::quoted)}})};
}

std::string check_json(const CheckReport& report, bool figures, NonFinite nonfinite) {
  return json::lines_text(check_lines(report, figures, nonfinite), 0, "{}") + "\n";
}

}  // namespace attn

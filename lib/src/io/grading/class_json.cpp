// The summary of a class as JSON.
#include "attn/gradebook.hpp"
#include "attn/mistakes.hpp"
#include "attn/version.hpp"
#include "io/json/json.hpp"
#include "io/json/writer.hpp"

namespace attn {
namespace {

constexpr const char* kClassFormat = "attn.class";

using json::number_text;
using json::quoted;
using json::Text;

Text percent(const std::optional<double>& x) { return x ? number_text(*x) : "null"; }

template <typename T, typename Write>
Text each_line(const std::vector<T>& all, Write write) {
  std::vector<Text> items;
  for (const T& each : all) items.push_back(write(each));
  return items.empty() ? "[]" : json::lines_text(items, json::kStep, "[]");
}

Text step_text(const ClassStep& step) {
  return json::object_text({{"id", quoted(step.id)},
                            {"points", number_text(step.points)},
                            {"right", json::whole_text(step.right)},
                            {"follows", json::whole_text(step.follows)},
                            {"wrong", json::whole_text(step.wrong)},
                            {"empty", json::whole_text(step.empty)},
                            {"mean_percent", number_text(step.mean_percent)}});
}

Text counts_text(const ClassSummary& summary) {
  json::Fields fields;
  for (std::size_t i = 0; i < kRowStatuses; ++i)
    fields.emplace_back(status_word(static_cast<RowStatus>(i)),
                        json::whole_text(summary.counts[i]));
  return json::object_text(fields);
}

}  // namespace

bool is_of_class(std::string_view bytes) {
  const std::string_view head = bytes.substr(0, bytes.find('\n'));
  return stated_format(bytes) == kClassFormat ||
         head.find(",variant,status,score,max_score,percent,") != head.npos;
}

std::string class_json(const ClassSummary& summary) {
  const auto cause = [&](const ClassCause& each) {
    return json::object_text({{"code", quoted(each.code)},
                              {"title", quoted(each.title)},
                              {"students", json::whole_text(each.students)},
                              {"of", json::whole_text(summary.graded)}});
  };
  const std::vector<Text> lines{
      json::members_text({{"format", quoted(kClassFormat)},
                          {"format_version", quoted("1.0")},
                          {"generator", quoted("attn " + version())}}),
      json::members_text({{"exercise", quoted(summary.exercise)},
                          {"rows", json::whole_text(summary.rows)},
                          {"graded", json::whole_text(summary.graded)},
                          {"flagged", json::whole_text(summary.flagged)}}),
      json::members_text({{"status", counts_text(summary)}}),
      json::members_text(
          {{"points", number_text(summary.points)},
           {"median_percent", percent(summary.median_percent)},
           {"mean_percent", percent(summary.mean_percent)},
           {"hardest_step", summary.hardest_step ? quoted(*summary.hardest_step) : "null"}}),
      json::members_text({{"steps", each_line(summary.steps, step_text)}}),
      json::members_text({{"causes", each_line(summary.causes, cause)}})};
  return json::lines_text(lines, 0, "{}") + "\n";
}

}  // namespace attn

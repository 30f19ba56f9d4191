// The summary of a class as JSON.
#include <algorithm>
#include <iterator>

#include "attn/teach/gradebook.hpp"
#include "attn/teach/mistakes.hpp"
#include "io/json/json.hpp"
#include "io/json/writer.hpp"

namespace attn {
namespace {

constexpr const char* kClassFormat = "attn.class";

using json::Layout;
using json::Writer;

void write_class_step(Writer& out, const ClassStep& step) {
  out.add("id", step.id).add("points", step.points).add("right", step.right);
  out.add("follows", step.follows).add("wrong", step.wrong).add("empty", step.empty);
  out.add("mean_percent", step.mean_percent);
}

}  // namespace

bool is_of_class(std::string_view bytes) {
  const std::string_view head = bytes.substr(0, bytes.find('\n'));
  constexpr std::string_view kHeads[] = {",variant,status,score,max_score,percent,",
                                         ";variant;status;score;max_score;percent;",
                                         "Student,ID,SIS User ID,SIS Login ID,", ",Feedback"};
  return stated_format(bytes) == kClassFormat ||
         std::any_of(std::begin(kHeads), std::end(kHeads),
                     [&](std::string_view columns) { return head.find(columns) != head.npos; });
}

std::string class_json(const ClassSummary& summary) {
  return json::file_text(Layout::Groups, [&](Writer& out) {
    out.format(kClassFormat).line().add("exercise", summary.exercise).add("rows", summary.rows);
    out.add("graded", summary.graded).add("excused", summary.excused);
    out.add("flagged", summary.flagged);
    out.line().key("status").object([&] {
      for (std::size_t i = 0; i < kRowStatuses; ++i)
        out.add(status_word(static_cast<RowStatus>(i)), summary.counts[i]);
    });
    out.line().add("points", summary.points).add("median_percent", summary.median_percent);
    out.add("mean_percent", summary.mean_percent).add("hardest_step", summary.hardest_step);
    const auto write_step = [&](const ClassStep& step) { write_class_step(out, step); };
    out.line().key("steps").objects(summary.steps, Layout::Lines, write_step);
    out.line().key("causes").objects(summary.causes, Layout::Lines, [&](const ClassCause& each) {
      out.add("code", each.code).add("title", each.title).add("students", each.students);
      out.add("of", summary.graded);
    });
  });
}

}  // namespace attn

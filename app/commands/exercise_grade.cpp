// attn exercise grade: grades what a class handed in.
#include <algorithm>
#include <memory>
#include <utility>

#include "attn/phrases.hpp"
#include "commands/check.hpp"
#include "files/key_folder.hpp"
#include "options/tolerance.hpp"

namespace attn::app {
namespace {

bool run_grade(Check& o, const Streams& streams) {
  if (o.operands.empty()) {
    throw usage_error("missing-value", "attn exercise grade needs the folder that was handed in",
                      "Write attn exercise grade FOLDER --key DIR.");
  }
  if (!o.grading.key.empty()) find_key_folder(o.grading.key);  // throws if it is none
  const std::pair<const char*, const char*> needs[] = {{"--for", "--gradebook"},
                                                       {"--reports-as", "--reports"}};
  for (const auto& [option, other] : needs) {
    if (first_given(streams, {option}) == nullptr || first_given(streams, {other}) != nullptr)
      continue;
    throw usage_error("missing-option", no_effect(option, filled("there is no {}", other)),
                      filled("Add {}, or leave {} out.", other, option));
  }
  return check_class(o, targets_of(o.output, streams), streams);
}

}  // namespace

Command exercise_grade_command() {
  auto o = std::make_shared<Check>();
  Command command;
  command.examples = {
      {"attn exercise make --preset causal -o week1", "a sheet and its key"},
      {"attn exercise grade week1/key/answers --key week1/key", "how the class did"}};
  command.usual = {"--key",    "--gradebook", "--class",   "--reports", "--roster",
                   "--latest", "--overrides", "--penalty", "--why",     "--output"};
  command.operand = "FOLDER…";
  command.set_operand = [o](const std::string& path) {
    require_path("the folder", path);
    if (std::find(o->operands.begin(), o->operands.end(), path) == o->operands.end())
      o->operands.push_back(path);
  };
  GradingOptions& grading = o->grading;
  add_grading_options(command, grading);
  add_rows(
      command, Group::Own,
      {file("--gradebook", "FILE", "one row per student, as CSV", PathUse::Output,
            grading.gradebook),
       file("--class", "FILE", "how the class did, as JSON", PathUse::Output, grading.summary),
       file("--reports", "DIR", "a report for each student", PathUse::OutputFolder,
            grading.reports),
       text("--id-regex", "RE", "finds the id in a file's name", grading.id_regex),
       flag("--latest", "use each student's latest file", grading.latest),
       tolerance_row("accept this difference (default: as the sheets say)", o->options.tolerance),
       choice("--for", "WHO", "the gradebook's columns: canvas, moodle or excel",
              {{"canvas", BookFor::Canvas}, {"moodle", BookFor::Moodle}, {"excel", BookFor::Excel}},
              grading.book_for),
       choice("--reports-as", "FORMAT", "text (default), markdown or html",
              {"text", "markdown", "html"},
              [o](const std::string& format) { o->grading.reports_as = format; }),
       file("--overrides", "FILE", "points by hand: a CSV of student,step,points,reason",
            PathUse::Input, grading.overrides),
       text("--penalty", "COLUMN", "the roster's column of what is taken off: 10%, or points",
            grading.penalty),
       text("--why", "STUDENT:STEP:ROW,COL", "one number's grade (or HEAD,ROW,COL, from 0)",
            grading.why),
       text("--max-memory", "SIZE", "what one file may take, such as 64M (default 256M)",
            [o](const GivenValue& size) {
              o->problem.source.max_memory = parsed(size, parse_memory_size);
            })});
  add_report_options(command, o->text);
  add_output_options(command, o->output, is_report);
  command.ask = [o](const Streams& streams) { return run_grade(*o, streams); };
  return command;
}

}  // namespace attn::app

// Counts the mistakes that can occur in a problem or on a sheet, and names those that do not show.
#include "commands/judged_problem.hpp"

#include "attn/number_text.hpp"
#include "attn/phrases.hpp"
#include "attn/render/text.hpp"
#include "attn/teach/exercise.hpp"
#include "attn/teach/mutants.hpp"
#include "files/exercise_folder.hpp"
#include "files/files.hpp"
#include "files/printed_sheet.hpp"
#include "options/tolerance.hpp"

namespace attn::app {
namespace {

std::string line_of(const std::string& code) {
  const Mistake* mistake = find_mistake(code);
  return "  " + code + (mistake == nullptr ? "" : ": " + std::string(mistake->title)) + "\n";
}

/// "output shows 41 of 45 …", and a line for each mistake that it does not show.
std::string verdict(const std::string& what, std::size_t all,
                    const std::vector<std::string>& unseen, const std::string& how) {
  std::string text = filled("{} {} of {} that can occur here{}\n", what, all - unseen.size(),
                            counted(static_cast<std::ptrdiff_t>(all), "mistake"), how);
  if (!unseen.empty()) text += "not seen:\n";
  for (const std::string& code : unseen) text += line_of(code);
  return text;
}

/// What the blanks of a sheet show.
std::string about_sheet(const std::string& path, const Streams& streams, bool& sees_all) {
  const Sheet sheet = unsolved(read_sheet(path, streams).sheet);
  if (sheet.bug)
    throw usage_error("wrong-operand",
                      "a find-the-bug sheet has no blanks that mistakes could show in",
                      "Name its exercise: attn exercise verify DIR.");
  if (sheet.inverse)
    throw usage_error("wrong-operand",
                      "whatever fits is right on an inverse sheet, so no mistakes could show in it",
                      "Name its exercise: attn exercise verify DIR.");
  const Proof proof = prove_sheet(sheet, solved_sheet(sheet), {}, 1.0);
  const std::vector<std::string>& unseen = proof.blindness.unseen;
  sees_all = unseen.empty();
  return verdict("the sheet shows", proof.found.size() + unseen.size(), unseen, "");
}

std::string about_problem(const JudgedProblem& question, const Streams& streams, bool& sees_all) {
  const Trace truth = load_trace(question.problem, {}, streams).trace;
  const std::vector<std::string> steps = asked_steps(question, truth);
  std::vector<std::string> unseen;
  std::size_t all = 0;
  each_mutant(truth, steps, question.accepted(), [&](const Mutant& mutant) {
    ++all;
    if (!mutant.seen) unseen.emplace_back(mutant.mistake.code);
  });
  sees_all = unseen.empty();
  const Tolerance accepted = question.accepted();
  const std::string within =
      accepted.relative > 0.0 ? format_exact(100.0 * accepted.relative) + "% of the largest number"
                              : format_exact(accepted.absolute);
  return verdict(together(steps) + (steps.size() == 1 ? " shows" : " show"), all, unseen,
                 ",\nwhere a difference of up to " + within + " is accepted");
}

}  // namespace

void add_question_options(Command& command, JudgedProblem& question) {
  add_rows(
      command, Group::Own,
      {again(list(offer(text("--step,--steps", "ID,…",
                             "what the question asks for (default: the last step)",
                             [&question](const std::string& v) {
                               add_step_names(v, question.steps);
                             }),
                        offered_steps),
                  List::Commas),
             Again::Adds),
       tolerance_row("what it accepts (default 0.001%, as numpy.allclose)", question.tolerance)});
}

std::vector<std::string> asked_steps(const JudgedProblem& question, const Trace& truth) {
  if (question.steps.empty()) return {truth.steps.back().id};
  View view;
  view.steps = question.steps;
  std::vector<std::string> ids;
  for (const Step* step : shown_steps(truth, view)) ids.push_back(step->id);
  return ids;
}

bool verify_question(const JudgedProblem& question, const Streams& streams) {
  bool sees_all = false;
  const ProblemSource& source = question.problem.source;
  const std::string text = is_sheet(source, streams) ? about_sheet(source.path, streams, sees_all)
                                                     : about_problem(question, streams, sees_all);
  write_output(streams.common.output, streams.common.ascii ? to_ascii(text) : text, streams);
  return sees_all;
}

}  // namespace attn::app

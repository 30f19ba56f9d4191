// attn exercise mutants: every wrong output of a problem as files, to test a grader with.
#include <memory>
#include <ostream>

#include "attn/io/answers_text.hpp"
#include "attn/io/sheet_file.hpp"
#include "attn/number_text.hpp"
#include "attn/phrases.hpp"
#include "attn/render/text.hpp"
#include "attn/teach/mutants.hpp"
#include "commands/judged_problem.hpp"
#include "files/exercise_folder.hpp"
#include "files/files.hpp"

namespace attn::app {
namespace {

/// The asked matrices of a computation; those that a mistake leaves out are absent.
std::vector<NamedArray> arrays_of(const Trace& trace, const std::vector<std::string>& steps) {
  std::vector<NamedArray> arrays;
  for (const std::string& id : steps) {
    if (const Step* step = trace.find(id))
      arrays.push_back({id, {step->value.shape().sizes(), step->value.data().copy()}, ""});
  }
  return arrays;
}

/// The files of a folder of mutants, and their list.
class MutantFiles {
 public:
  MutantFiles(std::string folder, const std::vector<std::string>& steps)
      : folder_(std::move(folder)), steps_(steps) {}

  void add_right(const Trace& truth) { add("right", truth, "right"); }
  void add(const Mutant& mutant) {
    const std::string code = mutant.mistake.code;
    add(code, mutant.trace, code + ": " + mutant.mistake.title);
    list_.rows.push_back(
        {code, mutant.mistake.title, mutant.seen ? "yes" : "no", format_exact(mutant.difference)});
    unseen_ += mutant.seen ? 0 : 1;
  }

  std::vector<Output> outputs() {
    add_text("mutants.csv", csv_text(list_));
    return std::move(outputs_);
  }
  std::string summary() const {
    const std::string all = std::to_string(list_.rows.size());
    return "wrote " + folder_ + ": " + together(steps_) + ", right and wrong in " + all +
           " ways, as .npz and JSON\n" +
           (unseen_ == 0 ? "" : std::to_string(unseen_) + " of the wrong look right\n");
  }

 private:
  void add(const std::string& name, const Trace& trace, const std::string& remark) {
    const std::vector<NamedArray> arrays = arrays_of(trace, steps_);
    if (arrays.empty()) return;
    add_text(name + ".npz", write_npz(arrays));
    add_text(name + ".json", answers_json(arrays, remark));
  }
  void add_text(const std::string& name, std::string text) {
    outputs_.push_back(
        {folder_ + "/" + name, [text = std::move(text)](const Sink& sink) { sink(text); }, true});
  }

  std::string folder_;
  const std::vector<std::string>& steps_;
  CsvTable list_{{"code", "title", "seen", "difference"}, {}};
  std::vector<Output> outputs_;
  int unseen_ = 0;
};

void run_mutants(const JudgedProblem& question, const Streams& streams) {
  if (is_stdout(streams.common.output)) {
    throw usage_error("missing-option", "attn exercise mutants writes a folder, and none is named",
                      "Write -o DIR, a folder that does not exist yet.");
  }
  refuse_full_folder(streams.common.output);
  const Trace truth = load_trace(question.problem, {}, streams).trace;
  const std::vector<std::string> steps = asked_steps(question, truth);
  MutantFiles files(streams.common.output, steps);
  files.add_right(truth);
  each_mutant(truth, steps, question.accepted(), [&](const Mutant& mutant) { files.add(mutant); });
  write_new_folder(streams.common.output, files.outputs(), streams);
  const std::string text = files.summary();
  write_output("", streams.common.ascii ? to_ascii(text) : text, streams);
}

}  // namespace

Command exercise_mutants_command() {
  auto question = std::make_shared<JudgedProblem>();
  Command command;
  command.examples = {{"attn new --sample 04-causal -o cat.json", "a problem"},
                      {"attn exercise mutants cat.json -o mutants",
                       "its output, right and wrong in every known way"}};
  command.operand = "[PROBLEM]";
  command.makes_folder = true;
  command.set_operand = [question](const std::string& path) {
    require_path("the problem", path);
    question->problem.source.path = path;
  };
  add_question_options(command, *question);
  command.run = [question](const Streams& streams) { run_mutants(*question, streams); };
  return command;
}

}  // namespace attn::app

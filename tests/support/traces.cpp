// Computes a text, a draft or a sample by its number, and takes one step or the notes from it.
#include "support/traces.hpp"

#include "attn/attend.hpp"
#include "attn/io/problem_file.hpp"
#include "attn/io/samples.hpp"

namespace attn::testing {

Trace trace_of(const std::string& problem, bool open_softmax) {
  const Recipe recipe = open_softmax ? full_detail() : Recipe();
  return attend(make_problem(parse_problem(problem, "problem.json").draft), recipe);
}

Trace trace_of(const ProblemDraft& draft) { return attend(make_problem(draft)); }

Tensor step_of(const ProblemDraft& draft, const char* id) { return trace_of(draft).value(id); }

std::string notes_of(const ProblemDraft& draft) {
  std::string text;
  for (const std::string& note : trace_of(draft).notes) text += note + "\n";
  return text;
}

Trace sample_trace(int number, bool open_softmax) {
  const attn::Sample& sample = samples()[static_cast<std::size_t>(number) - 1];
  return trace_of(std::string(sample.text), open_softmax);
}

Trace with_queries(const std::vector<double>& q) {
  Trace trace = trace_of(R"({"tokens": ["a", "b"], "q": [[0, 0], [0, 0]], "k": [[1, 0], [0, 1]],
                             "v": [[1, 0], [0, 1]]})");
  for (Step& step : trace.steps) {
    if (step.id == "q") step.value = Tensor(step.value.shape(), q);
  }
  return trace;
}

}  // namespace attn::testing

// attn new: a sample or a random problem to start from.
#include <memory>

#include "attn/problem_file.hpp"
#include "attn/random_problem.hpp"
#include "attn/samples.hpp"
#include "attn/tool/suggest.hpp"
#include "attn/tool/text.hpp"
#include "files/files.hpp"
#include "options/shared_options.hpp"

namespace attn::app {
namespace {

struct New {
  bool list = false, force = false, random = false;
  RandomProblem wish;
  std::string sample;
};

std::string listing() {
  std::string text;
  for (const Sample& sample : samples()) {
    const std::string title =
        parse_problem(std::string(sample.text), std::string(sample.name)).draft.title;
    text += pad_right(sample.name, 22) + title + "\n";
  }
  return text;
}

std::vector<std::string> sample_names() { return names_in(samples()); }

std::string text_of(const std::string& name) {
  std::vector<std::string> names;
  for (const Sample& sample : samples()) {
    if (sample.name == name || sample.name.substr(3) == name) return std::string(sample.text);
    names.emplace_back(sample.name.substr(3));
    names.emplace_back(sample.name);
  }
  throw usage_error("unknown-sample",
                    "there is no sample \"" + name + "\"" + did_you_mean(name, names),
                    "See them all with attn new --list.");
}

void add_random_options(Command& command, New& o) {
  const auto size = [&](const char* name, const char* help, auto set) {
    return whole(name, help, 1, 1024, [&o, set](long n) { set(o.wish, n); });
  };
  add_rows(command, Group::Own,
           {flag("--random", "make a problem of small whole numbers", o.random),
            flag("--normal", "with --random: normal numbers instead", o.wish.normal),
            size("--tokens", "with --random: how many tokens (4)",
                 [](RandomProblem& w, long n) { w.tokens = n; }),
            size("--d-model", "with --random: width of a token (6)",
                 [](RandomProblem& w, long n) { w.d_model = n; }),
            size("--heads", "with --random: how many heads",
                 [](RandomProblem& w, long n) { w.heads = n; }),
            size("--d-k", "with --random: width of a query",
                 [](RandomProblem& w, long n) { w.d_k = n; }),
            size("--d-v", "with --random: width of a value",
                 [](RandomProblem& w, long n) { w.d_v = n; }),
            whole("--seed", "with --random: another seed, other numbers (0)", 0, 9007199254740992,
                  [&o](long n) { o.wish.seed = static_cast<std::uint64_t>(n); })});
}

/// What was asked for: the list, a sample, or a problem of random numbers.
std::string wanted(const New& o) {
  if (o.list) return listing();
  if (o.random) return problem_json(random_draft(o.wish));
  if (!o.sample.empty()) return text_of(o.sample);
  throw usage_error("missing-option", "attn new needs --list, --sample NAME or --random",
                    "Try attn new --sample 01-one-head -o mine.json.");
}

}  // namespace

Command new_command() {
  auto o = std::make_shared<New>();
  Command command;
  command.examples = {
      {"attn new --list", "the built-in samples"},
      {"attn new --sample 03-multi-head -o mine.json", "write one as a file"},
      {"attn new --random --tokens 4 --heads 2 --seed 7", "new numbers to work by hand"}};
  add_rows(command, Group::Own,
           {flag("--list", "name the built-in samples", o->list),
            offer(text("--sample", "NAME", "write this sample", o->sample), sample_names),
            flag("--force", "write over a file that exists", o->force)});
  add_random_options(command, *o);
  command.run = [o](const Streams& streams) {
    const std::string text = wanted(*o);
    if (!o->force) refuse_existing(streams.common.output);
    write_json(streams.common.output, text, streams);
    return 0;
  };
  return command;
}

}  // namespace attn::app

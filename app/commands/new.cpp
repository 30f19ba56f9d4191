// attn new: a sample or a random problem to start from.
#include <cstdint>
#include <memory>

#include "attn/core/random_problem.hpp"
#include "attn/io/problem_file.hpp"
#include "attn/io/samples.hpp"
#include "attn/language.hpp"
#include "attn/phrases.hpp"
#include "attn/render/text.hpp"
#include "attn/suggest.hpp"
#include "files/files.hpp"
#include "files/read_problem.hpp"
#include "options/shared_options.hpp"

namespace attn::app {
namespace {

struct New {
  bool list = false, random = false;
  RandomProblem wish;
  std::vector<std::string> words;
  std::string sample;
};

std::string listing() {
  std::string text;
  for (const Sample& sample : samples()) {
    const std::string title =
        parse_problem(std::string(sample.text), std::string(sample.name)).draft.title;
    text += pad_right(sample.name, 22) + translated_sentence(title) + "\n";
  }
  return text;
}

std::vector<std::string> sample_names() { return names_in(samples()); }

std::string sample_text(const std::string& name) {
  if (const Sample* sample = find_sample(name)) return std::string(sample->text);
  std::vector<std::string> names = sample_names();
  for (const Sample& sample : samples()) names.emplace_back(sample.name.substr(3));
  throw usage_error(
      "unknown-sample", "there is no sample \"" + name + "\"" + did_you_mean(name, names),
      filled("Choose {} to {}; attn new --list names them all.",
             std::string(samples().front().name), std::string(samples().back().name)));
}

void add_random_options(Command& command, New& o) {
  constexpr std::int64_t kMost =
      1000000;  // random_draft knows the real limits, and a way around them
  RandomProblem& wish = o.wish;
  add_rows(command, Group::Own,
           {flag("--random", "make a problem with small whole numbers", o.random),
            flag("--normal", "with --random: normally distributed numbers", o.wish.normal),
            whole("--tokens", "with --random: number of tokens (default 4)", 1, kMost, wish.tokens),
            text("--words", "A,B,C", "with --random: names of the tokens",
                 [&o](const GivenValue& words) { o.words = token_names(words); }),
            whole("--d-model", "with --random: columns of X (default 6)", 1, kMost, wish.d_model),
            whole("--heads", "with --random: number of heads", 1, kMost, wish.heads),
            whole("--d-k",
                  "with --random: d_k (default 4; 1 with many heads; with --normal from d_model)",
                  1, kMost, wish.d_k),
            whole("--d-v", "with --random: d_v (default d_k)", 1, kMost, wish.d_v),
            whole("--seed", "with --random: seed of the numbers (default 0)", 0, 9007199254740992,
                  wish.seed)});
}

std::string random_text(const New& o) {
  RandomProblem wish = o.wish;
  if (!o.words.empty()) wish.tokens = std::ssize(o.words);
  ProblemDraft draft = random_draft(wish);
  if (!o.words.empty()) draft.tokens = {o.words};
  return problem_json(draft);
}

/// What was asked for: the list, a sample, or a problem of random numbers.
std::string wanted(const New& o) {
  if (o.list) return listing();
  if (o.random) return random_text(o);
  if (!o.sample.empty()) return sample_text(o.sample);
  throw usage_error("missing-option", "attn new needs --list, --sample NAME or --random",
                    "Try attn new --sample 01-one-head -o mine.json.");
}

}  // namespace

Command new_command() {
  auto o = std::make_shared<New>();
  Command command;
  command.examples = {
      {"attn new --list", "the built-in samples"},
      {"attn new --sample 03-multi-head -o mine.json", "one of them as a file"},
      {"attn new --random --tokens 4 --heads 2 --seed 7", "to work through by hand"}};
  add_rows(command, Group::Own,
           {flag("--list", "list the built-in samples", o->list),
            offer(text("--sample", "NAME", "write this sample", o->sample), sample_names)});
  add_random_options(command, *o);
  command.usual = {"--list",  "--sample",  "--random", "--tokens", "--words",
                   "--heads", "--d-model", "--d-k",    "--seed",   "--output"};
  command.conflicts = {{"--list", "--sample", "one lists the samples, the other writes one"},
                       {"--tokens", "--words", "the words say how many tokens there are"}};
  for (const char* other : {"--list", "--sample"}) {
    for (const char* random : {"--random", "--normal", "--tokens", "--words", "--d-model",
                               "--heads", "--d-k", "--d-v", "--seed"})
      command.conflicts.push_back(
          {other, random, "one is about samples, the other about random problems"});
  }
  command.run = [o](const Streams& streams) {
    const std::string text = wanted(*o);
    write_json(
        streams.common.output, [&](const Sink& sink) { sink(text); }, streams);
  };
  return command;
}

}  // namespace attn::app

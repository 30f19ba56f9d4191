#include <memory>

#include "attn/error.hpp"
#include "attn/problem_file.hpp"
#include "attn/samples.hpp"
#include "attn/suggest.hpp"
#include "attn/text.hpp"
#include "commands.hpp"
#include "files.hpp"

namespace attn::app {
namespace {

struct New {
  bool list = false;
  std::string sample;
  std::string path;
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

std::string text_of(const std::string& name) {
  std::vector<std::string> names;
  for (const Sample& sample : samples()) {
    if (sample.name == name || sample.name.substr(3) == name) return std::string(sample.text);
    names.emplace_back(sample.name.substr(3));
    names.emplace_back(sample.name);
  }
  const std::string guess = did_you_mean(name, names);
  throw Error(Fault::Usage,
              {{.id = "unknown-sample",
                .what = "there is no sample \"" + name + "\"" + (guess.empty() ? "" : "; " + guess),
                .fix = "See them all with attn new --list."}});
}

}  // namespace

Command new_command() {
  auto o = std::make_shared<New>();
  Command command;
  command.name = "new";
  command.summary = "write a problem file to start from";
  command.examples = {{"attn new --list", "the built-in samples"},
                      {"attn new --sample 03-multi-head -o mine.json", "write one as a file"}};
  command.options = {
      {"--list", "", "name the built-in samples", {}, [o](const std::string&) { o->list = true; }},
      {"--sample", "NAME", "write this sample", {}, [o](const std::string& v) { o->sample = v; }},
      {"-o,--output", "FILE", "write to FILE; - is standard output", {}, [o](const std::string& v) {
         o->path = v;
       }}};
  command.run = [o](const Streams& streams) {
    if (!o->list && o->sample.empty()) {
      throw Error(Fault::Usage, {{.id = "missing-option",
                                  .what = "attn new needs --list or --sample NAME",
                                  .fix = "Try attn new --sample 01-one-head -o mine.json."}});
    }
    write_output(o->path, o->list ? listing() : text_of(o->sample), streams);
    return 0;
  };
  return command;
}

}  // namespace attn::app

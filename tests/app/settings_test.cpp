// What can be set about a problem: as an option, and after --set.
#include <doctest/doctest.h>

#include <algorithm>

#include "commands.hpp"
#include "options/shared_options.hpp"
#include "support/phrases.hpp"
#include "support/program.hpp"
#include "support/temporary_folder.hpp"

using namespace attn::testing;

namespace {

using Words = std::vector<std::string>;

/// The steps that `attn explain` computes, as a trace without its title.
std::string steps_with(Words args) {
  args.insert(args.begin(), {"explain", "--json"});
  const Ran ran = attn_run(args);
  CHECK_MESSAGE(ran.exit_code == 0, ran.err);
  CHECK(ran.err.empty());
  return ran.out.substr(std::min(ran.out.find("\"steps\""), ran.out.size()));
}

}  // namespace

TEST_CASE(
    "settings: an option about the problem is the same after --set, and one that is not listed") {
  const std::vector<std::pair<std::string, std::string>> settings{
      {"mask", "causal"},    {"heads", "2"},           {"scale", "none"},
      {"positions", "rope"}, {"score", "distance"},    {"softcap", "2"},
      {"sinks", "0.5"},      {"qk-norm", "rms"},       {"normalizing", "sigmoid"},
      {"kv-heads", "2"},     {"align", "end"},         {"masking", "multiply"},
      {"fill", "-5"},        {"empty-row", "uniform"}, {"dtype", "float16"},
      {"max-memory", "64M"}, {"threads", "1"}};
  const std::string plain = steps_with({"--heads", "2", "--mask", "causal"});
  for (const auto& setting : settings) {
    const std::string &name = setting.first, &value = setting.second;
    CAPTURE(name);
    Words others;
    if (name != "heads") others.insert(others.end(), {"--heads", "2"});
    if (name != "mask") others.insert(others.end(), {"--mask", "causal"});
    Words option = others, set = others;
    option.insert(option.end(), {"--" + name, value});
    set.insert(set.end(), {"--set", name + "=" + value});
    CHECK(steps_with(option) == steps_with(set));
    const bool changes_numbers =
        std::find_if(settings.begin() + 2, settings.begin() + 9,
                     [&](const auto& each) { return each.first == name; }) != settings.begin() + 9;
    if (changes_numbers) CHECK(steps_with(option) != plain);
  }
}

TEST_CASE("settings: a key of the problem that is no option can be written as one") {
  CHECK(steps_with({"--normalize", "sigmoid"}) == steps_with({"--set", "normalize=sigmoid"}));
  CHECK(steps_with({"--normalize=sigmoid"}) == steps_with({"--normalizing", "sigmoid"}));
  CHECK(steps_with({"--mask", "causal", "--masking.before-scale", "true"}) ==
        steps_with({"--mask", "causal", "--set", "masking.before_scale=true"}));
  CHECK(attn_run({"heatmap", "--normalize", "row"}).exit_code == 0);  // its own option
  CHECK(has(usage({"explain", "--normalize", "--json"}), no_option("--normalize")));
  CHECK(has(usage({"explain", "--normalise", "sum"}), no_option("--normalise")));
  CHECK(has(usage({"lesson", "--normalize", "sum"}), no_option("--normalize")));
}

TEST_CASE(
    "settings: --set takes several, files and masks too, and says what is wrong in its words") {
  const TemporaryFolder desk;
  const std::string rows = desk.write("x.json", "[[1, 2, 3], [3, 2, 1]]");
  CHECK(steps_with({"--set", "softcap=2,mask=window:2,1,fill=-5"}) ==
        steps_with({"--softcap", "2", "--mask", "window:2,1", "--fill", "-5"}));
  const Ran ran = attn_run({"explain", "--set", "embeddings=" + rows, "-o", rows});
  CHECK(ran.exit_code == 2);
  CHECK(has(ran.err, "error[same-file]"));
  CHECK(has(explain_refusal({"--set", "softcap=0,5"}), "Write --set softcap=0.5: decimals"));
  CHECK(has(explain_refusal({"--set", "softcop=2"}), did_you_mean({"softcap"})));
  CHECK(has(explain_refusal({"--set", "causal"}), "--set takes"));
  for (const Words& twice : {Words{"--layer", "1", "--set", "layer=2"},
                             {"--set", "words=a", "--set", "words=b"},
                             {"--threads", "1", "--set", "threads=2"},
                             {"--softcap", "2", "--set", "softcap=3"}}) {
    CAPTURE(twice[1]);
    CHECK(has(explain_refusal(twice), "is set twice: " + twice[0]));
  }
  CHECK(steps_with({"--threads", "1", "--set", "threads=1"}) == steps_with({}));
}

TEST_CASE("settings: check and explain have a page with all of them, and complete them") {
  const std::string page = attn_run({"help", "settings"}).out;
  const std::string bash = attn_run({"completions", "bash"}).out;
  attn::app::CommonOptions common;
  std::size_t count = 0;
  for (const attn::app::Command& command : attn::app::every_command(common)) {
    for (const attn::app::OptionRow& row : command.options) {
      if (row.group != attn::app::Group::Setting) continue;
      CAPTURE(row.names);
      ++count;
      CHECK(has(page, "  " + names_of(row).back().substr(2) + "="));
      CHECK(has(bash, names_of(row).back()));
    }
  }
  CHECK(count > 100);
}

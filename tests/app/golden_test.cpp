// Outputs against stored ones: every sample as text, every attention as JSON, and more.
// ATTN_UPDATE_GOLDENS=1 writes them anew; read the difference before you commit it.
#include <doctest/doctest.h>

#include <algorithm>

#include "attn/io/samples.hpp"
#include "attn/teach/lesson.hpp"
#include "commands.hpp"
#include "support/golden.hpp"
#include "support/models.hpp"
#include "support/program.hpp"

using namespace attn::testing;

TEST_CASE("goldens: every sample as text") {
  for (const attn::Sample& sample : attn::samples()) {
    const Ran ran = attn_run({"explain", "-"}, std::string(sample.text));
    CHECK(ran.exit_code == 0);
    check_golden(std::string(sample.name) + ".txt", ran.out);
  }
}

TEST_CASE("goldens: every attention as JSON, with softmax opened up") {
  for (const attn::Sample& sample : attn::testing::attention_samples()) {
    const Ran ran =
        attn_run({"explain", "-", "--json", "--detail", "full"}, std::string(sample.text));
    CHECK(ran.exit_code == 0);
    check_golden(std::string(sample.name) + ".json", ran.out, false);
  }
}

TEST_CASE("goldens: heat maps, plain and in colour") {
  const auto check = [](const std::string& name, std::vector<std::string> args) {
    args.insert(args.begin(), "heatmap");
    check_golden("heatmap-" + name + ".txt", attn_run(args).out);
  };
  const std::vector<std::string> causal{"--mask", "causal", "--heads", "2"};
  const auto with = [&](std::vector<std::string> more) {
    more.insert(more.end(), causal.begin(), causal.end());
    return more;
  };
  check("plain", causal);
  check("ascii", with({"--ascii"}));
  check("256", with({"--color", "always", "--color-depth", "256"}));
  check("truecolor", with({"--color", "always", "--color-depth", "truecolor"}));
  check("compact-256", with({"--compact", "--color", "always", "--color-depth", "256"}));
  check("big-16",
        {"--big", "--color", "always", "--color-depth", "16", "--steps", "output", "--diverging"});
  std::vector<std::string> svg = with({"--format", "svg"});
  svg.insert(svg.begin(), "heatmap");
  check_golden("heatmap.svg", attn_run(svg).out);
}

TEST_CASE("goldens: the first thing that anybody sees") {
  check_golden("first-look.txt", attn_run({"explain", "--mask", "causal"}).out);
  check_golden("first-look-ascii.txt", attn_run({"explain", "--mask", "causal", "--ascii"}).out);
  check_golden("first-cell.txt",
               attn_run({"explain", "--mask", "causal", "--cell", "weights:1,0"}).out);
  check_golden("first-full.txt", attn_run({"explain", "--mask", "causal", "--detail", "full"}).out);
}

TEST_CASE("goldens: the computation forward and backward, with reasons") {
  check_golden("gradient-full.txt", attn_run({"explain", "--mask", "causal", "--heads", "2",
                                              "--gradient", "--detail", "full"})
                                        .out);
}

TEST_CASE("goldens: what a mask changes, with one head and with two") {
  check_golden("compare-mask.txt",
               attn_run({"compare", "--left", "mask=none", "--right", "mask=causal"}).out);
  check_golden("compare-heads-wide.txt", attn_run({"compare", "--left", "heads=2", "--right",
                                                   "heads=2,mask=causal", "--width", "120"})
                                             .out);
}

TEST_CASE("goldens: documents to read elsewhere") {
  const std::pair<const char*, const char*> formats[] = {{"markdown", ".md"}, {"latex", ".tex"}};
  for (const auto& [format, ending] : formats) {
    const auto check = [&, name = format, end = ending](const std::string& file,
                                                        std::vector<std::string> args) {
      args.insert(args.end(), {"--format", name});
      check_golden(file + end, attn_run(args).out);
    };
    check("first-look", {"explain", "--mask", "causal", "--heads", "2"});
    check("first-cell", {"explain", "--mask", "causal", "--cell", "weights:1,0"});
    check("compare-mask", {"compare", "--left", "mask=none", "--right", "mask=causal"});
    check("lesson-one-head", {"lesson", "one-head"});
    for (const attn::Sample& sample : attn::samples()) {
      const std::string name(sample.name);
      if (name != "09-batch" && name != "10-chinese" && name != "12-grouped-heads") continue;
      const Ran ran = attn_run({"explain", "-", "--format", format}, std::string(sample.text));
      check_golden(name + ending, ran.out);
    }
  }
}

TEST_CASE("goldens: every lesson, and the list of them") {
  check_golden("lesson.txt", attn_run({"lesson"}).out);
  for (const attn::Lesson& lesson : attn::lessons()) {
    const Ran ran = attn_run({"lesson", lesson.name, "--width", "80"});
    CHECK(ran.exit_code == 0);
    check_golden("lesson-" + std::string(lesson.name) + ".txt", ran.out);
  }
}

TEST_CASE("goldens: the help of every command") {
  check_golden("help.txt", attn_run({}).out);
  for (const attn::app::CommandRow& row : attn::app::commands()) {
    const std::string name = row.name;
    std::string file = "help-" + name + ".txt";
    std::replace(file.begin(), file.end(), ' ', '-');
    check_golden(file, attn_run({name, "--help"}).out);
  }
}

TEST_CASE("goldens: ways to get the command line wrong") {
  const std::vector<std::vector<std::string>> lines{{"explian", "--mask", "casual"},
                                                    {"expl"},
                                                    {"-"},
                                                    {"--mask", "causal"},
                                                    {"--asci"},
                                                    {"explain", "--msk", "causal"},
                                                    {"explain", "--mas", "causal"},
                                                    {"explain", "--mask", "casual"},
                                                    {"explain", "--mask"},
                                                    {"explain", "--mask", "--heads", "2"},
                                                    {"explain", "--ascii=no"},
                                                    {"explain", "--format", "jsno"},
                                                    {"explain", "--width", "ten"},
                                                    {"explain", "--heads", "0"},
                                                    {"explain", "--scale", "two"},
                                                    {"explain", "--color", "allways"},
                                                    {"explain", "-o", ""},
                                                    {"explain", "a.json", "b.json"},
                                                    {"explain", "--steps", "wieghts"},
                                                    {"explain", "--query", "dog"},
                                                    {"explain", "--cell", "weights"},
                                                    {"explain", "--cell", "weights:cta,the"},
                                                    {"explain", "-o", "page.pdf"},
                                                    {"explain", "-o", "a.json", "--format", "csv"},
                                                    {"convert"},
                                                    {"new"},
                                                    {"new", "--sample", "casual"},
                                                    {"schema"},
                                                    {"schema", "tarce"},
                                                    {"completions", "fisch"},
                                                    {"man", "ual"},
                                                    {"help", "maskz"}};
  std::string text;
  for (const std::vector<std::string>& line : lines) {
    const Ran ran = attn_run(line);
    CHECK(ran.exit_code == 2);
    CHECK(ran.out.empty());
    CHECK(ran.err.find("CLI::") == std::string::npos);
    text += "$ attn";
    for (const std::string& word : line) text += word.empty() ? " \"\"" : " " + word;
    text += "\n" + ran.err + "\n";
  }
  check_golden("usage-errors.txt", text);
}

// Outputs against stored ones: a few of each kind in full, the numbers of all samples, and more.
// ATTN_UPDATE_GOLDENS=1 writes them anew; read the difference before you commit it.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <sstream>

#include "attn/io/samples.hpp"
#include "attn/number_text.hpp"
#include "commands.hpp"
#include "support/golden.hpp"
#include "support/program.hpp"

using namespace attn::testing;

namespace {

// A changed phrase changes these; the numbers of all samples are compared without phrases.
constexpr const char* kShownInFull[] = {"01-one-head", "04-causal", "06-translation",
                                        "12-grouped-heads", "24-experts"};
constexpr const char* kLessonsInFull[] = {"tokens", "one-head", "masks", "softmax", "experts"};

const attn::Sample& sample_named(std::string_view name) {
  const auto all = attn::samples();
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const auto& each) { return each.name == name; });
  REQUIRE(found != all.end());
  return *found;
}

struct StepSum {
  std::string id;
  std::vector<double> numbers = {};

  /// Later numbers count more, so that exchanged ones are noticed; infinite ones do not count.
  double sum() const {
    double all = 0.0, place = 0.0;
    for (const double x : numbers) {
      place += 1.0;
      if (std::isfinite(x)) all += x * place / static_cast<double>(numbers.size());
    }
    return all;
  }
};

/// The steps of a trace in CSV: step,batch,head,row,col,row_label,col_label,value.
std::vector<StepSum> sums_of_steps(const std::string& csv) {
  std::vector<StepSum> steps;
  std::istringstream lines(csv);
  std::string line;
  std::getline(lines, line);
  while (std::getline(lines, line)) {
    const std::string id = line.substr(0, line.find(','));
    if (steps.empty() || steps.back().id != id) steps.push_back({id});
    steps.back().numbers.push_back(std::strtod(line.c_str() + line.rfind(',') + 1, nullptr));
  }
  return steps;
}

}  // namespace

TEST_CASE("goldens: five samples as text, and as JSON with softmax opened up") {
  for (const std::string name : kShownInFull) {
    const std::string problem(sample_named(name).text);
    check_golden(name + ".txt", attn_run({"explain", "-"}, problem).out);
    const Ran json = attn_run({"explain", "-", "--json", "--detail", "full"}, problem);
    check_golden(name + ".json", json.out, false);
  }
}

TEST_CASE("goldens: the steps of every sample, and the sums of their numbers") {
  std::string found = "sample,step,numbers,sum\n";
  for (const attn::Sample& sample : attn::samples()) {
    const Ran ran = attn_run({"explain", "-", "--format", "csv"}, std::string(sample.text));
    CHECK(ran.exit_code == 0);
    for (const StepSum& step : sums_of_steps(ran.out))
      found += std::string(sample.name) + "," + step.id + "," +
               std::to_string(step.numbers.size()) + "," + attn::format_exact(step.sum()) + "\n";
  }
  check_golden("samples.csv", found, false);
}

TEST_CASE("goldens: heat maps, plain and in colour") {
  const auto map_of = [](std::vector<std::string> args) {
    args.insert(args.begin(), "heatmap");
    return attn_run(args).out;
  };
  // Without the title, which colours leave as it is.
  const auto check_look = [&](const std::string& name, const std::vector<std::string>& args) {
    const std::string map = map_of(args);
    const std::size_t heads = map.find("head 0");
    REQUIRE(heads != map.npos);
    check_golden("heatmap-" + name + ".txt", map.substr(map.rfind('\n', heads) + 1));
  };
  const std::vector<std::string> causal{"--mask", "causal", "--heads", "2"};
  const auto with = [&](std::vector<std::string> more) {
    more.insert(more.end(), causal.begin(), causal.end());
    return more;
  };
  check_golden("heatmap-plain.txt", map_of(causal));
  check_golden("heatmap-ascii.txt", map_of(with({"--ascii"})));
  check_look("256", with({"--color", "always", "--color-depth", "256"}));
  check_look("truecolor", with({"--color", "always", "--color-depth", "truecolor"}));
  check_look("compact-256", with({"--compact", "--color", "always", "--color-depth", "256"}));
  check_golden("heatmap-big-16.txt", map_of({"--big", "--color", "always", "--color-depth", "16",
                                             "--steps", "output", "--diverging"}));
  check_golden("heatmap.svg", map_of(with({"--format", "svg"})));
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
    for (const std::string name : {"09-batch", "10-chinese", "12-grouped-heads"}) {
      const Ran ran = attn_run(
          {"explain", "-", "--steps", "q,masked_scores,weights,output", "--format", format},
          std::string(sample_named(name).text));
      check_golden(name + ending, ran.out);
    }
  }
}

TEST_CASE("goldens: the list of lessons, and five of them") {
  check_golden("lesson.txt", attn_run({"lesson"}).out);
  for (const std::string name : kLessonsInFull) {
    const Ran ran = attn_run({"lesson", name, "--width", "80"});
    CHECK(ran.exit_code == 0);
    check_golden("lesson-" + name + ".txt", ran.out);
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

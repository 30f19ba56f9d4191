// Outputs against stored ones: every sample as text, every attention as JSON, and more.
// ATTN_UPDATE_GOLDENS=1 writes them anew; read the difference before you commit it.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "attn/core/version.hpp"
#include "attn/io/samples.hpp"
#include "attn/teach/lesson.hpp"
#include "commands.hpp"
#include "support/files.hpp"
#include "support/models.hpp"
#include "support/program.hpp"
#include "support/temporary_folder.hpp"

using namespace attn::testing;

namespace {

namespace fs = std::filesystem;

void write_golden(const fs::path& path, const std::string& text) {
  std::ofstream(path, std::ios::binary) << text;
}

bool is_number_part(char c) { return (c >= '0' && c <= '9') || c == '.' || c == '-' || c == 'e'; }

/// Whether texts are equal but for the last digits of numbers, which differ between vector units.
bool same_but_last_digits(const std::string& a, const std::string& b) {
  std::size_t i = 0, j = 0;
  while (i < a.size() && j < b.size()) {
    const bool numbers = is_number_part(a[i]) && is_number_part(b[j]);
    if (!numbers && a[i++] != b[j++]) return false;
    if (!numbers) continue;
    std::string x, y;
    while (i < a.size() && is_number_part(a[i])) x += a[i++];
    while (j < b.size() && is_number_part(b[j])) y += b[j++];
    if (x == y) continue;
    const double p = std::strtod(x.c_str(), nullptr), q = std::strtod(y.c_str(), nullptr);
    if (std::abs(p - q) > 1e-12 * std::max(1.0, std::abs(p))) return false;
  }
  return i == a.size() && j == b.size();
}

/// The text without the number of the version, so that the goldens outlive it.
std::string without_version(std::string text) {
  const std::string name = "attn " + attn::version();
  for (std::size_t at; (at = text.find(name)) != text.npos;)
    text.replace(at, name.size(), "attn VERSION");
  return text;
}

void check_golden(const std::string& name, const std::string& output, bool exact) {
  const std::string found = without_version(output);
  const fs::path path = fs::path(attn::testing::source_dir()) / "tests/golden" / name;
  if (std::getenv("ATTN_UPDATE_GOLDENS") != nullptr) write_golden(path, found);
  const std::string expected = read_text(path.string());
  if (!exact && same_but_last_digits(expected, found)) return;
  INFO(name);
  CHECK(first_difference(expected, found) == "");
}

}  // namespace

TEST_CASE("goldens: every sample as text") {
  for (const attn::Sample& sample : attn::samples()) {
    const Ran ran = attn_run({"explain", "-"}, std::string(sample.text));
    CHECK(ran.exit_code == 0);
    check_golden(std::string(sample.name) + ".txt", ran.out, true);
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
    check_golden("heatmap-" + name + ".txt", attn_run(args).out, true);
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
  check_golden("heatmap.svg", attn_run(svg).out, true);
}

TEST_CASE("goldens: the first thing that anybody sees") {
  check_golden("first-look.txt", attn_run({"explain", "--mask", "causal"}).out, true);
  check_golden("first-look-ascii.txt", attn_run({"explain", "--mask", "causal", "--ascii"}).out,
               true);
  check_golden("first-cell.txt",
               attn_run({"explain", "--mask", "causal", "--cell", "weights:1,0"}).out, true);
  check_golden("first-full.txt", attn_run({"explain", "--mask", "causal", "--detail", "full"}).out,
               true);
}

TEST_CASE("goldens: the computation forward and backward, with reasons") {
  check_golden(
      "gradient-full.txt",
      attn_run({"explain", "--mask", "causal", "--heads", "2", "--gradient", "--detail", "full"})
          .out,
      true);
}

TEST_CASE("goldens: what a mask changes, with one head and with two") {
  check_golden("compare-mask.txt",
               attn_run({"compare", "--left", "mask=none", "--right", "mask=causal"}).out, true);
  check_golden(
      "compare-heads-wide.txt",
      attn_run({"compare", "--left", "heads=2", "--right", "heads=2,mask=causal", "--width", "120"})
          .out,
      true);
}

TEST_CASE("goldens: documents to read elsewhere") {
  const std::pair<const char*, const char*> formats[] = {{"markdown", ".md"}, {"latex", ".tex"}};
  for (const auto& [format, ending] : formats) {
    const auto check = [&, name = format, end = ending](const std::string& file,
                                                        std::vector<std::string> args) {
      args.insert(args.end(), {"--format", name});
      check_golden(file + end, attn_run(args).out, true);
    };
    check("first-look", {"explain", "--mask", "causal", "--heads", "2"});
    check("first-cell", {"explain", "--mask", "causal", "--cell", "weights:1,0"});
    check("compare-mask", {"compare", "--left", "mask=none", "--right", "mask=causal"});
    check("lesson-one-head", {"lesson", "one-head"});
    for (const attn::Sample& sample : attn::samples()) {
      const std::string name(sample.name);
      if (name != "09-batch" && name != "10-chinese" && name != "12-grouped-heads") continue;
      const Ran ran = attn_run({"explain", "-", "--format", format}, std::string(sample.text));
      check_golden(name + ending, ran.out, true);
    }
  }
}

TEST_CASE("goldens: every lesson, and the list of them") {
  check_golden("lesson.txt", attn_run({"lesson"}).out, true);
  for (const attn::Lesson& lesson : attn::lessons()) {
    const Ran ran = attn_run({"lesson", lesson.name, "--width", "80"});
    CHECK(ran.exit_code == 0);
    check_golden("lesson-" + std::string(lesson.name) + ".txt", ran.out, true);
  }
}

TEST_CASE("goldens: the help of every command") {
  check_golden("help.txt", attn_run({}).out, true);
  for (const attn::app::CommandRow& row : attn::app::commands()) {
    const std::string name = row.name;
    std::string file = "help-" + name + ".txt";
    std::replace(file.begin(), file.end(), ' ', '-');
    check_golden(file, attn_run({name, "--help"}).out, true);
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
  check_golden("usage-errors.txt", text, true);
}

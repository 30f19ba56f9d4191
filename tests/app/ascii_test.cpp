// --ascii: output and messages in 7-bit characters only.
#include <doctest/doctest.h>

#include <algorithm>

#include "attn/io/samples.hpp"
#include "attn/render/text.hpp"
#include "attn/teach/mistakes.hpp"
#include "commands.hpp"
#include "help/error_pages.hpp"
#include "help/topics.hpp"
#include "support/files.hpp"
#include "support/program.hpp"
#include "support/temporary_folder.hpp"

using namespace attn::testing;

namespace {

using Words = std::vector<std::string>;

bool is_ascii(const Ran& ran) {
  const std::string all = ran.out + ran.err;
  CHECK(!all.empty());
  return std::all_of(all.begin(), all.end(),
                     [](char c) { return static_cast<signed char>(c) > 0; });
}

}  // namespace

TEST_CASE("ascii: every sample, whatever is shown of it, and errors about it" *
          doctest::test_suite("long")) {
  const Words views[] = {{"explain"},
                         {"explain", "--big"},
                         {"explain", "--summary"},
                         {"explain", "--detail", "full"},
                         {"explain", "--layout", "lines"},
                         {"explain", "--cell", "weights:0,0", "--batch", "0"},
                         {"explain", "--width", "40"},
                         {"explain", "--mask", "ü"},
                         {"explain", "--query", "ü"},
                         {"heatmap"},
                         {"heatmap", "--compact"}};
  attn::app::Terminal other = screen(60);
  other.utf8 = other.err_utf8 = false;
  for (const attn::Sample& sample : attn::samples()) {
    for (const Words& view : views) {
      Words args = view;
      args.insert(args.begin() + 1, "-");
      CAPTURE(std::string(sample.name) + " " + view.back());
      CHECK(is_ascii(attn_run_on(other, args, std::string(sample.text))));
      args.emplace_back("--ascii");
      CHECK(is_ascii(attn_run(args, std::string(sample.text))));
    }
  }
}

TEST_CASE("ascii: every page of help") {
  Words names{"help"};
  for (const auto& row : attn::app::commands()) names.emplace_back(row.name);
  for (const auto& topic : attn::app::topics()) names.emplace_back(topic.name);
  for (const auto& page : attn::app::error_pages()) names.push_back(page.id);
  for (const attn::Mistake& mistake : attn::mistakes()) names.emplace_back(mistake.code);
  for (const std::string& name : names) {
    CAPTURE(name);
    const Ran ran = attn_run({"help", name, "--ascii"});
    CHECK(is_ascii(ran));
    for (const std::string& line : lines_of(ran.out)) {
      CAPTURE(line);
      CHECK(line.size() <= 79);
    }
  }
}

TEST_CASE("ascii: longer spellings do not shift the columns of a page; × is * or x, never a dot") {
  const std::string shapes = attn_run({"help", "shapes", "--ascii"}).out;
  CHECK(has(shapes,
            "  Q  T_q x d_k  *  K^T  d_k x T_k  =  S  T_q x T_k\n"
            "  A  T_q x T_k  *  V    T_k x d_v  =  Z  T_q x d_v\n"));
  CHECK(has(attn_run({"help", "steps", "--ascii"}).out,
            "\n  capped_scores  S''    bounded by the softcap\n"));
  CHECK(has(attn_run({"lesson", "heads", "--ascii"}).out, "512x512 weights"));
}

TEST_CASE("ascii: formats for programs, too, and JSON that means the same") {
  const std::string sample = read_text(attn::testing::source_dir() + "/samples/10-chinese.json");
  const auto narrow = [&](Words args) {
    args.emplace_back("--ascii");
    const Ran ran = attn_run(args, sample);
    CHECK(ran.exit_code == 0);
    CHECK(is_ascii(ran));
    return ran.out;
  };
  const std::string json = narrow({"explain", "-", "--json"});
  CHECK(has(json, "\\u673a"));
  CHECK(attn_run({"explain", "-", "--json"}, json).out ==
        attn_run({"explain", "-", "--json"}, sample).out);
  CHECK(has(narrow({"explain", "-", "--format", "ndjson"}), "\\u673a"));
  CHECK(has(narrow({"explain", "-", "--format", "csv"}), "\\u{673a}"));
  CHECK(has(narrow({"convert", "-", "-o", "-"}), "\\u673a"));
  narrow({"new", "--sample", "10-chinese"});
  narrow({"schema", "problem"});
  CHECK(attn::json_to_ascii("\"🙂\"") == "\"\\ud83d\\ude42\"");
}

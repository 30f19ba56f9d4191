// What courses write, and how it is typed: docs/conventions.md, samples' names, --set.
#include <doctest/doctest.h>

#include <string>

#include "support/files.hpp"
#include "support/program.hpp"

namespace attn::testing {

TEST_CASE("documentation: every row of \"your course writes\" is a problem that runs") {
  const std::string page = read_test_file("../docs/conventions.md");
  const std::size_t begin = page.find("| your course writes |"), end = page.find("```", begin);
  REQUIRE(begin != page.npos);
  int rows = 0;
  for (std::size_t at = page.find("| `{", begin); at < end; at = page.find("| `{", at + 1)) {
    const std::size_t first = at + 3;
    const std::string problem = page.substr(first, page.find("` |", first) - first);
    CAPTURE(problem);
    const Ran ran = attn_run({"explain", "-", "--json"}, problem);
    CHECK(ran.err == "");
    CHECK(ran.exit_code == 0);
    ++rows;
  }
  CHECK(rows >= 19);
}

TEST_CASE("explain: a sample's name is a problem, unless a file has that name") {
  const Ran named = attn_run({"explain", "06-translation", "--json"});
  CHECK(named.exit_code == 0);
  CHECK(has(named.out, "le"));
  CHECK(attn_run({"explain", "06-translatio"}).exit_code == 4);
  CHECK(attn_run({"heatmap", "04-causal"}).exit_code == 0);
}

TEST_CASE("compare: two operands are the two sides") {
  const Ran two = attn_run({"compare", "01-one-head", "04-causal", "--json"});
  CHECK(two.out ==
        attn_run({"compare", "--left", "01-one-head", "--right", "04-causal", "--json"}).out);
  CHECK(two.exit_code == 1);
  CHECK(attn_run({"compare", "01-one-head", "01-one-head"}).exit_code == 0);
  CHECK(attn_run({"compare", "a", "b", "c"}).exit_code == 2);
  CHECK(has(attn_run({"compare", "01-one-head", "04-causal", "--left", "heads=2"}).err,
            "two files are the two sides"));
}

TEST_CASE("--set: any key of a problem, by the grammar of --left") {
  const char* problem = R"({"q": [[1], [2]], "k": [[1], [2]], "v": [[3], [4]]})";
  const auto run = [&](const std::string& set) {
    return attn_run({"explain", "-", "--json", "--steps", "weights", "--set", set}, problem);
  };
  CHECK(run("hidden=[[0,1],[0,0]]").exit_code == 0);
  CHECK(has(run("normalize=sum,bias=1 0; 0 1").out, "weights"));
  CHECK(run("masking.before_scale=true,mask=causal").exit_code == 0);
  CHECK(run("weights.w_o=[[2]]").exit_code == 0);
  const Ran unknown = run("normalise=sum");
  CHECK(unknown.exit_code == 2);
  CHECK(has(unknown.err, did_you_mean({"normalize"})));
  CHECK(run("normalize").exit_code == 2);
  CHECK(run("softcap=-1").exit_code != 0);
  CHECK(run("memory.tokens=[1]").exit_code == 2);
  const Ran wrong = run("hidden=[[0,1,1]]");
  CHECK(wrong.exit_code == 3);
  CHECK(has(wrong.err, "--set hidden="));
}

}  // namespace attn::testing

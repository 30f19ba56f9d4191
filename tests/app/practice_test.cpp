// attn practice: a sheet at once, on paper or asked row by row.
#include <doctest/doctest.h>

#include "attn/io/sheet_file.hpp"
#include "support/files.hpp"
#include "support/program.hpp"
#include "support/temporary_folder.hpp"

using namespace attn::testing;

namespace {

attn::app::Terminal desk() {
  attn::app::Terminal terminal;
  terminal.in_is_terminal = terminal.out_is_terminal = true;
  return terminal;
}

/// What somebody sees who types these lines.
std::string practised(std::vector<std::string> args, const std::string& typed) {
  args.insert(args.begin(), "practice");
  const Ran ran = attn_run_on(desk(), args, typed);
  CHECK(ran.exit_code == 0);
  return ran.out;
}

}  // namespace

TEST_CASE(
    "practice: in a pipe, the blank sheet of a sample, of a lesson by name or number, a file") {
  const Ran first = attn_run({"practice"});
  CHECK(first.exit_code == 0);
  CHECK(has(first.out, "______"));
  CHECK(attn_run({"practice", "01-one-head"}).out == first.out);
  CHECK(attn_run({"practice", "one-head"}).out == first.out);
  CHECK(attn_run({"practice", "1"}).out == first.out);
  const TemporaryFolder folder;
  attn_run({"new", "--sample", "04-causal", "-o", folder.path("mine.json")});
  const std::string mine =
      attn_run({"practice", folder.path("mine.json"), "--blank", "weights"}).out;
  CHECK(has(mine, "mask: causal"));
  CHECK(attn_run({"practice", "04-causal", "--blank", "weights"}).out == mine);
  CHECK(count_of(mine, "[") < count_of(attn_run({"practice", "04-causal"}).out, "["));
  CHECK(attn_run({"practice", folder.path("none.json")}).exit_code == 4);
  CHECK(has(unwrapped(attn_run({"practice", "06-transltion"}).err),
            "did you mean \"06-translation\"?"));
  CHECK(has(attn_run({"practice", "--blank", "nothing"}).err, "no-such-step"));
}

TEST_CASE("practice: a page to fill in, or JSON, which attn check reads") {
  const TemporaryFolder folder;
  CHECK(attn_run({"practice", "-o", folder.path("p.html"), "--also", folder.path("p.json")})
            .exit_code == 0);
  CHECK(has(read_text(folder.path("p.html")), "<input"));
  const Ran checked = attn_run({"check", folder.path("p.json")});
  CHECK(checked.exit_code == 1);  // nothing is filled in
  CHECK(has(checked.out, "blank"));
}

TEST_CASE("practice: --seed has other numbers, the same each time") {
  const std::string first = attn_run({"practice", "--seed", "1"}).out;
  CHECK(attn_run({"practice", "--seed", "1"}).out == first);
  CHECK(attn_run({"practice", "--seed", "2"}).out != first);
  CHECK(attn_run({"practice"}).out != first);
}

TEST_CASE("practice: each row is judged at once, with a reason and one more try") {
  const std::vector<std::string> scaled{"--blank", "scaled_scores"};
  const std::string right = practised(scaled, "1/2 5/2 0 1 1\nq\n");
  CHECK(has(right, "✓ ✓ ✓ ✓ ✓"));
  CHECK(has(right, "5 of 25 cells of S′ right"));
  CHECK(!has(right, "✗"));
  const std::string again = practised(scaled, "1 5 0 2 2\n0.5 2.5 0 1 1\nq\n");
  CHECK(has(again, "What happens to the scores between Q·Kᵀ and softmax? One more try."));
  CHECK(count_of(again, "One more try.") == 1);
  CHECK(has(again, "✓ ✓ ✓ ✓ ✓"));
  const std::string twice = practised(scaled, "1 5 0 2 2\n1 5 0 2 2\n1 5/2 1/2 3/2 1.5\nq\n");
  CHECK(count_of(twice, "    cat > ") == 1);  // it goes on
  CHECK(has(twice, "6 of 25 cells"));
}

TEST_CASE("practice: docs/for-students.md shows what happens on a terminal") {
  const std::string page = read_text(source_dir() + "/docs/for-students.md");
  const std::size_t begin = page.find("3/4, √2 and -inf"), end = page.find("```", begin);
  REQUIRE(end != page.npos);
  std::string typed, expected;
  for (std::string line : lines_of(page.substr(begin, end - begin))) {
    const std::size_t prompt = line.find(" > ");
    expected += prompt == line.npos ? line + "\n" : line.substr(0, prompt + 3);
    if (prompt != line.npos) typed += line.substr(prompt + 3) + "\n";
  }
  CHECK(first_difference(expected, practised({"--blank", "scaled_scores"}, typed)) == "");
}

TEST_CASE("practice: a row may be skipped, is as long as the matrix, and holds numbers") {
  const std::string seen =
      practised({"--blank", "scores"}, "1 2\n?\n1 5 0 2 two\n1 5 0 2 \"\n2 5 1 3 3\n\n2 4 0 1 1\n");
  CHECK(has(seen, "This row has 5 cells, and here are 2."));
  CHECK(has(seen, "attn help steps says more"));
  CHECK(count_of(seen, "✓ ✓ ✓ ✓ ✗") == 2);
  CHECK(count_of(seen, "✓ ✓ ✓ ✓ ✓") == 2);  // cat and it; dreams was skipped
  CHECK(has(seen, "14 of 25 cells of S right"));
}

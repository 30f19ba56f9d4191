// attn practice: a sheet at once, on paper or asked row by row.
#include <doctest/doctest.h>

#include <sstream>

#include "attn/io/sheet_file.hpp"
#include "cli.hpp"
#include "support/files.hpp"
#include "support/phrases.hpp"
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
  CHECK(attn_run({"practice", "softmax"}).out ==  // what the lesson says to try
        attn_run({"practice", "--blank", "weights"}).out);
  CHECK(attn_run({"practice", "1"}).out == attn_run({"practice", "--blank", "q"}).out);
  const TemporaryFolder folder;
  attn_run({"new", "--sample", "04-causal", "-o", folder.path("mine.json")});
  const std::string mine =
      attn_run({"practice", folder.path("mine.json"), "--blank", "weights"}).out;
  CHECK(has(mine, "mask: causal"));
  CHECK(attn_run({"practice", "04-causal", "--blank", "weights"}).out == mine);
  CHECK(count_of(mine, "[") < count_of(attn_run({"practice", "04-causal"}).out, "["));
  CHECK(attn_run({"practice", folder.path("none.json")}).exit_code == 4);
  CHECK(has(unwrapped(attn_run({"practice", "06-transltion"}).err),
            did_you_mean({"06-translation"})));
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

TEST_CASE("practice: a sheet that is written to a file is in the language of --lang") {
  const TemporaryFolder folder;
  for (const char* name : {"p.json", "p.html"}) {
    attn_run({"practice", "--blank", "weights", "--lang", "de", "-o", folder.path(name)});
    CHECK(has(read_text(folder.path(name)), "über jedes null eine Zahl"));
  }
  CHECK(has(read_text(folder.path("p.json")), "\"language\": \"de\""));
  CHECK(has(attn_run({"check", folder.path("p.json")}).out, "Lücken"));
  attn_run({"practice", "-o", folder.path("e.json")});
  CHECK(!has(read_text(folder.path("e.json")), "\"language\""));
}

TEST_CASE("practice: in another language a hint says the formula of the heading") {
  CHECK(has(practised({"03-multi-head", "--blank", "concat", "--lang", "de"}, "?\nq\n"),
            "C = concat(Z): "));
}

TEST_CASE("practice: --seed has other numbers, the same each time") {
  const std::string first = attn_run({"practice", "--seed", "1"}).out;
  CHECK(attn_run({"practice", "--seed", "1"}).out == first);
  CHECK(attn_run({"practice", "--seed", "2"}).out != first);
  CHECK(attn_run({"practice"}).out != first);
  const auto variant = [](const std::string& out) { return out.substr(out.find("variant"), 17); };
  CHECK(variant(first) != variant(attn_run({"practice", "--seed", "2"}).out));
}

TEST_CASE("practice: each row is judged at once, with a reason and one more try") {
  const std::vector<std::string> scaled{"--blank", "scaled_scores"};
  const std::string right = practised(scaled, "1/2 5/2 0 1 1\nq\n");
  CHECK(has(right, "✓ ✓ ✓ ✓ ✓"));
  CHECK(has(right, "5 of 25 cells of S′ right"));
  CHECK(!has(right, "✗"));
  CHECK(has(right, "To go on: attn practice --blank scaled_scores\n"));
  const std::string again = practised(scaled, "1 5 0 2 2\n0.5 2.5 0 1 1\nq\n");
  CHECK(has(again, kNotScaledAsks + std::string(" One more try.")));
  CHECK(count_of(again, "One more try.") == 1);
  CHECK(has(again, "✓ ✓ ✓ ✓ ✓"));
  const std::string twice = practised(scaled, "1 5 0 2 2\n1 5 0 2 2\n1 5/2 1/2 3/2 1.5\nq\n");
  CHECK(count_of(twice, "    cat > ") == 1);  // it goes on
  CHECK(count_of(twice, "What happens") == 1);
  CHECK(has(twice, "The row is 0.5 2.5 0 1 1.\n    cat > "));
  CHECK(has(twice, "6 of 25 cells"));
}

TEST_CASE("practice: what follows from somebody's own wrong matrix is wrong") {
  const std::string wrong = "1/4 5/4 0 1/2 1/2\n", follows = "0.1415 .385 .110 .182 .182\n";
  const std::string seen =
      practised({"--blank", "scaled_scores,weights"},
                wrong + wrong + "\n\n\n\n\n" + follows + ".081 .601 .049 .134 .134\nq\n");
  const std::string weights = seen.substr(seen.find("A = softmax"));
  CHECK(has(weights, "✗ ✗ ✗ ✗ ✗"));
  CHECK(count_of(weights, "✓ ✓ ✓ ✓ ✓") == 1);
  CHECK(has(weights, "5 of 25 cells of A right"));
  CHECK(has(weights, "To go on: attn practice --blank weights\n"));
}

TEST_CASE("practice: numbers are read as people write them") {
  for (const char* row :
       {"1/√4 5/√4 0 2/2 2^0", "0.5,2.5,0,1,1", "[0.5 2.5 0 1 1]", "0.5;2.5;0;1;1",
        "(.5, 2.5, 0, 1, 1)", "0,5 2,5 0 1 1", "１／２ ２．５ ０ １ １",
        "０．５，２．５，０，１，１", "（０．５　２．５　０　１　１）", "1 / 2 5 / 2 0 1 1",
        "50% 250% 0 100% e^0", "-(-0.5) +2.5 0·1 1*1 √1"}) {
    CAPTURE(row);
    CHECK(has(practised({"--blank", "scaled_scores"}, std::string(row) + "\nq\n"), "✓ ✓ ✓ ✓ ✓"));
  }
  CHECK(has(practised({"--blank", "weights"}, "e^.5/20.268 e^2.5/20.268 4.9% .134 .134\nq\n"),
            "✓ ✓ ✓ ✓ ✓"));
}

TEST_CASE(
    "practice: commas between digits are decimal ones where spaces separate, and it says so") {
  const std::string note = kWithComma;
  const auto seen = [](const std::string& typed) {
    return unwrapped(practised({"--blank", "scaled_scores"}, typed + "\nq\n"));
  };
  CHECK(has(seen("0,5 2,5 0 1"), "2 numbers " + note));
  CHECK(has(seen("0,5 2,5 0 1"), "That is 4 numbers."));
  CHECK(has(seen("0,5 2,5 0 1 1"), "2 numbers " + note + " ✓"));
  CHECK(count_of(seen("0,5 2,5\n0,5 3,5"), note) == 1);
  CHECK(has(seen("1,2 3"), "That is 3 numbers."));
  CHECK(has(seen("1，2 3，4"), "That is 4 numbers."));
  CHECK(!has(seen("1,2 3\n1，2 3，4"), note));
  CHECK(has(seen("0, 5 2"), "That is 3 numbers."));
  CHECK(has(seen("0,5,1,5"), "That is 4 numbers."));
  CHECK(has(seen("0.5,2.5 0"), "That is 3 numbers."));
  CHECK(!has(seen("0.5,2.5 0\n0.5,2.5,0,1,1\n"), note));
}

TEST_CASE("practice: what cannot be read costs no try, and says what to type") {
  const std::string advice =
      "Type 5 numbers with spaces between, ? for a hint, Enter skips, q ends.";
  struct Row {
    const char *typed, *says;
  };
  for (const Row& row :
       {Row{"1 2", "That is 2 numbers. "}, Row{"x", "Cannot read \"x\". "},
        Row{"1 5 0 2 1/0", "Cannot read \"1/0\". "}, Row{"a b c d e", "Cannot read \"a\". "}}) {
    const std::string line = std::string(row.typed) + "\n";
    const std::string seen =
        practised({"--blank", "scores"}, line + line + line + "9 9 9 9 9\n1 5 0 2 2\nq\n");
    CHECK(count_of(unwrapped(seen), row.says + advice) == 3);
    CHECK(has(seen, "✓ ✓ ✓ ✓ ✓"));
  }
}

TEST_CASE("practice: q, quit, exit and the end of input end; h shows the keys, s the matrices") {
  for (const char* end : {"q\n", "quit\n", "EXIT\n", ""}) {
    const std::string seen = practised({"--blank", "scores"}, end);
    CHECK(count_of(seen, " > ") == 1);
    CHECK(has(seen, "0 of 25 cells of S right.\nTo go on: attn practice --blank scores\n"));
  }
  CHECK(has(practised({"--blank", "scores", "--lang", "de"}, "q\n"),
            "attn practice --lang de --blank scores\n"));
  const std::string seen = practised({"--blank", "scores"}, "help\ns\nq\n");
  CHECK(count_of(seen, "Enter skips a row") == 2);
  CHECK(count_of(seen, "K = X·W_k") == 2);
}

TEST_CASE("practice: Ctrl-C ends as q does") {
  std::istringstream in;
  std::ostringstream out, err;
  attn::app::Terminal terminal = desk();
  terminal.await_line = [] { return false; };
  CHECK(attn::app::run({"practice", "--blank", "scores"}, {in, out, err, terminal}) == 0);
  CHECK(has(out.str(), "0 of 25 cells of S right.\nTo go on: attn practice --blank scores\n"));
}

TEST_CASE("practice: each hint says more: the formula, words, the numbers of a cell") {
  const std::string seen = practised({"--blank", "q"}, "?\n?\n?\n1 1 2 0\n?\nq\n");
  const std::size_t formula = seen.find("      Q = X·W_q: what each token is looking for."),
                    words = seen.find("      The row of X times the column of W_q"),
                    numbers =
                        seen.find("      Q[the, q0] = 0·1 + 0·0 + 1·0 + 0·0 + 1·0 + 0·1 = ?\n");
  CHECK(formula < words);
  CHECK(words < numbers);
  CHECK(numbers != seen.npos);
  const std::string weights =
      practised({"--blank", "weights"}, ".2 .2 .2 .2 .2\n.081 .601 .049 .134 .134\nq\n");
  CHECK(!has(weights, "special"));
  CHECK(has(unwrapped(weights),
            "A[the, the] = e^0.5 / (e^0.5 + e^2.5 + e^0 + e^1 + e^1) = ? One more try."));
}

TEST_CASE("practice: the numbers of a hint are rounded ones where the problem's are") {
  const std::string seen = practised({"04-causal", "--blank", "weights"}, "?\n?\n？\nq\n");
  CHECK(has(seen, "      A[we, we] ≈ e^0.577 / e^0.577 = ?\n"));
  CHECK(count_of(unwrapped(seen), "What is -inf gives 0.") == 1);
  const std::string hidden =
      unwrapped(practised({"04-causal", "--blank", "weights"}, "1 1 0 0 0 0\n?\n?\n?\nq\n"));
  CHECK(!has(hidden, "again for numbers"));  // a hidden cell has none
}

TEST_CASE("practice: a screen has the matrices of a step, the keys and the prompt") {
  const std::string between = kEnterGoesOn;
  for (const std::vector<std::string>& args : {std::vector<std::string>{}, {"04-causal"}}) {
    std::string seen = practised(args, std::string(100, '\n'));
    CHECK(has(seen, "cells to fill in, in "));
    CHECK(has(seen, "Fewer: attn practice"));
    CHECK(count_of(seen, between) > 3);
    while (!seen.empty()) {
      const std::string screen = seen.substr(0, seen.find(" > "));
      CHECK(count_of(screen, "\n") < 24);
      CHECK(has(screen, "s shows the matrices again"));
      const std::size_t end = seen.find(between);
      seen.erase(0, end == seen.npos ? end : end + between.size());
    }
  }
}

TEST_CASE("practice: lines are wrapped; with --ascii they have 7-bit characters") {
  const std::string seen = practised({"--blank", "scaled_scores", "--ascii", "--width", "50"},
                                     "?\n?\n?\n1 5 0 2 2\n1/2 5/2 0 1 1\n\nq\n");
  for (std::string line : lines_of(seen)) {
    const std::size_t prompt = line.rfind(" > ");  // what is typed is not in the output
    if (prompt != line.npos) line.erase(0, prompt + 3);
    CAPTURE(line);
    CHECK(line.size() <= 50);
    for (const char c : line) CHECK(static_cast<unsigned char>(c) < 128);
  }
  CHECK(has(seen, "X X ok X X"));
  CHECK(has(seen, "ok ok ok ok ok"));
}

TEST_CASE("practice: rows of several heads, and a tolerance that suits the problem" *
          doctest::test_suite("long")) {
  const std::string seen = practised({"heads", "--blank", "weights"}, "?\n1 0 0 0 0\nq\n");
  CHECK(has(seen, "head 0, "));
  CHECK(has(seen, "✓"));
  for (const char* problem : {"15-induction", "what-heads-learn"}) {
    CAPTURE(problem);
    CHECK(attn_run({"practice", problem}).exit_code == 0);
  }
}

TEST_CASE("practice: docs/for-students.md shows what happens on a terminal") {
  const std::string page = read_text(source_dir() + "/docs/for-students.md");
  const std::size_t begin = page.find("25 cells to fill in"), end = page.find("```", begin);
  REQUIRE(end != page.npos);
  std::string typed, expected;
  for (std::string line : lines_of(page.substr(begin, end - begin))) {
    const std::size_t prompt = line.find(" > ");
    expected += prompt == line.npos ? line + "\n" : line.substr(0, prompt + 3);
    if (prompt != line.npos) typed += line.substr(prompt + 3) + "\n";
  }
  CHECK(first_difference(expected, practised({"--blank", "scaled_scores"}, typed)) == "");
}

TEST_CASE("practice: a row may be skipped, or have blanks") {
  const std::string seen = practised({"--blank", "scores"}, "1 ? 0 2 _\n\n2 4 0 1 1\nq\n");
  CHECK(has(seen, "✓ · ✓ ✓ ·"));
  CHECK(has(seen, "The row is 2 5 1 3 3."));  // cat was skipped
  CHECK(has(seen, "cells of S right"));
}

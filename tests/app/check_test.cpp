// attn check from end to end: what it accepts, what it says, and how it ends.
#include <doctest/doctest.h>

#include <fstream>

#include "attn/io/tensor_file.hpp"
#include "attn/render/text.hpp"
#include "support/files.hpp"
#include "support/golden.hpp"
#include "support/phrases.hpp"
#include "support/program.hpp"
#include "support/temporary_folder.hpp"
#include "support/tensor_bytes.hpp"

using namespace attn::testing;

namespace {

using Words = std::vector<std::string>;

/// Two queries, three keys, d_k = 4: every number is easy, and √d_k = 2.
const std::string kProblem = R"({"title": "Two and three", "tokens": ["cat", "猫"],
  "key_tokens": ["cat", "sat", "on"], "q": [[2, 0, 1, 0], [0, 2, 0, 1]],
  "k": [[1, 0, 2, 0], [0, 1, 0, 4], [3, 1, 0, 2]], "v": [[1, 0], [0, 1], [2, 3]]})";

/// S = [[4, 0, 6], [0, 6, 4]], halved by √d_k.
const std::string kScores = R"("scores": [[4, 0, 6], [0, 6, 4]])";
const std::string kScaled = R"("scaled_scores": [[2, 0, 3], [0, 3, 2]])";
const std::string kUnscaled = R"("scaled_scores": [[4, 0, 6], [0, 6, 4]])";

/// Four tokens with d_k = 2, so that √4 is d_k.
const std::string kFour = R"({
  "q": [[1, 0], [0, 1], [1, 1], [2, 0]], "k": [[1, 2], [0, 1], [1, 0], [2, 1]],
  "v": [[1, 0], [2, 1], [0, 1], [1, 1]]})";

/// A folder with the problem, and answers that a test writes.
struct Desk {
  TemporaryFolder folder;
  std::string problem = folder.path("problem.json");

  Desk() { write("problem.json", kProblem); }

  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(folder.path(name), std::ios::binary) << text;
    return folder.path(name);
  }

  /// From standard input.
  Ran check(const std::string& answers, const Words& more = {}) const {
    Words args{"check", "-", "--problem", problem};
    args.insert(args.end(), more.begin(), more.end());
    return attn_run(args, answers);
  }
};

std::string object(const Words& members) {
  std::string text;
  for (const std::string& each : members) text += (text.empty() ? "{" : ", ") + each;
  return text + "}";
}

/// Right values that the answers do not have themselves.
const Words kSecrets{"0.259", "0.0351", "0.705", "1.67"};

}  // namespace

TEST_CASE("check: right and complete is exit code 0, wrong or blank is 1") {
  const Desk desk;
  CHECK(desk.check(object({kScores, kScaled})).exit_code == 0);
  CHECK(desk.check(object({kScores, kUnscaled})).exit_code == 1);
  const Ran blank = desk.check(R"({"scores": [[4, null, 6], [0, "?", 4]]})");
  CHECK(blank.exit_code == 1);
  CHECK(has(blank.out, kNothingWrong + std::string("; 2 blanks are left.")));
  CHECK(blank.err.empty());
  CHECK(has(desk.check(object({kScores})).out, kAllRight));
}

TEST_CASE("check: an array of a dump that cannot be read leaves the others to be checked") {
  const TemporaryFolder folder;
  const std::string problem = folder.write("p.json", R"({"q": [[1]], "k": [[1]], "v": [[7]]})");
  const std::string seven = little(0x401C000000000000, 8);  // 7 as float64
  const std::string good =
      R"("output": {"dtype": "F64", "shape": [1, 1], "data_offsets": [0, 8]}, )";
  const auto checked = [&](const std::string& other) {
    return attn_run({"check",
                     folder.write("dump.safetensors",
                                  safetensors_file("{" + (good + other) + "}", seven + seven)),
                     "--problem", problem});
  };
  CHECK(checked(R"("q": {"dtype": "F64", "shape": [], "data_offsets": [8, 16]})").exit_code == 0);
  const Ran ran = checked(R"("q": {"dtype": "C64", "shape": [1, 1], "data_offsets": [8, 16]})");
  CHECK(ran.exit_code == 1);
  CHECK(has(ran.out, "1 of 2 right"));
  CHECK(has(ran.out, "no matrix"));
  const std::string alone = R"({"q": {"dtype": "F64", "shape": [], "data_offsets": [0, 8]}})";
  CHECK(attn_run({"check", folder.write("dump.safetensors", safetensors_file(alone, seven)),
                  "--problem", problem})
            .exit_code == 3);
}

TEST_CASE("check: a mistake in one place of a model is named with its place") {
  const TemporaryFolder folder;
  const std::string problem = source_dir() + "/samples/15-induction.json";
  const std::string dump = folder.path("dump.npz");
  const auto place_of = [&](const std::string& fault) {
    CHECK(attn_run({"explain", problem, "--fault", fault, "-o", dump}).exit_code == 0);
    const Ran ran = attn_run({"check", dump, "--problem", problem});
    CHECK(ran.exit_code == 1);
    CHECK(has(ran.out, "[" + fault.substr(0, fault.find('@')) + "]"));
    const std::size_t at = ran.out.find("Place  ");
    const std::string line = ran.out.substr(at, ran.out.find('\n', at) - at);
    return line.substr(std::min(line.size(), std::size_t{16}));
  };
  CHECK(place_of("scale.missing@layers.1.self_attn") == "only in layers.1.self_attn");
  CHECK(place_of("scale.missing") == "in all layers alike");
  const Ran wrong = attn_run({"explain", problem, "--fault", "scale.missing@layers.1"});
  CHECK(wrong.exit_code == 3);
  CHECK(wrong.err.starts_with("error[no-such-fault]: "));
}

TEST_CASE("faults: heads that are cut wrongly are not said to get their own columns") {
  const Ran right = attn_run({"explain", "--heads", "2", "--steps", "q_heads"});
  const Ran wrong = attn_run(
      {"explain", "--heads", "2", "--steps", "q_heads", "--fault", "heads.split_reshaped"});
  CHECK(has(right.out, "each head gets its own columns of Q"));
  CHECK_FALSE(has(wrong.out, "each head gets"));
  CHECK(has(wrong.out, "Q reshaped to 2 heads"));
}

TEST_CASE("check: the report names the first wrong step, its cells and the mistake") {
  const Desk desk;
  const Ran ran = desk.check(object({kScores, kUnscaled}));
  CHECK(has(ran.out, "← first wrong step"));
  CHECK(has(desk.check(object({kScores, kUnscaled}), {"--ascii"}).out, "<- first wrong step"));
  CHECK(has(ran.out, "[scale.missing]"));
  CHECK(has(ran.out, "✗"));
  check_golden("check-scale-missing.txt", ran.out);
  check_golden("check-scale-missing-lines.txt",
               desk.check(object({kScores, kUnscaled}), {"--layout", "lines"}).out);
}

TEST_CASE("check: two mistakes in two steps are both shown, unreadable cells come last") {
  const Desk desk;
  const Ran ran = desk.check(
      R"({"scores": [[4, 1, 6], [0, 6, "4,5"]], "scaled_scores": [[2, 0.5, 3], [0, 3, null]],
          "weights": [[0.5, 0.1, 0.5], [0.1, 0.8, 0.2]], "note": "mine"})");
  CHECK(ran.exit_code == 1);
  check_golden("check-two-mistakes.txt", ran.out);
  CHECK(has(ran.out, "<stdin>:1:31: " + expected("a number", "the string \"4,5\"")));
  CHECK(has(ran.out, "with a point: 4.5."));
}

TEST_CASE("check: what comes next follows from what is wrong") {
  const Desk desk;
  const Ran comma = desk.check(R"({"scores": [[4, 0.0, 6], [0, 6, "4,5"]]})");
  CHECK(has(comma.out, "with a point: 4.5."));
  CHECK(!has(comma.out, "Redo"));
  const Ran square = desk.check(
      R"({"scores": [[4, 0, 6], [0, 6, 4]], "output": [[1.670, 0.554], [2.151, 1.484]]})");
  CHECK(has(square.out, "[shape.transposed]"));
  CHECK(has(square.out, "Write it as 2×2: 2 rows (query)"));
  CHECK(!has(square.out, "Redo"));
}

TEST_CASE("check: never a right value without --reveal, but with it the first one") {
  const Desk desk;
  const std::string wrong = object({kScores, kScaled, R"("weights": [[0, 1, 0], [1, 0, 0]])"});
  for (const Words& view : {Words{},
                            {"--hint", "1"},
                            {"--hint", "2"},
                            {"--hint", "3"},
                            {"--hint", "4"},
                            {"--json"},
                            {"--layout", "lines"}}) {
    const Ran ran = desk.check(wrong, view);
    CHECK(ran.exit_code == 1);
    for (const std::string& secret : kSecrets) {
      CAPTURE(secret);
      CAPTURE(ran.out);
      CHECK(!has(ran.out, secret));
    }
    CHECK(!has(ran.out, "first_cell"));
  }
  CHECK(has(desk.check(wrong, {"--reveal"}).out, "A[cat, cat] is 0 instead of 0.259\n"));
  const std::string close = object({R"("weights": [[0.259, 0.0351, 0.7054], [0, 1, 0]])"});
  const std::string figures = desk.check(close, {"--reveal", "--tolerance", "1e-6"}).out;
  CHECK(has(figures, "A[cat, cat] is 0.259 instead of 0.259496\n"));
  const Ran json = desk.check(wrong, {"--reveal", "--json"});
  CHECK(has(json.out, R"("first_cell": {"batch": 0, "head": 0, "row": 0, "col": 0, "given": 0)"));
  CHECK(has(json.out, "\"max_difference\": 0."));
}

TEST_CASE("check: some steps of a trace are answers, too") {
  const Desk desk;
  const std::string part = desk.folder.path("part.json");
  CHECK(attn_run({"explain", desk.problem, "--fault", "scale.missing", "--dtype", "float16",
                  "--steps", "weights,output", "--json", "-o", part})
            .exit_code == 0);
  const Ran ran = attn_run({"check", part, "--problem", desk.problem});
  CHECK(ran.exit_code == 1);
  CHECK(has(ran.out, "[scale.missing]"));
  CHECK(has(ran.out, "±0.002 times"));
  const Ran alone = attn_run({"check", part});
  CHECK(alone.exit_code == 2);
  CHECK(has(alone.err, "error[needs-problem]"));
}

TEST_CASE(
    "check: where a mask is used wrongly, large negative scores are not called a harmless fill") {
  const Desk desk;
  const std::string big = desk.write(
      "big.json",
      R"({"embeddings": {"randn": [4, 6], "seed": 1}, "heads": 2, "mask": "causal", "weights":
          {"w_q": {"randn": [6, 6], "seed": 2, "std": 900}, "w_k": {"randn": [6, 6], "seed": 3},
           "w_v": {"randn": [6, 6], "seed": 4}}})");
  for (const char* code : {"mask.missing", "mask.multiplied", "mask.added_as_is"}) {
    CAPTURE(code);
    const std::string dump = desk.folder.path("dump.json");
    attn_run({"explain", big, "--fault", code, "--steps", "masked_scores", "--json", "-o", dump});
    const Ran ran = attn_run({"check", dump, "--problem", big, "--json"});
    CHECK(has(ran.out, code));
    CHECK(!has(ran.out, "equivalent.fill"));
  }
}

TEST_CASE("check: several files are checked one after the other, broken ones reported at the end") {
  const Desk desk;
  const std::string right = desk.write("right.json", object({kScores}));
  const std::string wrong = desk.write("wrong.json", object({kUnscaled}));
  const std::string gone = desk.folder.path("gone.json");
  const auto checked = [&](Words args) {
    args.insert(args.begin(), "check");
    args.insert(args.end(), {"--problem", desk.problem});
    return attn_run(args);
  };
  const Ran one = checked({right}), other = checked({wrong}), both = checked({right, wrong, right});
  CHECK(both.exit_code == 1);
  CHECK(both.out == one.out + "\n" + other.out);
  CHECK(checked({right, wrong, "--json"}).out ==
        checked({right, "--json"}).out + checked({wrong, "--json"}).out);
  const Ran broken = checked({gone, right, wrong});
  CHECK(broken.exit_code == 4);
  CHECK(broken.out == one.out + "\n" + other.out);
  CHECK(has(broken.err, "error[cannot-read]: "));
  CHECK(has(broken.err, "gone.json"));
  for (const Words& option : {Words{"-o", desk.folder.path("report.txt")},
                              {"--watch"},
                              {"--format", "gradescope"},
                              {"--also", desk.folder.path("r.html")}})
    CHECK(has(checked({right, wrong, option[0], option.size() > 1 ? option[1] : "--quiet"}).err,
              "is for one file, not for several"));
  CHECK(has(attn_run({"check", right, desk.folder.path("")}).err, "error[needs-key]: "));
}

TEST_CASE("check: a row of weights with a wrong sum is named, with its head and batch entry") {
  const Desk desk;
  const std::string sum = "The row of \"猫\" adds up to 1.4 instead of 1.";
  const std::string wrong = object({R"("weights": [[0.259, 0.035, 0.705], [0.6, 0.5, 0.3]])"});
  CHECK_MESSAGE(has(unwrapped(desk.check(wrong).out), sum), desk.check(wrong).out);
  const std::string stacked = desk.write("stacked.json", R"({"heads": 2,
      "q": [[[[1], [0]], [[1], [1]]], [[[0], [2]], [[1], [0]]]],
      "k": [[[[1], [0]], [[1], [1]]], [[[0], [2]], [[1], [0]]]],
      "v": [[[[1], [0]], [[1], [1]]], [[[0], [2]], [[1], [0]]]]})");
  const std::string half = R"([[0.5, 0.5], [0.5, 0.5]])";
  const std::string odd = R"([[0.5, 0.5], [0.9, 0.5]])";
  const std::string answers = desk.write(
      "answers.json", "{\"weights\": [[" + half + ", " + half + "], [" + half + ", " + odd + "]]}");
  const Ran ran = attn_run({"check", answers, "--problem", stacked});
  CHECK_MESSAGE(has(unwrapped(ran.out), "in head 1 in batch entry 1 adds up to 1.4 instead of 1."),
                ran.out);
}

TEST_CASE("check: every hint repeats the headline of the step that it is about") {
  const std::string folder = source_dir() + "/samples/";
  const std::string headline = "[6/8] S′ = S / √d_k   ";
  for (const char* rung : {"1", "2", "3", "4"}) {
    const std::string text = attn_run({"check", folder + "answers/first-try.json", "--problem",
                                       folder + "01-one-head.json", "--hint", rung})
                                 .out;
    CHECK(count_of(text, headline) == 1);
    CHECK(text.find(headline) < text.find("    Where "));
  }
}

TEST_CASE("check: the hints climb from where to why") {
  const Desk desk;
  const auto hint = [&](const char* rung) {
    return desk.check(object({kScores, kUnscaled}), {"--hint", rung}).out;
  };
  CHECK(has(hint("1"), "Where"));
  CHECK(!has(hint("1"), "What I see"));
  CHECK(has(hint("2"), "What I see"));
  CHECK(!has(hint("2"), "The rule"));
  CHECK(has(hint("3"), "The rule        S′ = S / √d_k"));
  CHECK(!has(hint("3"), "attn help"));
  CHECK(!has(hint("3"), kAskYourself));
  CHECK(has(hint("4"), kAskYourself + std::string("    What happens")));
  CHECK(has(hint("4"), "attn help"));
  for (const char* rung : {"1", "2", "3", "4"}) CHECK(!has(hint(rung), "scale.missing"));
  const std::string slip = R"("scores": [[4, 1, 6], [0, 6, 4]])";
  CHECK(has(desk.check(object({slip}), {"--hint", "4"}).out, "Next            Redo the row of"));
}

TEST_CASE("check: the same answers as a table, a trace, a dump and from standard input") {
  const Desk desk;
  const std::string trace = desk.folder.path("trace.json");
  CHECK(attn_run({"explain", desk.problem, "-o", trace, "--format", "json"}).exit_code == 0);
  for (const char* name : {"t.csv", "t.npz", "t.safetensors", "t.json"}) {
    const std::string path = desk.folder.path(name);
    CHECK(attn_run({"explain", desk.problem, "-o", path}).exit_code == 0);
    const Ran ran = attn_run({"check", path, "--problem", desk.problem});
    CAPTURE(ran.out);
    CAPTURE(ran.err);
    CHECK(ran.exit_code == 0);
    const Ran piped = attn_run({"check", "-", "--problem", desk.problem}, read_text(path));
    CHECK(piped.exit_code == 0);
    CHECK(has(piped.out, "<stdin>"));
  }
  CHECK(attn_run({"check", trace}).exit_code == 0);
  const Ran other = attn_run({"check", trace, "--problem", desk.problem, "--scale", "none"});
  CHECK(other.exit_code == 1);
  CHECK(has(other.out, "Difference"));
}

TEST_CASE("check: the problem has to be known") {
  const Desk desk;
  const std::string answers = desk.write("answers.json", object({kScores}));
  const Ran none = attn_run({"check", answers});
  CHECK(none.exit_code == 2);
  CHECK(has(none.err, "error[needs-problem]"));
  CHECK(has(unwrapped(none.err), "--problem problem.json"));
  CHECK(attn_run({"check"}).exit_code == 2);
  CHECK(attn_run({"check", "-", "--problem", "-"}).exit_code == 2);
  CHECK(attn_run({"explain", desk.problem, "-o", desk.folder.path("t.json")}).exit_code == 0);
  CHECK(has(attn_run({"check", desk.folder.path("t.json"), "--heads", "2"}).err,
            "error[already-computed]"));
  CHECK(has(attn_run({"check", answers, "--problem", desk.problem, "-o", answers}).err,
            "error[same-file]"));
}

TEST_CASE("check: a step that only follows from wrong ones is not called right") {
  const Desk desk;
  const std::string made = R"("weights": [[0.119, 0.002, 0.879], [0.002, 0.879, 0.119]])";
  const std::string text = desk.check(object({kUnscaled, made}), {"--step", "weights"}).out;
  CHECK(has(text, kAllCheckedRight + std::string(", or follows")));
  CHECK(!has(text, kAllRight));
}

TEST_CASE("check: a cell without a number does not hide how far off the others are") {
  const Desk desk;
  const std::string off = object({R"("scaled_scores": [["NaN", 0, 3], [0, 3.5, 2]])"});
  const std::string text = unwrapped(desk.check(off, {"--reveal"}).out);
  CHECK(has(text, "Difference at most 0.5 in other cells; "));
  CHECK(has(text, " is nan instead of 2"));
}

TEST_CASE("check: some steps only, and how close is close enough") {
  const Desk desk;
  const std::string off = object({kScores, R"("scaled_scores": [[2.04, 0, 3], [0, 3, 2]])"});
  CHECK(desk.check(off).exit_code == 1);
  CHECK(desk.check(off, {"--step", "scores"}).exit_code == 0);
  CHECK(desk.check(off, {"--step", "S,scores"}).exit_code == 0);
  CHECK(desk.check(off, {"--tolerance", "0.05"}).exit_code == 0);
  CHECK(desk.check(off, {"--tolerance", "2%"}).exit_code == 0);
  CHECK(desk.check(off, {"--tolerance", "1%"}).exit_code == 1);
  const std::string close = object({R"("scaled_scores": [[2.001, 0, 3], [0, 3, 2]])"});
  CHECK(desk.check(close).exit_code == 0);
  CHECK(desk.check(close, {"--exact"}).exit_code == 1);
  CHECK(desk.check(off, {"--step", "wieghts"}).exit_code == 2);
  for (const char* bad : {"-1", "a lot", "inf", "%", "nan", "0,01"}) {
    CAPTURE(bad);
    const Ran ran = desk.check(off, {"--tolerance", bad});
    CHECK(ran.exit_code == 2);
    CHECK(has(ran.err, "Write --tolerance 0.01, or --tolerance 1% for"));
  }
}

TEST_CASE("check: many cells that cannot be read are counted, not listed") {
  const Desk desk;
  const std::string out = unwrapped(desk.check(R"({"scores": [["a", "b", "c"], ["d", "e", "f"]],
                     "scaled_scores": [["a", "b", "c"], ["d", "e", "f"]]})")
                                        .out);
  CHECK(has(out, "note: 8 more unreadable cells"));
  CHECK(has(out, "found the string \"a\""));
}

TEST_CASE("check: answers that nothing explains may be those of another problem") {
  const Desk desk;
  const std::string question = "do they belong to this problem?";
  const Ran other = desk.check(R"({"scores": [[7, -9, 13], [21, -5, 17]],
                                   "weights": [[0.1, 0.7, 0.2], [0.8, 0.05, 0.15]]})");
  CHECK(has(unwrapped(other.out), question));
  CHECK(has(unwrapped(desk.check(R"({"scores": [[1, 2], [3, 4]]})").out), question));
  const std::string weights = R"("weights": [[0.1, 0.7, 0.2], [0.8, 0.05, 0.15]])";
  CHECK(!has(unwrapped(desk.check(object({kScores, weights})).out), question));
  CHECK(!has(unwrapped(desk.check(object({kUnscaled})).out), question));
  const std::string begun = R"({"scores": [[7, null, null], [null, null, null]]})";
  CHECK(!has(unwrapped(desk.check(begun).out), question));
}

TEST_CASE("check: on a page, too, a matrix of which some rows are shown keeps its shape") {
  const Desk desk;
  desk.write("problem.json", kFour);
  const Ran page =
      desk.check(R"({"scores": [[1, 0, 1, 2], [2, 1, 0, 1], [3, 1, 1, 3], [9, 0, 2, 4]]})",
                 {"--format", "html"});
  CHECK(has(page.out, "<caption>S, scores · 4×4</caption>"));
  CHECK(count_of(page.out, "data-step=\"scores\"") == 1);
  CHECK(count_of(page.out, "<th scope=\"row\"") < 4);
}

TEST_CASE("check: of mistakes that give the same numbers, the more common one comes first") {
  const Desk desk;
  desk.write("problem.json", kFour);
  const std::string wrong = desk.folder.path("wrong.json");
  attn_run({"explain", desk.problem, "--fault", "scale.d_k", "--json", "-o", wrong});
  const std::string out = attn_run({"check", wrong, "--problem", desk.problem}).out;
  REQUIRE(has(out, "[scale.tokens]"));
  CHECK(out.find("[scale.d_k]") < out.find("[scale.tokens]"));
}

TEST_CASE("check: --steps takes the numbers that the report prints, and ranges of them") {
  const Desk desk;
  const std::string off = object({kScores, kUnscaled, R"("weights": [[1, 0, 0], [0, 1, 0]])"});
  const Ran both = desk.check(off, {"--steps", "4-5"});
  CHECK(has(both.out, "[4/7]  S   scores"));
  CHECK(has(both.out, "[5/7]  S′  scaled_scores"));
  CHECK(!has(both.out, "[6/7]"));
  CHECK(both.out == desk.check(off, {"--steps", "scores, S'"}).out);
  CHECK(has(desk.check(off, {"--steps", "6-8"}).err, no_step_number(8, 7)));
}

TEST_CASE(
    "check: for a wrong shape, the report gives the right size and what rows and columns are") {
  const Desk desk;
  const Ran turned = desk.check(
      R"({"scores": [[4, 0], [0, 6], [6, 4]], "output": [[1.670, 2.151], [0.554, 1.484]]})");
  CHECK(has(turned.out,
            "Next            Write it as 2×3: 2 rows (query), 3 columns (key). "
            "attn help shapes explains more."));
  CHECK(has(desk.check(R"({"scores": [[1, 2], [3, 4]]})").out,
            "Next            Write it as 2×3: 2 rows (query), 3 columns (key).\n"));
  const std::string odd = desk.check(R"({"scores": [["x", 2], [3, 4]]})").out;
  CHECK(has(odd, "What I see      The matrix is 2×2; this step is 2×3."));
  CHECK(odd.find("Next  ") == odd.rfind("Next  "));
  const std::string sample = source_dir() + "/samples/01-one-head.json";  // d_model 6, no W_o
  const Ran wide = attn_run({"check", "-", "--problem", sample}, R"({"output": [[1]]})");
  CHECK(has(wide.out, "Write it as 5×4: 5 rows (query), 4 columns."));
}

TEST_CASE("check: what cannot be explained is named by its row, column or head") {
  const Desk desk;
  const auto seen = [&](const std::string& scores, const Words& more = {}) {
    return unwrapped(desk.check(R"({"scores": )" + scores + "}", more).out);
  };
  CHECK(has(seen("[[4, 0, 6], [1, 2, 9]]"), "Only the row of \"猫\" is wrong."));
  CHECK(has(seen("[[4, 1.37, 6], [0, 9.24, 4]]"), "Only the column of \"sat\" is wrong."));
  CHECK(has(seen("[[[2, 0, 6], [0, 2, 2]], [[7, 0, 1], [0, 9, 2]]]", {"--heads", "2"}),
            "Only head 1 is wrong."));
  const std::string v = R"({"v": [[1, 0], [0, 7.31], [2, 9.64]]})";
  CHECK(has(unwrapped(desk.check(v).out), "Only column v1 is wrong."));
}

TEST_CASE("check: the row to redo names its head if there are several") {
  const Desk desk;
  const Ran ran = desk.check(R"({"scores": [[[2, 0, 6], [0, 2, 2]], [[2, 0, 0], [0, 9, 2]]]})",
                             {"--heads", "2"});
  CHECK(has(ran.out, "Redo the row of \"猫\" in head 1 first, "));
  CHECK(!has(desk.check(object({kScores, kUnscaled})).out, "in head"));
}

TEST_CASE("check: a key/value head is named as one") {
  const Desk desk;
  const std::string answers = desk.write("answers.json", R"({"k_heads": [
      [[0, 0, 1], [1, 1, 0], [0, 0, 2], [2, 0, 0], [1, 0, 1]],
      [[0, 0, 2], [7, 9, 1], [1, 0, 0], [-1, 1, 0], [1, 1, -1]]]})");
  const auto seen = [&](const Words& more) {
    Words args{"check", answers, "--problem", source_dir() + "/samples/12-grouped-heads.json"};
    args.insert(args.end(), more.begin(), more.end());
    return unwrapped(attn_run(args).out);
  };
  CHECK(has(seen({}), "Redo the row of \"hands\" in kv head 1 first, "));
  CHECK(has(seen({"--hint", "1"}), "kv head 1: the row of \"hands\""));
  CHECK(has(seen({"--reveal"}), "K_i[hands, k3] of kv head 1 is 7 instead of 0"));
}

TEST_CASE("check: in whole numbers, too, a misplaced point leaves the digits as they are") {
  const auto check = [](const std::string& score) {
    const Desk desk;
    const std::string problem = desk.write("one.json", R"({"q": [[1]], "k": [[1]], "v": [[1]]})");
    return attn_run({"check", "-", "--problem", problem}, R"({"scores": [[)" + score + "]]}").out;
  };
  for (const char* score : {"10", "100", "0.1"})
    CHECK(has(check(score), "Possible cause  The decimal point is in the wrong place."));
  for (const char* score : {"0", "5", "7", "15"}) {
    CAPTURE(score);
    CHECK(has(check(score), "✗  wrong"));
    CHECK(!has(check(score), "slip.decimal_point"));
  }
}

TEST_CASE("check: every kind of bad input gets a sentence") {
  const Desk desk;
  CHECK(has(desk.check("").err, "error[json-empty]"));
  CHECK(desk.check("").exit_code == 3);
  const Ran other = desk.check(R"({"scores": [[1, 2], [3, 4]]})");
  CHECK(other.exit_code == 1);
  CHECK(has(other.out, "2×2 instead of 2×3"));
  const Ran unknown = desk.check(R"({"wieghts": [[1]], "scored": [[2]]})");
  CHECK(unknown.exit_code == 3);
  CHECK(has(unknown.err, "error[no-answers]"));
  CHECK(has(unwrapped(unknown.err), did_you_mean({"weights"})));
  const Ran blanks = desk.check(R"({"scores": [[null, "", "?"], ["_", null, null]]})");
  CHECK(blanks.exit_code == 1);
  CHECK(has(blanks.out, "0 of 6"));
  CHECK(has(blanks.out, "6 blanks are left"));
  const Ran nan = desk.check(R"({"scores": [["NaN", 0, 6], [0, 6, 4]]})");
  CHECK(nan.exit_code == 1);
  const Ran text = desk.check(R"({"scores": [["four", 0, 6], [0, 6, 4]]})");
  CHECK(text.exit_code == 1);
  CHECK(has(text.out, "found the string \"four\""));
  const Ran problem = desk.check(kProblem);
  CHECK(problem.exit_code == 3);
  CHECK(problem.err.starts_with("error[wrong-format]: "));
  const std::string table = desk.write("a.csv", "step,row,value\n");
  CHECK(has(attn_run({"check", table, "--problem", desk.problem}).err, "error[answers-table]"));
  CHECK(attn_run({"check", desk.folder.path("none.json"), "--problem", desk.problem}).exit_code ==
        4);
}

TEST_CASE("check: unknown names among the answers are noted, and the other answers are checked") {
  const Desk desk;
  const std::vector<attn::NamedArray> arrays{{"scores", {{2, 3}, {4, 0, 6, 0, 6, 4}}, ""},
                                             {"wieghts", {{1, 1}, {1}}, ""}};
  const std::string dump = desk.write("dump.npz", attn::write_npz(arrays));
  for (const Ran& near :
       {attn_run({"check", dump, "--problem", desk.problem}),
        desk.check(object({kScores, R"("wieghts": [[1]])", R"("_comment": 1)"}))}) {
    CHECK(near.exit_code == 0);
    CHECK(has(near.out, "note: " + not_called("wieghts") + did_you_mean({"weights"})));
  }
  const Ran other = desk.check(object({kScores, R"("logits": [[1]])"}));
  CHECK(has(unwrapped(other.out), "note: " + no_step_here("logits") + " (a setting"));
  const std::string answers = desk.write("model.json", R"({"scores": [[1]]})"),
                    model = source_dir() + "/samples/17-english-french.json";
  CHECK(has(unwrapped(attn_run({"check", answers, "--problem", model}).err),
            "\"encoder.layers.0.self_attn.scores\""));
  const Ran nothing = desk.check(R"({"score": [[4, 0, 6], [0, 6, 4]]})");
  CHECK(nothing.exit_code == 3);
  CHECK(has(unwrapped(nothing.err), did_you_mean({"scores"})));
}

TEST_CASE("check: a step that is made of three others names them all") {
  Desk desk;
  desk.write("problem.json", R"({"embeddings": [[1, 2], [3, 4]], "weights": {
    "w_q": [[1, 0], [0, 1]], "b_q": [1, 1], "w_k": [[1, 0], [0, 1]], "w_v": [[1, 0], [0, 1]]}})");
  const Ran ran = desk.check(R"({"q": [[20, 31], [47, 58]]})");
  CHECK_MESSAGE(ran.out.find("4 cells do not follow from X, W_q and b_q.") != std::string::npos,
                ran.out);
}

TEST_CASE("check: a big matrix shows counts, not a map") {
  const Desk desk;
  std::string rows, big, cells;
  for (int i = 0; i < 40; ++i) {
    rows += std::string(i == 0 ? "" : ",") + "[" + std::to_string(i % 7) + ".5]";
    cells += i == 0 ? "9" : ",9";
  }
  for (int i = 0; i < 40; ++i) big += (i == 0 ? "[" : ",[") + cells + "]";
  const std::string problem =
      desk.write("big.json", R"({"scale": "none", "q": [)" + rows + "], \"k\": [" + rows +
                                 "], \"v\": [" + rows + "]}");
  const std::string answers = desk.write("answers.json", "{\"scores\": [" + big + "]}");
  const Ran ran = attn_run({"check", answers, "--problem", problem});
  CHECK(ran.exit_code == 1);
  CHECK(lines_of(ran.out).size() < 30);
  CHECK(has(ran.out, "of 1600 cells, first S["));
}

TEST_CASE("check: in 7 bits, and in columns that count wide characters twice") {
  const Desk desk;
  const std::string wrong = object({kScores, R"("scaled_scores": [[2, 0, 3], [9, 3, 2]])"});
  const Ran ascii = desk.check(wrong, {"--ascii"});
  for (const char c : ascii.out) CHECK(static_cast<unsigned char>(c) < 0x80);
  CHECK(has(ascii.out, "ok"));
  CHECK(has(ascii.out, "X"));
  const Words lines = lines_of(desk.check(wrong).out);
  std::ptrdiff_t header = 0, row = 0;
  for (const std::string& line : lines) {
    if (has(line, "query\\key")) header = attn::display_width(line);
    if (has(line, "    猫")) row = attn::display_width(line);
  }
  CHECK(header > 0);
  CHECK(header == row);
  for (const std::string& line : lines_of(desk.check(wrong, {"--width", "60"}).out))
    CHECK(attn::display_width(line) < 60);
}

TEST_CASE("check: --watch checks again when the file changes, and needs a terminal") {
  const Desk desk;
  const std::string path = desk.write("answers.json", object({kScores, kUnscaled}));
  CHECK(has(attn_run({"check", path, "--problem", desk.problem, "--watch"}).err,
            "error[needs-terminal]"));
  attn::app::Terminal terminal = screen(80);
  int turn = 0;
  const Words versions{"{\"scores\"", object({kScores, kScaled})};
  terminal.wait = [&] {
    if (turn == std::ssize(versions)) return false;
    desk.write("answers.json", versions[static_cast<std::size_t>(turn++)]);
    return true;
  };
  const Ran ran = attn_run_on(terminal, {"check", path, "--problem", desk.problem, "--watch"});
  CHECK(ran.exit_code == 0);
  CHECK(has(ran.out, "[scale.missing]"));
  CHECK(has(ran.err, "error[json-syntax]"));
  CHECK(has(ran.out, kAllRight));
  CHECK(has(ran.err, "press Ctrl-C to stop"));
}

TEST_CASE("check: a number type or heads that explain several matrices are named once") {
  const Desk desk;
  const std::string sample = source_dir() + "/samples/03-multi-head.json";
  const auto dumped = [&](const Words& more) {
    const std::string path = desk.folder.path("dump.npz");
    Words args{"explain", sample, "--steps", "scores,weights,context,output", "-o", path};
    args.insert(args.end(), more.begin(), more.end());
    CHECK(attn_run(args).exit_code == 0);
    return path;
  };
  const Words check{"check", dumped({"--dtype", "bfloat16"}), "--problem", sample};
  const std::string narrow = unwrapped(attn_run(check).out);
  CHECK(has(narrow, "a tolerance of 2% accepts them. [rounding.bfloat16]"));
  CHECK(narrow.find("[rounding.bfloat16]") == narrow.rfind("[rounding.bfloat16]"));
  CHECK(has(narrow, kAlsoExplains + std::string(" context, output")));
  Words loose = check;
  loose.insert(loose.end(), {"--tolerance", "2%"});
  CHECK(has(attn_run(loose).out, kAllRight));

  const std::string single =
      unwrapped(attn_run({"check", dumped({}), "--problem", sample, "--heads", "1"}).out);
  CHECK(has(single, "The matrix is 2×5×5: "));
  CHECK(has(single, kAlsoExplains + std::string(" weights, context")));
  CHECK(!has(single, "Write it as"));
}

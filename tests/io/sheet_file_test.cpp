// Sheets as files: what is written is read, and changes show.
#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "attn/io/answers_file.hpp"
#include "attn/io/sheet_file.hpp"
#include "attn/render/grade_report.hpp"
#include "attn/suggest.hpp"
#include "core/text/sha256.hpp"
#include "io/classroom/sheet_markup.hpp"
#include "support/errors.hpp"
#include "support/infinity.hpp"
#include "support/phrases.hpp"

namespace attn {
namespace {

using testing::error_from;
using testing::expected;
using testing::expected_key;
using testing::kNan;
using testing::no_such;

const double kInf = std::numeric_limits<double>::infinity();

/// Two tokens, two steps; scores have two blanks, masked scores one and a −∞.
Sheet small_sheet() {
  Sheet sheet;
  sheet.exercise = "first";
  sheet.student = "s001";
  sheet.variant = "K7Q2-9MXA";
  sheet.problem.tokens = {{"the", "cat"}};
  sheet.problem.embeddings = Array{{2, 2}, {1, 0, -2, 1}};
  sheet.problem.masks = {parse_mask("causal")};
  sheet.steps = {{"scores", {2, 2}, 5, {1, kNan, kNan, 0.333}, {0, 1, 1, 0}},
                 {"masked_scores", {2, 2}, 2.5, {0.5, -kInf, -1, kNan}, {0, 0, 0, 1}}};
  return sheet;
}

std::string once_replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  REQUIRE(at != text.npos);
  return text.replace(at, from.size(), to);
}

/// "what is wrong at FILE:LINE"
std::string what_and_line(const Error& error) {
  const Place& place = error.diagnostics().front().places.front();
  return std::string(error.what()) + " at " + place.file + ":" + std::to_string(place.line);
}

std::string what_of(const std::string& bytes) {
  const auto error = testing::error_if_refused([&] { parse_sheet(bytes, "s001.json"); });
  return error ? what_and_line(*error) : "nothing";
}

TEST_CASE("sheets: platforms print the numbers of a step with as many decimals as they need") {
  Sheet sheet;
  sheet.decimals = 4;
  SheetStep step{.id = "q", .shape = {1, 3}, .numbers = {0.0001, -5, 2.5}, .blank = {0, 0, 0}};
  const auto printed = [&](std::size_t i) {
    return printed_number(step.numbers[i], printed_decimals(sheet, step), true);
  };
  CHECK(printed(0) == "0,0001");
  CHECK(printed(1) == "-5,0000");
  step.numbers = {5e22, 1, 0.00001};
  CHECK(printed(0) == "5e+22");
  CHECK(printed(1) == "1");
  CHECK(printed(2) == "1e-05");  // more decimals than the sheet has: nothing is rounded away
  step.blank[2] = 1;
  CHECK(printed_decimals(sheet, step) == 0);
}

TEST_CASE("sheet: what is written is read again, byte for byte") {
  const std::string text = sheet_json(small_sheet());
  const SheetFile read = parse_sheet(text, "s001.json");
  CHECK(sheet_json(read.sheet) == text);
  CHECK(read.seal_fits);
  CHECK(stated_format(text) == "attn.sheet");
  CHECK(read.sheet.student == "s001");
  CHECK(read.sheet.steps[1].points == 2.5);
  CHECK(read.sheet.steps[0].blank == std::vector<char>{0, 1, 1, 0});
  CHECK(read.sheet.steps[1].numbers[1] == -kInf);
  CHECK(std::isnan(read.sheet.steps[0].numbers[1]));
  CHECK(read.answers.source == "s001.json");
}

TEST_CASE("sheet: blanks are for the student, everything else is given") {
  const std::string text =
      once_replaced(sheet_json(small_sheet()), "[ null, 0.333]", "[\"1/2\", 0.333]");
  const SheetFile read = parse_sheet(text, "s001.json");
  const Answer& scores = read.answers.matrices[0];
  CHECK(scores.states == std::vector<CellState>{CellState::Given, CellState::Empty,
                                                CellState::Filled, CellState::Given});
  CHECK(scores.numbers[2] == 0.5);
  CHECK(read.sheet.steps[0].numbers[2] == 0.5);
  CHECK(read.seal_fits);
}

TEST_CASE("sheet: the seal is the SHA-256 of the compact JSON of what must not change") {
  CHECK(sheet_seal(small_sheet()) ==
        "sha256:" +
            hex(sha256(R"({"answers":{"masked_scores":[[0.5,"-Infinity"],[-1,null]],)"
                       R"("scores":[[1,null],[null,0.333]]},)"
                       R"("blanks":{"masked_scores":[[0,0],[0,1]],"scores":[[0,1],[1,0]]},)"
                       R"("exercise":"first","points":{"masked_scores":2.5,"scores":5},)"
                       R"("problem":{"embeddings":[[1,0],[-2,1]],"format":"attn.problem",)"
                       R"("format_version":"1.0","mask":"causal",)"
                       R"("tokens":["the","cat"]},"student":"s001","variant":"K7Q2-9MXA"})")));
}

/// As it was made before, with keys in any order; json.dumps of Python gives the sealed bytes, too.
constexpr const char* kRecorded = R"({"format": "attn.sheet", "format_version": "1.0",
  "exercise": "week 1", "student": "zoë \u0007", "variant": "K7Q2-9MXA",
  "problem": {"title": "a \"sealed\" sheet", "tokens": ["the", "é", "cat"],
    "embedding_table": {"the": [1, -0.5], "é": [0, 1e-7], "cat": [2.5, 1]},
    "weights": {"w_v": [[1, 0], [0, 1]], "w_q": [[1, 0.25], [0, 1]], "w_k": [[1, 0], [0, -3]],
      "add_zero_attn": true},
    "heads": 2, "mask": ["causal", "keys:1"],
    "bias": [[0, "-Infinity", 1], [0, 0, 0], [1000000, 0, 0]],
    "masking": {"mode": "replace", "fill": -1e9},
    "positions": {"kind": "alibi", "slopes": [0.5, 0.25]}},
  "answers": {"weights": [[[0.25, 0, 0, 0.75], [0.25, 0, null, 0.75], [0.25, 0, 0, 0.75]],
                          [[0.25, 0, 0, 0.75], [0.25, 0, 0, 0.75], [0.25, 0, 0, 0.75]]],
    "embeddings": [[1, -0.5], [0, 1e-7], [2.5, 1]]},
  "blanks": {"weights": [[[0, 0, 0, 0], [0, 0, 1, 0], [0, 0, 0, 0]],
                         [[0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0]]],
    "embeddings": [[0, 0], [0, 0], [0, 0]]},
  "points": {"weights": 5, "embeddings": 2.5}, "decimals": 3, "accept_within": 0.01,
  "seal": "sha256:f5d368dc1d2d0e08b61a41e918d44def01c10aa1b2c2905da80e1e98ed175368"})";

TEST_CASE("sheet: the seal of a sheet that was handed out earlier still fits") {
  const SheetFile read = parse_sheet(kRecorded, "zoë.json");
  CHECK(read.seal_fits);
  CHECK(sheet_seal(read.sheet) == read.seal);
  CHECK(problem_hash(read.sheet) ==
        "sha256:230a509eb39c1e71a38fc83826ca747705143288cbf4a218629bc79f2703d8f4");
  for (const char* given : {"-0.5", "1e-7", "-1e9", "1000000", "0.75"}) {
    CAPTURE(given);
    CHECK(!parse_sheet(once_replaced(kRecorded, given, "0.125"), "s.json").seal_fits);
  }
}

TEST_CASE("sheet: changed names, numbers or points break the seal, a filled blank does not") {
  const std::string text = sheet_json(small_sheet());
  const std::pair<const char*, const char*> changes[] = {{"\"first\"", "\"second\""},
                                                         {"\"s001\"", "\"s002\""},
                                                         {"9MXA", "9MXB"},
                                                         {"\"cat\"", "\"dog\""},
                                                         {"[-2,  1]", "[-2, 2]"},
                                                         {"0.333", "0.334"},
                                                         {"\"scores\": 5", "\"scores\": 50"},
                                                         {"[0, 1]", "[1, 1]"}};
  for (const auto& change : changes) {
    CAPTURE(change.first);
    CHECK(!parse_sheet(once_replaced(text, change.first, change.second), "s.json").seal_fits);
  }
  CHECK(parse_sheet(once_replaced(text, "0.333", "3.33e-1"), "s.json").seal_fits);
  CHECK(parse_sheet(once_replaced(text, "null", "7"), "s.json").seal_fits);
}

TEST_CASE("sheet: a matrix with another name or shape is kept as it is") {
  const std::string text = sheet_json(small_sheet());
  const SheetFile gone =
      parse_sheet(once_replaced(text, "\"scores\": [\n", "\"skores\": [\n"), "s");
  CHECK(!gone.seal_fits);
  CHECK(gone.answers.matrices[0].id == "skores");
  const SheetFile wide =
      parse_sheet(once_replaced(once_replaced(text, "[    1,  null]", "[1, 2, 3]"),
                                "[ null, 0.333]", "[4, 5, 6]"),
                  "s");
  CHECK(wide.answers.matrices[0].shape == std::vector<Index>{2, 3});
  CHECK(!wide.seal_fits);
}

TEST_CASE("sheet: instructions say what the student has to do, and are not sealed") {
  Sheet sheet = small_sheet();
  const std::string text = sheet_json(sheet);
  CHECK(text.find(
            "\"instructions\": \"Write a number over each null in \\\"answers\\\", rounded to 3 "
            "decimals, and") != text.npos);
  CHECK(parse_sheet(once_replaced(text, "Write a", "Type a"), "s").seal_fits);
  sheet.bug.emplace();
  CHECK(sheet_json(sheet).find("Write the name of the first wrong step and the code") != text.npos);
}

TEST_CASE("exercise: what finding the bug is worth is beside the steps, which are printed") {
  const std::string begin = R"({"preset": "find-the-bug", "steps": )";
  const ExerciseSpec spec =
      parse_exercise_spec(begin + R"({"scores": 0, "weights": 0, "bug": 5}})", "", "").spec;
  CHECK(spec.bug_points == 5.0);
  REQUIRE(spec.steps.size() == 2);
  CHECK(spec.steps[1].id == "weights");
  CHECK(parse_exercise_spec(begin + R"({"scores": 1, "weights": 1}})", "", "").spec.bug_points ==
        2.0);
  for (const char* steps : {R"({"scores": 0, "weights": 4}})", R"({"scores": 1, "bug": 4}})"})
    CHECK_THROWS_WITH_AS(parse_exercise_spec(begin + steps, "", ""),
                         doctest::Contains("on a find-the-bug sheet every step is printed"), Error);
}

TEST_CASE("sheet: find the bug has an answer in words") {
  Sheet sheet = small_sheet();
  sheet.bug.emplace();
  sheet.bug_points = 4;
  const std::string text = sheet_json(sheet);
  CHECK(text.find(R"("bug": {"first_wrong": null, "code": null})") != text.npos);
  CHECK(sheet_json(parse_sheet(text, "").sheet) == text);
  const SheetFile filled = parse_sheet(
      once_replaced(text, "\"first_wrong\": null", "\"first_wrong\": \" weights \""), "");
  CHECK(filled.sheet.bug->first_wrong == "weights");
  CHECK(!filled.sheet.bug->code);
  CHECK(filled.sheet.bug_points == 4);
  CHECK(filled.seal_fits);
}

TEST_CASE("sheet: a word that is not a number makes its own cell unreadable, not the file") {
  const std::string text = sheet_json(small_sheet());
  for (const char* word : {"1e999", "-1e400", "undefined", "1.2.3", "--5"}) {
    CAPTURE(word);
    const SheetFile read = parse_sheet(
        once_replaced(text, "[ null, 0.333]", "[" + std::string(word) + ", 0.333]"), "s");
    const Answer& scores = read.answers.matrices[0];
    CHECK(scores.states == std::vector<CellState>{CellState::Given, CellState::Empty,
                                                  CellState::Unreadable, CellState::Given});
    REQUIRE(scores.unreadable.size() == 1);
    CHECK(scores.unreadable[0].what.ends_with(word));
    CHECK(scores.unreadable[0].places[0].pointer == "/answers/scores/1/0");
    CHECK(scores.unreadable[0].places[0].line > 0);
    CHECK(read.seal_fits);
  }
  for (const char* word : {"-Infinity", "-inf", "NaN", ".5", "1/2", "+1"}) {  // clear all the same
    CAPTURE(word);
    const SheetFile read = parse_sheet(
        once_replaced(text, "[ null, 0.333]", "[" + std::string(word) + ", 0.333]"), "s");
    CHECK(read.answers.matrices[0].states[2] == CellState::Filled);
  }
  CHECK(what_of(once_replaced(text, "\"decimals\": 3", "\"decimals\": 1e999"))
            .starts_with(testing::expected(testing::kFloat64, "1e999")));
  CHECK(what_of(once_replaced(text, "[-2,  1]", "[-2, 1e999]"))
            .starts_with(expected("a number", "the number 1e999")));
}

TEST_CASE("sheet: the error about a file gives the place in it") {
  const std::string text = sheet_json(small_sheet());
  CHECK(what_of(text) == "nothing");
  CHECK(what_of("{}").starts_with(expected_key("exercise")));
  CHECK(what_of("[]").starts_with("expected " + std::string(testing::kAnObject)));
  CHECK(what_of(once_replaced(text, "\"mask\"", "\"masc\"")) ==
        no_such("key", "masc") + " in problem" + did_you_mean({"mask"}) + " at s001.json:18");
  CHECK(what_of(once_replaced(text, "\"decimals\": 3", "\"decimals\": \"3\"")) ==
        expected("a whole number", "the string \"3\"") + " at s001.json:8");
  CHECK(what_of(once_replaced(text, "\"scores\": 5", "\"scores\": -5"))
            .starts_with("expected points"));
  CHECK(
      what_of(once_replaced(text, "\"1.0\"", "\"2.0\"")).starts_with("expected format version 1"));
}

TEST_CASE("sheet: errors in its problem are located in the file") {
  const std::string text = once_replaced(sheet_json(small_sheet()), "[-2,  1]", "[-2, \"NaN\"]");
  const SheetFile read = parse_sheet(text, "s001.json");
  const Error error = error_from([&] { make_problem(read.sheet.problem); });
  const Place place = read.places.locate(error).diagnostics().front().places.front();
  CHECK(place.file == "s001.json");
  CHECK(place.line >= 10);
  CHECK(place.pointer.starts_with("/problem/embeddings"));
}

TEST_CASE("sheet: as a table it is a table of answers that knows whose it is") {
  const std::string text = sheet_csv(small_sheet());
  CHECK(
      text.starts_with("step,row,col,value,given,exercise,student,variant\r\n"
                       "scores,0,0,1,given,first,s001,K7Q2-9MXA\r\n"
                       "scores,0,1,,,first,s001,K7Q2-9MXA\r\n"));
  CHECK(text.find("masked_scores,0,1,-Infinity,given") != text.npos);
  REQUIRE(is_answers_table(text));
  Sheet sheet = small_sheet();
  const Answers answers = answers_on(
      sheet, parse_answers(once_replaced(text, "scores,0,1,,", "scores,0,1,0.25,"), "s.csv"));
  CHECK(sheet.steps[0].numbers[1] == 0.25);
  CHECK(answers.matrices[0].states[0] == CellState::Given);
  CHECK(answers.matrices[0].states[1] == CellState::Filled);
  const auto name = sheet_name_in(text, "s.csv");
  REQUIRE(name);
  CHECK(name->student == "s001");
  CHECK(name->variant == "K7Q2-9MXA");
  CHECK(!sheet_name_in("step,row,col,value\r\nscores,0,0,1\r\n", "s.csv"));
  CHECK_THROWS_AS(sheet_name_in("student,variant\na,B\na,C\n", "s.csv"), Error);
}

TEST_CASE("sheet: a matrix may be called by its symbol") {
  const Sheet sheet = small_sheet();
  const std::string text = sheet_json(sheet);
  const std::size_t answers = text.find("\"answers\"");
  const std::string named =
      text.substr(0, answers) + once_replaced(text.substr(answers), "scores", "S");
  const SheetFile file = parse_sheet(named, "s.json");
  CHECK(file.answers.matrices[0].id == "scores");
  CHECK(file.seal_fits);
}

TEST_CASE("sheet: a table of heads has a column for them") {
  Sheet sheet = small_sheet();
  sheet.steps = {{"scores", {2, 1, 2}, 1, {1, 2, 3, kNan}, {0, 0, 0, 1}},
                 {"output", {1, 2}, 1, {kNan, 5}, {1, 0}}};
  const std::string text = sheet_csv(sheet);
  CHECK(text.find("\r\nscores,1,0,1,,,first") != text.npos);
  CHECK(text.find("\r\noutput,,0,1,5,given,first") != text.npos);
  const Answers answers = answers_on(sheet, parse_answers(text, "s.csv"));
  CHECK(answers.matrices[0].shape == std::vector<Index>{2, 1, 2});
  CHECK(answers.matrices[1].shape == std::vector<Index>{1, 2});
}

TEST_CASE("sheet: Gradescope shows its points with three decimals at most") {
  Grade grade;
  grade.exercise = "hw1";
  grade.variant = "V1";
  grade.report.score = 10.0 / 3.0;
  grade.report.max_score = 7.125;
  CHECK(gradescope_json(grade).find("\"hw1, variant V1: 3.333 of 7.125 points.") !=
        std::string::npos);
}

TEST_CASE("exercise: the key holds the whole spec and the salt, and is read again") {
  ExerciseKey key;
  key.spec.name = "first";
  key.spec.preset = "causal";
  key.spec.heads = 2;
  key.spec.masks = {"causal", "window:2"};
  key.spec.accept_within = 0.02;
  key.spec.blanks = {BlankRule::Kind::Share, 0.55};
  key.spec.steps = {{"scores", 5}, {"weights", 2.5}};
  key.spec.mistakes = {"scale.missing"};
  key.spec.force = true;
  key.salt = std::string("\x00\xff salt", 7);
  key.generator = kExerciseGenerator;
  const std::string text = exercise_key_json(key);
  const ExerciseKey read = parse_exercise_key(text, "exercise.json");
  CHECK(exercise_key_json(read) == text);
  CHECK(read.salt == key.salt);
  CHECK(read.spec.steps[1].points == 2.5);
  CHECK(!read.spec.memory_tokens);
  CHECK_THROWS_AS(parse_exercise_key(once_replaced(text, "00ff", "00fg"), ""), Error);
  CHECK_THROWS_AS(parse_exercise_key(once_replaced(text, "attn.exercise", "attn.sheet"), ""),
                  Error);
  CHECK_THROWS_AS(parse_exercise_key(once_replaced(text, "\"blanks\"", "\"blank\""), ""), Error);
}

TEST_CASE("exercise: a file is a preset, and what differs from it") {
  const SpecFile file = parse_exercise_spec(
      R"({"preset": "causal", "name": "week-3", "tokens": 5, "mask": ["causal", "window:2"],
          "blanks": "row", "steps": {"scores": 4, "weights": 6}, "_why": "too easy last year"})",
      "spec.json");
  const ExerciseSpec& spec = file.spec;
  CHECK(spec.name == "week-3");
  CHECK(spec.preset == "causal");
  CHECK(spec.tokens == 5);
  CHECK(spec.d_model == find_preset("causal").spec.d_model);
  CHECK(spec.masks == std::vector<std::string>{"causal", "window:2"});
  CHECK(spec.blanks.kind == BlankRule::Kind::Row);
  CHECK(spec.steps[1].points == 6);
  CHECK(parse_exercise_spec(R"({"preset": "self"})", "", "multihead").spec.heads == 2);
  CHECK(parse_exercise_spec("{}", "", "cross").spec.preset == "cross");
}

TEST_CASE("exercise: the error about a file gives the place in it") {
  const auto what_of_spec = [](const std::string& text) {
    return what_and_line(error_from([&] { parse_exercise_spec(text, "spec.json"); }));
  };
  CHECK(what_of_spec("{\n\"preset\": \"self\",\n\"token\": 5}") ==
        no_such("key", "token") + " in an exercise" + did_you_mean({"tokens"}) + " at spec.json:3");
  CHECK(what_of_spec("{\n\"preset\": \"slef\"}") ==
        no_such("preset", "slef") + did_you_mean({"self"}) + " at spec.json:2");
  CHECK(what_of_spec("{\n\"tokens\": \"5\"}") ==
        expected("a whole number", "the string \"5\"") + " at spec.json:2");
  CHECK(what_of_spec("{\n\"blanks\": \"half\"}").ends_with("at spec.json:2"));
  CHECK(what_of_spec("{}").starts_with(expected_key("preset")));
}

TEST_CASE("exercise: which cells are blank, in words") {
  for (const char* word : {"40%", "all", "row", "one", "12.5%", "100%", "7%", "29%", "55%"}) {
    CAPTURE(word);
    CHECK(blank_rule_text(parse_blank_rule(word)) == word);
  }
  for (const char* word : {"", "0%", "101%", "40", "-1%", "nan%", "most", "4 0%"}) {
    CAPTURE(word);
    CHECK_THROWS_AS(parse_blank_rule(word), Error);
  }
}

}  // namespace
}  // namespace attn

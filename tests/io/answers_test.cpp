// Answers from JSON, tables, dumps and traces: what is read, what is blank, what is unreadable.
#include <doctest/doctest.h>

#include <cmath>

#include "attn/attend.hpp"
#include "attn/io/answers_file.hpp"
#include "attn/io/problem_file.hpp"
#include "attn/io/samples.hpp"
#include "attn/io/trace_file.hpp"
#include "io/error_rows.hpp"
#include "support/errors.hpp"
#include "support/infinity.hpp"
#include "support/phrases.hpp"
#include "support/program.hpp"

namespace attn::testing {
namespace {

using Sizes = std::vector<Index>;

Answers read(const std::string& text, const std::string& name = "answers.json") {
  return parse_answers(text, name);
}

/// The only matrix of a file.
Answer matrix(const std::string& text, const std::string& name = "answers.json") {
  Answers answers = read(text, name);
  REQUIRE(answers.matrices.size() == 1);
  return answers.matrices[0];
}

/// What a single cell of JSON says.
Answer cell(const std::string& written) { return matrix("{\"scores\": [[" + written + "]]}"); }

CellState state_of(const Answer& answer, std::size_t i) {
  return answer.states.empty() ? CellState::Filled : answer.states[i];
}

/// The error of a file that cannot be read at all.
Diagnostic failure(const std::string& text, const std::string& name = "answers.json") {
  const Error error = error_from([&] { read(text, name); });
  CHECK(error.kind() == ErrorKind::Input);
  return error.diagnostics().front();
}

}  // namespace

TEST_CASE("answers: numbers as people write them") {
  const std::pair<const char*, double> rows[] = {{"0.5", 0.5},
                                                 {"\"0.5\"", 0.5},
                                                 {"\"3/4\"", 0.75},
                                                 {"\"1e-2\"", 0.01},
                                                 {"\"−0.5\"", -0.5},
                                                 {"\"０．５\"", 0.5},
                                                 {"\"－１／４\"", -0.25},
                                                 {"\".5\"", 0.5},
                                                 {"\"-.5\"", -0.5},
                                                 {"\"5.\"", 5.0},
                                                 {"\"+2\"", 2.0},
                                                 {"\" 1 / 3 \"", 1.0 / 3.0},
                                                 {"\"-1/−4\"", 0.25},
                                                 {"\"1e−3\"", 0.001},
                                                 {"\"-1.5e+3\"", -1500},
                                                 {"\"\\u00a07\"", 7.0},
                                                 {"\"–3\"", -3.0},
                                                 {"\"-inf\"", -kInfinity},
                                                 {"\"-Infinity\"", -kInfinity},
                                                 {"\"−∞\"", -kInfinity},
                                                 {"\"Infinity\"", kInfinity},
                                                 {"\"+inf\"", kInfinity},
                                                 {"\"50%\"", 0.5},
                                                 {"\"2/√4\"", 1.0},
                                                 {"\"−(√4)/ 4\"", -0.5},
                                                 {"\"2*sqrt(4)\"", 4.0},
                                                 {"\"5·10^-1\"", 0.5},
                                                 {"\"½\"", 0.5},
                                                 {"\"-¾\"", -0.75},
                                                 {"\"1⁄4\"", 0.25},
                                                 {"\"1∕4\"", 0.25},
                                                 {"\"\u200b0.5\ufeff\"", 0.5},
                                                 {"\"\u2060 \u200e0.5 \u200b\"", 0.5},
                                                 {"\"0.333…\"", 0.333},
                                                 {"\"0.333...\"", 0.333},
                                                 {"\"≈0.5\"", 0.5},
                                                 {"\"~ 0.5\"", 0.5},
                                                 {"\"= −0.5\"", -0.5},
                                                 {"\"'0.5\"", 0.5}};
  for (const auto& [text, number] : rows) {
    const std::string written = text;
    CAPTURE(written);
    const Answer answer = cell(written);
    CHECK(state_of(answer, 0) == CellState::Filled);
    CHECK(answer.numbers[0] == number);
    CHECK(answer.unreadable.empty());
  }
  CHECK(cell("-Infinity").numbers[0] == -kInfinity);  // as Python's json writes it
  for (const char* word :
       {"NaN", "\"NaN\"", "\"nan\"", "\"#NUM!\"", "\"#DIV/0!\"", "\"#ZAHL!\"", "\"-nan(ind)\""}) {
    CAPTURE(word);
    CHECK(state_of(cell(word), 0) == CellState::Filled);
    CHECK(std::isnan(cell(word).numbers[0]));
    CHECK(cell(word).unreadable.empty());
  }
}

TEST_CASE("answers: ways to leave a cell blank") {
  const Answer answer =
      matrix(R"({"scores": [[null, "", "?"], ["_", " ", "-"], ["–", " — ", 1]]})");
  CHECK(answer.shape == Sizes{3, 3});
  for (std::size_t i = 0; i < 8; ++i) CHECK(state_of(answer, i) == CellState::Empty);
  CHECK(state_of(answer, 8) == CellState::Filled);
  CHECK(std::isnan(answer.numbers[0]));
  CHECK(answer.numbers[8] == 1.0);
}

TEST_CASE("answers: an unreadable cell is named with its place, and the others are read") {
  const Answer answer =
      matrix("{\"_name\": \"s001\",\n \"scores\": [[1, \"half\"],\n  [true, 4]]}");
  CHECK(answer.id == "scores");
  CHECK(answer.shape == Sizes{2, 2});
  CHECK(state_of(answer, 1) == CellState::Unreadable);
  CHECK(state_of(answer, 2) == CellState::Unreadable);
  CHECK(answer.numbers[3] == 4.0);
  REQUIRE(answer.unreadable.size() == 2);
  CHECK(answer.unreadable[0].what == expected("a number", "the string \"half\""));
  const Place& place = answer.unreadable[0].places.front();
  CHECK(place.file == "answers.json");
  CHECK(place.line == 2);
  CHECK(place.column == 17);
  CHECK(place.pointer == "/scores/0/1");
  CHECK(answer.unreadable[1].places.front().pointer == "/scores/1/0");
  CHECK(has(answer.unreadable[1].what, "true"));
}

TEST_CASE("answers: a list in a cell costs that cell, wherever it is") {
  const std::string rows[] = {R"({"scores": [[1, [0, 2]], [3, 4]]})",
                              R"({"scores": [[[1], 2], [3, 4]]})",
                              R"({"scores": [[1, 2], [3, [[4]]]]})"};
  const std::size_t odd[] = {1, 0, 3};
  for (std::size_t n = 0; n < 3; ++n) {
    CAPTURE(n);
    const Answer answer = matrix(rows[n]);
    CHECK(answer.shape == Sizes{2, 2});
    for (std::size_t i = 0; i < 4; ++i)
      CHECK(state_of(answer, i) == (i == odd[n] ? CellState::Unreadable : CellState::Filled));
    REQUIRE(answer.unreadable.size() == 1);
    CHECK(answer.unreadable[0].what.starts_with(expected("a number", "a ")));
    CHECK(answer.unreadable[0].places[0].line == 1);
  }
  CHECK(matrix(R"({"scores": [[1, 2], 3]})").shape.empty());  // a row is missing its brackets
}

TEST_CASE("answers: what is not a number is never taken for one") {
  for (const char* written :
       {"\"1/0\"",      "\"--1\"", "\"0x10\"",  "\"1 2\"",     "\"1+\"",    "\"1e999\"",
        "\"infinite\"", "\"e\"",   "\"/2\"",    "\"1/\"",      "\".\"",     "\"--\"",
        "{}",           "false",   "\"1_000\"", "\"1,234.5\"", "\"1 234\"", "\"2½\"",
        "\"½3\"",       "\"…\"",   "\"=\"",     "\"1\u200b2\""}) {
    CAPTURE(written);
    const Answer answer = cell(written);
    CHECK(state_of(answer, 0) == CellState::Unreadable);
    CHECK(std::isnan(answer.numbers[0]));
    CHECK(answer.unreadable.size() == 1);
  }
}

TEST_CASE("answers: a range, two numbers and a formula are no answer, and said to be none") {
  for (const char* written :
       {"\"0.1-0.9\"", "\"0–3\"", "\"1-2\"", "\"0 -3\"", "\"0 — 3\"", "\"0 +3\"", "\"2*2+(-2)*0\"",
        "\"e^(0.577)/(1+1)\"", "\"e^0 / (1+1)\"", "\"1/2/3\"", "\"2*3\"", "\"2^3\"", "\"√(1+1)\"",
        "\"(1-2)\"", "\"0,1-0,9\"", "\"=1-2\""}) {
    CAPTURE(written);
    const Answer answer = cell(written);
    CHECK(state_of(answer, 0) == CellState::Unreadable);
    CHECK(std::isnan(answer.numbers[0]));
    REQUIRE(answer.unreadable.size() == 1);
    CHECK(answer.unreadable[0].fix == kOneNumberFix);
    CHECK(has(answer.unreadable[0].what, "found the string " + std::string(written)));
    CHECK(written_text(answer, 0) == written);
    const Answer table = matrix("step,row,col,value\nq,0,0," + std::string(written) + "\n");
    CHECK(state_of(table, 0) == CellState::Unreadable);
    CHECK(has(table.unreadable[0].what, written));
  }
  std::string signs;
  for (int i = 0; i < 1'000'000; ++i) signs += "−";
  CHECK(state_of(cell("\"" + signs + "1\""), 0) == CellState::Unreadable);  // and at once
  const Answer text = matrix(R"({"scores": "1 2*2"})");                     // a whole matrix
  CHECK(text.shape.empty());
  CHECK(matrix(R"({"scores": "1 2/√4"})").numbers == std::vector<double>{1.0, 1.0});
}

TEST_CASE("answers: decimal commas are read where the file has no decimal point") {
  CHECK(cell("\"0,5\"").numbers.front() == 0.5);
  CHECK(cell("\"−1,25\"").numbers.front() == -1.25);
  const Answers table = attn::parse_answers("step;row;col;value\nscores;0;0;0,5\n", "a.csv");
  CHECK(table.matrices.front().numbers.front() == 0.5);
}

TEST_CASE("answers: a decimal comma among points is named as the cause") {
  const Answer mixed = matrix(R"({"scores": [["0,5", 0.5]]})");
  CHECK(has(mixed.unreadable.front().fix, "with a point: 0.5."));
  CHECK(!has(cell("\"1,2,3\"").unreadable.front().fix, "point"));
  const Answer bare = matrix(R"({"scores": [[1, 2], [0,5, 1]]})");  // three numbers for JSON
  CHECK(bare.shape.empty());
  CHECK(has(bare.unreadable.front().fix, comma_or_point("0,5", "0.5")));
}

TEST_CASE("answers: what is not a matrix is unreadable as a whole, and the others are read") {
  const Answers answers = read(R"({"q": [[1, 2], [3]], "k": 7, "v": "[[1] 2]", "x": [],
    "scores": {"rand": [2, 2], "seed": 1}, "mask": [[[[[1]]]]], "weights": [[1, 2], 3],
    "output": [[1]]})");
  REQUIRE(answers.matrices.size() == 8);
  for (const Answer& each : answers.matrices) {
    CAPTURE(each.id);
    if (each.id == "output") continue;
    CHECK(each.shape.empty());
    CHECK(each.numbers.empty());
    REQUIRE(each.unreadable.size() == 1);
    CHECK(each.unreadable[0].places.front().line > 0);
  }
  CHECK(answers.matrices[0].unreadable[0].what == "row 1 of q has 1 number, row 0 has 2");
  CHECK(answers.matrices[7].numbers == std::vector<double>{1.0});
}

TEST_CASE("answers: at most five cells of a matrix are described") {
  const Answer answer = matrix(R"({"scores": [["a", "b", "c", "d", "e", "f", "g", 1]]})");
  CHECK(answer.unreadable.size() == 5);
  CHECK(state_of(answer, 6) == CellState::Unreadable);
  CHECK(state_of(answer, 7) == CellState::Filled);
}

TEST_CASE("answers: errors about the whole file") {
  CHECK(failure("").id == "json-empty");
  CHECK(failure("", "answers.csv").id == "json-empty");
  CHECK(failure("[[1, 2]]").id == "wrong-type");
  CHECK(failure("{\"scores\": [[1}").id == "json-syntax");
  const Diagnostic twice = failure("{\"scores\": [[1]],\n \"scores\": [[2]]}");
  CHECK(twice.id == "json-duplicate-key");
  CHECK(twice.places.size() == 2);
}

TEST_CASE("answers: comments are ignored, other keys are kept as they are") {
  const Answers answers =
      read(R"({"$schema": "x", "_note": 1, "S": [[1]], "name": "Ann", "a.b": [[2]]})");
  REQUIRE(answers.matrices.size() == 3);
  CHECK(answers.matrices[0].id == "S");
  CHECK(answers.matrices[1].id == "name");
  CHECK(answers.matrices[2].id == "a.b");
  CHECK(!answers.by_program);
}

TEST_CASE("answers: a table of cells") {
  const Answers answers = read(
      "step,row,col,value\n"
      "scores,1,0,3/4\n"
      "\"scores\",0,1,\"−2\"\r\n"
      "\n"
      "weights,0,0,?\n"
      "scores,0,0,half\n",
      "answers.csv");
  REQUIRE(answers.matrices.size() == 2);
  const Answer& scores = answers.matrices[0];
  CHECK(scores.id == "scores");
  CHECK(scores.shape == Sizes{2, 2});
  CHECK(scores.numbers[1] == -2.0);
  CHECK(scores.numbers[2] == 0.75);
  CHECK(state_of(scores, 0) == CellState::Unreadable);
  CHECK(state_of(scores, 3) == CellState::Empty);
  REQUIRE(scores.unreadable.size() == 1);
  CHECK(scores.unreadable[0].places.front().line == 6);
  CHECK(scores.unreadable[0].places.front().column == 12);
  CHECK(scores.unreadable[0].places.front().line_text == "scores,0,0,half");
  CHECK(state_of(answers.matrices[1], 0) == CellState::Empty);
}

TEST_CASE("answers: tables in any order of columns, with heads, semicolons or tabs") {
  const Answer heads = matrix("value,col,row,head,step\n1,0,0,1,scores\n2,0,0,0,scores\n", "-");
  CHECK(heads.shape == Sizes{2, 1, 1});
  CHECK(heads.numbers == std::vector<double>{2.0, 1.0});
  const Answer german = matrix("Step;Row;Col;Value\nscores;0;0;0,5\nscores;0;1;1.5\n", "<stdin>");
  CHECK(german.numbers[1] == 1.5);
  CHECK(has(german.unreadable.front().fix, "with a point: 0.5"));
  CHECK(matrix("step\trow\tcol\tvalue\nq\t0\t0\t7", "x").numbers[0] == 7.0);
}

TEST_CASE(
    "answers: lines that end with CR alone, and the line with which Excel names the separator") {
  const Answer old = matrix("step,row,col,value\rq,0,0,1\rq,1,0,x\r");
  CHECK(old.shape == Sizes{2, 1});
  CHECK(old.unreadable.at(0).places.front().line == 3);
  CHECK(matrix("sep=;\r\nstep;row;col;value\r\nq;0;0;7\r\n").numbers[0] == 7.0);
  CHECK(matrix("sep=\t\nstep\trow\tcol\tvalue\nq\t0\t0\t7\n").numbers[0] == 7.0);
  CHECK(matrix("sep=,\rstep,row,col,value\rq,0,0,7\r").numbers[0] == 7.0);
  CHECK(failure("sep=;", "a.csv").id == "answers-table");
}

TEST_CASE("answers: a table takes no more memory than it may, and no more words than are read") {
  const std::string header = "step,row,col,value\n";
  const Answer long_cell = matrix(header + "q,0,0,\"" + std::string(100'000, 'x') + "\"\n");
  CHECK(long_cell.unreadable.at(0).what.size() < 200);
  CHECK(failure(header + "q," + std::string(100'000, 'x') + ",0,1\n").what.size() < 200);
  std::string cells = header;
  for (int i = 0; i < 20'000; ++i) cells += "q," + std::to_string(i) + ",0,1\n";
  CHECK(matrix(cells).shape == Sizes{20'000, 1});
  const Error error = error_from([&] { parse_answers(cells, "a.csv", {1e6}); });
  CHECK(error.diagnostics().front().id == "too-large");
  CHECK(error.diagnostics().front().places.front().file == "a.csv");
}

TEST_CASE("answers: what is wrong with a table") {
  CHECK(failure("step,row,value\nscores,0,1\n", "a.csv").id == "answers-table");
  const Diagnostic row = failure("step,row,col,value\nscores,first,0,1\n", "a.csv");
  CHECK(row.what == expected("a whole number for row", "\"first\""));
  CHECK(row.places.front().line == 2);
  CHECK(failure("step,row,col,value\nscores,-1,0,1\n").id == "answers-table");
  CHECK(failure("step,row,col,value\nscores\n").id == "answers-table");
  const Diagnostic huge = failure("step,row,col,value\nscores,400000000,7,1\n");
  CHECK(has(huge.what, "scores would be 400000001×8, "));
  const Diagnostic far = failure("step,row,col,value\nq,0,0,1\nq,0,900000000,2\nq,0,1,3\n");
  CHECK(far.places.front().line == 3);
  const Answer twice = matrix("step,row,col,value\nq,0,0,1\nq,0,0,2\n");
  CHECK(state_of(twice, 0) == CellState::Unreadable);
  CHECK(has(twice.unreadable.front().what, "twice"));
  CHECK(written_text(twice, 0) == "1; 2");
}

TEST_CASE("answers: a table that has a column twice is refused, wherever the other one is") {
  struct Row {
    const char *header, *line;
    int column;
  };
  for (const Row& row : {Row{"step,row,col,value,value", "q,0,0,1,2", 20},
                         Row{"value,step,row,col, Value ", "1,q,0,0,2", 20},
                         Row{"row,step,row,col,value", "0,q,1,0,1", 10},
                         Row{"step,row,col,value,head,head", "q,0,0,1,0,1", 25}}) {
    CAPTURE(row.header);
    const Diagnostic refused = failure(row.header + std::string("\n") + row.line + "\n", "a.csv");
    CHECK(refused.id == "answers-table");
    CHECK(has(refused.what, kTwoColumns));
    CHECK(refused.places.front().line == 1);
    CHECK(refused.places.front().column == row.column);
  }
}

TEST_CASE("answers: what is written in a cell is kept, also where it is no number") {
  const Answer table = matrix("step,row,col,value\nq,0,1,half\nq,0,0,x\nq,0,1,2\nq,0,2,?\n");
  CHECK(written_text(table, 0) == "\"x\"");
  CHECK(written_text(table, 1) == "\"half\"; 2");
  CHECK(written_text(table, 2) == "?");
  const Answer object = matrix(R"({"q": [[1, "half", null, [3]]]})", "a.json");
  CHECK(written_text(object, 0) == "1");
  CHECK(written_text(object, 1) == "\"half\"");
  CHECK(written_text(object, 2) == "?");
}

TEST_CASE("answers: what attn writes of a trace reads back") {
  for (const Sample& sample : samples()) {
    const Trace trace = attend(make_problem(parse_problem(sample.text, "p").draft));
    const Answers whole = answers_from_trace(trace, "trace.json");
    CHECK(whole.by_program);
    const Answers table = read(trace_csv(trace), "trace.csv");
    REQUIRE(table.matrices.size() == trace.steps.size());
    REQUIRE(whole.matrices.size() == trace.steps.size());
    for (std::size_t i = 0; i < trace.steps.size(); ++i) {
      const Step& step = trace.steps[i];
      CAPTURE(step.id);
      CHECK(table.matrices[i].id == step.id);
      CHECK(table.matrices[i].shape == step.value.shape().sizes());
      CHECK(table.matrices[i].numbers == step.value.data());
      CHECK(whole.matrices[i].shape == step.value.shape().sizes());
      CHECK(whole.matrices[i].numbers == step.value.data());
    }
  }
}

TEST_CASE("answers: a dump has the narrowest number type of its steps") {
  const std::vector<NamedArray> arrays = {{"scores", {{1, 2}, {1, 2}}, "<f8"},
                                          {"A", {{1, 1}, {1}}, "<f4"},
                                          {"mask", {{1, 1}, {1}}, "|b1"},
                                          {"loss_scale", {{1}, {1}}, "<f2"}};
  const Answers answers = answers_from_arrays(arrays, "dump.npz");
  CHECK(answers.by_program);
  CHECK(answers.dtype == Dtype::Float32);
  REQUIRE(answers.matrices.size() == 4);
  CHECK(answers.matrices[1].id == "A");
  CHECK(answers.matrices[0].numbers == std::vector<double>{1.0, 2.0});
  const std::vector<NamedArray> half = {{"q", {{1, 1}, {1}}, "BF16"}, {"k", {{1, 1}, {1}}, "F16"}};
  CHECK(answers_from_arrays(half, "dump.safetensors").dtype == Dtype::Bfloat16);
  CHECK(is_answer_name("decoder.layers.0.self_attn.weights"));
  CHECK(is_answer_name("S′"));
  CHECK(!is_answer_name("attn.problem"));
}

TEST_CASE("answers: a million cells, and a memory limit") {
  std::string text = "{\"scores\": [";
  for (int row = 0; row < 1000; ++row) {
    text += row == 0 ? "[" : ",\n[";
    for (int col = 0; col < 1000; ++col)
      text += (col == 0 ? "" : ", ") + std::string(row % 2 == 0 ? "0.5" : col == 7 ? "null" : "1");
    text += "]";
  }
  text += "]}";
  const Answer answer = matrix(text);
  CHECK(answer.numbers.size() == 1000000);
  CHECK(state_of(answer, 1007) == CellState::Empty);
  CHECK(state_of(answer, 1008) == CellState::Filled);
  CHECK_THROWS_AS(parse_answers(text, "answers.json", {1e6}), Error);
}

TEST_CASE("answers: a problem in their place is named as one") {
  const char* problem = R"({"q": [[1]], "k": [[1]], "v": [[1]], "tokens": ["a"]})";
  CHECK(id_and_what(refusal_from([&] { read(problem); })) ==
        "wrong-format: expected answers, found a problem");
}

}  // namespace attn::testing

// The text of every error about matrices in a problem file.

#include <doctest/doctest.h>

#include "attn/io/problem_file.hpp"

#include <string>
#include <vector>

#include "io/error_rows.hpp"
#include "support/phrases.hpp"

namespace attn::testing {

namespace {

const std::string kRows = one_list_per_row("[[1, 0], [0.5, 1]]");
const char* kCell = kWithoutQuotes;

}  // namespace

TEST_CASE("problem file: what is not a matrix is shown") {
  const char* matrix = "expected a matrix (list of rows of numbers), found ";
  const std::string text = matrix + std::string("the string \"abc\""),
                    list = matrix + std::string("a list"),
                    number = matrix + std::string("the number 1"),
                    object =
                        "expected a matrix, or an object with one of rand, randn, randint, linear, "
                        "zeros, ones, eye and file, found " +
                        std::string("an object with none of them");
  check_rows(std::vector<ProblemRow>{
      {R"({"embeddings": "abc"})", "wrong-type", text.c_str(), kRows, "/embeddings", 16},
      {R"({"embeddings": [true, 2]})", "wrong-type", list.c_str(), kRows, "/embeddings", 16},
      {R"({"bias": 1})", "wrong-type", number.c_str(), kRows, "/bias", 10},
      {R"({"q": {"random": [2, 3]}})", "wrong-type", object.c_str(),
       "Write the numbers, or {\"randn\": [4, 6], \"seed\": 1}.", "/q", 7},
      {R"({"weights": {"b_q": 1}})", "wrong-type", number.c_str(), kRows, "/weights/b_q", 21},
      {R"({"q": [[[[[1]]]]]})", "rank", "expected at most 4 levels of brackets, found 5",
       "Remove a level of brackets.", "/q", 7},
      {R"({"q": []})", "wrong-type", "expected at least one number, found an empty list",
       "Write the numbers, or leave out the key.", "/q", 7},
      {R"({"q": [[], []]})", "wrong-type", "expected at least one number, found an empty list",
       "Write the numbers, or leave out the key.", "/q/0", 8},
      {R"({"q": [[1, 2], 3]})", "wrong-type", "expected a row, found the number 3", kRows, "/q/1",
       16},
      {R"({"q": [[[1]], [2]]})", "wrong-type", "expected a row, found the number 2", kRows,
       "/q/1/0", 16},
  });
}

TEST_CASE("problem file: a cell that is not a number is shown") {
  const char* flag = kTrueOrFalse;
  const char* added =
      "A mask that is added to the scores, 0 where a query may attend and a negative number where "
      "not, belongs under \"bias\".";
  check_rows(std::vector<ProblemRow>{
      {R"({"q": [[1, "0,5"]]})", "wrong-type", expected("a number", "the string \"0,5\""),
       "Write 0.5, with a decimal point and without quotation marks.", "/q/0/1", 12},
      {R"({"q": [[1, "2a"]]})", "wrong-type", expected("a number", "the string \"2a\""), kCell,
       "/q/0/1", 12},
      {R"({"q": [[1, 2], [3, null]]})", "wrong-type", expected("a number", "null"), kCell, "/q/1/1",
       20},
      {R"({"q": [[1, [2]]]})", "wrong-type", expected("a number", kNumberList), kCell, "/q/0/1",
       12},
      {R"({"bias": [[1, "hidden"]]})", "wrong-type", expected("a number", "the string \"hidden\""),
       "Write a number, or \"-Infinity\" in quotation marks to hide the key.", "/bias/0/1", 15},
      {R"({"q": [[true]]})", "wrong-type", expected("a number", "true"), kCell, "/q/0/0", 9},
      {R"({"embedding_table": {"a/b": [1, "x"]}})", "wrong-type",
       expected("a number", "the string \"x\""), kCell, "/embedding_table/a~1b/1", 33},
      {R"({"allowed": [[1, 0.5]]})", "wrong-type",
       expected("0, 1, false or true", "the number 0.5"), flag, "/allowed/0/1", 18},
      {R"({"allowed": [[true, 2]]})", "wrong-type", expected("0, 1, false or true", "the number 2"),
       flag, "/allowed/0/1", 21},
      {R"({"allowed": [[1, "NaN"]]})", "wrong-type",
       expected("0, 1, false or true", "the string \"NaN\""), flag, "/allowed/0/1", 18},
      {R"({"allowed": [[0, -1e9]]})", "wrong-type",
       expected("0, 1, false or true", "the number -1e9"), added, "/allowed/0/1", 18},
      {R"({"allowed": [[0, "-inf"]]})", "wrong-type",
       expected("0, 1, false or true", "the string \"-inf\""), added, "/allowed/0/1", 18},
  });
}

TEST_CASE("problem file: rows of different lengths are named with both places") {
  const std::vector<Diagnostic> found = problem_errors(
      "{\"q\": [[1, 2, 3, 4, 5],\n  [1, 2, 3, 4, 5],\n  [0, 0, 0, 0, 0],\n  [1, 2, 3, 4]]}");
  REQUIRE(found.size() == 1);
  CHECK(found[0].id == "ragged-rows");
  CHECK(found[0].what == "row 3 of q has 4 numbers, row 0 has 5");
  CHECK(found[0].rule == "A matrix is a rectangle: all its rows have the same length.");
  CHECK(found[0].fix == "Make both rows the same length.");
  REQUIRE(found[0].places.size() == 2);
  CHECK(found[0].places[0].pointer == "/q/3");
  CHECK(found[0].places[0].remark == "4 numbers");
  CHECK(found[0].places[0].line == 4);
  CHECK(found[0].places[0].column == 3);
  CHECK(found[0].places[1].pointer == "/q/0");
  CHECK(found[0].places[1].remark == "5 numbers");
  CHECK(found[0].places[1].line == 1);
  CHECK(found[0].places[1].column == 8);
}

TEST_CASE("problem file: matrices and stacks of different sizes are named by their level") {
  const char* numbers = "Make both rows the same length.";
  const char* rows = "Give both the same number of rows.";
  check_rows(std::vector<ProblemRow>{
      {R"({"q": [[[1, 2]], [[1]]]})", "ragged-rows",
       "row 0 of matrix 1 of q has 1 number, row 0 of matrix 0 has 2", numbers, "/q/1/0", 19},
      {R"({"q": [[[1], [2]], [[1]]]})", "ragged-rows", "matrix 1 of q has 1 row, matrix 0 has 2",
       rows, "/q/1", 20},
      {R"({"q": [[[[1]], [[1], [2]]]]})", "ragged-rows",
       "matrix 1 of stack 0 of q has 2 rows, matrix 0 of stack 0 has 1", rows, "/q/0/1", 16},
      {R"({"q": [[[[1]]], [[[1]], [[2]]]]})", "ragged-rows",
       "stack 1 of q has 2 matrices, stack 0 has 1", "Give both the same number of matrices.",
       "/q/1", 17},
      {R"({"q": [[1], []]})", "ragged-rows", "row 1 of q has 0 numbers, row 0 has 1", numbers,
       "/q/1", 13},
  });
}

TEST_CASE("problem file: of rows with different lengths the odd one is wrong, wherever it is") {
  const char* fix = "Make both rows the same length.";
  check_rows(std::vector<ProblemRow>{
      {R"({"q": [[1, 0, 1], [1, 2], [3, 4]]})", "ragged-rows",
       "row 0 of q has 3 numbers, row 1 has 2", fix, "/q/0", 8},
      {R"({"q": [[1, 2], [1], [2], [3, 4, 5]]})", "ragged-rows",
       "row 0 of q has 2 numbers, row 1 has 1", fix, "/q/0", 8},
      {R"({"q": [[[1], [2]], [[1, 2], [3]]]})", "ragged-rows",
       "row 0 of matrix 1 of q has 2 numbers, row 1 of matrix 1 has 1", fix, "/q/1/0", 21},
  });
}

TEST_CASE("problem file: where decimal commas would explain a row's length, the fix says so") {
  const std::string fix = comma_or_point("0,5", "0.5") + kSameLength;
  check_rows(std::vector<ProblemRow>{
      {R"({"q": [[0,5, 1], [1, 2], [3, 4]]})", "ragged-rows",
       "row 0 of q has 3 numbers, row 1 has 2", fix, "/q/0", 8},
      {R"({"q": [[1, 2], [ 0,5 , -1,5]]})", "ragged-rows", "row 1 of q has 4 numbers, row 0 has 2",
       fix, "/q/1", 16},
      {R"({"q": [[1,2], [0,5,1]]})", "ragged-rows", "row 1 of q has 3 numbers, row 0 has 2",
       "Make both rows the same length.", "/q/1", 15},
  });
}

TEST_CASE("problem file: rand and randn are PyTorch's numbers, and need a seed") {
  const ProblemFile file = parse_problem(
      R"({"q": {"rand": [1, 2], "seed": 42}, "k": {"randn": [1, 2], "seed": 42}})", "a.json");
  CHECK(file.draft.q->data == std::vector<double>{0.8822692632675171, 0.9150039553642273});
  CHECK(file.draft.k->data == std::vector<double>{0.33669036626815796, 0.12880940735340118});
  check_rows(std::vector<ProblemRow>{
      {R"({"q": {"rand": [1, 2]}})", "missing-key", without_key("seed"),
       "Add \"seed\" to the object.", "/q", 7},
      {R"({"q": {"rand": [2], "seed": 1, "std": 2}})", "unknown-key",
       no_such("key", "std") + " in q", comment_or_one_of("rand, seed, skip, numpy"), "/q/std", 32},
      {R"({"q": {"eye": 2, "seed": 1}})", "unknown-key", no_such("key", "seed") + " in q",
       kRemoveIt, "/q/seed", 18},
      {R"({"q": {"rand": [2], "seed": -1}})", "out-of-range",
       "expected " + whole_number("0", "9007199254740992") + " as the seed, found -1", kSeed,
       "/q/seed", 29},
      {R"({"q": {"rand": [2], "seed": 1e17}})", "out-of-range",
       "expected " + whole_number("0", "9007199254740992") + " as the seed, found 1e17", kSeed,
       "/q/seed", 29},
  });
}

}  // namespace attn::testing

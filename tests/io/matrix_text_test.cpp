// Matrices as text.
#include "io/arrays/matrix_text.hpp"

#include <doctest/doctest.h>

#include <limits>
#include <string>
#include <vector>

#include "attn/io/answers_file.hpp"
#include "attn/io/problem_file.hpp"
#include "attn/io/tensor_file.hpp"
#include "io/error_rows.hpp"
#include "support/phrases.hpp"

namespace attn::testing {
namespace {

struct TextRow {
  const char* text;
  std::vector<std::ptrdiff_t> shape;
  std::vector<double> numbers;
};

void check_read(const std::vector<TextRow>& rows) {
  for (const TextRow& row : rows) {
    CAPTURE(row.text);
    const MatrixText read = read_matrix_text(row.text);
    CHECK(read.fault == "");
    CHECK(read.array.shape == row.shape);
    CHECK(read.array.data == row.numbers);
  }
}

constexpr double kInf = std::numeric_limits<double>::infinity();

}  // namespace

TEST_CASE("matrix text: as numpy and torch print") {
  check_read({
      {"[[ 1.   0.5]\n [-2.   3. ]]", {2, 2}, {1, 0.5, -2, 3}},
      {"array([[1, 2],\n       [3, 4]])", {2, 2}, {1, 2, 3, 4}},
      {"array([[1., 2.]], dtype=float32)", {1, 2}, {1, 2}},
      {"np.array([[1, 2], [3, 4]])", {2, 2}, {1, 2, 3, 4}},
      {"W_q = torch.tensor([[0.1, 0.2], [0.3, 0.4]])", {2, 2}, {0.1, 0.2, 0.3, 0.4}},
      {"tensor([[ 1.5410, -0.2934],\n        [-2.1788,  0.5684]], grad_fn=<MmBackward0>)",
       {2, 2},
       {1.5410, -0.2934, -2.1788, 0.5684}},
      {"tensor([[0., -inf],\n        [1e-3, 7.]], device='cuda:0')", {2, 2}, {0, -kInf, 1e-3, 7}},
      {"tensor([[[1., 2.],\n         [3., 4.]],\n\n        [[5., 6.],\n         [7., 8.]]])",
       {2, 2, 2},
       {1, 2, 3, 4, 5, 6, 7, 8}},
      {"[[ True False]\n [ True  True]]", {2, 2}, {1, 0, 1, 1}},
      {"[1. 2. 3.]", {3}, {1, 2, 3}},
      {"[0.10000001 0.20000001 0.30000001 0.40000001 0.50000001 0.60000001\n 0.70000001 0.8]",
       {8},
       {0.10000001, 0.20000001, 0.30000001, 0.40000001, 0.50000001, 0.60000001, 0.70000001, 0.8}},
  });
}

TEST_CASE("matrix text: as MATLAB and LaTeX write") {
  check_read({
      {"[1 2; 3 4]", {2, 2}, {1, 2, 3, 4}},
      {"A = [1, -2\n     3, 4];", {2, 2}, {1, -2, 3, 4}},
      {"A =\n\n     1     2\n     3     4\n", {2, 2}, {1, 2, 3, 4}},
      {"   1.0e+03 *\n\n    1.5    0.2\n    0.1    2\n", {2, 2}, {1500, 200, 100, 2000}},
      {"[1;2;3]", {3, 1}, {1, 2, 3}},
      {"\\begin{bmatrix} 1 & \\frac{1}{2} \\\\ -3 & 4 \\end{bmatrix}", {2, 2}, {1, 0.5, -3, 4}},
      {"$$\\left[\\begin{array}{cc}\n1 & 0 \\\\\n\\sqrt{4} & -\\infty\n\\end{array}\\right]$$",
       {2, 2},
       {1, 0, 2, -kInf}},
      {"X = \\begin{pmatrix} 1 & 2\\cdot 3 \\\\ \\end{pmatrix}", {2}, {1, 6}},
  });
}

TEST_CASE("matrix text: tables and single rows") {
  check_read({
      {"1,2\n3,4\n", {2, 2}, {1, 2, 3, 4}},
      {"1\t2\r\n3\t4\r\n", {2, 2}, {1, 2, 3, 4}},
      {"0,5;1,25\n−2;3", {2, 2}, {0.5, 1.25, -2, 3}},
      {"# from numpy.savetxt\n1.0e+00 2.0e+00\n3.0e+00 4.0e+00\n", {2, 2}, {1, 2, 3, 4}},
      {"1/2, √4; e/e, 2^3", {2, 2}, {0.5, 2, 1, 8}},
      {"–inf −1", {2}, {-kInf, -1}},  // dashes as word processors make them
      {"1 2 3", {3}, {1, 2, 3}},
      {"5", {1}, {5}},
      {"1\n2", {2, 1}, {1, 2}},
      {"1 2\r3 4\r", {2, 2}, {1, 2, 3, 4}},
      {"[1 2\r3 4]", {2, 2}, {1, 2, 3, 4}},
      {"[[1, 2],\r [3, 4]]", {2, 2}, {1, 2, 3, 4}},
      {"sep=;\n1;2\n3;4\n", {2, 2}, {1, 2, 3, 4}},
      {"sep=;\r\n1,5;2\r\n3;4\r\n", {2, 2}, {1.5, 2, 3, 4}},
      {"sep=,\r1,2\r3,4\r", {2, 2}, {1, 2, 3, 4}},
  });
}

TEST_CASE("matrix text: hundreds of thousands of minus signs are replaced as fast as one") {
  std::string text;
  for (int i = 0; i < 300'000; ++i) text += "−1 ";
  const MatrixText read = read_matrix_text(text);
  CHECK(read.fault == "");
  CHECK(read.array.data == std::vector<double>(300'000, -1.0));
}

TEST_CASE("matrix text: what is none says why") {
  struct Fault {
    std::string text;
    std::string why;
  };
  const Fault rows[] = {
      {"", "there is no number in it"},
      {"1 2\n3", "row 1 has 1 number, row 0 has 2"},
      {"a,b\n1,2", "row 0, column 0: " + expected("a number", "\"a\"")},
      {"1,,2", "row 0, column 1: " + expected("a number", "\"\"")},
      {"[[1, 2], [3]]", "one row has 2 numbers, another 1"},
      {"[[1, 2], [3, x]]", "row 0, column 1: " + expected("a number", "\"x\"")},
      {"[[1, 2], 3]", "between two rows there is \"3\""},
      {"[[1, 2]", "a bracket is not closed"},
      {"[1 2; 3 4]'", "after the last bracket there is \"'\""},
      {"[[0.1 ... 0.2]\n ...\n [0.3 ... 0.4]]", "numbers are left out (...); print all of them"},
      {"[[[[[1]]]]]", "there are more than 4 levels of brackets"},
      {std::string(100000, '['), "there are more than 4 levels of brackets"},
      {"[[1], [2]", "a bracket is not closed"},
      {"[[1], [[2]]]", "rows are not all at the same level of brackets"},
      {"0,5 0,25", "row 0, column 1: " + expected("a number", "\"5 0\"")},
  };
  for (const Fault& row : rows) {
    CAPTURE(row.text.substr(0, 60));
    CHECK(read_matrix_text(row.text).fault == row.why);
  }
}

TEST_CASE("matrix text: wherever a matrix is read") {
  const auto draft = parse_problem(R"json({"q": "[[1. 2.]\n [3. 4.]]", "k": [5, 6], "v": "1 2",
    "weights": {"w_q": "[1 0; 0 1]", "b_q": "1; 2"}, "bias": "0, -inf; 1, 0"})json",
                                   "a.json")
                         .draft;
  CHECK(draft.q->data == std::vector<double>{1, 2, 3, 4});
  CHECK(draft.k->shape == std::vector<std::ptrdiff_t>{1, 2});
  CHECK(draft.v->shape == std::vector<std::ptrdiff_t>{1, 2});
  CHECK(draft.bias->data[1] == -kInf);
  CHECK(parse_array("1,2\n3,4\n", "x.csv").data == std::vector<double>{1, 2, 3, 4});
  CHECK(parse_array("[[1. 2.]\n [3. 4.]]", "x.txt").data == std::vector<double>{1, 2, 3, 4});
  const Answers answers = parse_answers(R"({"scores": "[[1. 2.]\n [3. 4.]]"})", "a.json");
  CHECK(answers.matrices[0].numbers == std::vector<double>{1, 2, 3, 4});
  CHECK(!parse_answers(R"({"scores": "1 2; 3"})", "a.json").matrices[0].unreadable.empty());
  check_rows(std::vector<ProblemRow>{
      {R"({"q": "1 2; 3"})", "matrix-text",
       "this text is no matrix: row 1 has 1 number, row 0 has 2",
       "Write a row in each line, with blanks or commas between the numbers.", "/q", 7},
      {R"({"positions": {"kind": "alibi", "slopes": "1 2; 3 4"}})", "rank",
       "expected 1 axes, found the shape 2×2", "Give a matrix of a different shape.",
       "/positions/slopes", 43},
  });
}

}  // namespace attn::testing

// Matrices as programs print them and as people write them.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "attn/arithmetic.hpp"
#include "attn/core/array.hpp"
#include "attn/error.hpp"

namespace attn {

using ToNumber = std::optional<double> (*)(std::string_view);

/// What a text holds.
struct MatrixText {
  Array array;        ///< of rank 1 for a single row, up to 4
  std::string fault;  ///< what cannot be read, with its row; empty if all can
};

/// Reads a matrix as NumPy and PyTorch print it ([[1. 2.] [3. 4.]], tensor([[1., 2.]])), as MATLAB
/// ([1 2; 3 4]) and LaTeX (\begin{bmatrix} 1 & 2 \\ 3 & 4 \end{bmatrix}) write it, a table with
/// commas, semicolons, tabs or spaces, or a single row. `to_number` says what a number may be; −∞
/// is "-inf" or "-Infinity", True and False are 1 and 0. Decimals have commas only between
/// semicolons.
MatrixText read_matrix_text(std::string_view text, ToNumber to_number = arithmetic);

/// Whether text may be a matrix: it has a digit, or begins as one.
bool may_be_matrix_text(std::string_view text);

/// The Error (id "matrix-text") about a fault.
Error bad_matrix_text(const std::string& fault, Place place);

/// Whether a file of that name holds a matrix as text: .csv, .tsv, .txt.
bool is_matrix_text_file(std::string_view path);

/// The text of a matrix in LaTeX with a row in each line and commas between numbers, fractions and
/// roots as arithmetic; other text as it is.
std::string without_latex(std::string_view text);

}  // namespace attn

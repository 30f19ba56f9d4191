// Matrices that somebody else computed: a student's sheet, or the dump of an implementation.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "attn/core/array.hpp"
#include "attn/error.hpp"
#include "attn/tensor.hpp"

namespace attn {

/// What is in one cell of an answer.
enum class CellState : unsigned char {
  Filled,
  Empty,       ///< a blank: null, "", "?", "_"
  Unreadable,  ///< text that is not a number
  Given,       ///< printed on the sheet, not the student's
};

/// What separates decimals in answers: what the file uses throughout, or what somebody says it is.
enum class DecimalMark { Auto, Point, Comma };

/// What to write in an unreadable cell; on sheets that have decimal commas, which only quotation
/// marks save from being separators in JSON.
inline constexpr const char* kAnswerCellFix =
    "Write a number such as 0.5, a fraction such as \"3/4\", or \"?\" for a blank.";
inline constexpr const char* kCommaCellFix =
    "Write a number such as \"0,5\", a fraction such as \"3/4\", or \"?\" for a blank.";

/// The same where what is written is arithmetic: who wrote it leaves the computing to others.
inline constexpr const char* kOneNumberFix =
    "Write one number, or one fraction such as \"3/4\": a range, a second number or a formula is "
    "not read.";

/// What is written in a cell that is unreadable: "half", or "0.5; 7" where two answers were given.
struct UnreadCell {
  std::size_t cell;  ///< its place among the numbers
  std::string text;
};

inline constexpr std::size_t kMostUnread = 1000;  ///< of a matrix, whose texts are kept

/// One matrix as somebody gave it, not yet compared with anything.
struct Answer {
  std::string id;                           ///< its name in the file: the id or symbol of a step
  std::vector<Index> shape = {};            ///< as written; empty if it is not a matrix
  std::vector<double> numbers = {};         ///< row-major; NaN where the cell holds no number
  std::vector<CellState> states = {};       ///< one per number; none: all are filled
  std::vector<Diagnostic> unreadable = {};  ///< what cannot be read, and where; at most a few
  std::vector<UnreadCell> unread = {};      ///< at most kMostUnread; the last about a cell counts
  bool open_ended = false;  ///< a list of cells: rows and columns at the end may be missing
  Index commas = 0;         ///< cells that were read with a decimal comma
};

/// What is written in that cell: a number, "?" for a blank, or what is unreadable there; "" if that
/// is not known.
std::string written_text(const Answer& answer, std::size_t cell);

/// All matrices of a file, in its order.
struct Answers {
  std::string source;                 ///< the file, for messages
  std::vector<Answer> matrices = {};  ///< no two with the same name
  bool by_program = false;            ///< a dump or a trace: expected to agree to the last digits
  Dtype dtype = Dtype::Float64;       ///< of a dump: its narrowest number type
};

}  // namespace attn

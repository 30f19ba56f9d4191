// Reads matrices from text, by the brackets, separators and line ends that are in it.
#include "io/arrays/matrix_text.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "attn/number_text.hpp"
#include "attn/phrases.hpp"
#include "core/text/ascii.hpp"
#include "io/answers/table.hpp"
#include "io/arrays/tensor_error.hpp"
#include "io/json/token.hpp"

namespace attn {
namespace {

constexpr std::size_t kDeepest = 4;
constexpr std::string_view kSpaces = " \t\n";

/// Without white space around it.
std::string_view stripped(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(kSpaces), text.size()));
  return text.substr(0, text.find_last_not_of(kSpaces) + 1);
}

struct Fault {
  std::string text;
};

/// The number that a cell means; `comma` if decimals may have commas.
std::optional<double> cell_number(std::string_view text, ToNumber to_number, bool comma) {
  double sign = 1.0;
  std::string_view word = stripped(text);
  if (word.starts_with('-')) {
    sign = -1.0;
    word.remove_prefix(1);
  }
  const std::string lower = lowered(word);
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  if (lower == "inf" || lower == "infinity" || lower == "∞") return sign * kInfinity;
  if (lower == "nan") return std::numeric_limits<double>::quiet_NaN();
  if (lower == "true" || lower == "false") return lower == "true" ? 1.0 : 0.0;
  const std::string whole(stripped(text));
  const auto number = to_number(comma ? json::with_point(whole) : whole);
  return number && std::isfinite(*number) ? number : std::nullopt;
}

/// Rows of numbers, all of one length.
class Rows {
 public:
  explicit Rows(ToNumber to_number, bool comma = false) : to_number_(to_number), comma_(comma) {}

  void add_cell(std::string_view text) {
    const auto number = cell_number(text, to_number_, comma_);
    if (!number) {
      throw Fault{filled("row {}, column {}: expected a number, found {}", std::to_string(row_),
                         std::to_string(cells_), excerpt(stripped(text)))};
    }
    numbers_.push_back(*number);
    ++cells_;
  }

  void end_row() {
    if (cells_ == 0) return;
    if (row_ == 0) width_ = cells_;
    if (cells_ != width_) {
      throw Fault{filled("row {} has {}, row 0 has {}", std::to_string(row_),
                         counted(static_cast<std::ptrdiff_t>(cells_), "number"),
                         std::to_string(width_))};
    }
    ++row_;
    cells_ = 0;
  }

  Array array(bool single_row) {
    if (row_ == 0) throw Fault{"there is no number in it"};
    const auto rows = static_cast<std::ptrdiff_t>(row_);
    const auto width = static_cast<std::ptrdiff_t>(width_);
    if (single_row && rows == 1) return {{width}, std::move(numbers_)};
    return {{rows, width}, std::move(numbers_)};
  }

 private:
  ToNumber to_number_;
  bool comma_;
  std::vector<double> numbers_;
  std::size_t row_ = 0, cells_ = 0, width_ = 0;
};

/// Cells between separators; with a blank as the separator, any white space.
void add_cells(Rows& rows, std::string_view line, char separator) {
  const std::string_view ends = separator == ' ' ? kSpaces : std::string_view(&separator, 1);
  for (std::size_t at = 0; at <= line.size();) {
    const std::size_t end = std::min(line.find_first_of(ends, at), line.size());
    const std::string_view cell = line.substr(at, end - at);
    const bool last = end == line.size() && stripped(cell).empty();  // after a last separator
    if (!last && !(separator == ' ' && cell.empty())) rows.add_cell(cell);
    at = end + 1;
  }
}

/// Nested brackets, as NumPy, PyTorch and JSON have them.
class Brackets {
 public:
  Brackets(std::string_view text, ToNumber to_number) : text_(text), to_number_(to_number) {}

  Array all() {
    read_list(0);
    const auto rest = stripped(text_.substr(at_));
    if (!rest.empty() && rest.front() != ',' && rest.front() != ')')
      throw Fault{"after the last bracket there is " + excerpt(rest)};
    return {std::move(shape_), std::move(numbers_)};
  }

 private:
  void read_list(std::size_t depth) {
    if (depth >= kDeepest) throw Fault{"there are more than 4 levels of brackets"};
    ++at_;  // [
    const std::size_t next = text_.find_first_of("[]", at_);
    if (next == text_.npos) throw Fault{"a bracket is not closed"};
    if (text_[next] == '[') {
      if (text_.substr(at_, next - at_).find("...") != text_.npos) throw_left_out();
      read_lists(depth);
    } else {
      read_row(text_.substr(at_, next - at_), depth);
      at_ = next + 1;
    }
  }

  void read_lists(std::size_t depth) {
    std::ptrdiff_t count = 0;
    while (true) {
      const std::size_t next = text_.find_first_of("[]", at_);
      if (next == text_.npos) throw Fault{"a bracket is not closed"};
      const std::string_view between = text_.substr(at_, next - at_);
      if (between.find("...") != between.npos) throw_left_out();
      if (const auto odd = between.find_first_not_of(" \t\n,;"); odd != between.npos)
        throw Fault{"between two rows there is " + excerpt(stripped(between.substr(odd)))};
      at_ = next;
      if (text_[next] == ']') break;
      read_list(depth + 1);
      ++count;
    }
    ++at_;
    set_size(depth, count, "row");
  }

  void read_row(std::string_view row, std::size_t depth) {
    if (row.find("...") != row.npos || row.find("…") != row.npos) throw_left_out();
    Rows cells(to_number_);
    add_cells(cells, row, row.find(',') == row.npos ? ' ' : ',');
    cells.end_row();
    Array numbers = cells.array(true);
    if (depth_ != 0 && depth_ != depth + 1)
      throw Fault{"rows are not all at the same level of brackets"};
    depth_ = depth + 1;
    numbers_.insert(numbers_.end(), numbers.data.begin(), numbers.data.end());
    set_size(depth, numbers.shape[0], "number");
  }

  void set_size(std::size_t depth, std::ptrdiff_t size, const char* what) {
    if (shape_.size() <= depth) shape_.resize(depth + 1, 0);
    if (shape_[depth] == 0) shape_[depth] = size;
    if (shape_[depth] != size) {
      throw Fault{
          filled("one row has {}, another {}", counted(shape_[depth], what), std::to_string(size))};
    }
  }

  [[noreturn]] static void throw_left_out() {
    throw Fault{"numbers are left out (...); print all of them"};
  }

  std::string_view text_;
  ToNumber to_number_;
  std::size_t at_ = 0, depth_ = 0;
  std::vector<std::ptrdiff_t> shape_;
  std::vector<double> numbers_;
};

/// What separates numbers in a line that has no brackets.
char separator_in(std::string_view line) {
  for (const char c : {'\t', ',', '|'}) {
    if (line.find(c) != line.npos) return c;
  }
  return ' ';
}

std::vector<std::string_view> split(std::string_view text, char end) {
  std::vector<std::string_view> parts;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t stop = std::min(text.find(end, at), text.size());
    const std::string_view part = stripped(text.substr(at, stop - at));
    const bool remark = part.starts_with('#') || part.starts_with('%');
    if (!part.empty() && !remark) parts.push_back(part);
    at = stop + 1;
  }
  return parts;
}

/// One pair of brackets: MATLAB's rows, or one row that a program broke into lines.
Array one_bracket(std::string_view inside, ToNumber to_number) {
  constexpr std::size_t kBroken = 60;  // columns: where programs break lines
  if (inside.find("...") != inside.npos)
    throw Fault{"numbers are left out (...); print all of them"};
  const std::vector<std::string_view> lines = split(inside, '\n');
  const bool broken = lines.size() > 1 && lines.front().size() >= kBroken;
  Rows rows(to_number);
  if (broken && inside.find(';') == inside.npos) {
    for (const std::string_view line : lines) add_cells(rows, line, separator_in(line));
    rows.end_row();
    return rows.array(true);
  }
  for (const std::string_view line : lines) {
    for (const std::string_view row : split(line, ';')) {
      add_cells(rows, row, separator_in(row));
      rows.end_row();
    }
  }
  return rows.array(true);
}

/// "1.0e+03 *", with which MATLAB begins; 1 without it. Takes it off.
double take_factor(std::string_view& text) {
  const std::size_t star = text.find('*');
  const std::size_t line = text.find('\n');
  if (star == text.npos || star > line || !stripped(text.substr(star + 1, line - star - 1)).empty())
    return 1.0;
  const auto factor = parse_number(std::string(stripped(text.substr(0, star))));
  if (!factor) return 1.0;
  text.remove_prefix(std::min(star + 1, text.size()));
  return *factor;
}

/// Lines of a table.
Array plain_table(std::string_view text, ToNumber to_number) {
  const double factor = take_factor(text);
  const std::vector<std::string_view> lines = split(text, '\n');
  // Semicolons inside every line separate its numbers, and leave the comma to decimals.
  const bool semicolons =
      lines.size() > 1 && std::all_of(lines.begin(), lines.end(), [](std::string_view line) {
        return line.substr(0, line.size() - 1).find(';') != line.npos;
      });
  Rows rows(to_number, semicolons);
  for (const std::string_view line : lines) {
    for (const std::string_view row : split(line, semicolons ? '\n' : ';')) {
      add_cells(rows, row, semicolons ? ';' : separator_in(row));
      rows.end_row();
    }
  }
  Array array = rows.array(true);
  for (double& number : array.data) number *= factor;
  return array;
}

/// Takes off what is around a matrix: "W =", "tensor(", "np.array(".
std::string_view without_wrapping(std::string_view text) {
  text = stripped(text);
  const std::size_t first = text.find_first_of("[\n");
  const std::size_t equals = text.find('=');
  if (equals != text.npos && (first == text.npos || equals < first) && equals > 0 &&
      is_letter(text.front()))
    text = stripped(text.substr(equals + 1));
  const std::size_t open = text.find('(');
  const std::size_t bracket = text.find('[');
  const bool call = open != text.npos && bracket != text.npos && open < bracket &&
                    text.find_first_not_of("abcdefghijklmnopqrstuvwxyz_.") == open;
  return call ? stripped(text.substr(open + 1)) : text;
}

/// Minus signs as on the keyboard, and lines that end with \n alone.
std::string plainly(std::string_view text) {
  std::string plain;
  for (std::size_t at = 0; at < text.size();) {
    const std::string_view rest = text.substr(at);
    const bool minus = rest.starts_with("−") || rest.starts_with("–");
    plain += minus ? '-' : rest[0] == '\r' ? '\n' : rest[0];
    at += minus ? 3 : 1;
  }
  return plain;
}

Array read_array_text(std::string_view written, ToNumber to_number) {
  const std::string plain = without_latex(plainly(written.substr(after_separator_line(written))));
  const std::string_view text = without_wrapping(plain);
  if (!text.starts_with('[')) return plain_table(text, to_number);
  const std::string_view inside = stripped(text.substr(1));
  if (inside.starts_with('[')) return Brackets(text, to_number).all();
  const std::size_t end = inside.find(']');
  if (end == inside.npos) throw Fault{"a bracket is not closed"};
  const auto rest = stripped(inside.substr(end + 1));
  if (!rest.empty() && rest.front() != ',' && rest.front() != ')' && rest.front() != ';')
    throw Fault{"after the last bracket there is " + excerpt(rest)};
  return one_bracket(inside.substr(0, end), to_number);
}

}  // namespace

MatrixText read_matrix_text(std::string_view text, ToNumber to_number) {
  try {
    return {read_array_text(text, to_number), ""};
  } catch (const Fault& fault) {
    return {{}, fault.text};
  }
}

bool may_be_matrix_text(std::string_view text) {
  return std::any_of(text.begin(), text.end(), is_digit) || text.starts_with('[') ||
         text.find("\\begin") != text.npos;
}

Error bad_matrix_text(const std::string& fault, Place place) {
  return input_error(
      {.id = "matrix-text",
       .what = "this text is no matrix: " + fault,
       .places = {std::move(place)},
       .fix = "Write a row in each line, with blanks or commas between the numbers."});
}

bool is_matrix_text_file(std::string_view path) {
  const auto ends = [&](const char* ending) { return path.ends_with(ending); };
  return ends(".csv") || ends(".tsv") || ends(".txt");
}

}  // namespace attn

// Errors: what is wrong, where, and what to try.
#pragma once

#include <cstddef>
#include <exception>
#include <string>
#include <vector>

namespace attn {

/// What kind of thing went wrong; the numeric value is the exit code of the command line.
enum class ErrorKind { Usage = 2, Input = 3, Files = 4 };

/// A place in the input. Empty or zero fields are unknown.
struct Place {
  std::string pointer = {};  ///< JSON pointer, "/weights/w_q/3"
  std::string remark = {};   ///< what is there: "X has 4 rows of 5 numbers"
  std::string file = {};     ///< path as the user gave it, "<stdin>", or the program's name for it
  int line = 0;              ///< 1-based
  int column = 0;            ///< 1-based, in characters
  std::string line_text = {};  ///< the line or, of a long one, the part around the column
  int first_column = 1;        ///< of line_text
};

/// A setting of the problem or the view whose change fixes an error. A program adds how its user
/// changes it, for example with an option.
struct Change {
  std::string setting = {};  ///< "heads", "mask", "steps"
  std::string value = {};    ///< one that helps, if there is one
};

/// Whether the place is an option of the command line, not a file.
bool is_option(const Place& place);

/// One thing that is wrong: a stable name for it, what it is, where, and what to do about it.
struct Diagnostic {
  std::string id = {};             ///< stable, lower-case words: "shape-mismatch"
  std::string what = {};           ///< one sentence: what was expected and what was found
  std::vector<Place> places = {};  ///< the most helpful place first
  std::string sketch = {};  ///< optional lines drawn below the headline, such as the two shapes
  std::string rule = {};    ///< optional: the rule that was broken
  std::string fix = {};     ///< what to try
  std::vector<Change> changes = {};  ///< optional: what the fix changes
  std::string help = {};             ///< optional: the program's command that explains more
};

/// The library's own exception: wrong input, described so that it can be fixed.
/// Thrown at the edges (reading, building a Problem); the command line reports it.
class Error : public std::exception {
 public:
  /// `omitted` is how many more there are, which were not built.
  Error(ErrorKind kind, std::vector<Diagnostic> diagnostics, std::size_t omitted = 0);

  ErrorKind kind() const { return kind_; }
  const std::vector<Diagnostic>& diagnostics() const { return diagnostics_; }

  std::size_t omitted() const { return omitted_; }

  /// The first diagnostic's sentence.
  const char* what() const noexcept override;

 private:
  ErrorKind kind_;
  std::vector<Diagnostic> diagnostics_;  // never empty
  std::size_t omitted_;
};

/// An Error of one diagnostic about the input.
[[nodiscard]] Error input_error(Diagnostic diagnostic);

}  // namespace attn

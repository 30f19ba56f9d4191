// Problem files: read into a draft, and written from one.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "attn/core/format.hpp"
#include "attn/error.hpp"
#include "attn/io/shared_bytes.hpp"
#include "attn/io/tensor_file.hpp"
#include "attn/problem.hpp"

namespace attn {

namespace json {
struct Document;
}

/// Where each JSON pointer is in a file, so that later errors can show line and column.
class SourceMap {
 public:
  SourceMap() = default;
  /// `root` is where the problem is in the file.
  explicit SourceMap(std::shared_ptr<const json::Document> document, std::string root = "");

  /// For a file without lines, such as .npz: places get its name and keep their pointers.
  explicit SourceMap(std::string file_name);

  /// Remembers that the setting at `pointer` came from somewhere else, named `origin`.
  void override_with(const std::string& pointer, const std::string& origin);

  /// Remembers that the file has the setting at `pointer` under another name, at `own`.
  void rename(const std::string& pointer, const std::string& own);

  /// Fills in file, line, column and line text of every place of the error that has no file yet:
  /// those of its pointer, or of the nearest parent that the file has. The place of an overridden
  /// pointer gets the origin as its file, and no line.
  Error locate(const Error& error) const;

 private:
  Place locate(const Place& place, bool at_key) const;

  std::shared_ptr<const json::Document> document_;  // null: a file without lines, or none
  std::string root_;                                // before every pointer into the document
  std::string file_name_;                           // of a file without lines
  std::map<std::string, std::string> overrides_;    // pointer → origin
  std::map<std::string, std::string> names_;        // pointer → that in the file
};

/// A problem file as read: the draft, and where everything was.
struct ProblemFile {
  ProblemDraft draft;
  SourceMap places;
};

/// Reads a file that a problem names, by its path relative to the problem file. `pointer` is where
/// it is named, for errors.
using ReadFile = std::function<std::string(const std::string& path, const std::string& pointer)>;

/// A file of tensors whose bytes are read when they are needed.
struct TensorFile {
  std::string name;  ///< for messages
  /// Gives the bytes of the whole file to `use`. Throws Error if they cannot be read.
  std::function<void(const std::function<void(std::string_view bytes)>& use)> read;
  MakeRoom room = any_size;  ///< for what listing its tensors takes
};

/// Opens such a file, named as for ReadFile.
using OpenFile = std::function<TensorFile(const std::string& path, const std::string& pointer)>;

/// Reads the text of a problem file (docs/problem-format.md); `name` is the path for error
/// messages. `read_file` serves entries such as {"file": "w.npy"}, `open_file` "weights": {"file":
/// "model.safetensors"}; without them such entries are refused.
/// Throws Error for whatever is not a well-formed problem: syntax, unknown or repeated keys,
/// ragged rows, wrong types, numbers out of range, more than `budget` has room for (by default
/// kUsualMemory).
ProblemFile parse_problem(std::string_view text, const std::string& name,
                          const ReadFile& read_file = {}, MemoryBudget* budget = nullptr,
                          const OpenFile& open_file = {});
/// The same without copying the text: the places keep it.
ProblemFile parse_problem(const SharedBytes& text, const std::string& name,
                          const ReadFile& read_file = {}, MemoryBudget* budget = nullptr,
                          const OpenFile& open_file = {});

/// What a JSON text says it is, at its top level: "format": "attn.trace"; "" if it does not. Takes
/// any bytes, and reads no further than it must.
std::string stated_format(std::string_view bytes);

/// The text of a problem file, from which parse_problem reads the same draft, bit for bit. One row
/// of a matrix per line, columns aligned; defaults are left out. `text` has no key: its words
/// become the tokens.
std::string problem_json(const ProblemDraft& draft);
/// The same in pieces, which end between two values.
void each_problem_piece(const ProblemDraft& draft, const Sink& sink);

}  // namespace attn

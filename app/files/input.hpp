// What a command reads: a file or standard input, opened once and of one kind.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "attn/core/memory_budget.hpp"
#include "attn/io/problem_file.hpp"
#include "attn/io/shared_bytes.hpp"
#include "attn/io/tensor_file.hpp"
#include "command.hpp"
#include "platform/mapped_file.hpp"

namespace attn::app {

/// JSON that says no more is what a command expects: a problem, answers, an exercise.
enum class InputKind { Json, Trace, Sheet, Table, Arrays, Foreign };

struct KindOfFile {
  InputKind kind;
  const char* what = "";                  ///< "a picture"
  const char* fix = "";                   ///< where something else was expected
  const ArrayFileType* arrays = nullptr;  ///< of Arrays
};

/// How a Git LFS pointer begins.
inline constexpr std::string_view kLfsPointer = "version https://git-lfs";

/// What a file is by its bytes or, if they do not say, by its name.
KindOfFile kind_of(std::string_view bytes, const std::string& name);

/// Throws Error (input, id "wrong-format") for arrays and for what attn does not read: what was
/// `expected`, what it is instead, and what to do.
void refuse_foreign(const KindOfFile& kind, const std::string& name, const std::string& expected);

/// A file, which is mapped, or a pipe such as standard input, which is read as a whole.
class Input {
 public:
  /// Throws Error: files, id "cannot-read"; input, id "too-large" as soon as a pipe has brought
  /// more than `max_memory`.
  Input(const std::string& path, const Streams& streams, double max_memory);
  /// What was in an archive, with its name.
  Input(std::string name, std::string bytes);

  const std::string& name() const { return name_; }
  /// Found out when first asked.
  const KindOfFile& kind() const;
  /// Whether it has several arrays, with names.
  bool has_tensors() const { return kind().arrays != nullptr && kind().arrays->several; }
  /// Throws Error for bytes that are too many for text, or foreign.
  void require_text(const std::string& expected) const;
  /// What is left of `limit`, as far as the bytes themselves take memory.
  MemoryBudget budget(double limit) const { return {limit, static_cast<double>(whole_.size())}; }

  /// What `use` makes of the bytes; see MappedFile::read.
  template <class Use>
  auto read(Use use) const {
    return mapped_.read(
        [&](std::string_view mapped) { return use(mapped_.is_mapped() ? mapped : whole_); });
  }

 private:
  std::string name_;
  MappedFile mapped_;
  std::string whole_;
  mutable std::optional<KindOfFile> kind_;
};

/// The name of an input in messages: "<stdin>" for "-".
std::string input_name(const std::string& path);

/// Opens an input. A pipe is read once: whoever opens it again gets the same bytes. Throws Error:
/// that of Input, and (usage, id "same-file") for a file that the command will write.
std::shared_ptr<const Input> open_input(const std::string& path, const Streams& streams,
                                        double max_memory = kUsualMemory);

/// The same for a part of a model, which another file or its folder names: only a regular file,
/// perhaps behind links, so that nobody waits for a pipe that has no end.
std::shared_ptr<const Input> open_part(const std::string& path, const Streams& streams,
                                       double max_memory);

/// An input in the forms that the library reads. They stay valid as long as somebody keeps them.
TensorFile tensor_file(const std::shared_ptr<const Input>& input, double max_memory);
SharedBytes shared_bytes(const std::shared_ptr<const Input>& input, std::string_view bytes);

/// The bytes of an input. Throws Error.
std::string text_of(const std::string& path, const Streams& streams,
                    double max_memory = kUsualMemory);

/// What `parse` makes of the bytes of an input and its name. Throws Error.
template <class Parse>
auto parse_input(const std::string& path, const Streams& streams, Parse parse,
                 double max_memory = kUsualMemory) {
  const auto input = open_input(path, streams, max_memory);
  return input->read([&](std::string_view bytes) { return parse(bytes, input->name()); });
}

}  // namespace attn::app

// The file of a lesson, cut into its parts: what it says about itself, prose, blocks.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "attn/document.hpp"
#include "attn/error.hpp"

namespace attn {

/// A line "check: …" of a block with those that continue it: views into the file.
struct ScriptField {
  std::string_view key, text;
  bool defines = false;  ///< the key is a name, not a word of the block
};

/// ```question … ```: words first, then fields.
struct ScriptBlock {
  std::string_view kind;  ///< "question"; empty: prose
  std::string_view words;
  std::vector<ScriptField> fields = {};
  std::vector<Block> prose = {};              ///< read as Markdown: braces are marks …
  std::vector<std::string_view> braces = {};  ///< … which stand for these expressions
};

/// A lesson as it was written.
struct LessonScript {
  std::string name;  ///< path or name, for messages
  std::string text;
  std::vector<ScriptField> front = {};
  std::vector<ScriptBlock> blocks = {};

  /// The value of a key of the front matter; empty without one.
  std::string_view front_value(std::string_view key) const;
  /// "mine.md:9:8".
  std::string place_of(std::string_view part) const;
  /// An error at a place of the text.
  Error error_at(std::string_view place, const std::string& what, const std::string& fix) const;
};

/// Cuts a lesson into parts. Throws Error (input, id "lesson-file"), with line and column, for what
/// is no lesson: docs/writing-lessons.md.
std::shared_ptr<const LessonScript> read_script(std::string_view text, const std::string& name);

/// `text` with `filled(i, expression)` in place of the i-th "{expression}"; "\{" is a brace. Throws
/// LessonFault if a brace is not closed.
std::string with_braces(std::string_view text,
                        const std::function<std::string(std::string_view expression)>& filled);

/// A file of samples/lessons, compiled in.
struct LessonFile {
  std::string_view name;  ///< "one-head"
  std::string_view text;
};

/// In teaching order.
std::span<const LessonFile> lesson_files();

/// The same in other languages: "de/tokens".
std::span<const LessonFile> translated_lesson_files();

}  // namespace attn

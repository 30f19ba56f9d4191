#pragma once

#include <string>

#include "command.hpp"

namespace attn::app {

/// The bytes of a file, or of standard input for "-". Throws Error (files) naming the path.
std::string read_input(const std::string& path, const Streams& streams);

/// `text` as one word of a shell: in single quotes unless it needs none.
std::string shell_word(const std::string& text);

/// Throws Error (usage, id "empty-path") for a path without characters; `what` takes the path.
void require_path(const std::string& what, const std::string& path);

/// Throws Error (usage, id "same-file") if `output` is the very file `input`, maybe by another
/// name.
void refuse_same_file(const std::string& input, const std::string& output);

/// Throws Error (files, id "file-exists") if there is a file of that name already.
void refuse_existing(const std::string& path);

/// Writes to standard output for "" and "-", else to the file: first beside it, then renamed over
/// it, so that a failed run leaves the old file whole. A note on standard error tells the size of a
/// file. Throws Error (files).
void write_output(const std::string& path, const std::string& text, const Streams& streams);

}  // namespace attn::app

// Names of files, writing them, and the errors when that or reading fails.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "attn/error.hpp"
#include "attn/io/trace_file.hpp"
#include "command.hpp"
#include "platform/shell.hpp"
#include "platform/whole_file.hpp"

namespace attn::app {

/// "" and "-" are standard output.
inline bool is_stdout(const std::string& path) { return path.empty() || path == "-"; }

/// Whether the system keeps that name for a stream that is open: /dev/stdout, /dev/fd/3.
bool names_stream(const std::string& path);

/// The path that links lead to, which need not exist yet: an output goes there, and the links stay.
/// A link of the system's own is not followed: /dev/stdout is the stream, not the file it goes to.
std::string behind_links(const std::string& path);

/// What is in a folder, sorted; at most the first `most` that the system names. If it cannot be
/// read to its end, `failed` says why.
std::vector<std::filesystem::path> entries_of(const std::filesystem::path& folder,
                                              std::error_code& failed,
                                              std::size_t most = std::string::npos);

/// Throws Error (usage, id "same-file") if `output` is the same file as `input`, perhaps under
/// another name.
void refuse_same_file(const std::string& input, const std::string& output);

/// Throws Error (usage, id "same-file") for an output that lies in `folder`, or below it, perhaps
/// under another name; `what` says what the folder is.
void refuse_inside(const std::string& folder, const std::string& what,
                   const std::vector<std::string>& outputs);

/// The same, but only where the output would replace a file that no earlier run made.
void refuse_replacing(const std::string& folder, const std::string& what,
                      const std::function<bool(const std::string& path)>& is_own,
                      const std::vector<std::string>& outputs);

/// Throws Error (usage, id "same-file") if two outputs are the same: a file, perhaps under another
/// name, or standard output ("" or "-").
void refuse_twice(const std::vector<std::string>& outputs);

/// Throws Error (files, id "file-exists") if the output is a salt, the key of an exercise or one of
/// its sheets, whose answers somebody may have typed: those are not replaced, in any folder.
void refuse_irreplaceable(const std::string& output, const Streams& streams);

/// Calls `sink` with what to write.
using WritePieces = std::function<void(const Sink& sink)>;

/// One thing to write, and where.
struct Output {
  std::string path;
  WritePieces write;
  bool silent = false;  ///< not named on standard error
  WholeFile::Kind kind = WholeFile::Kind::Usual;
};

/// Writes them all, or replaces no file: files take their places once all are complete. Names the
/// files on standard error. A closed pipe ends standard output silently. Throws Error (files, id
/// "cannot-write").
void write_all(const std::vector<Output>& outputs, const Streams& streams);

/// The same for one output, given as text.
void write_output(const std::string& path, const std::string& text, const Streams& streams);

/// Passes JSON on to the sink so that nothing in it acts on a terminal, in 7 bits with --ascii.
/// Pieces have to end between two values.
Sink shown_json(const Sink& sink, const Streams& streams);

/// The same as write_output for JSON, as `shown_json` has it.
void write_json(const std::string& path, const WritePieces& write, const Streams& streams);

/// What cannot be read or written; and why a system call failed, in the system's words.
Error file_error(const std::string& id, const std::string& what, const std::string& fix);

/// The error with this advice, if it is about a file that cannot be read: one that is no problem.
Error with_advice_on_file(const Error& error, const std::string& fix);
std::string system_reason(int error);

/// The errno of what a function of std::filesystem reports, which is another number on Windows.
int errno_of(const std::error_code& error);

/// What a path should name, which decides what to try instead.
enum class Meant { Problem, Answers };

/// Error (files, id "cannot-read"): `path` cannot be opened, for the system's reason `error`. Says
/// whether its extension is missing, it names a built-in sample, or its folder has a file, or attn
/// a sample, with a similar name.
Error cannot_open(const std::string& path, int error, Meant meant = Meant::Problem);

/// Throws that error if a folder that is there cannot be read.
void require_readable(const std::filesystem::path& folder);

/// Throws that error if `path`, a file of answers or a folder of them, does not exist.
void require_answers(const std::string& path);

/// Error (files, id "cannot-write"): `path` is a file that nobody may write to.
Error read_only(const std::string& path);

/// Why `path` cannot be written, from the system's error number.
Error cannot_write(const std::string& path, int error);

}  // namespace attn::app

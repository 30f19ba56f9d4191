// Reads the answers that attn check is about, and the dumps that attn compare may be about.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "attn/io/answers_file.hpp"
#include "attn/io/sheet_file.hpp"
#include "attn/teach/names.hpp"
#include "files/input.hpp"
#include "options/option_row.hpp"

namespace attn::app {

/// Somebody's matrices, and the trace or the sheet that they come from, if there is one.
struct AnswersFile {
  Answers answers;
  std::optional<Trace> trace = {};
  std::optional<SheetFile> sheet = {};
  std::vector<std::string> notes = {};  ///< on what was not read
};

/// Which arrays of a dump are read: those that are steps by their names or by the map, or all.
struct DumpNames {
  NameMap map = {};
  bool all = false;
};

/// --map THEIRS=OURS
OptionRow map_row(NameMap& into);

/// Reads JSON, a table, a trace, a sheet, or a dump. Throws Error.
AnswersFile read_answers(const Input& input, double max_memory, const DumpNames& names = {},
                         DecimalMark mark = DecimalMark::Auto);

/// Whether it holds matrices that are computed already, other than a trace, and not a problem. With
/// names.all, a file of arrays whose names mean nothing to attn counts, too.
bool is_dump(const Input& input, const DumpNames& names);

}  // namespace attn::app

// Which of the files that one student handed in count.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "files/submissions.hpp"

namespace attn::app {

using Files = std::vector<const HandedIn*>;
/// When what is in a file was last handed in, be it as a copy or in another format.
using Times = std::map<const HandedIn*, std::filesystem::file_time_type>;

/// Those that compete, of at least one: sheets with answers, each once; if there are none, sheets
/// without; if there are none, files that are no sheets. `key` is the sheet in the key; null if it
/// is not known, and one of those handed in says what is printed. Adds a note about each file that
/// is left out, for the teacher, and moves the times of copies to what they are copies of.
Files counting(const Files& files, const Sheet* key, Times& times, std::vector<std::string>& notes);

}  // namespace attn::app

// What is printed on the strip above a sheet, which is cut off before it is graded.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "attn/io/sheet_file.hpp"

namespace attn::app {

/// Whether a column has names of persons: not "Username", "User name" or "Group name".
bool holds_names(std::string_view column);

/// For each id, which is the first column, the id and what the roster has in columns of names.
std::map<std::string, std::string> slips_of(const CsvTable& roster);

}  // namespace attn::app

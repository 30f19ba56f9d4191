// A sheet as a page to fill in, or on paper.
#pragma once

#include <string>
#include <vector>

#include "attn/teach/sheet.hpp"
#include "attn/writers.hpp"
#include "files/read_problem.hpp"

namespace attn::app {

/// The sheet to print, without the student's id if it is to be `anonymous`. With `form`, which is
/// the sheet as JSON, an HTML page can be filled in.
std::string printed(const Sheet& sheet, const Format& format, const std::string& form = "",
                    bool anonymous = false);

/// All sheets as one document, each on a page of its own; if they are anonymous, after a page that
/// says who gets which.
std::string printed_together(const std::vector<Sheet>& sheets, const Format& format,
                             bool anonymous);

/// Whether what is named is a sheet, not a problem.
bool is_sheet(const ProblemSource& source, const Streams& streams);

/// The same sheet with its blanks empty again.
Sheet unsolved(Sheet sheet);

}  // namespace attn::app

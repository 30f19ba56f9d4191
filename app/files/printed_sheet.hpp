// A sheet as a page to fill in, or on paper.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "attn/teach/sheet.hpp"
#include "attn/writers.hpp"
#include "files/read_problem.hpp"

namespace attn::app {

/// Where printed sheets say whose they are: in the title; in a list, which is the first page of the
/// merged document; or on a slip above each sheet, to be folded back or cut off.
struct Naming {
  enum class Where { Title, List, Slip } where = Where::Title;
  std::map<std::string, std::string> slips = {};  ///< by the id: "s001 · Ann Lee"
};

/// The sheet to print.
std::string printed(const Sheet& sheet, const Format& format, const Naming& naming = {});

/// The same, but an HTML page can be filled in: `form` is the sheet as JSON. Where it asks for a
/// mistake, it offers those that can occur, if the solved sheet is known; otherwise all.
std::string printed_form(const Sheet& sheet, const std::string& form, const Format& format,
                         const Naming& naming = {}, const Sheet* key = nullptr);

/// All sheets as one document, each on a page of its own.
std::string printed_together(const std::vector<Sheet>& sheets, const Format& format,
                             const Naming& naming);

/// Whether what is named is a sheet, not a problem.
bool is_sheet(const ProblemSource& source, const Streams& streams);

/// The same sheet with its blanks empty again.
Sheet unsolved(Sheet sheet);

}  // namespace attn::app

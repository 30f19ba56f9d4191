// What is wrong with the address of a cell.
#pragma once

#include <string>

#include "attn/error.hpp"
#include "attn/trace.hpp"

namespace attn {

/// `text` does not name a cell. Without a `fix`, it says how cells are named.
Error bad_cell(const std::string& text, const std::string& what, const std::string& fix = "");

/// Brackets of which one holds neither a choice nor a place.
Error bad_brackets(const std::string& text, const std::string& step);

/// "weights has 5 rows (query) and 5 columns (key)": in English, as the reports of errors are
/// before they are shown.
std::string size_of(const Step& step);

/// An index of a cell that is no head of the step, or, if `of_batch`, no batch entry.
Error bad_axis(const Step& step, const std::string& text, const std::string& head, bool of_batch);

/// A step that the trace does not have, and what shows it or is meant.
Error no_such_step(const Trace& trace, const std::string& text, const std::string& name);

}  // namespace attn

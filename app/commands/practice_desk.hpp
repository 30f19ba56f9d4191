// A person who fills in a sheet at a terminal, row by row.
#pragma once

#include "attn/core/format.hpp"
#include "attn/teach/sheet.hpp"
#include "attn/writers.hpp"
#include "command.hpp"

namespace attn::app {

/// Shows each step that has blanks, asks for its rows, and judges each at once: a wrong one gets a
/// reason and one more try.
void fill_in(const Sheet& sheet, const Format& format, const TextStyle& style,
             const Streams& streams);

}  // namespace attn::app

// What questions for learning platforms have in common: elements, and matrices as tables.
#pragma once

#include <cstddef>
#include <functional>
#include <string>

#include "attn/teach/sheet.hpp"
#include "attn/trace.hpp"

namespace attn {

/// <tag>inner</tag>; the tag may have attributes, and `inner` is markup already.
std::string element(const std::string& tag, const std::string& inner);

/// A printed number: "0.5", "0,5", "−∞".
std::string number_html(double x, bool comma);

/// The formula of a step, or the symbol of a given, and its matrices as tables with these
/// attributes; `cell(i)` is the markup of number i. Every header has text.
std::string step_tables(const Trace& trace, const Step& step, const std::string& attributes,
                        const std::function<std::string(std::size_t)>& cell);

}  // namespace attn

// What questions for learning platforms have in common: elements, and matrices as tables.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "attn/teach/sheet.hpp"
#include "attn/trace.hpp"

namespace attn {

/// <tag>inner</tag>; the tag may have attributes, and `inner` is markup already.
std::string element(const std::string& tag, const std::string& inner);

/// The teacher's title and instructions; which sheet it is, and how exact its numbers are, in the
/// language in use. As paragraphs.
std::string question_heading(const Sheet& sheet);

/// What a sheet with a mistake to find leaves out, and its two questions, each with its list to
/// choose from, as paragraphs.
std::string bug_questions_html(const Sheet& sheet, const std::string& step,
                               const std::string& code);

/// What lists to choose from say: "scores not scaled (scale.missing)", "S′ = S / √d_k (scaled
/// scores)".
std::string mistake_text(const std::string& code);
std::string step_choice(const Trace& trace, const std::string& id);

/// A printed number: "0.5", "0,5", "−∞".
std::string number_html(double x, bool comma);

/// How an infinite number is typed: first as programs write it, last as it is printed.
std::vector<std::string> infinity_spellings(double x);

/// How many decimals the printed numbers of a step need; nothing if more than those of the sheet.
std::optional<int> printed_decimals(const Sheet& sheet, const SheetStep& step);

/// A number among those: "0.500" beside 0.123.
std::string printed_number(double x, std::optional<int> decimals, bool comma);

/// The formula of a step, or the symbol of a given, and its matrices as tables with these
/// attributes; `cell(i)` is the markup of number i. Every header has text.
std::string step_tables(const Trace& trace, const Step& step, const std::string& attributes,
                        const std::function<std::string(std::size_t)>& cell);

}  // namespace attn

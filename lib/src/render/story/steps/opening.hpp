// How a document opens.
#pragma once

#include <string>

#include "attn/render/explain.hpp"

namespace attn {

/// The heading of the gradients.
inline constexpr const char* kBackward = "Backward: how the loss changes with each number";

/// The title of a problem in the language in use: of a sample, or of a known mistake after its
/// code.
std::string title_text(const std::string& title);

/// Title, sizes, settings that differ from their defaults, description and notes.
void add_opening(Document& document, const Trace& trace, const View& view);

/// A document that begins so, once it is clear that the trace has what is to be shown. Throws
/// Error.
Document opened(const Trace& trace, const View& view);

/// Where the problem came from, and the settings that differ from their defaults:
/// "lesson.json", "mask: causal", "scale: none". `shown`: only those of this attention.
std::vector<std::string> settings_facts(const Trace& trace, const std::string& source,
                                        const Scope* shown = nullptr);

/// "float64", or the narrower type that results were rounded to.
std::string dtype_text(const Trace& trace);

/// The last line of a page of numbers: "Rounded to 3 decimals, computed in float64 …".
Paragraph rounding_footer(const Trace& trace, int precision);

}  // namespace attn

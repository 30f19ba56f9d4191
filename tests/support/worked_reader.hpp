// Reads printed arithmetic back: which cell it is about, and what it says.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "attn/trace.hpp"

namespace attn::testing {

/// One printed line of arithmetic: "    e.g. A[cat, the] of head 1 = e^1 / e^2 ≈ 0.368   (remark)".
struct WorkedLine {
  int depth = 0;                    ///< two spaces each, from the fourth on
  std::string lead;                 ///< "e.g.", "e.g. head 0:", "before hiding:"
  std::vector<std::string> stages;  ///< between the signs
  std::vector<std::string> signs;   ///< "=" or "≈" before all stages but the first
  std::string remark;
};

/// The lines of text that are arithmetic; it must be printed so wide that none is wrapped.
std::vector<WorkedLine> worked_lines_of(const std::string& text);

/// What is known about heads where a line is: "head 1", "kv head 0", or nothing.
using HeadName = std::string;

/// The step and the cell that printed names mean, in one batch entry.
struct NamedCell {
  const Step* step = nullptr;
  Cell cell;
};

/// Reads "A[cat, the]", "m[cat]", "K_i[the, k0] of kv head 0"; a cell of another head than `head`
/// has to say so, and changes it. Nothing if the text is not such a name; throws
/// std::invalid_argument for a name that does not mean a cell of the trace.
std::optional<NamedCell> read_name(const Trace& trace, const std::string& text, Index batch,
                                   HeadName& head);

/// What is wrong with a line, reading its names and evaluating every stage within what rounding to
/// `decimals` allows; empty if nothing is. `head` is what the line above leaves known.
std::string complaint_about(const Trace& trace, const WorkedLine& line, Index batch, int decimals,
                            HeadName& head);

}  // namespace attn::testing

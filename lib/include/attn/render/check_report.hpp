// The report of a check: for people as a document, for programs as JSON.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "attn/check.hpp"
#include "attn/document.hpp"
#include "attn/io/trace_file.hpp"

namespace attn {

/// How much a report says.
struct CheckView {
  std::string source;         ///< the answers, for the title
  bool figures = false;       ///< differences, and the first wrong cell with its right value
  std::optional<int> hint;    ///< only this much about the first wrong step, 1 to 4; absent: all
  std::string help = "help";  ///< the program's command in front of a page of help
  std::vector<std::string> facts = {};  ///< about the answers: "variant K7Q2-9MXA"
  bool points = false;                  ///< the scores are points, not cells
  const Answers* answers = nullptr;     ///< to show what was written in wrong cells
};

/// Every step with a sign; then for each wrong one a map of its cells, what is seen, the likely
/// cause and what to do next. `truth` names the steps, rows and columns; without `figures` no
/// number of it is shown.
Document check_document(const CheckReport& report, const Trace& truth, const CheckView& view);

/// "1 follows from your earlier steps": how many cells of a step are right for what was written
/// before, and not in themselves.
std::string follows_text(std::ptrdiff_t cells);

/// The report as JSON (docs/check-format.md), with differences if `figures`.
std::string check_json(const CheckReport& report, bool figures,
                       NonFinite nonfinite = NonFinite::Words);

}  // namespace attn

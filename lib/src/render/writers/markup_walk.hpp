// Walks through a document with a writer of a markup language.
#pragma once

#include <algorithm>
#include <string>
#include <type_traits>
#include <variant>
#include <vector>

#include "attn/document.hpp"
#include "attn/language.hpp"
#include "render/writers/checklist.hpp"

namespace attn {

/// The blocks from `first` on that are all of one type.
template <typename T>
std::vector<const T*> run_of(const Document& document, std::size_t first) {
  std::vector<const T*> run;
  for (std::size_t i = first; i < document.blocks.size(); ++i) {
    const T* block = std::get_if<T>(&document.blocks[i]);
    if (block == nullptr) break;
    run.push_back(block);
  }
  return run;
}

/// Calls `writer.grids(run)` and `writer.worked(run)` with matrices and worked cells that follow
/// each other, and `writer(block)` with every other block, checklists as tables.
template <typename Writer>
void walk(const Document& document, Writer& writer, bool ascii = false) {
  for (std::size_t i = 0; i < document.blocks.size();) {
    const auto grids = run_of<Grid>(document, i);
    const auto worked = run_of<Worked>(document, i);
    if (!grids.empty()) writer.grids(grids);
    if (!worked.empty()) writer.worked(worked);
    std::visit(
        [&](const auto& block) {
          using T = std::decay_t<decltype(block)>;
          if constexpr (std::is_same_v<T, Checklist>)
            writer(checklist_table(block, ascii));
          else if constexpr (!std::is_same_v<T, Grid> && !std::is_same_v<T, Worked>)
            writer(block);
        },
        document.blocks[i]);
    i += std::max<std::size_t>(1, grids.size() + worked.size());
  }
}

/// "Step 4 of 9"
inline std::string step_text(std::size_t number, std::size_t total) {
  return translated("Step {n} of {all}", number, total);
}

}  // namespace attn

// Adds .grad to ids, ∂L/∂ to symbols and words to titles, and says when a gradient appears.
#include "core/trace/gradient_rows.hpp"

#include <algorithm>
#include <array>
#include <string_view>

namespace attn {
namespace {

/// The reason for a gradient where its operation does not say all; else "".
const char* own_why(std::string_view id) {
  return id == "b_k"
             ? "If all keys have this bias, it adds the same number to every dot product of a "
               "query, which softmax ignores: without rotation, a softcap or a finite fill, its "
               "gradient is 0, up to rounding."
             : "";
}

/// What makes the gradient of that id appear. Masks and positions have no gradient, unless learned.
Appearance appearance(std::string_view id) {
  constexpr std::array<std::string_view, 6> kConstants = {"positions",    "mask",   "added_mask",
                                                          "kept_queries", "angles", "k_angles"};
  const bool constant = std::find(kConstants.begin(), kConstants.end(), id) != kConstants.end();
  return constant ? Appearance{} : Appearance{"gradients", "gradient", ""};
}

/// "the queries"; "all keys".
std::string with_article(const std::string& title) {
  return title.starts_with("all ") ? title : "the " + title;
}

}  // namespace

void GradientRows::add(const StepInfo& of) {
  Row& row = rows_[&of];
  row.id = std::string(of.id) + ".grad";
  row.symbol = std::string("∂L/∂") + of.symbol;
  row.title = "gradient of " + with_article(of.title);
  row.phrase = "how the loss changes with " + with_article(of.title);
  row.info = {row.id.c_str(), row.symbol.c_str(), row.title.c_str(), row.phrase.c_str(),
              own_why(of.id), of.row_axis,        of.col_axis,       of.row_name,
              of.col_name,    StepRole::Gradient, appearance(of.id), &of};
}

}  // namespace attn

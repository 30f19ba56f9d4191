// Draws carets under the sizes that differ, says what would mend them, and joins equal errors.
#include "core/problem/product_error.hpp"

#include <algorithm>

#include "attn/phrases.hpp"

namespace attn {
namespace {

/// How many characters some text has; none of them wide or combining.
std::size_t length(const std::string& text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

std::string centered(const std::string& text, std::size_t width) {
  const std::size_t room = width - std::min(width, length(text));
  return std::string(room / 2, ' ') + text + std::string(room - room / 2, ' ');
}

std::string without_end_blanks(std::string text) {
  text.erase(text.find_last_not_of(' ') + 1);
  return text;
}

std::string repair(const Factor& a, const Factor& b, const std::vector<std::string>& names) {
  std::string fix = filled("Give {} {}", together(names), counted(a.cols, "row"));
  if (a.source.empty()) {
    fix += filled(", or {} rows of {}", a.name, counted(b.rows, "number"));
  } else if (b.rows % a.heads == 0) {
    const Index columns = a.source_cols * b.rows / a.cols;
    fix += filled(", or {} {}", a.source, counted(columns, "column"));
  }
  fix += ".";
  if (a.cols != b.cols) return fix;
  return fix + (names.size() == 1 ? filled(" If {} is stored as out × in, transpose it.", b.name)
                                  : " If they are stored as out × in, transpose them.");
}

std::string width_text(const Factor& a) { return a.width.empty() ? "" : " (" + a.width + ")"; }

Diagnostic product_error(const Mismatch& mismatch, const std::vector<std::string>& names) {
  const auto& [step, a, b] = mismatch;
  const std::string remark =
      a.source.empty()
          ? filled("{} has rows of {}{}", a.name, counted(a.cols, "number"), width_text(a))
          : filled("{} has {}, so {} has {}{}", a.source, counted(a.source_cols, "column"), a.name,
                   a.cols, width_text(a));
  return {.id = "shape-mismatch",
          .what = filled("step {} cannot be computed: {} has {}, {} has {}", step, a.name,
                         counted(a.cols, "column"), b.name, counted(b.rows, "row")),
          .places = {{.pointer = b.pointer,
                      .remark =
                          filled("{} has {}; it needs {}", b.name, counted(b.rows, "row"), a.cols)},
                     {.pointer = a.pointer, .remark = remark}},
          .sketch = product_sketch(a, b),
          .rule = "In A·B, A must have as many columns as B has rows.",
          .fix = repair(a, b, names)};
}

}  // namespace

std::string product_sketch(const Factor& a, const Factor& b) {
  const std::string a_cols = std::to_string(a.cols), b_rows = std::to_string(b.rows);
  const std::string a_size = filled("({}×{})", a.rows, a_cols);
  const std::string b_size = filled("({}×{})", b_rows, b.cols);
  const std::size_t a_width = std::max(length(a_size), length(a.name));
  const std::size_t b_width = std::max(length(b_size), length(b.name));
  const std::string left = "    " + centered(a_size, a_width);
  const std::string right = "     " + centered(b_size, b_width);

  std::string carets(length(left.substr(0, left.find(')'))) - a_cols.size(), ' ');
  carets += std::string(a_cols.size(), '^');
  carets += std::string(length(left) + right.find('(') + 1 - carets.size(), ' ');
  carets += std::string(b_rows.size(), '^');
  const std::string names =
      "    " + centered(a.name, a_width) + "  ·  " + centered(b.name, b_width);
  return filled("{}\n{}\n{}     columns of {}: {}{}   rows of {}: {}", without_end_blanks(names),
                without_end_blanks(left + right), carets, a.name, a_cols, width_text(a), b.name,
                b_rows);
}

std::vector<Diagnostic> product_errors(const std::vector<Mismatch>& mismatches) {
  std::vector<Diagnostic> errors;
  for (auto at = mismatches.begin(); at != mismatches.end(); ++at) {
    const auto same = [&](const Mismatch& other) {
      return other.a.name == at->a.name && other.b.rows == at->b.rows;
    };
    if (std::any_of(mismatches.begin(), at, same)) continue;
    std::vector<std::string> names;
    for (const Mismatch& each : mismatches) {
      if (same(each)) names.push_back(each.b.name);
    }
    errors.push_back(product_error(*at, names));
  }
  return errors;
}

}  // namespace attn

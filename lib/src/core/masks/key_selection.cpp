// Reads indices, ranges and tokens, marks what they stand for, and complains about the rest.
#include "core/masks/key_selection.hpp"

#include <algorithm>

#include "attn/phrases.hpp"
#include "attn/suggest.hpp"

namespace attn {
namespace {

using Selected = std::vector<std::vector<bool>>;

/// Reads "3" as 3–3 and "2-4" as 2–4; false if the text is neither.
bool read_range(const std::string& text, Index& first, Index& last) {
  const std::size_t dash = std::min(text.find('-'), text.size());
  const std::string from = text.substr(0, dash);
  const std::string to = dash == text.size() ? from : text.substr(dash + 1);
  if (!is_count(from) || !is_count(to)) return false;
  first = std::stol(from);
  last = std::stol(to);
  return true;
}

/// Marks the tokens of that name; false if there are none.
bool mark_tokens(const std::string& text, const TokenLists& tokens, Selected& selected) {
  bool found = false;
  for (std::size_t b = 0; b < selected.size(); ++b) {
    const auto& list = MaskSite::of_entry(tokens, static_cast<Index>(b));
    for (std::size_t j = 0; j < list.size() && j < selected[b].size(); ++j) {
      if (list[j] != text) continue;
      selected[b][j] = true;
      found = true;
    }
  }
  return found;
}

Diagnostic reversed_range(const MaskSpec& spec, const std::string& part, Index first, Index last) {
  return {.id = "mask-range",
          .what = filled("the range {} of the mask \"{}\" ends before it begins", part, spec.text),
          .places = {{.pointer = spec.pointer}},
          .fix = filled("Write the smaller index first: {}-{}.", last, first)};
}

Diagnostic out_of_range(const MaskSpec& spec, const std::string& what, const std::string& part,
                        Index n) {
  return {.id = "mask-range",
          .what = filled("the mask \"{}\" names {} {}, but {}", spec.text, what, part,
                         n == 1 ? filled("there is only {} 0", what)
                                : filled("the {} are 0 to {}", plural(what), n - 1)),
          .places = {{.pointer = spec.pointer}},
          .rule = "Indices start at 0; a range such as 2-4 includes both ends.",
          .fix = n == 1 ? "Name index 0, or a token."
                        : filled("Name indices from 0 to {}, or a token.", n - 1)};
}

Diagnostic unknown_token(const MaskSpec& spec, const std::string& what, const std::string& part,
                         const TokenLists& tokens) {
  std::vector<std::string> known;
  for (const auto& list : tokens) known.insert(known.end(), list.begin(), list.end());
  return {.id = "mask-token",
          .what = filled("the mask \"{}\" names \"{}\", but no {} has that name{}", spec.text, part,
                         what, did_you_mean(part, known)),
          .places = {{.pointer = spec.pointer}},
          .fix = filled("Name an index, a range such as 2-4, or one of these tokens: {}.",
                        tokens.size() == 1 ? listed_tokens(known) : listed(known))};
}

}  // namespace

bool is_count(const std::string& text) {
  return !text.empty() && text.size() <= 9 && text.find_first_not_of("0123456789") == text.npos;
}

Selected select(const MaskSpec& spec, const std::string& what, const TokenLists& tokens, Index n,
                Index entries, Complaints& complaints) {
  Selected selected(static_cast<std::size_t>(entries),
                    std::vector<bool>(static_cast<std::size_t>(n)));
  for (const std::string& written : spec.arguments) {
    const std::string part(trimmed(written));  // but a token may begin with a space
    Index first = 0, last = 0;
    if (!read_range(part, first, last)) {
      const bool found =
          mark_tokens(written, tokens, selected) || mark_tokens(part, tokens, selected);
      if (!found) complaints.add_made([&] { return unknown_token(spec, what, part, tokens); });
    } else if (first > last) {
      complaints.add_made([&] { return reversed_range(spec, part, first, last); });
    } else if (last >= n) {
      complaints.add_made([&] { return out_of_range(spec, what, part, n); });
    } else {
      for (auto& entry : selected) {
        std::fill(entry.begin() + first, entry.begin() + last + 1, true);
      }
    }
  }
  return selected;
}

bool names_padding(const std::string& token) { return token == "<pad>" || token == "[PAD]"; }

Selected padding(const TokenLists& tokens, const Selected& zero, Index entries) {
  Selected selected;
  for (Index b = 0; b < entries; ++b) {
    const auto& list = MaskSite::of_entry(tokens, b);
    std::vector<bool> padding = MaskSite::of_entry(zero, b);
    for (std::size_t j = 0; j < list.size(); ++j) {
      if (names_padding(list[j])) padding[j] = true;
    }
    selected.push_back(std::move(padding));
  }
  return selected;
}

}  // namespace attn

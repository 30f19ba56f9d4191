// Reads the number in a head's name, and puts the matrices of all heads beside each other.
#include "core/problem/weight_heads.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <utility>

#include "core/text/ascii.hpp"

namespace attn {

std::optional<HeadName> head_name(std::string_view name) {
  constexpr std::string_view kStart = "heads.";
  constexpr Index kMostHeads = 100000;
  if (!name.starts_with(kStart)) return std::nullopt;
  HeadName found;
  std::size_t at = kStart.size();
  for (; at < name.size() && is_digit(name[at]) && found.head < kMostHeads; ++at)
    found.head = 10 * found.head + (name[at] - '0');
  if (at == kStart.size() || at >= name.size() || name[at] != '.') return std::nullopt;
  found.rest = name.substr(at + 1);
  return found;
}

const WeightRow* head_row(const std::string& rest) {
  const WeightRow* row = find_weight_row(rest);
  const bool part = row != nullptr && row->part.size() == 3 && row->part[1] == '_' &&
                    std::string_view("qkv").find(row->part[2]) != std::string_view::npos;
  const bool one =
      part && (row->storage == WeightStorage::OutIn || row->storage == WeightStorage::Vector ||
               row->storage == WeightStorage::Plain || row->storage == WeightStorage::Own);
  return one ? row : nullptr;
}

WeightArrays with_heads_joined(const WeightArrays& given, Complaints& complaints) {
  WeightArrays joined;
  std::map<std::string, std::map<Index, const Array*>> parts;
  for (const auto& [name, array] : given) {
    const auto head = head_name(name);
    const bool part = head && head_row(head->rest) != nullptr;
    if (part) parts[head->rest][head->head] = &array;
    if (!part) joined.emplace(name, array);
  }
  for (const auto& [rest, heads] : parts) {
    const bool stacked = head_row(rest)->storage == WeightStorage::OutIn;
    const Array& first = *heads.begin()->second;
    Array all{first.shape, {}};
    bool fits = heads.rbegin()->first + 1 == std::ssize(heads) && !first.shape.empty();
    for (const auto& [head, array] : heads) fits = fits && array->shape == first.shape;
    if (!fits) {
      complaints.add(
          "shape-mismatch", "/weights/heads.0." + rest,
          "heads.N." + rest + " should be there for each head from 0, all of " + "one shape",
          "Give all heads, or leave all of them out.");
      continue;
    }
    const bool rows = stacked || first.rank() == 1;  // one below the other, or side by side
    const std::size_t width = rows ? first.data.size() : static_cast<std::size_t>(first.shape[1]);
    for (std::size_t at = 0; at < first.data.size(); at += std::max<std::size_t>(width, 1)) {
      for (const auto& [head, array] : heads)
        all.data.insert(all.data.end(), array->data.begin() + static_cast<std::ptrdiff_t>(at),
                        array->data.begin() + static_cast<std::ptrdiff_t>(at + width));
    }
    all.shape[rows ? 0 : 1] *= std::ssize(heads);
    joined.insert_or_assign(rest, std::move(all));
  }
  return joined;
}

}  // namespace attn

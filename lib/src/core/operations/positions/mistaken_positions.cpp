// Reads parameters that may be absent, and takes the row, the head or neither for the position.
#include "core/operations/positions/mistaken_positions.hpp"

#include "core/operations/positions/row_positions.hpp"

namespace attn::ops {

double number_or(const Parameters& p, std::string_view name, double right) {
  return p.find(name) == nullptr ? right : p.number(name);
}

bool flag_or(const Parameters& p, std::string_view name, bool right) {
  return p.find(name) == nullptr ? right : p.flag(name);
}

Index count_or(const Parameters& p, std::string_view name, Index right) {
  return p.find(name) == nullptr ? right : p.count(name);
}

Index mistaken_position(const Parameters& p, const Cell& cell) {
  const std::string place = p.find("place") == nullptr ? "row" : p.word("place");
  if (place == "row") return position(p, cell.batch, cell.row);
  const std::vector<Index>& offsets = p.counts("offsets");
  const std::size_t entry = offsets.size() == 1 ? 0 : static_cast<std::size_t>(cell.batch);
  return offsets[entry] + (place == "head" ? cell.head : 0);
}

}  // namespace attn::ops

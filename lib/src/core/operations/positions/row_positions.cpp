// Takes offsets, listed positions, base or frequencies from parameters, and makes angles of them.
#include "core/operations/positions/row_positions.hpp"

#include <cmath>

namespace attn::ops {

bool has_offsets(const Parameters& p, const Shape& own) {
  const Index n = std::ssize(p.counts("offsets"));
  const bool listed =
      p.find("row_positions") == nullptr || std::ssize(p.counts("row_positions")) == n * own.rows;
  return listed && (n == 1 || n == own.batch.value_or(1));
}

Index position(const Parameters& p, Index batch, Index row) {
  const std::vector<Index>& offsets = p.counts("offsets");
  const std::size_t entry = offsets.size() == 1 ? 0 : static_cast<std::size_t>(batch);
  if (p.find("row_positions") == nullptr) return row + offsets[entry];
  const std::vector<Index>& listed = p.counts("row_positions");
  return listed[entry * (listed.size() / offsets.size()) + static_cast<std::size_t>(row)] +
         offsets[entry];
}

double wavelength(double base, Index i, Index d) {
  return std::pow(base, static_cast<double>(2 * i) / static_cast<double>(d));
}

bool has_frequencies(const Parameters& p, Index pairs) {
  return p.find("frequencies") == nullptr || std::ssize(p.numbers("frequencies")) == pairs;
}

double attention_factor(const Parameters& p) {
  return p.find("attention_factor") == nullptr ? 1.0 : p.number("attention_factor");
}

Index first_column(const Parameters& p) {
  return p.find("first_column") == nullptr ? 0 : p.count("first_column");
}

double angle_at(const Parameters& p, Index batch, Index row, Index i, Index d) {
  const auto pos = static_cast<double>(position(p, batch, row));
  if (p.find("frequencies") == nullptr) return pos / wavelength(p.number("base"), i, d);
  return pos * p.numbers("frequencies")[static_cast<std::size_t>(i)];
}

Expression angle(const Parameters& p, Index batch, Index row, Index i, Index d) {
  const auto pos = static_cast<double>(position(p, batch, row));
  if (p.find("frequencies") != nullptr)
    return product(constant(pos), constant(p.numbers("frequencies")[static_cast<std::size_t>(i)]));
  const double base = p.number("base");
  const bool whole = base == std::floor(base) && base < 1e15;
  const std::string divisor = whole ? std::to_string(static_cast<long long>(base)) + "^(" +
                                          std::to_string(2 * i) + "/" + std::to_string(d) + ")"
                                    : "";
  return quotient(constant(pos), constant(wavelength(base, i, d), divisor));
}

}  // namespace attn::ops

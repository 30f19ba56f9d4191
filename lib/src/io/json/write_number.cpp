// Numbers of traces as text.
#include "io/json/write_number.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <string_view>

namespace attn {

void append_number(std::string& out, double x) {
  if (!std::isfinite(x)) {
    out += std::isnan(x) ? "NaN" : x < 0 ? "-Infinity" : "Infinity";
    return;
  }
  std::array<char, 32> buffer{};
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), x).ptr;
  const std::string_view text(buffer.data(), static_cast<std::size_t>(end - buffer.data()));
  out += text;
  if (text.find_first_of(".e") == text.npos) out += ".0";
}

void append_json_number(std::string& out, double x) {
  const char* quote = std::isfinite(x) ? "" : "\"";
  out += quote;
  append_number(out, x);
  out += quote;
}

}  // namespace attn

// What makes one student's sheet different from all others.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace attn {

/// Slices of HMAC-SHA-256(salt, exercise | student | version of the generator), which reveal
/// nothing about each other to anybody without the salt.
struct VariantSeed {
  std::string id;  ///< "K7Q2-9MXA": 40 bits, without letters that look like digits
  std::uint64_t problem = 0, blanks = 0, bug = 0;
};
VariantSeed variant_seed(std::string_view salt, std::string_view exercise,
                         std::string_view student);

}  // namespace attn

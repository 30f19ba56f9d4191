// Cuts an HMAC of exercise, student and generator, under the salt, into a name and three seeds.
#include "teach/exercise/variant_seed.hpp"

#include "attn/teach/exercise.hpp"
#include "core/text/sha256.hpp"

namespace attn {
namespace {

constexpr char kDigits[] = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";  // Crockford's base 32

std::uint64_t number_of(std::string_view bytes) {
  std::uint64_t number = 0;
  for (const char byte : bytes) number = number << 8 | static_cast<unsigned char>(byte);
  return number;
}

}  // namespace

VariantSeed variant_seed(std::string_view salt, std::string_view exercise,
                         std::string_view student) {
  std::string message(exercise);
  message.append("|").append(student).append("|").append(kExerciseGenerator);
  const std::string bytes = hmac_sha256(salt, message);
  const std::string_view slices = bytes;
  VariantSeed seed{.id = {},
                   .problem = number_of(slices.substr(8, 8)),
                   .blanks = number_of(slices.substr(16, 8)),
                   .bug = number_of(slices.substr(24, 8))};
  const std::uint64_t id = number_of(slices.substr(0, 5));
  for (int shift = 35; shift >= 0; shift -= 5) {
    seed.id += kDigits[id >> shift & 31];
    if (shift == 20) seed.id += '-';
  }
  return seed;
}

}  // namespace attn

// std::bit_cast, also where the C++ library has none.
#pragma once

#include <bit>

namespace attn {

#ifdef __cpp_lib_bit_cast
using std::bit_cast;
#else
/// The value of type To that has the bits of `from`.
template <typename To, typename From>
constexpr To bit_cast(const From& from) {
  return __builtin_bit_cast(To, from);
}
#endif

}  // namespace attn

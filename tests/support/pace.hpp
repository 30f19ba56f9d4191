// How much a test tries where it is slow.
#pragma once

#include <cstddef>

namespace attn::testing {

#if defined(__SANITIZE_ADDRESS__)
#define ATTN_TEST_IS_SLOW 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define ATTN_TEST_IS_SLOW 1
#endif
#endif

/// Of many alike cases, each one is tried; with sanitizers, each fourth.
#ifdef ATTN_TEST_IS_SLOW
inline constexpr std::size_t kEach = 4;
#else
inline constexpr std::size_t kEach = 1;
#endif

}  // namespace attn::testing

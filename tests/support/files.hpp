#pragma once

#include <string>

namespace attn::testing {

/// The bytes of a file below tests/, "reference/torch_mha_self_causal.json"; fails the test if it
/// cannot be read. The folder is told by the build as ATTN_TESTS_DIR.
std::string read_test_file(const std::string& path);

}  // namespace attn::testing

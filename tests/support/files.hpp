// Files of the tests.
#pragma once

#include <string>

namespace attn::testing {

/// The bytes of a file below tests/, "reference/torch_mha_self_causal.json"; fails the test if it
/// cannot be read.
std::string read_test_file(const std::string& path);

/// The folder of the project, as the build knows it.
std::string source_dir();

}  // namespace attn::testing

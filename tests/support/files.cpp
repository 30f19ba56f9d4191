// Reads files below tests/ in the source folder, and fails a test where one cannot be opened.
#include "support/files.hpp"

#include <doctest/doctest.h>

#include <fstream>
#include <sstream>

namespace attn::testing {

std::string source_dir() { return ATTN_SOURCE_DIR; }

std::string read_test_file(const std::string& path) {
  const std::string whole = source_dir() + "/tests/" + path;
  std::ifstream file(whole, std::ios::binary);
  REQUIRE_MESSAGE(file.is_open(), "cannot read " << whole);
  std::ostringstream bytes;
  bytes << file.rdbuf();
  return bytes.str();
}

}  // namespace attn::testing

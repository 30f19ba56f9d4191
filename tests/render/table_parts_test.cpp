// Tables that are taken apart: each part knows which of its columns draw what others say.
#include "render/writers/table_parts.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "attn/writers.hpp"

namespace attn::testing {

TEST_CASE(
    "table parts: a bar stays a bar in its part, and goes without leaving a number of its own") {
  Table table{.header = {"", "bits", "share", "words"},
              .rows = {{"head 0", "1.50", "######", "12"}, {"head 1", "0.25", "#", "7"}},
              .texts = 1};
  table.bars = {2};
  table.alike = true;
  const std::vector<Table> parts = table_blocks(table, TextStyle{}, 22);
  REQUIRE(parts.size() > 1);
  int bars = 0;
  for (const Table& part : parts) {
    for (const std::size_t bar : part.bars) {
      REQUIRE(bar < part.header.size());
      CHECK(part.header[bar] == "share");
      ++bars;
    }
  }
  CHECK(bars == 1);
  const Table plain = without_bars(table);
  CHECK(plain.bars.empty());
  CHECK(plain.header == std::vector<std::string>{"", "bits", "words"});
}

}  // namespace attn::testing

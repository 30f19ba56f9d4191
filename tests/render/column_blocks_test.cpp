// Which columns of a wide matrix are side by side.
#include "render/terminal/column_blocks.hpp"

#include <doctest/doctest.h>

using namespace attn;

namespace {

using Members = std::vector<std::size_t>;

std::vector<std::ptrdiff_t> columns(std::size_t n, std::ptrdiff_t width) {
  return std::vector<std::ptrdiff_t>(n, width);
}

}  // namespace

TEST_CASE("blocks: columns that fit stay together, up to the last cell") {
  CHECK(column_blocks(columns(4, 7), 28, 0).size() == 1);
  CHECK(column_blocks(columns(4, 7), 27, 0).size() == 2);
  CHECK(column_blocks(columns(4, 7), 30, 3).size() == 2);
}

TEST_CASE("blocks: twelve columns, eight in a block") {
  const auto blocks = column_blocks(columns(12, 8), 64, 9);
  REQUIRE(blocks.size() == 2);
  CHECK(blocks[0].members == Members{0, 1, 2, 3, 4, 5, 6, 7});
  CHECK(blocks[1].members == Members{8, 9, 10, 11});
}

TEST_CASE("blocks: what comes after the last column moves it if necessary") {
  const auto blocks = column_blocks(columns(8, 8), 64, 1);
  REQUIRE(blocks.size() == 2);
  CHECK(blocks[1].members == Members{6, 7});  // none is alone
}

TEST_CASE("blocks: a column wider than the room has a block of its own") {
  CHECK(column_blocks(columns(3, 50), 20, 5).size() == 3);
}

TEST_CASE("outer columns: the same number from each side, and where the gap is") {
  const Excerpt block = outer_columns(columns(128, 7), 60, 9, 3);
  CHECK(block.members == Members{0, 1, 2, 125, 126, 127});
  CHECK(block.gap == 3);
}

TEST_CASE("outer columns: all of them if they fit, one from each side if nothing does") {
  CHECK(!outer_columns(columns(40, 1), 60, 9, 3).gap);
  CHECK(outer_columns(columns(40, 100), 60, 9, 3).members == Members{0, 39});
}

TEST_CASE("outer rows: the first and last eight of more than thirty-two") {
  CHECK(outer_rows(32).members.size() == 32);
  CHECK(!outer_rows(32).gap);
  const Excerpt rows = outer_rows(33);
  CHECK(rows.members.size() == 16);
  CHECK(rows.members.back() == 32);
  CHECK(rows.gap == 8);
}

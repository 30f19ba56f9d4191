// Text in pieces: a little is one, much is many; a sink that fails ends it.
#include "core/trace/text_pieces.hpp"

#include <doctest/doctest.h>

#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

using namespace attn;

namespace {

void add_rows(TextPieces& out, int rows) {
  for (int row = 0; row < rows; ++row) out += std::to_string(row) + "\n";
}

}  // namespace

TEST_CASE("text pieces: together they are what was added, and none is empty") {
  for (const int rows : {0, 1, 1000, 200'000}) {
    CAPTURE(rows);
    std::vector<std::string> pieces;
    const Sink sink = [&](std::string_view piece) { pieces.emplace_back(piece); };
    TextPieces out(sink);
    add_rows(out, rows);
    out.pass_on();
    std::string expected;
    for (int row = 0; row < rows; ++row) expected += std::to_string(row) + "\n";
    CHECK((std::accumulate(pieces.begin(), pieces.end(), std::string()) == expected));
    CHECK(pieces.size() == (rows == 0 ? 0 : 1 + expected.size() / 131'072));
  }
}

TEST_CASE("text pieces: what a sink throws ends the writing") {
  int calls = 0;
  const Sink full = [&](std::string_view) {
    if (++calls == 3) throw std::runtime_error("full");
  };
  TextPieces out(full);
  CHECK_THROWS_WITH(add_rows(out, 200'000), "full");
  CHECK(calls == 3);
}

// Text in pieces: rows in their order, from any number of threads; a sink that fails ends it.
#include "core/trace/text_pieces.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

#include "attn/core/threads.hpp"

using namespace attn;

namespace {

void append_row(std::string& text, Index row) { text += std::to_string(row) + "\n"; }

/// A document with a line before, between and after two matrices of `rows` rows.
std::vector<std::string> pieces_of_rows(Index rows, Index numbers, int threads) {
  std::vector<std::string> pieces;
  const Sink sink = [&](std::string_view piece) { pieces.emplace_back(piece); };
  use_threads(threads);
  TextPieces out(sink);
  out += "first\n";
  out.add_rows(rows, numbers, append_row);
  out += "second\n";
  out.add_rows(rows, numbers, append_row);
  out += "end\n";
  out.pass_on();
  use_threads(0);
  return pieces;
}

std::string expected_text(Index rows) {
  std::string matrix;
  for (Index row = 0; row < rows; ++row) append_row(matrix, row);
  return "first\n" + matrix + "second\n" + matrix + "end\n";
}

}  // namespace

TEST_CASE("text pieces: rows keep their order, whatever their number, width and threads") {
  for (const Index rows : {0, 1, 7, 1000, 40'000}) {
    const std::string expected = expected_text(rows);
    for (const Index numbers : {0, 1, 60, 5000}) {
      for (const int threads : {1, 4}) {
        CAPTURE(rows);
        CAPTURE(numbers);
        CAPTURE(threads);
        const std::vector<std::string> pieces = pieces_of_rows(rows, numbers, threads);
        CHECK(std::find(pieces.begin(), pieces.end(), "") == pieces.end());
        CHECK((std::accumulate(pieces.begin(), pieces.end(), std::string()) == expected));
      }
    }
  }
}

TEST_CASE("text pieces: a little text is one piece, much text is many") {
  CHECK(pieces_of_rows(10, 5, 4).size() == 1);
  CHECK(pieces_of_rows(20'000, 100, 4).size() > 100);
}

TEST_CASE("text pieces: what a sink throws ends the writing, on any thread") {
  for (const int threads : {1, 4}) {
    CAPTURE(threads);
    use_threads(threads);
    int calls = 0;
    const Sink full = [&](std::string_view) {
      if (++calls == 3) throw std::runtime_error("full");
    };
    TextPieces out(full);
    CHECK_THROWS_WITH(out.add_rows(100'000, 1000, append_row), "full");
    CHECK(calls == 3);
    use_threads(0);
  }
}

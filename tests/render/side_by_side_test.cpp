// Blocks of lines next to each other: what fits in a row, and how it is aligned.
#include "render/terminal/side_by_side.hpp"

#include <doctest/doctest.h>

using namespace attn;

namespace {

using Lines = std::vector<std::vector<std::size_t>>;

StyledLine line_of(const char* text) { return StyledLine(Ruler{}).add(text); }

}  // namespace

TEST_CASE("side by side: as many blocks in a row as fit, with space between them") {
  const std::vector<Slot> slots{{10}, {10}, {10}};
  CHECK(rows_of(slots, 30 + 2 * kBetween) == Lines{{0, 1, 2}});
  CHECK(rows_of(slots, 30 + 2 * kBetween - 1) == Lines{{0, 1}, {2}});
  CHECK(rows_of(slots, 5) == Lines{{0}, {1}, {2}});
  CHECK(rows_of({{1}, {1, true}, {1}}, 80) == Lines{{0}, {1, 2}});
  CHECK(rows_of({}, 80).empty());
}

TEST_CASE("side by side: blocks start at their own columns, whatever is to their left") {
  const std::vector<Panel> panels{{{line_of("猫")}, 4}, {{line_of("ab"), line_of("c")}, 2}};
  const std::string text = in_one_text([&](const Sink& sink) {
    TextPieces out(sink);
    write_panels(panels, "  ", {}, out);
    out.pass_on();
  });
  CHECK(text == "  猫     ab\n         c\n");
}

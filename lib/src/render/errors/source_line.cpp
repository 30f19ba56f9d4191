// Cuts a line of a file so that the wrong column is visible.
#include "render/errors/source_line.hpp"

#include <algorithm>

#include "render/terminal/width.hpp"

namespace attn {
namespace {

/// The byte at which character `column` (1-based) starts; the end of a shorter line.
std::size_t byte_of(std::string_view line, int column) {
  std::size_t at = 0;
  for (; column > 1 && at < line.size(); --column) {
    at += static_cast<unsigned char>(line[at]) < 0x80 ? 1 : decode(line.substr(at)).bytes;
  }
  return at;
}

/// What is shown for the first few bytes of a line, never cut in two.
struct Piece {
  std::size_t bytes;
  int characters;
  std::string text;
  std::ptrdiff_t width;
};

int count_characters(std::string_view text) {
  int count = 0;
  for (; !text.empty(); ++count) text.remove_prefix(decode(text).bytes);
  return count;
}

/// A cluster; in ASCII a single character, because a spelled-out cluster can be very wide.
Piece first_piece(std::string_view line, bool ascii, const Ruler& ruler) {
  const std::size_t bytes = ascii ? decode(line).bytes : first_cluster(line).text.size();
  const std::string_view raw = line.substr(0, bytes);
  Piece piece = {bytes, count_characters(raw), visible(raw), 0};
  if (raw == "\t") piece.text = "    ";
  if (ascii) piece.text = to_ascii(piece.text);
  piece.width = ruler.width(piece.text);
  return piece;
}

struct Extent {
  std::ptrdiff_t total;
  std::ptrdiff_t caret;  // cells before the column; `total` if the column is past the end
};

Extent measure(std::string_view line, int column, bool ascii, const Ruler& ruler) {
  Extent extent = {0, -1};
  int seen = 0;
  while (!line.empty()) {
    const Piece piece = first_piece(line, ascii, ruler);
    seen += piece.characters;
    if (extent.caret < 0 && seen >= column) extent.caret = extent.total;
    extent.total += piece.width;
    line.remove_prefix(piece.bytes);
  }
  if (extent.caret < 0) extent.caret = extent.total;
  return extent;
}

std::string_view without_trailing_blanks(std::string_view line) {
  const std::size_t last = line.find_last_not_of(" \t\r\n");
  return line.substr(0, last == std::string_view::npos ? 0 : last + 1);
}

}  // namespace

std::ptrdiff_t cells_between(std::string_view line, int from, int to, bool ascii,
                             const Ruler& ruler) {
  line = without_trailing_blanks(line);
  const std::string_view rest = line.substr(byte_of(line, from));
  return measure(rest, to - from + 1, ascii, ruler).caret;
}

SourceLine show_line(std::string_view line, int column, std::ptrdiff_t room, bool ascii,
                     const Ruler& ruler) {
  line = without_trailing_blanks(line);
  const std::string_view dots = ascii ? "..." : "…";
  const Extent all = measure(line, column, ascii, ruler);

  // The shown cells [from, to): a third of the room before the caret, the rest after it.
  room = std::max<std::ptrdiff_t>(room, 24);
  std::ptrdiff_t from = 0, to = all.total;
  if (all.total > room) {
    from = std::clamp<std::ptrdiff_t>(all.caret - room / 3, 0, all.total - room);
    to = from + room;
  }
  const std::ptrdiff_t first = from > 0 ? from + ruler.width(dots) : 0;
  const std::ptrdiff_t last = to < all.total ? to - ruler.width(dots) : to;

  SourceLine shown = {from > 0 ? std::string(dots) : "", -1};
  for (std::ptrdiff_t at = 0; at < last;) {
    const Piece piece = first_piece(line, ascii, ruler);
    if (at == all.caret) shown.caret = ruler.width(shown.text);
    if (at >= first && at + piece.width <= last) shown.text += piece.text;
    at += piece.width;
    line.remove_prefix(piece.bytes);
  }
  if (shown.caret < 0) shown.caret = ruler.width(shown.text);
  if (to < all.total) shown.text += dots;
  return shown;
}

}  // namespace attn

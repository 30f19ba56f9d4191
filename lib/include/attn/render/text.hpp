// Text for terminals: width, wrapping, escapes, 7-bit spelling.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace attn {

/// Text that people may read in a terminal. All text is UTF-8; every function takes any bytes.

/// Measures and aligns text for terminals of one kind.
struct Ruler {
  /// Cells of a character that Unicode calls ambiguous ("·", "×", "√", "…", "→", Greek): 1, or 2
  /// where a terminal shows them as wide as its East Asian ones. Unicode Standard Annex 11.
  int ambiguous = 1;

  /// How many terminal cells `text` takes: East Asian wide characters and emoji 2, combining and
  /// invisible ones 0, a whole cluster (base with marks, flag, joined emoji) at most 2. Each run of
  /// bytes that is not UTF-8 counts as one U+FFFD. Unicode Standard Annexes 11 and 29.
  std::ptrdiff_t width(std::string_view text) const;

  /// `text` if it is at most `most` cells wide; otherwise its beginning, cut between clusters, and
  /// `ellipsis`, together at most `most` cells. An ellipsis that does not fit is left out.
  std::string cut(std::string_view text, std::ptrdiff_t most, std::string_view ellipsis) const;

  /// `text` with spaces before (left) or after (right), `cells` in all; never cut.
  std::string pad_left(std::string_view text, std::ptrdiff_t cells) const;
  std::string pad_right(std::string_view text, std::ptrdiff_t cells) const;
};

/// The same with the ruler of most terminals.
inline std::ptrdiff_t display_width(std::string_view text) { return Ruler{}.width(text); }
inline std::string cut(std::string_view text, std::ptrdiff_t most, std::string_view ellipsis) {
  return Ruler{}.cut(text, most, ellipsis);
}
inline std::string pad_left(std::string_view text, std::ptrdiff_t cells) {
  return Ruler{}.pad_left(text, cells);
}
inline std::string pad_right(std::string_view text, std::ptrdiff_t cells) {
  return Ruler{}.pad_right(text, cells);
}

/// The version of Unicode that widths and clusters follow: "15.0.0".
std::string_view unicode_version();

/// The text in lines broken at spaces, of at most `first` cells, then `others`; a longer word stays
/// whole, and so does an option with its value in quotation marks where a line has room for both.
/// Always at least one line.
std::vector<std::string> wrapped(std::string_view text, std::ptrdiff_t first, std::ptrdiff_t others,
                                 const Ruler& ruler = {});

/// That many spaces, none if `count` is below 0.
std::string spaces(std::ptrdiff_t count);

/// `text` that cannot control a terminal: control characters (line ends, ESC, text direction,
/// invisible format characters, lone joiners and tags) become "\n", "\t", "\r", "\e", "\x07",
/// "\u{202e}"; bytes that are not UTF-8 become U+FFFD. Line breaks are escaped too: give it one
/// line at a time.
std::string visible(std::string_view text);

/// `text` for HTML and XML, also inside attributes in double quotes: & < > " as entities, and the
/// rest as `visible` has it; U+FFFE and U+FFFF, which XML does not allow, become U+FFFD.
std::string html_text(std::string_view text);

/// `text` in 7-bit characters: our own symbols spelled out ("×" → "x", "√d_k" → "sqrt(d_k)"),
/// everything else as "\u{732b}". Widths change: apply it before measuring.
std::string to_ascii(std::string_view text);

/// `visible` text; with `ascii`, in 7-bit characters, too.
std::string shown_text(std::string_view text, bool ascii);

/// Whether the text has only 7-bit characters.
bool is_ascii(std::string_view text);

/// `json` in which every character that `visible` escapes is written like "\u202e". Takes whole
/// characters only.
std::string json_visible(std::string_view json);

/// `json` in 7-bit characters: all others are written like "\u732b". Takes whole characters only.
std::string json_to_ascii(std::string_view json);

}  // namespace attn

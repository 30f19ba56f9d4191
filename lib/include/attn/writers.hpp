// Documents as text, and how that text looks.
#pragma once

#include <cstddef>
#include <string>

#include "attn/core/format.hpp"
#include "attn/document.hpp"
#include "attn/render/color.hpp"
#include "attn/render/text.hpp"

namespace attn {

/// What happens to text that is wider than `TextStyle::width`.
enum class Fit {
  Whole,   ///< nothing is wrapped or shortened: a row of a matrix is one line (files, pipes)
  Prose,   ///< prose and arithmetic are wrapped, matrices are whole
  Wrap,    ///< also splits wide matrices into blocks of columns; nothing is left out
  Screen,  ///< also cuts long labels, and leaves out the middle of large matrices, with a note
};

/// Matrices as columns of numbers, or each row as a line that can be read aloud.
enum class Layout { Grid, Lines };

/// How Markdown writes formulas: as GitHub reads them, as pandoc does, or as plain text.
enum class Math { Gfm, Pandoc, None };

/// Settings that only some document formats use.
struct Markup {
  Math math = Math::Gfm;    ///< Markdown
  bool standalone = false;  ///< LaTeX: a whole document rather than a part of one
};

/// How text output looks.
struct TextStyle {
  bool ascii = false;         ///< 7-bit characters only
  Ruler ruler = {};           ///< how the terminal shows characters
  std::ptrdiff_t width = 80;  ///< cells in a line, at least 20
  Fit fit = Fit::Whole;
  bool splits() const { return fit == Fit::Wrap || fit == Fit::Screen; }  ///< wide matrices
  Layout layout = Layout::Grid;
  bool big = false;  ///< for a projector: short labels, an empty line between rows
  Notation notation = Notation::Auto;
  ColorDepth color = ColorDepth::None;
  Palette palette = Palette::Cividis;  ///< of weights
  /// Advice where something is left out, "--full prints all", and where all colours are alike,
  /// "--normalize all spreads the colours out"; none if empty.
  std::string see_all = {}, spread_colors = {};
  Markup markup = {};
};

/// The document as aligned text; every line ends with "\n", and has no trailing spaces but those
/// that show a background colour. Without these and its escape sequences the text is, letter for
/// letter, that for ColorDepth::None.
std::string write_text(const Document& document, const TextStyle& style = {});
/// The same, passed on piece by piece as it is made.
void each_text_piece(const Document& document, const TextStyle& style, const Sink& sink);

/// The document as Markdown, for GitHub and pandoc: tables whose columns are aligned in the source
/// too, and nothing cut. Of the style only the characters, the notation of numbers and `markup`
/// matter.
std::string write_markdown(const Document& document, const TextStyle& style = {});

/// The document as one HTML page that loads nothing, is complete without its script and style, and
/// shows how each number was made if the document has `cells`. Equal documents give equal bytes.
std::string write_page(const Document& document, const TextStyle& style = {});

/// The document as LaTeX, to paste into a paper or slides, or as a whole document that needs only
/// base packages. KaTeX and MathJax accept its mathematics.
std::string write_latex(const Document& document, const TextStyle& style = {});

}  // namespace attn

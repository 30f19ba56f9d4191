// One step as a picture: a middle form between the numbers and whatever draws them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "attn/render/explain.hpp"
#include "attn/writers.hpp"

namespace attn {

/// The range of the palette.
enum class Normalize {
  None,    ///< one range for the whole step, see HeatOptions
  Row,     ///< each row from its own lowest number to its own highest
  Column,  ///< the same for each column
  All,     ///< the whole step, all heads and batch entries, from its lowest number to its highest
};

/// The range of the colours. By default weights and the mask run from 0 to 1; steps with negative
/// numbers are symmetric around 0; others run from their lowest number to their highest.
struct HeatOptions {
  Normalize normalize = Normalize::None;
  std::optional<double> min = {}, max = {};  ///< fixed ends
  bool unit = false;                         ///< from 0 to 1
  bool diverging = false;                    ///< symmetric around 0
};

/// What a cell is, apart from its place on the palette.
enum class HeatMark : unsigned char {
  None,
  Hidden,      ///< removed by a mask, or −∞: no colour
  Below,       ///< below the range: the lowest colour, and a sign
  Above,       ///< above the range, or ∞
  NotANumber,  ///< no colour
};

/// Where a number falls on the palette.
struct HeatPlace {
  double at = 0.0;  ///< 0 … 1; the middle if the range is a single number
  HeatMark mark = HeatMark::None;
};

/// One matrix with its labels, and a place for each of its numbers.
struct HeatPanel {
  Grid grid;
  std::vector<HeatPlace> places;        ///< row-major, like grid.numbers
  std::vector<std::string> words = {};  ///< what cells show in place of their numbers, if any
};

struct HeatMap {
  StepHeading heading;
  std::string title;               ///< of the problem
  std::vector<std::string> facts;  ///< file and settings
  Normalize normalize = Normalize::None;
  double low = 0.0, high = 0.0;  ///< the ends of the palette; not for Row and Column
  bool chosen = false;           ///< the user set the ends, or one of them
  bool diverging = false;        ///< `low` is −`high`: draw it with a palette that has a middle
  bool heads = false;            ///< the step has one matrix per head
  std::vector<HeatPanel> panels;
};

/// The picture of the one step that `view` names (its symbol will do; default: the last
/// weights), for all heads and batch entries or those that `view` chooses. The range is that of the
/// whole step. Throws Error (usage) for no or several such steps, no such head, batch entry or
/// query (like `explain`), options that contradict each other ("range-conflict"), an empty range
/// ("range-order").
HeatMap make_heatmap(const Trace& trace, const View& view, const HeatOptions& options = {});

/// The steps that a view shows as pictures: those that it names; by default the last weights of
/// each attention in the layer that it chooses, or those of the only or first attention. Throws
/// Error (usage) like make_heatmap.
std::vector<std::string> pictured_steps(const Trace& trace, const View& view);

/// How a picture is drawn as text.
struct HeatLook {
  int precision = 2;                 ///< decimals of the numbers in cells, 0 to 17
  bool compact = false;              ///< two rows per line; without colour one sign per cell
  std::optional<Index> repeat = {};  ///< rows until the header is repeated; 0: never; default: auto
  std::optional<Palette> palette = {};  ///< default: that of the style, or blue-orange if diverging
};

/// The picture as text, panels side by side where `style.width` allows it. Cells hold their numbers
/// if they fit, otherwise only signs (for Fit::Wrap and Fit::Screen). Without its colours the text
/// is, letter for letter, that for ColorDepth::None, except in compact pictures.
std::string write_heatmap(const HeatMap& map, const HeatLook& look = {},
                          const TextStyle& style = {});

/// The picture as a standalone SVG file: the formula, at most four panels side by side, a legend.
/// Cells hold their numbers up to 32 rows and columns, unless `look` is compact. Without a palette
/// in `look`, low numbers are nearly white; diverging ones are blue-orange. Of the style only 7-bit
/// characters and the notation of numbers matter.
std::string write_svg(const HeatMap& map, const HeatLook& look = {}, const TextStyle& style = {});

/// The same for `Document::picture`.
std::string page_picture(const HeatMap& map);

/// All heads as small pictures: a row of them for each layer; attentions of different kinds, such
/// as cross attention, apart. `view` chooses the batch entry (default 0), a head or a layer. A
/// place of a picture that covers several weights shows the sum over its keys, averaged over its
/// queries. Throws Error (usage) like make_heatmap, and if there are no weights.
std::string write_overview(const Trace& trace, const View& view, const HeatLook& look = {},
                           const TextStyle& style = {});

/// The same as a standalone SVG file, and for `Document::picture`.
std::string write_svg_overview(const Trace& trace, const View& view, const HeatLook& look = {},
                               const TextStyle& style = {});
std::string page_overview(const Trace& trace, const View& view);

}  // namespace attn

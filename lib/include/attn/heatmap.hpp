// One step as a picture: a middle form between the numbers and whatever draws them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "attn/explain.hpp"
#include "attn/writers.hpp"

namespace attn {

/// Between which numbers the palette runs.
enum class Normalize {
  None,    ///< one range for the whole step, see HeatOptions
  Row,     ///< each row from its own lowest number to its own highest
  Column,  ///< each column likewise
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

/// What a cell is besides its place.
enum class HeatMark : unsigned char {
  None,
  Hidden,      ///< a mask took it out, or it is −∞: no colour at all
  Below,       ///< below the range: the lowest colour, and a sign
  Above,       ///< above the range, or ∞
  NotANumber,  ///< no colour
};

/// Where a number lies on the palette.
struct HeatPlace {
  double at = 0.0;  ///< 0 … 1; of a range without extent the middle
  HeatMark mark = HeatMark::None;
};

/// One matrix with its labels, and a place for each of its numbers.
struct HeatPanel {
  Grid grid;
  std::vector<HeatPlace> places;  ///< row-major, like grid.numbers
};

struct HeatMap {
  StepHeading heading;
  std::string title;               ///< of the problem
  std::vector<std::string> facts;  ///< file and settings
  Normalize normalize = Normalize::None;
  double low = 0.0, high = 0.0;  ///< what the ends of the palette stand for; not of Row and Column
  bool diverging = false;  ///< `low` is −`high`: to be drawn with a palette that has a middle
  bool heads = false;      ///< the step has one matrix for each head
  std::vector<HeatPanel> panels;
};

/// The picture of the one step that `view` names (its symbol will do; default: the last
/// weights), of all heads and batch entries or those that `view` chooses. The range is that of the
/// whole step. Throws Error (usage): no or several such steps, no such head, batch entry or query
/// (as `explain`), options that exclude each other ("range-conflict"), an empty range
/// ("range-order").
HeatMap make_heatmap(const Trace& trace, const View& view, const HeatOptions& options = {});

/// How a picture is drawn in text.
struct HeatLook {
  int precision = 2;     ///< decimals of the numbers in cells, 0 to 17
  bool compact = false;  ///< two rows in a line; without colour one sign for each cell
  std::optional<Index> repeat =
      {};  ///< the header again after so many rows, 0: never; default: auto
  std::optional<Palette> palette = {};  ///< default: that of the style, or blue-orange if diverging
};

/// The picture as text, panels side by side where `style.width` allows it. Cells hold their numbers
/// if they fit, else signs only (never so for Fit::Whole). Except for compact pictures it is,
/// without its colours, letter by letter the text for ColorDepth::None.
std::string write_heatmap(const HeatMap& map, const HeatLook& look = {},
                          const TextStyle& style = {});

}  // namespace attn

#include <algorithm>
#include <array>
#include <limits>

#include "attn/heatmap.hpp"
#include "attn/text.hpp"
#include "attn/words.hpp"
#include "render/heatmap_panel.hpp"
#include "render/text_grid.hpp"
#include "render/wrap.hpp"

namespace attn {
namespace {

using Width = std::ptrdiff_t;
constexpr const char* kIndent = "  ";
constexpr Width kIndentWidth = 2, kBetween = 3, kDots = 3, kEndless = Width{1} << 40;

// From roomy to tight. The last two are pictures without numbers.
constexpr std::array kForms{
    CellForm{.numbers = true, .gap = 1, .shades = 2, .widened = true},
    CellForm{.numbers = true, .gap = 1, .shades = 1, .widened = true},
    CellForm{.numbers = true, .gap = 1, .shades = 1},
    CellForm{.numbers = true, .gap = 0, .shades = 1},
    CellForm{.numbers = false, .gap = 0, .shades = 2},
    CellForm{.numbers = false, .gap = 0, .shades = 1},
};

std::string spaces(Width count) {
  return std::string(static_cast<std::size_t>(std::max<Width>(0, count)), ' ');
}

/// A panel, or some columns of it.
struct Block {
  const PanelText* text;
  Selection columns;
  std::string caption;

  Width width() const {
    const Width cells = text->width(columns.members.size()) + (columns.gap ? kDots : 0);
    return std::max(cells, display_width(caption));
  }
};

class HeatWriter {
 public:
  HeatWriter(const HeatMap& map, const HeatLook& look, const TextStyle& text)
      : map_(map), look_(look) {
    style_.text = text;
    style_.repeat = look.repeat;
    style_.palette = look.palette.value_or(map.diverging ? Palette::BlueOrange : text.palette);
    count_cells();
    choose_texts();
  }

  std::string text() {
    Document head{{map_.heading}};
    if (!map_.about.empty()) head.blocks.push_back(Paragraph{map_.about});
    out_ = write_text(head, style_.text).substr(1) + "\n";
    for (const std::vector<Block>& row : rows_of(texts_)) {
      add_side_by_side(row);
      out_ += "\n";
    }
    add_legend();
    add_footnotes();
    return out_;
  }

 private:
  bool ascii() const { return style_.text.ascii; }
  Width room() const { return style_.text.width - 1 - kIndentWidth; }
  void put(const StyledLine& line) { out_ += line.text(style_.text.color); }

  void count_cells();
  void choose_texts();
  std::vector<PanelText> texts_in(const CellForm& form) const;
  std::vector<Block> blocks_of(const PanelText& text, const std::string& name) const;
  std::vector<std::vector<Block>> rows_of(const std::vector<PanelText>& texts) const;
  void add_side_by_side(const std::vector<Block>& row);
  void add_ramp(StyledLine& line) const;
  std::string end_text(double number) const;
  void add_legend();
  void add_footnotes();
  void add_prose(const std::string& text);

  const HeatMap& map_;
  const HeatLook& look_;
  PanelStyle style_;
  std::vector<PanelText> texts_;        ///< one for each panel
  std::array<std::size_t, 5> marks_{};  ///< how many cells of each HeatMark
  double lowest_ = std::numeric_limits<double>::infinity(), highest_ = -lowest_;  ///< shown
  std::string out_;
};

/// Counts marks and finds out how numbers are written.
void HeatWriter::count_cells() {
  std::vector<double> shown;
  for (const HeatPanel& panel : map_.panels) {
    for (std::size_t i = 0; i < panel.places.size(); ++i) {
      const HeatMark mark = panel.places[i].mark;
      ++marks_[static_cast<std::size_t>(mark)];
      const double number = panel.grid.numbers[i];
      if (mark == HeatMark::Hidden) continue;
      shown.push_back(number);
      if (mark != HeatMark::None) continue;
      lowest_ = std::min(lowest_, number);
      highest_ = std::max(highest_, number);
    }
  }
  style_.format = choose_format(shown, look_.precision, style_.text.notation);
  for (const double number : shown) {
    style_.number_width =
        std::max(style_.number_width, display_width(format_number(number, style_.format)));
  }
  style_.number_width = std::max<Width>(style_.number_width, 1);
}

std::vector<PanelText> HeatWriter::texts_in(const CellForm& form) const {
  std::vector<PanelText> texts;
  for (const HeatPanel& panel : map_.panels) texts.emplace_back(panel, style_, form);
  return texts;
}

/// The roomiest form that fits, or the next one if more panels then stand side by side.
void HeatWriter::choose_texts() {
  if (look_.compact) {
    const bool halves = style_.text.color != ColorDepth::None && !ascii();
    texts_ = texts_in({.numbers = false, .gap = 0, .shades = 1, .halves = halves});
    return;
  }
  const auto fits = [&](const PanelText& text) { return text.width() <= room(); };
  const bool may_shrink = style_.text.fit != Fit::Whole;
  for (std::size_t f = 0; f < kForms.size() && (may_shrink || kForms[f].widened); ++f) {
    texts_ = texts_in(kForms[f]);
    if (!std::all_of(texts_.begin(), texts_.end(), fits)) continue;
    if (f > 0) return;
    std::vector<PanelText> tighter = texts_in(kForms[1]);
    if (rows_of(tighter).size() < rows_of(texts_).size()) texts_ = std::move(tighter);
    return;
  }
  if (!may_shrink) texts_ = texts_in(kForms[0]);
}

/// What a panel that is too wide for the screen becomes: its outer columns; where nothing may be
/// left out, several blocks of columns.
std::vector<Block> HeatWriter::blocks_of(const PanelText& text, const std::string& name) const {
  const std::vector<Width> widths(text.columns(), text.cell_width());
  const Width cells = style_.text.fit == Fit::Whole ? kEndless : room() - text.label_width();
  const std::string caption = ascii() ? to_ascii(name) : name;
  if (style_.text.fit == Fit::Screen) {
    return {{&text, outer_columns(widths, cells, 0, kDots), caption}};
  }
  std::vector<Block> blocks;
  for (Selection& columns : column_blocks(widths, cells, 0)) {
    blocks.push_back({&text, std::move(columns), caption});
  }
  for (Block& block : blocks) {
    if (blocks.size() == 1) break;
    const auto& members = block.columns.members;
    block.caption += (caption.empty() ? "columns " : ", columns ") +
                     std::to_string(members.front()) + " to " + std::to_string(members.back());
  }
  return blocks;
}

/// Panels from left to right and from top to bottom; each batch entry with heads begins a new row.
std::vector<std::vector<Block>> HeatWriter::rows_of(const std::vector<PanelText>& texts) const {
  std::vector<std::vector<Block>> rows;
  Width used = 0;
  for (std::size_t p = 0; p < texts.size(); ++p) {
    const HeatPanel& panel = map_.panels[p];
    const bool next_entry = map_.heads && p > 0 && panel.batch != map_.panels[p - 1].batch;
    for (Block& block : blocks_of(texts[p], panel.grid.caption)) {
      const Width width = block.width() + kBetween;
      if (rows.empty() || next_entry || used + width - kBetween > room()) {
        rows.emplace_back();
        used = 0;
      }
      used += width;
      rows.back().push_back(std::move(block));
    }
  }
  return rows;
}

void HeatWriter::add_side_by_side(const std::vector<Block>& row) {
  std::vector<std::vector<StyledLine>> columns;
  std::size_t height = 0;
  for (const Block& block : row) {
    columns.push_back(block.text->lines(block.columns, block.caption));
    height = std::max(height, columns.back().size());
  }
  for (std::size_t l = 0; l < height; ++l) {
    StyledLine line;
    line.add(kIndent);
    Width used = 0;
    for (std::size_t c = 0; c < columns.size(); ++c) {
      const Width start = used + (c == 0 ? 0 : kBetween);
      line.add(spaces(start + kIndentWidth - line.width()));
      if (l < columns[c].size()) line.add(columns[c][l]);
      used = start + row[c].width();
    }
    put(line);
  }
  for (const Block& block : row) {
    if (!block.columns.gap) continue;
    add_prose("showing " + std::to_string(block.columns.members.size()) + " of " +
              counted(static_cast<Width>(block.text->columns()), "column") + "; --full prints all");
    break;
  }
}

/// Exact if that is short: "1", "-2.5".
std::string HeatWriter::end_text(double number) const {
  const std::string exact = format_exact(number);
  return exact.size() <= 5 ? exact : format_number(number, style_.format);
}

void HeatWriter::add_ramp(StyledLine& line) const {
  constexpr int kCells = 16;
  const auto fill = [&](double at) {
    line.add(place_sign(at, ascii()),
             {.kind = Paint::Kind::Fill, .at = at, .palette = style_.palette});
  };
  const bool lines = map_.normalize == Normalize::Row || map_.normalize == Normalize::Column;
  const std::string own = map_.normalize == Normalize::Row ? "row" : "column";
  if (!lines && map_.low == map_.high) {
    fill(0.5);
    line.add("  all " + end_text(map_.high));
    return;
  }
  line.add(lines ? "lowest of its " + own : end_text(map_.low)).add(" ");
  for (int i = 0; i < kCells; ++i) {
    if (map_.diverging && i == kCells / 2) line.add(" 0 ");
    fill((i + 0.5) / kCells);
  }
  line.add(" ").add(lines ? "highest" : end_text(map_.high));
}

void HeatWriter::add_legend() {
  const auto count = [&](HeatMark mark) { return marks_[static_cast<std::size_t>(mark)]; };
  StyledLine line;
  line.add(kIndent);
  if (count(HeatMark::None) + count(HeatMark::Below) + count(HeatMark::Above) > 0) add_ramp(line);
  const auto sign = [&](HeatMark mark, const std::string& text, const char* says) {
    if (count(mark) == 0) return;
    std::string meaning = std::string("  ") + says;
    if (mark != HeatMark::Hidden) meaning += " (" + std::to_string(count(mark)) + ")";
    const Width width = display_width(text + meaning);
    if (style_.text.fit != Fit::Whole && line.width() + 5 + width > room() + kIndentWidth) {
      put(line);
      line = StyledLine().add(kIndent);
    }
    if (line.width() > kIndentWidth) line.add("     ");
    line.add(text, kDim).add(meaning);
  };
  sign(HeatMark::Hidden, hidden_sign(ascii()), "hidden");
  sign(HeatMark::Below, "-", "below");
  sign(HeatMark::Above, "+", "above");
  sign(HeatMark::NotANumber, "?", "not a number");
  put(line);
  const bool narrow = map_.normalize == Normalize::None && lowest_ < highest_ &&
                      highest_ - lowest_ < 0.5 * (map_.high - map_.low);
  if (!narrow) return;
  add_prose("numbers from " + format_number(lowest_, style_.format) + " to " +
            format_number(highest_, style_.format) +
            ": --normalize all spreads the colours over them");
}

void HeatWriter::add_prose(const std::string& text) {
  const Width most = style_.text.fit == Fit::Whole ? kEndless : room();
  for (const std::string& line : wrapped(text, most, most)) {
    put(StyledLine().add(kIndent).add(line));
  }
}

void HeatWriter::add_footnotes() {
  std::vector<std::string> told;
  for (const PanelText& text : texts_) {
    for (const std::string& note : text.footnotes()) {
      if (std::find(told.begin(), told.end(), note) != told.end()) continue;
      told.push_back(note);
      add_prose(note);
    }
  }
}

/// The same as sentences, for those who cannot see a picture.
std::string in_words(const HeatMap& map, const HeatLook& look, const TextStyle& style) {
  Document document{{map.heading, Paragraph{map.about}}, look.precision};
  for (const HeatPanel& panel : map.panels) document.blocks.push_back(panel.grid);
  return write_text(document, style).substr(1);
}

}  // namespace

std::string write_heatmap(const HeatMap& map, const HeatLook& look, const TextStyle& style) {
  if (style.layout == Layout::Lines) return in_words(map, look, style);
  return HeatWriter(map, look, style).text();
}

}  // namespace attn

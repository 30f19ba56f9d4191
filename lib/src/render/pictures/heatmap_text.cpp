// Draws a heat map as text: chooses the form of cells, and puts panels side by side.
#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include "attn/phrases.hpp"
#include "attn/render/heatmap.hpp"
#include "attn/render/text.hpp"
#include "core/trace/text_pieces.hpp"
#include "render/pictures/heatmap_legend.hpp"
#include "render/pictures/heatmap_panel.hpp"
#include "render/terminal/side_by_side.hpp"
#include "render/terminal/word_table.hpp"

namespace attn {
namespace {

using Width = std::ptrdiff_t;
constexpr const char* kMapIndent = "  ";
constexpr Width kMapIndentWidth = 2;

// From roomy to tight. The last two are pictures without numbers.
constexpr std::array kForms{
    CellForm{.numbers = true, .gap = 1, .shades = 2, .widened = true},
    CellForm{.numbers = true, .gap = 1, .shades = 1, .widened = true},
    CellForm{.numbers = true, .gap = 1, .shades = 1},
    CellForm{.numbers = true, .gap = 0, .shades = 1},
    CellForm{.numbers = false, .gap = 0, .shades = 2},
    CellForm{.numbers = false, .gap = 0, .shades = 1},
};

/// A panel, or some columns of it.
struct Part {
  const PanelText* text;
  Excerpt columns;
  std::string caption;

  Width width() const {
    const Width cells =
        text->width(columns.members.size()) + (columns.gap ? text->ruler().width(text->dots()) : 0);
    return std::max(cells, text->ruler().width(caption));
  }
};

/// What comes above a picture.
std::vector<Block> above_picture(const HeatMap& map, const std::string& hint) {
  std::vector<Block> head;
  if (!map.title.empty()) head.push_back(Title{map.title, {}, {}});
  if (!map.facts.empty()) head.push_back(Paragraph{separated(map.facts, " · "), Role::Facts});
  if (!hint.empty()) head.push_back(Paragraph{hint, Role::Note});
  head.push_back(map.heading);
  return head;
}

class HeatWriter {
 public:
  HeatWriter(const HeatMap& map, const HeatLook& look, const TextStyle& text, TextPieces& out)
      : map_(map), look_(look), out_(out) {
    style_.text = text;
    if (look.repeat) style_.repeat = static_cast<std::size_t>(*look.repeat);
    style_.compact = look.compact;
    style_.diverging = map.diverging;
    style_.room = room();
    style_.palette = look.palette.value_or(map.diverging ? Palette::BlueOrange : text.palette);
    choose_format_of_numbers();
    choose_texts();
  }

  void write() {
    const std::vector<Block> head = above_picture(map_, legend_hint(map_, style_));
    out_ += write_text({head, look_.precision}, style_.text);
    for (const std::vector<Part>& row : parts_of(texts_)) {
      add_row(row);
      out_ += "\n";
    }
    add_legend();
    add_footnotes();
  }

 private:
  bool ascii() const { return style_.text.ascii; }
  const Ruler& ruler() const { return style_.text.ruler; }
  Width room() const { return style_.text.width - 1 - kMapIndentWidth; }

  bool has_words() const { return !map_.panels.empty() && !map_.panels.front().words.empty(); }

  void choose_format_of_numbers() {
    std::vector<double> shown;
    for (const HeatPanel& panel : map_.panels) {
      for (std::size_t i = 0; i < panel.places.size(); ++i) {
        if (panel.places[i].mark != HeatMark::Hidden) shown.push_back(panel.grid.numbers[i]);
      }
    }
    style_.numbers = numbers_of(shown, {}, style_.text, look_.precision);
    if (has_words()) style_.numbers.width = 0;
    for (const HeatPanel& panel : map_.panels) {
      for (std::size_t at = 0; at < panel.words.size(); ++at)
        style_.numbers.width =
            std::max(style_.numbers.width, ruler().width(shown_word(panel, at, style_.text)));
    }
    style_.numbers.width = std::max<Width>(1, style_.numbers.width);
  }

  /// All panels in this form, their cells of the same width.
  std::vector<PanelText> texts_in(CellForm form) const {
    form.signs = map_.diverging && !form.numbers && !form.halves;
    if (form.signs) form.shades = 2;
    std::vector<PanelText> texts;
    const auto build = [&] {
      texts.clear();
      for (const HeatPanel& panel : map_.panels) texts.emplace_back(panel, style_, form);
    };
    build();
    for (const PanelText& text : texts) form.least = std::max(form.least, text.cell_width());
    const bool alike = std::all_of(texts.begin(), texts.end(), [&](const PanelText& text) {
      return text.cell_width() == form.least;
    });
    if (!alike) build();
    return texts;
  }

  /// The roomiest form that fits; in place of the first, the next if it puts more panels side by
  /// side. Words are never left out.
  void choose_texts() {
    if (look_.compact) {
      const bool halves = style_.text.color != ColorDepth::None && !ascii();
      texts_ = texts_in({.numbers = false, .gap = 0, .shades = 1, .halves = halves});
      return;
    }
    const auto fits = [&](const PanelText& text) { return text.width() <= room(); };
    if (has_words()) {
      texts_ = texts_in(kForms[0]);
      return;
    }
    const bool may_shrink = style_.text.splits();
    for (std::size_t f = 0; f < kForms.size() && (may_shrink || kForms[f].widened); ++f) {
      texts_ = texts_in(kForms[f]);
      if (!std::all_of(texts_.begin(), texts_.end(), fits)) continue;
      if (f > 0) return;
      std::vector<PanelText> tighter = texts_in(kForms[1]);
      if (parts_of(tighter).size() < parts_of(texts_).size()) texts_ = std::move(tighter);
      return;
    }
    if (!may_shrink) texts_ = texts_in(kForms[0]);
  }

  /// A panel that is too wide for the screen as its outer columns or, if nothing may be left out,
  /// as several blocks of columns.
  std::vector<Part> blocks_of(const PanelText& text, const std::string& name) const {
    const std::vector<Width> widths(text.columns(), text.cell_width());
    const Width cells = style_.text.splits() ? room() - text.label_width() : kEndless;
    const std::string caption = ascii() ? to_ascii(name) : name;
    if (style_.text.fit == Fit::Screen && !has_words()) {
      return {{&text, outer_columns(widths, cells, 0, ruler().width(text.dots())), caption}};
    }
    std::vector<Part> blocks;
    for (Excerpt& columns : column_blocks(widths, cells, 0)) {
      blocks.push_back({&text, std::move(columns), caption});
    }
    for (Part& block : blocks) {
      if (blocks.size() == 1) break;
      const auto& members = block.columns.members;
      block.caption += (caption.empty() ? "columns " : ", columns ") +
                       std::to_string(members.front()) + " to " + std::to_string(members.back());
    }
    return blocks;
  }

  /// Every panel, or its blocks, in the rows in which they are drawn.
  std::vector<std::vector<Part>> parts_of(const std::vector<PanelText>& texts) const {
    std::vector<Part> parts;
    std::vector<Slot> slots;
    for (std::size_t p = 0; p < texts.size(); ++p) {
      const Grid& grid = map_.panels[p].grid;
      bool starts = p > 0 && begins_entry(map_.panels[p - 1].grid, grid);
      for (Part& block : blocks_of(texts[p], grid.caption)) {
        slots.push_back({block.width(), std::exchange(starts, false)});
        parts.push_back(std::move(block));
      }
    }
    std::vector<std::vector<Part>> rows;
    for (const std::vector<std::size_t>& row : rows_of(slots, room())) {
      rows.emplace_back();
      for (const std::size_t i : row) rows.back().push_back(std::move(parts[i]));
    }
    return rows;
  }

  void add_row(const std::vector<Part>& row) {
    std::vector<Panel> panels;
    for (const Part& part : row)
      panels.push_back({part.text->lines(part.columns, part.caption), part.width()});
    write_panels(panels, kMapIndent, style_.text, out_);
    std::string rows, columns;
    for (const Part& part : row) {
      const PanelText& text = *part.text;
      if (rows.empty())
        rows = left_out_note(text.rows_shown(), text.rows(), "showing {n} of {all} rows",
                             style_.text, kMapIndent);
      if (columns.empty())
        columns = left_out_note(part.columns, text.columns(), "showing {n} of {all} columns",
                                style_.text, kMapIndent);
    }
    out_ += rows + columns;
  }

  void add_legend() {
    const Width most = style_.text.fit == Fit::Whole ? kEndless : room();
    const CellForm form = texts_.empty() ? CellForm{} : texts_.front().form();
    out_ += legend_of(map_, style_, form, most).text(kMapIndent, style_.text.color);
  }

  void add_footnotes() {
    std::set<std::string> noted;
    const auto& panels = map_.panels;
    const bool alike = std::all_of(panels.begin(), panels.end(), [&](const HeatPanel& panel) {
      return panel.grid.col_labels == panels.front().grid.col_labels;
    });
    for (std::size_t p = 0; p < panels.size(); ++p) {
      const std::string& caption = panels[p].grid.caption;
      const std::string batch = alike ? "" : caption.substr(0, caption.find(" · ")) + ", ";
      for (const std::string& note : texts_[p].footnotes(batch))
        if (noted.insert(note).second) out_ += prose(note, style_.text, kMapIndent, kMapIndent);
    }
  }

  const HeatMap& map_;
  const HeatLook& look_;
  PanelStyle style_;
  std::vector<PanelText> texts_;  ///< one per panel
  TextPieces& out_;
};

/// Columns of layers as parts are named: "layers.0".
Grid named_columns(Grid grid) {
  if (!grid.row_title.empty() || grid.col_title.empty()) return grid;
  for (std::string& label : grid.col_labels) label = grid.col_title + "." + label;
  return grid;
}

/// The same in sentences, for those who cannot see a picture.
std::string in_words(const HeatMap& map, const HeatLook& look, const TextStyle& style) {
  std::string text = write_text({above_picture(map, ""), look.precision}, style);
  for (const HeatPanel& panel : map.panels) {
    const NumberFormat format{look.precision, style.notation == Notation::Scientific};
    const Block block =
        panel.words.empty() ? Block(named_columns(panel.grid)) : Block(word_table(panel, format));
    text += write_text({{block}, look.precision}, style);
  }
  return text;
}

}  // namespace

std::string write_heatmap(const HeatMap& map, const HeatLook& look, const TextStyle& style) {
  if (style.layout == Layout::Lines) return in_words(map, look, style);
  return in_one_text([&](const Sink& sink) {
    TextPieces out(sink);
    HeatWriter(map, look, style, out).write();
    out.pass_on();
  });
}

}  // namespace attn

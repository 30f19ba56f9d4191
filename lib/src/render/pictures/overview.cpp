// Draws all heads of all layers as small pictures side by side.
#include <algorithm>
#include <iterator>
#include <utility>

#include "attn/phrases.hpp"
#include "attn/render/heatmap.hpp"
#include "render/pictures/heatmap_legend.hpp"
#include "render/pictures/heatmap_panel.hpp"
#include "render/pictures/thumbnails.hpp"
#include "render/story/steps/opening.hpp"
#include "render/story/steps/statistics.hpp"
#include "render/terminal/grid_layout.hpp"
#include "render/terminal/number.hpp"

namespace attn {
namespace {

using Width = std::ptrdiff_t;
constexpr const char* kPanelIndent = "  ";
constexpr Width kLeast = 4, kMost = 24, kAiry = 8;
constexpr const char* kLayer = "layer";

class OverviewWriter {
 public:
  OverviewWriter(const Trace& trace, const View& view, const HeatLook& look, const TextStyle& style)
      : trace_(trace), view_(view) {
    style_.text = style;
    style_.palette = look.palette.value_or(style.palette);
    style_.room = style.width - 1 - static_cast<Width>(std::string_view(kPanelIndent).size());
    form_.halves = style.color != ColorDepth::None && !style.ascii;
  }

  std::string text() {
    Document head{{Title{trace_.title.empty() ? "All heads" : trace_.title, {}, {}}}};
    std::vector<std::string> facts = settings_facts(trace_, view_.source);
    if (trace_.settings().has_batch)
      facts.push_back("batch entry " + std::to_string(view_.batch.value_or(0)));
    if (!facts.empty()) head.blocks.push_back(Paragraph{separated(facts, " · "), Role::Facts});
    out_ = write_text(head, style_.text);
    HeatMap all;  // for the legend
    all.high = 1.0;
    for (const KindOfHeads& kind : kinds_of(trace_, view_)) add(kind, all);
    out_ += "\n";
    out_ += legend_of(all, style_, form_, style_.room).text(kPanelIndent, style_.text.color);
    const std::string note =
        "Queries from top to bottom, keys from left to right." +
        std::string(pooled_ ? " Each mark covers several cells, and shows the share that its "
                              "keys get from one query, on average."
                            : "");
    out_ += prose(note, style_.text, kPanelIndent, kPanelIndent);
    return out_;
  }

 private:
  const Ruler& ruler() const { return style_.text.ruler; }

  void put(const StyledLine& line) { out_ += kPanelIndent + line.text(style_.text.color); }

  void add(const KindOfHeads& kind, HeatMap& all) {
    const Tensor& first = kind.weights.front()->value;
    std::vector<Index> heads;
    for (Index h = 0; h < first.heads(); ++h) {
      if (!view_.head || h == *view_.head) heads.push_back(h);
    }
    const bool layers = place_of(*kind.weights.front()->scope).layer.has_value();
    const Width label = layers ? ruler().width(kLayer) : 0;
    const Width room = style_.room - label - 1;
    const auto n = std::ssize(heads);
    gap_ = room / n > kAiry ? 2 : 1;       // many heads are close together
    const Index twice = 2 * first.cols();  // a sign is about half as wide as high
    const bool alone = n == 1 && kind.weights.size() == 1;
    const Width most = alone ? std::max(room, kMost) : kMost;
    const Width wide = std::clamp<Width>(twice <= most ? twice : first.cols(), kLeast, most);
    const Width cols = std::clamp<Width>(room / n - gap_, kLeast, wide);
    const auto in_line = static_cast<std::size_t>(std::max<Width>(1, room / (cols + gap_)));
    const Index lines =
        std::clamp<Index>((cols * first.rows() + first.cols()) / (2 * first.cols()), 1, most);
    pooled_ = pooled_ || cols < first.cols() || lines * (form_.halves ? 2 : 1) < first.rows();
    out_ += "\n";
    put(StyledLine(ruler()).add(kind.name, kBold));
    for (std::size_t from = 0; from < heads.size(); from += in_line) {
      const std::size_t to = std::min(heads.size(), from + in_line);
      const std::vector<Index> some(heads.begin() + static_cast<Width>(from),
                                    heads.begin() + static_cast<Width>(to));
      add_rows(kind, some, label, {form_.halves ? 2 * lines : lines, cols}, all);
    }
  }

  /// Every layer with some of the heads; `size`: rows and columns of a picture.
  void add_rows(const KindOfHeads& kind, const std::vector<Index>& heads, Width label,
                std::pair<Index, Index> size, HeatMap& all) {
    const std::string word =
        size.second < std::ssize("head " + std::to_string(heads.back())) ? "" : "head ";
    StyledLine header(ruler());
    header.add_left(label > 0 ? kLayer : "", label, kDim);
    for (const Index head : heads)
      header.add(between()).add_left(word + std::to_string(head), size.second, kDim);
    if (kind.weights.front()->value.shape().heads || label > 0) put(header);
    for (const Step* step : kind.weights) {
      const HiddenCells hidden(trace_, *step->scope);
      std::vector<HeatPanel> row;
      for (const Index head : heads)
        row.push_back(thumbnail(*step, hidden, {view_.batch.value_or(0), head, 0, 0}, size.first,
                                size.second));
      std::vector<PanelText> texts;
      for (const HeatPanel& panel : row) texts.emplace_back(panel, style_, form_);
      for (Index r = 0; r < size.first; r += form_.halves ? 2 : 1) {
        StyledLine line(ruler());
        line.add_right(r == 0 ? label_of(*step) : "", label);
        for (const PanelText& text : texts)
          text.add_cells(line.add(between()), static_cast<std::size_t>(r),
                         everything(text.columns()), false);
        put(line);
      }
      std::move(row.begin(), row.end(), std::back_inserter(all.panels));
      if (step != kind.weights.back()) out_ += "\n";
    }
  }

  static std::string label_of(const Step& step) {
    const ModelPlace place = place_of(*step.scope);
    return place.layer ? std::to_string(*place.layer) : "";
  }

  std::string between() const { return std::string(static_cast<std::size_t>(gap_), ' '); }

  const Trace& trace_;
  const View& view_;
  PanelStyle style_ = {};
  CellForm form_ = {.numbers = false};
  bool pooled_ = false;
  Width gap_ = 2;
  std::string out_;
};

/// How widely each head looks, for those who cannot see a picture.
std::string in_words(const Trace& trace, const View& view, const TextStyle& style) {
  Document document{{Title{trace.title.empty() ? "All heads" : trace.title, {}, {}}}};
  for (const KindOfHeads& kind : kinds_of(trace, view)) {
    for (const Step* step : kind.weights) {
      Table table{{"entropy of " + step->id + " in bits", "mean", "if even"}, {}, 1};
      for (const HeadEntropy& head : head_entropies(trace, *step, view)) {
        table.rows.push_back({head.caption.empty() ? "all queries" : head.caption,
                              mean_text(head, head.bits, 3), mean_text(head, head.most, 3)});
      }
      document.blocks.push_back(std::move(table));
    }
  }
  return write_text(document, style);
}

}  // namespace

std::string write_overview(const Trace& trace, const View& view, const HeatLook& look,
                           const TextStyle& style) {
  check_choice(trace, view);
  if (style.layout == Layout::Lines) return in_words(trace, view, style);
  return OverviewWriter(trace, view, look, style).text();
}

}  // namespace attn

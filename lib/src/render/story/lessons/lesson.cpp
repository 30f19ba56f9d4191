// Turns the parts of a lesson into documents, one up to each question.
#include "attn/teach/lesson.hpp"

#include <algorithm>
#include <utility>

#include "attn/language.hpp"
#include "render/story/steps/explain_steps.hpp"

namespace attn {
namespace {

/// The computations of a lesson, each once, in order.
using Traces = std::vector<const Trace*>;

std::string side_of(Traces& traces, const Trace& trace) {
  const auto at = std::find(traces.begin(), traces.end(), &trace);
  const auto number = at - traces.begin() + 1;
  if (at == traces.end()) traces.push_back(&trace);
  return "computation " + std::to_string(number);
}

/// Adds each kind of part to the last page.
class Pages {
 public:
  Pages(const std::string& title, const std::string& source, int precision) {
    pages_.push_back({{}, precision});
    add(Title{title});
    if (!source.empty()) add(Paragraph{source, Role::Facts});
  }

  void operator()(const Paragraph& paragraph) { add(paragraph); }
  void operator()(const Table& table) { add(table); }
  void operator()(const List& list) { add(list); }
  void operator()(const Code& code) { add(code); }
  void operator()(const Title& title) { add(title); }

  void operator()(const ShownSteps& shown) {
    const std::size_t first = pages_.back().blocks.size();
    add_steps(pages_.back(), *shown.trace, shown.view);
    const std::string side = side_of(traces_, *shown.trace);
    for (std::size_t i = first; i < pages_.back().blocks.size(); ++i) {
      if (auto* worked = std::get_if<Worked>(&pages_.back().blocks[i])) worked->side = side;
      auto* grid = std::get_if<Grid>(&pages_.back().blocks[i]);
      if (grid == nullptr) continue;
      grid->side = side;
      if (!shown.caption.empty()) grid->caption = comma_joined({shown.caption, grid->caption});
    }
  }

  void operator()(const Question& question) {
    add(Paragraph{question.text, Role::Labelled, translated("question"), true});
    pages_.push_back({{}, pages_.back().precision});
    add(Paragraph{question.answer, Role::Labelled, translated("answer"), false, true});
  }

  void operator()(const Claim& claim) {
    const auto* before = std::get_if<Paragraph>(&pages_.back().blocks.back());
    const bool first = before == nullptr || before->role != Role::Labelled;
    const bool gives_away = before != nullptr && before->folded;  // the answer before it
    std::string text = claim.holds
                           ? claim.sentence
                           : translated("Not with these numbers: {sentence}", claim.sentence);
    if (!std::exchange(explained_, true))
      text += translated(" (Checked: attn has computed it for the numbers of this lesson.)");
    add(Paragraph{std::move(text), Role::Labelled, translated("checked"), first, gives_away});
  }

  /// Commands in a row are one table.
  void operator()(const Try& next) {
    auto& blocks = pages_.back().blocks;
    auto* table = std::get_if<Table>(&blocks.back());
    if (table == nullptr || !table->commands) {
      add(Table{kTryNext, {}, 2, true});
      table = std::get_if<Table>(&blocks.back());
    }
    table->rows.push_back({next.command, next.says});
  }

  std::vector<Document> take() { return std::move(pages_); }

 private:
  void add(Block block) { pages_.back().blocks.push_back(std::move(block)); }

  const std::vector<std::string> kTryNext = {translated("try next"), ""};
  std::vector<Document> pages_ = {};
  Traces traces_ = {};
  bool explained_ = false;  ///< what "checked" means
};

}  // namespace

std::vector<Document> lesson_pages(const std::string& title, const std::string& source,
                                   const std::vector<LessonPart>& parts, int precision) {
  Pages pages(title, source, precision);
  for (const LessonPart& part : parts) std::visit(pages, part);
  return pages.take();
}

void add_lesson_cells(Document& document, const std::vector<LessonPart>& parts) {
  Traces traces;
  for (const LessonPart& part : parts) {
    if (const auto* shown = std::get_if<ShownSteps>(&part)) side_of(traces, *shown->trace);
  }
  for (std::size_t i = 0; i < traces.size(); ++i)
    add_cells(document, *traces[i], "computation " + std::to_string(i + 1));
}

}  // namespace attn

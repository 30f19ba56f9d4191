// Turns the parts of a lesson into documents, one up to each question.
#include "attn/lesson.hpp"

#include <utility>

#include "render/story/explain_steps.hpp"

namespace attn {
namespace {

/// Adds each kind of part to the last page.
class Pages {
 public:
  Pages(const std::string& title, const std::string& source, int precision) {
    pages_.push_back({{}, precision});
    add(Title{title});
    if (!source.empty()) add(Facts{{source}});
  }

  void operator()(const Paragraph& paragraph) { add(paragraph); }
  void operator()(const Table& table) { add(table); }

  void operator()(const ShownSteps& shown) {
    const std::size_t first = pages_.back().blocks.size();
    add_steps(pages_.back(), *shown.trace, shown.view);
    if (shown.caption.empty()) return;
    for (std::size_t i = first; i < pages_.back().blocks.size(); ++i) {
      auto& caption = std::get<Grid>(pages_.back().blocks[i]).caption;
      caption = shown.caption + (caption.empty() ? "" : ", " + caption);
    }
  }

  void operator()(const Question& question) {
    add(Labelled{"question", question.text, true});
    pages_.push_back({{}, pages_.back().precision});
    add(Labelled{"answer", question.answer});
  }

  void operator()(const Claim& claim) {
    const bool first = !std::holds_alternative<Labelled>(pages_.back().blocks.back());
    add(Labelled{"checked",
                 claim.holds ? claim.sentence : "Not with these numbers: " + claim.sentence,
                 first});
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

  const std::vector<std::string> kTryNext = {"try next", ""};
  std::vector<Document> pages_ = {};
};

}  // namespace

std::vector<Document> lesson_pages(const std::string& title, const std::string& source,
                                   const std::vector<LessonPart>& parts, int precision) {
  Pages pages(title, source, precision);
  for (const LessonPart& part : parts) std::visit(pages, part);
  return pages.take();
}

}  // namespace attn

// The words of a lesson's blocks: what their braces and their Markdown stand for.
#pragma once

#include <exception>
#include <new>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "attn/document.hpp"
#include "attn/error.hpp"
#include "attn/render/markdown.hpp"
#include "teach/lessons/lesson_script.hpp"
#include "teach/lessons/scene.hpp"
#include "teach/lessons/telling.hpp"

namespace attn {

/// Gives prose, sentences and values of a lesson; each fault in them gets its place in the file.
class LessonWords {
 public:
  LessonWords(const LessonScript& script, Telling& lesson)
      : script_(script),
        lesson_(lesson),
        scene_(lesson, script.front_value("settings"), script.front_value("row")) {}

  /// What `use` returns; a fault gets its place.
  template <typename Use>
  auto located(std::string_view place, Use use) -> decltype(use(&place)) {
    std::string_view at = place;
    try {
      return use(&at);
    } catch (const LessonFault& fault) {
      const bool inside = at.data() >= script_.text.data() &&
                          at.data() <= script_.text.data() + script_.text.size();
      throw script_.error_at(
          inside ? at : place, fault.what,
          fault.fix.empty() ? "docs/writing-lessons.md describes the notation." : fault.fix);
    } catch (const Error& error) {  // about a problem: that of the lesson, or the reader's
      const Diagnostic& first = error.diagnostics().front();
      if (lesson_.is_own() || first.id.starts_with("lesson-")) throw;
      throw script_.error_at(place, first.what, first.fix);
    } catch (const MarkdownError& error) {
      throw script_.error_at(place, error.fault,
                             "docs/writing-lessons.md shows the Markdown of lessons.");
    } catch (const std::bad_alloc&) {
      throw;
    } catch (const std::exception&) {  // a step or a cell that is not there
      throw script_.error_at(place, "this problem has no numbers for this",
                             "attn explain lists the steps; indices count from 0.");
    }
  }

  /// The value of an expression, or what `as` makes of it: one_number, whole_number, numbers_of.
  template <typename As>
  auto value(std::string_view expression, As as) {
    return located(expression, [&](auto* at) {
      LessonValue found = scene_.value(expression, at);
      *at = expression;
      return as(std::move(found));
    });
  }
  LessonValue value(std::string_view expression) {
    return value(expression, [](LessonValue found) { return found; });
  }
  bool holds(std::string_view expression) { return value(expression, one_number) != 0.0; }

  /// Text with braces and Markdown, as a sentence.
  std::string sentence(std::string_view text);
  /// Paragraphs, tables, lists and code between the blocks.
  void prose(const ScriptBlock& block);

 protected:
  const LessonScript& script_;
  Telling& lesson_;
  Scene scene_;

 private:
  using Braces = std::vector<std::string_view>;
  std::string filled(const std::string& text, const Braces& braces);
  void paragraph(const Paragraph& paragraph, const Braces& braces);
  void table(Table table, const Braces& braces);
  void list(List list, const Braces& braces);
  void code(Code code, const Braces& braces);
};

}  // namespace attn

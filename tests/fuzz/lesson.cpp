// The file of a lesson: read, given, and each of its questions answered.
#include "attn/teach/lesson.hpp"
#include "fuzz.hpp"

using namespace attn;

void try_input(std::string_view bytes) {
  const Lesson lesson = read_lesson(bytes, "lesson.md");
  const std::vector<LessonPart> parts = tell(lesson);
  for (const LessonPart& part : parts) {
    if (const auto* question = std::get_if<Question>(&part)) {
      judge(*question, question->answer);
      judge(*question, std::string(bytes));
    }
  }
  for (const Document& page : lesson_pages(lesson.title, "", parts))
    fuzz::require_visible(write_text(page));
}

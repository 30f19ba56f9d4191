// The list of lessons, read from their files.
//
// To add a lesson: samples/lessons/NAME.md (docs/writing-lessons.md) and its name in
// samples/samples.cmake. Tests run every lesson, check its claims, also on random problems where it
// takes any, and run its commands; docs/lessons.md is rewritten by ATTN_UPDATE_GOLDENS=1 test_app
// -tc="*lesson*".
#include "attn/teach/lesson.hpp"

#include <map>

#include "attn/language.hpp"
#include "teach/lessons/lesson_script.hpp"

namespace attn {

std::span<const Lesson> lessons() {
  static const std::vector<Lesson> kLessons = [] {
    std::vector<Lesson> all;
    for (const LessonFile& file : lesson_files())
      all.push_back(read_lesson(file.text, std::string(file.name)));
    return all;
  }();
  return kLessons;
}

const Lesson& in_language(const Lesson& lesson) {
  static const std::map<std::string, Lesson> kTranslated = [] {
    std::map<std::string, Lesson> all;
    for (const LessonFile& file : translated_lesson_files()) {
      const std::string name(file.name);
      all.emplace(name, read_lesson(file.text, name.substr(name.find('/') + 1)));
    }
    return all;
  }();
  const auto at = kTranslated.find(language_code() + "/" + lesson.name);
  return at == kTranslated.end() ? lesson : at->second;
}

Lesson read_lesson(std::string_view text, const std::string& name) {
  const auto script = read_script(text, name);
  const auto fact = [&](std::string_view key) { return std::string(script->front_value(key)); };
  return {.name = name,
          .title = fact("title"),
          .summary = fact("summary"),
          .sample = fact("sample"),
          .general = fact("problem") == "any",
          .blocks = fact("block") == "yes",
          .next = fact("next"),
          .text = script->text,
          .script = script};
}

}  // namespace attn

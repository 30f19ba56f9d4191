// Gives a lesson that is a file.
#pragma once

#include "teach/lessons/lesson_script.hpp"
#include "teach/lessons/telling.hpp"

namespace attn {

/// Adds the parts of the file to the lesson. Throws Error (input, id "lesson-file") with line and
/// column for what has no value.
void perform(const LessonScript& script, Telling& lesson);

}  // namespace attn

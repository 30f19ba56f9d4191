// A lesson at a terminal: it waits for answers, and turns pages.
#pragma once

#include <string>
#include <vector>

#include "attn/core/format.hpp"
#include "attn/teach/lesson.hpp"
#include "attn/writers.hpp"
#include "command.hpp"

namespace attn::app {

/// One page up to each question; its answer follows when the reader has typed one, or Enter. One
/// who leaves earlier reads that `again`, a command, begins the lesson again. Whether the reader
/// came to the end.
bool give_lesson(const std::vector<Document>& pages, const std::vector<LessonPart>& parts,
                 const Format& format, const TextStyle& style, const std::string& again,
                 const Streams& streams);

/// Whether the reader wants the next lesson at once.
bool wants_next(const std::string& lesson, const Streams& streams);

}  // namespace attn::app

// Keeps grading again from losing what a teacher has decided.
#pragma once

#include "attn/teach/gradebook.hpp"
#include "commands/check.hpp"

namespace attn::app {

/// Throws Error (files, id "file-exists") if the gradebook that will be replaced says that a
/// student has points by hand, is excused from a step or has a penalty, and `book` has no such
/// decision about it. That for Canvas says nothing of the kind: it may change no score in a run
/// without overrides and penalties.
void require_decisions(const GradingOptions& o, const ClassBook& book, const Streams& streams);

}  // namespace attn::app

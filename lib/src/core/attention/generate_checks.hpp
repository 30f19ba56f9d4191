// Whether a model can generate, and what it may keep while it does.
#pragma once

#include <string>

#include "attn/error.hpp"
#include "attn/problem.hpp"
#include "core/problem/model_kinds.hpp"

namespace attn {

Error cannot_generate(const char* id, std::string pointer, std::string what, std::string fix);

Error several_entries(std::string pointer);

/// Throws Error (ids "not-supported", "missing-key") if the model cannot continue the text.
void check_generates(const ProblemDraft& draft, const ModelKind* kind);

/// Whether keys and values stay the same while the text grows: masks hide by the positions of
/// query and key alone (unlike padding, which may depend on rows that are not kept), memory masks
/// by key alone, and no other setting, such as a finite fill, lets a later token change an earlier
/// row.
bool can_cache(const ProblemDraft& draft);

}  // namespace attn

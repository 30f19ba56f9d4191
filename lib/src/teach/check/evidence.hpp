// What can be seen in a wrong matrix that no known mistake explains, in plain words.
#pragma once

#include "teach/check/search.hpp"

namespace attn {

/// Adds findings whose codes begin with "evidence."; they contain no right number.
void add_evidence(const Case& known, Judged& judged);

}  // namespace attn

// Answers as a table, one cell in each line.
#pragma once

#include "attn/answers_file.hpp"

namespace attn {

/// Whether the first character after spaces is "{" or "[", or there is none.
bool begins_like_json(std::string_view bytes);

Answers parse_answers_table(std::string_view bytes, const std::string& name, double max_memory);

}  // namespace attn

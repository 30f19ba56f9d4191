// Answers as JSON.
#pragma once

#include "attn/answers_file.hpp"

namespace attn {

Answers parse_answers_json(std::string_view bytes, const std::string& name, double max_memory);

}  // namespace attn

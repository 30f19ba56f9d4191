// Answers as a table, one cell in each line.
#pragma once

#include "attn/io/answers_file.hpp"

namespace attn {

Answers parse_answers_table(std::string_view bytes, const std::string& name, MemoryBudget budget,
                            DecimalMark mark);

}  // namespace attn

// Answers as JSON.
#pragma once

#include "attn/io/answers_file.hpp"
#include "attn/io/problem_file.hpp"
#include "io/json/value.hpp"

namespace attn {

/// One matrix of numbers, fractions and blanks; cells that are none of these are described in it.
/// With `commas`, "0,5" is a number.
Answer read_answer(const json::Value& value, const std::string& id, const SourceMap& places,
                   bool commas = false);

Answers parse_answers_json(std::string_view bytes, const std::string& name, MemoryBudget budget);

}  // namespace attn

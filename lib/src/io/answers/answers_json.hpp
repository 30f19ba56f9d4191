// Answers as JSON.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "attn/io/answers_file.hpp"
#include "attn/io/problem_file.hpp"
#include "io/json/value.hpp"

namespace attn {

/// One matrix of numbers, fractions and blanks; cells that are none of these are described in it.
/// With `commas`, "0,5" is a number.
Answer read_answer(const json::Value& value, const std::string& id, const SourceMap& places,
                   bool commas = false);

/// Whether the decimals written as text, if there are any, all have commas.
bool has_comma_texts(const json::Node& node);

/// Each member of an object that is not a comment; with `inside`, the member of that name of each
/// that has one. Of those that cannot be read, only the first have their lines. Throws Error (id
/// "too-large") for more members than any computation has steps. `commas`: see read_answer.
std::vector<Answer> read_answers(const json::Value& object, const SourceMap& places,
                                 const char* inside = nullptr, bool commas = false);

Answers parse_answers_json(std::string_view bytes, const std::string& name, MemoryBudget budget,
                           DecimalMark mark);

}  // namespace attn

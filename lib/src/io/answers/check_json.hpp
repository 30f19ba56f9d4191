// The report of a check as lines of JSON.
#pragma once

#include <vector>

#include "attn/check_report.hpp"
#include "io/json/writer.hpp"

namespace attn {

/// The members of the report, several in each item; the first item says what the file is.
std::vector<json::Text> check_lines(const CheckReport& report, bool figures, NonFinite nonfinite);

}  // namespace attn

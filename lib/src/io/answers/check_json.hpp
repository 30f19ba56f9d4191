// The report of a check as JSON, for reports that say more.
#pragma once

#include "attn/render/check_report.hpp"
#include "io/json/writer.hpp"

namespace attn {

/// The first line of the members of a report, which says what the file is; and the others.
void write_check_head(json::Writer& out, const CheckReport& report);
void write_check_rest(json::Writer& out, const CheckReport& report, bool figures,
                      NonFinite nonfinite);

}  // namespace attn

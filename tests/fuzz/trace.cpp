// A trace as JSON, or as lines of it: read, written again, shown. Spaces at its end choose how.
#include "attn/render/heatmap.hpp"
#include "fuzz.hpp"

using namespace attn;

void try_input(std::string_view bytes) {
  const Trace trace = parse_trace(bytes, "trace.json");
  fuzz::require_whole(trace, bytes.size());
  fuzz::require_visible(write_text(summarize(trace, {})));
  fuzz::require_visible(write_heatmap(make_heatmap(trace, {})));
}

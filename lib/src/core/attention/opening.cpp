#include <cmath>

#include "attn/tool/setting_names.hpp"
#include "core/operations/parameters.hpp"

namespace attn {

Trace opened(const Problem& p) {
  Trace trace;
  trace.title = p.title;
  trace.description = p.description;
  trace.query_tokens = p.query_tokens;
  trace.key_tokens = p.key_tokens;
  trace.notes = p.notes;
  trace.visibility = p.visibility;
  Settings& s = trace.settings;
  s.has_batch = p.batch.has_value();
  s.has_heads = p.heads.has_value();
  s.batch = p.batch.value_or(1);
  s.heads = p.heads.value_or(1);
  s.kv_heads = p.kv_heads;
  s.d_model = p.d_model;
  s.d_k = p.d_k;
  s.d_v = p.d_v;
  s.n_queries = p.n_queries;
  s.n_keys = p.n_keys;
  s.masks = p.mask_texts;
  s.scale = p.scale.value_or(1.0);
  if (p.softcap) s.others.emplace_back("softcap", *p.softcap);
  if (p.masking != MaskingMode::Replace) s.others.emplace_back("masking", masking_name(p.masking));
  if (std::isfinite(p.fill)) s.others.emplace_back("fill", p.fill);
  if (p.empty_row != EmptyRow::Zero)
    s.others.emplace_back("empty_row", empty_row_name(p.empty_row));
  if (p.align != Align::Start) s.others.emplace_back("align", align_name(p.align));
  if (p.positions.kind != PositionKind::None) {
    s.others.emplace_back("positions", positions_name(p.positions.kind));
  }
  if (p.dtype != Dtype::Float64) s.others.emplace_back("dtype", dtype_name(p.dtype));
  return trace;
}

}  // namespace attn

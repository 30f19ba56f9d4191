// What overviews are made of: a small picture of each head.
#pragma once

#include <string>
#include <vector>

#include "attn/render/heatmap.hpp"
#include "attn/trace.hpp"
#include "core/trace/hidden_cells.hpp"

namespace attn {

/// The attentions of one kind: one for each layer of a stack.
struct KindOfHeads {
  std::string name;  ///< "decoder.layers.N.self_attn"
  std::vector<const Step*> weights;
};

/// All kinds, or those with the layer that the view chooses. Throws Error (usage) if there are no
/// weights.
std::vector<KindOfHeads> kinds_of(const Trace& trace, const View& view);

/// One head, `cols` places wide and `rows` high, without labels.
HeatPanel thumbnail(const Step& step, const HiddenCells& hidden, Cell at, Index rows, Index cols);

}  // namespace attn

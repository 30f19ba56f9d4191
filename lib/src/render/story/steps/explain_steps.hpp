// The steps of a computation without what opens and closes an explanation.
#pragma once

#include "attn/render/explain.hpp"

namespace attn {

/// The steps that a view names: headline, matrix, worked cell; with `view.only` the matrices.
void add_steps(Document& document, const Trace& trace, const View& view);

}  // namespace attn

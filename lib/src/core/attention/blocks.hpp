// The layers of whole models, by where their norms are.
#pragma once

#include <string>

#include "core/attention/model_run.hpp"

namespace attn {

/// Records a layer; returns the id of its last step.
using Block = std::string (*)(ModelPart& layer, std::string x);

Block block_of(LayerForm form);

}  // namespace attn

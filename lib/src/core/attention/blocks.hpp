// The layers of whole models, by where their norms are.
#pragma once

#include <string>

#include "core/attention/model_run.hpp"

namespace attn {

/// Records a layer; returns the id of its last step.
using Block = std::string (*)(ModelPart& layer, std::string x);

Block block_of(LayerForm form);

/// A layer that also attends to an encoder's output, with its norms before or after.
std::string decoder_layer(ModelPart& layer, std::string x, const std::string& memory);

}  // namespace attn

// Norms, attention, feed-forward and sums in five orders, a function each, and a decoder's layer.
#include "core/attention/blocks.hpp"

namespace attn {
namespace {

/// Radford et al. 2019; Touvron et al. 2023.
std::string norm_first(ModelPart& layer, std::string x) {
  x = layer.residual(x, layer.attention(layer.norm("norm1", x)));
  return layer.residual(x, layer.feed_forward(layer.norm("norm2", x)));
}

/// Vaswani et al. 2017; Devlin et al. 2019.
std::string norm_last(ModelPart& layer, std::string x) {
  x = layer.norm("norm1", layer.residual(x, layer.attention(x)));
  return layer.norm("norm2", layer.residual(x, layer.feed_forward(x)));
}

/// OLMo 2: OLMo team 2024.
std::string norm_of_branch(ModelPart& layer, std::string x) {
  x = layer.residual(x, layer.norm("norm1", layer.attention(x)));
  return layer.residual(x, layer.norm("norm2", layer.feed_forward(x)));
}

/// Gemma 2: Gemma team 2024.
std::string norm_around(ModelPart& layer, std::string x) {
  x = layer.residual(x, layer.norm("norm2", layer.attention(layer.norm("norm1", x))));
  return layer.residual(x, layer.norm("norm4", layer.feed_forward(layer.norm("norm3", x))));
}

/// GPT-J: Wang and Komatsuzaki 2021; GPT-NeoX: Black et al. 2022.
std::string parallel(ModelPart& layer, std::string x) {
  const std::string n = layer.norm("norm1", x);
  const std::string own = layer.has_second_norm() ? layer.norm("norm2", x) : n;
  const std::string y = layer.residual(x, layer.attention(n));
  return layer.residual(y, layer.feed_forward(own));
}

}  // namespace

/// Vaswani et al. 2017, figure 1; norms first as in Xiong et al. 2020.
std::string decoder_layer(ModelPart& layer, std::string x, const std::string& memory) {
  const char* cross = layer.run().kind().cross_attn;
  if (layer.run().form() == LayerForm::NormFirst) {
    x = layer.residual(x, layer.attention(layer.norm("norm1", x)));
    x = layer.residual(x, layer.attention(cross, layer.norm("norm2", x), memory));
    return layer.residual(x, layer.feed_forward(layer.norm("norm3", x)));
  }
  x = layer.norm("norm1", layer.residual(x, layer.attention(x)));
  x = layer.norm("norm2", layer.residual(x, layer.attention(cross, x, memory)));
  return layer.norm("norm3", layer.residual(x, layer.feed_forward(x)));
}

Block block_of(LayerForm form) {
  switch (form) {
    case LayerForm::NormFirst:
      return norm_first;
    case LayerForm::NormLast:
      return norm_last;
    case LayerForm::NormOfBranch:
      return norm_of_branch;
    case LayerForm::NormAround:
      return norm_around;
    case LayerForm::Parallel:
      return parallel;
  }
  return norm_first;
}

}  // namespace attn

#include "topics.hpp"

#include <array>

namespace attn::app {
namespace {

constexpr std::array kTopics{
    Topic{"attention", "the computation, equation by equation", attention_page},
    Topic{"masks", "who may attend to whom", masks_page},
    Topic{"shapes", "which sizes meet where", shapes_page},
    Topic{"json", "the problem file, key by key", json_page},
    Topic{"steps", "ids and symbols of all steps", steps_page},
    Topic{"pytorch", "weights and masks from PyTorch", pytorch_page},
    Topic{"colors", "when there are colours, and which", colors_page},
    Topic{"accessibility", "for ears, braille, large print and all eyes", accessibility_page},
    Topic{"errors", "what the words in error[…] mean", errors_page},
};

}  // namespace

std::span<const Topic> topics() { return kTopics; }

}  // namespace attn::app

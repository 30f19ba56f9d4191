// The table of topics.
#include "help/topics.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "attn/mask.hpp"
#include "attn/tool/setting_names.hpp"
#include "attn/trace.hpp"
#include "options/option_row.hpp"

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

const Topic* topic_about(const std::string& word) {
  const std::vector<std::string> kinds = words_of<PositionKind>();
  const auto steps = step_ids();
  const char* name = "";
  const auto is_mask = [&](const MaskKind& kind) { return word == kind.name; };
  if (std::any_of(mask_kinds().begin(), mask_kinds().end(), is_mask) || word == "mask") {
    name = "masks";
  } else if (std::find(kinds.begin(), kinds.end(), word) != kinds.end() || word == "positions") {
    name = "json";
  } else if (std::find(steps.begin(), steps.end(), word) != steps.end()) {
    name = "steps";
  } else if (word == "softmax") {
    name = "attention";
  }
  return find_row(kTopics, name);
}

}  // namespace attn::app

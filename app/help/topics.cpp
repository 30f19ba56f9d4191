// The table of topics.
#include "help/topics.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "attn/mask.hpp"
#include "attn/tool/phrases.hpp"
#include "attn/tool/setting_names.hpp"
#include "attn/trace.hpp"
#include "options/option_row.hpp"

namespace attn::app {
namespace {

constexpr std::array kTopics{
    Topic{"attention", "the computation, equation by equation", attention_page},
    Topic{"kinds", "kinds of attention, side by side", kinds_page},
    Topic{"why", "questions that students ask, each with a command", why_page},
    Topic{"masks", "who may attend to whom", masks_page},
    Topic{"shapes", "which sizes must match", shapes_page},
    Topic{"models", "whole models: Transformers, GPT-2, BERT, Llama", models_page},
    Topic{"gradients", "how the loss changes with each number", gradients_page},
    Topic{"json", "the problem file, key by key", json_page},
    Topic{"steps", "ids and symbols of all steps", steps_page},
    Topic{"mistakes", "the mistakes that attn check can name", mistakes_page},
    Topic{"teachers", "exercises for a class, and how they are graded", teachers_page},
    Topic{"documents", "pages, slides, papers and handouts", documents_page},
    Topic{"pytorch", "weights and masks from PyTorch", pytorch_page},
    Topic{"colors", "when colours are used, and which", colors_page},
    Topic{"accessibility", "screen readers, braille, large print", accessibility_page},
    Topic{"errors", "what the words in error[…] mean", errors_page},
};

/// A word that people try, or how it begins ("evidence."), and the page that explains it.
struct Pointer {
  std::string_view word;
  const char* topic;
};
constexpr std::array kPointers{
    Pointer{"html", "documents"},
    Pointer{"markdown", "documents"},
    Pointer{"latex", "documents"},
    Pointer{"svg", "documents"},
    Pointer{"slides", "documents"},
    Pointer{"softmax", "why"},
    Pointer{"scaling", "why"},
    Pointer{"scale", "why"},
    Pointer{"sqrt", "why"},
    Pointer{"inf", "why"},
    Pointer{"infinity", "why"},
    Pointer{"heads", "kinds"},
    Pointer{"head", "kinds"},
    Pointer{"self", "kinds"},
    Pointer{"self-attention", "kinds"},
    Pointer{"cross", "kinds"},
    Pointer{"cross-attention", "kinds"},
    Pointer{"masked", "kinds"},
    Pointer{"multi-head", "kinds"},
    Pointer{"multihead", "kinds"},
    Pointer{"grouped", "kinds"},
    Pointer{"gqa", "kinds"},
    Pointer{"gradient", "gradients"},
    Pointer{"backward", "gradients"},
    Pointer{"backpropagation", "gradients"},
    Pointer{"model", "models"},
    Pointer{"transformer", "models"},
    Pointer{"encoder", "models"},
    Pointer{"decoder", "models"},
    Pointer{"gpt", "models"},
    Pointer{"gpt2", "models"},
    Pointer{"bert", "models"},
    Pointer{"llama", "models"},
    Pointer{"vocabulary", "models"},
    Pointer{"labels", "models"},
    Pointer{"source_mask", "models"},
    Pointer{"mask", "masks"},
    Pointer{"masking", "masks"},
    Pointer{"fill", "masks"},
    Pointer{"empty_row", "masks"},
    Pointer{"attn_mask", "pytorch"},
    Pointer{"key_padding_mask", "pytorch"},
    Pointer{"src_mask", "pytorch"},
    Pointer{"tgt_mask", "pytorch"},
    Pointer{"memory_mask", "pytorch"},
    Pointer{"src_key_padding_mask", "pytorch"},
    Pointer{"tgt_key_padding_mask", "pytorch"},
    Pointer{"memory_key_padding_mask", "pytorch"},
    Pointer{"torch", "pytorch"},
    Pointer{"problem", "json"},
    Pointer{"file", "json"},
    Pointer{"format", "json"},
    Pointer{"positions", "json"},
    Pointer{"colours", "colors"},
    Pointer{"color", "colors"},
    Pointer{"shape", "shapes"},
    Pointer{"step", "steps"},
    Pointer{"cell", "steps"},
    Pointer{"cells", "steps"},
    Pointer{"error", "errors"},
    Pointer{"mistake", "mistakes"},
    Pointer{"fault", "mistakes"},
    Pointer{"faults", "mistakes"},
    Pointer{"rules", "mistakes"},
    Pointer{"codes", "mistakes"},
    Pointer{"evidence.", "mistakes"},
    Pointer{"rounding.", "mistakes"},
    Pointer{"shape.", "mistakes"},
    Pointer{"cell.unreadable", "teachers"},
    Pointer{"file.given_changed", "teachers"},
    Pointer{"matches_variant_of", "teachers"},
    Pointer{"same_wrong_cells_as", "teachers"},
};

}  // namespace

std::span<const Topic> topics() { return kTopics; }

const Topic* topic_about(const std::string& word) {
  const std::string name = lowered(word);
  for (const Pointer& row : kPointers) {
    const bool begins = row.word.ends_with(".") && name.starts_with(row.word);
    if (begins || row.word == name) return find_row(kTopics, row.topic);
  }
  const std::vector<std::string> kinds = words_of<PositionKind>();
  const auto steps = step_ids();
  const auto has = [&](const auto& words) {
    return std::find(words.begin(), words.end(), name) != words.end();
  };
  const auto is_mask = [&](const MaskKind& kind) { return name == kind.name; };
  if (std::any_of(mask_kinds().begin(), mask_kinds().end(), is_mask))
    return find_row(kTopics, "masks");
  if (has(kinds)) return find_row(kTopics, "json");
  return has(steps) ? find_row(kTopics, "steps") : nullptr;
}

}  // namespace attn::app

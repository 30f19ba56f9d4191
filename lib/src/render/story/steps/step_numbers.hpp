// Steps by number, and their headlines.
#pragma once

#include <string>
#include <vector>

#include "attn/render/explain.hpp"

namespace attn {

/// Whether a step is named by its number: "7".
bool is_step_number(const std::string& name);

/// The step of that number among `numbered`, counted from 1.
/// Throws Error (usage, id "no-such-step").
const Step& step_of_number(const std::string& number, const std::vector<const Step*>& numbered);

/// The steps that have a number, in order. The mask has none, because the masked scores show it,
/// unless the view asks for every detail.
std::vector<const Step*> numbered_steps(const Trace& trace, const View& view);

/// What a step holds, in the language in use: "attention weights".
std::string title_of(const StepInfo& info);

/// What a step is for, in a few words: "what softmax sees".
std::string phrase_of(const Trace& trace, const Step& step);

/// The headline of a step; `shape` as it is shown.
StepHeading heading_of(const Trace& trace, const Step& step,
                       const std::vector<const Step*>& numbered, std::string shape);

}  // namespace attn

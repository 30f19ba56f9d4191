// Matrices under the names of other programs.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "attn/teach/answers.hpp"
#include "attn/trace.hpp"

namespace attn {

/// What was found out about the names of a dump.
struct NamesOfOthers {
  std::vector<std::string> notes = {};         ///< where the names are from
  std::vector<std::string> not_compared = {};  ///< notes on what is left out
  bool lens = false;                           ///< whether some are TransformerLens'
};

/// Names in a dump and the ids of steps that they stand for; * is the number of the layer.
using NameMap = std::vector<std::pair<std::string, std::string>>;

/// Whether an array of that name is known from another program (TransformerLens' hooks, the outputs
/// of Hugging Face's and PyTorch's modules), or is in the map.
bool is_name_of_others(const std::string& name, const NameMap& map = {});

/// The answers under the ids of `truth`: those of other programs' names and of the map are renamed,
/// heads that come last are put first, and what a packed projection made is cut into q, k and v.
/// What wraps a model may come before its ids: "model.layers.0.self_attn.weights". If a name of
/// others is among them, those without a meaning are dropped, which a note says. Of two arrays of a
/// dump for one step, the one further from the truth is kept.
/// Throws Error: usage, "no-such-step" if the map names a step that `truth` lacks; input,
/// "no-answers" for matrices of several layers where `truth` is one.
Answers with_own_names(const Trace& truth, Answers answers, const NameMap& map,
                       NamesOfOthers& found);

}  // namespace attn

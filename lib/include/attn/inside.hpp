// A look inside a whole model: traces continued by what its layers mean for what it predicts.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "attn/attend.hpp"
#include "attn/trace.hpp"

namespace attn {

/// The words to whose logits contributions are asked for, and of which row.
struct ContributionChoice {
  std::vector<std::string> words;  ///< by text or index; at least one
  std::string at = {};             ///< a token or an index; empty: the last
};

/// What to add to a trace.
struct InsideChoice {
  bool lens = false;                                               ///< see `add_lens`
  std::optional<ContributionChoice> contributions = std::nullopt;  ///< see `add_contributions`
  bool circuits = false;                                           ///< see `add_circuits`
  std::optional<Index> layer = std::nullopt;                       ///< circuits of this one alone

  bool any() const { return lens || contributions || circuits; }
};

/// Adds the logit lens (nostalgebraist 2020): what the model would predict if it stopped before
/// layer i, for every layer i, and after the last one. All that comes after the last layer, from
/// its norm to the probabilities, is applied to what goes into the layer: "lens.0.norm",
/// "lens.0.logits", "lens.0.probabilities" … Those of the last number are the model's own, bit for
/// bit. The layers of an encoder have no lens. Only the numbers that `keeps` wants stay; of an
/// outline, only shapes.
/// Throws Error: usage, id "needs-model" unless the trace is a whole model that predicts words
/// and has its steps, "already-computed" if it has a lens.
void add_lens(Trace& trace, const KeepStep& keeps = {});

/// Adds what each head, bias, feed-forward part, chosen expert and embedding adds to the logits of
/// some words in one row (direct logit attribution: Elhage et al. 2021, "A Mathematical Framework
/// for Transformer Circuits"). What is not linear on the way from the residual to the logit is
/// frozen at the factor that it has in that row: the size of normed rows, an activation in the
/// head, a softcap. So "logit.contributions" (parts × words) adds up to "logit.contribution_sum",
/// which is the logit. Before them: "parts.word_direction", in which a row must move for a logit to
/// grow (words × d_model), again after each norm or linear layer on the way back;
/// "parts.h.0.attn.head_parts", what each head writes (heads × d_model); "expert_parts", the same
/// for experts; "parts.row_parts" (parts × d_model). Of an outline, only shapes. Throws Error:
/// usage, id "needs-model" and "already-computed" as above, "no-such-column" for a word and
/// "no-such-query" for a row that are not there, "word-twice".
void add_contributions(Trace& trace, const ContributionChoice& choice);

/// Adds the circuits of each head (Elhage et al. 2021): "w_qk" = W_q·W_kᵀ and
/// "w_ov" = W_v·W_o (heads × d_model × d_model), and their singular values, the largest
/// first: "qk_values", "ov_values" (heads × 1 × rank). In a whole model, of every
/// attention, or those of one `layer`: "circuits.h.0.attn.w_qk". A query head meets the key/value
/// head of its group. Biases, norms and positions are left out. Only the products that `keeps`
/// wants get numbers; of an outline, only shapes. Singular values of weights that are not finite
/// are NaN. Throws Error: usage, id "needs-weights" if no attention has w_q and w_k for dot
/// products, or w_v and w_o, "already-computed" if the trace has circuits.
void add_circuits(Trace& trace, std::optional<Index> layer = {}, const KeepStep& keeps = {});

/// Adds all that is chosen, and throws as these functions do.
void add_inside(Trace& trace, const InsideChoice& choice, const KeepStep& keeps = {});

/// The same to a trace that was read, if all of it fits into `max_memory` bytes. Throws Error as
/// `attend` does where it does not.
void add_inside_within(double max_memory, Trace& trace, const InsideChoice& choice);

/// `attend`, and what is chosen. The memory of both is checked before anything is computed. The
/// numbers that the added steps are made from stay, too.
Trace attend_inside(const Problem& problem, const Recipe& recipe, const KeepStep& keeps,
                    const InsideChoice& choice);

}  // namespace attn

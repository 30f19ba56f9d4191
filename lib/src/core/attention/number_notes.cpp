// One function for each note: settings without effect, seen padding, what overflowed first.
#include "core/attention/number_notes.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "attn/number_text.hpp"
#include "attn/phrases.hpp"
#include "attn/setting_names.hpp"
#include "core/masks/key_selection.hpp"
#include "core/problem/build.hpp"
#include "core/trace/hidden_cells.hpp"

namespace attn {
namespace {

/// What the weights of an empty row turned out to be.
std::string effect(const Tensor& weights, const EmptyQuery& empty, EmptyRow policy) {
  const auto row = weights.row(empty.batch, empty.heads.front(), empty.query);
  const auto all = [&](double x) {
    return std::all_of(row.begin(), row.end(), [&](double each) { return each == x; });
  };
  if (std::isnan(row.front())) return "NaN (empty_row: nan)";
  if (all(0.0)) return "all zero";
  if (!all(row.front())) return "not meaningful";
  const std::string share = "all 1/" + std::to_string(row.size());
  return share +
         (policy == EmptyRow::Uniform ? " (empty_row: uniform)" : ", as the fill makes them");
}

/// A mask without effect is probably a mistake.
void note_idle_masks(Trace& trace, const ProblemFacts& p) {
  const std::string rows = p.memory ? "the memory" : p.x ? "X" : "";
  for (const std::string& name : p.idle_masks) {
    const bool found = name == "padding" || name == "queries";
    const bool of_model = p.to_q && !p.x;  // rows of zeros may not have been looked for
    const char* what = name == "padding" ? "key" : "query";
    const std::string from = name == "queries" ? (p.x ? "X" : "Q") : rows.empty() ? "K" : rows;
    trace.notes.push_back(
        filled("the mask {} hides nothing", name) +
        (found ? filled(": no {} is called <pad> or [PAD]", what) : "") +
        (found && !of_model ? filled(", and no row of {} is all zero", from) : ""));
  }
}

/// The mode of masking matters only where a mask acts, the fill only where it hides scores.
void note_idle_masking(Trace& trace, const Scope& scope, const ProblemFacts& p) {
  const std::string masking = filled("masking {}", word_of(p.masking)),
                    fill = filled("fill {}", format_exact(*p.fill));
  const bool fills = p.fill_is_finite();
  const bool acts = trace.last_of(StepRole::MaskedScores, scope) != nullptr;
  if (p.mask_before_scale && !(acts && p.scale.kind != ScaleRule::Kind::None))
    trace.notes.push_back(
        filled("masking.before_scale has no effect: {}",
               acts ? "scores are not scaled" : "no mask and no bias acts on the scores"));
  const bool hides =
      p.visibility && std::any_of(p.visibility->hider.begin(), p.visibility->hider.end(),
                                  [](auto hider) { return hider != 0; });
  if (acting_mask(trace, scope) != nullptr && hides) {
    if (fills && !acts_before_softmax(p.masking))
      trace.notes.push_back(fill + " has no effect: " + masking + " leaves scores alone");
    return;
  }
  const bool other_mode = p.masking != MaskingMode::Replace;
  if (other_mode || fills)
    trace.notes.push_back((other_mode ? masking : fill) + " has no effect: no mask hides a key");
}

/// What becomes of a query that sees no key matters only if there is one.
void note_idle_empty_row(Trace& trace, const ProblemFacts& p) {
  const bool fills = p.empty_row == EmptyRow::Nan || p.empty_row == EmptyRow::Uniform;
  if (fills && p.empty_queries.empty())
    trace.notes.push_back(
        filled("empty_row {} has no effect: every query sees a key", word_of(p.empty_row)));
}

/// Whether a query that is not padding itself may attend to that key.
bool is_seen(const ProblemFacts& p, Index batch, Index key) {
  const auto& queries = MaskSite::of_entry(p.query_tokens, batch);
  for (Index h = 0; h < p.heads.value_or(1); ++h) {
    for (Index i = 0; i < p.n_queries; ++i) {
      const Cell cell{batch, h, i, key};
      if (names_padding(queries[static_cast<std::size_t>(i)])) continue;
      if (p.visibility && p.visibility->allowed.at(cell) == 0.0) continue;
      if (!(p.bias && std::isinf(p.bias->at(cell)))) return true;
    }
  }
  return false;
}

/// Padding that is attended to like any other token.
void note_seen_padding(Trace& trace, const ProblemFacts& p) {
  for (Index b = 0; b < p.batch.value_or(1); ++b) {
    const auto& tokens = MaskSite::of_entry(p.key_tokens, b);
    std::map<std::string, Index> counts;
    for (std::size_t j = 0; j < tokens.size(); ++j) {
      if (names_padding(tokens[j]) && is_seen(p, b, static_cast<Index>(j))) ++counts[tokens[j]];
    }
    for (const auto& [name, count] : counts)
      trace.notes.push_back(filled(
          "{} called {}{} not hidden: the mask padding would hide {}", counted(count, "key"), name,
          (p.batch ? filled(" in batch entry {}", b) : "") + (count == 1 ? " is" : " are"),
          count == 1 ? "it" : "them"));
  }
}

/// A causal mask compares positions, and those of two sentences have nothing to do with each other.
void note_causal_memory(Trace& trace, const ProblemFacts& p) {
  const auto& masks = p.mask_texts;
  const bool causal = std::find(masks.begin(), masks.end(), "causal") != masks.end();
  const bool first_alone = p.query_offsets == std::vector<Index>{0} && p.n_keys > 1;
  if (!p.memory || !causal || !first_alone) return;
  trace.notes.push_back(
      "causal in cross attention: position 0 of the target sees only position 0 of the memory; "
      "usually every position sees the whole memory");
}

void note_missing_memory(Trace& trace, const ProblemFacts& p) {
  if (!p.cross_weights || p.memory) return;
  trace.notes.push_back(
      "these are weights of cross attention (multihead_attn), but there is no memory: keys and "
      "values are made from X");
}

/// Empty queries that follow each other and have the same result share one note.
void note_empty_queries(Trace& trace, const Scope& scope, const ProblemFacts& p) {
  const Step* step = trace.last_of(StepRole::Weights, scope);
  if (step == nullptr) return;
  const Tensor& weights = step->value;
  const auto& all = p.empty_queries;
  for (std::size_t i = 0; i < all.size();) {
    const std::string what = effect(weights, all[i], p.empty_row);
    std::size_t end = i + 1;
    while (end < all.size() && follows(all[end - 1], all[end]) &&
           effect(weights, all[end], p.empty_row) == what) {
      ++end;
    }
    const bool one = end == i + 1;
    trace.notes.push_back(empty_queries_text(p, all[i], all[end - 1].query) + ": " +
                          (one ? "its" : "their") + " weights are " + what);
    i = end;
  }
}

/// Which numbers that are not finite occur in a step, or in a given that something was made from.
NotFinite not_finite_in(const Step& step) {
  return step.is_given() ? not_finite_among(step.value.stored()) : step.not_finite;
}

/// Whether −∞ is no accident here: it hides keys, or was there before.
bool may_be_minus_infinity(const Trace& trace, const Step& step) {
  const StepRole role = step.info().role;
  if (role == StepRole::Bias || role == StepRole::MaskedScores) return true;
  if (step.parameters.find("fill") != nullptr) return true;
  for (std::size_t i = 0; i < step.inputs.size(); ++i) {
    if (not_finite_in(trace.input(step, i)).minus_infinity) return true;
  }
  return false;
}

/// −∞ may hide a key and NaN may fill an empty row; anything else that is not finite was too large.
bool overflowed(const Trace& trace, const Step& step, const ProblemFacts& p) {
  const NotFinite found = not_finite_in(step);
  const bool fills = p.empty_row == EmptyRow::Nan && !p.empty_queries.empty();
  return found.infinity || (found.nan && !fills) ||
         (found.minus_infinity && !may_be_minus_infinity(trace, step));
}

void note_overflow_of(Trace& trace, const Step& step) {
  trace.notes.push_back((is_step_id(step.id) ? "step " : "") + step.id +
                        " has a number too large to compute (∞ or NaN): what follows "
                        "from it is meaningless; use smaller embeddings or weights");
}

}  // namespace

/// The first step or given that overflowed is the cause of what follows.
void note_overflow(Trace& trace, const ProblemFacts& p) {
  for (const Step& step : trace.steps) {
    for (std::size_t i = 0; i < step.inputs.size(); ++i) {
      const Step& input = trace.input(step, i);
      const bool may_be_large = input.is_given() && input.info().role != StepRole::Mask;
      if (may_be_large && overflowed(trace, input, p)) return note_overflow_of(trace, input);
    }
    if (!step.is_given() && overflowed(trace, step, p)) return note_overflow_of(trace, step);
  }
}

KeepStep kept_until_noted(const ProblemFacts& p, const KeepStep& keeps) {
  if (!keeps || p.empty_queries.empty()) return keeps;
  return [&keeps](const std::string& id) {
    return keeps(id) || find_step_info(id)->role == StepRole::Weights;
  };
}

void note_attention(Trace& trace, const Scope& scope, const ProblemFacts& problem) {
  note_idle_masks(trace, problem);
  note_idle_masking(trace, scope, problem);
  note_idle_empty_row(trace, problem);
  note_seen_padding(trace, problem);
  note_causal_memory(trace, problem);
  note_missing_memory(trace, problem);
  note_empty_queries(trace, scope, problem);
}

}  // namespace attn

// The future must not change the past: tokens arrive one by one.
#include <algorithm>

#include "attn/phrases.hpp"
#include "core/operations/positions/rope_frequencies.hpp"
#include "teach/lessons/changes.hpp"
#include "teach/lessons/followed.hpp"

namespace attn {
namespace {

/// A way to deal with later tokens.
struct Way {
  const char* name;
  void (*change)(ProblemDraft& draft);
};
constexpr Way kWays[] = {{"no mask", [](ProblemDraft& draft) { mask_only(draft, {}); }},
                         {"causal", [](ProblemDraft& draft) { mask_only(draft, {"causal"}); }},
                         {"causal, after softmax", [](ProblemDraft& draft) {
                            mask_only(draft, {"causal"});
                            draft.masking = MaskingMode::Multiply;
                          }}};

/// Only the first `n` tokens.
void keep_tokens(ProblemDraft& draft, Index n) {
  if (!draft.tokens.empty()) draft.tokens[0].resize(static_cast<std::size_t>(n));
  for (std::vector<Index>& ids : draft.positions.ids) ids.resize(static_cast<std::size_t>(n));
  draft.labels.clear();
  if (!draft.embeddings) return;
  Array& x = *draft.embeddings;
  x.shape[0] = n;
  x.data.resize(static_cast<std::size_t>(n * x.shape[1]));
}

/// Another vector in place of one token's: that of the last token, or its own plus 1.
void change_token(ProblemDraft& draft, Index token) {
  if (!draft.embeddings) {
    draft.tokens[0][static_cast<std::size_t>(token)] = draft.tokens[0].back();
    return;
  }
  Array& x = *draft.embeddings;
  const auto row = x.data.begin() + token * x.shape[1];
  std::for_each(row, row + x.shape[1], [](double& number) { number += 1.0; });
}

using Row = std::span<const double>;

bool same_row(Row a, Row b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](double x, double y) { return is_close(x, y); });
}

Row first_output(const SharedTrace& trace) { return trace->value("output").row(0, 0, 0); }

std::string row_text(const Telling& lesson, Row row) {
  std::vector<std::string> texts;
  for (const double x : row) texts.push_back(lesson.number(x));
  return listed(texts, 2);
}

/// The rows of a step that differ, by name.
std::string changed_rows(const std::string& step, const SharedTrace& before,
                         const SharedTrace& after) {
  const Tensor &a = before->value(step), &b = after->value(step);
  std::vector<std::string> names;
  for (Index i = 0; i < a.rows(); ++i) {
    bool same = true;
    for (Index h = 0; h < a.heads(); ++h) same = same && same_row(a.row(0, h, i), b.row(0, h, i));
    if (!same) names.push_back(followed(*before, {0, 0, i, 0}).token);
  }
  return names.empty() ? "none" : std::ssize(names) == a.rows() ? "all" : listed(names, 4);
}

/// The first token's output as others arrive, for each way.
void tell_arrivals(Telling& lesson, const Followed& all) {
  const Index n = std::min<Index>(std::ssize(all.keys), 8);
  Table table{{"tokens so far", kWays[0].name, kWays[1].name, kWays[2].name}, {}, 4};
  bool changes[3] = {false, false, false}, shrinks = true;
  std::vector<SharedTrace> first;
  std::string read;
  for (Index length = 1; length <= n; ++length) {
    read += (length == 1 ? "" : " ") + all.keys[static_cast<std::size_t>(length - 1)];
    std::vector<std::string> cells{
        length < 4 ? read : "… " + all.keys[static_cast<std::size_t>(length - 1)]};
    for (std::size_t way = 0; way < 3; ++way) {
      const SharedTrace trace = lesson.attended([&](ProblemDraft& draft) {
        keep_tokens(draft, length);
        kWays[way].change(draft);
      });
      if (length == 1) first.push_back(trace);
      changes[way] = changes[way] || !same_row(first_output(trace), first_output(first[way]));
      const double own = weights_of(trace).at({});
      shrinks = shrinks && (way < 2 || length == 1 || own < 1.0);
      cells.push_back(row_text(lesson, first_output(trace)));
    }
    table.rows.push_back(std::move(cells));
  }
  lesson.ask("Tokens arrive one after the other. Which of three ways keeps the output of " +
                 all.token +
                 " as it was: no mask, a causal mask before softmax, or the same mask "
                 "multiplied in after softmax?",
             (changes[0] && shrinks ? "Only the causal mask before softmax. The output of "
                                    : "The causal mask before softmax, at least. The output of ") +
                 all.token + ":");
  lesson.table(std::move(table));
  lesson.claim("Without a mask the first token's output changes when others arrive.", changes[0]);
  lesson.claim("With a causal mask it stays the same.", !changes[1]);
  lesson.claim(
      "With the same mask after softmax, the first token's own share sinks below 1: later tokens "
      "are gone from the sum of values, but not from the sum that softmax divided by.",
      shrinks);
}

/// Two tokens in symbols, with their numbers.
void tell_two_tokens(Telling& lesson) {
  std::vector<Followed> rows;
  std::vector<SharedTrace> traces;
  for (const Way& way : kWays) {
    traces.push_back(lesson.attended([&](ProblemDraft& draft) {
      keep_tokens(draft, 2);
      way.change(draft);
    }));
    rows.push_back(followed(*traces.back(), {}));
  }
  lesson.say(
      "In symbols, for the first of two tokens: its output is a₁₁·v₁ + a₁₂·v₂, a share of "
      "its own value and a share of the next one's.");
  Table table{{"", "a₁₁", "a₁₂", "sum"}, {}, 1};
  for (std::size_t way = 0; way < 3; ++way) {
    const Row a = rows[way].weights;
    table.rows.push_back(
        {kWays[way].name, lesson.number(a[0]), lesson.number(a[1]), lesson.number(a[0] + a[1])});
  }
  lesson.table(std::move(table));
  lesson.claim("A causal mask leaves a₁₁ = 1 and a₁₂ = 0: o₁ = v₁, as if it were alone.",
               rows[1].weights[0] == 1.0 && rows[1].weights[1] == 0.0);
  lesson.claim(
      "Multiplied in after softmax, the mask leaves a₁₁ as it was without a mask, and the "
      "sum below 1.",
      rows[2].weights[0] == rows[0].weights[0] && rows[2].weights[0] < 1.0);
}

/// Which rows depend on one token.
void tell_who_depends(Telling& lesson, const Followed& all) {
  const Index changed = std::ssize(all.keys) / 2;
  const std::string token = all.keys[static_cast<std::size_t>(changed)];
  Table table{{"step", "no mask", "causal"}, {}, 3};
  std::vector<SharedTrace> before, after;
  for (const Way& way : {kWays[0], kWays[1]}) {
    before.push_back(lesson.attended(way.change));
    after.push_back(lesson.attended([&](ProblemDraft& draft) {
      change_token(draft, changed);
      way.change(draft);
    }));
  }
  for (const std::string step : {"x", "q", "k", "v", "weights", "output"})
    table.rows.push_back(
        {step, changed_rows(step, before[0], after[0]), changed_rows(step, before[1], after[1])});
  lesson.say(
      "Everything but attention treats each token by itself: X·W₁·W₂… never mixes rows. Put "
      "another vector in place of " +
      token + " and see which rows change:");
  lesson.table(std::move(table));
  bool projections = true, earlier = true, no_mask = true;
  for (const std::string step : {"q", "k", "v"}) {
    for (std::size_t way = 0; way < 2; ++way) {
      const std::string rows = changed_rows(step, before[way], after[way]);
      projections = projections && (rows == token || rows == "none");
    }
  }
  for (Index i = 0; i < changed; ++i) {
    const auto row = [&](const SharedTrace& trace) { return trace->value("output").row(0, 0, i); };
    earlier = earlier && same_row(row(before[1]), row(after[1]));
    no_mask = no_mask && same_row(row(before[0]), row(after[0]));
  }
  lesson.claim("In Q, K and V no row changes but that of " + token + ".", projections);
  if (changed_rows("x", before[0], after[0]) != "none")  // the other vector may be the same one
    lesson.claim("Without a mask, attention carries the change to earlier rows.", !no_mask);
  lesson.claim("With a causal mask no earlier row of the output changes.", earlier);
}

}  // namespace

void tell_future(Telling& lesson) {
  const SharedTrace trace = lesson.attended(kWays[0].change);
  needs_self_attention(lesson, *trace, 3);
  lesson.needs(trace->find("kv_latent") == nullptr, "keys that are not made from latents");
  const ProblemDraft& draft = lesson.draft();
  const bool one = !trace->settings().has_batch && draft.tokens.size() < 2 && !draft.q;
  lesson.needs(one && (draft.embeddings || !draft.tokens.empty()), "one sentence as embeddings");
  const auto& scaling = draft.positions.scaling;
  lesson.needs(!scaling || !depends_on_length(*scaling),
               "rotary positions whose angles do not depend on the length of the text");
  const Followed all = followed(*trace, {});
  say_what_is_set_aside(lesson);
  lesson.say(
      "When a model writes, it predicts each word from those before it. If a new word changed "
      "what the model had computed for the old ones, training on whole sentences would show it "
      "the answer, and nothing could be reused while it writes.");
  tell_arrivals(lesson, all);
  tell_two_tokens(lesson);
  tell_who_depends(lesson, all);
  lesson.say(
      "So one pass over a sentence with a causal mask gives the same rows as a model that reads it "
      "word by word. That is why training can do all positions at once.");
  const std::string causal = causal_option(draft);
  if (can_unmask(draft))
    lesson.next(
        std::string("compare {} --left mask=none") + (causal.empty() ? "" : " --right mask=causal"),
        "no mask, and causal", to_mask(causal.empty() ? "none" : "causal"));
  lesson.next("explain {}" + causal + " --masking multiply", "row sums below 1",
              [](ProblemDraft& changed) {
                to_mask("causal")(changed);
                changed.masking = MaskingMode::Multiply;
              });
  lesson.next("lesson minus-infinity", "what hides a score");
}

}  // namespace attn

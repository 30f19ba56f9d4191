// Why −∞: what a hidden score can be set to, in three number types, and rows with nothing left.
#include <algorithm>
#include <cmath>
#include <limits>

#include "core/tensor/slices.hpp"
#include "teach/lessons/changes.hpp"
#include "teach/lessons/followed.hpp"

namespace attn {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// What articles and libraries put in place of a hidden score.
struct Fill {
  const char* text;
  double value;
};
constexpr Fill kFills[] = {
    {"0", 0.0}, {"−10", -10.0}, {"−1e9", -1e9}, {"−2^32 + 1", -4294967295.0}, {"−∞", -kInfinity}};
constexpr Dtype kTypes[] = {Dtype::Float64, Dtype::Float32, Dtype::Float16};

/// This mask alone, and hidden scores set to `fill`.
void mask_with(ProblemDraft& draft, const std::string& mask, double fill) {
  mask_only(draft, {mask});
  draft.fill = fill;
}

/// The most weight that one query gives to all hidden keys together.
double leaked(const SharedTrace& trace) {
  const Tensor &a = weights_of(trace), &allowed = trace->value("mask");
  double most = 0.0;
  for_each_slice(a, [&](Index b, Index h) {
    for (Index i = 0; i < a.rows(); ++i) {
      double sum = 0.0;
      for (Index j = 0; j < a.cols(); ++j)
        sum += allowed.at({b, h, i, j}) == 0.0 ? a.at({b, h, i, j}) : 0.0;
      most = std::max(most, sum);
    }
  });
  return most;
}

bool all_equal(const SharedTrace& trace, double weight, double tolerance) {
  const NumberSpan a = weights_of(trace).data();
  return std::all_of(a.begin(), a.end(),
                     [&](double each) { return is_close(each, weight, tolerance); });
}

/// The weights of one query, in a table.
std::vector<std::string> row_text(const Telling& lesson, const std::string& what,
                                  const SharedTrace& trace) {
  std::vector<std::string> cells{what};
  for (const double w : followed(*trace, {}).weights) cells.push_back(lesson.number(w));
  return cells;
}

void tell_leaks(Telling& lesson) {
  lesson.say(
      "A mask hides a key by changing its score before softmax. To what? Softmax gives every "
      "finite score a share: e^0 = 1, so a score of 0 is not hidden at all.");
  Table table{{"hidden scores are", "float64", "float32", "float16"}, {}, 1};
  bool none_for_infinity = true, none_for_huge = true, some_for_zero = true, less_for_ten = true;
  for (const Fill& fill : kFills) {
    std::vector<std::string> row{fill.text};
    for (const Dtype type : kTypes) {
      const double last = leaked(lesson.attended([&](ProblemDraft& draft) {
        mask_with(draft, "causal", fill.value);
        draft.dtype = type;
      }));
      row.push_back(lesson.number(last));
      if (fill.value == -kInfinity) none_for_infinity = none_for_infinity && last == 0.0;
      if (fill.value < -1e8) none_for_huge = none_for_huge && last == 0.0;
      if (fill.value == 0.0) some_for_zero = some_for_zero && last > 0.0;
      if (fill.value == -10.0) less_for_ten = less_for_ten && last > 0.0;
    }
    table.rows.push_back(std::move(row));
  }
  lesson.ask(
      "With a causal mask and float64, what share do the hidden keys of a query get in total, "
      "at most, if their scores are 0? And if they are −10?",
      table.rows[0][1] + " and " + table.rows[1][1] + ".");
  lesson.table(std::move(table));
  lesson.claim("0 hides nothing: hidden keys get a share in every number type.", some_for_zero);
  lesson.claim("−10 still leaks.", less_for_ten);
  lesson.claim(
      "−1e9 and −2^32 + 1 leave exactly 0: e^(−1e9) is smaller than the smallest positive "
      "number of these types. In float16 they are −∞ already: its lowest finite number is "
      "−65504.",
      none_for_huge);
  lesson.claim("−∞ leaves exactly 0, whatever the scores and the type.", none_for_infinity);
}

void tell_empty_rows(Telling& lesson, Index n) {
  lesson.say(
      "So why not always −1e9? Because of rows in which every key is hidden. Nothing is "
      "left to compare with, and the row depends on how it was filled:");
  const auto empty = [&](double fill, MaskingMode mode, Dtype type) {
    return lesson.attended([&](ProblemDraft& draft) {
      mask_with(draft, "keys:0-" + std::to_string(n - 1), fill);
      draft.masking = mode;
      draft.dtype = type;
    });
  };
  const auto infinite = empty(-kInfinity, MaskingMode::Replace, Dtype::Float64);
  const auto replaced = empty(-1e9, MaskingMode::Replace, Dtype::Float64);
  const auto added = empty(-1e9, MaskingMode::Add, Dtype::Float64);
  const auto narrow = empty(-1e9, MaskingMode::Add, Dtype::Float32);
  const auto visible = lesson.attended([](ProblemDraft& draft) { mask_only(draft, {}); });
  const Followed row = followed(*visible, {});
  Table table{{"all keys hidden by"}, {}, 1};
  table.header.insert(table.header.end(), row.keys.begin(), row.keys.end());
  table.rows = {row_text(lesson, "−∞", infinite),
                row_text(lesson, "−1e9 in place of the scores", replaced),
                row_text(lesson, "−1e9 added to them, float64", added),
                row_text(lesson, "−1e9 added to them, float32", narrow),
                row_text(lesson, "nothing: no mask", visible)};
  lesson.ask("What are the weights of " + row.token + " if all scores are replaced by −1e9?",
             "All the same, " + lesson.number(1.0 / static_cast<double>(n)) +
                 ": softmax sees equal scores, and hidden keys share everything.");
  lesson.table(std::move(table));
  const double even = 1.0 / static_cast<double>(n);
  lesson.claim("−1e9 in place of every score: each hidden key gets 1/" + std::to_string(n) + ".",
               all_equal(replaced, even, 1e-12));
  lesson.claim("−1e9 added in float64: as if there were no mask, since all scores move alike.",
               same_weights(added, visible, 1e-5));
  lesson.claim("−1e9 added in float32: the sum has no digits left for the score, so all are equal.",
               all_equal(narrow, even, 1e-6));
  lesson.claim(
      "With −∞ nothing is left. The arithmetic is 0 / 0, which is NaN in most libraries; attn "
      "gives zeros unless you choose otherwise.",
      all_equal(infinite, 0.0, 0.0));
}

void tell_mask_before_scale(Telling& lesson) {
  lesson.say(
      "Some authors add the mask before the division by √d_k: softmax((Q·Kᵀ + mask) / √d_k). "
      "Dividing −∞ gives −∞; dividing −10 brings it closer to 0.");
  const auto leak = [&](double fill, bool before) {
    return lesson.attended([&](ProblemDraft& draft) {
      mask_with(draft, "causal", fill);
      draft.mask_before_scale = before;
    });
  };
  const auto after = leak(-10.0, false), before = leak(-10.0, true);
  lesson.table({{"share of all hidden keys", "−10", "−∞"},
                {{"mask after the scale", lesson.number(leaked(after)),
                  lesson.number(leaked(leak(-kInfinity, false)))},
                 {"mask before the scale", lesson.number(leaked(before)),
                  lesson.number(leaked(leak(-kInfinity, true)))}},
                1});
  lesson.claim("For −∞ the order makes no difference.",
               same_weights(leak(-kInfinity, true), leak(-kInfinity, false)));
  lesson.claim("For −10 it does: divided by √d_k, it hides less.", leaked(before) > leaked(after));
}

void tell_fills_to_try(Telling& lesson, Index n) {
  const std::string causal = causal_option(lesson.draft());
  const bool fills = acts_before_softmax(lesson.draft().masking);
  const auto filled = [](double fill) {
    return [=](ProblemDraft& draft) {
      to_mask("causal")(draft);
      draft.fill = fill;
    };
  };
  if (fills)
    lesson.next("explain {}" + causal + " --fill 0 --steps weights", "hidden scores set to 0",
                filled(0.0));
  const std::string all = "keys:0-" + std::to_string(n - 1);
  lesson.next("explain {} --mask " + all, "every row is empty", to_mask(all));
  if (fills)
    lesson.next(causal.empty() ? "compare {} --right fill=-10"
                               : "compare {} --left mask=causal --right mask=causal,fill=-10",
                "where it leaks", filled(-10.0));
}

}  // namespace

void tell_minus_infinity(Telling& lesson) {
  const auto trace =
      lesson.attended([](ProblemDraft& draft) { mask_with(draft, "causal", -kInfinity); });
  const NumberSpan allowed = trace->value("mask").data();
  const bool hides = std::find(allowed.begin(), allowed.end(), 0.0) != allowed.end();
  lesson.needs(hides && trace->find("extra_k") == nullptr,
               "a query that has later keys, and no keys that are always visible");
  const double scale = trace->settings().scale.number;
  lesson.needs(trace->find("bias") == nullptr && trace->find("capped_scores") == nullptr &&
                   scale > 0.0 && scale < 1.0,
               "scores that are divided by a number above 1, without positions or a softcap that "
               "change them later");
  say_what_is_set_aside(lesson);
  tell_leaks(lesson);
  tell_empty_rows(lesson, trace->settings().n_keys);
  tell_mask_before_scale(lesson);
  tell_fills_to_try(lesson, trace->settings().n_keys);
  lesson.next("help why", "questions that students ask");
}

}  // namespace attn

// Mistakes in softmax.
#include <array>
#include <string>
#include <utility>

#include "attn/phrases.hpp"
#include "attn/setting_names.hpp"
#include "teach/mistakes/mistake_rows.hpp"

namespace attn {
namespace {

/// Softmax in each of these ways (core/operations/softmax/mistaken_softmax.cpp), which know no
/// sink.
Recipes ways(const Wiring& w, std::initializer_list<const char*> names) {
  Recipes recipes;
  if (!w.has_softmax() || w.has("sinks")) return recipes;
  for (const char* name : names) {
    recipes.push_back({instead("weights", "mistaken_softmax", {w.softmax_input()},
                               {{"way", std::string(name)}})});
  }
  return recipes;
}

/// A second softmax behind the first.
Recipes twice(const Wiring& w) {
  if (!w.has_softmax()) return {};
  Rewiring second = instead("weights", "softmax", {"weights1"});
  second.parameters = {
      {"dtype", word_of(w.settings().dtype)}};  // where softmax is open, it has none
  second.before = {{"weights1", find_operation("softmax"), {w.softmax_input()}, second.parameters}};
  return {{std::move(second)}};
}

/// Scores in 16 bits before softmax; or softmax in 16 bits altogether.
Recipes low_precision(const Wiring& w) {
  const Dtype own = w.settings().dtype;
  Recipes recipes;
  if (!w.made_by("weights", "softmax") || own == Dtype::Bfloat16 || own == Dtype::Float16)
    return recipes;
  for (const std::string type : {"bfloat16", "float16"}) {
    Rewiring once = from("weights", {"masked_scores1"});
    once.before = {{"masked_scores1", find_operation("narrow"), {"{0}"}, {{"dtype", type}}}};
    once.words = filled("The numbers are those of {}.", type);
    Rewiring all = instead("weights", "narrow", {"weights1"}, {{"dtype", type}});
    all.before = once.before;
    all.words = once.words;
    all.before.push_back(
        {"weights1",
         find_operation("softmax"),
         {"masked_scores1"},
         {{"empty_row", w.find("weights")->parameters.word("empty_row")}, {"dtype", type}}});
    recipes.push_back({std::move(once)});
    recipes.push_back({std::move(all)});
  }
  return recipes;
}

/// Every weight 1, or 0 where the mask hides it.
Recipes all_ones(const Wiring& w) {
  Recipes recipes = ways(w, {"single"});
  if (recipes.empty() || !w.has("mask")) return recipes;
  recipes.push_back({instead("weights", "mistaken_softmax", {w.softmax_input(), "mask"},
                             {{"way", std::string("single")}})});
  return recipes;
}

constexpr const char* kSoftmaxPage = "attention";
constexpr const char* kMaximumPage = "steps";  // row_max

constexpr std::array kSoftmaxRows = {
    MistakeRow{{"softmax.columns", "softmax over columns",
                "Softmax runs down the columns: each column adds up to 1 instead of each row.",
                "In which direction should the weights add up to 1?", kSoftmaxPage},
               [](const Wiring& w) { return also_filled(w, ways(w, {"columns"})); },
               true},
    MistakeRow{{"softmax.whole", "softmax over the whole matrix",
                "Softmax runs over the whole matrix: all weights together add up to 1.",
                "How much attention does each query give out in total?", kSoftmaxPage},
               [](const Wiring& w) { return ways(w, {"matrix"}); },
               true},
    MistakeRow{{"softmax.heads", "softmax over heads",
                "Softmax runs over the heads: in each cell, the weights of all heads add up to 1.",
                "Which axis of the scores holds the keys?", kSoftmaxPage},
               [](const Wiring& w) {
                 return w.settings().heads > 1 ? also_filled(w, ways(w, {"heads"})) : Recipes{};
               },
               true},
    MistakeRow{
        {"softmax.batch", "softmax over the batch",
         "Softmax runs over the batch: in each cell, the weights of all entries add up to 1.",
         "Which axis of the scores holds the keys?", kSoftmaxPage},
        [](const Wiring& w) {
          return w.settings().batch > 1 ? also_filled(w, ways(w, {"batch"})) : Recipes{};
        },
        true},
    MistakeRow{{"softmax.single", "softmax of single numbers",
                "Softmax runs over an axis of length 1, so every weight is 1.",
                "Over how many numbers does softmax run?", kSoftmaxPage},
               all_ones,
               true},
    MistakeRow{
        {"softmax.no_keepdims", "row sums not kept as a column",
         "The row sums are not kept as a column, so column j is divided by the sum of row j.",
         "Which row's sum should divide the weight in row i, column j?", kSoftmaxPage},
        [](const Wiring& w) {
          return ways(w, {"no_keepdims", "no_keepdims_shifted"});
        },
        true},
    MistakeRow{{"softmax.column_max", "maximum taken down the column",
                "The column maximum is subtracted before e^x instead of the row maximum.",
                "Which numbers must be shifted by the same amount?", kMaximumPage},
               [](const Wiring& w) { return ways(w, {"column_max"}); },
               true},
    MistakeRow{
        {"softmax.no_exp", "no exponential", "The scores are divided by their sum, without e^x.",
         "What makes negative scores positive?", kSoftmaxPage},
        [](const Wiring& w) { return ways(w, {"no_exp"}); }},
    MistakeRow{{"softmax.not_normalised", "exponentials not normalised",
                "The exponentials are not divided by their sum.", kAskForSums, kSoftmaxPage},
               [](const Wiring& w) {
                 return ways(w, {"not_normalised", "not_normalised_shifted"});
               }},
    MistakeRow{{"softmax.overflow", "exponentials overflow",
                "The row maximum is not subtracted, so e^x overflows and ∞/∞ is not a number.",
                "How large can x get before e^x is too large for the number type?", kMaximumPage},
               [](const Wiring& w) { return ways(w, {"overflow"}); }},
    MistakeRow{{"softmax.low_precision", "softmax in 16 bits",
                "Scores or weights are rounded to 16 bits, although the rest is finer.",
                "In which number type does softmax run?", "json"},
               low_precision},
    MistakeRow{{"softmax.twice", "softmax applied twice",
                "Softmax is applied to weights that are already the result of softmax.",
                "How many times does softmax appear in the formula?", kSoftmaxPage},
               twice,
               true},
    MistakeRow{{"softmax.base_2", "powers of 2", "Softmax uses powers of 2 instead of powers of e.",
                "What is the base of the exponential?", kSoftmaxPage},
               [](const Wiring& w) { return ways(w, {"base_2"}); }},
    MistakeRow{
        {"softmax.base_10", "powers of 10", "Softmax uses powers of 10 instead of powers of e.",
         "What is the base of the exponential?", kSoftmaxPage},
        [](const Wiring& w) { return ways(w, {"base_10"}); }},
    MistakeRow{{"dropout.on", "dropout left on",
                "Some weights are 0 and the others are larger by the same factor, as with dropout.",
                "Is the model in training mode?"}},
};

}  // namespace

std::span<const MistakeRow> softmax_mistakes() { return kSoftmaxRows; }

}  // namespace attn

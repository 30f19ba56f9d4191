// How far information travels through layers that see only a window.
#include <algorithm>

#include "attn/attend.hpp"
#include "teach/lessons/changes.hpp"

namespace attn {
namespace {

constexpr Index kLeft = 2;  // words before itself that a word sees
constexpr Index kManyWords = 9, kFewColumns = 4, kLayers = 4;

/// The mask of each layer: "window:2", or "causal" for one that sees everything before it.
using Stack = std::vector<std::string>;

/// X, with one row changed if `changed` is one.
Array numbers(Index changed) {
  Array x{{kManyWords, kFewColumns}, {}};
  for (Index i = 0; i < kManyWords; ++i) {
    for (Index c = 0; c < kFewColumns; ++c)
      x.data.push_back(static_cast<double>((3 * i + 2 * c * i + c) % 5) - 2.0 +
                       (i == changed ? 0.5 : 0.0));
  }
  return x;
}

/// The output of attention layers on top of each other.
Tensor output_of(const Stack& stack, Index changed) {
  Array x = numbers(changed);
  Tensor output;
  for (const std::string& mask : stack) {
    ProblemDraft draft;
    draft.embeddings = x;
    draft.masks = {parse_mask(mask)};
    output = attend_output(make_problem(draft));
    x.data = output.data().copy();
  }
  return output;
}

/// Which words the last row of the output depends on.
std::vector<bool> reached(const Stack& stack) {
  const Tensor before = output_of(stack, -1);
  const auto last = before.row(0, 0, kManyWords - 1);
  std::vector<bool> all;
  for (Index token = 0; token < kManyWords; ++token) {
    const Tensor after = output_of(stack, token);
    const auto row = after.row(0, 0, kManyWords - 1);
    all.push_back(!std::equal(last.begin(), last.end(), row.begin()));
  }
  return all;
}

Index count(const std::vector<bool>& words) { return std::count(words.begin(), words.end(), true); }

/// "··xxxxxxx": what is reached.
std::string strip(const std::vector<bool>& words) {
  std::string text;
  for (const bool each : words) text += each ? "x" : "·";
  return text;
}

}  // namespace

void tell_window(Telling& lesson) {
  const std::string window = "window:" + std::to_string(kLeft);
  lesson.say(
      "Long texts are expensive, because every word looks at every word. Mistral, Gemma and others "
      "let a word see only a window: itself and " +
      std::to_string(kLeft) + " words before it, in the mask " + window + ".");
  lesson.beside(lesson.attended([&](ProblemDraft& draft) { mask_only(draft, {window}); }), "mask",
                window);
  lesson.ask("Is a word four places back lost, then?",
             "Not with several layers: a word in between has seen it, and is seen.");
  lesson.say("Here are " + std::to_string(kManyWords) +
             " words. Each is changed a little; an x says that the last word's output changed.");
  Table table{{"layers", "the last word depends on", "words"}, {}, 1};
  bool grows = true;
  for (Index layers = 1; layers <= kLayers; ++layers) {
    const auto words = reached(Stack(static_cast<std::size_t>(layers), window));
    table.rows.push_back({std::to_string(layers), strip(words), std::to_string(count(words))});
    grows = grows && count(words) == std::min(1 + kLeft * layers, kManyWords);
  }
  lesson.table(table);
  lesson.claim("Each layer reaches 2 words further: L layers reach 2·L words back.", grows);
  const auto two = reached({window, window});
  lesson.claim("With two layers, nothing further back changes the last word in any digit.",
               count(two) == 1 + 2 * kLeft && !two.front());
  lesson.ask("How many layers does it take to see a whole book through a window of 4096 words?",
             "As many as the book has windows. So some models put a layer without a window between "
             "those that have one.");
  lesson.claim("One layer without a window, and everything is reached.",
               count(reached({window, "causal"})) == kManyWords);
  lesson.next("explain {} --mask " + window + " --only", "one layer with a window");
  lesson.next("help masks", "all kinds of masks");
}

}  // namespace attn

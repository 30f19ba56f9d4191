// The table of mistakes, and a computation with one of them built in.
#include "attn/teach/mistakes.hpp"

#include <algorithm>

#include "attn/error.hpp"
#include "attn/phrases.hpp"
#include "attn/suggest.hpp"
#include "teach/mistakes/mistake_rows.hpp"

namespace attn {
namespace {

const std::vector<const MistakeRow*>& rows() {
  static const std::vector<const MistakeRow*> all = [] {
    std::vector<const MistakeRow*> made;
    for (const auto part :
         {scale_mistakes(), softmax_mistakes(), mask_mistakes(), projection_mistakes(),
          head_mistakes(), position_mistakes(), slips(), equivalents()}) {
      for (const MistakeRow& row : part) made.push_back(&row);
    }
    return made;
  }();
  return all;
}

Error refused(const Mistake& mistake, const char* reason) {
  return input_error({.id = "no-such-fault",
                      .what = std::string(mistake.code) + " cannot be built in: " + reason,
                      .fix = "Choose another mistake, or another problem."});
}

}  // namespace

Recipes variants_of(const MistakeRow& row, const Trace& truth) {
  if (row.variants == nullptr) return {};
  Recipes variants = row.variants(Wiring(truth));
  std::erase_if(variants, [&](const Recipe& recipe) {
    const Trace outline = replay(truth, recipe, Numbers::None);
    return std::any_of(recipe.begin(), recipe.end(), [&](const Rewiring& change) {
      return !change.left_out && outline.find(change.step) == nullptr;
    });
  });
  return variants;
}

std::span<const MistakeRow* const> mistake_rows() { return rows(); }

std::span<const Mistake> mistakes() {
  static const std::vector<Mistake> all = [] {
    std::vector<Mistake> made;
    for (const MistakeRow* row : rows()) made.push_back(row->words);
    return made;
  }();
  return all;
}

std::vector<std::string> mistake_codes() {
  std::vector<std::string> codes;
  for (const Mistake& each : mistakes()) codes.emplace_back(each.code);
  return codes;
}

const MistakeRow* find_mistake_row(std::string_view code) {
  const auto at = std::find_if(rows().begin(), rows().end(),
                               [&](const MistakeRow* row) { return row->words.code == code; });
  return at == rows().end() ? nullptr : *at;
}

const Mistake* find_mistake(std::string_view code) {
  const MistakeRow* row = find_mistake_row(code);
  return row == nullptr ? nullptr : &row->words;
}

Trace with_mistake(const Trace& truth, const std::string& code) {
  const MistakeRow* row = find_mistake_row(code);
  if (row == nullptr) {
    const std::vector<std::string> codes = mistake_codes();
    throw Error(ErrorKind::Usage,
                {{.id = "unknown-mistake",
                  .what = "there is no mistake \"" + code + "\"" + did_you_mean(code, codes),
                  .fix = "The codes are " + listed(codes) + "."}});
  }
  const Mistake& mistake = row->words;
  if (row->variants == nullptr) throw refused(mistake, "it can only be recognised");
  const Recipes variants = variants_of(*row, truth);
  if (variants.empty()) throw refused(mistake, "it does not apply to this problem");
  Trace trace = replay(truth, variants.front());
  trace.title = std::string(mistake.code) + ": " + mistake.title;
  trace.description = truth.title;
  trace.notes.insert(trace.notes.begin(), std::string("A known mistake is built in (") +
                                              mistake.code + "): " + mistake.explanation);
  for (const Step& step : truth.steps) {
    if (trace.find(step.id) == nullptr)
      trace.notes.push_back(step.id + " does not exist with this mistake.");
  }
  return trace;
}

}  // namespace attn

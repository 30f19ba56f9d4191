// Generated tokens: PyTorch's, and the same with and without a cache.

#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <variant>

#include "attn/error.hpp"
#include "attn/generate.hpp"
#include "attn/io/problem_file.hpp"
#include "io/json/json.hpp"
#include "support/compare.hpp"
#include "support/errors.hpp"
#include "support/files.hpp"
#include "support/infinity.hpp"
#include "support/phrases.hpp"

namespace attn::testing {
namespace {

ProblemDraft draft_of(const std::string& file) {
  return parse_problem(read_test_file(file), file).draft;
}

/// Both ways agree, token by token.
void check_both_ways(const ProblemDraft& draft, Index count) {
  const Generation fast = generate(draft, {.count = count});
  const Generation slow = generate(draft, {.count = count, .cache = false});
  REQUIRE(fast.tokens.size() == slow.tokens.size());
  for (std::size_t i = 0; i < fast.tokens.size(); ++i) {
    CAPTURE(i);
    const GeneratedToken &a = fast.tokens[i], &b = slow.tokens[i];
    CHECK(a.id == b.id);
    CHECK(a.runner_up == b.runner_up);
    CHECK(close(a.probability, b.probability));
    CHECK(close(a.runner_up_probability, b.runner_up_probability));
    CHECK(a.multiplications_without_cache == b.multiplications);
    if (i > 0) CHECK(a.multiplications < b.multiplications);
  }
}

/// The value of a number or a string of a JSON object.
double number_at(const json::Node& node, const char* key) {
  return std::get<double>(json::find(node, key)->value);
}
std::string text_at(const json::Node& node, const char* key) {
  return std::get<std::string>(json::find(node, key)->value);
}

/// Given the `start` in the file of PyTorch's numbers, the sample goes on as the file does.
void check_sample(const std::string& sample, const std::string& expected) {
  const std::string file = "reference/models/" + expected + ".expected.json";
  const json::Document document = json::parse(read_test_file(file), file);
  ProblemDraft draft = draft_of("../samples/" + sample + ".json");
  std::vector<std::string> start;
  for (const json::Node& each : std::get<json::Items>(json::find(document.root, "start")->value))
    start.push_back(std::get<std::string>(each.value));
  draft.tokens = {start};
  const auto& tokens = std::get<json::Items>(json::find(document.root, "generated")->value);
  const Generation made = generate(draft, {.count = std::ssize(tokens)});
  REQUIRE(made.tokens.size() == tokens.size());
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    CAPTURE(i);
    CHECK(made.tokens[i].token == text_at(tokens[i], "token"));
    CHECK(made.tokens[i].runner_up_token == text_at(tokens[i], "runner_up"));
    CHECK(close(made.tokens[i].probability, number_at(tokens[i], "probability")));
  }
  check_both_ways(draft, std::ssize(tokens));
}

std::string why_refused(const ProblemDraft& draft) {
  return refusal_from([&] { generate(draft); }).what;
}

}  // namespace

TEST_CASE("generate: the trained samples write what PyTorch writes") {
  check_sample("15-induction", "induction");
  check_sample("16-reversal", "reverse");
  check_sample("17-english-french", "translation");
}

TEST_CASE("generate: GPT-2 and Llama choose the same tokens with a cache and without") {
  for (const char* name : {"gpt2_prefixed", "llama_tied", "llama_grouped"}) {
    CAPTURE(name);
    ProblemDraft draft = draft_of(std::string("reference/models/") + name + ".json");
    draft.ids.front().resize(2);
    draft.tokens.clear();
    check_both_ways(draft, 3);
  }
}

TEST_CASE("generate: of words that are equally probable the first is chosen, then the next") {
  ProblemDraft draft = draft_of("../samples/15-induction.json");
  std::vector<double>& w = draft.vocabulary->w.data;
  w.assign(w.size(), 0.0);
  if (draft.vocabulary->b) draft.vocabulary->b->data.assign(draft.vocabulary->b->data.size(), 0.0);
  const GeneratedToken token = generate(draft, {.count = 1}).tokens.front();
  CHECK(token.id == 0);
  CHECK(token.runner_up == 1);
}

TEST_CASE("generate: what cannot be generated is refused with the reason") {
  CHECK(why_refused(draft_of("../samples/04-causal.json")) == "only a whole model generates text");
  CHECK(why_refused(draft_of("reference/models/attention_only.json")) ==
        "generated tokens are looked up in an embedding_table, and this problem uses none");
  ProblemDraft open = draft_of("../samples/16-reversal.json");
  open.masks.clear();
  CHECK(why_refused(open) ==
        "without a causal mask, tokens look at those after them, which do not exist yet");
  ProblemDraft mute = draft_of("../samples/16-reversal.json");
  mute.vocabulary.reset();
  CHECK(why_refused(mute) == "the model has no vocabulary to choose from");
  ProblemDraft two = draft_of("reference/models/gpt2_prefixed.json");
  two.labels.clear();
  two.ids = {{1, 2}, {2, 3}};
  CHECK(why_refused(two) ==
        "text is generated for one batch entry at a time, but there are several");
}

TEST_CASE("generate: it stops when no position is left, and at any end id of a configuration") {
  ProblemDraft draft = draft_of("reference/models/gpt2_prefixed.json");
  draft.labels.clear();
  draft.ids.front().resize(2);
  for (const bool cache : {true, false}) {
    const Generation made = generate(draft, {.count = 10, .cache = cache});
    CHECK(made.tokens.size() == 5);  // the last one needs no position: 2 + 4 take the 6
    CHECK(made.end == GenerationEnd::Positions);
  }
  const Generation two = generate(draft, {.count = 2});
  CHECK(two.prompt == std::vector<std::string>{"v3", "v1"});
  CHECK(two.end == GenerationEnd::Count);
  draft.model->end_ids = {99, two.tokens[1].id};
  const Generation ended = generate(draft, {.count = 10});
  CHECK(ended.end == GenerationEnd::EndToken);
  CHECK(ended.tokens.size() <= 2);
  CHECK(ended.tokens.back().id == two.tokens[1].id);
}

TEST_CASE("generate: without ids, with a batch of sources, or with NaN, it says what is wrong") {
  ProblemDraft draft = draft_of("reference/models/gpt2_prefixed.json");
  draft.labels.clear();
  draft.ids.clear();
  draft.tokens.clear();
  CHECK(why_refused(draft) == reads_what_is_missing("gpt2", "ids"));
  ProblemDraft two = draft_of("../samples/16-reversal.json");
  two.source->tokens.push_back(two.source->tokens.front());
  CHECK(why_refused(two) ==
        "text is generated for one batch entry at a time, but there are several");
  ProblemDraft broken = draft_of("../samples/15-induction.json");
  broken.vocabulary->w.data.front() = std::nan("");
  CHECK(why_refused(broken) == "the probabilities of the next token are not numbers");
}

TEST_CASE("generate: it stops after the end token, and notes what cannot be cached") {
  ProblemDraft draft = draft_of("../samples/17-english-french.json");
  draft.tokens.front().resize(1);
  const Generation made = generate(draft, {.count = 100});
  CHECK(made.end == GenerationEnd::EndToken);
  CHECK(made.tokens.back().token == *draft.vocabulary->end_token);
  CHECK(made.notes.empty());
  draft.memory_masks = {parse_mask("window:9,9", "/memory_mask")};
  CHECK(generate(draft).notes.size() == 1);
  draft.vocabulary->end_token = "</s>";
  CHECK(why_refused(draft).starts_with("the end token " + not_in_vocabulary("</s>")));
}

TEST_CASE("generate: where later tokens change earlier rows, nothing is cached") {
  ProblemDraft by_position = draft_of("../samples/17-english-french.json");
  by_position.tokens.front().resize(1);
  ProblemDraft leaking = by_position;  // hidden keys keep some weight
  by_position.memory_masks = {parse_mask("window:2,2", "/memory_mask")};
  leaking.fill = -1.0;
  for (const ProblemDraft& draft : {by_position, leaking}) {
    const Generation made = generate(draft, {.count = 4});
    const Generation slow = generate(draft, {.count = 4, .cache = false});
    CHECK(made.notes.size() == 1);
    REQUIRE(made.tokens.size() == slow.tokens.size());
    for (std::size_t i = 0; i < made.tokens.size(); ++i) {
      CHECK(made.tokens[i].probability == slow.tokens[i].probability);
      CHECK(made.tokens[i].multiplications == made.tokens[i].multiplications_without_cache);
    }
  }
  leaking.masking = MaskingMode::Renormalize;  // fills nothing
  CHECK(generate(leaking, {.count = 4}).notes.empty());
  leaking.masking = MaskingMode::Replace;
  leaking.fill = -kInfinity;
  CHECK(generate(leaking, {.count = 4}).notes.empty());
}

TEST_CASE("generate: masks that show later tokens, and masks that cannot grow, are refused") {
  ProblemDraft draft = draft_of("reference/models/gpt2_prefixed.json");
  draft.labels.clear();
  for (const char* mask : {"none", "padding", "keys:1", "prefix:2", "window:2,1"}) {
    CAPTURE(mask);
    draft.masks = {parse_mask(mask)};
    CHECK(why_refused(draft).starts_with("without a causal mask"));
  }
  draft.masks = {parse_mask("causal")};
  draft.bias = Array{{4, 4}, std::vector<double>(16)};
  CHECK(why_refused(draft) == "bias has a fixed size, but the text grows");
  ProblemDraft bert = draft_of("reference/models/bert_masked_lm.json");
  bert.masks = {parse_mask("causal")};
  CHECK(why_refused(bert) == "BERT fills gaps in text, but does not continue it");
}

TEST_CASE("generate: ids beyond the table of positions and documents of fixed size are refused") {
  ProblemDraft draft = draft_of("reference/models/gpt2_prefixed.json");
  draft.labels.clear();
  draft.ids = {{1, 2, 3, 4, 5, 1, 2}};
  CHECK(why_refused(draft).starts_with("the model has 6 positions"));
  draft.masks = {parse_mask("causal", "/mask"), parse_mask("documents:3,4", "/mask")};
  CHECK(why_refused(draft) == "documents have fixed sizes, but the text grows");
}

}  // namespace attn::testing

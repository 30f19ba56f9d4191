// Notes about likely mistakes, each only when it is true; thousands of mistakes at once.

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "attn/attend.hpp"
#include "attn/error.hpp"
#include "core/trace/parameter_count.hpp"
#include "support/errors.hpp"
#include "support/program.hpp"
#include "support/traces.hpp"

namespace attn::testing {
namespace {

ProblemDraft three_tokens(const std::vector<std::string>& tokens) {
  ProblemDraft draft;
  draft.tokens = {tokens};
  draft.embeddings = Array{{3, 2}, {1, 2, 3, 4, 5, 6}};
  for (const char* name : {"w_q", "w_k", "w_v"}) draft.weights[name] = Array{{2, 2}, {1, 0, 0, 1}};
  return draft;
}

ProblemDraft with_memory() {
  ProblemDraft draft = three_tokens({"a", "b", "c"});
  draft.memory = ProblemDraft::Memory{{}, Array{{4, 2}, {1, 2, 3, 4, 5, 6, 7, 8}}};
  return draft;
}

ProblemDraft masked(ProblemDraft draft, const char* mask) {
  draft.masks = {parse_mask(mask)};
  return draft;
}

Error error_of(const ProblemDraft& draft) {
  return error_from([&] { make_problem(draft); });
}

}  // namespace

TEST_CASE("notes: padding that no mask hides is pointed out") {
  const ProblemDraft padded = three_tokens({"a", "b", "<pad>"});
  CHECK(notes_of(padded) == "1 key called <pad> is not hidden: the mask padding would hide it\n");
  CHECK(notes_of(three_tokens({"a", "[PAD]", "[PAD]"})) ==
        "2 keys called [PAD] are not hidden: the mask padding would hide them\n");
  CHECK(notes_of(three_tokens({"<pad>", "a", "[PAD]"})) ==
        "1 key called <pad> is not hidden: the mask padding would hide it\n"
        "1 key called [PAD] is not hidden: the mask padding would hide it\n");
  CHECK(notes_of(masked(padded, "padding")) == "");
  CHECK(notes_of(masked(padded, "keys:2")) == "");
  CHECK(notes_of(masked(padded, "causal")) == "");  // only the padding itself sees it
  CHECK(has(notes_of(masked(three_tokens({"<pad>", "a", "b"}), "causal")), "is not hidden"));
  CHECK(notes_of(three_tokens({"a", "pad", "PAD"})) == "");
}

TEST_CASE("notes: causal in cross attention is pointed out") {
  CHECK(has(notes_of(masked(with_memory(), "causal")),
            "position 0 of the target sees only position 0 of the memory"));
  CHECK(notes_of(with_memory()) == "");
  CHECK(notes_of(masked(three_tokens({"a", "b", "c"}), "causal")) == "");
  ProblemDraft late = masked(with_memory(), "causal");
  late.align = Align::End;  // position 0 sees keys 0 and 1: the sentence would not be true
  CHECK(notes_of(late) == "");
}

TEST_CASE("notes: weights of cross attention without a memory are pointed out") {
  ProblemDraft draft = three_tokens({"a", "b", "c"});
  CHECK(notes_of(draft) == "");
  draft.cross_weights = true;
  CHECK(has(notes_of(draft), "but there is no memory"));
  draft = with_memory();
  draft.cross_weights = true;
  CHECK(notes_of(draft) == "");
}

TEST_CASE("memory: values may have separate rows; inputs of keys and values may have any width") {
  ProblemDraft draft = with_memory();
  draft.memory->values = Array{{4, 1}, {10, 20, 30, 40}};
  draft.memory->embeddings = Array{{4, 3}, {1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 1, 1}};
  draft.weights["w_k"] = Array{{3, 2}, {1, 0, 0, 1, 1, 1}};  // kdim 3
  draft.weights["w_v"] = Array{{1, 2}, {1, 2}};              // vdim 1
  const Trace trace = attend(make_problem(draft));
  CHECK(trace.at("v").inputs == std::vector<std::string>{"memory_values", "w_v"});
  CHECK(trace.value("v").data() == std::vector<double>{10, 20, 20, 40, 30, 60, 40, 80});
  CHECK(trace.value("k").data() == std::vector<double>{1, 0, 0, 1, 1, 1, 2, 2});

  draft.weights["w_v"] = Array{{2, 2}, {1, 2, 3, 4}};
  CHECK(
      has(error_of(draft).what(),
          "step V = memory.values·W_v cannot be computed: memory.values has 1 column, w_v has 2"));
  draft.memory->values = Array{{3, 1}, {10, 20, 30}};
  const Error error = error_of(draft);
  CHECK(std::string(error.what()) == "memory has 4 rows of embeddings, but 3 of values");
  CHECK(error.diagnostics().front().places.front().pointer == "/memory/values");
}

TEST_CASE("embeddings alone: Q, K and V are X, and a note says so") {
  ProblemDraft draft = three_tokens({"a", "b", "c"});
  const std::vector<double> with_identity =
      attend(make_problem(draft)).value("output").data().copy();
  draft.weights.clear();
  const Trace trace = attend(make_problem(draft));
  CHECK(trace.value("output").data() == with_identity);
  CHECK(formula_text(trace, trace.at("k")) == "K = X");
  CHECK(notes_of(draft) == "without weights, Q, K and V are the inputs themselves\n");
  draft.heads = 2;
  CHECK(attend(make_problem(draft)).value("q_heads").shape().heads == 2);
  draft.memory = ProblemDraft::Memory{{}, Array{{2, 3}, {1, 2, 3, 4, 5, 6}}};
  draft.heads.reset();
  CHECK(has(error_of(draft).what(), "X has 2 columns, memory has 3 columns"));
}

TEST_CASE("embedding_table: of thousands of unknown tokens the first are reported, all counted") {
  ProblemDraft draft;
  draft.embedding_table = {{"the", {1, 0}}, {"cat", {0, 1}}};
  draft.tokens = {std::vector<std::string>(20000, "dog")};
  const Error error = error_of(draft);
  CHECK(error.diagnostics().size() == 20);
  CHECK(error.omitted() == 19980);
  CHECK(error.diagnostics().back().places.front().pointer == "/tokens/19");
}

TEST_CASE("masks: a token that is not among 200,000 keys is reported") {
  ProblemDraft draft;
  const Index n = 200000;
  draft.q = Array{{1, 1}, {1}};
  draft.k = draft.v = Array{{n, 1}, std::vector<double>(static_cast<std::size_t>(n), 1.0)};
  draft.masks = {parse_mask("keys:zz")};
  CHECK(has(error_of(draft).what(), "names \"zz\", but no key has that name"));
}

TEST_CASE("parameters: the numbers of all projections, equal ones together") {
  ProblemDraft draft = three_tokens({"a", "b", "c"});
  const auto text = [&] {
    const Trace trace = attend(make_problem(draft));
    const auto count = parameter_count(trace, trace.scope());
    return std::to_string(count->total) + " = " + count->formula;
  };
  CHECK(text() == "12 = 3·(2·2)");
  for (const char* name : {"b_q", "b_k", "b_v", "b_o"}) draft.weights[name] = Array{{2}, {1, 2}};
  draft.weights["w_o"] = Array{{2, 2}, {1, 0, 0, 1}};
  CHECK(text() == "24 = 4·(2·2 + 2)");
  draft.weights["w_v"] = Array{{2, 1}, {1, 1}};
  draft.weights["b_v"] = Array{{1}, {1}};
  draft.weights["w_o"] = Array{{1, 2}, {1, 1}};
  draft.weights.erase("b_o");
  CHECK(text() == "17 = 2·(2·2 + 2) + (2·1 + 1) + 1·2");
  draft = ProblemDraft();
  draft.q = draft.k = draft.v = Array{{1, 1}, {1}};
  const Trace given = attend(make_problem(draft));
  CHECK(!parameter_count(given, given.scope()));
}

}  // namespace attn::testing

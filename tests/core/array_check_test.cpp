// Arrays with more or fewer numbers than their shapes say, which only a user of the library makes.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "attn/attend.hpp"
#include "attn/error.hpp"
#include "attn/io/problem_file.hpp"
#include "support/errors.hpp"
#include "support/files.hpp"

namespace attn::testing {
namespace {

/// The pointers of all complaints.
std::vector<std::string> misshapen(const ProblemDraft& draft) {
  std::vector<std::string> pointers;
  for (const Diagnostic& each : diagnostics_from([&] { attend(make_problem(draft)); })) {
    CHECK(each.id == "shape-mismatch");
    pointers.push_back(each.places.front().pointer);
  }
  return pointers;
}

ProblemDraft tied_llama() {
  return parse_problem(read_test_file("reference/models/llama_tied.json"), "llama.json").draft;
}

}  // namespace

TEST_CASE("arrays: one without all of its numbers is refused, with its shape") {
  ProblemDraft draft;
  draft.q = draft.k = draft.v = Array{{2, 2}, {1, 2, 3}};
  CHECK(misshapen(draft) == std::vector<std::string>{"/q", "/k", "/v"});
  CHECK_THROWS_WITH(make_problem(draft), doctest::Contains("q is 2×2, but it has 3 numbers"));
  draft.q = draft.k = draft.v = Array{{2, 1}, {1, 2}};
  CHECK(misshapen(draft).empty());
  draft.bias = Array{{2, 2}, {}};
  draft.allowed = Array{{-1, -1}, {1}};
  draft.past = ProblemDraft::Past{{}, Array{{2, 1}, {1}}, Array{{1, 1}, {1}}};
  CHECK(misshapen(draft) == std::vector<std::string>{"/allowed", "/bias", "/past/k"});
}

TEST_CASE("arrays: embeddings, a memory, weights and a vocabulary are looked at, too") {
  ProblemDraft draft;
  draft.embeddings = Array{{2, 1}, {1, 2, 3}};
  draft.memory = MemoryDraft{{}, Array{{2, 1}, {1}}, Array{{2, 1}, {1}}};
  draft.vocabulary = VocabularyDraft{{}, Array{{1, 2}, {1}}, Array{{2}, {1}}, {}};
  draft.weights["w_q"] = Array{{1, 1}, {}};
  CHECK(misshapen(draft) == std::vector<std::string>{"/embeddings", "/memory/embeddings",
                                                     "/memory/values", "/vocabulary/w",
                                                     "/vocabulary/b", "/weights/w_q"});
}

TEST_CASE("arrays: weights of a model that end too early are refused when they are read") {
  for (const char* name : {"model.norm.weight", "model.layers.0.self_attn.q_proj.weight"}) {
    CAPTURE(name);
    ProblemDraft draft = tied_llama();
    Array array = draft.weights.at(name);
    draft.weights.erase(name);
    array.data.pop_back();
    draft.model_weights[name] = {array.shape, [array] { return array; }};
    CHECK(misshapen(draft).size() == 1);
  }
}

}  // namespace attn::testing

// Weights under other libraries' names and layouts give the same attention.
#include "attn/suggest.hpp"
#include "core/problem/foreign_weights.hpp"

#include <doctest/doctest.h>

#include "attn/attend.hpp"
#include "support/compare.hpp"
#include "support/dice.hpp"
#include "support/errors.hpp"
#include "support/phrases.hpp"

namespace attn::testing {
namespace {

constexpr Index kWidth = 6;

Array transposed(const Array& a) {
  Array t{{a.shape[1], a.shape[0]}, std::vector<double>(a.data.size())};
  for (Index r = 0; r < a.shape[0]; ++r) {
    for (Index c = 0; c < a.shape[1]; ++c) {
      t.data[static_cast<std::size_t>(c * a.shape[0] + r)] =
          a.data[static_cast<std::size_t>(r * a.shape[1] + c)];
    }
  }
  return t;
}

/// Arrays one above the other.
Array stacked_rows(const std::vector<Array>& parts) {
  Array all = parts[0];
  all.shape[0] = 0;
  all.data.clear();
  for (const Array& part : parts) {
    all.shape[0] += part.shape[0];
    all.data.insert(all.data.end(), part.data.begin(), part.data.end());
  }
  return all;
}

ProblemDraft own_names() {
  Dice dice(11);
  ProblemDraft draft;
  draft.heads = 2;
  draft.embeddings = dice.numbers({4, kWidth});
  for (const char* name : {"w_q", "w_k", "w_v", "w_o"}) {
    draft.weights[name] = dice.numbers({kWidth, kWidth});
  }
  for (const char* name : {"b_q", "b_k", "b_v", "b_o"}) {
    draft.weights[name] = dice.numbers({kWidth});
  }
  return draft;
}

/// The same problem with its weights under other names.
Trace renamed(const ProblemDraft& draft, WeightArrays weights) {
  ProblemDraft other = draft;
  other.weights = std::move(weights);
  return attend(make_problem(other));
}

std::string complaint_of(WeightArrays weights) {
  ProblemDraft draft = own_names();
  draft.weights = std::move(weights);
  return refusal_from([&] { make_problem(draft); }).what;
}

}  // namespace

TEST_CASE("weights: the names and layouts of every library give the same attention") {
  const ProblemDraft draft = own_names();
  const Tensor expected = attend(make_problem(draft)).value("output");
  const auto& own = draft.weights;
  const auto t = [&](const char* name) { return transposed(own.at(name)); };
  const auto v = [&](const char* name) { return own.at(name); };
  const Array packed = stacked_rows({t("w_q"), t("w_k"), t("w_v")});
  const Array packed_bias = stacked_rows({v("b_q"), v("b_k"), v("b_v")});
  const struct {
    const char* what;
    WeightArrays weights;
    std::string note;
  } rows[] = {
      {"nn.MultiheadAttention, packed",
       {{"in_proj_weight", packed},
        {"in_proj_bias", packed_bias},
        {"out_proj.weight", t("w_o")},
        {"out_proj.bias", v("b_o")}},
       "nn.MultiheadAttention and are stored out × in"},
      {"nn.MultiheadAttention, separate",
       {{"q_proj_weight", t("w_q")},
        {"k_proj_weight", t("w_k")},
        {"v_proj_weight", t("w_v")},
        {"in_proj_bias", packed_bias},
        {"out_proj.weight", t("w_o")},
        {"out_proj.bias", v("b_o")}},
       "nn.MultiheadAttention and are stored out × in"},
      {"Llama",
       {{"q_proj.weight", t("w_q")},
        {"k_proj.weight", t("w_k")},
        {"v_proj.weight", t("w_v")},
        {"o_proj.weight", t("w_o")},
        {"q_proj.bias", v("b_q")},
        {"k_proj.bias", v("b_k")},
        {"v_proj.bias", v("b_v")},
        {"o_proj.bias", v("b_o")}},
       "Llama and are stored out × in"},
      {"BERT",
       {{"self.query.weight", t("w_q")},
        {"self.key.weight", t("w_k")},
        {"self.value.weight", t("w_v")},
        {"output.dense.weight", t("w_o")},
        {"self.query.bias", v("b_q")},
        {"self.key.bias", v("b_k")},
        {"self.value.bias", v("b_v")},
        {"output.dense.bias", v("b_o")}},
       "BERT and are stored out × in"},
      {"GPT-2, Conv1D",
       {{"c_attn.weight", transposed(packed)},
        {"c_attn.bias", packed_bias},
        {"c_proj.weight", v("w_o")},
        {"c_proj.bias", v("b_o")}},
       std::string("GPT-2") + kAsInConv1D},
      {"GPT-2, Linear",
       {{"c_attn.weight", packed},
        {"c_attn.bias", packed_bias},
        {"c_proj.weight", t("w_o")},
        {"c_proj.bias", v("b_o")}},
       "GPT-2 and are stored out × in"},
      {"a course's linear layers",
       {{"W_query.weight", t("w_q")},
        {"W_key.weight", t("w_k")},
        {"W_value.weight", t("w_v")},
        {"output_proj.weight", t("w_o")},
        {"W_query.bias", v("b_q")},
        {"W_key.bias", v("b_k")},
        {"W_value.bias", v("b_v")},
        {"output_proj.bias", v("b_o")}},
       "linear layers and are stored out × in"},
      {"The Annotated Transformer",
       {{"linears.0.weight", t("w_q")},
        {"linears.1.weight", t("w_k")},
        {"linears.2.weight", t("w_v")},
        {"linears.3.weight", t("w_o")},
        {"linears.0.bias", v("b_q")},
        {"linears.1.bias", v("b_k")},
        {"linears.2.bias", v("b_v")},
        {"linears.3.bias", v("b_o")}},
       "The Annotated Transformer and are stored out × in"},
      {"ViT",
       {{"qkv.weight", packed},
        {"qkv.bias", packed_bias},
        {"proj.weight", t("w_o")},
        {"proj.bias", v("b_o")}},
       "ViT and are stored out × in"},
  };
  for (const auto& row : rows) {
    CAPTURE(row.what);
    const Trace trace = renamed(draft, row.weights);
    CHECK(first_difference(expected, trace.value("output")) == "");
    REQUIRE(trace.notes.size() == 1);
    CHECK(trace.notes[0].find(row.note) != std::string::npos);

    ProblemDraft headless = draft;
    headless.heads.reset();
    headless.weights = row.weights;
    const std::string library =
        std::string(row.note).substr(0, std::string(row.note).find(" and "));
    const Diagnostic refusal = refusal_from([&] { make_problem(headless); });
    CHECK(refusal.what == "the weights have the layout of " + library +
                              ", which does not say how many heads there are, and "
                              "heads is not given");
    CHECK(refusal.fix ==
          "Add the number of heads, a divisor of 6: \"heads\": 1 if there is one head.");
    CHECK(refusal.changes.at(0).setting == "heads");
  }
}

namespace {

/// Some rows of a matrix, in order.
Array rows_of(const Array& a, const std::vector<Index>& rows) {
  const Index width = a.rank() > 1 ? a.shape[1] : 1;
  Array some = a;
  some.shape[0] = std::ssize(rows);
  some.data.clear();
  for (const Index row : rows) {
    const auto begin = a.data.begin() + row * width;
    some.data.insert(some.data.end(), begin, begin + width);
  }
  return some;
}

void check_same(const ProblemDraft& draft, const WeightArrays& weights, const std::string& note) {
  CAPTURE(note);
  const Tensor expected = attend(make_problem(draft)).value("output");
  const Trace trace = renamed(draft, weights);
  CHECK(first_difference(expected, trace.value("output")) == "");
  CHECK(trace.settings().heads == draft.heads);
  REQUIRE(!trace.notes.empty());
  CHECK(trace.notes[0].find(note) != std::string::npos);
}

}  // namespace

TEST_CASE("weights: matrices of courses are in × out, and a note says so") {
  ProblemDraft draft = own_names();
  for (const char* bias : {"b_q", "b_k", "b_v", "b_o"}) draft.weights.erase(bias);
  const auto& own = draft.weights;
  const char* names[][4] = {{"W_q", "W_k", "W_v", "W_o"},
                            {"WQ", "WK", "WV", "WO"},
                            {"W_Q", "W_K", "W_V", "W_O"},
                            {"wq", "wk", "wv", "wo"},
                            {"w_query", "w_key", "w_value", "w_out"},
                            {"W_query", "W_key", "W_value", "W_out"}};
  for (const auto& [q, k, v, o] : names) {
    const WeightArrays weights{
        {q, own.at("w_q")}, {k, own.at("w_k")}, {v, own.at("w_v")}, {o, own.at("w_o")}};
    check_same(draft, weights, " are read as in × out, for X·W");
  }
}

TEST_CASE("weights: a module for each head says how many heads there are; its masks are left out") {
  ProblemDraft draft = own_names();
  for (const char* bias : {"b_q", "b_k", "b_v"}) draft.weights.erase(bias);
  const auto half = [&](const char* name, Index head) {
    return rows_of(transposed(draft.weights.at(name)), {3 * head, 3 * head + 1, 3 * head + 2});
  };
  WeightArrays weights{{"proj.weight", transposed(draft.weights.at("w_o"))},
                       {"proj.bias", draft.weights.at("b_o")}};
  for (const Index head : {0, 1}) {
    const std::string front = "heads." + std::to_string(head) + ".";
    weights[front + "query.weight"] = half("w_q", head);
    weights[front + "key.weight"] = half("w_k", head);
    weights[front + "value.weight"] = half("w_v", head);
    weights[front + "tril"] = {{2, 2}, {1, 0, 1, 1}};
  }
  check_same(draft, weights, "not used: heads.0.tril, heads.1.tril");
  draft.heads.reset();
  draft.weights = weights;
  CHECK(attend(make_problem(draft)).settings().heads == 2);
  weights.erase("heads.0.key.weight");
  CHECK(complaint_of(weights).find("heads.N.key.weight should be there for each head") !=
        std::string::npos);
  draft.weights = weights;
  draft.heads = 3;
  CHECK_THROWS_AS(make_problem(draft), Error);
}

TEST_CASE("weights: kernels of Keras have an axis for heads") {
  ProblemDraft draft = own_names();
  const auto kernel = [&](const char* name, std::vector<Index> shape) {
    return Array{std::move(shape), draft.weights.at(name).data};
  };
  const WeightArrays weights{{"query/kernel", kernel("w_q", {6, 2, 3})},
                             {"key/kernel", kernel("w_k", {6, 2, 3})},
                             {"value/kernel", kernel("w_v", {6, 2, 3})},
                             {"attention_output/kernel", kernel("w_o", {2, 3, 6})},
                             {"query/bias", kernel("b_q", {2, 3})},
                             {"key/bias", kernel("b_k", {2, 3})},
                             {"value/bias", kernel("b_v", {2, 3})},
                             {"attention_output/bias", draft.weights.at("b_o")}};
  const Tensor expected = attend(make_problem(draft)).value("output");
  draft.heads.reset();
  const Trace trace = renamed(draft, weights);
  CHECK(first_difference(expected, trace.value("output")) == "");
  CHECK(trace.settings().heads == 2);
}

TEST_CASE("weights: the problem says how q, k and v are laid out in one tensor") {
  ProblemDraft draft = own_names();
  const auto t = [&](const char* name) { return transposed(draft.weights.at(name)); };
  const Array parts = stacked_rows({t("w_q"), t("w_k"), t("w_v")});
  const std::vector<Index> by_head{0, 1, 2, 6, 7, 8, 12, 13, 14, 3, 4, 5, 9, 10, 11, 15, 16, 17};
  const Array biases =
      stacked_rows({draft.weights.at("b_q"), draft.weights.at("b_k"), draft.weights.at("b_v")});
  const Tensor expected = attend(make_problem(draft)).value("output");
  const WeightArrays rest{{"o_proj.weight", t("w_o")}, {"o_proj.bias", draft.weights.at("b_o")}};
  for (const char* name : {"qkv_layer", "qkv_proj", "qkv", "query_key_value"}) {
    for (const FusedKind kind : {FusedKind::Parts, FusedKind::PerHead, FusedKind::PerGroup}) {
      const bool by_parts = kind == FusedKind::Parts;
      ProblemDraft other = draft;
      other.fused = kind;
      other.weights = rest;
      other.weights[name + std::string(".weight")] = by_parts ? parts : rows_of(parts, by_head);
      other.weights[name + std::string(".bias")] = by_parts ? biases : rows_of(biases, by_head);
      CHECK(first_difference(expected, attend(make_problem(other)).value("output")) == "");
    }
  }
  WeightArrays unsaid = rest;
  unsaid["qkv_layer.weight"] = parts;
  CHECK(complaint_of(unsaid).find("nothing says in which order") != std::string::npos);
}

TEST_CASE("weights: no guess has another layout") {
  CHECK(weight_guess("W_quer.weight") == did_you_mean({"W_query.weight", "w_query.weight"}));
  CHECK(weight_guess("W_quer").find("weight") == std::string::npos);
  CHECK(weight_guess("w_qq.weight").find("\"w_q\"") == std::string::npos);
}

TEST_CASE("weights: attn's own names are not worth a note") {
  CHECK(attend(make_problem(own_names())).notes.empty());
}

TEST_CASE("weights: unknown names, parts given twice and parts that do not split are reported") {
  const Array square{{2, 2}, {1, 0, 0, 1}};
  CHECK(complaint_of({{"W_Q", square}}).find("weights has no w_k or w_v") == 0);
  CHECK(complaint_of({{"q_proj.weigth", square}}).find("\"q_proj.weight\"") != std::string::npos);
  CHECK(complaint_of({{"w_q", square}, {"q_proj.weight", square}}).find(given_twice("w_q")) == 0);
  CHECK(
      complaint_of({{"in_proj_weight", square}}).find("in_proj_weight should be 3·d_out × d_in") ==
      0);
  CHECK(complaint_of({{"c_attn.weight", square}}).find("c_attn.weight should be d_in × 3·d_out") ==
        0);
  CHECK(complaint_of({{"query.weight", {{4}, {1, 2, 3, 4}}}})
            .find("query.weight should be a matrix, out × in") == 0);
}

}  // namespace attn::testing

// Weights under other libraries' names and layouts give the same attention.
#include "core/problem/foreign_weights.hpp"

#include <doctest/doctest.h>

#include "attn/attend.hpp"
#include "support/compare.hpp"
#include "support/dice.hpp"

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
  try {
    make_problem(draft);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
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
    const char* note;
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
       "GPT-2 and are stored in × out, as in its Conv1D; attn does not transpose them"},
      {"GPT-2, Linear",
       {{"c_attn.weight", packed},
        {"c_attn.bias", packed_bias},
        {"c_proj.weight", t("w_o")},
        {"c_proj.bias", v("b_o")}},
       "GPT-2 and are stored out × in"},
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
    try {
      make_problem(headless);
      FAIL("nothing says how many heads there are");
    } catch (const Error& error) {
      CHECK(std::string(error.what()) == "the weights have the layout of " + library +
                                             ", which does not say how many heads there are, and "
                                             "heads is not given");
      CHECK(error.diagnostics().front().fix ==
            "Add the model's number of heads, such as \"heads\": 12.");
      CHECK(error.diagnostics().front().changes.front().setting == "heads");
    }
  }
}

TEST_CASE("weights: attn's own names are not worth a note") {
  CHECK(attend(make_problem(own_names())).notes.empty());
}

TEST_CASE("weights: unknown names, parts given twice and parts that do not split are reported") {
  const Array square{{2, 2}, {1, 0, 0, 1}};
  CHECK(complaint_of({{"W_Q", square}})
            .find("there is no weight called \"W_Q\"; did you mean \"w_q\"?") == 0);
  CHECK(complaint_of({{"q_proj.weigth", square}}).find("did you mean \"q_proj.weight\"") !=
        std::string::npos);
  CHECK(complaint_of({{"w_q", square}, {"q_proj.weight", square}}).find("w_q is given twice") == 0);
  CHECK(
      complaint_of({{"in_proj_weight", square}}).find("in_proj_weight should be 3·d_out × d_in") ==
      0);
  CHECK(complaint_of({{"c_attn.weight", square}}).find("c_attn.weight should be d_in × 3·d_out") ==
        0);
  CHECK(complaint_of({{"query.weight", {{4}, {1, 2, 3, 4}}}})
            .find("query.weight should be a matrix, out × in") == 0);
}

}  // namespace attn::testing

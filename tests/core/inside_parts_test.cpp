// A look inside layers put together otherwise, against plain loops.
// These are experts, norms after branches, and parallel branches.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <vector>

#include "attn/attend.hpp"
#include "attn/inside.hpp"
#include "core/operations/operations.hpp"
#include "support/compare.hpp"
#include "support/derivations.hpp"
#include "support/dice.hpp"
#include "support/small_models.hpp"

namespace attn::testing {
namespace {

constexpr Index kColumns = 8, kWordsOfModel = 7;

Trace looked_into(const ProblemDraft& draft, Index row) {
  return attend_inside(
      make_problem(draft), {}, {},
      {.lens = true, .contributions = ContributionChoice{{"2", "5"}, std::to_string(row)}});
}

std::vector<double> row_of(const Tensor& t, Index row, Index batch = 0) {
  const auto numbers = t.row(t.batch() > 1 ? batch : 0, 0, row);
  return {numbers.begin(), numbers.end()};
}

/// Whether all parts of word 2 add up to its logit.
void check_sum(const Trace& trace, Index row) {
  const Tensor& parts = trace.value("logit.contributions");
  double sum = 0.0;
  for (Index r = 0; r < parts.rows(); ++r) sum += parts.at({0, 0, r, 0});
  CHECK(close(trace.value("logits").at({0, 0, row, 2}), sum, 1e-10));
}

/// What the trace says about a part, or NaN.
double found(const Trace& trace, const std::string& part, Index word, Index batch = 0) {
  const Step& step = trace.at("logit.contributions");
  const TokenLists& lists = step.scope->query_tokens;
  const auto& labels = lists[lists.size() > 1 ? static_cast<std::size_t>(batch) : 0];
  const auto at = std::find(labels.begin(), labels.end(), part);
  if (at == labels.end()) return std::nan("");
  return step.value.at({step.value.batch() > 1 ? batch : 0, 0, at - labels.begin(), word});
}

/// A norm whose size is that of `x`, applied to something else.
struct Frozen {
  std::vector<double> gain;
  double size = 0.0;
  bool centred;

  Frozen(const Trace& trace, const Step& norm, Index row)
      : gain(row_of(trace.input(norm, 1).value, 0)), centred(norm.operation == &ops::layer_norm) {
    const std::vector<double> x = row_of(trace.input(norm, 0).value, row);
    const double mean = centred ? mean_of(x) : 0.0;
    for (const double each : x) size += (each - mean) * (each - mean);
    size = std::sqrt(size / static_cast<double>(x.size()) + norm.parameters.number("epsilon"));
  }
  static double mean_of(const std::vector<double>& x) {
    double sum = 0.0;
    for (const double each : x) sum += each;
    return sum / static_cast<double>(x.size());
  }
  std::vector<double> operator()(std::vector<double> x) const {
    const double mean = centred ? mean_of(x) : 0.0;
    for (std::size_t c = 0; c < x.size(); ++c) x[c] = (x[c] - mean) / size * gain[c];
    return x;
  }
};

/// Times the weights of a word, which are a column of the layer that makes the logits.
double toward(const Trace& trace, const std::vector<double>& x, Index word) {
  const Step& logits = trace.at("logits");
  const Tensor& words = trace.input(logits, 1).value;
  const bool tied = logits.parameters.find("transposed") != nullptr;
  double sum = 0.0;
  for (std::size_t c = 0; c < x.size(); ++c) {
    const auto d = static_cast<Index>(c);
    sum += x[c] * words.at(tied ? Cell{0, 0, word, d} : Cell{0, 0, d, word});
  }
  return sum;
}

/// What a head writes, by plain loops.
std::vector<double> written_by(const Trace& trace, const std::string& scope, Index head,
                               Index row) {
  const Tensor &z = trace.value(scope + ".context"), &w_o = trace.value(scope + ".w_o");
  std::vector<double> wrote(static_cast<std::size_t>(kColumns));
  for (Index l = 0; l < z.cols(); ++l) {
    for (Index c = 0; c < kColumns; ++c)
      wrote[static_cast<std::size_t>(c)] +=
          z.at({0, head, row, l}) * w_o.at({0, 0, head * z.cols() + l, c});
  }
  return wrote;
}

struct Weights {
  Dice dice{11};
  ProblemDraft draft = {};

  explicit Weights(const std::string& kind) {
    draft.model = ModelDraft{kind, false, "", std::nullopt, std::nullopt};
    draft.heads = 2;
    draft.ids = {{3, 1, 4, 6, 2}};
  }
  void add(const std::string& name, const std::vector<Index>& shape) {
    draft.weights[name] = dice.numbers(shape);
  }
  void add_linear(const std::string& name, Index rows, Index columns) {
    add(name + ".weight", {rows, columns});
    add(name + ".bias", {rows});
  }
  void add_norm(const std::string& name) {
    add(name + ".weight", {kColumns});
    add(name + ".bias", {kColumns});
  }
};

ProblemDraft olmo2() {
  Weights made("olmo2");
  made.draft.qk_norm = {.kind = QkNormKind::Rms, .is_given = true, .offset = 0.0};
  made.add("embed_tokens.weight", {kWordsOfModel, kColumns});
  made.add("norm.weight", {kColumns});
  made.add("lm_head.weight", {kWordsOfModel, kColumns});
  for (const std::string layer : {"layers.0.", "layers.1."}) {
    for (const char* name : {"self_attn.q_norm", "self_attn.k_norm", "post_attention_layernorm",
                             "post_feedforward_layernorm"})
      made.add(layer + name + ".weight", {kColumns});
    for (const char* letter : {"q", "k", "v", "o"})
      made.add(layer + "self_attn." + letter + "_proj.weight", {kColumns, kColumns});
    made.add(layer + "mlp.gate_proj.weight", {6, kColumns});
    made.add(layer + "mlp.up_proj.weight", {6, kColumns});
    made.add(layer + "mlp.down_proj.weight", {kColumns, 6});
  }
  return made.draft;
}

ProblemDraft neox() {
  Weights made("gpt_neox");
  made.add("embed_in.weight", {kWordsOfModel, kColumns});
  made.add_norm("final_layer_norm");
  made.add("embed_out.weight", {kWordsOfModel, kColumns});
  for (const std::string layer : {"layers.0.", "layers.1."}) {
    made.add_norm(layer + "input_layernorm");
    made.add_norm(layer + "post_attention_layernorm");
    made.add_linear(layer + "attention.query_key_value", 3 * kColumns, kColumns);
    made.add_linear(layer + "attention.dense", kColumns, kColumns);
    made.add_linear(layer + "mlp.dense_h_to_4h", 6, kColumns);
    made.add_linear(layer + "mlp.dense_4h_to_h", kColumns, 6);
  }
  return made.draft;
}

/// The norm that a step goes through; every part of a branch is one of its summands.
const Step& norm_of(const Trace& trace, const std::string& input) {
  const auto at = std::find_if(trace.steps.begin(), trace.steps.end(), [&](const Step& step) {
    const bool norm = step.operation == &ops::rms_norm || step.operation == &ops::layer_norm;
    return norm && step.inputs.front() == input;
  });
  REQUIRE(at != trace.steps.end());
  return *at;
}

/// The logits of a lens are the last norm of its residual, times the words.
void check_lens(const Trace& trace, const std::string& lens, const std::string& layer) {
  const Step& norm = trace.at(lens + ".norm");
  CHECK(norm.inputs.front().starts_with(layer));
  const Tensor& logits = trace.value(lens + ".logits");
  for (Index row = 0; row < logits.rows(); ++row) {
    const Frozen own(trace, norm, row);
    std::vector<double> normed = own(row_of(trace.input(norm, 0).value, row));
    const bool biased = norm.inputs.size() > 2;
    for (std::size_t c = 0; biased && c < normed.size(); ++c)
      normed[c] += row_of(trace.input(norm, 2).value, 0)[c];
    for (const Index word : {0, 2, 5})
      CHECK(close(toward(trace, normed, word), logits.at({0, 0, row, word})));
  }
}

}  // namespace

TEST_CASE("inside: experts have a row each, and add up to what their mixture writes") {
  Dice dice(7);
  ProblemDraft draft = gpt_oss_model(dice);
  draft.ids = {{3, 1, 4, 6, 2}, {5, 0, 7, 1, 3}};
  std::set<std::string> seen;
  for (Index row = 0; row < 5; ++row) {
    const Trace trace = looked_into(draft, row);
    const Frozen last(trace, trace.at("norm"), row);
    for (const std::string layer : {"layers.0.", "layers.1."}) {
      const Step& mixture = trace.at(layer + "experts");
      const Tensor& weights = trace.input(mixture, 0).value;
      const Step& parts = trace.at("parts." + layer + "expert_parts");
      CHECK(parts.value.rows() == 2);
      CHECK(first_wrong_derivation(trace, parts) == "");
      for (Index b = 0; b < 2; ++b) {
        std::vector<double> sum(static_cast<std::size_t>(kColumns));
        for (Index e = 0; e < weights.cols(); ++e) {
          const std::string label = layer + "expert." + std::to_string(e);
          const double weight = weights.at({b, 0, row, e});
          CHECK(std::isnan(found(trace, label, 0, b)) == (weight == 0.0));
          if (weight == 0.0) continue;
          std::vector<double> wrote =
              row_of(trace.input(mixture, static_cast<std::size_t>(e + 1)).value, row, b);
          for (double& x : wrote) x *= weight;
          for (std::size_t c = 0; c < sum.size(); ++c) sum[c] += wrote[c];
          seen.insert(label);
          if (b > 0) continue;  // `last` is of entry 0
          CHECK(close(toward(trace, last(wrote), 5), found(trace, label, 1), 1e-10));
        }
        const std::vector<double> whole = row_of(mixture.value, row, b);
        for (std::size_t c = 0; c < sum.size(); ++c) {
          CHECK(close(whole[c], sum[c], 1e-10));
          const auto col = static_cast<Index>(c);
          CHECK(close(whole[c], parts.value.at({b, 0, 0, col}) + parts.value.at({b, 0, 1, col}),
                      1e-10));
        }
      }
    }
    CHECK(std::isnan(found(trace, "layers.0.experts", 0)));
  }
  CHECK(seen.size() > 4);
  Trace shapes = outline(make_problem(draft));
  add_contributions(shapes, {{"2", "5"}, "1"});
  CHECK(shapes.value("logit.contributions").shape() ==
        looked_into(draft, 1).value("logit.contributions").shape());
}

TEST_CASE("inside: OLMo 2 norms what a branch wrote, so the size of the branch counts, too") {
  const ProblemDraft draft = olmo2();
  for (Index row = 0; row < 5; ++row) {
    const Trace trace = looked_into(draft, row);
    const Frozen last(trace, trace.at("norm"), row);
    check_sum(trace, row);
    for (const std::string layer : {"layers.0.", "layers.1."}) {
      const std::string scope = layer + "self_attn";
      const Frozen branch(trace, norm_of(trace, scope + ".output"), row);
      for (Index head = 0; head < 2; ++head)
        CHECK(close(toward(trace, last(branch(written_by(trace, scope, head, row))), 5),
                    found(trace, scope + ".head" + std::to_string(head), 1), 1e-10));
      const Frozen network(trace, norm_of(trace, layer + "linear2"), row);
      const std::vector<double> wrote = row_of(trace.value(layer + "linear2"), row);
      CHECK(
          close(toward(trace, last(network(wrote)), 5), found(trace, layer + "linear2", 1), 1e-10));
    }
    check_lens(trace, "lens.1", "layers.0.");
    check_lens(trace, "lens.2", "layers.1.");
  }
}

TEST_CASE("inside: branches side by side write to one residual") {
  const ProblemDraft draft = neox();
  for (Index row = 0; row < 5; ++row) {
    const Trace trace = looked_into(draft, row);
    const Frozen last(trace, trace.at("norm"), row);
    check_sum(trace, row);
    for (const std::string layer : {"layers.0.", "layers.1."}) {
      const std::string scope = layer + "attention";
      for (Index head = 0; head < 2; ++head)
        CHECK(close(toward(trace, last(written_by(trace, scope, head, row)), 5),
                    found(trace, scope + ".head" + std::to_string(head), 1), 1e-10));
      const std::vector<double> wrote = row_of(trace.value(layer + "linear2"), row);
      CHECK(close(toward(trace, last(wrote), 5), found(trace, layer + "linear2", 1), 1e-10));
    }
    check_lens(trace, "lens.1", "layers.0.");
    std::vector<double> residual = row_of(trace.input(trace.at("lens.0.norm"), 0).value, row);
    const std::vector<double> looked = row_of(trace.value("layers.0.attention.output"), row),
                              made = row_of(trace.value("layers.0.linear2"), row),
                              after = row_of(trace.input(trace.at("lens.1.norm"), 0).value, row);
    for (std::size_t c = 0; c < residual.size(); ++c)
      CHECK(close(after[c], residual[c] + looked[c] + made[c], 1e-10));
  }
}

}  // namespace attn::testing

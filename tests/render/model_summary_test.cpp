// Whole models in text: the summary, layers, cells, the most probable words, all heads at once.
#include <doctest/doctest.h>

#include <algorithm>

#include "attn/io/trace_file.hpp"
#include "attn/render/explain.hpp"
#include "attn/render/heatmap.hpp"
#include "attn/writers.hpp"
#include "support/models.hpp"
#include "support/program.hpp"

namespace attn::testing {
namespace {

const TextStyle kScreen{.width = 80, .fit = Fit::Screen};

View with_decimals(int precision, Notation notation = Notation::Auto) {
  View view;
  view.precision = precision;
  view.notation = notation;
  return view;
}

const View kFew = with_decimals(2);

std::ptrdiff_t widest_line(const std::string& text) {
  std::ptrdiff_t most = 0;
  for (const std::string& line : lines_of(text)) most = std::max(most, Ruler().width(line));
  return most;
}

/// A trace with logits of many words that have names.
Trace with_many_words() {
  Trace trace = model_trace("gpt2_prefixed");
  const auto scope = std::make_shared<Scope>(trace.scope());
  for (int i = 0; i < 20; ++i) scope->vocabulary.push_back("word" + std::to_string(i));
  trace.steps.rearrange([&](auto& steps) {
    for (Step& step : steps) {
      if (step.scope == trace.scopes.front()) step.scope = scope;
    }
  });
  for (Step& step : trace.steps) {
    if (step.info().role == StepRole::Logits) step.value = Tensor(Shape{{}, {}, 4, 20});
    if (step.info().role != StepRole::Probabilities) continue;
    step.value = Tensor(Shape{{}, {}, 4, 20}, 0.01);
    step.value.at({0, 0, 2, 7}) = 0.9;
    step.value.at({0, 0, 2, 3}) = 0.25;
  }
  for (Step& given : trace.givens) {
    if (given.id == "token_table") given.value = Tensor(Shape{{}, {}, 20, given.value.cols()});
  }
  trace.scopes.front() = scope;
  return trace;
}

}  // namespace

TEST_CASE("model summary: every model has a line for each layer and each of its attentions") {
  for (const std::string& name : model_names()) {
    CAPTURE(name);
    const Trace trace = model_trace(name);
    const std::string text = write_text(summarize_model(trace, kFew), kScreen);
    CHECK(widest_line(text) < 80);
    for (const auto& scope : trace.scopes) {
      const ModelPlace place = place_of(*scope);
      if (!place.layer) continue;
      const std::string line =
          place.module.empty() ? "\n" + scope->name + " " : "\n  " + place.module + ".";
      CHECK_MESSAGE(has(text, line), scope->name);
    }
  }
}

TEST_CASE("model summary: a transformer of two and two layers fits two screens") {
  const std::string text =
      write_text(summarize_model(model_trace("transformer_post_relu"), kFew), kScreen);
  CHECK(lines_of(text).size() <= 46);
  CHECK(has(text, "2 + 2 layers"));
  CHECK(has(text, "linear2                 4×6 → 4×4"));
}

TEST_CASE("model summary: masks are those of each kind of attention") {
  const std::string text =
      unwrapped(write_text(summarize_model(model_trace("transformer_batch_masks"), {}), kScreen));
  CHECK(has(text, "mask of decoder.layers.*.self_attn: causal, padding"));
  CHECK(has(text, "mask of encoder.layers.*.self_attn: padding"));
  CHECK(
      has(write_text(summarize_model(model_trace("gpt2_prefixed"), {}), kScreen), "mask: causal"));
}

TEST_CASE("model summary: a layer has the numbers of its result, weights their entropy") {
  Trace trace = model_trace("attention_only");
  for (Step& step : trace.steps) {
    if (step.info().role == StepRole::Weights)
      step.value = Tensor(step.value.shape(), 1.0 / static_cast<double>(step.value.cols()));
    if (step.id == "layers.0.residual1") {
      step.value = Tensor(step.value.shape(), 2.5);
      step.value.at({0, 0, 0, 0}) = -1.25;
    }
  }
  const std::string text = write_text(summarize_model(trace, kFew), kScreen);
  CHECK(has(text, "layers.0             4×4    -1.25  2.50"));
  CHECK(has(text, "2.00  2.00"));  // log2 of 4 keys
}

TEST_CASE("model summary: numbers have the decimals and the notation that are asked for") {
  Trace trace = model_trace("gpt2_prefixed");
  for (Step& step : trace.steps) {
    if (step.info().role == StepRole::Weights) step.value = Tensor(step.value.shape(), 0.25);
    if (step.id == "h.0.norm1") step.value = Tensor(step.value.shape(), 12345.5);
  }
  const auto with = [&](int precision, Notation notation) {
    return write_text(summarize_model(trace, with_decimals(precision, notation)), kScreen);
  };
  const std::string sci = with(1, Notation::Scientific), fixed = with(1, Notation::Fixed),
                    few = with(2, Notation::Auto);
  CHECK_MESSAGE(has(sci, " 2.5e-01  2.5e-01  2.0e+00  2.0e+00  2.0e+00\n"), sci);
  CHECK_MESSAGE(has(fixed, "norm1              4×4         12345.5  12345.5"), fixed);
  CHECK_MESSAGE(has(few, "1.23e+04"), few);
  CHECK_MESSAGE(has(few, "0.25      0.25"), few);
}

TEST_CASE("model summary: steps without numbers are left out, and nothing reads them") {
  const auto keeps = [](const std::string& id) { return id.ends_with(".weights"); };
  const Trace trace = model_trace("transformer_post_relu", keeps);
  REQUIRE(trace.at("encoder.layers.0.norm1").is_outline());
  const std::string text = write_text(summarize_model(trace, kFew), kScreen);
  CHECK(has(text, "self_attn.weights"));
  CHECK(!has(text, "linear1"));
  View all;
  all.detail = Detail::Full;
  CHECK(has(write_text(explain(trace, all), kScreen), "A = softmax(S′)"));
  CHECK(has(write_text(summarize(trace, {}), kScreen), "weights"));
  CHECK(has(write_overview(trace, {}), "decoder.layers.N.multihead_attn"));
  for (const char* cell : {"encoder.layers.0.self_attn.weights:1,0", "memory:0,1", "output:1"})
    CHECK(has(write_text(explain_cell(trace, cell, {}), kScreen), "Where "));
}

TEST_CASE("model: --layer shows that layer of every stack") {
  const Trace trace = model_trace("transformer_post_relu");
  View view;
  view.layer = 1;
  for (const Step* step : shown_steps(trace, view)) CHECK(place_of(*step->scope).layer == 1);
  view.steps = {"weights"};
  std::vector<std::string> ids;
  for (const Step* step : shown_steps(trace, view)) ids.push_back(step->id);
  CHECK(ids == std::vector<std::string>{"encoder.layers.1.self_attn.weights",
                                        "decoder.layers.1.self_attn.weights",
                                        "decoder.layers.1.multihead_attn.weights"});
  view.layer = 2;
  CHECK_THROWS_AS(explain(trace, view), Error);
}

TEST_CASE("model: cells are found by the names that the output prints") {
  const Trace trace = model_trace("gpt2_prefixed");
  View deep;
  deep.depth = 4;
  const std::string text = write_text(explain_cell(trace, "h.1.attn.weights:2,0", deep), kScreen);
  CHECK(has(text, "h.1.attn.weights[v4, v3]"));
  for (const char* name : {"h.1.norm1[2, x1]", "h.0.residual2[2, x0]", "token_table[1, x0]",
                           "probabilities[2, v3]", "Y[2, v3]", "mean_loss[loss]"}) {
    CAPTURE(name);
    CHECK(has(write_text(explain_cell(trace, name, {}), kScreen), "Where "));
  }
  const auto arithmetic = [&](const char* cell) {
    return write_text(explain_cell(trace, cell, {}), kScreen);
  };
  CHECK(has(arithmetic("h.0.linear1:0,0"), "h.0.linear1.weight and"));
  CHECK(has(arithmetic("h.0.activation:0,0"), "tanh("));
  CHECK(has(arithmetic("h.0.linear2:0,0"), "h.0.activation["));
  CHECK(has(write_text(explain_cell(model_trace("llama_tied"), "layers.0.gate:0,1", {}), kScreen),
            "layers.0.linear3["));
  CHECK_THROWS_WITH_AS(explain_cell(trace, "weights:1,0", {}), doctest::Contains("names 2 steps"),
                       Error);
  View second;
  second.layer = 1;
  CHECK(has(write_text(explain_cell(trace, "weights:2,0", second), kScreen), "h.1.attn.weights"));
}

TEST_CASE("model: of many words, the five most probable of each row, by their names") {
  const Trace trace = with_many_words();
  View view;
  view.steps = {"probabilities"};
  const std::string text = write_text(explain(trace, view), kScreen);
  CHECK(has(text, "most probable"));
  CHECK(has(text, "0.900 word7  0.250 word3  0.010 word0  0.010 word1  0.010 word2"));
  CHECK(has(write_text(explain_cell(trace, "probabilities:2,word7", {}), kScreen), "word7]"));
}

TEST_CASE("overview: heads side by side, layers below each other, kinds of attention apart") {
  const Trace trace = model_trace("transformer_post_relu");
  const std::string text = write_overview(trace, {}, {}, {.ascii = true});
  for (const char* part :
       {"encoder.layers.N.self_attn\n  layer  head 0    head 1\n      0  ", "\n      1  ",
        "decoder.layers.N.self_attn", "decoder.layers.N.multihead_attn", "hidden: "})
    CHECK_MESSAGE(has(text, part), part);
  CHECK(widest_line(text) < 80);
  View one;
  one.layer = 1;
  one.head = 0;
  const std::string part = write_overview(trace, one, {}, {.ascii = true});
  CHECK(!has(part, "\n      0  "));
  CHECK(!has(part, "head 1"));
}

TEST_CASE("overview: a place that covers several weights shows what a query gives those keys") {
  Trace trace = model_trace("attention_only");
  for (Step& step : trace.steps) {
    if (step.info().role != StepRole::Weights) continue;
    step.value = Tensor(Shape{{}, 2, 64, 64});  // each query looks at itself only
    for (Index h = 0; h < 2; ++h) {
      for (Index i = 0; i < 64; ++i) step.value.at({0, h, i, i}) = 1.0;
    }
  }
  trace.steps.rearrange([](auto& steps) {
    std::erase_if(steps, [](const Step& step) {
      return step.info().role == StepRole::Mask || step.info().role == StepRole::MaskedScores;
    });
  });
  for (Step& step : trace.steps) step.inputs.clear();
  const std::string text = write_overview(trace, {}, {}, {.ascii = true});
  CHECK_MESSAGE(has(text, "    0  =*:"), text);
  const std::string svg = write_svg_overview(trace, {}, {}, {});
  CHECK(has(svg, "width=\"4\" height=\"4\""));  // 24 of 96 in a row, and as many in a column
  CHECK(!has(svg, "height=\"1\""));
  View one;
  one.layer = 0;
  one.head = 1;  // a single picture has the whole width: every key has a place of its own
  const std::string alone = write_overview(trace, one, {}, {.ascii = true});
  CHECK_MESSAGE(has(alone, "    0  **" + std::string(62, ':') + "\n"), alone);
}

}  // namespace attn::testing

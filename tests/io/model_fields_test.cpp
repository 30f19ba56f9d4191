// The keys of a problem file for whole models: read, written and read again.
#include <doctest/doctest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "attn/io/problem_file.hpp"
#include "attn/mask.hpp"
#include "attn/phrases.hpp"
#include "attn/problem_options.hpp"
#include "attn/suggest.hpp"
#include "io/error_rows.hpp"
#include "support/errors.hpp"
#include "support/files.hpp"
#include "support/phrases.hpp"

namespace attn::testing {
namespace {

using Ids = std::vector<std::vector<Index>>;
using Numbers = std::vector<double>;

ProblemDraft model_draft(const std::string& text) { return parse_problem(text, "a.json").draft; }

constexpr const char* kEveryKey = R"({
  "model": {"kind": "transformer", "norm_first": true, "activation": "gelu_tanh",
            "layer_norm_eps": 1e-6, "rope_base": 500},
  "ids": [[1, 2], [3, 0]],
  "source": {"tokens": ["I", "eat"], "embeddings": [[1, 2], [3, 4]],
             "embedding_table": {"I": [1, 2]}},
  "source_mask": "padding",
  "memory_mask": ["keys:0", "causal"],
  "vocabulary": {"tokens": ["a", "b"], "w": [[1, 2]], "b": [0, 1], "end_token": "b"},
  "labels": [[1, null], ["b", 0]],
  "weights": {"encoder.layers.0.self_attn.in_proj_weight": [[5]]}
})";

void check_every_key(const ProblemDraft& draft) {
  REQUIRE(draft.model);
  CHECK(draft.model->kind == "transformer");
  CHECK(draft.model->norm_first);
  CHECK(draft.model->activation == "gelu_tanh");
  CHECK(draft.model->layer_norm_eps == 1e-6);
  CHECK(draft.model->rope_base == 500.0);
  CHECK(draft.ids == Ids{{1, 2}, {3, 0}});
  REQUIRE(draft.source);
  CHECK(draft.source->tokens == TokenLists{{"I", "eat"}});
  CHECK(draft.source->embeddings.data == Numbers{1, 2, 3, 4});
  CHECK(draft.source->embedding_table == EmbeddingTable{{"I", {1, 2}}});
  REQUIRE(draft.source_masks.size() == 1);
  CHECK(draft.source_masks[0].text == "padding");
  CHECK(draft.source_masks[0].pointer == "/source_mask");
  REQUIRE(draft.memory_masks.size() == 2);
  CHECK(draft.memory_masks[1].text == "causal");
  CHECK(draft.memory_masks[1].pointer == "/memory_mask/1");
  CHECK(draft.masks.empty());
  REQUIRE(draft.vocabulary);
  CHECK(draft.vocabulary->tokens == std::vector<std::string>{"a", "b"});
  CHECK(draft.vocabulary->w.data == Numbers{1, 2});
  CHECK(draft.vocabulary->b->data == Numbers{0, 1});
  CHECK(draft.vocabulary->end_token == "b");
  REQUIRE(draft.labels.size() == 2);
  CHECK(draft.labels[0][0].index == 1);
  CHECK_FALSE(draft.labels[0][1].index);
  CHECK_FALSE(draft.labels[0][1].text);
  CHECK(draft.labels[1][0].text == "b");
  CHECK(draft.labels[1][1].index == 0);
  CHECK(draft.weights.at("encoder.layers.0.self_attn.in_proj_weight").data == Numbers{5});
}

}  // namespace

TEST_CASE("model keys: every key is read, and comes back from what is written") {
  const ProblemDraft draft = model_draft(kEveryKey);
  check_every_key(draft);
  const std::string text = problem_json(draft);
  check_every_key(model_draft(text));
  CHECK(problem_json(model_draft(text)) == text);
}

TEST_CASE("model keys: one list of ids and labels is one batch entry, written as one list") {
  const ProblemDraft draft = model_draft(R"({"ids": [7, 0], "labels": [3, 1]})");
  CHECK(draft.ids == Ids{{7, 0}});
  REQUIRE(draft.labels.size() == 1);
  CHECK(draft.labels[0][1].index == 1);
  const std::string text = problem_json(draft);
  CHECK(text.find("\"ids\": [7, 0],") != std::string::npos);
  CHECK(text.find("\"labels\": [3, 1]\n") != std::string::npos);
}

TEST_CASE("model keys: every reference problem is read, and nothing is lost in writing it") {
  const std::filesystem::path folder =
      std::filesystem::path(source_dir()) / "tests/reference/models";
  int count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    const std::string name = entry.path().filename().string();
    if (!name.ends_with(".json") || name.ends_with(".expected.json")) continue;
    CAPTURE(name);
    const ProblemDraft draft = model_draft(read_test_file("reference/models/" + name));
    REQUIRE(draft.model);
    CHECK(draft.weights.size() > 3);
    const ProblemDraft again = model_draft(problem_json(draft));
    CHECK(again.model->kind == draft.model->kind);
    CHECK(again.ids == draft.ids);
    CHECK(again.source.has_value() == draft.source.has_value());
    CHECK(again.labels.size() == draft.labels.size());
    CHECK(again.weights.size() == draft.weights.size());
    CHECK(problem_json(again) == problem_json(draft));
    ++count;
  }
  CHECK(count > 10);
}

TEST_CASE("model keys: what is wrong with a value is reported at its place") {
  const char* ids = kListNumbers;
  const char* label = "Write a token of the vocabulary, its index, or null for no label.";
  std::vector<std::string> masks;
  for (const MaskKind& kind : mask_kinds()) masks.emplace_back(kind.usage);
  const std::string one_of_the_masks = "Write one of " + listed(masks) + ".";
  check_rows(std::vector<ProblemRow>{
      {R"({"model": {"norm_first": true}})", "missing-key", without_key("kind"),
       "Add \"kind\" to the object.", "/model", 11},
      {R"({"model": {"kind": "gpt2", "activaton": "relu"}})", "unknown-key",
       no_such("key", "activaton") + " in model" + did_you_mean({"activation"}), kCorrectIt,
       "/model/activaton", 28},
      {R"({"activation": "relu"})", "unknown-key",
       no_such("key", "activation") + " in a problem; \"activation\" belongs in \"model\"",
       "Write \"model\": {\"activation\": ...}.", "/activation", 2},
      {R"({"model": {"kind": "gpt2", "norm_first": "yes"}})", "wrong-type",
       expected("true or false", "the string \"yes\""),
       "Write true or false, without quotation marks.", "/model/norm_first", 42},
      {R"({"ids": [1, -2]})", "out-of-range", expected(whole_number("0", "2147483647"), "-2"),
       number_between("0", "2147483647"), "/ids/1", 13},
      {R"({"ids": ["the"]})", "wrong-type", expected("a whole number", "the string \"the\""),
       kWriteTwo, "/ids/0", 10},
      {R"({"ids": []})", "wrong-type", expected(kWholeNumbers, "an empty list"), ids, "/ids", 9},
      {R"({"ids": [[1], 2]})", "wrong-type", expected(kWholeNumbers, "the number 2"), ids, "/ids/1",
       15},
      {R"({"labels": [true]})", "wrong-type", "expected a label, found true", label, "/labels/0",
       13},
      {R"({"labels": [1, -100]})", "wrong-type", "expected a label, found the number -100", label,
       "/labels/1", 16},
      {R"({"labels": [null, -100]})", "wrong-type", "expected a label, found the number -100",
       label, "/labels/1", 19},
      {R"({"labels": [null, 0.5]})", "wrong-type", expected("a whole number", "the number 0.5"),
       kNoFraction, "/labels/1", 19},
      {R"({"vocabulary": {"tokens": ["a"], "W": [[1]]}})", "unknown-key",
       no_such("key", "W") + " in vocabulary" + did_you_mean({"w"}), kCorrectIt, "/vocabulary/W",
       34},
      {R"({"source_mask": "casual"})", "mask-unknown",
       no_such("mask", "casual") + did_you_mean({"causal"}), one_of_the_masks.c_str(),
       "/source_mask", 17},
      {R"({"source": {"embedings": [[1]]}})", "unknown-key",
       no_such("key", "embedings") + " in source" + did_you_mean({"embeddings"}), kCorrectIt,
       "/source/embedings", 13},
  });
}

TEST_CASE("model keys: --ids takes one list, or one for each batch entry") {
  const auto option = [](const std::string& text) {
    ProblemDraft draft;
    for (const ProblemOption& each : problem_options()) {
      if (each.name == "ids") each.apply(text, draft);
    }
    return draft.ids;
  };
  CHECK(option("464,3797") == Ids{{464, 3797}});
  CHECK(option("1, 2;3, 0") == Ids{{1, 2}, {3, 0}});
  for (const char* wrong : {"", "1,", "1;", "-1", "1.5", "the", "1 2"}) {
    CAPTURE(wrong);
    CHECK(refusal_from([&] { option(wrong); }).id == "option-value");
  }
}

TEST_CASE("model fields: what layers do otherwise is read and written") {
  const std::string text = R"({"model": {"kind": "llama", "layers": [
      {"window": 4, "rope_base": 100, "scaling": {"rope_type": "linear", "factor": 2}},
      {"positions": "none", "scale": 0.5, "softcap": 30}, {"scale": "none"}, {}],
      "embedding_multiplier": 12, "residual_multiplier": 0.25, "logits_scaling": 8,
      "logits_softcap": 30}, "heads": 2, "ids": [1, 2]})";
  const ProblemDraft draft = parse_problem(text, "p.json").draft;
  const std::vector<LayerSettings>& layers = draft.model->layers;
  REQUIRE(layers.size() == 4);
  CHECK(layers[0].window == 4);
  CHECK(layers[0].rope_base == 100.0);
  CHECK(layers[0].scaling->factor == 2.0);
  CHECK(layers[1].positions == PositionKind::None);
  CHECK(layers[1].scale == ScaleRule{ScaleRule::Kind::Number, 0.5});
  CHECK(layers[1].softcap == 30.0);
  CHECK(layers[2].scale->kind == ScaleRule::Kind::None);
  CHECK(layers[3] == LayerSettings());
  CHECK(draft.model->logits_scaling == 8.0);
  const ProblemDraft again = parse_problem(problem_json(draft), "again.json").draft;
  CHECK(again.model->layers == layers);
  CHECK(again.model->embedding_multiplier == 12.0);
  CHECK(again.model->residual_multiplier == 0.25);
  CHECK(again.model->logits_softcap == 30.0);
  const std::string neox = R"({"model": {"kind": "gpt_neox", "parallel_residual": false}})";
  CHECK(parse_problem(problem_json(model_draft(neox)), "p.json").draft.model->parallel_residual ==
        false);
  const std::string roberta = R"({"model": {"kind": "roberta", "pad_id": 3}})";
  CHECK(parse_problem(problem_json(model_draft(roberta)), "p.json").draft.model->pad_id == 3);
}

TEST_CASE("model fields: settings of layers that mean nothing are refused at their place") {
  const auto pointer = [](const std::string& layers) {
    const std::string problem = R"({"model": {"kind": "llama", "layers": )" + layers + "}}";
    return error_from([&] { parse_problem(problem, "p.json"); })
        .diagnostics()
        .front()
        .places.at(0)
        .pointer;
  };
  CHECK(pointer("3") == "/model/layers");
  CHECK(pointer(R"([{"window": 0}])") == "/model/layers/0/window");
  CHECK(pointer(R"([{}, {"windows": 3}])") == "/model/layers/1/windows");
  CHECK(pointer(R"([{"rope_base": -3}])") == "/model/layers/0/rope_base");
  CHECK(pointer(R"([{"positions": "sinusoidal"}])") == "/model/layers/0/positions");
  CHECK(pointer(R"([{"softcap": 0}])") == "/model/layers/0/softcap");
  CHECK(pointer(R"([{"scaling": {"rope_type": "x"}}])") == "/model/layers/0/scaling/rope_type");
}

}  // namespace attn::testing

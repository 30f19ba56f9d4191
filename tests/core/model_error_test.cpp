// What is wrong with a whole model, said at once and before anything is computed.

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "attn/attend.hpp"
#include "attn/error.hpp"
#include "attn/io/problem_file.hpp"
#include "attn/suggest.hpp"
#include "support/errors.hpp"
#include "support/files.hpp"
#include "support/models.hpp"
#include "support/phrases.hpp"

namespace attn::testing {
namespace {

ProblemDraft model(const std::string& name) {
  const std::string file = "reference/models/" + name + ".json";
  return parse_problem(read_test_file(file), file).draft;
}

/// The sentences of the error, and the pointers of their first places.
struct Refusal {
  std::vector<std::string> what, pointers;
};

Refusal refusal(const ProblemDraft& draft) {
  Refusal found;
  const Error error = error_from([&] { attend(make_problem(draft)); });
  for (const Diagnostic& each : error.diagnostics()) {
    found.what.push_back(each.what);
    found.pointers.push_back(each.places.empty() ? "" : each.places.front().pointer);
  }
  return found;
}

}  // namespace

TEST_CASE("model: all tensors that are missing are named at once") {
  ProblemDraft draft = model("gpt2_prefixed");
  draft.weights.erase("transformer.wpe.weight");
  draft.weights.erase("transformer.h.1.attn.c_attn.weight");
  draft.weights.erase("transformer.h.0.mlp.c_fc.weight");
  CHECK(refusal(draft).what.front() ==
        "GPT-2 needs 3 tensors" +
            missing_tensors("h.0.mlp.c_fc.weight, h.1.attn.c_attn.weight, wpe.weight"));
}

TEST_CASE("model: what one layer has, all have: a bias that one of them lacks is missing") {
  ProblemDraft draft = model("encoder_post_gelu");
  draft.weights.erase("layers.1.linear2.bias");
  CHECK(refusal(draft).what.front() ==
        "nn.TransformerEncoder needs 1 tensor" + missing_tensors("layers.1.linear2.bias"));
}

TEST_CASE("model: weights of the wrong shape are named with the shape that they should have") {
  ProblemDraft draft = model("encoder_post_gelu");
  draft.weights["layers.0.linear2.weight"] = {{4, 5}, std::vector<double>(20)};
  draft.weights["layers.1.norm1.weight"] = {{3}, std::vector<double>(3)};
  const Refusal found = refusal(draft);
  REQUIRE(found.what.size() == 2);
  CHECK(found.what[0].starts_with(should_have_shape("layers.0.linear2.weight", "4×")));
  CHECK(found.what[0].ends_with(", but it has 4×5"));
  CHECK(found.pointers[0] == "/weights/layers.0.linear2.weight");
  CHECK(found.what[1] == should_have_shape("layers.1.norm1.weight", "4") + ", but it has 3");
}

TEST_CASE("model: an attention whose weights do not fit its input is named") {
  ProblemDraft draft = model("decoder_post_relu");
  draft.weights["layers.0.self_attn.in_proj_weight"] = {{12, 3}, std::vector<double>(36)};
  CHECK(refusal(draft).what.front() == unfit_rows("w_q of layers.0.self_attn has 3 rows", 4));
}

TEST_CASE("model: ids not in the table, tokens beyond its positions and uneven lists are refused") {
  ProblemDraft draft = model("gpt2_prefixed");
  draft.labels.clear();
  draft.ids = {{1, 99, 0}};
  Refusal found = refusal(draft);
  CHECK(found.what.front() == "there is no token 99: the table has 7 rows");
  CHECK(found.pointers.front() == "/ids/1");
  draft.ids = {{1, 2, 3, 4, 5, 1, 2}};
  found = refusal(draft);
  CHECK(found.what.front() == "the model has 6 positions, but there is a token at position 6");
  draft.ids = {{1, 2}, {1}};
  CHECK(refusal(draft).what.front() == "list 1 of ids has 1 id, list 0 has 2");
}

TEST_CASE("model: heads that do not divide are refused, and so is a model without heads") {
  ProblemDraft draft = model("encoder_post_gelu");
  draft.heads = 3;
  CHECK(refusal(draft).pointers.front() == "/heads");
  for (const Index many : {2000, 2'000'000'000}) {  // not counted one after the other
    draft.heads = many;
    CHECK(refusal(draft).what.front().find("but no weight has as many rows or columns") !=
          std::string::npos);
  }
  draft.heads.reset();
  CHECK(refusal(draft).what.front().find("heads") != std::string::npos);
}

TEST_CASE("model: errors in its masks have their own places") {
  ProblemDraft draft = model("transformer_post_relu");
  draft.source_masks = {parse_mask("keys:9", "/source_mask")};
  CHECK(refusal(draft).pointers.front() == "/source_mask");
  draft.source_masks.clear();
  draft.memory_masks = {parse_mask("keys:9", "/memory_mask")};
  CHECK(refusal(draft).pointers.front() == "/memory_mask");
}

TEST_CASE("model: a pointer is not taken for the beginning of another's name") {
  ProblemDraft draft = model("transformer_post_relu");
  draft.source_masks = {parse_mask("padding:1", "/source_mask")};
  draft.memory_masks.assign(1001, parse_mask("keys:1", "/memory_mask"));
  CHECK(refusal(draft).pointers.front() == "/memory_mask");
  draft = model("transformer_post_relu");
  draft.heads = 2;
  draft.kv_heads = 3;
  for (const std::string& pointer : refusal(draft).pointers) {
    CAPTURE(pointer);
    CHECK(pointer.find("weightsv") == std::string::npos);
  }
}

TEST_CASE("model: it says which inputs it reads, and refuses unknown kinds and activations") {
  ProblemDraft draft = model("encoder_post_gelu");
  draft.model->kind = "transfromer";
  CHECK(refusal(draft).what.front().starts_with(
      "there is no kind of model called \"transfromer\"; "));
  draft.model->kind = "transformer";
  CHECK(refusal(draft).what.front() == reads_what_is_missing("transformer", "source"));
  draft.model->kind = "gpt2";
  CHECK(refusal(draft).what == std::vector<std::string>{reads_what_is_missing("gpt2", "ids"),
                                                        does_not_read("gpt2", "embeddings")});
  draft = model("encoder_post_gelu");
  draft.model->activation = "swish";
  CHECK(refusal(draft).what.front() == no_activation("swish"));
  draft.model->activation = "gleu";
  CHECK(refusal(draft).what.front() == no_activation("gleu") + did_you_mean({"gelu"}));
}

TEST_CASE("model: an encoder-decoder says what its encoder reads") {
  ProblemDraft draft;
  draft.model = ModelDraft{.kind = "t5", .activation = {}, .layer_norm_eps = {}, .rope_base = {}};
  draft.heads = 2;
  draft.ids = {{0}};
  CHECK(refusal(draft).what.front() == reads_what_is_missing("t5", "source"));
  draft.source.emplace();
  CHECK(refusal(draft).what.front() == "source has no embeddings");
  draft.source->ids = {{1, 2}, {3, 4}};
  CHECK(refusal(draft).what.front() == "ids have 1 batch entry, but the source has 2");
  draft.source->ids = {{1, 2}, {3}};
  CHECK(refusal(draft).pointers.front() == "/source/ids/1");
  draft.source->ids = {{1, 2}};
  draft.source->embeddings = Array{{1, 2}, {0.5, 0.5}};
  CHECK(refusal(draft).what.front() == does_not_read("t5", "embeddings") + " beside ids");
  draft.source->embeddings = {};
  draft.model->kind = "whisper";
  CHECK(refusal(draft).what.front() == does_not_read("whisper", "ids"));
  draft.model->kind = "llama";
  CHECK(refusal(draft).what.front() == does_not_read("llama", "source"));
}

TEST_CASE("model: a label that is not a word, and labels without words") {
  ProblemDraft draft = model("gpt2_prefixed");
  draft.labels.front().front().index = 70;
  CHECK(refusal(draft).what.front() == no_word(70) + ": the model has 7");
  draft = model("encoder_post_gelu");
  draft.labels = {{}};
  draft.labels.front().resize(static_cast<std::size_t>(draft.embeddings->shape[0]));
  CHECK(refusal(draft).what.front() == "all labels are null, so there is no loss");
  draft.labels.front().front().index = 0;
  CHECK(refusal(draft).what.front() == "labels need a vocabulary");
  draft.weights.erase("layers.1.linear2.bias");  // one fault, one sentence
  CHECK(refusal(draft).what.size() == 1);
}

TEST_CASE("model: rows that are not as wide as the model are named, not its weights") {
  ProblemDraft draft = model("transformer_post_relu");
  draft.source->embeddings = {{2, 3}, std::vector<double>(6)};
  const Refusal found = refusal(draft);
  CHECK(found.what == std::vector<std::string>{
                          "source.embeddings has 3 columns, but d_model of the weights is 4"});
  CHECK(found.pointers.front() == "/source/embeddings");
}

TEST_CASE("model: ids are looked up in the model's table, text is not") {
  ProblemDraft draft = model("gpt2_prefixed");
  draft.text = "the cat";
  CHECK(refusal(draft).what.front() == "GPT-2 reads ids; text is looked up in an embedding_table");
}

TEST_CASE("model: whichever of the tensors it needs is missing, that one alone is named") {
  for (const std::string& name : model_names()) {
    const ProblemDraft whole = model(name);
    for (const auto& weight : whole.weights) {
      const std::string& tensor = weight.first;
      if (tensor.ends_with("bias") || tensor.find("norm.") != tensor.npos) continue;
      if (tensor.find("lm_head") != tensor.npos || tensor.find("cls.") != tensor.npos) continue;
      ProblemDraft draft = whole;
      draft.weights.erase(tensor);
      CAPTURE(name);
      CAPTURE(tensor);
      const Refusal found = refusal(draft);
      std::string bare = tensor;  // without what a checkpoint puts in front of every name
      for (const std::string prefix : {"bert.", "model.", "transformer."})
        if (bare.starts_with(prefix)) bare.erase(0, prefix.size());
      CHECK(found.what.size() == 1);
      CHECK(found.what.front().ends_with(" needs 1 tensor" + missing_tensors(bare)));
    }
  }
}

TEST_CASE("model: a tensor that all layers lack is missed, too") {
  const auto general = [](std::string name) {  // without the numbers of layers
    for (char& c : name)
      if (c >= '0' && c <= '9') c = '#';
    return name;
  };
  for (const std::string& name : model_names()) {
    const ProblemDraft whole = model(name);
    for (const auto& weight : whole.weights) {
      const std::string dropped = general(weight.first);
      ProblemDraft draft = whole;
      std::erase_if(draft.weights,
                    [&](const auto& each) { return general(each.first) == dropped; });
      CAPTURE(name);
      CAPTURE(dropped);
      if (dropped == "lm_head.weight") {
        CHECK_NOTHROW(make_problem(draft));  // logits by the table
      } else {
        const std::string what = refusal(draft).what.front();
        CHECK(what.find(missing_tensors("")) != what.npos);
      }
    }
  }
}

TEST_CASE("model: layers of nn.Transformer may have no biases at all") {
  for (const char* name : {"transformer_post_relu", "encoder_post_gelu", "attention_only"}) {
    ProblemDraft draft = model(name);
    std::erase_if(draft.weights, [](const auto& each) { return each.first.ends_with("bias"); });
    CHECK_NOTHROW(attend(make_problem(draft)));
  }
}

TEST_CASE("model: a result of the wrong width names the weights that made it") {
  ProblemDraft draft = model("encoder_post_gelu");
  draft.weights["layers.1.self_attn.out_proj.bias"] = {{3}, std::vector<double>(3)};
  draft.weights["layers.0.self_attn.in_proj_bias"] = {{15}, std::vector<double>(15)};
  draft.weights["layers.0.linear2.weight"] = {{3, 6}, std::vector<double>(18)};
  const std::vector<std::string> what = refusal(draft).what;
  CHECK(what.front() ==
        "b_q of layers.0.self_attn has 5 numbers, but it is added to rows of 4 numbers");
  CHECK(std::count(what.begin(), what.end(),
                   should_have_shape("layers.0.linear2.weight", "4×6") + ", but it has 3×6") == 1);
  CHECK(what.back() ==
        "b_o of layers.1.self_attn has 3 numbers, but it is added to rows of 4 numbers");
}

TEST_CASE("model: weights of a layer that the model does not use mean that it is another model") {
  ProblemDraft draft = model("llama_tied");
  for (const char* layer : {"0", "1"})
    draft.weights["model.layers." + std::string(layer) + ".self_attn.q_norm.weight"] = {{2},
                                                                                        {1, 1}};
  CHECK(refusal(draft).what.front() ==
        "layers.0.self_attn.q_norm.weight belongs to a norm of queries and keys, but which norm it "
        "is, is not known");
  draft = model("decoder_post_relu");
  draft.model->kind = "encoder";
  draft.memory.reset();
  draft.memory_masks.clear();
  CHECK(refusal(draft).what.front().find("multihead_attn") != std::string::npos);
}

TEST_CASE("model: a layer that is missing is named, not each of its tensors") {
  ProblemDraft draft = model("encoder_post_gelu");
  draft.weights["layers.99999.linear1.weight"] = {{1, 1}, {0}};
  CHECK(refusal(draft).what ==
        std::vector<std::string>{"the weights have layer layers.99999, but no layer layers.2"});
}

TEST_CASE(
    "model: all norms have a bias or none, and a transformer has both last norms or neither") {
  ProblemDraft draft = model("gpt2_prefixed");
  draft.weights.erase("transformer.ln_f.bias");
  CHECK(refusal(draft).what.front().ends_with(": ln_f.bias"));
  draft = model("transformer_post_relu");
  REQUIRE(draft.weights.erase("decoder.norm.weight") == 1);
  CHECK(refusal(draft).what.front().ends_with("decoder.norm.weight"));
}

TEST_CASE("model: keys that its kind does not read are refused") {
  ProblemDraft draft = model("gpt2_prefixed");
  draft.model->norm_first = true;
  draft.model->rope_base = 10.0;
  const Refusal found = refusal(draft);
  CHECK(found.what == std::vector<std::string>{does_not_read("gpt2", "norm_first"),
                                               does_not_read("gpt2", "rope_base")});
  CHECK(found.pointers.front() == "/model/norm_first");
  draft = model("bert");
  draft.labels = {{{1, {}}}};
  draft.labels.front().resize(draft.ids.front().size());
  CHECK(refusal(draft).what.front() == "labels need logits, for which these weights have no layer");
}

TEST_CASE("model: what would take too much memory is refused before it is computed") {
  ProblemDraft draft = model("gpt2_prefixed");
  draft.max_memory = 1000;
  CHECK(refusal(draft).pointers.front() == "/weights");
}

TEST_CASE("model: what a layer computes for every query and key exists by rows, unless it stays") {
  ProblemDraft draft = model("llama_grouped");
  draft.ids = {std::vector<Index>(500, 1)};
  draft.tokens = {};
  const auto none = [](const std::string&) { return false; };
  draft.max_memory = 1e7;  // the mask takes 2.5 MB, a step of 500 × 500 2 MB for each head
  CHECK_NOTHROW(attend(make_problem(draft), {}, none));
  const auto one = [](const std::string& id) { return id == "layers.0.self_attn.weights"; };
  CHECK_THROWS_WITH(attend(make_problem(draft), {}, one),
                    doctest::Contains(over_limit("10000000 bytes").c_str()));
}

TEST_CASE("model: only what is wanted and what layers pass on stays, with the same numbers") {
  const Problem problem = make_problem(model("llama_tied"));
  const auto wanted = [](const std::string& id) { return id.ends_with(".weights"); };
  const Trace all = attend(problem), some = attend(problem, {}, wanted);
  REQUIRE(all.steps.size() == some.steps.size());
  std::vector<std::string> others;
  for (std::size_t i = 0; i < all.steps.size(); ++i) {
    const Tensor &a = all.steps[i].value, &b = some.steps[i].value;
    CAPTURE(all.steps[i].id);
    CHECK(a.shape() == b.shape());
    if (b.data().empty()) {
      CHECK_FALSE(wanted(all.steps[i].id));
      continue;
    }
    CHECK(a.data() == b.data());
    if (!wanted(all.steps[i].id)) others.push_back(all.steps[i].id);
  }
  CHECK(others == std::vector<std::string>{"layers.1.residual2", "norm", "output", "logits", "loss",
                                           "mean_loss"});
}

}  // namespace attn::testing

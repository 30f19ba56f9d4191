// What config.json says about experts: what is read, and what attn does not compute.
#include <doctest/doctest.h>

#include <string>

#include "attn/hugging_face.hpp"
#include "support/errors.hpp"

namespace attn::testing {
namespace {

ProblemDraft read_config(const std::string& type, const std::string& more) {
  return read_model_config(R"({"model_type": ")" + type +
                               R"(", "num_attention_heads": 4, "num_hidden_layers": 2)" + more +
                               "}",
                           "config.json", {{"lm_head.weight", {}}})
      .draft;
}

}  // namespace

TEST_CASE("expert config: another computation than the family's is refused at its key") {
  struct Row {
    const char* type;
    const char* key;
    const char* other;
    const char* usual;
  };
  const Row rows[] = {
      {"gpt_oss", "swiglu_limit", "6.5", "7.0"},
      {"gpt_oss", "swiglu_alpha", "1.7", "1.702"},
      {"deepseek_v2", "norm_topk_prob", "true", "false"},
      {"deepseek_v2", "scoring_func", R"("sigmoid")", R"("softmax")"},
      {"deepseek_v2", "topk_method", R"("noaux_tc")", R"("group_limited_greedy")"},
      {"deepseek_v3", "scoring_func", R"("softmax")", R"("sigmoid")"},
      {"deepseek_v3", "topk_method", R"("greedy")", R"("noaux_tc")"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.type);
    CAPTURE(row.key);
    const std::string begin = std::string(", \"") + row.key + "\": ";
    const Diagnostic found =
        error_from([&] { read_config(row.type, begin + row.other); }).diagnostics().front();
    CHECK(found.places.front().pointer == std::string("/") + row.key);
    CHECK_NOTHROW(read_config(row.type, begin + row.usual));
  }
}

TEST_CASE("expert config: gpt-oss has YaRN's positions where it says nothing of them") {
  const ProblemDraft silent = read_config("gpt_oss", "");
  REQUIRE(silent.positions.scaling);
  CHECK(silent.positions.scaling->kind == RopeScalingKind::Yarn);
  CHECK(silent.positions.scaling->factor == 32.0);
  CHECK(silent.positions.scaling->original_max_position_embeddings == 4096);
  CHECK(silent.positions.scaling->truncate == false);
  const char* given = R"(, "rope_scaling": {"rope_type": "linear", "factor": 2.0})";
  CHECK(read_config("gpt_oss", given).positions.scaling->kind == RopeScalingKind::Linear);
}

TEST_CASE("expert config: DeepSeek-V2 chooses among groups only if it says so") {
  const std::string groups = R"(, "n_group": 4, "topk_group": 2)";
  CHECK_FALSE(read_config("deepseek_v2", groups).model->experts.groups);
  const ProblemDraft limited =
      read_config("deepseek_v2", groups + R"(, "topk_method": "group_limited_greedy")");
  CHECK(limited.model->experts.groups == 4);
  CHECK(limited.model->experts.kept_groups == 2);
}

}  // namespace attn::testing

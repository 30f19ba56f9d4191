// Every key of a problem, set on every kind of problem, has an answer.
// It changes numbers, is refused, or is said to have no effect.
#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <set>

#include "attn/attend.hpp"
#include "attn/error.hpp"
#include "attn/io/problem_file.hpp"
#include "attn/io/samples.hpp"
#include "attn/io/trace_file.hpp"
#include "attn/problem_options.hpp"
#include "io/problem/problem_fields.hpp"
#include "support/errors.hpp"

namespace attn::testing {
namespace {

using Words = std::vector<std::string>;

constexpr const char* kSomeMatrix =
    "[[0.4, 1, -0.6, 0], [-0.4, 0.2, 0.8, -0.8], [1, -0.6, 0, 0.6], [0.2, 0.8, -0.8, -0.2]]";
constexpr const char* kThreeRows = "[[0.4, 1, -0.6, 0], [-0.4, 0.2, 0.8, -0.8], [1, -0.6, 0, 0.6]]";
constexpr const char* kOtherMatrix = "[[1, 0, 1, 2], [0, 1, 1, 0], [2, 1, 0, 0], [0, 0, 1, 1]]";
constexpr const char* kOtherRows = "[[1, 0, 1, 2], [0, 1, 1, 0], [2, 1, 0, 0]]";
constexpr const char* kSomeFlags = "[[1, 0, 1], [1, 1, 0], [0, 1, 1]]";

/// Two values of each key, so that one of them is not what the problem has already. A key that
/// begins with "weights." is a weight.
const std::map<std::string, Words>& values_of_keys() {
  static const std::map<std::string, Words> kValues{
      {"format", {}},  // says what the file is
      {"format_version", {}},
      {"title", {}},  // text for people
      {"description", {}},
      {"tokens", {R"(["x", "y", "z"])"}},
      {"embeddings", {kThreeRows}},
      {"embedding_table", {R"({"a": [1, 1, 1, 2], "b": [2, 1, 1, 2], "c": [0, 1, 0, 2]})"}},
      {"memory", {R"({"embeddings": [[1, 2, 3, 4], [4, 3, 2, 2]]})"}},
      {"memory/tokens", {R"(["m", "n"])"}},
      {"memory/embeddings", {kThreeRows}},
      {"memory/embedding_table", {R"({"a": [1, 1, 1, 2]})"}},
      {"memory/values", {kThreeRows}},
      {"weights", {R"({"w_q": [[1], [0], [2], [3]]})"}},
      {"fused", {"parts", "per-head"}},
      {"q", {kThreeRows, kOtherRows}},
      {"k", {kThreeRows, kOtherRows}},
      {"v", {kThreeRows, kOtherRows}},
      {"attention_weights", {"[[0.5, 0.5, 0], [0, 1, 0], [0, 0, 1]]"}},
      {"layout", {"columns"}},
      {"past", {R"({"k": [[1, 2, 3, 4]], "v": [[1, 2, 3, 4]]})"}},
      {"past/k", {kThreeRows}},
      {"past/v", {kThreeRows}},
      {"past/tokens", {R"(["m", "n"])"}},
      {"key_tokens", {R"(["x", "y", "z"])"}},
      {"mask", {"causal", "window:1", "keys:0"}},
      {"allowed", {kSomeFlags}},
      {"hidden", {kSomeFlags}},
      {"bias", {kSomeFlags}},
      {"key_lengths", {"[2]"}},
      {"dropout", {R"({"p": 0.5, "keep": [[1, 0, 1], [1, 1, 0], [0, 1, 1]]})"}},
      {"dropout/p", {"0.3"}},
      {"dropout/keep", {kSomeFlags}},
      {"align", {"end", "key-lengths"}},
      {"masking", {"multiply", "add"}},
      {"masking/mode", {"multiply", "add"}},
      {"masking/fill", {"-5", "-4"}},
      {"masking/before_scale", {"true", "false"}},
      {"empty_row", {"uniform", "nan"}},
      {"model", {R"({"kind": "rms_norm"})", R"({"kind": "layer_norm"})"}},
      {"model/kind", {"rms_norm", "layer_norm"}},
      {"model/norm_first", {"true", "false"}},
      {"model/activation", {"gelu", "silu"}},
      {"model/layer_norm_eps", {"0.1"}},
      {"model/rope_base", {"100"}},
      {"model/layers", {R"([{"window": 1}, {}])", R"([{"window": 1}])"}},
      {"model/embedding_multiplier", {"2"}},
      {"model/residual_multiplier", {"2"}},
      {"model/logits_scaling", {"2"}},
      {"model/logits_softcap", {"2"}},
      {"model/parallel_residual", {"true"}},
      {"model/pad_id", {"1"}},
      {"model/num_experts_per_tok", {"1", "2"}},
      {"model/norm_topk_prob", {"true", "false"}},
      {"model/n_group", {"1", "2"}},
      {"model/topk_group", {"1", "2"}},
      {"model/routed_scaling_factor", {"2"}},
      {"ids", {"[0, 1, 2]", "[1, 2, 3, 1, 2, 3]"}},
      {"source", {R"({"embeddings": [[1, 2, 3, 4]]})"}},
      {"source/tokens", {R"(["m"])"}},
      {"source/embeddings", {kThreeRows}},
      {"source/embedding_table", {R"({"a": [1, 1, 1, 2]})"}},
      {"source/ids", {"[0, 1]"}},
      {"source_mask", {"causal", "keys:0"}},
      {"memory_mask", {"causal", "keys:0"}},
      {"vocabulary", {R"({"tokens": ["a", "b"], "w": [[1, 2], [2, 1], [0, 1], [1, 1]]})"}},
      {"vocabulary/tokens", {R"(["a", "b", "c", "e"])"}},
      {"vocabulary/w", {kSomeMatrix, kOtherMatrix}},
      {"vocabulary/b", {"[1, 2, 3, 4]"}},
      {"vocabulary/end_token", {}},  // of attn generate
      {"target", {kThreeRows}},
      {"labels", {R"(["a", "b", "c"])", R"(["c", "b", "a"])"}},
      {"positions/scaling", {R"({"rope_type": "linear", "factor": 3})"}},
      {"heads", {"1", "2"}},
      {"kv_heads", {"1", "2"}},
      {"latent", {R"({"eps": 0.3})"}},
      {"latent/nope_dim", {"1", "2"}},
      {"latent/rope_dim", {"0", "2"}},
      {"latent/v_dim", {"1", "2"}},
      {"latent/rope_interleave", {"true", "false"}},
      {"latent/eps", {"0.3"}},
      {"score", {"distance", "additive"}},
      {"scale", {"0.9"}},
      {"softcap", {"2"}},
      {"sinks", {"0.7"}},
      {"qk_norm", {"rms", "l2"}},
      {"qk_norm/kind", {"rms", "l2"}},
      {"qk_norm/eps", {"0.1"}},
      {"qk_norm/offset", {"1"}},
      {"qk_norm/after", {"rope"}},
      {"attention_gate", {R"({"activation": "relu"})"}},
      {"attention_gate/activation", {"relu", "silu"}},
      {"attention_gate/on", {"output", "concat"}},
      {"normalize", {"sigmoid", "sum"}},
      {"positions", {"rope", "sinusoidal"}},
      {"positions/kind", {"alibi", "sinusoidal"}},
      {"positions/base", {"100", "50"}},
      {"positions/rotary_dim", {"2", "4"}},
      {"positions/partial_rotary_factor", {"0.5"}},
      {"positions/offset", {"3"}},
      {"positions/ids", {"[0, 2, 5]"}},
      {"positions/table", {kSomeMatrix}},
      {"positions/num_buckets", {"4", "6"}},
      {"positions/max_distance", {"64"}},
      {"positions/bidirectional", {"false", "true"}},
      {"positions/slopes", {"[0.3]"}},
      {"dtype", {"float16"}},
      {"weights.w_q", {kSomeMatrix, kOtherMatrix}},
      {"weights.w_k", {kSomeMatrix, kOtherMatrix}},
      {"weights.w_v", {kSomeMatrix, kOtherMatrix}},
      {"weights.w_o", {kSomeMatrix, kOtherMatrix}},
      {"weights.b_q", {"[1, 0, 1, 0]"}},
      {"weights.b_k", {"[1, 0, 1, 0]"}},
      {"weights.b_v", {"[1, 0, 1, 0]"}},
      {"weights.b_o", {"[1, 0, 1, 0]"}},
      {"weights.q_norm", {"[2, 1, 1, 1]"}},
      {"weights.v_score", {"[2, 1, 1, 1]"}},
      {"weights.w_gate", {kSomeMatrix}},
      {"weights.add_zero_attn", {"true"}},
  };
  return kValues;
}

/// What changes no number for a reason of arithmetic: one pair of columns turns by the position
/// itself, whatever the base; a length is far above the eps that it is compared with.
const std::set<std::string> kEqualByArithmetic{"18-latent: positions.base",
                                               "length of queries: qk_norm.eps"};

/// Problems of three tokens and four columns.
std::map<std::string, std::string> own_problems() {
  const std::string x = std::string(R"("tokens": ["a", "b", "c"], "embeddings": )") +
                        "[[1, 0, 2, 0.5], [0, 1, 1, -1], [1, 1, 0, 0.3]]";
  const std::string m = kSomeMatrix,
                    qkv = R"({"w_q": )" + m + R"(, "w_k": )" + m + R"(, "w_v": )" + m;
  const std::string ff = R"({"linear1.weight": )" + m + R"(, "linear1.bias": [0, 0, 1, 0],
      "linear2.weight": )" +
                         m + R"(, "linear2.bias": [0, 0, 0, 1]})";
  const std::string vocabulary = R"({"tokens": ["a", "b", "c", "d"], "w": )" + m + "}";
  return {
      {"attention", "{" + x + R"(, "weights": )" + qkv + "}}"},
      {"heads", "{" + x + R"(, "heads": 2, "weights": )" + qkv + R"(, "w_o": )" + m + "}}"},
      {"identity", "{" + x + "}"},
      {"w_v alone", "{" + x + R"(, "weights": {"w_v": )" + m + "}}"},
      {"Q, K, V", std::string(R"({"q": )") + kThreeRows + R"(, "k": )" + kThreeRows + R"(, "v": )" +
                      kThreeRows + "}"},
      {"A given", std::string(R"({"attention_weights": [[0.5, 0.5, 0], [0, 1, 0], [0.2, 0.3, 0.5]],
          "v": )") + kThreeRows +
                      "}"},
      {"memory", "{" + x + R"(, "memory": {"embeddings": [[1, 2, 0, 1], [0, 1, 1, 1]]},
          "weights": )" +
                     qkv + "}}"},
      {"past", "{" + x + R"(, "past": {"k": [[1, 0, 1, 2]], "v": [[1, 1, 0, 0]]}, "weights": )" +
                   qkv + "}}"},
      {"norm of queries", "{" + x + R"(, "qk_norm": "rms", "weights": )" + qkv + "}}"},
      {"length of queries", "{" + x + R"(, "qk_norm": "l2", "weights": )" + qkv + "}}"},
      {"words", "{" + x + R"(, "labels": ["b", "c", "a"], "vocabulary": )" + vocabulary +
                    R"(, "weights": )" + qkv + "}}"},
      {"layer_norm", "{" + x + R"(, "model": {"kind": "layer_norm"},
          "weights": {"weight": [1, 2, 1, 1], "bias": [0, 0, 0, 1]}})"},
      {"rms_norm", "{" + x + R"(, "model": {"kind": "rms_norm"},
          "weights": {"weight": [1, 2, 1, 1]}})"},
      {"feed_forward", "{" + x + R"(, "model": {"kind": "feed_forward"}, "weights": )" + ff + "}"},
  };
}

std::map<std::string, std::string> problems_of_all_kinds() {
  std::map<std::string, std::string> all = own_problems();
  for (const Sample& sample : samples()) all.emplace(sample.name, sample.text);
  return all;
}

struct Computed {
  std::string numbers;  ///< all steps with their labels
  std::set<std::string> notes;
};

Computed computed(const ProblemDraft& draft) {
  const Trace trace = attend(make_problem(draft));
  return {trace_csv(trace), {trace.notes.begin(), trace.notes.end()}};
}

/// Whether the error is about that key: at its place or that of its object, or by a name of either;
/// what has another size now may not fit what is there.
bool is_about(const Error& error, const KeyValue& setting) {
  static const std::map<std::string, Words> kOtherNames{
      {"embedding_table", {"an embedding table"}},
      {"embeddings", {"multiplies rows of X", "X has 3 rows", "3 queries"}},
      {"ids", {"3 queries"}},
      {"memory", {"the keys are 0 to 1", "the keys are 0 to 2"}},
      {"heads", {"1 head", "1×", "2×"}}};
  const std::string object = setting.key.substr(0, setting.key.find('.'));
  Words names{setting.key.substr(setting.key.rfind('.') + 1), object};
  if (kOtherNames.contains(object)) {
    const Words& others = kOtherNames.at(object);
    names.insert(names.end(), others.begin(), others.end());
  }
  const auto says = [&](const Diagnostic& each) {
    std::string said = each.what + " " + each.rule + " " + each.fix;
    for (const Place& place : each.places) said += " " + place.pointer + " " + place.remark;
    return std::any_of(names.begin(), names.end(),
                       [&](const std::string& name) { return said.find(name) != said.npos; });
  };
  const std::vector<Diagnostic>& all = error.diagnostics();
  return std::any_of(all.begin(), all.end(), says);
}

/// What setting a key to a value does.
enum class Outcome { Said, Equal, Wrong };

/// Said: it changes the steps, is refused because of this key, or is noted to change nothing.
/// Wrong: it is refused for another reason.
Outcome outcome(const ProblemDraft& draft, const Computed& plain, const KeyValue& setting) {
  Computed after;
  const std::optional<Error> error = error_if_refused([&] {
    ProblemDraft changed = draft;
    set_key(setting, changed);
    after = computed(changed);
  });
  if (error) {
    const bool about = is_about(*error, setting);
    CHECK_MESSAGE(about,
                  setting.key << " = " << setting.value << ": " << std::string(error->what()));
    return about ? Outcome::Said : Outcome::Wrong;
  }
  const bool noted =
      std::any_of(after.notes.begin(), after.notes.end(), [&](const std::string& note) {
        const bool said =
            note.find("no effect") != note.npos || note.find("hides nothing") != note.npos;
        return said && !plain.notes.contains(note);
      });
  return noted || after.numbers != plain.numbers ? Outcome::Said : Outcome::Equal;
}

}  // namespace

TEST_CASE("idle settings: every key has values here, and so has every option") {
  for (const ProblemKey& key : problem_keys()) {
    if (key.path.starts_with("positions/scaling/")) continue;  // of an object that is set whole
    CHECK_MESSAGE(values_of_keys().contains(std::string(key.path)), key.path);
  }
  for (const ProblemOption& option : problem_options())
    CHECK_MESSAGE(values_of_keys().contains(option.pointer.substr(1)), option.pointer);
}

TEST_CASE("idle settings: on every kind of problem each is computed, refused, or said" *
          doctest::test_suite("long")) {
  for (const auto& problem : problems_of_all_kinds()) {  // clang captures no binding
    const std::string& name = problem.first;
    const ProblemDraft draft = parse_problem(problem.second, name).draft;
    const Computed plain = computed(draft);
    for (const auto& [path, texts] : values_of_keys()) {
      std::string key = path;
      std::replace(key.begin(), key.end(), '/', '.');
      std::set<Outcome> outcomes;  // of two values, one may be what the problem has
      for (const std::string& value : texts) outcomes.insert(outcome(draft, plain, {key, value}));
      const bool said = texts.empty() || outcomes.contains(Outcome::Said);
      CHECK_MESSAGE(said != kEqualByArithmetic.contains(name + ": " + key), name << ": " << key);
      CHECK_MESSAGE(!outcomes.contains(Outcome::Wrong), name << ": " << key);
    }
  }
}

}  // namespace attn::testing

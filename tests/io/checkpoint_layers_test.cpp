// The layers of a checkpoint: which there are, which is chosen, and what of it is used.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "attn/problem_tensors.hpp"
#include "attn/suggest.hpp"
#include "support/errors.hpp"

namespace attn::testing {
namespace {

using Names = std::vector<std::string>;

/// The tensors "h.N.attn.c_attn.weight" of GPT-2, the last layer first.
Names gpt2_names(int layers) {
  Names names;
  for (int n = layers - 1; n >= 0; --n)
    names.push_back("h." + std::to_string(n) + ".attn.c_attn.weight");
  return names;
}

/// What is wrong with choosing so among these tensors.
Diagnostic not_chosen(const Names& names, const LayerChoice& choice) {
  return refusal_from([&] { chosen_prefix(names, choice, "model.safetensors"); });
}

/// What is wrong with the tensors of those names; each is a small matrix.
Diagnostic not_read(const Names& names, const std::string& prefix) {
  std::vector<NamedArray> arrays;
  for (const std::string& name : names) arrays.push_back({name, {{2, 2}, {1, 2, 3, 4}}, ""});
  return refusal_from([&] { draft_from_tensors(arrays, prefix, "model.safetensors"); });
}

}  // namespace

TEST_CASE("checkpoint layers: without a choice they are listed in the order of their numbers") {
  const Diagnostic error = not_chosen(gpt2_names(12), {});
  CHECK(id_and_what(error) ==
        "prefix-needed: this checkpoint holds 12 attention layers, and none is chosen");
  std::string list;
  for (int n = 0; n < 12; ++n) list += "h." + std::to_string(n) + ".attn., ";
  CHECK(error.fix == "Choose one by its name, " + list + "or its number, 0 to 11.");
  REQUIRE(error.changes.size() == 2);
  CHECK(error.changes[0].setting + error.changes[1].setting == "layerprefix");
  const Diagnostic one = not_chosen(gpt2_names(1), {});
  CHECK(one.what == "this checkpoint holds 1 attention layer, and none is chosen");
  CHECK(one.fix == "Choose it by its name, h.0.attn., or its number, 0.");
}

TEST_CASE("checkpoint layers: a wrong prefix or number is reported with the nearest layer") {
  const Names names = gpt2_names(3);
  const auto told = [&](const char* prefix) {
    const Diagnostic error = not_chosen(names, {prefix, {}});
    CHECK(error.id == "no-such-layer");
    return error.what;
  };
  const std::string start = "no attention layer of this file is called ";
  CHECK(told("h.0.atn.").starts_with(start + "\"h.0.atn.\"; "));
  CHECK(told("h.1.attn") == start + "\"h.1.attn\"" + did_you_mean({"h.1.attn."}));
  CHECK(told("h.2.") == start + "\"h.2.\"" + did_you_mean({"h.2.attn."}));
  CHECK(told("decoder") == start + "\"decoder\"");
  const Diagnostic number = not_chosen(names, {"", 3});
  CHECK(id_and_what(number) ==
        "no-such-layer: there is no layer 3, counting from 0: this file holds 3 attention layers");
  CHECK(number.fix ==
        "Choose one by its name, h.0.attn., h.1.attn., h.2.attn., or its number, 0 to 2.");
  CHECK(chosen_prefix(names, {"", 2}, "") == "h.2.attn.");
}

TEST_CASE("checkpoint layers: one without a name has a number; a file may have none, or nothing") {
  CHECK(not_chosen({"w_q", "w_k", "w_v"}, {"", 5}).fix == "Choose it by its number, 0.");
  CHECK(chosen_prefix({"w_q", "w_k", "w_v"}, {}, "") == "");
  const Diagnostic none = not_chosen({"q"}, {"", 0});
  CHECK(none.what == "there is no layer 0, counting from 0: this file holds no attention layers");
  CHECK(none.fix == "Do not choose a layer.");
  CHECK(id_and_what(not_read({}, "")) == "unknown-tensor: this file has no tensors");
}

TEST_CASE("checkpoint layers: an output projection beside the queries is never left out") {
  const std::string p = "vit.encoder.layer.0.attention.", q = p + "attention.";
  const Names names{q + "query.weight", q + "key.weight", q + "value.weight",
                    p + "output.dense.weight"};
  CHECK(chosen_prefix(names, {"", 0}, "") == p);
  const Diagnostic error = not_read(names, q);
  CHECK(id_and_what(error) == "not-supported: the layer " + q +
                                  " has no output projection, but beside it is " + names[3]);
  CHECK(error.fix == "Choose the layer with both.");
  REQUIRE(error.changes.size() == 1);
  CHECK(error.changes[0].value == p);
}

TEST_CASE("checkpoint layers: buffers that change nothing are noted") {
  const ProblemDraft draft =
      draft_from_tensors({{"h.0.attn.c_attn.weight", {{1, 3}, {1, 2, 3}}, ""},
                          {"h.0.attn.bias", {{1, 1, 1, 1}, {1}}, ""}},
                         "h.0.attn.", "model.safetensors");
  CHECK(draft.notes == Names{"not used: h.0.attn.bias, GPT-2's causal mask; the mask \"causal\" "
                             "does the same"});
}

}  // namespace attn::testing

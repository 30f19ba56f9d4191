// Numbers that PyTorch computed.
// Read from a folder that the build names (ATTN_REFERENCE); without it doctest skips the cases.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "attn/attend.hpp"
#include "attn/gradient.hpp"
#include "attn/io/problem_file.hpp"
#include "io/json/json.hpp"
#include "support/compare.hpp"
#include "support/temporary_folder.hpp"

using namespace attn;

namespace {

void append_numbers(const json::Node& node, std::vector<double>& numbers) {
  if (const auto* list = std::get_if<json::Numbers>(&node.value)) {
    numbers.insert(numbers.end(), list->begin(), list->end());
  } else {
    for (const json::Node& item : std::get<json::Items>(node.value)) append_numbers(item, numbers);
  }
}

double largest_gap(const json::Node& expected, const Tensor& found) {
  std::vector<double> numbers;
  append_numbers(expected, numbers);
  REQUIRE(numbers.size() == found.data().size());
  double largest = 0.0;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    largest = std::max(largest, std::abs(numbers[i] - found.data()[i]));
  }
  return largest;
}

/// The text of the member `key`, as in the file.
std::string member_text(const std::string& text, const json::Document& file, const char* key) {
  const auto& members = std::get<json::Members>(file.root.value);
  for (std::size_t i = 0; i < members.size(); ++i) {
    if (members[i].key != key) continue;
    const std::size_t end = i + 1 < members.size() ? members[i + 1].key_offset : text.size();
    const std::string part = text.substr(members[i].value.offset, end - members[i].value.offset);
    return part.substr(0, part.rfind('}') + 1);
  }
  return "";
}

/// A setting of the problem, and the member of the file that has the steps it leads to.
struct Variant {
  const char* member;
  const char* mask;
  ScaleRule::Kind scale;
};

/// The cases of this file need the folder of the numbers.
const auto kSkipped = doctest::skip(std::string(ATTN_REFERENCE).empty());

std::string reference_text(const std::string& name) {
  return attn::testing::read_text((std::filesystem::path(ATTN_REFERENCE) / name).string());
}

/// `direct` are steps and givens that have their own names in the file.
void check_file(const std::string& name, const std::vector<Variant>& variants,
                const std::vector<std::string>& direct = {}) {
  const std::string text = reference_text(name);
  const json::Document file = json::parse(text, name);
  const auto check = [](const json::Node& expected, const Tensor& found) {
    CHECK(largest_gap(expected, found) < 1e-9);
  };
  for (const Variant& variant : variants) {
    CAPTURE(variant.member);
    ProblemDraft draft = parse_problem(member_text(text, file, "problem"), name).draft;
    draft.masks = {parse_mask(variant.mask)};
    draft.scale.kind = variant.scale;
    const Trace trace = attend(make_problem(draft));
    const json::Node* expected = json::find(file.root, variant.member);
    REQUIRE(expected != nullptr);
    for (const json::Member& step : std::get<json::Members>(expected->value)) {
      CAPTURE(step.key);
      check(step.value, trace.value(step.key));
    }
    for (const std::string& id : direct) {
      CAPTURE(id);
      const json::Node* numbers = json::find(file.root, id);
      REQUIRE(numbers != nullptr);
      check(*numbers, trace.value(id));
    }
  }
}

}  // namespace

TEST_CASE("reference: 8 tokens from a seed, with and without scaling, mask and hidden columns" *
          kSkipped) {
  using Kind = ScaleRule::Kind;
  check_file("seeded.json",
             {{"unmasked", "none", Kind::None},
              {"causal", "causal", Kind::None},
              {"keys:1,3", "keys:1,3", Kind::None},
              {"scaled", "none", Kind::InverseSqrtDk}},
             {"x", "w_q", "w_k", "w_v", "scores"});
}

TEST_CASE("reference: 8 heads, d_model 512, biases, a batch of 2" * kSkipped) {
  using Kind = ScaleRule::Kind;
  check_file("multihead.json", {{"unmasked", "none", Kind::InverseSqrtDk},
                                {"causal", "causal", Kind::InverseSqrtDk}});
}

namespace {

/// The rows of `table` for these ids, as an array.
Array rows_for(const json::Node& table, const std::vector<double>& ids) {
  std::vector<double> numbers;
  append_numbers(table, numbers);
  constexpr std::ptrdiff_t kWidth = 8;
  Array x{{std::ssize(ids), kWidth}, {}};
  for (const double id : ids) {
    const auto begin = numbers.begin() + static_cast<std::ptrdiff_t>(id) * kWidth;
    x.data.insert(x.data.end(), begin, begin + kWidth);
  }
  return x;
}

/// The Transformer of the file, for the first `n` tokens of its target.
ProblemDraft transformer_draft(const json::Document& file, std::ptrdiff_t n) {
  ProblemDraft draft;
  draft.model =
      ModelDraft{.kind = "transformer", .activation = {}, .layer_norm_eps = {}, .rope_base = {}};
  draft.heads = 2;
  draft.masks = {parse_mask("causal")};
  for (const json::Member& each :
       std::get<json::Members>(json::find(file.root, "state_dict")->value)) {
    Array& array = draft.weights[each.key];
    append_numbers(each.value, array.data);
    const auto* rows = std::get_if<json::Items>(&each.value.value);
    const auto size = std::ssize(array.data);
    array.shape = rows == nullptr ? std::vector{size}
                                  : std::vector{std::ssize(*rows), size / std::ssize(*rows)};
  }
  const json::Node& table = *json::find(file.root, "embedding");
  std::vector<double> source, target;
  append_numbers(*json::find(file.root, "src"), source);
  append_numbers(*json::find(file.root, "tgt"), target);
  target.resize(static_cast<std::size_t>(n));
  draft.source = MemoryDraft{{}, rows_for(table, source), {}, {}};
  draft.embeddings = rows_for(table, target);
  return draft;
}

}  // namespace

TEST_CASE("reference: nn.Transformer, and every prefix of its target gives rows of the whole" *
          kSkipped) {
  const std::string name = "transformer.json";
  const std::string text = reference_text(name);
  const json::Document file = json::parse(text, name);
  const Trace whole = attend(make_problem(transformer_draft(file, 5)));
  CHECK(largest_gap(*json::find(file.root, "memory"), whole.value("memory")) < 1e-9);
  const json::Node& prefixes = *json::find(file.root, "output_for_prefix");
  for (std::ptrdiff_t n = 1; n <= 5; ++n) {
    CAPTURE(n);
    const Trace part = attend(make_problem(transformer_draft(file, n)));
    const Tensor& output = part.value("output");
    CHECK(largest_gap(*json::find(prefixes, std::to_string(n)), output) < 1e-9);
    for (Index row = 0; row < n; ++row) {
      for (Index col = 0; col < 8; ++col)
        CHECK(attn::testing::close(whole.value("output").at({0, 0, row, col}),
                                   output.at({0, 0, row, col})));
    }
  }
}

TEST_CASE("reference: gradients of two causal heads, as PyTorch's autograd computes them" *
          kSkipped) {
  const std::string name = "gradients.json";
  const std::string text = reference_text(name);
  const json::Document file = json::parse(text, name);
  const auto array = [&](const json::Node& node, std::ptrdiff_t cols) {
    Array made;
    append_numbers(node, made.data);
    made.shape = {std::ssize(made.data) / cols, cols};
    return made;
  };
  ProblemDraft draft;
  draft.embeddings = array(*json::find(file.root, "embeddings"), 6);
  for (const json::Member& each :
       std::get<json::Members>(json::find(file.root, "weights")->value)) {
    draft.weights[each.key] = array(each.value, 6);
    if (each.key.starts_with("b_")) draft.weights[each.key].shape = {6};
  }
  draft.heads = 2;
  draft.masks = {parse_mask("causal")};
  GradientChoice choice;
  choice.upstream = array(*json::find(file.root, "upstream"), 6);
  for (const bool parts : {false, true}) {
    choice.parts = parts;
    const Trace trace =
        attend_and_back(make_problem(draft), parts ? opened_softmax() : Recipe(), choice);
    for (const json::Member& each :
         std::get<json::Members>(json::find(file.root, "gradients")->value)) {
      CAPTURE(each.key);
      const std::string id = each.key == "embeddings" ? "x" : each.key;
      CHECK(largest_gap(each.value, trace.value(id + ".grad")) < 1e-10);
    }
  }
}

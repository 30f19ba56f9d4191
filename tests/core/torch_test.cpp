// Numbers that PyTorch computed; tests/reference/make_torch_mha.py shows how.

#include <doctest/doctest.h>

#include <string>
#include <variant>

#include "attn/attend.hpp"
#include "attn/io/problem_file.hpp"
#include "io/json/json.hpp"
#include "support/compare.hpp"
#include "support/files.hpp"

namespace attn::testing {
namespace {

/// Appends the nested lists below `node`, all of the same depth, to the array.
void append(const json::Node& node, Array& array) {
  if (const auto* numbers = std::get_if<json::Numbers>(&node.value)) {
    array.data.insert(array.data.end(), numbers->begin(), numbers->end());
    return;
  }
  for (const json::Node& item : std::get<json::Items>(node.value)) append(item, array);
}

/// The matrix or stack of matrices `id` of an answers file, which must have `shape`.
Array expected_step(const std::string& file, const std::string& id, const Shape& shape) {
  const json::Document document = json::parse(read_test_file("reference/" + file), file);
  const json::Node* node = json::find(document.root, id);
  REQUIRE(node != nullptr);
  Array array{shape.sizes(), {}};
  append(*node, array);
  REQUIRE(static_cast<Index>(array.data.size()) == shape.count());
  return array;
}

void check_against_torch(const std::string& name) {
  const std::string file = name + ".json";
  const ProblemDraft draft = parse_problem(read_test_file("reference/" + file), file).draft;
  const Trace trace = attend(make_problem(draft));
  for (const std::string id : {"weights", "output"}) {
    CAPTURE(id);
    const Tensor& found = trace.value(id);
    CHECK(first_difference(expected_step(name + ".expected.json", id, found.shape()), found) == "");
  }
}

}  // namespace

TEST_CASE("torch: causal self attention with two heads and biases is nn.MultiheadAttention's") {
  check_against_torch("torch_mha_self_causal");
}

TEST_CASE("torch: cross attention to a padded memory is nn.MultiheadAttention's") {
  check_against_torch("torch_mha_cross_padded");
}

}  // namespace attn::testing

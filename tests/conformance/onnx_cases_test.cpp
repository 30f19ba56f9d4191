// ONNX's own node tests of its operator Attention.
// Read from a folder that the build names (ATTN_ONNX_CASES); without it doctest skips the case.
#include <doctest/doctest.h>

#include <cmath>
#include <filesystem>
#include <limits>

#include "attn/attend.hpp"
#include "io/json/json.hpp"
#include "support/compare.hpp"
#include "support/temporary_folder.hpp"

using namespace attn;

namespace {

namespace fs = std::filesystem;

/// Every number below `node`, in order; true and false as 1 and 0.
void collect(const json::Node& node, std::vector<double>& numbers) {
  if (const auto* list = std::get_if<json::Numbers>(&node.value)) {
    numbers.insert(numbers.end(), list->begin(), list->end());
  } else if (const auto* items = std::get_if<json::Items>(&node.value)) {
    for (const json::Node& item : *items) collect(item, numbers);
  } else if (const auto* number = std::get_if<double>(&node.value)) {
    numbers.push_back(*number);
  } else if (const auto* flag = std::get_if<bool>(&node.value)) {
    numbers.push_back(*flag ? 1.0 : 0.0);
  } else {
    const std::string& text = std::get<std::string>(node.value);
    const double infinity = std::numeric_limits<double>::infinity();
    numbers.push_back(text == "NaN" ? std::nan("") : text == "Infinity" ? infinity : -infinity);
  }
}

struct Case {
  json::Document file;

  const json::Node* part(const char* group, const char* name) const {
    return json::find(*json::find(file.root, group), name);
  }
  std::optional<double> attribute(const char* name) const {
    const json::Node* node = part("attributes", name);
    return node == nullptr ? std::nullopt : std::optional(std::get<double>(node->value));
  }
  std::string dtype(const char* name) const {
    return std::get<std::string>(json::find(*part("inputs", name), "dtype")->value);
  }
  std::optional<Array> array(const char* group, const char* name) const {
    const json::Node* node = part(group, name);
    if (node == nullptr) return std::nullopt;
    Array result;
    for (const double size : std::get<json::Numbers>(json::find(*node, "shape")->value)) {
      result.shape.push_back(static_cast<std::ptrdiff_t>(size));
    }
    collect(*json::find(*node, "data"), result.data);
    return result;
  }
};

void add_masks(ProblemDraft& draft, const Case& c) {
  if (c.attribute("is_causal").value_or(0) == 1) draft.masks.push_back(parse_mask("causal"));
  const double left = c.attribute("left_window_size").value_or(-1);
  const double right = c.attribute("right_window_size").value_or(-1);
  const auto reach = [](double size) {
    return std::to_string(size < 0 ? 100000 : static_cast<int>(size));
  };
  if (left >= 0 || right >= 0) {
    draft.masks.push_back(parse_mask("window:" + reach(left) + "," + reach(right)));
  }
  if (const auto mask = c.array("inputs", "attn_mask")) {
    (c.dtype("attn_mask") == "bool" ? draft.allowed : draft.bias) = mask;
  }
  if (const auto lengths = c.array("inputs", "nonpad_kv_seqlen")) {
    for (const double length : lengths->data)
      draft.key_lengths.push_back(static_cast<Index>(length));
    draft.align = Align::KeyLengths;
  }
}

ProblemDraft draft_of(const Case& c) {
  ProblemDraft draft;
  draft.q = c.array("inputs", "Q");
  draft.k = c.array("inputs", "K");
  draft.v = c.array("inputs", "V");
  if (const auto past = c.array("inputs", "past_key")) {
    draft.past = ProblemDraft::Past{{}, *past, *c.array("inputs", "past_value")};
  }
  const auto count = [](double n) { return static_cast<Index>(n); };
  if (const auto heads = c.attribute("q_num_heads")) draft.heads = count(*heads);
  if (const auto heads = c.attribute("kv_num_heads")) draft.kv_heads = count(*heads);
  if (const auto scale = c.attribute("scale")) draft.scale = {ScaleRule::Kind::Number, *scale};
  if (const auto cap = c.attribute("softcap")) draft.softcap = *cap > 0 ? cap : std::nullopt;
  add_masks(draft, c);
  return draft;
}

/// The step that is an output of the operator.
const Tensor& expected_step(const Trace& trace, const Case& c, const std::string& output) {
  if (output == "Y") return trace.value(c.array("inputs", "Q")->rank() == 4 ? "context" : "concat");
  if (output == "present_key") return trace.value("k_all");
  if (output == "present_value") return trace.value("v_all");
  constexpr const char* kStages[] = {"scaled_scores", "capped_scores", "masked_scores", "weights"};
  auto stage = static_cast<std::size_t>(c.attribute("qk_matmul_output_mode").value_or(0));
  if (stage == 3) return trace.value("weights");
  while (trace.find(kStages[stage]) == nullptr)
    --stage;  // a stage that does not apply changes nothing
  return trace.value(kStages[stage]);
}

void check_case(const fs::path& path) {
  const Case c{json::parse(attn::testing::read_text(path.string()), path.filename().string())};
  const Trace trace = attend(make_problem(draft_of(c)));
  const double tolerance = c.dtype("Q") == "float16" ? 1e-3 : 2e-6;
  for (const json::Member& output :
       std::get<json::Members>(json::find(c.file.root, "outputs")->value)) {
    CAPTURE(path.filename().string());
    CAPTURE(output.key);
    const Array expected = *c.array("outputs", output.key.c_str());
    const Tensor& found = expected_step(trace, c, output.key);
    CHECK(attn::testing::first_difference(expected.data, found.data(), tolerance) == "");
  }
}

}  // namespace

TEST_CASE("conformance: every ONNX case of Attention, all outputs" *
          doctest::skip(std::string(ATTN_ONNX_CASES).empty())) {
  const fs::path root(ATTN_ONNX_CASES);
  int count = 0;
  for (const char* folder : {"cases", "cases-opset25"}) {
    for (const auto& entry : fs::directory_iterator(root / folder)) {
      check_case(entry.path());
      ++count;
    }
  }
  CHECK(count == 87);
}

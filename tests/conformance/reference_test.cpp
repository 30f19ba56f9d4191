// Numbers that PyTorch made from seeds, read from a folder that the build names (ATTN_REFERENCE):
// problems that use the generators must give the same weights and outputs.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "attn/attend.hpp"
#include "attn/problem_file.hpp"
#include "io/json.hpp"
#include "support/temporary_folder.hpp"

using namespace attn;

namespace {

void collect(const json::Node& node, std::vector<double>& numbers) {
  if (const auto* list = std::get_if<json::Numbers>(&node.value)) {
    numbers.insert(numbers.end(), list->begin(), list->end());
  } else {
    for (const json::Node& item : std::get<json::Items>(node.value)) collect(item, numbers);
  }
}

double largest_difference(const json::Node& expected, const Tensor& found) {
  std::vector<double> numbers;
  collect(expected, numbers);
  REQUIRE(numbers.size() == found.data().size());
  double largest = 0.0;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    largest = std::max(largest, std::abs(numbers[i] - found.data()[i]));
  }
  return largest;
}

/// The text of the member `key`, as it stands in the file.
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

void check_file(const std::string& name,
                const std::vector<std::pair<const char*, const char*>>& masks) {
  const std::string root(ATTN_REFERENCE);
  if (root.empty()) {
    MESSAGE("skipped: configure with -D ATTN_REFERENCE=FOLDER to compare with PyTorch's numbers");
    return;
  }
  const std::string text = attn::testing::read_text((std::filesystem::path(root) / name).string());
  const json::Document file = json::parse(text, name);
  const ProblemDraft draft = parse_problem(member_text(text, file, "problem"), name).draft;
  for (const auto& each : masks) {
    const std::string key = each.first;
    CAPTURE(key);
    ProblemDraft masked = draft;
    masked.masks = {parse_mask(each.second)};
    const Trace trace = attend(make_problem(masked));
    const json::Node* expected = json::find(file.root, key);
    REQUIRE(expected != nullptr);
    for (const char* step : {"weights", "output"}) {
      CAPTURE(step);
      CHECK(largest_difference(*json::find(*expected, step), trace.value(step)) < 1e-9);
    }
  }
}

}  // namespace

TEST_CASE("reference: 8 tokens from a seed, no scaling, no mask, causal and hidden columns") {
  check_file("seeded.json", {{"unmasked", "none"}, {"causal", "causal"}, {"keys:1,3", "keys:1,3"}});
}

TEST_CASE("reference: 8 heads, d_model 512, biases, a batch of 2") {
  check_file("multihead.json", {{"unmasked", "none"}, {"causal", "causal"}});
}

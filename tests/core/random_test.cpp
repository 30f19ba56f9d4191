// rand and randn against numbers of PyTorch, made by tests/reference/make_random.py.
#include "attn/torch_random.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <variant>
#include <vector>

#include "io/json/json.hpp"
#include "support/compare.hpp"
#include "support/files.hpp"

namespace attn::testing {
namespace {

using Sizes = std::vector<Index>;
using Numbers = std::vector<double>;

double number(const json::Node& object, const char* key) {
  return std::get<double>(json::find(object, key)->value);
}

}  // namespace

TEST_CASE("rand, randn: fewer than 16 numbers, 16 and more, with a remainder: all are PyTorch's") {
  struct Row {
    const char* file;
    Numbers (*drawn)(std::ptrdiff_t count, std::uint64_t seed);
  };
  const Row rows[] = {
      {"reference/rand.json", [](auto count, auto seed) { return rand({count}, seed).data; }},
      {"reference/randn.json", [](auto count, auto seed) { return randn({count}, seed).data; }}};
  for (const Row& row : rows) {
    CAPTURE(row.file);
    const json::Document file = json::parse(read_test_file(row.file), row.file);
    const auto& cases = std::get<json::Items>(json::find(file.root, "cases")->value);
    REQUIRE(cases.size() == 8);
    for (const json::Node& each : cases) {
      const auto count = static_cast<std::ptrdiff_t>(number(each, "n"));
      const auto seed = static_cast<std::uint64_t>(number(each, "seed"));
      CAPTURE(count);
      CAPTURE(seed);
      CHECK(row.drawn(count, seed) == std::get<json::Numbers>(json::find(each, "values")->value));
    }
  }
}

// The few numbers in a thousand that show where PyTorch's compiler fused products and sums. Their
// last digits were found from the outputs of attention with 8 heads over 512 columns, weights and
// biases from these seeds, which PyTorch computed in float64: with them all 7168 agree to 1e-14.
TEST_CASE("randn: the last digit is PyTorch's where rounding decides it") {
  CHECK(randn({512}, 8).data[206] == 1.5118954181671143);
  CHECK(randn({512}, 6).data[2] == -1.4713039398193359);
  CHECK(randn({512}, 6).data[10] == 2.5485060214996338);
  CHECK(randn({512, 512}, 1).data[533] == 1.1313233375549316);
  CHECK(randn({512, 512}, 1).data[1949] == 0.83678418397903442);
}

TEST_CASE("randn: the shape is kept, and only the count matters for the numbers") {
  const Array block = randn({2, 3, 4}, 7);
  CHECK(block.shape == Sizes{2, 3, 4});
  CHECK(block.data == randn({24}, 7).data);
  CHECK(randn({}, 7).data == randn({1}, 7).data);
  CHECK(randn({3, 0}, 7).shape == Sizes{3, 0});
  CHECK(randn({3, 0}, 7).data.empty());
}

TEST_CASE("randn: seeds that agree in their low 32 bits give the same numbers") {
  CHECK(randn({20}, 5).data == randn({20}, (std::uint64_t{9} << 32U) + 5).data);
  CHECK(randn({20}, 5).data != randn({20}, 6).data);
}

TEST_CASE("randn: std multiplies in float32") {
  const Numbers plain = randn({100}, 3).data;
  const Numbers scaled = randn({100}, 3, 0.05).data;
  for (std::size_t i = 0; i < plain.size(); ++i) {
    CHECK(scaled[i] == static_cast<double>(static_cast<float>(plain[i]) * 0.05F));
  }
}

TEST_CASE("randn: many numbers have mean 0 and variance 1") {
  double sum = 0, squares = 0;
  for (const double x : randn({200, 500}, 11).data) {
    sum += x;
    squares += x * x;
  }
  CHECK(close(0, sum / 100000, 0.01));
  CHECK(close(1, squares / 100000, 0.02));
}

}  // namespace attn::testing

// What is refused before memory is taken for it, and what is only counted.
#include <doctest/doctest.h>

#include <string>

#include "attn/io/problem_file.hpp"
#include "attn/io/tensor_file.hpp"
#include "support/errors.hpp"
#include "support/phrases.hpp"
#include "support/tensor_bytes.hpp"

namespace attn::testing {
namespace {

constexpr double kMegabyte = 1048576.0;

/// The error of a problem that may take 1 MiB; its file "big.npy" holds 2 MB.
Diagnostic refused(const std::string& json) {
  MemoryBudget budget{kMegabyte};
  const ReadFile read_file = [](const std::string&, const std::string&) {
    return write_npy({{500, 500}, std::vector<double>(250'000, 1.0)});
  };
  return refusal_from([&] { parse_problem(json, "a.json", read_file, &budget); });
}

}  // namespace

TEST_CASE("memory: an array larger than the limit is refused before it is made") {
  struct Row {
    std::string json;
    const char* pointer;
  };
  std::string numbers = "1";
  for (int i = 0; i < 200'000; ++i) numbers += ",1";
  std::string rows = "[1]";
  for (int i = 0; i < 100'000; ++i) rows += ",[1]";
  std::string mixed;
  for (int i = 0; i < 30'000; ++i) mixed += "1,";
  const Row rows_of[] = {
      {R"({"q": {"zeros": [1, 268435456]}})", "/q/zeros"},
      {R"({"q": {"ones": [2147483647, 2147483647, 2147483647]}})", "/q/ones"},
      {R"({"q": {"eye": 2147483647}})", "/q/eye"},
      {R"({"q": {"rand": [1000, 1000], "seed": 1}})", "/q/rand"},
      {R"({"q": {"randn": [1000, 1000], "seed": 1}})", "/q/randn"},
      {R"({"q": {"file": "big.npy"}})", "/q"},
      {R"({"q": {"zeros": [300, 300]}, "k": {"zeros": [300, 300]}})", "/k/zeros"},
      {"{\"q\": [" + numbers + "]}", "/q"},
  };
  for (const Row& row : rows_of) {
    CAPTURE(row.pointer);
    const Diagnostic found = refused(row.json);
    CHECK(found.id == "too-large");
    CHECK(found.what.find(over_limit("1")) != std::string::npos);
    REQUIRE(found.places.size() == 1);
    CHECK(found.places[0].pointer == row.pointer);
    CHECK(found.places[0].file == "a.json");
    CHECK(found.changes.at(0).setting == "max_memory");
  }
  CHECK(refused("{\"q\": [" + rows + "]}").id == "too-large");
  CHECK(refused("{\"q\": [[" + mixed + "1]]}").id.empty());
  CHECK(refused("{\"q\": [[" + mixed + "\"NaN\"]]}").id == "too-large");
  CHECK(refused("{\"_comment\": \"" + std::string(1'100'000, 'a') + "\"}").id == "too-large");
  CHECK(refused(R"({"q": {"zeros": [250, 250]}})").id.empty());
  CHECK(refused(R"({"q": {"zeros": [300, 300]}})").id == "too-large");  // the problem has a copy
}

TEST_CASE("memory: all arrays that a problem describes are counted before the first is made") {
  const Diagnostic found = refused(R"({"k": {"ones": [1, 134217728]}, "q": {"zeros": [2, 2]},
      "memory": {"embeddings": {"zeros": [1, 134217728]}},
      "weights": {"w_q": {"eye": 65536}, "w_k": {"randn": [3, "a"]}, "w_v": {"rand": [1.5, 9]}}})");
  CHECK(found.what.find("at least 68 GiB") != std::string::npos);
  CHECK(found.what.find("64 GiB of it here") != std::string::npos);
  CHECK(found.places.at(0).pointer == "/weights/w_q/eye");
  MemoryBudget budget{4e9};
  const Error error = error_from([&] {
    parse_problem(R"({"q": {"zeros": [1, 134217728]}, "k": {"zeros": [1, 134217728]}})", "a.json",
                  {}, &budget);
  });
  CHECK(budget.used == 0.0);  // neither was made
  CHECK(error.diagnostics().front().changes.at(0).value == "4G");
}

TEST_CASE("memory: the header of a .safetensors file counts") {
  std::string entries = "\"a\": \"b\"";
  for (int i = 0; i < 20'000; ++i) entries += ", \"" + std::to_string(i) + "\": \"\"";
  const std::string header = "{\"__metadata__\": {" + entries + "}}";
  const std::string bytes = safetensors_file(header, "");
  const auto room = [budget = MemoryBudget{kMegabyte}](const auto& shape) mutable {
    budget.take(shape, "");
  };
  CHECK_THROWS_AS(read_safetensors(bytes, "a", want_all, room), Error);
  CHECK_THROWS_AS(list_safetensors(bytes, "a", room), Error);
  CHECK(read_safetensors(bytes, "a").empty());
}

TEST_CASE("memory: comments, and tokens that are called ones and zeros, describe no array") {
  const std::string rows = R"({"ones": [3e4, 3e4, 3e4], "zeros": [3e4, 3e4, 3e4]})";
  CHECK(refused(R"({"tokens": ["ones"], "embedding_table": )" + rows + "}").id.empty());
  CHECK(
      refused(R"({"embedding_table": {"ones": {"ones": [10000, 10000]}}})").places.at(0).pointer ==
      "/embedding_table/ones/ones");
  CHECK(refused(R"({"_note": {"zeros": [10000, 10000]}, "q": [[1]], "k": [[1]], "v": [[1]]})")
            .id.empty());
  CHECK(refused(R"({"q": {"eye": 1e200}})").id == "out-of-range");
}

TEST_CASE("memory: of thousands of weights that are not matrices, most are only counted") {
  std::string json = R"({"embeddings": [[1]], "weights": {"w_0": 0)";
  for (int i = 1; i < 20'000; ++i) json += ", \"w_" + std::to_string(i) + "\": 0";
  const Error error = error_from([&] { parse_problem(json + "}}", "a.json"); });
  CHECK(error.diagnostics().size() == 20);
  CHECK(error.omitted() == 19'980);
}

TEST_CASE("memory: of thousands of unknown keys, most are only counted") {
  std::string json = "{\"zz\": 0";
  for (int i = 0; i < 20'000; ++i) json += ", \"unknown" + std::to_string(i) + "\": 0";
  const Error error = error_from([&] { parse_problem(json + "}", "a.json"); });
  CHECK(error.diagnostics().size() <= 100);
  CHECK(error.diagnostics().size() + error.omitted() == 20'001);
}

}  // namespace attn::testing

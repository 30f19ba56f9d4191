// Faulty problems in files of arrays.
#include <doctest/doctest.h>

#include "attn/attend.hpp"
#include "attn/phrases.hpp"
#include "attn/problem_tensors.hpp"
#include "support/errors.hpp"
#include "support/infinity.hpp"
#include "support/phrases.hpp"
#include "support/program.hpp"
#include "support/two_tokens.hpp"

namespace attn::testing {
namespace {

Problem made(const Arrays& arrays) { return make_problem(draft_from_tensors(arrays, "", "p.npz")); }

/// The one error.
Diagnostic refused(const Arrays& arrays) {
  const std::vector<Diagnostic> found = diagnostics_from([&] { made(arrays); });
  CHECK(found.size() == 1);
  return found.empty() ? Diagnostic() : found[0];
}

}  // namespace

TEST_CASE("tensor problem: key lengths that are not whole numbers are refused, not cut") {
  const std::pair<double, const char*> rows[] = {
      {1.5, "1.5"},       {0.999999, "0.999999"}, {-1, "-1"},   {1e300, "1e+300"},
      {kInfinity, "inf"}, {-kInfinity, "-inf"},   {kNan, "nan"}};
  for (const auto& [number, text] : rows) {
    const Diagnostic error = refused(two_tokens_with({{"key_lengths", {{1}, {number}}, ""}}));
    CHECK(error.id == "out-of-range");
    CHECK(place_and_what(error) ==
          "/key_lengths/0 key_lengths takes whole numbers from 0 to 2147483647, but number 0 is " +
              std::string(text));
  }
  made(two_tokens_with({{"key_lengths", {{1}, {1}}, ""}}));
}

TEST_CASE("tensor problem: a name that is like another is reported with it") {
  struct Row {
    std::string name, what, fix;
  };
  const char* correct = "Correct the name, or remove the array.";
  const char* embeddings = "Write \"embeddings\" instead.";
  const char* setting = "is a setting, not an array";
  const char* give = "Remove the array, and give the setting itself.";
  const Row rows[] = {
      {"w_qq", "\"w_q\"", correct},
      {"q_proj.wieght", "\"q_proj.weight\", ", correct},
      {"wqkv.weight", "\"Wqkv.weight\"", correct},
      {"X", did_you_mean({"embeddings"}), embeddings},
      {"embedding", did_you_mean({"embeddings"}), embeddings},
      {"past_k", "\"past.k\" or", correct},
      {"memory", did_you_mean({"memory.embeddings"}), "Write \"memory.embeddings\" instead."},
      {"attn_mask", did_you_mean({"allowed"}), "Write \"allowed\" instead"},
      {"heads", setting, give},
      {"num_heads", setting, give},
      {"mask", setting, kUnderAllowed},
      {"is_causal", setting, "Write \"mask\": \"causal\"."},
      {"d_model", "no part of a problem is called \"d_model\"", "Leave it out: "},
  };
  for (const Row& row : rows) {
    CAPTURE(row.name);
    const Diagnostic error = refused(two_tokens_with({{row.name, kSquare, ""}}));
    CHECK(error.id == "unknown-tensor");
    CHECK_MESSAGE(has(error.what, row.what), error.what);
    CHECK_MESSAGE(error.fix.starts_with(row.fix), error.fix);
    for (const Change& change : error.changes) CHECK(change.setting == "heads");
  }
}

TEST_CASE(
    "tensor problem: names that resemble no other are listed together, after those with a guess") {
  const std::vector<Diagnostic> errors = diagnostics_from([] {
    made(two_tokens_with(
        {{"foo", kSquare, ""}, {"w_gat", kSquare, ""}, {"optimizer", kSquare, ""}}));
  });
  REQUIRE(errors.size() == 2);
  CHECK(has(errors[0].what, "\"w_gat\"" + did_you_mean({"w_gate", "b_gate", "W_out"})));
  CHECK(id_and_what(errors[1]) == "unknown-tensor: no part of a problem is called foo, optimizer");
  CHECK(errors[1].fix == "Remove these tensors, or choose one layer.");
  REQUIRE(errors[1].changes.size() == 1);
  CHECK(errors[1].changes[0].setting == "prefix");
}

TEST_CASE(
    "tensor problem: under allowed, what is not a flag is named, and an added mask is recognised") {
  for (const double number : {-1e9, -kInfinity}) {
    const Diagnostic error =
        refused(two_tokens_with({{"allowed", {{2, 2}, {0, 0, number, 0}}, ""}}));
    CHECK(error.id == "out-of-range");
    CHECK(place_and_what(error).starts_with(
        "/allowed/1/0 allowed may hold only 0 and 1, but it has -"));
    CHECK(error.fix.ends_with("belongs under \"bias\"."));
  }
  const Diagnostic error = refused(two_tokens_with({{"allowed", {{2}, {1, 0.5}}, ""}}));
  CHECK(place_and_what(error) == "/allowed/1 allowed may hold only 0 and 1, but it has 0.5");
  CHECK(error.fix.starts_with("Write 1 or true where a query may attend"));
}

TEST_CASE("tensor problem: tokens before heads are recognised where heads do not go together") {
  const auto arrays = [](std::ptrdiff_t queries, std::ptrdiff_t keys) {
    const auto zeros = [](std::ptrdiff_t tokens) {
      return Array{{1, tokens, 2, 2}, std::vector<double>(static_cast<std::size_t>(4 * tokens))};
    };
    return Arrays{{"q", zeros(queries), ""}, {"k", zeros(keys), ""}, {"v", zeros(keys), ""}};
  };
  const char* swap = "batch × token × head × column, swap two: q.transpose(0, 2, 1, 3).";
  const Diagnostic error = refused(arrays(3, 4));
  CHECK(error.id == "head-count");
  CHECK(place_and_what(error).starts_with(
      "/q q is given for 3 heads and k for 4: 3 is not a multiple"));
  REQUIRE(error.places.size() == 2);
  CHECK(error.places[1].pointer == "/k");
  CHECK(error.fix.ends_with(swap));
  ProblemDraft two_heads = draft_from_tensors(arrays(3, 3), "", "p.npz");
  two_heads.heads = 2;
  CHECK(refusal_from([&] { make_problem(two_heads); }).fix.ends_with(swap));
  Arrays longer = arrays(3, 4);
  longer[0].array = {{1, 3, 1, 2}, {0, 0, 0, 0, 0, 0}};
  CHECK(refused(longer).fix == "Give q for a multiple of 4 heads.");
}

TEST_CASE("tensor problem: keys that a short allowed or bias does not reach are noted") {
  const auto notes = [](const char* name, const Array& array) {
    const Array keys{{4, 2}, {1, 0, 0, 1, 1, 1, 0, 0}};
    return made(two_tokens_with({{"memory.embeddings", keys, ""}, {name, array, ""}}))->notes;
  };
  using Notes = std::vector<std::string>;
  CHECK(notes("allowed", {{2, 3}, {1, 1, 1, 1, 1, 1}}) ==
        Notes{"allowed has 3 columns for 4 keys: the last key is hidden from all queries"});
  CHECK(notes("bias", {{2}, {0, 0}}) ==
        Notes{"bias has 2 columns for 4 keys: the last 2 keys are hidden from all queries"});
  CHECK(notes("allowed", {{2, 1}, {1, 1}}).empty());
  CHECK(notes("bias", {{4}, {0, 0, 0, 0}}).empty());
}

}  // namespace attn::testing

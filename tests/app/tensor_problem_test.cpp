// Faulty problems in files of arrays, from the command line.
#include <doctest/doctest.h>

#include <limits>

#include "attn/io/tensor_file.hpp"
#include "support/phrases.hpp"
#include "support/program.hpp"
#include "support/temporary_folder.hpp"

using namespace attn::testing;

namespace {

using Arrays = std::vector<attn::NamedArray>;

const attn::Array kSquare{{2, 2}, {1, 0, 0, 1}};

/// Two tokens with weights, and more.
Arrays two_tokens_with(const Arrays& more) {
  Arrays all{{"embeddings", kSquare, ""},
             {"w_q", kSquare, ""},
             {"w_k", kSquare, ""},
             {"w_v", kSquare, ""}};
  all.insert(all.end(), more.begin(), more.end());
  return all;
}

Ran explained(const Arrays& arrays, const std::vector<std::string>& options = {}) {
  const TemporaryFolder folder;
  std::vector<std::string> args{"explain", folder.write("p.npz", attn::write_npz(arrays))};
  args.insert(args.end(), options.begin(), options.end());
  return attn_run(args);
}

/// What is on standard error, unwrapped.
std::string refused(const Arrays& arrays, const std::vector<std::string>& options = {}) {
  const Ran ran = explained(arrays, options);
  CHECK(ran.exit_code == 3);
  return unwrapped(ran.err);
}

}  // namespace

TEST_CASE("tensor problem: key lengths that are not whole numbers are refused, not cut") {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const std::pair<double, const char*> rows[] = {{1.5, "1.5"},
                                                 {0.999999, "0.999999"},
                                                 {-1, "-1"},
                                                 {1e300, "1e+300"},
                                                 {kInfinity, "inf"},
                                                 {-kInfinity, "-inf"},
                                                 {std::numeric_limits<double>::quiet_NaN(), "nan"}};
  for (const auto& [number, text] : rows) {
    const std::string error = refused(two_tokens_with({{"key_lengths", {{1}, {number}}, ""}}));
    CHECK_MESSAGE(has(error, std::string("error[out-of-range]: key_lengths takes whole numbers "
                                         "from 0 to 2147483647, but number 0 is ") +
                                 text),
                  error);
    CHECK(has(error, "p.npz /key_lengths/0"));
  }
  CHECK(explained(two_tokens_with({{"key_lengths", {{1}, {1}}, ""}})).exit_code == 0);
}

TEST_CASE("tensor problem: a name that is like another is reported with it") {
  struct Row {
    std::string name, what, fix;
  };
  const char* correct = "Correct the name, or remove the array.";
  const char* embeddings = "Write \"embeddings\" instead.";
  const char* setting = "is a setting, not an array";
  const Row rows[] = {
      {"w_qq", "\"w_q\"", correct},
      {"q_proj.wieght", "\"q_proj.weight\", ", correct},
      {"wqkv.weight", "\"Wqkv.weight\"", correct},
      {"X", did_you_mean({"embeddings"}), embeddings},
      {"embedding", did_you_mean({"embeddings"}), embeddings},
      {"past_k", "\"past.k\" or", correct},
      {"memory", did_you_mean({"memory.embeddings"}), "Write \"memory.embeddings\" instead."},
      {"attn_mask", did_you_mean({"allowed"}), "Write \"allowed\" instead"},
      {"heads", setting, "Remove the array, and give the setting itself (--heads N)."},
      {"num_heads", setting, "Remove the array, and give the setting itself (--heads N)."},
      {"mask", setting, kUnderAllowed},
      {"is_causal", setting, "Write \"mask\": \"causal\"."},
      {"d_model", "no part of a problem is called \"d_model\" ", "Leave it out: "},
  };
  for (const Row& row : rows) {
    CAPTURE(row.name);
    const std::string error = refused(two_tokens_with({{row.name, kSquare, ""}}));
    CHECK(error.starts_with("error[unknown-tensor]: "));
    CHECK_MESSAGE(has(error, row.what), error);
    CHECK_MESSAGE(has(error, row.fix), error);
    CHECK(!has(error, "--prefix"));
  }
}

TEST_CASE(
    "tensor problem: names that resemble no other are listed together, after those with a guess") {
  const std::string error = refused(
      two_tokens_with({{"foo", kSquare, ""}, {"w_gat", kSquare, ""}, {"optimizer", kSquare, ""}}));
  CHECK(has(error, "is called \"w_gat\"" + did_you_mean({"w_gate", "b_gate", "W_out"}) +
                       " "
                       "error[unknown-tensor]: "
                       "no part of a problem is called foo, optimizer "));
  CHECK(has(error, "Remove these tensors, or choose one layer (--prefix)."));
}

TEST_CASE("tensor problem: weights of Meta's Llama are those of a Linear") {
  const attn::Array skewed{{2, 2}, {1, 2, 3, 4}}, transposed{{2, 2}, {1, 3, 2, 4}};
  Arrays ours{{"embeddings", kSquare, ""}}, theirs = ours;
  for (const std::string letter : {"q", "k", "v", "o"}) {
    ours.push_back({"w_" + letter, transposed, ""});
    theirs.push_back({"w" + letter + ".weight", skewed, ""});
  }
  const std::vector<std::string> csv{"--heads", "1", "--format", "csv"};
  CHECK(explained(theirs, csv).out == explained(ours, csv).out);
  CHECK(has(explained(theirs, {"--heads", "1"}).out, "the names of Meta's Llama"));
}

TEST_CASE("tensor problem: embeddings outside the chosen layer are named") {
  const std::string error =
      refused({{"embeddings", kSquare, ""}, {"a.w_q", kSquare, ""}, {"b.w_q", kSquare, ""}},
              {"--layer", "1"});
  CHECK(has(error,
            "error[missing-key]: the layer b. has no input: the name of the array "
            "embeddings does not begin with this prefix"));
  CHECK(has(error, "Rename it b.embeddings if it is the input of this layer; else give X with"));
}

TEST_CASE(
    "tensor problem: under allowed, what is not a flag is named, and an added mask is recognised") {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  for (const double number : {-1e9, -kInfinity}) {
    const std::string error =
        refused(two_tokens_with({{"allowed", {{2, 2}, {0, 0, number, 0}}, ""}}));
    CHECK(has(error, "error[out-of-range]: allowed may hold only 0 and 1, but it has -"));
    CHECK(has(error, "p.npz /allowed/1/0 "));
    CHECK(has(error, "belongs under \"bias\"."));
  }
  const std::string error = refused(two_tokens_with({{"allowed", {{2}, {1, 0.5}}, ""}}));
  CHECK(has(error, "but it has 0.5 --> "));
  CHECK(has(error, "p.npz /allowed/1 "));
  CHECK(has(error, "Write 1 or true where a query may attend"));
}

TEST_CASE("tensor problem: tokens before heads are recognised where heads do not go together") {
  const auto arrays = [](std::ptrdiff_t queries, std::ptrdiff_t keys) {
    const auto zeros = [](std::ptrdiff_t tokens) {
      return attn::Array{{1, tokens, 2, 2},
                         std::vector<double>(static_cast<std::size_t>(4 * tokens))};
    };
    return Arrays{{"q", zeros(queries), ""}, {"k", zeros(keys), ""}, {"v", zeros(keys), ""}};
  };
  const std::string error = refused(arrays(3, 4));
  CHECK(has(error, "error[head-count]: q is given for 3 heads and k for 4: 3 is not a multiple"));
  CHECK(has(error, "p.npz /q --> "));
  CHECK(has(error, "p.npz /k "));
  CHECK(has(error, "batch × token × head × column, swap two: q.transpose(0, 2, 1, 3)."));
  CHECK(has(refused(arrays(3, 3), {"--heads", "2"}), "swap two: q.transpose(0, 2, 1, 3)."));
  Arrays longer = arrays(3, 4);
  longer[0].array = {{1, 3, 1, 2}, {0, 0, 0, 0, 0, 0}};
  CHECK(has(refused(longer), "fix Give q for a multiple of 4 heads."));
}

TEST_CASE("tensor problem: keys that a short allowed or bias does not reach are noted") {
  const auto notes = [](const char* name, const attn::Array& array) {
    const attn::Array keys{{4, 2}, {1, 0, 0, 1, 1, 1, 0, 0}};
    return unwrapped(
        explained(two_tokens_with({{"memory.embeddings", keys, ""}, {name, array, ""}})).out);
  };
  CHECK(has(notes("allowed", {{2, 3}, {1, 1, 1, 1, 1, 1}}),
            "note: allowed has 3 columns for 4 keys: the last key is hidden from all queries"));
  CHECK(has(notes("bias", {{2}, {0, 0}}),
            "note: bias has 2 columns for 4 keys: the last 2 keys are hidden from all queries"));
  CHECK(!has(notes("allowed", {{2, 1}, {1, 1}}), "hidden from all"));
  CHECK(!has(notes("bias", {{4}, {0, 0, 0, 0}}), "hidden from all"));
}

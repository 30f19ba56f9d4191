// Problems in files of arrays, from the command line.
#include <doctest/doctest.h>

#include "attn/io/tensor_file.hpp"
#include "support/program.hpp"
#include "support/temporary_folder.hpp"
#include "support/two_tokens.hpp"

using namespace attn::testing;

namespace {

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

TEST_CASE("tensor problem: errors say the file, the place in it, and options") {
  const std::string length = refused(two_tokens_with({{"key_lengths", {{1}, {1.5}}, ""}}));
  CHECK(length.starts_with("error[out-of-range]: "));
  CHECK(has(length, "p.npz /key_lengths/0"));
  CHECK(has(refused(two_tokens_with({{"num_heads", kSquare, ""}})), " (--heads N)."));
  CHECK(has(refused(two_tokens_with({{"foo", kSquare, ""}})), " (--prefix)."));
  CHECK(!has(refused(two_tokens_with({{"w_qq", kSquare, ""}})), "--prefix"));
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

// Whole models from text: ids made by the tokenizer beside the weights, and text made from ids.
#include <doctest/doctest.h>

#include <filesystem>

#include "support/files.hpp"
#include "support/program.hpp"
#include "support/temporary_folder.hpp"

using namespace attn::testing;

namespace {

/// A small GPT-2 with a tokenizer: each letter is a token, and a special one begins the text.
std::string model_with_tokenizer(const TemporaryFolder& folder, const std::string& model = "BPE") {
  std::filesystem::copy(source_dir() + "/tests/reference/models/hugging_face_gpt2",
                        folder.path("gpt2"));
  std::string vocab;
  for (int i = 0; i < 9; ++i)
    vocab +=
        std::string(i ? ", " : "") + "\"" + static_cast<char>('a' + i) + "\": " + std::to_string(i);
  folder.write("gpt2/tokenizer.json",
               R"({"model": {"type": ")" + model + R"(", "vocab": {)" + vocab +
                   R"(}, "merges": []}, "decoder": {"type": "Fuse"}, "added_tokens": [{"id": 9,
                   "content": "<s>", "special": true}], "post_processor": {"type":
                   "TemplateProcessing", "single": [{"SpecialToken": {"id": "<s>"}}, {"Sequence":
                   {"id": "A"}}], "special_tokens": {"<s>": {"id": "<s>", "ids": [9]}}}})");
  return folder.path("gpt2");
}

}  // namespace

TEST_CASE("model text: --text becomes the ids of the tokenizer beside the weights") {
  const TemporaryFolder folder;
  const std::string model = model_with_tokenizer(folder);
  const Ran text = attn_run({"explain", model, "--text", "cab", "--json"});
  const Ran ids = attn_run(
      {"explain", model, "--ids", "9,2,0,1", "--tokenizer", model + "/tokenizer.json", "--json"});
  CHECK_MESSAGE(text.exit_code == 0, text.err);
  CHECK(ids.exit_code == 0);
  const auto steps = [](const std::string& json) { return json.substr(json.find("\"tokens\"")); };
  CHECK(steps(text.out) == steps(ids.out));
  CHECK(has(text.out, "[\"<s>\", \"c\", \"a\", \"b\"]"));
  const Ran both = attn_run({"explain", model, "--ids", "1", "--text", "a"});
  CHECK(both.exit_code == 3);
  CHECK(has(both.err, "two-inputs"));
}

TEST_CASE("model text: without a tokenizer, --text says what is missing") {
  const std::string model = source_dir() + "/tests/reference/models/hugging_face_gpt2";
  const Ran ran = attn_run({"explain", model, "--text", "a"});
  CHECK(ran.exit_code == 3);
  CHECK(has(unwrapped(ran.err), "tokenizer.json"));
}

TEST_CASE("model text: one that attn does not have is refused for --text, not for ids") {
  const TemporaryFolder folder;
  const std::string model = model_with_tokenizer(folder, "Unigram");
  CHECK(has(attn_run({"explain", model, "--text", "a"}).err, "Unigram"));
  CHECK(attn_run({"generate", model, "--ids", "1,2", "--count", "1"}).exit_code == 0);
}

TEST_CASE("model text: generate decodes what it adds") {
  const TemporaryFolder folder;
  const std::string model = model_with_tokenizer(folder);
  const Ran ran = attn_run({"generate", model, "--text", "cab", "--count", "3"});
  CHECK_MESSAGE(ran.exit_code == 0, ran.err);
  CHECK(has(ran.out, "\n<s>cab → "));
  const Ran json = attn_run({"generate", model, "--text", "cab", "--count", "3", "--json"});
  CHECK(has(json.out,
            "\"prompt_ids\": [9, 2, 0, 1], \"prompt_text\": \"<s>cab\", \"text\": \"<s>cab"));
}

TEST_CASE("model text: tokens are drawn by their probabilities, the same for the same seed") {
  const auto run = [](std::vector<std::string> more) {
    std::vector<std::string> args{"generate", source_dir() + "/samples/15-induction.json",
                                  "--count", "12", "--json"};
    args.insert(args.end(), more.begin(), more.end());
    const Ran ran = attn_run(args);
    CHECK_MESSAGE(ran.exit_code == 0, ran.err);
    return ran.out.substr(ran.out.find("\"tokens\""));
  };
  const std::string best = run({});
  CHECK(run({"--temperature", "0"}) == best);
  CHECK(run({"--top-k", "1", "--seed", "5"}) == best);
  CHECK(run({"--temperature", "100", "--seed", "1"}) ==
        run({"--temperature", "100", "--seed", "1"}));
  CHECK(run({"--temperature", "100", "--seed", "1"}) !=
        run({"--temperature", "100", "--seed", "2"}));
  CHECK(run({"--temperature", "100"}) != best);
  const std::string sample = source_dir() + "/samples/15-induction.json";
  CHECK(has(attn_run({"generate", sample, "--temperature", "0.5", "--top-k", "3"}).out,
            "Drawn at temperature 0.5 from the 3 most probable tokens (seed 0)"));
  for (const std::vector<std::string>& wrong : std::vector<std::vector<std::string>>{
           {"--seed", "1"}, {"--temperature", "-1"}, {"--temperature", "nan"}, {"--top-k", "0"}}) {
    CHECK(attn_run({"generate", sample, wrong[0], wrong[1]}).exit_code == 2);
  }
}

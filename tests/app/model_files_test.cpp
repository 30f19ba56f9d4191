// Whole models from files, from the command line.
#include <doctest/doctest.h>
#include <sys/stat.h>

#include <cmath>
#include <filesystem>
#include <string>
#include <vector>

#include "attn/io/tensor_file.hpp"
#include "support/compare.hpp"
#include "support/files.hpp"
#include "support/phrases.hpp"
#include "support/program.hpp"
#include "support/temporary_folder.hpp"

using namespace attn::testing;
using attn::Array;
using attn::NamedArray;

namespace {

using Args = std::vector<std::string>;

constexpr const char* kReference = "reference/models/hugging_face_";

std::string folder_of(const std::string& kind) {
  return source_dir() + "/tests/" + kReference + kind;
}

/// A copy of the folder, to be damaged.
std::string copied(const TemporaryFolder& folder, const std::string& kind) {
  std::filesystem::copy(folder_of(kind), folder.path(kind));
  return folder.path(kind) + "/";
}

void replace_in(const std::string& path, const std::string& from, const std::string& to) {
  std::string text = read_text(path);
  REQUIRE(text.find(from) != std::string::npos);
  text.replace(text.find(from), from.size(), to);
  std::ofstream(path, std::ios::binary) << text;
}

/// What is between `before` and the next closing bracket.
std::string list_after(const std::string& text, const std::string& before) {
  const std::size_t at = text.find(before);
  REQUIRE(at != std::string::npos);
  const std::size_t begin = text.find('[', at) + 1;
  std::string list = text.substr(begin, text.find(']', begin) - begin);
  std::erase_if(list, [](char c) { return c == ' ' || c == '\n'; });
  return list;
}

std::string ids_of(const std::string& kind) {
  return list_after(read_test_file(kReference + kind + ".expected.json"), "\"ids\"");
}

/// The refusal of a model, without its line breaks; exit code 3 or 4.
std::string refusal(const Args& more) {
  Args args{"explain"};
  args.insert(args.end(), more.begin(), more.end());
  const Ran ran = attn_run(args);
  CHECK((ran.exit_code == 3 || ran.exit_code == 4));
  CHECK(ran.out == "");
  return unwrapped(ran.err);
}

}  // namespace

TEST_CASE("model files: a folder, its files, and a problem that names them compute the same") {
  const TemporaryFolder folder;
  for (const std::string kind : {"gpt2", "bert", "llama"}) {
    CAPTURE(kind);
    const std::string copy = copied(folder, kind), ids = ids_of(kind);
    const bool shards = kind == "llama";
    const std::string weights = shards ? "model.safetensors.index.json" : "model.safetensors";
    const Ran whole = attn_run({"explain", copy, "--ids", ids, "--format", "csv"});
    CHECK(whole.err == "");
    CHECK(has(whole.out, "\nlogits,"));
    const Ran files = attn_run({"explain", copy + weights, "--config", copy + "config.json",
                                "--ids", ids, "--format", "csv"});
    CHECK(first_difference(whole.out, files.out) == "");
    const std::string eps = kind == "bert" ? "1e-12" : "1e-5";
    const std::string problem =
        folder.write(kind + "/problem.json",
                     R"({"model": {"kind": ")" + kind + R"(", "layer_norm_eps": )" + eps +
                         R"(}, "heads": )" + (shards ? "4, \"kv_heads\": 2" : "2") +
                         ", \"ids\": [" + ids + R"(], "weights": {"file": ")" + weights + "\"}}");
    CHECK(first_difference(whole.out, attn_run({"explain", problem, "--format", "csv"}).out) == "");
    for (const char* name : {"one.json", "one.npz", "one.safetensors"}) {
      CAPTURE(name);
      const std::string one = folder.path(name);
      CHECK(attn_run({"convert", problem, "-o", one}).exit_code == 0);
      CHECK(first_difference(whole.out, attn_run({"explain", one, "--format", "csv"}).out) == "");
    }
  }
}

TEST_CASE("model files: the first rows computed from the folders are PyTorch's") {
  for (const std::string kind : {"gpt2", "bert", "llama"}) {
    const std::string expected = read_test_file(kReference + kind + ".expected.json");
    for (const std::string id : {"output", "logits"}) {
      CAPTURE(kind);
      CAPTURE(id);
      const Ran ran = attn_run(
          {"explain", folder_of(kind), "--ids", ids_of(kind), "--steps", id, "--format", "csv"});
      std::vector<std::string> lines = lines_of(ran.out);  // `id` names a step in every scope
      std::erase_if(lines, [&](const std::string& line) { return !line.starts_with(id + ","); });
      const std::string list = list_after(expected, "\"" + id + "\"");  // the first row
      std::size_t line = 0;
      for (std::size_t at = list.find_first_not_of('['); at < list.size();) {
        std::size_t used = 0;
        const double number = std::stod(list.substr(at), &used);
        at += used + 1;
        REQUIRE(line < lines.size());
        const double found = std::stod(lines[line].substr(lines[line].rfind(',') + 1));
        ++line;
        CHECK(close(number, found, 1e-9));
      }
      CHECK(line >= 8);
    }
  }
}

TEST_CASE("model files: without ids, and without a config, the error says what to give") {
  CHECK(has(refusal({folder_of("gpt2")}), "Add \"ids\": [464, 3797] (--ids 464,3797)."));
  const std::string index = folder_of("llama") + "/model.safetensors.index.json";
  const Ran ran = attn_run({"explain", index, "--ids", "1"});
  CHECK(ran.exit_code == 2);
  CHECK(has(unwrapped(ran.err),
            "has the weights of a whole model, but does not say what it computes"));
  CHECK(has(ran.err, "--config config.json"));
  CHECK(attn_run({"explain", "x.npy", "--config", "config.json"}).exit_code == 2);
  CHECK(attn_run({"explain", "--config", "config.json"}).exit_code == 2);
  CHECK(attn_run({"explain", folder_of("gpt2"), "--prefix", "h.0.attn."}).exit_code == 3);
  CHECK(has(refusal({folder_of("gpt2"), "--prefix", "h.7."}),
            "no tensor of the model has a name that begins with h.7."));
}

TEST_CASE("model files: what a problem or a kind does not read is refused, never ignored") {
  const Ran sample = attn_run({"explain", "--ids", "1,2"});
  CHECK(sample.exit_code == 3);
  CHECK(unwrapped(sample.err)
            .starts_with("error[missing-key]: \"ids\" is for a whole model, but this problem is "
                         "a single attention layer"));
  CHECK(has(complaint(R"({"embeddings": [[1]], "source_mask": "causal"})"),
            "\"source_mask\" is for"));
  const std::string encoder =
      R"({"model": {"kind": "encoder"}, "embeddings": [[1]], "weights": {},)";
  CHECK(has(unwrapped(complaint(encoder + R"("memory_mask": "causal"})")),
            does_not_read("encoder", "memory_mask")));
  CHECK(has(unwrapped(complaint(encoder + R"("ids": [1]})")), does_not_read("encoder", "ids")));
}

TEST_CASE("model files: a checkpoint without --config is still one attention layer") {
  CHECK(attn_run({"explain", folder_of("gpt2") + "/model.safetensors"})
            .err.starts_with("error[prefix-needed]"));
}

TEST_CASE("model files: ids out of range are refused, all of them") {
  const std::string told = refusal({folder_of("gpt2"), "--ids", "1,11,99"});
  CHECK(told.starts_with("error[out-of-range]"));
  CHECK(has(told, ": the table has 11 rows"));
  CHECK(has(told, "token 99"));
  CHECK(has(told, "--ids 1,11,99"));
  CHECK(
      has(refusal({folder_of("gpt2"), "--ids", "1,1,1,1,1,1,1,1,1"}), "the model has 8 positions"));
}

TEST_CASE("model files: a config that contradicts the weights names both files and the size") {
  struct Row {
    const char *kind, *from, *to, *told, *pointer;
  };
  const Row rows[] = {
      {"gpt2", "\"n_layer\": 2", "\"n_layer\": 3", "layers: 3, but", "/n_layer"},
      {"gpt2", "\"n_embd\": 8", "\"n_embd\": 16", "d_model: 16, but", "/n_embd"},
      {"gpt2", "\"n_positions\": 8", "\"n_positions\": 1024", "positions: 1024, but",
       "/n_positions"},
      {"gpt2", "\"vocab_size\": 11", "\"vocab_size\": 50257", "vocabulary: 50257, but",
       "/vocab_size"},
      {"bert", "\"intermediate_size\": 16", "\"intermediate_size\": 32", "feed-forward: 32, but",
       "/intermediate_size"},
      {"bert", "\"type_vocab_size\": 2", "\"type_vocab_size\": 1", "token types: 1, but",
       "/type_vocab_size"},
      {"llama", "\"hidden_size\": 8", "\"hidden_size\": 8, \"head_dim\": 4", "head size: 4, but",
       "/head_dim"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.to);
    const TemporaryFolder folder;
    const std::string copy = copied(folder, row.kind);
    replace_in(copy + "config.json", row.from, row.to);
    const std::string told = refusal({copy, "--ids", "1,2"});
    CHECK(told.starts_with("error[shape-mismatch]: the configuration says "));
    CHECK(has(told, row.told));
    CHECK(has(told, "config.json:"));
    CHECK(has(told, row.pointer));
    CHECK(has(told, "model.safetensors"));
  }
}

TEST_CASE("model files: heads that do not divide are refused, with the place in the config") {
  const TemporaryFolder folder;
  const std::string copy = copied(folder, "gpt2");
  replace_in(copy + "config.json", "\"n_head\": 2", "\"n_head\": 3");
  CHECK(has(refusal({copy, "--ids", "1,2"}), "config.json:15"));
}

TEST_CASE("model files: damaged and missing shards are reported with file and tensor") {
  const TemporaryFolder folder;
  const std::string copy = copied(folder, "llama");
  const std::string second = copy + "model-00002-of-00002.safetensors";
  const std::string bytes = read_text(second);
  std::filesystem::resize_file(second, bytes.size() - 4);
  const std::string cut = refusal({copy, "--ids", "1"});
  CHECK(cut.starts_with("error[safetensors-format]: expected "));
  CHECK(has(cut, "model-00002-of-00002.safetensors"));
  CHECK(has(cut, "the array \""));
  std::filesystem::remove(second);
  const std::string missing = refusal({copy, "--ids", "1"});
  CHECK(missing.starts_with("error[cannot-read]"));
  CHECK(has(missing, "model-00002-of-00002.safetensors"));
  CHECK(has(missing, "according to"));
}

TEST_CASE("model files: files that nobody named may be links, but only to regular files") {
  const TemporaryFolder folder;
  const std::string copy = copied(folder, "llama");
  const Args ids{"--ids", ids_of("llama")};
  for (const char* name : {"model-00002-of-00002.safetensors", "config.json"}) {
    CAPTURE(name);
    const std::string path = copy + name, blob = copy + "blob";
    std::filesystem::rename(path, blob);
    std::filesystem::create_symlink("blob", path);  // as in Hugging Face's cache
    CHECK(attn_run({"explain", copy, ids[0], ids[1], "--summary"}).exit_code == 0);
    std::filesystem::remove(path);
    std::filesystem::create_symlink("/dev/zero", path);
    CHECK(has(refusal({copy, ids[0], ids[1]}), std::string(name) + "\" is " + kNoRegularFile));
    std::filesystem::remove(path);
    REQUIRE(mkfifo(path.c_str(), 0600) == 0);
    CHECK(has(refusal({copy, ids[0], ids[1]}), std::string(name) + "\" is " + kNoRegularFile));
    std::filesystem::remove(path);
    std::filesystem::rename(blob, path);
  }
  std::filesystem::create_symlink("/dev/zero", copy + "tokenizer.json");
  const Ran tokens = attn_run({"tokens", "cats", "--tokenizer", copy});
  CHECK(tokens.exit_code == 4);
  CHECK(has(unwrapped(tokens.err), "tokenizer.json\" is " + std::string(kNoRegularFile)));
}

TEST_CASE("model files: a folder without weights, and files that are missing, are refused") {
  const TemporaryFolder folder;
  const std::string copy = copied(folder, "gpt2");
  std::filesystem::remove(copy + "model.safetensors");
  CHECK(has(refusal({copy, "--ids", "1"}), "has a config.json, but no weights"));
  CHECK(has(refusal({folder.path(""), "--ids", "1"}), "error[cannot-read]"));
  const std::string bare = copied(folder, "bert");
  std::filesystem::remove(bare + "config.json");
  CHECK(has(refusal({bare, "--ids", "1"}), "config.json"));
  CHECK(has(refusal({folder_of("gpt2") + "/model.safetensors", "--config", folder.path("none.json"),
                     "--ids", "1"}),
            "none.json"));
}

TEST_CASE("model files: weights of models that attn does not compute are refused by name") {
  const auto refused = [](const std::string& name) {
    const TemporaryFolder folder;
    const Array one{{1, 1}, {1}};
    const std::vector<NamedArray> arrays{{"model.embed_tokens.weight", one, ""},
                                         {"model.layers.0." + name, one, ""}};
    folder.write("m.safetensors", attn::write_safetensors(arrays));
    return refusal({folder.write("p.json", R"({"model": {"kind": "llama"}, "heads": 1, "ids": [0],
                                               "weights": {"file": "m.safetensors"}})")});
  };
  const std::string start = "error[not-supported]: " + std::string(kNotComputed);
  CHECK(refused("block_sparse_moe.gate.weight")
            .starts_with(start + "a mixture of experts: the weights have "
                                 "layers.0.block_sparse_moe.gate.weight"));
  CHECK(refused("mlp.experts.3.up_proj.weight").starts_with(start + "a mixture of experts"));
  CHECK(refused("attention.relative_attention_bias.weight")
            .starts_with(start + "a relative attention bias, as in T5"));
  for (const char* name : {"mlp.up_proj.qweight", "mlp.up_proj.scales", "mlp.up_proj.SCB",
                           "mlp.up_proj.weight.absmax"})
    CHECK(refused(name).starts_with(start + "with quantised weights"));
}

TEST_CASE("model files: --tokenizer names ids and the words of the logits") {
  const TemporaryFolder folder;
  const std::string vocab =
      folder.write("vocab.json", R"({"a": 0, "Ġthe": 1, "Ġcat": 2, "Ċ": 3, "Ġsat": 4})");
  const std::string text =
      attn_run({"explain", folder_of("gpt2"), "--ids", "1,2,10", "--tokenizer", vocab, "--json"})
          .out;
  CHECK(has(text, "\"␣the\", \"␣cat\", \"v10\""));
  const std::string next = attn_run({"generate", folder_of("gpt2"), "--ids", "1,2", "--count", "1",
                                     "--tokenizer", vocab, "--json"})
                               .out;
  CHECK(has(next, "\"id\": 1, \"token\": \"␣the\""));
  std::string many = "{";
  for (int i = 0; i < 12; ++i)
    many += (i ? ", \"w" : "\"w") + std::to_string(i) + "\": " + std::to_string(i);
  CHECK(has(refusal({folder_of("gpt2"), "--ids", "1", "--tokenizer",
                     folder.write("many.json", many + "}")}),
            "there are 12 tokens, but the model has 11"));
  const Ran layer = attn_run({"explain", "--tokenizer", vocab});
  CHECK(layer.exit_code == 2);
  CHECK(has(unwrapped(layer.err), "--tokenizer names the words of a vocabulary, and this problem"));
}

TEST_CASE("model files: an output cannot replace a file that is read") {
  const TemporaryFolder folder;
  const std::string copy = copied(folder, "gpt2");
  const std::string vocab = folder.write("vocab.json", R"({"a": 0})");
  const Args args{"explain",     copy + "model.safetensors",
                  "--config",    copy + "config.json",
                  "--ids",       "1",
                  "--tokenizer", vocab,
                  "-o"};
  for (const std::string& output : {copy + "model.safetensors", copy + "config.json", vocab}) {
    CAPTURE(output);
    Args all = args;
    all.push_back(output);
    CHECK(attn_run(all).err.starts_with("error[same-file]"));
  }
  CHECK(attn_run({"explain", copy, "--ids", "1", "-o", copy + "model.safetensors"})
            .err.starts_with("error[same-file]"));
}

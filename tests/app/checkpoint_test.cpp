// One attention layer of a checkpoint, from the command line.
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <limits>
#include <sstream>

#include "attn/io/problem_file.hpp"
#include "attn/io/tensor_file.hpp"
#include "attn/problem_tensors.hpp"
#include "platform/mapped_file.hpp"
#include "support/dice.hpp"
#include "support/errors.hpp"
#include "support/files.hpp"
#include "support/phrases.hpp"
#include "support/program.hpp"
#include "support/temporary_folder.hpp"

using namespace attn::testing;
using attn::Array;
using attn::NamedArray;

namespace {

using Args = std::vector<std::string>;
constexpr std::ptrdiff_t kWidth = 6, kTokens = 3;

Array transposed(const Array& a) {
  Array t{{a.shape[1], a.shape[0]}, {}};
  for (std::ptrdiff_t c = 0; c < a.shape[1]; ++c) {
    for (std::ptrdiff_t r = 0; r < a.shape[0]; ++r)
      t.data.push_back(a.data[static_cast<std::size_t>(r * a.shape[1] + c)]);
  }
  return t;
}

/// Arrays stacked, or one after another.
Array stacked(const std::vector<Array>& parts) {
  Array all = parts[0];
  for (std::size_t i = 1; i < parts.size(); ++i) {
    all.shape[0] += parts[i].shape[0];
    all.data.insert(all.data.end(), parts[i].data.begin(), parts[i].data.end());
  }
  return all;
}

/// The problem of one layer under attn's own names; another seed, other numbers.
attn::ProblemDraft layer(std::uint64_t seed) {
  Dice dice(seed);
  attn::ProblemDraft draft;
  draft.heads = 2;
  for (const char* name : {"w_q", "w_k", "w_v", "w_o"})
    draft.weights[name] = dice.numbers({kWidth, kWidth});
  for (const char* name : {"b_q", "b_k", "b_v", "b_o"})
    draft.weights[name] = dice.numbers({kWidth});
  return draft;
}

Array input() {
  Dice dice(99);
  return dice.numbers({kTokens, kWidth});
}

/// The tensors of one block as a library stores them; `at` is the number of the block.
using MakeBlock = std::vector<NamedArray> (*)(const attn::WeightArrays& w, const std::string& at);

std::vector<NamedArray> gpt2(const attn::WeightArrays& w, const std::string& at) {
  const std::string p = "h." + at + ".";
  const Array packed =
      stacked({transposed(w.at("w_q")), transposed(w.at("w_k")), transposed(w.at("w_v"))});
  return {{p + "ln_1.weight", {{kWidth}, std::vector<double>(kWidth, 1)}, ""},
          {p + "attn.bias", {{1, 1, 2, 2}, {1, 0, 1, 1}}, ""},
          {p + "attn.c_attn.weight", transposed(packed), ""},
          {p + "attn.c_attn.bias", stacked({w.at("b_q"), w.at("b_k"), w.at("b_v")}), ""},
          {p + "attn.c_proj.weight", w.at("w_o"), ""},
          {p + "attn.c_proj.bias", w.at("b_o"), ""},
          {p + "mlp.c_proj.weight", {{2, 1}, {1, 2}}, ""}};
}

std::vector<NamedArray> bert(const attn::WeightArrays& w, const std::string& at) {
  const std::string p = "encoder.layer." + at + ".", self = p + "attention.self.";
  return {{self + "query.weight", transposed(w.at("w_q")), ""},
          {self + "query.bias", w.at("b_q"), ""},
          {self + "key.weight", transposed(w.at("w_k")), ""},
          {self + "key.bias", w.at("b_k"), ""},
          {self + "value.weight", transposed(w.at("w_v")), ""},
          {self + "value.bias", w.at("b_v"), ""},
          {p + "attention.output.dense.weight", transposed(w.at("w_o")), ""},
          {p + "attention.output.dense.bias", w.at("b_o"), ""},
          {p + "attention.output.LayerNorm.weight", {{2}, {1, 1}}, ""},
          {p + "intermediate.dense.weight", {{1, 2}, {1, 2}}, ""},
          {p + "output.dense.weight", {{2, 1}, {1, 2}}, ""}};
}

std::vector<NamedArray> llama(const attn::WeightArrays& w, const std::string& at) {
  const std::string p = "model.layers." + at + ".", self = p + "self_attn.";
  return {{p + "mlp.down_proj.weight", {{1, 1}, {1}}, ""},
          {self + "q_proj.weight", transposed(w.at("w_q")), ""},
          {self + "q_proj.bias", w.at("b_q"), ""},
          {self + "k_proj.weight", transposed(w.at("w_k")), ""},
          {self + "k_proj.bias", w.at("b_k"), ""},
          {self + "v_proj.weight", transposed(w.at("w_v")), ""},
          {self + "v_proj.bias", w.at("b_v"), ""},
          {self + "o_proj.weight", transposed(w.at("w_o")), ""},
          {self + "o_proj.bias", w.at("b_o"), ""},
          {self + "rotary_emb.inv_freq", {{1}, {1}}, ""}};
}

/// nn.MultiheadAttention in the blocks of an nn.TransformerEncoder.
std::vector<NamedArray> encoder(const attn::WeightArrays& w, const std::string& at) {
  const std::string p = "layers." + at + ".", self = p + "self_attn.";
  return {
      {self + "in_proj_weight",
       stacked({transposed(w.at("w_q")), transposed(w.at("w_k")), transposed(w.at("w_v"))}), ""},
      {self + "in_proj_bias", stacked({w.at("b_q"), w.at("b_k"), w.at("b_v")}), ""},
      {self + "out_proj.weight", transposed(w.at("w_o")), ""},
      {self + "out_proj.bias", w.at("b_o"), ""},
      {p + "linear1.weight", {{1, 1}, {1}}, ""}};
}

/// A checkpoint of `count` blocks, in the order in which text sorts: 0, 1, 10, 11, 2 …
std::vector<NamedArray> checkpoint(MakeBlock block, std::size_t count) {
  std::vector<std::string> numbers;
  for (std::size_t i = 0; i < count; ++i) numbers.push_back(std::to_string(i));
  std::sort(numbers.begin(), numbers.end());
  std::vector<NamedArray> all{{"wte.weight", {{1, 1}, {1}}, ""}};
  for (const std::string& at : numbers) {
    for (NamedArray& tensor : block(layer(std::stoull(at)).weights, at))
      all.push_back(std::move(tensor));
  }
  return all;
}

/// What the layer of that number gives, computed from a problem under attn's own names.
std::string expected(std::uint64_t number, const Args& more) {
  attn::ProblemDraft draft = layer(number);
  draft.embeddings = input();
  Args args{"explain", "-", "--format", "csv"};
  args.insert(args.end(), more.begin(), more.end());
  return attn_run(args, attn::problem_json(draft)).out;
}

/// The header of a .safetensors file with its size in front.
std::string with_size(const std::string& header) {
  std::string size(8, '\0');
  size[0] = static_cast<char>(header.size() % 256);
  size[1] = static_cast<char>(header.size() / 256);
  return size + header;
}

struct Family {
  const char* library;
  MakeBlock block;
  const char *before, *after;  ///< what surrounds the number in the prefix
  const char* storage;
};
constexpr const char* kTransposed =
    " and are stored out × in, as in PyTorch's Linear; attn transposes them";
const Family kFamilies[] = {
    {"GPT-2", gpt2, "h.", ".attn.", kAsInConv1D},
    {"BERT", bert, "encoder.layer.", ".attention.", kTransposed},
    {"Llama", llama, "model.layers.", ".self_attn.", kTransposed},
    {"nn.MultiheadAttention", encoder, "layers.", ".self_attn.", kTransposed},
};

/// Files with what every test needs.
struct Files {
  TemporaryFolder folder;
  std::string x = folder.write("x.npy", attn::write_npy(input()));
  std::string model(const std::vector<NamedArray>& tensors) const {
    return folder.write("model.safetensors", attn::write_safetensors(tensors));
  }
};

}  // namespace

TEST_CASE("checkpoint: a file that is cut short while it is read is an error") {
  const TemporaryFolder folder;
  const std::string path = folder.write("model.safetensors", std::string(100000, 'x'));
  const attn::app::MappedFile file(path);
  std::filesystem::resize_file(path, 10);
  std::size_t zeros = 0;
  const attn::Error error = attn::testing::error_from([&] {
    file.read([&](std::string_view bytes) {
      return zeros = static_cast<std::size_t>(std::count(bytes.begin(), bytes.end(), '\0'));
    });
  });
  CHECK(error.kind() == attn::ErrorKind::Files);
  CHECK(error.what() == "\"" + path + "\" became shorter while it was being read");
  CHECK(zeros > 90000);
}

TEST_CASE("checkpoint: of several files, only the one that is cut short is lost") {
  const TemporaryFolder folder;
  const std::string bytes(100000, 'x');
  const auto count = [](const attn::app::MappedFile& file) {
    return file.read([](std::string_view all) { return std::count(all.begin(), all.end(), 'x'); });
  };
  const attn::app::MappedFile first(folder.write("1.safetensors", bytes));
  {
    const attn::app::MappedFile second(folder.write("2.safetensors", bytes));
    const attn::app::MappedFile third(folder.write("3.safetensors", bytes));
    std::filesystem::resize_file(folder.path("2.safetensors"), 10);
    CHECK_THROWS_AS(count(second), attn::Error);
    CHECK(count(first) == 100000);
    CHECK(count(third) == 100000);
  }
  std::filesystem::resize_file(folder.path("1.safetensors"), 10);  // still watched over
  CHECK_THROWS_AS(count(first), attn::Error);
}

TEST_CASE("checkpoint: bytes that were given back are read again") {
  const TemporaryFolder folder;
  const std::string path = folder.write("m.safetensors", std::string(100000, 'x'));
  const attn::app::MappedFile file(path);
  const auto count = [](std::string_view all) { return std::count(all.begin(), all.end(), 'x'); };
  for (int i = 0; i < 3; ++i) CHECK(file.read(count) == 100000);
  std::filesystem::resize_file(path, 10);
  CHECK_THROWS_AS(file.read(count), attn::Error);
}

TEST_CASE("checkpoint: a layer of every family is explained, by its prefix and by its number") {
  const Files files;
  for (const Family& family : kFamilies) {
    CAPTURE(family.library);
    const std::string model = files.model(checkpoint(family.block, 12));
    for (const int n : {0, 2, 10, 11}) {
      CAPTURE(n);
      const std::string number = std::to_string(n);
      const std::string prefix = family.before + number + family.after;
      const Args args{"explain",      model,   "--heads", "2",
                      "--embeddings", files.x, "--mask",  "causal"};
      for (const Args& choice : {Args{"--prefix", prefix}, Args{"--layer", number}}) {
        Args run = args;
        run.insert(run.end(), choice.begin(), choice.end());
        Args csv = run;
        csv.insert(csv.end(), {"--format", "csv"});
        const Ran ran = attn_run(csv);
        CHECK(ran.err == "");
        CHECK(first_difference(expected(static_cast<std::uint64_t>(n), {"--mask", "causal"}),
                               ran.out) == "");
        run.insert(run.end(), {"--width", "200"});
        const std::string text = attn_run(run).out;
        CHECK(has(text, foreign_names(family.library) + family.storage));
        CHECK(has(text, "layer " + number + ": " + prefix) == (choice[0] == "--layer"));
      }
    }
  }
}

TEST_CASE("checkpoint: without a choice the layers are listed in the order of their numbers") {
  const Files files;
  for (const Family& family : kFamilies) {
    CAPTURE(family.library);
    const Ran ran = attn_run({"explain", files.model(checkpoint(family.block, 12))});
    CHECK(ran.exit_code == 3);
    CHECK(ran.out == "");
    CHECK(ran.err.starts_with("error[prefix-needed]: "));
    std::string list;
    for (int n = 0; n < 12; ++n)
      list += (n ? ", " : "") + (family.before + std::to_string(n)) + family.after;
    CHECK(has(unwrapped(ran.err), list + ", "));
    CHECK(has(unwrapped(ran.err), "(--layer 0 or --prefix "));
  }
}

TEST_CASE("checkpoint: a wrong prefix or number is reported with the nearest layer") {
  const Files files;
  const std::string model = files.model(checkpoint(gpt2, 3));
  const auto told = [&](const Args& choice) {
    Args args{"explain", model, "--embeddings", files.x};
    args.insert(args.end(), choice.begin(), choice.end());
    const Ran ran = attn_run(args);
    CHECK(ran.exit_code == 3);
    return unwrapped(ran.err);
  };
  const std::string start = "error[no-such-layer]: ";
  CHECK(told({"--prefix", "h.1.attn"}).starts_with(start));
  CHECK(has(told({"--prefix", "h.1.attn"}), did_you_mean({"h.1.attn."})));
  CHECK(told({"--layer", "3"}).starts_with(start));
}

TEST_CASE("checkpoint: a layer without a name has a number, and a file without tensors says so") {
  const Files files;
  const std::string layer = R"({"w_q":{"dtype":"F32","shape":[1,1],"data_offsets":[0,4]},)"
                            R"("w_k":{"dtype":"F32","shape":[1,1],"data_offsets":[4,8]},)"
                            R"("w_v":{"dtype":"F32","shape":[1,1],"data_offsets":[8,12]}})";
  const std::string model =
      files.folder.write("layer.safetensors", with_size(layer) + std::string(12, '\0'));
  const Ran one = attn_run({"explain", model, "--embeddings", files.x, "--layer", "5"});
  CHECK(one.exit_code == 3);
  CHECK(one.err.starts_with("error[no-such-layer]: "));
  CHECK(has(unwrapped(one.err), "(--layer 0)."));
  const std::string other =
      files.folder.write("other.safetensors", with_size(R"({"q":{"dtype":"F32","shape":[1,1],)"
                                                        R"("data_offsets":[0,4]}})") +
                                                  std::string(4, '\0'));
  CHECK(attn_run({"explain", other, "--layer", "0"}).err.starts_with("error[no-such-layer]: "));
  const std::string empty = files.folder.write("none.safetensors", with_size("{}"));
  const Ran none = attn_run({"explain", empty, "--embeddings", files.x});
  CHECK(none.exit_code == 3);
  CHECK(none.err.starts_with("error[unknown-tensor]: "));
}

TEST_CASE("checkpoint: --prefix and --layer are refused together, and without a checkpoint") {
  const Files files;
  const std::string model = files.model(checkpoint(gpt2, 2));
  const Ran both = attn_run({"explain", model, "--prefix", "h.0.attn.", "--layer", "0"});
  CHECK(both.exit_code == 2);
  CHECK(unwrapped(both.err).starts_with(
      "error[layer-option]: --prefix and --layer both choose a layer"));
  const Ran sample = attn_run({"explain", "--layer", "0"});
  CHECK(sample.exit_code == 2);
  CHECK(unwrapped(sample.err)
            .starts_with(
                "error[layer-option]: --layer chooses a layer of a whole model, or of a "
                "checkpoint (a file that ends in .npz or .safetensors or .pt or .gguf or .bin)"));
  CHECK(attn_run({"explain", "-", "--prefix", "h."}, "{}").exit_code == 2);
  CHECK(attn_run({"explain", model, "--layer", "-1"}).exit_code == 2);
  CHECK(attn_run({"explain", model, "--layer", "first"}).exit_code == 2);
}

TEST_CASE("checkpoint: --layer is refused by commands that use all of a model") {
  const TemporaryFolder folder;
  const std::string model = source_dir() + "/samples/15-induction.json";
  const std::vector<std::vector<std::string>> commands{
      {"generate"}, {"convert", "-o", folder.path("no.npz")}, {"compare", "--right", "heads=1"}};
  for (std::vector<std::string> words : commands) {
    words.insert(words.end(), {model, "--layer", "0"});
    const Ran ran = attn_run(words);
    CHECK(ran.exit_code == 2);
    CHECK(unwrapped(ran.err).starts_with(
        "error[layer-option]: --layer chooses what is shown of a whole model"));
  }
}

TEST_CASE("checkpoint: a layer without an input says how to give one") {
  const Files files;
  const Ran ran = attn_run({"explain", files.model(checkpoint(llama, 1)), "--layer", "0"});
  CHECK(ran.exit_code == 3);
  CHECK(unwrapped(ran.err).starts_with(
      "error[missing-key]: this file has the weights of a layer, but no input for it"));
  CHECK(has(ran.err, "Give X, one row for each token, with --embeddings x.npy."));
}

TEST_CASE("checkpoint: tensors of a layer that are not part of attention are left out and named") {
  const Files files;
  const std::string bert_text =
      attn_run({"explain", files.model(checkpoint(bert, 1)), "--heads", "1", "--layer", "0",
                "--embeddings", files.x, "--width", "200"})
          .out;
  CHECK(has(bert_text, "not used: encoder.layer.0.attention.output.LayerNorm.weight"));
  const std::string gpt2_text =
      attn_run({"explain", files.model(checkpoint(gpt2, 1)), "--heads", "1", "--layer", "0",
                "--embeddings", files.x, "--width", "200"})
          .out;
  CHECK(has(gpt2_text, "not used: h.0.attn.bias, "));
}

TEST_CASE("checkpoint: a tensor that changes the layer's output is refused by every command") {
  const Files files;
  const std::string p = "model.layers.0.self_attn.";
  for (const std::string name : {"q_proj.lora_A.weight", "relative_position_bias_table"}) {
    std::vector<NamedArray> tensors = checkpoint(llama, 1);
    tensors.push_back({p + name, {{2}, {1, 1}}, ""});
    const std::string model = files.model(tensors);
    for (const std::string command : {"explain", "convert", "heatmap", "compare", "check"}) {
      Args args{command, model, "--layer", "0", "--embeddings", files.x, "--heads", "2"};
      if (command == "convert") args.insert(args.end(), {"-o", files.folder.path("no.npz")});
      if (command == "compare") args.insert(args.end(), {"--left", "mask=causal"});
      if (command == "check") {
        args[1] = files.folder.write("a.json", R"({"weights": [[1]]})");
        args.insert(args.end(), {"--problem", model});
      }
      const Ran ran = attn_run(args);
      CAPTURE(command);
      CHECK(ran.exit_code == 3);
      CHECK(has(unwrapped(ran.err),
                "error[not-supported]: the layer " + p + " computes with " + p + name));
    }
  }
}

namespace {

constexpr const char* kSelf = "model.layers.0.self_attn.";

/// A layer of a checkpoint, with more tensors.
std::vector<NamedArray> with_tensors(const std::vector<std::pair<std::string, Array>>& more) {
  std::vector<NamedArray> tensors = checkpoint(llama, 1);
  for (const auto& [name, array] : more) tensors.push_back({kSelf + name, array, ""});
  return tensors;
}

const Array kQueryGains{{3}, {0.5, 1, -0.25}}, kKeyGains{{3}, {1, 0.125, 2}};

/// What the layer gives with a norm of that kind and offset.
std::string normed(attn::QkNormKind kind, double offset, double eps) {
  attn::ProblemDraft draft = layer(0);
  draft.embeddings = input();
  draft.weights["q_norm"] = kQueryGains;
  draft.weights["k_norm"] = kKeyGains;
  draft.qk_norm = {.kind = kind, .is_given = true, .eps = eps, .offset = offset};
  return attn_run({"explain", "-", "--format", "csv"}, attn::problem_json(draft)).out;
}

}  // namespace

TEST_CASE("checkpoint: the norm of queries and keys is that of the configuration beside it") {
  struct Row {
    const char* config;
    attn::QkNormKind kind;
    double offset, eps;
  };
  const Row rows[] = {
      {R"({"model_type": "qwen3", "rms_norm_eps": 0.001})", attn::QkNormKind::Rms, 0, 0.001},
      {R"({"model_type": "gemma3_text", "rms_norm_eps": 0.01})", attn::QkNormKind::Rms, 1, 0.01},
      {R"({"model_type": "gemma3", "text_config": {"model_type": "gemma3_text"}})",
       attn::QkNormKind::Rms, 1, 1e-6},
      {R"({"model_type": "cohere", "layer_norm_eps": 0.5})", attn::QkNormKind::Layer, 0, 0.5},
  };
  for (const Row& row : rows) {
    const Files files;
    const std::string model =
        files.model(with_tensors({{"q_norm.weight", kQueryGains}, {"k_norm.weight", kKeyGains}}));
    CAPTURE(row.config);
    files.folder.write("config.json", row.config);
    const Ran ran = attn_run({"explain", model, "--prefix", kSelf, "--heads", "2", "--embeddings",
                              files.x, "--format", "csv"});
    CHECK(ran.err == "");
    CHECK(ran.out == normed(row.kind, row.offset, row.eps));
  }
}

TEST_CASE("checkpoint: a norm that nothing names is asked for, never assumed") {
  const std::string unknown[] = {"", R"({"model_type": "gemma3n"})"};
  for (const std::string& config : unknown) {
    const Files files;
    if (!config.empty()) files.folder.write("config.json", config);
    const std::string model =
        files.model(with_tensors({{"q_norm.weight", kQueryGains}, {"k_norm.weight", kKeyGains}}));
    Args args{"explain", model,          "--prefix", kSelf,      "--heads",
              "2",       "--embeddings", files.x,    "--format", "csv"};
    const Ran ran = attn_run(args);
    CHECK(ran.exit_code == 3);
    CHECK(has(unwrapped(ran.err), "q_norm.weight belongs to a norm"));
    args.insert(args.end(), {"--qk-norm", "rms"});
    CHECK(has(unwrapped(attn_run(args).err), "the offset of its gains is not known"));
    args.insert(args.end(), {"--qk-norm-offset", "1"});
    CHECK(attn_run(args).out == normed(attn::QkNormKind::Rms, 1, 1e-6));
  }
}

TEST_CASE("checkpoint: sinks of a layer are computed") {
  const Files files;
  const Array sinks{{2}, {0.5, -1}};
  const std::string model = files.model(with_tensors({{"sinks", sinks}}));
  attn::ProblemDraft draft = layer(0);
  draft.embeddings = input();
  draft.sinks = sinks;
  const std::string wanted =
      attn_run({"explain", "-", "--format", "csv"}, attn::problem_json(draft)).out;
  CHECK(attn_run({"explain", model, "--prefix", kSelf, "--heads", "2", "--embeddings", files.x,
                  "--format", "csv"})
            .out == wanted);
  CHECK(has(wanted, "sink_weights"));
}

TEST_CASE("checkpoint: the shape tells a gate in the queries, as Qwen3-Next has it") {
  const Files files;
  attn::ProblemDraft draft = layer(0);
  draft.embeddings = input();
  Dice dice(5);
  draft.weights["w_gate"] = dice.numbers({kWidth, kWidth});
  draft.weights["b_gate"] = dice.numbers({kWidth});
  draft.attention_gate = attn::AttentionGate{"sigmoid", attn::GateOn::Concat};
  const auto rows_of = [](const Array& a, std::ptrdiff_t first) {  // three, those of one head
    const std::ptrdiff_t width = a.rank() == 1 ? 1 : a.shape[1];
    Array part{a.shape, {a.data.begin() + first * width, a.data.begin() + (first + 3) * width}};
    part.shape[0] = 3;
    return part;
  };
  const auto packed = [&](const Array& q, const Array& gate) {
    return stacked({rows_of(q, 0), rows_of(gate, 0), rows_of(q, 3), rows_of(gate, 3)});
  };
  std::vector<NamedArray> tensors = checkpoint(llama, 1);
  for (NamedArray& each : tensors) {
    const auto& w = draft.weights;
    if (each.name.ends_with("q_proj.weight"))
      each.array = packed(each.array, transposed(w.at("w_gate")));
    if (each.name.ends_with("q_proj.bias")) each.array = packed(each.array, w.at("b_gate"));
  }
  const Ran ran = attn_run({"explain", files.model(tensors), "--prefix", kSelf, "--heads", "2",
                            "--embeddings", files.x, "--format", "csv"});
  CHECK(ran.err == "");
  CHECK(ran.out == attn_run({"explain", "-", "--format", "csv"}, attn::problem_json(draft)).out);
}

TEST_CASE("checkpoint: an output projection beside the queries is computed, never left out") {
  const Files files;
  const attn::WeightArrays w = layer(0).weights;
  const std::string p = "vit.encoder.layer.0.attention.", q = p + "attention.";
  const std::string model = files.model({{q + "query.weight", transposed(w.at("w_q")), ""},
                                         {q + "key.weight", transposed(w.at("w_k")), ""},
                                         {q + "value.weight", transposed(w.at("w_v")), ""},
                                         {p + "output.dense.weight", transposed(w.at("w_o")), ""}});
  const Args more{"--embeddings", files.x, "--heads", "2"};
  const auto explained = [&](Args args) {
    args.insert(args.begin(), {"explain", model});
    args.insert(args.end(), more.begin(), more.end());
    return attn_run(args);
  };
  CHECK(has(explained({"--layer", "0"}).out, "layer 0: " + p));
  CHECK(has(explained({"--layer", "0"}).out, "C·W_o"));
  const Ran inner = explained({"--prefix", q});
  CHECK(inner.exit_code == 3);
  CHECK(inner.err.starts_with("error[not-supported]: "));
  CHECK(has(unwrapped(inner.err), "(--prefix " + p + ")"));
}

TEST_CASE("checkpoint: what explain notes on the problem, check and compare say first") {
  const Files files;
  const std::string model = files.model(checkpoint(gpt2, 1));
  const Args more{"--layer", "0", "--embeddings", files.x, "--heads", "2"};
  Args explain{"explain", model, "-o", files.folder.path("dump.npz")};
  explain.insert(explain.end(), more.begin(), more.end());
  CHECK(attn_run(explain).exit_code == 0);
  Args check{"check", files.folder.path("dump.npz"), "--problem", model};
  check.insert(check.end(), more.begin(), more.end());
  const std::string report = attn_run(check).out;
  CHECK(has(report, "not used: h.0.attn.bias"));
  CHECK(report.find("not used") < report.find("weights  "));
  check.emplace_back("--json");
  CHECK(has(attn_run(check).out, "not used: h.0.attn.bias"));
  Args compare{"compare", model, "--left", "mask=causal"};
  compare.insert(compare.end(), more.begin(), more.end());
  CHECK(has(attn_run(compare).out, "not used: h.0.attn.bias"));
}

TEST_CASE("checkpoint: a tensor that is not needed may be of a kind that attn cannot read") {
  const Files files;
  const std::string scalar =
      R"({"h.0.attn.masked_bias":{"dtype":"F32","shape":[],"data_offsets":[0,4]},)"
      R"("h.0.attn.w_q":{"dtype":"F32","shape":[1,1],"data_offsets":[4,8]},)"
      R"("h.0.attn.w_k":{"dtype":"F32","shape":[1,1],"data_offsets":[8,12]},)"
      R"("h.0.attn.w_v":{"dtype":"F32","shape":[1,1],"data_offsets":[12,16]}})";
  const std::string model =
      files.folder.write("scalar.safetensors", with_size(scalar) + std::string(16, '\0'));
  const std::string x = files.folder.write("one.npy", attn::write_npy({{2, 1}, {1, 2}}));
  const Ran ran = attn_run({"explain", model, "--layer", "0", "--embeddings", x});
  CHECK(ran.err == "");
  CHECK(has(ran.out, "not used: h.0.attn.masked_bias"));
}

TEST_CASE("checkpoint: of a model of any size only the layer is read") {
  const Files files;
  const std::string header =
      R"({"wte.weight":{"dtype":"F32","shape":[1073741824],"data_offsets":[0,4294967296]},)"
      R"("h.0.attn.w_q":{"dtype":"F32","shape":[1,1],"data_offsets":[4294967296,4294967300]},)"
      R"("h.0.attn.w_k":{"dtype":"F32","shape":[1,1],"data_offsets":[4294967300,4294967304]},)"
      R"("h.0.attn.w_v":{"dtype":"F32","shape":[1,1],"data_offsets":[4294967304,4294967308]}})";
  const std::string model = files.folder.write("large.safetensors", with_size(header));
  std::filesystem::resize_file(model, 8 + header.size() + 4294967308);  // zeros, none on the disk
  const std::string x = files.folder.write("one.npy", attn::write_npy({{2, 1}, {1, 2}}));
  const Ran ran =
      attn_run({"explain", model, "--layer", "0", "--embeddings", x, "--steps", "q", "--json"});
  CHECK(ran.err == "");
  CHECK(has(ran.out, "\"shape\": [2, 1]"));
  CHECK(attn_run({"explain", model}).err.starts_with("error[prefix-needed]"));
}

TEST_CASE("checkpoint: convert takes one layer out of it, with the settings of the command line") {
  const Files files;
  const std::string model = files.model(checkpoint(bert, 11));
  for (const char* name : {"one.json", "one.npz", "one.safetensors"}) {
    CAPTURE(name);
    const std::string one = files.folder.path(name);
    const Ran ran = attn_run({"convert", model, "--layer", "10", "--embeddings", files.x, "--heads",
                              "2", "--mask", "window:1", "-o", one});
    CHECK(ran.exit_code == 0);
    CHECK(first_difference(expected(10, {"--mask", "window:1"}),
                           attn_run({"explain", one, "--format", "csv"}).out) == "");
    CHECK(attn_run({"convert", one, "-o", one}).err.starts_with("error[same-file]"));
  }
  CHECK(attn_run({"convert", model, "--layer", "11", "--embeddings", files.x, "-o", "-"})
            .err.starts_with("error[no-such-layer]"));
}

TEST_CASE("checkpoint: what is wrong with a tensor is reported with its file and its name") {
  const Files files;
  std::vector<NamedArray> tensors = checkpoint(gpt2, 1);
  tensors[3].array.data[7] = std::numeric_limits<double>::quiet_NaN();
  const Ran ran =
      attn_run({"explain", files.model(tensors), "--layer", "0", "--embeddings", files.x});
  CHECK(ran.exit_code == 3);
  CHECK(ran.err.starts_with("error[not-finite]: weights.c_attn.weight has NaN"));
  CHECK(has(unwrapped(ran.err), "model.safetensors /weights/c_attn.weight/0/7 "));
}

TEST_CASE("checkpoint: an .npz has layers too") {
  const Files files;
  const std::string model =
      files.folder.write("model.npz", attn::write_npz(checkpoint(encoder, 2)));
  CHECK(attn_run({"explain", model}).err.starts_with("error[prefix-needed]"));
  const Ran ran = attn_run({"explain", model, "--layer", "1", "--heads", "2", "--embeddings",
                            files.x, "--format", "csv"});
  CHECK(first_difference(expected(1, {}), ran.out) == "");
}

TEST_CASE("checkpoint: numbers in the names of layers are compared as numbers") {
  using Names = std::vector<std::string>;
  CHECK(attn::layer_prefixes({"h.10.w_q", "h.9.w_q", "h.9.x.w_q", "h.09.w_q", "a.w_q", "w_q"}) ==
        Names{"", "a.", "h.09.", "h.9.", "h.9.x.", "h.10."});
  CHECK(attn::layer_prefixes({"mlp.c_proj.weight", "pooler.dense.weight", "w_k"}).empty());
  CHECK(attn::layer_prefixes({"b.weights.w_q", "b.weights.b_q"}) == Names{"b."});
}

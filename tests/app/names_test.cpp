// Dumps under the names and in the layouts of other programs: attn check and attn compare.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "attn/io/tensor_file.hpp"
#include "support/files.hpp"
#include "support/phrases.hpp"
#include "support/program.hpp"
#include "support/temporary_folder.hpp"

using namespace attn::testing;
using attn::Array;
using attn::NamedArray;

namespace {

using Args = std::vector<std::string>;

/// Every step of a problem, and files made of some of them.
struct Dump {
  TemporaryFolder folder;
  Args problem;  ///< the options that name it
  std::map<std::string, Array> steps;
  std::vector<NamedArray> named = {};

  explicit Dump(Args options) : problem(std::move(options)) {
    Args args{"explain"};
    args.insert(args.end(), problem.begin(), problem.end());
    args.insert(args.end(), {"-o", folder.path("trace.npz")});
    const Ran ran = attn_run(args);
    CAPTURE(ran.err);
    REQUIRE(ran.exit_code == 0);
    const std::string bytes = read_text(folder.path("trace.npz"));
    for (NamedArray& each :
         attn::read_npz(bytes, "trace.npz", [](const auto& name) { return name != "attn.trace"; }))
      steps[each.name] = std::move(each.array);
  }

  void add(const std::string& theirs, const std::string& ours) {
    named.push_back({theirs, steps.at(ours), ""});
  }

  /// heads × rows × columns as rows × heads × columns, with a batch axis in front.
  void add_heads_last(const std::string& theirs, const std::string& ours) {
    const Array& a = steps.at(ours);
    const std::ptrdiff_t heads = a.shape[0], rows = a.shape[1], cols = a.shape[2];
    Array turned{{1, rows, heads, cols}, {}};
    for (std::ptrdiff_t r = 0; r < rows; ++r) {
      for (std::ptrdiff_t h = 0; h < heads; ++h) {
        const auto begin = a.data.begin() + (h * rows + r) * cols;
        turned.data.insert(turned.data.end(), begin, begin + cols);
      }
    }
    named.push_back({theirs, turned, ""});
  }

  /// A step under its own name, with rows and columns exchanged.
  void add_transposed(const std::string& id) {
    const Array& a = steps.at(id);
    const auto rows = static_cast<std::size_t>(a.shape[a.shape.size() - 2]),
               cols = static_cast<std::size_t>(a.shape.back());
    Array turned = a;
    std::swap(turned.shape[a.shape.size() - 2], turned.shape.back());
    for (std::size_t i = 0; i < a.data.size(); ++i) {
      const std::size_t matrix = i / (rows * cols) * rows * cols;
      turned.data[matrix + i % cols * rows + i / cols % rows] = a.data[i];
    }
    named.push_back({id, turned, ""});
  }

  std::string file(const std::string& name = "dump.npz") {
    return folder.write(name, attn::write_npz(named));
  }

  Ran check(const Args& more = {}) {
    Args args{"check", file(), "--problem"};
    args.insert(args.end(), problem.begin(), problem.end());
    args.insert(args.end(), more.begin(), more.end());
    return attn_run(args);
  }
};

Dump attention(const Args& more = {}) {
  Args problem{source_dir() + "/samples/03-multi-head.json"};
  problem.insert(problem.end(), more.begin(), more.end());
  return Dump(problem);
}

Dump gpt2() {
  return Dump({source_dir() + "/tests/reference/models/hugging_face_gpt2", "--ids", "3,1,4"});
}

}  // namespace

TEST_CASE("names: TransformerLens' hooks of one attention, heads last, are checked") {
  Dump dump = attention({"--mask", "causal"});
  dump.add_heads_last("blocks.0.attn.hook_q", "q_heads");
  dump.add_heads_last("blocks.0.attn.hook_k", "k_heads");
  dump.add_heads_last("blocks.0.attn.hook_v", "v_heads");
  dump.add("blocks.0.attn.hook_attn_scores", "masked_scores");
  dump.add("blocks.0.attn.hook_pattern", "weights");
  dump.add_heads_last("blocks.0.attn.hook_z", "context");
  dump.add("blocks.0.hook_attn_out", "output");
  const Ran right = dump.check();
  CAPTURE(right.out + right.err);
  CHECK(right.exit_code == 0);
  CHECK(has(right.out, "names of TransformerLens are read"));
  CHECK(!has(right.out, "from_pretrained_no_processing"));
  for (const char* step :
       {" q ", " k ", " v ", " masked_scores ", " weights ", " concat ", " output "})
    CHECK(has(right.out, step));
  dump.named.front().array.data[1] += 1.0;
  const Ran wrong = dump.check();
  CHECK(wrong.exit_code == 1);
  CHECK(count_of(unwrapped(wrong.out), "from_pretrained_no_processing") == 1);
}

TEST_CASE("names: hooks, outputs and modules of a whole model find their layers") {
  Dump dump = gpt2();
  dump.add("hook_embed", "token_embeddings");
  dump.add("blocks.0.hook_resid_pre", "x");
  dump.add("blocks.1.hook_resid_pre", "h.0.residual2");
  dump.add("blocks.1.attn.hook_pattern", "h.1.attn.weights");
  dump.add("blocks.1.hook_resid_mid", "h.1.residual1");
  dump.add("blocks.1.mlp.hook_post", "h.1.activation");
  dump.add("hidden_states.0", "x");
  dump.add("hidden_states.2", "norm");
  dump.add("attentions.0", "h.0.attn.weights");
  dump.add("transformer.h.0.mlp.c_fc", "h.0.linear1");
  dump.add("transformer.h.0.attn", "h.0.attn.output");
  dump.add("transformer.h.1", "h.1.residual2");
  dump.add("lm_head", "logits");
  const Ran ran = dump.check({"--json"});
  CAPTURE(ran.out + ran.err);
  CHECK(ran.exit_code == 0);
  for (const char* id : {"token_embeddings", "x", "h.0.residual2", "h.1.attn.weights",
                         "h.1.residual1", "h.1.activation", "norm", "h.0.attn.weights",
                         "h.0.linear1", "h.0.attn.output", "h.1.residual2", "logits"})
    CHECK(has(ran.out, "\"id\": \"" + std::string(id) + "\""));
}

TEST_CASE("names: a packed projection is cut into q, k and v") {
  Dump dump = gpt2();
  const Array &q = dump.steps.at("h.0.attn.q"), &k = dump.steps.at("h.0.attn.k"),
              &v = dump.steps.at("h.0.attn.v");
  const std::ptrdiff_t width = q.shape.back(), rows = std::ssize(q.data) / width;
  Array packed{{1, rows, 3 * width}, {}};
  for (std::ptrdiff_t r = 0; r < rows; ++r) {
    for (const Array* part : {&q, &k, &v})
      packed.data.insert(packed.data.end(), part->data.begin() + r * width,
                         part->data.begin() + (r + 1) * width);
  }
  dump.named.push_back({"h.0.attn.c_attn", packed, ""});
  const Ran ran = dump.check({"--json"});
  CAPTURE(ran.out + ran.err);
  CHECK(ran.exit_code == 0);
  CHECK(has(ran.out, "\"h.0.attn.v\""));
}

TEST_CASE(
    "names: --map names any other, with * for the layer; a step that is not there is refused") {
  Dump dump = gpt2();
  dump.add("model.3.queries", "h.0.attn.q");
  dump.add("net.1.att", "h.1.attn.weights");
  const Ran ran =
      dump.check({"--map", "model.3.queries=h.0.attn.q", "--map", "net.*.att=h.*.attn.weights"});
  CAPTURE(ran.out + ran.err);
  CHECK(ran.exit_code == 0);
  CHECK(has(ran.out, "h.1.attn.weights"));
  CHECK(dump.check({"--map", "net.*.att=h.*.nothing"}).exit_code == 2);
  CHECK(dump.check({"--map", "queries"}).exit_code == 2);
}

TEST_CASE("names: names of several layers are refused where the problem is one") {
  Dump dump = attention();
  dump.add("blocks.0.attn.hook_pattern", "weights");
  dump.add("blocks.1.attn.hook_pattern", "weights");
  const Ran ran = dump.check();
  CHECK(ran.exit_code == 3);
}

TEST_CASE("layouts: heads after tokens, and output with its heads apart") {
  Dump dump = attention();
  dump.add_heads_last("q_heads", "q_heads");
  dump.add_heads_last("k", "k_heads");
  dump.add_heads_last("concat", "context");
  const Ran ran = dump.check();
  CAPTURE(ran.out + ran.err);
  CHECK(ran.exit_code == 0);
  CHECK(has(ran.out, "[layout.heads]"));
  CHECK(
      has(unwrapped(ran.out), "q_heads, k_heads and context: The heads are on another axis here"));
}

TEST_CASE("layouts: keys and values repeated for each query head") {
  const TemporaryFolder folder;
  Dump dump({folder.write("grouped.json", R"({"heads": 4, "kv_heads": 2,
      "embeddings": {"randn": [3, 8], "seed": 1},
      "weights": {"w_q": {"randn": [8, 8], "seed": 2}, "w_k": {"randn": [8, 4], "seed": 3},
                  "w_v": {"randn": [8, 4], "seed": 4}, "w_o": {"randn": [8, 8], "seed": 5}}})")});
  const auto repeated = [&](const std::string& id, bool in_turn) {
    const Array& a = dump.steps.at(id);
    Array twice{{4, a.shape[1], a.shape[2]}, {}};
    for (const std::ptrdiff_t head : in_turn ? std::vector<std::ptrdiff_t>{0, 1, 0, 1}
                                             : std::vector<std::ptrdiff_t>{0, 0, 1, 1}) {
      const auto begin = a.data.begin() + head * a.shape[1] * a.shape[2];
      twice.data.insert(twice.data.end(), begin, begin + a.shape[1] * a.shape[2]);
    }
    return twice;
  };
  dump.named = {{"k_heads", repeated("k_heads", false), ""}};
  dump.add("weights", "weights");
  const Ran ran = dump.check();
  CAPTURE(ran.out + ran.err);
  CHECK(ran.exit_code == 0);
  CHECK(has(ran.out, "[equivalent.repeated_kv]"));
  dump.named = {{"k_heads", repeated("k_heads", true), ""}};  // tiled: another group's keys
  CHECK(dump.check().exit_code == 1);
}

TEST_CASE("layouts: scores that are scaled and masked already are that step") {
  Dump dump = attention({"--mask", "causal"});
  dump.add("q_heads", "q_heads");
  dump.add("scores", "masked_scores");
  const Ran masked = dump.check();
  CHECK(masked.exit_code == 0);
  CHECK(has(unwrapped(masked.out), "scores is checked as masked_scores"));
  CHECK(has(masked.out, "[equivalent.scores]"));
  dump.named.back().array = dump.steps.at("scaled_scores");
  CHECK(has(unwrapped(dump.check().out), "scores is checked as scaled_scores"));
}

TEST_CASE("layouts: one matrix alone, with tokens as columns") {
  Dump dump = attention();
  dump.add_transposed("output");
  const Ran ran = dump.check();
  CHECK(ran.exit_code == 0);
  CHECK(has(ran.out, "[layout.columns]"));
}

TEST_CASE("layouts: weights alone show none: that their columns add up to 1 proves nothing") {
  Dump dump = attention();
  dump.add_transposed("weights");
  const Ran alone = dump.check();
  CHECK(alone.exit_code == 1);
  CHECK(has(alone.out, "[shape.transposed]"));
  dump.add_transposed("scaled_scores");
  CHECK(has(dump.check().out, "[layout.columns]"));
}

TEST_CASE("names: a layer that attn itself names, where the problem is one layer") {
  Dump dump = attention({"--mask", "causal"});
  dump.add("model.layers.3.self_attn.weights", "weights");
  dump.add("model.layers.3.self_attn.q_heads", "q_heads");
  const Ran ran = dump.check();
  CAPTURE(ran.out + ran.err);
  CHECK(ran.exit_code == 0);
  CHECK(has(ran.out, "weights"));
  CHECK(has(ran.out, "q_heads"));
  dump.add("model.layers.4.self_attn.weights", "weights");
  CHECK(dump.check().exit_code == 3);
}

TEST_CASE("layouts: scores alone show none: K·Qᵀ is the transpose of Q·Kᵀ, too") {
  Dump dump = attention();
  for (const char* id : {"scores", "scaled_scores"}) dump.add_transposed(id);
  const Ran scores = dump.check();
  CHECK(scores.exit_code == 1);
  CHECK(has(scores.out, "[scores.transposed]"));
  dump.add_transposed("output");
  const Ran all = dump.check();
  CHECK(all.exit_code == 0);
  CHECK(has(all.out, "[layout.columns]"));
}

TEST_CASE("layouts: with the precision of the answers, not more") {
  Dump dump = attention({"--mask", "causal"});
  dump.add("q_heads", "q_heads");
  dump.add("scores", "scaled_scores");
  for (double& x : dump.named.back().array.data) x = std::round(x * 1e3) / 1e3;
  const Ran ran = dump.check({"--tolerance", "0.001"});
  CAPTURE(ran.out + ran.err);
  CHECK(ran.exit_code == 0);
  CHECK(has(ran.out, "[equivalent.scores]"));
}

TEST_CASE("layouts: what is wrong is rearranged, and swapped axes are certain only if they agree") {
  Dump dump = attention();
  dump.add_heads_last("k_heads", "k_heads");
  for (double& x : dump.named.back().array.data) x *= 3.0;
  const Ran ran = dump.check();
  CAPTURE(ran.out);
  CHECK(ran.exit_code == 1);
  CHECK(has(ran.out, "[layout.heads]"));
  CHECK(has(ran.out, "[evidence.ratio]"));
  dump.named.clear();
  dump.add_transposed("output");
  for (double& x : dump.named.back().array.data) x = 3.0 * x + 1.0;
  const std::string other = dump.check({"--json"}).out;
  CAPTURE(other);
  CHECK(has(other, "\"shape.transposed\", \"confidence\": \"possible\""));
}

TEST_CASE("other roads: rows of padding set to 0, in the weights or in the output alone") {
  Dump dump({source_dir() + "/samples/05-padding.json"});
  for (const char* id : {"weights", "output"}) {
    dump.named.clear();
    dump.add(id, id);
    Array& own = dump.named.back().array;
    const auto cols = own.shape.back();
    std::fill(own.data.begin() + 3 * cols, own.data.end(), 0.0);
    const Ran ran = dump.check();
    CAPTURE(ran.out);
    CHECK(ran.exit_code == 0);
    CHECK(has(ran.out, "[equivalent.padded_rows]"));
    std::fill(own.data.begin() + 2 * cols, own.data.end(), 0.0);  // a token that is no padding
    CHECK(dump.check().exit_code == 1);
  }
}

TEST_CASE("other roads: e^score without the row maximum subtracted") {
  Dump dump({source_dir() + "/samples/05-padding.json"});
  dump.add("weights", "weights");
  Array exps = dump.steps.at("masked_scores"), sums{{exps.shape[0], 1}, {}};
  for (std::ptrdiff_t r = 0; r < exps.shape[0]; ++r) {
    sums.data.push_back(0.0);
    for (std::ptrdiff_t c = 0; c < exps.shape[1]; ++c) {
      double& x = exps.data[static_cast<std::size_t>(r * exps.shape[1] + c)];
      x = std::exp(x);
      sums.data.back() += x;
    }
  }
  dump.named.push_back({"exp_scores", exps, ""});
  dump.named.push_back({"row_sum", sums, ""});
  const Ran ran = dump.check();
  CAPTURE(ran.out);
  CHECK(ran.exit_code == 0);
  CHECK(has(ran.out, "[equivalent.no_shift]"));
  dump.named.back().array.data[0] *= 2.0;
  CHECK(dump.check().exit_code == 1);
}

TEST_CASE("other roads: columns of queries and keys in the order of the other convention") {
  for (const bool rotated : {false, true}) {
    Dump dump =
        attention(rotated ? Args{"--heads", "1", "--positions", "rope"} : Args{"--heads", "1"});
    for (const char* id : {"q", "k", "scores"}) dump.add(id, id);
    for (NamedArray* each : {&dump.named[0], &dump.named[1]}) {  // neighbours or halves
      const Array old = each->array;
      for (std::size_t i = 0; i < old.data.size(); ++i) {
        const std::size_t col = i % 6;
        const std::size_t from = rotated ? col / 2 + col % 2 * 3 : col % 3 * 2 + col / 3;
        each->array.data[i] = old.data[i - col + from];
      }
    }
    const Ran ran = dump.check();
    CAPTURE(ran.out + ran.err);
    CHECK(ran.exit_code == 0);
    CHECK(has(ran.out, "[equivalent.columns_permuted]"));
    dump.named[1].array = dump.steps.at("k");  // the keys as they are
    CHECK(dump.check().exit_code == 1);
  }
}

TEST_CASE("names: ids after the name of what wraps the model") {
  Dump dump = gpt2();
  dump.add("transformer.h.1.attn.weights", "h.1.attn.weights");
  dump.add("model.transformer.h.0.residual1", "h.0.residual1");
  const Ran right = dump.check();
  CAPTURE(right.out + right.err);
  CHECK(right.exit_code == 0);
  CHECK(has(right.out, kAllRight));
  dump.add("lm_head", "logits");
  dump.add("transformer", "norm");
  const Ran some = dump.check();
  CHECK(has(some.out, "not compared: transformer"));
  CHECK(has(some.out, kAllCheckedRight + std::string(".")));
}

TEST_CASE("names: of two arrays for one step, the one that is wrong is compared") {
  for (const bool swapped : {false, true}) {
    Dump dump = gpt2();
    for (const char* name : {"hidden_states.1", "transformer.h.0"}) dump.add(name, "h.0.residual2");
    CHECK(has(dump.check().out, kAllRight));
    dump.named[swapped ? 1 : 0].array.data[0] += 1.0;
    const Ran ran = dump.check();
    CAPTURE(ran.out);
    CHECK(ran.exit_code == 1);
    CHECK(has(unwrapped(ran.out), swapped ? "not compared: hidden_states.1, which is h.0.residual2"
                                          : "not compared: transformer.h.0, which is"));
  }
}

TEST_CASE("names: single numbers are left out, and a note says so") {
  Dump dump = attention();
  dump.add("weights", "weights");
  dump.named.push_back({"loss", {{}, {2.5}}, ""});
  const Ran ran = dump.check();
  CAPTURE(ran.out + ran.err);
  CHECK(ran.exit_code == 0);
  CHECK(has(ran.out, "single numbers without axes: loss"));
}

TEST_CASE("compare command: dumps of several layers are compared by their own names") {
  for (const std::string scope : {"layers.*.attn", "model.layers.*.self_attn", "h.*.anything"}) {
    const TemporaryFolder folder;
    std::vector<NamedArray> one;
    for (const char* layer : {"1", "0"}) {
      std::string name = scope + ".scores";
      name.replace(name.find('*'), 1, layer);
      one.push_back({name, {{2, 2}, {1, 0, 0, 1}}, ""});
    }
    std::vector<NamedArray> other = one;
    other[1].array.data[0] = 3;
    const std::string a = folder.write("a.npz", attn::write_npz(one)),
                      b = folder.write("b.npz", attn::write_npz(other));
    const Ran ran = attn_run({"compare", "--left", a, "--right", b, "--json"});
    CAPTURE(ran.out + ran.err);
    CHECK(ran.exit_code == 1);
    CHECK(has(ran.out, "\"first_different\": \"" + one[1].name + "\""));
    CHECK(ran.out.find(one[0].name) < ran.out.find("\"id\": \"" + one[1].name));
  }
}

TEST_CASE("compare command: dumps with any names, in the order of the files") {
  const TemporaryFolder folder;
  const std::vector<NamedArray> one{{"zeta", {{2, 2}, {1, 2, 3, 4}}, ""},
                                    {"alpha.0", {{3}, {1, 2, 3}}, ""},
                                    {"weights", {{1, 2}, {0.5, 0.5}}, ""}};
  std::vector<NamedArray> other = one;
  other[1].array.data[2] = 9;
  other[2].array.data[0] = 9;
  const std::string a = folder.write("a.npz", attn::write_npz(one)),
                    b = folder.write("b.npz", attn::write_npz(other));
  CHECK(attn_run({"compare", "--left", a, "--right", a}).exit_code == 0);
  const Ran ran = attn_run({"compare", "--left", a, "--right", b, "--json"});
  CAPTURE(ran.out + ran.err);
  CHECK(ran.exit_code == 1);
  CHECK(has(ran.out, "\"first_different\": \"alpha.0\""));
  CHECK(ran.out.find("\"id\": \"zeta") < ran.out.find("\"id\": \"alpha.0"));
  CHECK(attn_run({"compare", "--left", a, "--right", b}).exit_code == 1);
}

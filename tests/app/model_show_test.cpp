// attn explain and attn heatmap on whole models, from the command line.
#include <doctest/doctest.h>

#include <regex>

#include "support/files.hpp"
#include "support/models.hpp"
#include "support/phrases.hpp"
#include "support/program.hpp"

namespace attn::testing {
namespace {

using Args = std::vector<std::string>;

std::string path(const std::string& name) { return source_dir() + "/tests/" + model_file(name); }

std::string shown(Args args) {
  const Ran ran = attn_run(args);
  CHECK_MESSAGE(ran.exit_code == 0, ran.err);
  return ran.out;
}

const std::string kModel = path("transformer_post_relu");

}  // namespace

TEST_CASE("whole model: explain begins with a summary and says how to see more") {
  const std::string text = shown({"explain", kModel});
  CHECK(has(text, "decoder.layers.1 "));
  CHECK(has(text, "\n--layer 1  "));
  CHECK(has(text, "--steps 'decoder.layers.1.*'"));
  CHECK(has(text, "--cell encoder.layers.0.self_attn.weights:1,0"));
  CHECK(text == shown({"explain", kModel, "--summary"}));
  CHECK(has(shown({"explain", kModel, "--full"}), "[20/"));
  CHECK(text == shown({"explain", kModel, "--precision", "2"}));
  CHECK(has(shown({"explain", kModel, "--precision", "1", "--sci"}), "e-01 "));
}

TEST_CASE("whole model: what is chosen is shown with the same numbers as in the full text") {
  const std::string all = shown({"explain", kModel, "--full"});
  for (const Args& choice :
       {Args{"--layer", "1"}, Args{"--steps", "decoder.layers.1.*"}, Args{"--steps", "weights"},
        Args{"--steps", "2-5"}, Args{"--steps", "norm1", "--layer", "0"},
        Args{"--steps", "decoder.layers.?.norm2,memory"}}) {
    Args args{"explain", kModel};
    args.insert(args.end(), choice.begin(), choice.end());
    const std::string some = shown(args);
    int steps = 0;
    for (std::size_t at = some.find("\n["); at != some.npos;) {
      static const std::regex kId(
          "\n    (encoder|decoder|memory)[^ ]*(weights|norm[0-9]|q|linear[0-9]): ");
      const std::size_t end = some.find("\n\n", at);
      const std::string step = some.substr(at, end - at);
      at = some.find("\n[", end);
      if (!std::regex_search(step, kId)) continue;
      ++steps;
      CHECK_MESSAGE(has(all, step), step);
    }
    CHECK(steps > 0);
  }
}

TEST_CASE("whole model: one number, down through the layers") {
  const std::string text =
      shown({"explain", kModel, "--cell", "decoder.layers.1.norm1:1,x2", "--depth", "3"});
  CHECK(has(text, "Where decoder.layers.1.norm1[t1, x2] comes from"));
  CHECK(has(text, "decoder.layers.1.residual1[t1, x"));
  CHECK(has(text, "decoder.layers.0.norm3[t1, x"));
  const std::string json =
      shown({"explain", kModel, "--cell", "encoder.norm:0,x1", "--depth", "2", "--json"});
  CHECK(has(json, "\"step\": \"encoder.norm\""));
}

TEST_CASE("whole model: a layer of a sample is chosen by its name as in its file") {
  const std::string file = source_dir() + "/samples/16-reversal.json";
  for (const Args& choice : {Args{"explain", "--only"}, Args{"heatmap"}}) {
    Args args{choice};
    args.insert(args.begin() + 1, {"16-reversal", "--layer", "0"});
    const std::string named = shown(args);
    args[1] = file;
    CHECK(count_of(named, "\n") == count_of(shown(args), "\n"));
  }
  CHECK(has(shown({"heatmap", "15-induction", "--layer", "1"}), "layers.1.self_attn.weights"));
  CHECK(has(shown({"explain", "17-english-french", "--layer", "0"}), ".layers.0."));
  CHECK(has(usage({"explain", "16-reversal", "--prefix", "decoder."}), "layer-option"));
  CHECK(has(usage({"explain", "04-causal", "--layer", "0"}), "layer-option"));
}

TEST_CASE("whole model: what one attention has no use for is said of that one") {
  const std::string text =
      unwrapped(attn_run({"explain", "17-english-french", "--set", "align=end"}).out);
  CHECK(has(text, "note: encoder.layers.0.self_attn: " + idle("align end")));
}

TEST_CASE("whole model: a wrong name, layer or head is refused") {
  const auto refused = [&](Args args) {
    args.insert(args.begin(), {"explain", kModel});
    const Ran ran = attn_run(args);
    CHECK(ran.exit_code == 2);
    return unwrapped(ran.err);
  };
  CHECK(has(refused({"--steps", "wieghts"}), did_you_mean({"weights"})));
  CHECK(has(refused({"--steps", "*.nothing"}), no_such("step", "*.nothing")));
  CHECK(has(refused({"--layer", "2"}), "error[out-of-range]"));
  CHECK(has(refused({"--layer", "1", "--head", "2"}), "there is no head 2"));
  CHECK(has(refused({"--cell", "weights:1,0"}), "names 6 steps"));
  CHECK(has(refused({"--cell", "1,0"}), "in a model, the step must be named"));
  CHECK(has(refused({"--steps", "Q", "--format", "csv", "--wide"}),
            "--wide writes one step as a table, and Q names 6 steps fix Name one: --steps "
            "encoder.layers.0.self_attn.q."));
}

TEST_CASE("whole model: files hold the chosen steps, with what they are made from") {
  const std::string json = shown({"explain", kModel, "--json", "--steps", "*.q"});
  CHECK(has(json, "\"decoder.layers.1.self_attn.q\""));
  CHECK(has(json, "\"decoder.layers.1.self_attn.w_q\""));
  CHECK(!has(json, "\"decoder.layers.1.self_attn.w_k\""));
  const std::string csv = shown({"explain", kModel, "--format", "csv", "--layer", "0"});
  CHECK(has(csv, "\nencoder.layers.0.self_attn.weights,,1,0,3,m0,m3,"));
  CHECK(!has(csv, "layers.1"));
}

TEST_CASE("whole model: a trace is shown like the model itself") {
  const std::string json = shown({"explain", kModel, "--json"});
  for (const Args& choice : {Args{"--layer", "1"}, Args{"--summary", "--quiet"},
                             Args{"--cell", "memory:0,1"}, Args{"--full"}}) {
    Args of_model{"explain", kModel}, of_trace{"explain", "-"};
    of_model.insert(of_model.end(), choice.begin(), choice.end());
    of_trace.insert(of_trace.end(), choice.begin(), choice.end());
    const Ran ran = attn_run(of_trace, json);
    REQUIRE_MESSAGE(ran.exit_code == 0, ran.err);
    const auto body = [](const std::string& text) {
      const std::string source = std::regex_replace(
          text, std::regex("(standard input|[^ \n]*transformer_post_relu.json)"), "X");
      return source;
    };
    CHECK(body(ran.out) == body(shown(of_model)));
  }
}

TEST_CASE("whole model: pictures of a layer, of one head, and of all heads") {
  const std::string layer = shown({"heatmap", kModel, "--layer", "1", "--head", "0"});
  CHECK(has(layer, "encoder.layers.1.self_attn.weights"));
  CHECK(has(layer, "decoder.layers.1.multihead_attn.weights"));
  CHECK(!has(layer, "head 1"));
  const std::string first = shown({"heatmap", kModel});
  CHECK(has(first, "encoder.layers.0.self_attn.weights"));
  CHECK(has(first, "attention 1 of 6"));
  CHECK(has(shown({"heatmap", kModel, "--steps", "output"}), "output: what"));
  const std::string all = shown({"heatmap", kModel, "--overview"});
  CHECK(has(all, "decoder.layers.N.multihead_attn"));
  CHECK(has(shown({"heatmap", "--overview"}), "attention weights"));
  CHECK(has(shown({"heatmap", kModel, "--overview", "--layout", "lines"}), ", if even: "));
  const Ran several = attn_run({"heatmap", kModel, "--steps", "weights"});
  CHECK(several.exit_code == 2);
  CHECK(has(unwrapped(several.err), one_step_not("a heat map", "6")));
}

TEST_CASE("whole model: --no-cache generates the same tokens with more multiplications") {
  const std::string sample = source_dir() + "/samples/15-induction.json";
  const std::string with = shown({"generate", sample, "--count", "3"});
  const std::string without = shown({"generate", sample, "--count", "3", "--no-cache"});
  CHECK(has(with, "→ owl key sun\n"));
  CHECK(has(without, "→ owl key sun\n"));
  CHECK(has(with, "Multiplications: 84,960 in all, 239,808 without "));
  CHECK(has(without, "Multiplications: 239,808 in all.\n"));
}

TEST_CASE(
    "whole model: --text gives the tokens to start from, and errors about unknown ones name it") {
  const std::string sample = source_dir() + "/samples/15-induction.json";
  CHECK(has(shown({"generate", sample, "--text", "owl key sun owl", "--count", "2"}),
            "owl key sun owl → key sun\n"));
  const Ran ran = attn_run({"generate", sample, "--text", "foo"});
  CHECK(ran.exit_code == 3);
  CHECK_MESSAGE(has(ran.err, "--> --text foo\n"), ran.err);
}

TEST_CASE("whole model: attn compare refuses --layer") {
  const Ran ran =
      attn_run({"compare", kModel, "--layer", "1", "--left", "heads=2", "--right", "heads=1"});
  CHECK(ran.exit_code == 2);
}

}  // namespace attn::testing

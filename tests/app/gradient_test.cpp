// attn explain --gradient: what it prints, writes, reads back and refuses.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "attn/gradient.hpp"
#include "attn/io/trace_file.hpp"
#include "attn/teach/mistakes.hpp"
#include "support/files.hpp"
#include "support/gradients.hpp"
#include "support/program.hpp"
#include "support/temporary_folder.hpp"

using namespace attn::testing;

namespace {

std::string explained(std::vector<std::string> args) {
  args.insert(args.begin(), "explain");
  const Ran ran = attn_run(args);
  CHECK_MESSAGE(ran.exit_code == 0, ran.err);
  return ran.out;
}

}  // namespace

TEST_CASE("gradient: the steps go on backwards under one heading, with their own numbers") {
  const std::string text = explained({"--mask", "causal", "--gradient"});
  CHECK(count_of(text, "\nBackward: how the loss changes with each number\n") == 1);
  CHECK(has(text, "[9/21] O = A·V"));
  CHECK(has(text, "[10/21] ∂L/∂O   how the loss changes with the output"));
  CHECK(has(text, "[15/21] ∂L/∂V = Aᵀ·∂L/∂O"));
  CHECK(has(text, "[17/21] ∂L/∂K = (∂L/∂S)ᵀ·Q"));
  CHECK(has(text, "∂L/∂X = ∂L/∂Q·W_qᵀ + ∂L/∂K·W_kᵀ + ∂L/∂V·W_vᵀ"));
  CHECK(!has(explained({"--mask", "causal"}), "Backward"));
}

TEST_CASE("gradient: a step without one is not said to appear with --gradient") {
  const Ran ran = attn_run({"explain", "--mask", "causal", "--gradient", "--steps", "mask.grad"});
  CHECK(ran.exit_code == 2);
  CHECK(has(unwrapped(ran.err), "fix Name another step: "));
  CHECK(has(unwrapped(attn_run({"explain", "--gradient", "--steps", "row_sum.grad"}).err),
            "(--detail full)"));
  CHECK(has(unwrapped(attn_run({"explain", "--steps", "weights.grad"}).err), "--gradient"));
}

TEST_CASE("gradient: a hidden score gets nothing, and is shown as hidden; a weight is not") {
  const std::string scores =
      explained({"--mask", "causal", "--gradient", "--steps", "masked_scores.grad"});
  CHECK(has(scores, "    the         0.000       ·       ·       ·       ·"));
  const std::string weights =
      explained({"--mask", "causal", "--gradient", "--steps", "weights.grad"});
  CHECK(has(weights, "    the          3    5       3   2      1"));
  CHECK(has(explained({"--mask", "causal", "--gradient", "--cell", "masked_scores.grad:the,cat"}),
            "a weight of 0 does not change with its score"));
}

TEST_CASE("gradient: all of it in 7 bits") {
  const std::string text = explained({"--gradient", "--ascii", "--detail", "full"});
  CHECK(has(text, "dL/dX = d1L/dX + d2L/dX + d3L/dX"));
  for (const char c : text) CHECK(static_cast<unsigned char>(c) < 0x80);
}

TEST_CASE("gradient: a number is followed backwards, and then forwards to what is given") {
  const std::string text = explained({"--gradient", "--cell", "x.grad:the,0", "--depth", "4"});
  for (const char* name : {"∂L/∂X[the, x0]", "∂L/∂K[the, k1]", "∂L/∂S[cat, the]", "A[cat, the]"})
    CHECK_MESSAGE(has(text, name), name);
}

TEST_CASE("gradient: a file with gradients is read back as it was, and drawn") {
  const TemporaryFolder folder;
  const std::string text = explained({"--gradient", "--heads", "2", "--json"});
  const std::string file = folder.write("trace.json", text);
  CHECK(explained({file, "--json"}) == text);
  CHECK(explained({"--gradient", "--heads", "2", "--cell", "x.grad:0,0"}) ==
        explained({file, "--cell", "x.grad:0,0"}));
  CHECK(has(attn_run({"heatmap", file, "--steps", "scores.grad"}).out, "∂L/∂S = ∂L/∂S′ / √d_k"));
  CHECK(attn_run({"explain", file, "--gradient"}).err.starts_with("error[already-computed]: "));
  const Ran forward = attn_run({"explain", "--heads", "2", "--json"});
  CHECK(attn_run({"explain", "-", "--gradient", "--json"}, forward.out).out == text);
}

TEST_CASE("gradient: every random trace with gradients is the same once written and read") {
  for (std::uint64_t seed = 1; seed < 60; ++seed) {
    CAPTURE(seed);
    const attn::Trace trace = seed % 3 == 0 ? model_with_gradients(seed) : with_gradients(seed);
    const std::string text = attn::trace_json(trace);
    CHECK(attn::trace_json(attn::parse_trace(text, "trace.json")) == text);
  }
}

TEST_CASE("gradient: the upstream gradient comes from JSON or NumPy, in the shape of the output") {
  const TemporaryFolder folder;
  const std::string npy = folder.path("g.npy"), json = folder.path("g.json");
  explained({"--steps", "output", "-o", npy});
  const std::string from_npy = explained({"--upstream", npy, "--steps", "x.grad"});
  CHECK(has(from_npy, "its gradient with respect to the output is given"));
  CHECK(from_npy != explained({"--gradient", "--steps", "x.grad"}));
  folder.write("g.json", " [[1, 1, 1, 1], [1, 1, 1, 1], [1, 1, 1, 1], [1, 1, 1, 1], [1, 1, 1, 1]]");
  CHECK(explained({"--upstream", json, "--steps", "x.grad", "--only"}) ==
        explained({"--gradient", "--steps", "x.grad", "--only"}));
  folder.write("g.json", "[[1, 2], [3]]");
  CHECK(attn_run({"explain", "--upstream", json}).err.starts_with("error[ragged-rows]: "));
  folder.write("g.json", "[[1, 2]]");
  const Ran wrong = attn_run({"explain", "--upstream", json});
  CHECK(wrong.exit_code == 3);
  CHECK(has(wrong.err, "upstream gradient is 1×2, but the output is 5×4"));
  const Ran missing = attn_run({"explain", "--upstream", folder.path("none.npy")});
  CHECK(missing.exit_code == 4);
  CHECK(
      has(unwrapped(missing.err), "fix --upstream takes a matrix: an .npy file, or JSON such as"));
  folder.write("g.json", R"({"a": 1})");
  CHECK(has(attn_run({"explain", "--upstream", json}).err, "expected a matrix"));
}

TEST_CASE("gradient: the first one that is not finite is named") {
  const TemporaryFolder folder;
  const std::string json = folder.path("g.json"), row = "[1e308, 1e308, 1e308, 1e308]";
  folder.write("g.json", "[" + row + ", " + row + ", " + row + ", " + row + ", " + row + "]");
  const std::string text = explained({"--upstream", json, "--summary"});
  CHECK(has(unwrapped(text), "note: step weights.grad has a number that is not finite (∞ or NaN)"));
  CHECK(!has(explained({"--gradient", "--summary"}), "not finite"));
}

TEST_CASE("gradient: without a loss, a model says what it needs") {
  const Ran ran = attn_run({"explain", "-", "--gradient"},
                           R"({"model": {"kind": "attention_only"}, "heads": 1,
 "embeddings": [[1, 0], [0, 1]], "weights": {"layers.0.self_attn.in_proj_weight": {"ones": [6, 2]},
 "layers.0.self_attn.out_proj.weight": {"eye": 2}}})");
  CHECK(ran.exit_code == 2);
  CHECK(ran.err.starts_with("error[gradient-source]: a gradient needs a loss"));
  CHECK(has(unwrapped(ran.err), "--upstream"));
}

TEST_CASE("gradient: the limit on memory counts the gradients, even if only X is shown") {
  const std::vector<std::string> problem{"explain", "--max-memory", "3K", "--steps", "x"};
  CHECK(attn_run(problem).exit_code == 0);
  std::vector<std::string> backward = problem;
  backward.emplace_back("--gradient");
  const Ran ran = attn_run(backward);
  CHECK(ran.exit_code == 3);
  CHECK(ran.err.starts_with("error[too-large]: "));
}

TEST_CASE("gradient: a known mistake has its own gradients, unless it has none") {
  const std::string right = explained({"--gradient", "--steps", "scores.grad", "--only"});
  CHECK(explained({"--fault", "scale.d_model", "--gradient", "--steps", "scores.grad", "--only"}) !=
        right);
  const Ran none = attn_run({"explain", "--fault", "softmax.columns", "--gradient"});
  CHECK(none.err.starts_with("error[no-gradient]: weights is made by mistaken_softmax"));
}

TEST_CASE("gradients: no known mistake makes them end in a bug") {
  int worked = 0;
  for (const char* sample : {"03-multi-head", "11-decode-step", "12-grouped-heads"}) {
    for (const std::string& code : attn::mistake_codes()) {
      const Ran ran = attn_run({"explain", source_dir() + "/samples/" + sample + ".json", "--fault",
                                code, "--gradient", "--summary"});
      const bool refused = ran.err.starts_with("error[no-gradient]: ") ||
                           ran.err.starts_with("error[no-such-fault]: ");
      CHECK_MESSAGE((ran.exit_code == 0 || refused), sample << " " << code << "\n" << ran.err);
      worked += ran.exit_code == 0 ? 1 : 0;
    }
  }
  CHECK(worked > 50);
}

TEST_CASE("gradient: those of a dump are checked, and compared with the problem") {
  const TemporaryFolder folder;
  const std::string problem = folder.path("p.json"), wrong = folder.path("wrong.npz"),
                    right = folder.path("right.npz"), g = folder.path("g.npy");
  CHECK(attn_run({"convert", "--mask", "causal", "-o", problem}).exit_code == 0);
  explained({problem, "--steps", "output", "-o", g});
  explained({problem, "--fault", "gradient.scale", "-o", wrong});  // --gradient goes without saying
  explained({problem, "--gradient", "-o", right});
  const auto checked = [&](const std::string& dump, const std::vector<std::string>& more) {
    std::vector<std::string> args{"check", dump, "--problem", problem};
    args.insert(args.end(), more.begin(), more.end());
    return attn_run(args);
  };
  CHECK(checked(right, {"--gradient"}).exit_code == 0);
  const Ran named = checked(wrong, {"--gradient"});
  CHECK(named.exit_code == 1);
  CHECK(has(unwrapped(named.out), "[gradient.scale]"));
  const Ran ignored = checked(wrong, {});
  CHECK(has(unwrapped(ignored.out), "which --gradient or --upstream FILE compares"));
  CHECK(checked(right, {"--upstream", g}).exit_code == 1);
  explained({problem, "--upstream", g, "-o", right});
  CHECK(checked(right, {"--upstream", g}).exit_code == 0);
  CHECK(attn_run({"compare", problem, "--left", right, "--upstream", g}).exit_code == 0);
  const Ran compared = attn_run({"compare", problem, "--left", wrong, "--gradient"});
  CHECK(compared.exit_code == 1);
  CHECK(has(compared.out, "scores.grad"));
  const std::string trace = folder.path("trace.json");
  explained({problem, "--gradient", "-o", trace});
  CHECK(attn_run({"check", trace}).exit_code == 0);
  CHECK(attn_run({"check", trace, "--gradient"}).exit_code == 2);
  CHECK(attn_run({"compare", problem, "--left", trace, "--gradient"}).exit_code == 0);
  const Ran none = attn_run({"compare", problem, "--left", "fault=gradient.scale"});
  CHECK(has(unwrapped(none.err), "it is made in gradients, and they are not computed"));
}

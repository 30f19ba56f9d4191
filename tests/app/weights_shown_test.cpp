// Weights and heads in the text: where they are, what they are called, how many lines they take.
#include <doctest/doctest.h>

#include <algorithm>

#include "support/files.hpp"
#include "support/phrases.hpp"
#include "support/program.hpp"

using namespace attn::testing;

namespace {

const std::string kTwoHeads = source_dir() + "/samples/03-multi-head.json";

std::size_t count_lines(const std::string& text) {
  return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

/// Whether `parts` are in `text`, one after the other.
bool in_order(const std::string& text, const std::vector<std::string>& parts) {
  std::size_t at = 0;
  for (const std::string& part : parts) {
    at = text.find(part, at);
    if (at == text.npos) return false;
  }
  return true;
}

/// Tokens a, b; W_q and W_k with that many columns.
std::string wide_problem(int columns) {
  std::string row;
  for (int i = 0; i < columns; ++i) row += (i == 0 ? "" : ", ") + std::to_string(i);
  return R"({"tokens": ["a", "b"], "embeddings": [[1], [2]], "weights": {"w_q": [[)" + row +
         R"(]], "w_k": [[)" + row + R"(]], "w_v": [[0.5]]}})";
}

}  // namespace

TEST_CASE("explain: heads in another order are named in their order") {
  const std::string text =
      attn_run({"explain", kTwoHeads, "--fault", "heads.order", "--steps", "concat"}).out;
  CHECK(text.find("C = Z side by side, in the order 1, 0 ") != text.npos);
}

TEST_CASE("weights: come before the steps that need them, side by side") {
  const std::string text = attn_run({"explain", kTwoHeads}).out;
  CHECK(in_order(text, {"[1/14] X ", "\nW_q, W_k, W_v   the weights for Q, K, V",
                        "[2/14] Q =", "[13/14] C =", "\nW_o   the weights for O", "[14/14] O ="}));
  CHECK(has(attn_run({"explain"}).out,
            "\n    W_q  q0  q1  q2  q3   W_k  k0  k1  k2  k3   W_v  v0  v1  v2  v3\n"));
}

TEST_CASE("weights: two linear layers have two matrices, each with its own symbol") {
  const std::string text =
      attn_run({"explain", "-"},
               R"({"model": {"kind": "feed_forward"}, "embeddings": [[1, 2]], "weights":
                   {"linear1.weight": [[1, 0], [0, 1]], "linear1.bias": [1, 1],
                    "linear2.weight": [[2, 0], [0, 2]], "linear2.bias": [0, 0]}})")
          .out;
  CHECK(in_order(text, {"\nW1   the weights for H1", "\n    W1 ", "\n    b1 ", "H1 = X·W1 + b1",
                        "\nW2   the weights for H2", "\n    b2 ", "H2 = F·W2 + b2"}));
  CHECK(!has(text, "·W "));
}

TEST_CASE("weights: a bias is their last row") {
  const std::string text = attn_run({"explain", kTwoHeads}).out;
  CHECK(has(text, "\n    b_q  -0.5  0.5  0.0  0.5  0.0  1.0   b_k   0.0  0.5"));
}

TEST_CASE("weights: of those with more than eight columns, only the shapes are shown") {
  const auto shown = [](int columns) {
    return attn_run({"explain", "-"}, wide_problem(columns)).out;
  };
  CHECK(has(shown(8), "\n    W_q  q0"));
  CHECK(!has(shown(9), "\n    W_q  q0"));
  CHECK(has(shown(9),
            "   the weights for Q, K, V                           1×9, 1×9, 1×1\n"
            "    W_q (1×9) and W_k (1×9) are too large to show.\n"
            "    W_v   v0\n    x0   0.5\n"));
  CHECK(!has(shown(8), "too large"));
}

TEST_CASE("weights: every option that names a step takes them, in the order of the computation") {
  const std::string text = attn_run({"explain", "--steps", "q,w_q"}).out;
  CHECK(in_order(text, {"\nW_q   query projection", "\n[2/8] Q ="}));
  CHECK(has(attn_run({"explain", "--steps", "w_q", "--format", "csv"}).out, "w_q,,,0,0,x0,q0,1.0"));
  CHECK(has(attn_run({"explain", "--steps", "W_q", "--json"}).out, "\"order\": []"));
  CHECK(has(attn_run({"explain", "--steps", "w_q", "--json"}).out, "\"givens\": {\n    \"w_q\""));
  CHECK(attn_run({"heatmap", "--steps", "w_q"}).exit_code == 0);
  CHECK(in_order(attn_run({"explain", "--summary"}).out, {"\nx ", "\nw_q ", "\nq ", "\nw_k "}));
}

TEST_CASE("heads: the numbers of head 1's columns go on from those of head 0") {
  const std::string text = attn_run({"explain", kTwoHeads, "--detail", "full"}).out;
  CHECK(in_order(text, {"[5/", "head 0", "head 1", "q0    q1    q2", "q3    q4    q5"}));
  CHECK(has(attn_run({"explain", kTwoHeads, "--steps", "q_heads", "--format", "csv"}).out,
            "q_heads,,1,0,2,old,q5,"));
}

TEST_CASE("heads: cutting and joining them takes a line each, with the shapes on the way") {
  const std::string text = attn_run({"explain", kTwoHeads}).out;
  CHECK(has(text, "5×6 → 5×2×3 → 2×5×3\n[6/14] K_i"));
  CHECK(has(text, "2×5×3 → 5×2×3 → 5×6\n\nW_o"));
  // C has no matrix of its own here, so O must show its numbers.
  CHECK(in_order(attn_run({"explain", "--heads", "2"}).out,
                 {"C = Z side by side", "O = C", "the same as C", "o0     o1     o2     o3"}));
}

TEST_CASE("heads: those that do not fit side by side share one line of labels") {
  const std::string text = attn_run({"explain", kTwoHeads, "--steps", "scores"}).out;
  CHECK(has(text, "            query\\key    old  friends"));
  CHECK(in_order(text, {"\n    head 0  old ", "\n            friends ", "\n    head 1  old "}));
  const std::string wide =
      attn_run({"explain", kTwoHeads, "--steps", "scores", "--width", "120"}).out;
  CHECK(has(wide, "\n    head 0                                             head 1\n"));
}

TEST_CASE("text: the sample takes at most 100 lines, two heads at most 160") {
  CHECK(count_lines(attn_run({"explain", "--mask", "causal"}).out) <= 100);
  CHECK(count_lines(attn_run({"explain", kTwoHeads}).out) <= 160);
}

TEST_CASE("text: on a screen, long text becomes a summary and a picture, and says so") {
  std::string rows;
  for (int i = 0; i < 30; ++i) rows += (i == 0 ? "[" : ", [") + std::to_string(i % 7) + "]";
  const std::string wide_problem =
      R"({"q": [)" + rows + R"(], "k": [)" + rows + R"(], "v": [)" + rows + "]}";
  const auto shown = [&](std::vector<std::string> more) {
    more.insert(more.begin(), {"explain", "-"});
    return attn_run_on(screen(80), more, wide_problem).out;
  };
  const std::string brief = shown({});
  CHECK(in_order(brief, {"step ", "scaled_scores", "entropy of A", "A = softmax", kAllSteps,
                         "--full prints them"}));
  CHECK(count_lines(brief) < 100);
  for (const char* option : {"--full", "--no-examples", "--big"})
    CHECK(!has(shown({option}), "All steps together"));
  CHECK(!has(shown({"--steps", "scores"}), "All steps together"));
  CHECK(!has(attn_run({"explain", "-"}, wide_problem).out, "All steps together"));
}

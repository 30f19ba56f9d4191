// Masks before the scale, masks that are added, padding found without being named.

#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <vector>

#include "attn/attend.hpp"
#include "attn/error.hpp"
#include "support/compare.hpp"
#include "support/errors.hpp"
#include "support/infinity.hpp"
#include "support/phrases.hpp"
#include "support/traces.hpp"

namespace attn::testing {
namespace {
using Numbers = std::vector<double>;

/// Two queries with scores 4, 2 and 8, 4; d_k is 4, so the scale is 1/2.
ProblemDraft two_tokens() {
  ProblemDraft draft;
  draft.q = Array{{2, 4}, {2, 0, 0, 0, 4, 0, 0, 0}};
  draft.k = Array{{2, 4}, {2, 0, 0, 0, 1, 0, 0, 0}};
  draft.v = Array{{2, 1}, {1, 3}};
  draft.masks = {parse_mask("causal")};
  return draft;
}

ProblemDraft before_scale(double fill) {
  ProblemDraft draft = two_tokens();
  draft.mask_before_scale = true;
  draft.fill = fill;
  return draft;
}

std::string why_not(const ProblemDraft& draft) {
  return refusal_from([&] { make_problem(draft); }).what;
}

Numbers kept(const ProblemDraft& draft) {
  return attend(make_problem(draft)).value("kept_queries").data().copy();
}

}  // namespace

TEST_CASE("before_scale: the mask replaces raw scores, and the scale divides the result") {
  const Trace trace = attend(make_problem(before_scale(-6.0)));
  CHECK(trace.value("masked_scores").data() == Numbers{4, -6, 8, 4});
  CHECK(trace.value("scaled_scores").data() == Numbers{2, -3, 4, 2});
  CHECK(close(1 / (1 + std::exp(5.0)), trace.value("weights").data()[1]));
  CHECK(formula_text(trace, trace.at("masked_scores")) == std::string("M = S, -6") + kWhereHidden);
  CHECK(formula_text(trace, trace.at("scaled_scores")) == "S′ = M / √d_k");
  CHECK(formula_text(trace, trace.at("weights")) == "A = softmax(S′)");
}

TEST_CASE("before_scale: −∞ gives the weights of the usual order, a small fill does not") {
  for (const double fill : {-kInfinity, -6.0}) {
    ProblemDraft usual = before_scale(fill);
    usual.mask_before_scale = false;
    const Numbers first = attend(make_problem(before_scale(fill))).value("weights").data().copy();
    const Numbers last = attend(make_problem(usual)).value("weights").data().copy();
    CHECK((first == last) == (fill == -kInfinity));
  }
}

TEST_CASE("before_scale: a bias acts on the raw scores too") {
  ProblemDraft draft = before_scale(-kInfinity);
  draft.masks.clear();
  draft.bias = Array{{2, 2}, {1, 2, 3, 4}};
  const Trace trace = attend(make_problem(draft));
  CHECK(trace.value("masked_scores").data() == Numbers{5, 4, 11, 8});
  CHECK(trace.value("scaled_scores").data() == Numbers{2.5, 2, 5.5, 4});
}

TEST_CASE("before_scale: what it cannot be combined with is refused") {
  ProblemDraft draft = before_scale(-1.0);
  draft.softcap = 30;
  CHECK(why_not(draft).find("softcap") != std::string::npos);
  draft = before_scale(-1.0);
  for (const MaskingMode mode : {MaskingMode::Multiply, MaskingMode::Renormalize}) {
    draft.masking = mode;
    CHECK(why_not(draft).find("after softmax") != std::string::npos);
  }
  draft = before_scale(-1.0);
  for (const double scale : {0.0, -0.5}) {
    draft.scale = {ScaleRule::Kind::Number, scale};
    CHECK(why_not(draft).find("a scale above 0") != std::string::npos);
  }
  draft.scale = {ScaleRule::Kind::Number, 0.5};
  CHECK(why_not(draft) == "");
}

TEST_CASE("added_mask: 0 where the mask is 1, the fill where it is 0, and added to the scores") {
  ProblemDraft draft = two_tokens();
  draft.masking = MaskingMode::Add;
  CHECK(attend(make_problem(draft)).value("added_mask").data() == Numbers{0, -kInfinity, 0, 0});
  draft.fill = -10.0;
  draft.bias = Array{{2, 2}, {1, 2, 3, 4}};
  const Trace trace = attend(make_problem(draft));
  CHECK(trace.value("added_mask").data() == Numbers{0, -10, 0, 0});
  CHECK(trace.value("masked_scores").data() == Numbers{3, -7, 7, 6});
  CHECK(formula_text(trace, trace.at("added_mask")) ==
        std::string("added = -10") + kWhereHidden + ", else 0");
  CHECK(formula_text(trace, trace.at("masked_scores")) == "M = S′ + B + added");
  CHECK(trace.settings().masking == MaskingMode::Add);
  CHECK(trace.settings().fill == -10.0);
}

TEST_CASE("added_mask: other modes have none") {
  for (const MaskingMode mode :
       {MaskingMode::Replace, MaskingMode::Multiply, MaskingMode::Renormalize}) {
    ProblemDraft draft = two_tokens();
    draft.masking = mode;
    CHECK(attend(make_problem(draft)).find("added_mask") == nullptr);
  }
}

TEST_CASE("queries: without ROWS, tokens named like padding and rows of zeros") {
  ProblemDraft draft = two_tokens();
  draft.masks = {parse_mask("queries")};
  CHECK(kept(draft) == Numbers{1, 1});
  CHECK(notes_of(draft).find(hides_nothing("queries", "query", "Q")) == 0);
  draft.tokens = {{"a", "[PAD]"}};
  CHECK(kept(draft) == Numbers{1, 0});
  draft.tokens.clear();
  draft.q->data[0] = 0.0;
  CHECK(kept(draft) == Numbers{0, 1});
}

TEST_CASE("queries: rows of zeros are those of X where there is an X") {
  ProblemDraft draft;
  draft.embeddings = Array{{3, 1}, {1, 0, 2}};
  for (const char* name : {"w_q", "w_k", "w_v"}) draft.weights[name] = Array{{1, 1}, {0}};
  draft.masks = {parse_mask("queries")};
  CHECK(kept(draft) == Numbers{1, 0, 1});
}

TEST_CASE("padding: rows of zeros in a given K are padding") {
  ProblemDraft draft = two_tokens();
  draft.masks = {parse_mask("padding")};
  CHECK(notes_of(draft).find("no row of K is all zero") != std::string::npos);
  draft.k->data[4] = 0.0;
  CHECK(attend(make_problem(draft)).value("mask").data() == Numbers{1, 0, 1, 0});
  CHECK(notes_of(draft) == "");
}

TEST_CASE("masks: a thousand of them hide what each would, and name the first") {
  ProblemDraft draft;
  const Index n = 300;
  draft.q = draft.k = draft.v = Array{{n, 1}, Numbers(static_cast<std::size_t>(n), 1.0)};
  for (Index i = 0; i < 500; ++i) {
    draft.masks.push_back(parse_mask("window:" + std::to_string(500 - i) + ",500"));
    draft.masks.push_back(parse_mask("keys:" + std::to_string(i % 3)));
  }
  const Problem problem = make_problem(draft);
  const Visibility& v = *problem->visibility;
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < n; ++j) {
      const auto at = static_cast<std::size_t>(i * n + j);
      const bool hidden = j < 3 || i - j > 1;
      CHECK_EQ(v.allowed.data()[at] == 0.0, hidden);
      if (j < 3) continue;
      const std::string name = hidden ? v.names[v.hider[at] - 1U] : "";
      CHECK_EQ(name, hidden ? "window:" + std::to_string(i - j - 1) + ",500" : "");
    }
  }
}

}  // namespace attn::testing

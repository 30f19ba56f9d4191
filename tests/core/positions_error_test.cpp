// Parameters of positions that do not fit, each with the place and the words of its complaint.

#include <doctest/doctest.h>

#include <limits>
#include <string>
#include <vector>

#include "attn/attend.hpp"
#include "attn/error.hpp"
#include "support/dice.hpp"
#include "support/errors.hpp"
#include "support/infinity.hpp"
#include "support/phrases.hpp"

namespace attn::testing {
namespace {

/// X of 2 rows, projected to 2 heads of `d_k` columns.
ProblemDraft odd_sizes(PositionKind kind, Index d_k = 4) {
  Dice dice(31);
  ProblemDraft draft;
  draft.embeddings = dice.numbers({2, 3});
  for (const std::string id : {"w_q", "w_k", "w_v"}) draft.weights[id] = dice.numbers({3, 2 * d_k});
  draft.heads = 2;
  draft.positions.kind = kind;
  return draft;
}

/// "/place what is wrong" for every diagnostic, one per line; empty if nothing is.
std::string complaints(const ProblemDraft& draft) {
  std::string text;
  for (const Diagnostic& diagnostic : diagnostics_from([&] { make_problem(draft); })) {
    CHECK(diagnostic.id == "positions");
    CHECK(!diagnostic.fix.empty());
    text += (text.empty() ? "" : "\n") + place_and_what(diagnostic);
  }
  return text;
}

}  // namespace

TEST_CASE("positions: no kind needs parameters, and rope and alibi take their own") {
  for (const PositionKind kind : {PositionKind::None, PositionKind::Sinusoidal, PositionKind::Rope,
                                  PositionKind::RopeInterleaved, PositionKind::Alibi}) {
    CHECK(complaints(odd_sizes(kind)) == "");
  }
  ProblemDraft rope = odd_sizes(PositionKind::Rope);
  rope.positions = {PositionKind::Rope, 0.5, 2, 1000, {}};
  CHECK(complaints(rope) == "");
  ProblemDraft alibi = odd_sizes(PositionKind::Alibi);
  alibi.positions.slopes = {0, -1};
  CHECK(complaints(alibi) == "");
}

TEST_CASE("positions: a parameter of another kind is refused, not ignored") {
  struct Row {
    PositionKind kind;
    std::vector<std::string> refused;
  };
  const Row rows[] = {
      {PositionKind::None, {"base", "offset", "rotary_dim", "slopes"}},
      {PositionKind::Sinusoidal, {"rotary_dim", "slopes"}},
      {PositionKind::Rope, {"slopes"}},
      {PositionKind::RopeInterleaved, {"slopes"}},
      {PositionKind::Alibi, {"base", "offset", "rotary_dim"}},
  };
  for (const Row& row : rows) {
    for (const std::string& key : row.refused) {
      CAPTURE(key);
      ProblemDraft draft = odd_sizes(row.kind);
      if (key == "base") draft.positions.base = 100;
      if (key == "offset") draft.positions.offset = 1;
      if (key == "rotary_dim") draft.positions.rotary_dim = 2;
      if (key == "slopes") draft.positions.slopes = {1, 1};
      CHECK(complaints(draft).rfind("/positions/" + key + " " + belongs_to_position(key), 0) == 0);
    }
  }
  ProblemDraft draft = odd_sizes(PositionKind::Alibi);
  draft.positions.base = 100;
  CHECK(complaints(draft) ==
        "/positions/base " + belongs_to_position("base") + "sinusoidal and rope, not of alibi");
}

TEST_CASE("positions: the base is a finite number above 0") {
  for (const double base : {0.0, -1.0, kInfinity, kNan}) {
    CAPTURE(base);
    ProblemDraft draft = odd_sizes(PositionKind::Rope);
    draft.positions.base = base;
    CHECK(complaints(draft) == "/positions/base base should be a number above 0");
  }
}

TEST_CASE("positions: rope turns an even number of columns, from 2 to d_k") {
  const std::string rule = "rope rotates pairs of columns, but ";
  for (const Index rotary_dim : {-2, 0, 1, 3, 6}) {
    CAPTURE(rotary_dim);
    ProblemDraft draft = odd_sizes(PositionKind::RopeInterleaved);
    draft.positions.rotary_dim = rotary_dim;
    CHECK(complaints(draft) == "/positions/rotary_dim " + rule + "rotary_dim is " +
                                   std::to_string(rotary_dim) +
                                   ": it should be even, and from 2 to 4");
  }
  ProblemDraft two = odd_sizes(PositionKind::Rope, 2);
  two.positions.rotary_dim = 3;
  CHECK(complaints(two) == "/positions/rotary_dim " + rule + "rotary_dim is 3: it should be 2");
  CHECK(complaints(odd_sizes(PositionKind::Rope, 3)) == "/positions " + rule + "d_k is 3");
  ProblemDraft odd = odd_sizes(PositionKind::Rope, 3);
  odd.positions.rotary_dim = 2;
  CHECK(complaints(odd) == "");
}

TEST_CASE("positions: with a single column per head, nobody is advised to rotate two") {
  const Error error = error_from([] { make_problem(odd_sizes(PositionKind::Rope, 1)); });
  CHECK(error.diagnostics().front().fix.find("\"rotary_dim\": 2") == std::string::npos);
}

TEST_CASE("positions: alibi has one finite slope per head") {
  const std::string wrong = "/positions/slopes slopes should be 2 numbers, one per head";
  for (const std::vector<double>& slopes :
       {std::vector<double>{1}, {1, 2, 3}, {1, kInfinity}, {kNan, 1}}) {
    ProblemDraft draft = odd_sizes(PositionKind::Alibi);
    draft.positions.slopes = slopes;
    CHECK(complaints(draft) == wrong);
  }
}

TEST_CASE("positions: sinusoidal positions need embeddings to be added to") {
  Dice dice(32);
  ProblemDraft draft;
  draft.q = draft.k = draft.v = dice.numbers({2, 4});
  draft.positions.kind = PositionKind::Sinusoidal;
  CHECK(
      complaints(draft) ==
      "/positions sinusoidal positions are added to embeddings, but Q, K and V are given directly");
}

TEST_CASE("positions: all that is wrong is reported at once") {
  ProblemDraft draft = odd_sizes(PositionKind::Rope);
  draft.positions.base = -1;
  draft.positions.rotary_dim = 3;
  CHECK(complaints(draft) ==
        "/positions/base base should be a number above 0\n"
        "/positions/rotary_dim rope rotates pairs of columns, but rotary_dim is 3: it should be "
        "even, "
        "and from 2 to 4");
}

}  // namespace attn::testing

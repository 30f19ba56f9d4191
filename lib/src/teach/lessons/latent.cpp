// Latent attention: what DeepSeek-V2 caches, and why W_UK and W_UV need not be multiplied.
#include <cmath>

#include "attn/attend.hpp"
#include "attn/phrases.hpp"
#include "teach/lessons/telling.hpp"

namespace attn {
namespace {

/// The latents and the weights that make keys and values of them.
struct Latents {
  const Tensor &c, &up_k, &up_v, &w_o;  ///< T × rank, rank × h·nope, rank × h·v, h·v × d_out
  const Tensor &q, &k;                  ///< h × T × [nope | rope], rotated
  Index heads, rank, nope, v;

  explicit Latents(const Trace& trace)
      : c(trace.value("kv_latent_normed")),
        up_k(trace.find("w_uk")->value),
        up_v(trace.find("w_uv")->value),
        w_o(trace.find("w_o")->value),
        q(trace.value("q_rotated")),
        k(trace.value("k_rotated")),
        heads(q.heads()),
        rank(c.cols()),
        nope(up_k.cols() / heads),
        v(up_v.cols() / heads) {}
};

/// [q_nope·W_UKᵀ | q_rope]: what head `h` asks of a latent, and of the columns for RoPE.
std::vector<double> absorbed_query(const Latents& m, Index h, Index row) {
  std::vector<double> asked(static_cast<std::size_t>(m.rank), 0.0);
  for (Index r = 0; r < m.rank; ++r) {
    for (Index c = 0; c < m.nope; ++c)
      asked[static_cast<std::size_t>(r)] +=
          m.q.at({0, h, row, c}) * m.up_k.at({0, 0, r, h * m.nope + c});
  }
  for (Index c = m.nope; c < m.q.cols(); ++c) asked.push_back(m.q.at({0, h, row, c}));
  return asked;
}

/// W_UV·W_O of each head, one below the other: rank × d_out per head.
Array absorbed_output(const Latents& m) {
  Array w{{m.heads * m.rank, m.w_o.cols()}, {}};
  for (Index h = 0; h < m.heads; ++h) {
    for (Index r = 0; r < m.rank; ++r) {
      for (Index o = 0; o < m.w_o.cols(); ++o) {
        double sum = 0.0;
        for (Index c = 0; c < m.v; ++c)
          sum += m.up_v.at({0, 0, r, h * m.v + c}) * m.w_o.at({0, 0, h * m.v + c, o});
        w.data.push_back(sum);
      }
    }
  }
  return w;
}

/// The same attention on the latents themselves: one head of keys and values for all queries.
ProblemDraft absorbed(const ProblemDraft& draft, const Trace& trace) {
  const Latents m(trace);
  const Index tokens = m.c.rows(), width = m.rank + m.q.cols() - m.nope;
  ProblemDraft one;
  one.tokens = draft.tokens;
  one.masks = draft.masks;
  one.scale = {ScaleRule::Kind::Number, trace.settings().scale.number};
  one.q = Array{{1, m.heads, m.q.rows(), width}, {}};
  one.k = Array{{1, 1, tokens, width}, {}};
  one.v = Array{{1, 1, tokens, m.rank}, {}};
  for (Index h = 0; h < m.heads; ++h) {
    for (Index i = 0; i < m.q.rows(); ++i) {
      const std::vector<double> asked = absorbed_query(m, h, i);
      one.q->data.insert(one.q->data.end(), asked.begin(), asked.end());
    }
  }
  for (Index j = 0; j < tokens; ++j) {
    const auto latent = m.c.row(0, 0, j), key = m.k.row(0, 0, j);
    one.v->data.insert(one.v->data.end(), latent.begin(), latent.end());
    one.k->data.insert(one.k->data.end(), latent.begin(), latent.end());
    one.k->data.insert(one.k->data.end(), key.begin() + m.nope, key.end());
  }
  one.weights["w_o"] = absorbed_output(m);
  return one;
}

bool agree(const Tensor& a, const Tensor& b) {
  const auto one = a.data(), other = b.data();
  bool all = one.size() == other.size();
  for (std::size_t i = 0; all && i < one.size(); ++i) all = is_close(one[i], other[i], 1e-10);
  return all;
}

/// Whether all heads have the same columns for RoPE.
bool shares_positions(const Latents& m) {
  bool same = true;
  for (Index h = 1; h < m.heads; ++h) {
    for (Index j = 0; j < m.k.rows(); ++j) {
      for (Index c = m.nope; c < m.k.cols(); ++c)
        same = same && m.k.at({0, h, j, c}) == m.k.at({0, 0, j, c});
    }
  }
  return same;
}

}  // namespace

void tell_latent(Telling& lesson) {
  const auto trace = lesson.attended();
  const Latents m(*trace);
  const Index rope = m.q.cols() - m.nope, kept = m.rank + rope;
  const Index usual = m.heads * (m.q.cols() + m.v);
  const std::string rank = std::to_string(m.rank), all = std::to_string(usual);

  lesson.say(
      "While a model writes, it keeps the keys and values of all earlier tokens, for each head and "
      "each layer. That cache fills the memory of a server. Multi-head latent attention "
      "(DeepSeek-V2, 2024) makes the keys and values of all heads from a few numbers of each "
      "token, "
      "its latent.");
  lesson.show(trace, {"kv_latent", "kv_latent_normed", "k_nope", "v"});
  lesson.ask("Which of these matrices does a cache have to keep?",
             "The latent alone: K_C and V can be made from it again.");
  lesson.say(
      "Positions are the catch. RoPE turns a key by its place, so turned keys cannot be made from "
      "a "
      "latent that is the same everywhere. A few columns more, made from X, are turned instead.");
  lesson.show(trace, {"k_rope", "k_heads", "k_rotated"});
  lesson.claim("All heads have the same turned columns: a cache keeps them once.",
               shares_positions(m));
  lesson.table({{"a cache keeps for each token", "numbers"},
                {{"keys and values of " + counted(m.heads, "head"), all},
                 {"the latent and the turned columns",
                  rank + " + " + std::to_string(rope) + " = " + std::to_string(kept)}}});
  lesson.claim("That is less than all keys and values.", kept < usual);

  const ProblemDraft one = absorbed(lesson.draft(), *trace);
  const auto direct = std::make_shared<const Trace>(attend(make_problem(one)));
  lesson.say(
      "Making all keys again for each new token would be slow. It is not needed: "
      "q·(c·W_UK)ᵀ = (q·W_UKᵀ)·cᵀ.");
  lesson.ask(
      "What is multiplied by W_UK now, and how often?",
      "The query, once. Then it is compared with the latents themselves: for all heads, they "
      "are the keys.");
  lesson.say(
      "In the same way A·(c·W_UV)·W_O = (A·c)·(W_UV·W_O): the latents are the values, too. So this "
      "is attention with one head of keys and values, " +
      std::to_string(kept) + " columns wide, and " + counted(m.heads, "head") + " of queries.");
  lesson.beside(trace, "output", "keys and values made from latents");
  lesson.beside(direct, "output", "queries compared with latents");
  lesson.claim("Every score is the same.", agree(trace->value("scores"), direct->value("scores")));
  lesson.claim("So is every number of the output.",
               agree(trace->value("output"), direct->value("output")));
  lesson.next("explain {} --steps kv_latent,k_nope,k_heads", "keys from latents");
  lesson.next("explain {} --positions none --only --steps scores", "without positions",
              [](ProblemDraft& draft) { draft.positions = {}; });
}

}  // namespace attn

// Ways to port the norms of a model wrongly.
#include <cmath>
#include <string>

#include "support/model_bench.hpp"
#include "support/wrong_models.hpp"

namespace attn::testing {
namespace {

/// The mean, or 0, and the mean of the squared distances from it, of some numbers.
struct Spread {
  double mean = 0, variance = 0;
};

template <typename At>
Spread spread_of(Index count, bool centred, At at) {
  Spread made;
  for (Index n = 0; n < count && centred; ++n) made.mean += at(n) / static_cast<double>(count);
  for (Index n = 0; n < count; ++n) {
    made.variance += std::pow(at(n) - made.mean, 2) / static_cast<double>(count);
  }
  return made;
}

/// A norm that divides what is left of x without the mean by `divisor(variance, epsilon)`.
template <typename Divisor>
SpoilModel divided_by(Divisor divisor, bool over_tokens = false) {
  return [=](ModelAttempt& attempt) {
    attempt.wrong.norm = [=](const NormWork& work) {
      const Block& x = work.x;
      return like(x, [&](Index b, Index, Index i, Index j) {
        const auto along = [&](Index n) {
          return over_tokens ? x.at(b, 0, n, j) : x.at(b, 0, i, n);
        };
        const Spread s = spread_of(over_tokens ? x.rows : x.cols, work.centred, along);
        const auto column = static_cast<std::size_t>(j);
        const double y = (x.at(b, 0, i, j) - s.mean) / divisor(s.variance, work.epsilon);
        return y * work.gain.data[column] + (work.bias == nullptr ? 0 : work.bias->data[column]);
      });
    };
  };
}

double usual(double variance, double epsilon) { return std::sqrt(variance + epsilon); }

void norm_left_out(ModelAttempt& attempt) {
  attempt.wrong.norm = [](const NormWork& work) { return work.x; };
}

void not_written(ModelAttempt& attempt) {
  norm_left_out(attempt);
  attempt.unwritten = {"norm1", "norm2", "norm"};
}

void other_kind(ModelAttempt& attempt) {
  attempt.wrong.norm = [right = attempt.wrong.norm](const NormWork& work) {
    NormWork other = work;
    other.centred = !work.centred;
    if (work.centred) other.bias = nullptr;  // RMSNorm has none
    return right(other);
  };
}

void other_kind_with_bias(ModelAttempt& attempt) {
  attempt.wrong.norm = [right = attempt.wrong.norm](const NormWork& work) {
    NormWork other = work;
    other.centred = false;
    return right(other);
  };
}

template <typename Gain>
SpoilModel with_gain(Gain other) {
  return [=](ModelAttempt& attempt) {
    attempt.wrong.norm = [=, right = attempt.wrong.norm](const NormWork& work) {
      Array gain = work.gain;
      for (double& g : gain.data) g = other(g);
      return right({work.x, gain, work.bias, work.centred, work.epsilon});
    };
  };
}

void unweighted(ModelAttempt& attempt) {
  with_gain([](double) { return 1; })(attempt);
  attempt.wrong.norm = [inner = attempt.wrong.norm](const NormWork& work) {
    NormWork other = work;
    other.bias = nullptr;
    return inner(other);
  };
}

void other_order(ModelAttempt& attempt) { attempt.other_order = true; }

void other_order_without_last(ModelAttempt& attempt) {
  attempt.other_order = true;
  attempt.last_norm = false;
}

void no_last(ModelAttempt& attempt) { attempt.last_norm = false; }

SpoilModel epsilon(double other) {
  return divided_by([=](double variance, double) { return std::sqrt(variance + other); });
}

const SpoilModel kOutside =
    divided_by([](double variance, double eps) { return std::sqrt(variance) + eps; });
const SpoilModel kInverted =
    divided_by([](double variance, double eps) { return 1 / std::sqrt(variance + eps); });

template <Index width>
const SpoilModel kUnbiased = divided_by([](double variance, double eps) {
  return std::sqrt(variance * static_cast<double>(width) / static_cast<double>(width - 1) + eps);
});

}  // namespace

std::vector<WrongModel> wrong_norms() {
  const SpoilModel tokens = divided_by(usual, true);
  const auto gpt2 = gpt2_model, llama = llama_model, bert = bert_model;
  const auto pre = pre_norm_translation, post = post_norm_translation;
  return {
      {"norm.missing", "", gpt2, "*", norm_left_out},
      {"norm.missing", "not written", gpt2, "*", not_written},
      {"norm.missing", "one", gpt2, "h.N.norm1", norm_left_out},
      {"norm.missing", "in each layer", llama, "layers.*.norm2", norm_left_out},
      {"norm.missing", "of the embeddings", bert, "x", norm_left_out},
      {"norm.missing", "after the sum", post, "decoder.layers.N.norm2", norm_left_out},
      {"norm.kind", "", gpt2, "*", other_kind},
      {"norm.kind", "with its bias", gpt2, "*", other_kind_with_bias},
      {"norm.kind", "LayerNorm", llama, "*", other_kind},
      {"norm.kind", "one", llama, "layers.N.norm1", other_kind},
      {"norm.kind", "last", llama, "norm", other_kind},
      {"norm.order", "after", gpt2, "*", other_order},
      {"norm.order", "after, none at the end", llama, "*", other_order_without_last},
      {"norm.order", "before", bert, "*", other_order},
      {"norm.order", "translation", pre, "*", other_order},
      {"norm.order", "translation, before", post, "*", other_order},
      {"norm.epsilon", "1e-12", gpt2, "*", epsilon(1e-12)},
      {"norm.epsilon", "1e-3", llama, "*", epsilon(1e-3)},
      {"norm.epsilon", "1e-2", bert, "*", epsilon(1e-2)},
      {"norm.epsilon", "one", post, "encoder.layers.N.norm1", epsilon(1e-3)},
      {"norm.epsilon", "any", llama, "*", epsilon(0.0437)},
      {"norm.epsilon", "any, one", post, "encoder.layers.N.norm1", epsilon(0.071)},
      {"norm.epsilon", "outside", gpt2, "*", kOutside},
      {"norm.inverted", "", gpt2, "*", kInverted},
      {"norm.inverted", "one", llama, "layers.N.norm2", kInverted},
      {"norm.inverted", "post", bert, "*", kInverted},
      {"norm.axis", "tokens", gpt2, "*", tokens},
      {"norm.axis", "tokens, one", bert, "encoder.layer.N.norm1", tokens},
      {"norm.axis", "n − 1", gpt2, "*", kUnbiased<6>},
      {"norm.axis", "n − 1, one", pre, "decoder.layers.N.norm3", kUnbiased<6>},
      {"norm.offset", "", llama, "*", with_gain([](double g) { return g + 1; })},
      {"norm.offset", "one", gpt2, "h.N.norm2", with_gain([](double g) { return g - 1; })},
      {"norm.weights_missing", "", gpt2, "*", unweighted},
      {"norm.weights_missing", "weight", llama, "*", with_gain([](double) { return 1; })},
      {"norm.final_missing", "", gpt2, "*", no_last},
      {"norm.final_missing", "llama", llama, "*", no_last},
  };
}

}  // namespace attn::testing

// Each mistake in a whole model is named, whatever part of the computation is handed in.
#include "support/model_diagnosis.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "attn/teach/mistakes.hpp"

using namespace attn;
using namespace attn::testing;

namespace {

constexpr SmallModel kModels[] = {gpt2_model, untied_gpt2_model,    llama_model,
                                  bert_model, pre_norm_translation, post_norm_translation};

}  // namespace

TEST_CASE("a port without a mistake has every step of the model, and its numbers") {
  for (const SmallModel make : kModels) {
    const TinyModel model = tiny_model(make, 1);
    const Steps steps = ported({model.draft});
    for (const Step& step : model.truth.steps) {
      CAPTURE(step.id);
      REQUIRE(steps.contains(step.id));
      const Array& ported = steps.at(step.id);
      REQUIRE(ported.shape == step.value.shape().sizes());
      for (std::size_t n = 0; n < ported.data.size(); ++n) {
        const double right = step.value.data()[n];
        if (std::isfinite(right)) CHECK(ported.data[n] == doctest::Approx(right).epsilon(1e-9));
      }
    }
  }
}

TEST_CASE("each mistake in a model is named, or tied with what cannot be told from it") {
  const std::vector<WrongModel>& ways = wrong_models();
  for (std::size_t n = 0; n < ways.size(); ++n) {
    const ModelDump& dump = model_dumps()[n % model_dumps().size()];
    CAPTURE(ways[n].code);
    CAPTURE(ways[n].variant);
    CAPTURE(dump.title);
    REQUIRE(find_mistake(ways[n].code));
    const Diagnosis diagnosis = diagnose(ways[n], 1, dump, kDigits[n / 4 % 3]);
    CAPTURE(diagnosis.said);
    CHECK(diagnosis.outcome != Outcome::NotNamed);
    CHECK(diagnosis.outcome != Outcome::Misnamed);
  }
}

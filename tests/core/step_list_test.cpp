// Lists of steps: found by id and by scope, without looking at all others.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "attn/attend.hpp"

namespace attn {
namespace {

constexpr int kScopes = 1000;

Step step_of(const std::string& id, const std::shared_ptr<const Scope>& scope) {
  return {id, find_operation("given"), {}, {}, scope, find_step_info(id), {}};
}

/// q, scores and weights of each of many scopes.
StepList many(std::vector<std::shared_ptr<const Scope>>& scopes) {
  StepList steps;
  for (int n = 0; n < kScopes; ++n) {
    auto scope = std::make_shared<Scope>();
    scope->name = "h." + std::to_string(n) + ".attn";
    scopes.push_back(scope);
    for (const char* word : {"q", "scores", "weights"})
      steps.push_back(step_of(scope->name + "." + word, scope));
  }
  return steps;
}

}  // namespace

TEST_CASE("step list: each step is found by its id, and nothing else") {
  std::vector<std::shared_ptr<const Scope>> scopes;
  const StepList steps = many(scopes);
  CHECK(steps.size() == 3 * kScopes);
  bool all = true;
  for (const Step& step : steps) all = all && steps.find(step.id) == &step;
  CHECK(all);
  CHECK(steps.find("h.1000.attn.q") == nullptr);
  CHECK(steps.find("") == nullptr);
  const StepList copy = steps;  // finds its own steps
  CHECK(copy.find("h.7.attn.q") == &copy[21]);
}

TEST_CASE("step list: only the steps of a scope are looked at") {
  std::vector<std::shared_ptr<const Scope>> scopes;
  const StepList steps = many(scopes);
  int seen = 0;
  const auto is_weights = [&](const Step& step) {
    ++seen;
    return step.info().role == StepRole::Weights;
  };
  for (const auto& scope : scopes) {
    const Step* first = steps.first_in(*scope, is_weights);
    REQUIRE(first != nullptr);
    CHECK(first->id == scope->name + ".weights");
    CHECK(steps.last_in(*scope, is_weights) == first);
  }
  CHECK(seen == 6 * kScopes);
  CHECK(steps.first_in(Scope{}, is_weights) == nullptr);
}

TEST_CASE("step list: after a change of order, of ids or of scopes, what is there is found") {
  std::vector<std::shared_ptr<const Scope>> scopes;
  StepList steps = many(scopes);
  const auto other = std::make_shared<Scope>();
  steps.rearrange([&](StepList::Steps& all) {
    std::erase_if(all, [](const Step& step) { return step.info().role == StepRole::Weights; });
    std::reverse(all.begin(), all.end());
    all.front().id = "masked_scores";
    all.front().scope = other;
  });
  CHECK(steps.find("masked_scores") == &steps[0]);
  CHECK(steps.find("h.0.attn.q") == &steps.back());
  CHECK(steps.find("h.3.attn.weights") == nullptr);
  CHECK(steps.first_in(*other, [](const Step&) { return true; }) == &steps[0]);
  for (const std::size_t few : {std::size_t{5}, std::size_t{0}}) {
    steps.rearrange([&](StepList::Steps& all) {
      all.erase(all.begin() + static_cast<std::ptrdiff_t>(few), all.end());
    });
    CHECK((steps.find("masked_scores") != nullptr) == (few > 0));
    CHECK(steps.find("h.0.attn.q") == nullptr);
  }
}

}  // namespace attn

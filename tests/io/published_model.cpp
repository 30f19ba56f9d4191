// Outlines of published models.
#include "io/published_model.hpp"

#include <doctest/doctest.h>

#include <cstdlib>
#include <sstream>

#include "attn/attend.hpp"
#include "attn/error.hpp"
#include "attn/hugging_face.hpp"
#include "attn/problem.hpp"
#include "attn/trace.hpp"
#include "support/errors.hpp"

namespace attn::testing {

ModelTensors tensors_of(const std::string& lines) {
  ModelTensors all;
  const auto add = [&](const std::string& name, std::vector<std::ptrdiff_t> shape) {
    const std::size_t open = name.find('{');
    const Index n = open == name.npos ? 1 : std::atoi(name.c_str() + open + 1);
    for (Index i = 0; i < n; ++i) {
      std::string own = name;
      if (open != name.npos) own.replace(open, name.find('}') - open + 1, std::to_string(i));
      all[own] = {shape, [] {
                    FAIL("a tensor was read");
                    return Array();
                  }};
    }
  };
  std::istringstream stream(lines);
  std::string name, sizes;
  while (stream >> name >> sizes) {
    const bool bias = name[0] == '+';
    std::vector<std::ptrdiff_t> shape;
    std::istringstream parts(sizes);
    for (std::string size; std::getline(parts, size, 'x');)
      shape.push_back(std::atoi(size.c_str()));
    if (bias) name.erase(0, 1);
    const bool bare = name.ends_with("!");
    if (bare) name.pop_back();
    add(bare ? name : name + ".weight", shape);
    if (bias) add(name + ".bias", {shape[0]});
  }
  return all;
}

namespace {

void check_outline(const PublishedModel& each) {
  CAPTURE(each.name);
  Index parameters = 0;
  for (const auto& [name, tensor] : each.tensors) {
    Index count = 1;
    for (const std::ptrdiff_t size : tensor.shape) count *= size;
    parameters += count;
  }
  CHECK(parameters == each.parameters);
  ProblemDraft draft = read_model_config(each.config, "config.json", each.tensors).draft;
  supply_inputs(draft);
  const Trace shapes = outline(make_problem(draft));
  CHECK(shapes.steps.back().value.cols() == each.words);
  const Step* weights = shapes.find(std::string(each.attention) + ".weights");
  REQUIRE(weights != nullptr);
  CHECK(weights->value.shape().heads == draft.heads);
}

}  // namespace

void check_outlines(const std::vector<PublishedModel>& models) {
  for (const PublishedModel& each : models) {
    CAPTURE(each.name);
    CHECK(refusal_from([&] { check_outline(each); }).what == "");
  }
}

}  // namespace attn::testing

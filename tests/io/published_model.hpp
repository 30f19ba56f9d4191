// Models as they are published: configurations, names and shapes of tensors, but no numbers.
#pragma once

#include <string>
#include <vector>

#include "attn/model.hpp"

namespace attn::testing {

/// "q_proj 4096x512" is the tensor q_proj.weight, "+q_proj 4096x512" also q_proj.bias, and
/// "cls_token! 1x1x768" has the name as it is written. {32} stands for 0 to 31.
/// Tensors without numbers: reading one fails the test.
ModelTensors tensors_of(const std::string& lines);

struct PublishedModel {
  const char* name;
  std::string config;
  ModelTensors tensors;
  Index parameters;       ///< as the page of the model says
  Index words;            ///< columns of the last step
  const char* attention;  ///< one of its scopes
};

/// The configuration and these tensors are enough for an outline of every step.
void check_outlines(const std::vector<PublishedModel>& models);

}  // namespace attn::testing

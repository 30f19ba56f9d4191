// The whole models of tests/reference/models, and what they compute.
#pragma once

#include <string>
#include <vector>

#include "attn/attend.hpp"
#include "attn/io/samples.hpp"

namespace attn::testing {

/// The names of the problems in tests/reference/models.
std::vector<std::string> model_names();

/// The samples that are a single attention.
std::vector<attn::Sample> attention_samples();

/// The path of the model of that name, below tests.
std::string model_file(const std::string& name);

/// The trace of that model; `keeps` as in attend().
Trace model_trace(const std::string& name, const KeepStep& keeps = {});

}  // namespace attn::testing

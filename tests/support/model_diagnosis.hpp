// Whether `check_answers` names the mistake that was made on purpose in a whole model.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "support/diagnosis.hpp"
#include "support/wrong_models.hpp"

namespace attn::testing {

/// How the numbers of a dump are written.
enum class Digits { Full, Float32, ThreeDecimals };
inline constexpr Digits kDigits[] = {Digits::Full, Digits::Float32, Digits::ThreeDecimals};

/// "float32".
const char* name_of(Digits digits);

/// Which steps of a model are handed in.
struct ModelDump {
  const char* title;
  bool (*holds)(const std::string& id, const Trace& truth);
};

/// All steps; weights and outputs; the layers' results and logits; logits, or the output, alone.
const std::vector<ModelDump>& model_dumps();

/// The model of a way, number `seed`, and what it computes.
struct TinyModel {
  ProblemDraft draft;
  Trace truth;
};
TinyModel tiny_model(SmallModel make, std::uint64_t seed);

/// The matrices of the dump, from a port's steps.
Answers dump_of(const Trace& truth, const Steps& steps, const ModelDump& dump, Digits digits);

/// The model, ported with the mistake.
ModelAttempt attempt_at(const WrongModel& way, const TinyModel& model, std::uint64_t seed);

/// Ports one model with the mistake, hands the dump in, and judges what the report says.
Diagnosis diagnose(const WrongModel& way, std::uint64_t seed, const ModelDump& dump, Digits digits);

/// A right run of each kind of model, number `seed`, in each dump: by a port, its numbers in each
/// way of writing them, and by the library in other number types. What `check_answers` finds wrong
/// with each of them; empty for nothing.
std::vector<std::string> accusations_of_models(std::uint64_t seed);

}  // namespace attn::testing

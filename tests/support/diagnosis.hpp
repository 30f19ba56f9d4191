// Whether `check_answers` names the mistake that was made on purpose.
#pragma once

#include <cstdint>
#include <string>

#include "attn/check.hpp"
#include "support/wrong_sheets.hpp"

namespace attn::testing {

enum class Outcome {
  Named,      // the first finding of the first wrong step
  Tied,       // listed as an equal of that finding
  NotNamed,   // nothing said, or something else but not for certain
  Misnamed,   // another mistake, reported as certain
  Invisible,  // no number differs by more than the tolerance
};

/// What became of one wrong sheet.
struct Diagnosis {
  Outcome outcome = Outcome::Invisible;
  std::string said;  // "weights: softmax.columns (certain)", for messages
};

/// Whether `finding` is of that code, or a tie with it.
bool says(const Finding& finding, const std::string& code);

/// What the report says of the first wrong step, against the code of the mistake.
Diagnosis diagnosed(const CheckReport& report, const std::string& code);

/// Makes one sample with the mistake, hands it in, and judges what the report says.
Diagnosis diagnose(const WrongWay& way, std::uint64_t seed, const Handed& handed);

}  // namespace attn::testing

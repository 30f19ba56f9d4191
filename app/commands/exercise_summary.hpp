// What attn exercise make says about the sheets that it wrote.
#pragma once

#include <string>
#include <vector>

#include "attn/document.hpp"
#include "attn/teach/exercise.hpp"

namespace attn::app {

/// Sizes, steps and points; the mistakes that every sheet shows; and what the sheets cannot show.
Document exercise_summary(const ExerciseSpec& spec, const std::vector<ExerciseVariant>& variants,
                          const std::string& folder, const std::string& students);

/// "2.5", "0.0005", "5e-09": six significant digits, without zeros at the end.
std::string short_text(double number);

}  // namespace attn::app

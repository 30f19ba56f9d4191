// What an exercise asks for, as an object of a JSON file.
#pragma once

#include <map>
#include <string>

#include "attn/teach/answers.hpp"
#include "attn/teach/exercise.hpp"
#include "io/json/value.hpp"
#include "io/json/writer.hpp"

namespace attn {

/// Reads the keys that are there; the others keep what is in `spec`. "preset" is read as a word,
/// and sets no other key. `root` is what the object is, if it is a whole file. Throws Error.
void read_spec(const json::Value& value, const char* root, ExerciseSpec& spec);

/// "comma" or "point". Throws Error.
DecimalMark read_decimal_mark(const json::Value& value);

/// A hint or {"message", "hint"} by the code of a mistake. Throws Error for texts that are empty or
/// too long and, with `strict`, for codes that are none; otherwise these are kept.
OwnTexts read_own_texts(const json::Value& value, bool strict);
/// The member "mistake_texts", unless there are none.
void write_own_texts(json::Writer& out, const OwnTexts& texts);

/// Every key, as members of an object.
void write_spec(json::Writer& out, const ExerciseSpec& spec);

/// One problem for everybody, a problem file or the name of one; or {"students": {"s001": …}}. Each
/// is checked. Throws Error.
std::map<std::string, ProblemDraft> read_problems(const json::Value& value);
/// The same with all numbers, as the member "problem".
void write_problems(json::Writer& out, const std::map<std::string, ProblemDraft>& problems);

}  // namespace attn

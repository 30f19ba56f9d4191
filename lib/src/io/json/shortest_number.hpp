// The shortest text of a double.
#pragma once

namespace attn::json {

/// Writes the shortest digits that read back as `x`, from `at` on, and returns the end of the text:
/// what std::to_chars(at, …, x) writes, but fractions of usual sizes in six tenths of its time.
/// There must be room for kRealLength characters.
char* put_shortest(char* at, double x);

}  // namespace attn::json

// How many threads compute large problems.
#pragma once

namespace attn {

/// Lets computations use `count` threads, at least 1; 0 means one for each core. Small problems use
/// one in any case. Results have the same bytes for any number.
void use_threads(int count);

}  // namespace attn

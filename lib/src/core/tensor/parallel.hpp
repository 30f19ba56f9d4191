// Work that several threads share.
#pragma once

#include <functional>

#include "attn/tensor.hpp"

namespace attn {

/// Does tasks 0 … count − 1, in no particular order. `make_worker` is called once for each thread,
/// on that thread, and returns a function that does one task; so a worker may own room to compute
/// in. `work` is roughly how many additions or multiplications all tasks take: little work stays on
/// this thread.
/// The first exception of a task is thrown here, after all threads have ended.
void in_parallel(Index count, double work,
                 const std::function<std::function<void(Index task)>()>& make_worker);

}  // namespace attn

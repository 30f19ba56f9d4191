// The memory of tensors.
#pragma once

#include <cstddef>
#include <memory>

namespace attn {

/// Room for `count` numbers, not set. Large blocks are made of huge pages, and some of those that
/// are given back are kept for the next tensors of that size: getting pages from the system, one by
/// one and cleared, takes longer than computing what is written to them. Throws std::bad_alloc.
std::shared_ptr<double> room_for(std::size_t count);

}  // namespace attn

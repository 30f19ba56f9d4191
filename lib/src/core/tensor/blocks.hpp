// The memory of tensors.
#pragma once

#include <cstddef>
#include <memory>

namespace attn {

/// Room for `count` numbers, not set. Some of the large blocks that are given back are kept for the
/// next tensors of that size: where problems are computed one after the other, getting pages from
/// the system, cleared one by one, would take a third of the time. Throws std::bad_alloc.
std::shared_ptr<double> room_for(std::size_t count);

}  // namespace attn

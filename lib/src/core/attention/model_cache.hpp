// What a run of a model leaves for the next one.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "attn/attend.hpp"
#include "attn/model.hpp"

namespace attn {

/// Whether the step of that id is, or becomes, keys or values, which cache_of reads.
bool is_key_or_value(const std::string& id);

/// The encoder's output; with `keys`, the keys and values of all `tokens` so far, too.
std::shared_ptr<ModelCache> cache_of(const Trace& trace, bool keys,
                                     std::vector<std::string> tokens);

}  // namespace attn

// What a look inside a whole model shows.
#pragma once

#include "attn/render/explain.hpp"

namespace attn {

/// The lens of a trace that has one (attn/inside.hpp): for every layer and token the most probable
/// word; for a query that the view chooses, its five most probable words. Throws Error (usage) like
/// `explain`.
Document show_lens(const Trace& trace, const View& view);

}  // namespace attn

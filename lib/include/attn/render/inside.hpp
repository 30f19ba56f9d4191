// What a look inside shows.
#pragma once

#include "attn/render/explain.hpp"

namespace attn {

/// The lens of a trace that has one (attn/inside.hpp): for every layer and token the most probable
/// word; for a query that the view chooses, its five most probable words. Throws Error (usage) like
/// `explain`.
Document show_lens(const Trace& trace, const View& view);

/// The contributions of a trace that has some: a line for each part of the model, in the order of
/// its layers, of many parts only the largest; for two words also the difference. Throws Error
/// (usage) like `explain`.
Document show_contributions(const Trace& trace, const View& view);

/// The circuits of a trace that has some: for each attention the largest singular values of each
/// head; of one head, or the one that the view chooses, up to 16. Throws Error (usage) like
/// `explain`.
Document show_circuits(const Trace& trace, const View& view);

}  // namespace attn

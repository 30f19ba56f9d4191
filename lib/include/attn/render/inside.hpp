// What a look inside shows.
#pragma once

#include "attn/render/explain.hpp"
#include "attn/render/heatmap.hpp"

namespace attn {

/// The lens of a trace that has one (attn/inside.hpp): for every layer and token the most probable
/// word; for a query that the view chooses, its five most probable words. Throws Error (usage) like
/// `explain`.
Document show_lens(const Trace& trace, const View& view);

/// The same as a picture: layers × tokens, or the five words of the query; a colour is a
/// probability. Throws Error (usage) like `make_heatmap`.
HeatMap picture_lens(const Trace& trace, const View& view, const HeatOptions& options = {});

/// The contributions of a trace that has some: a line for each part of the model, in the order of
/// its layers, of many parts only the largest; for two words also the difference. Throws Error
/// (usage) like `explain`.
Document show_contributions(const Trace& trace, const View& view);

/// The same as a picture for each word, and for two words of the difference: the parts of a layer ×
/// layers, and what is outside of layers. Throws Error (usage) like `make_heatmap`.
HeatMap picture_contributions(const Trace& trace, const View& view,
                              const HeatOptions& options = {});

/// The circuits of a trace that has some: for each attention the largest singular values of each
/// head; of one head, or the one that the view chooses, all. Throws Error (usage) like `explain`.
Document show_circuits(const Trace& trace, const View& view);

}  // namespace attn

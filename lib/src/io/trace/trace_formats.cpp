// The formats for programs: a row and a writer each.
#include <array>

#include "attn/core/format.hpp"
#include "attn/io/trace_file.hpp"
#include "attn/render/text.hpp"

namespace attn {

// To add a format: its file beside this one, its function and a row here.
/// trace_csv in pieces of a few lines, trace_json in pieces of a few rows.
void each_csv_piece(const Trace& trace, const TraceChoice& choice, const Sink& sink);
void each_json_piece(const Trace& trace, const TraceChoice& choice, const Sink& sink);
/// trace_ndjson; each line begins a new piece, and its "\n" ends one.
void each_ndjson_line(const Trace& trace, const TraceChoice& choice, const Sink& sink);
/// Every chosen step as an array named after it; numbers only, no words.
void each_npz_piece(const Trace& trace, const TraceChoice& choice, const Sink& sink);
void each_safetensors_piece(const Trace& trace, const TraceChoice& choice, const Sink& sink);
/// One step. Throws Error (usage, id "one-step") unless exactly one is chosen.
void each_npy_piece(const Trace& trace, const TraceChoice& choice, const Sink& sink);

namespace {

constexpr std::array kFormats{
    Format{.name = "json",
           .endings = {".json"},
           .summary = "every matrix, nested lists",
           .data = each_json_piece,
           .is_json = true},
    Format{.name = "ndjson",
           .endings = {".ndjson", ".jsonl"},
           .summary = "one line for each step",
           .data = each_ndjson_line,
           .is_json = true},
    Format{.name = "csv",
           .endings = {".csv"},
           .summary = "one line for each number",
           .data = each_csv_piece,
           .matrix = step_csv,
           .narrow = to_ascii},
    Format{.name = "npz",
           .endings = {".npz"},
           .summary = "an array for each step, for NumPy",
           .data = each_npz_piece},
    Format{.name = "npy",
           .endings = {".npy"},
           .summary = "one step, for NumPy",
           .data = each_npy_piece},
    Format{.name = "safetensors",
           .endings = {".safetensors"},
           .summary = "a tensor for each step",
           .data = each_safetensors_piece},
};

}  // namespace

std::span<const Format> data_formats() { return kFormats; }

}  // namespace attn

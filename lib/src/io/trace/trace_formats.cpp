// The formats for programs: a row and a writer each.
#include <array>

#include "attn/core/format.hpp"
#include "attn/io/trace_file.hpp"
#include "attn/render/text.hpp"
#include "io/trace/trace_csv.hpp"
#include "io/trace/trace_json.hpp"
#include "io/trace/trace_tensors.hpp"

namespace attn {
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

#include <algorithm>
#include <array>

#include "attn/trace_file.hpp"
#include "io/trace_tensors.hpp"

namespace attn {
namespace {

// name, extensions, what it is good for, writer.
constexpr std::array kFormats{
    TraceFormat{"json", {".json"}, "every matrix, nested lists", trace_json},
    TraceFormat{"ndjson", {".ndjson", ".jsonl"}, "one line for each step", trace_ndjson},
    TraceFormat{"csv", {".csv"}, "one line for each number", trace_csv},
    TraceFormat{"npz", {".npz"}, "an array for each step, for NumPy", trace_npz},
    TraceFormat{"safetensors", {".safetensors"}, "a tensor for each step", trace_safetensors},
};

}  // namespace

std::span<const TraceFormat> trace_formats() { return kFormats; }

const TraceFormat* find_trace_format(std::string_view name) {
  const auto row = std::find_if(kFormats.begin(), kFormats.end(),
                                [&](const TraceFormat& each) { return each.name == name; });
  return row == kFormats.end() ? nullptr : &*row;
}

const TraceFormat* trace_format_of_file(std::string_view path) {
  for (const TraceFormat& format : kFormats) {
    for (const std::string_view extension : format.extensions) {
      if (!extension.empty() && path.ends_with(extension)) return &format;
    }
  }
  return nullptr;
}

}  // namespace attn

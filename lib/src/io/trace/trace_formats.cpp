#include <algorithm>
#include <array>

#include "attn/trace_file.hpp"
#include "io/trace/trace_json.hpp"
#include "io/trace/trace_tensors.hpp"

namespace attn {
namespace {

/// A writer that makes everything at once.
template <std::string (*make)(const Trace& trace, const std::vector<std::string>& steps)>
void in_one(const Trace& trace, const TraceChoice& choice, const Sink& sink) {
  sink(make(trace, choice.steps));
}

void json_in_one(const Trace& trace, const TraceChoice& choice, const Sink& sink) {
  sink(trace_json(trace, choice.steps, choice.nonfinite));
}

// name, extensions, what it is good for, whether it is JSON, writer.
constexpr std::array kFormats{
    TraceFormat{"json", {".json"}, "every matrix, nested lists", true, json_in_one},
    TraceFormat{"ndjson", {".ndjson", ".jsonl"}, "one line for each step", true, each_ndjson_line},
    TraceFormat{"csv", {".csv"}, "one line for each number", false, in_one<trace_csv>},
    TraceFormat{"npz", {".npz"}, "an array for each step, for NumPy", false, in_one<trace_npz>},
    TraceFormat{"npy", {".npy"}, "one step, for NumPy", false, in_one<trace_npy>},
    TraceFormat{"safetensors",
                {".safetensors"},
                "a tensor for each step",
                false,
                in_one<trace_safetensors>},
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

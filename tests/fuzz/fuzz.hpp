// What all fuzzers share: errors are right answers, everything else that is thrown is a finding.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "attn/core/format.hpp"
#include "attn/io/trace_file.hpp"
#include "attn/render/error_text.hpp"
#include "attn/render/explain.hpp"
#include "attn/render/text.hpp"
#include "attn/writers.hpp"

/// What one fuzzer tries. May throw attn::Error.
void try_input(std::string_view bytes);

namespace attn::fuzz {

/// What the numbers of one input may take: enough for every kind of step, and quickly computed.
inline constexpr double kMemory = 1 << 18;

inline void require(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "not true: %s\n", what);
  std::abort();
}

/// Text for people has no character that could control a terminal.
inline void require_visible(std::string_view text) {
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    require(visible(line) == line, "text has no control characters");
    text.remove_prefix(std::min(line.size() + 1, text.size()));
  }
}

/// A trace can be shown in the format that `choice` picks, and comes back from its file as it was.
inline void require_whole(const Trace& trace, std::size_t choice) {
  const std::string json = trace_json(trace);
  require(trace_json(parse_trace(json, "again.json")) == json, "a trace comes back as it was");
  constexpr Detail kDetails[] = {Detail::Normal, Detail::Full, Detail::Brief};
  View view;
  view.detail = kDetails[choice % 3];
  const Format& format = document_formats()[choice / 3 % 5];
  if (format.document == nullptr) return;
  Document document = explain(trace, view);
  if (format.asks_cells) add_cells(document, trace);
  const std::string text = format.document(document, {.fit = static_cast<Fit>(choice % 2)});
  if (format.name == "text") require_visible(text);
}

/// Tries one thing. What it throws as an Error can be shown.
template <class Body>
void attempt(Body body) {
  try {
    body();
  } catch (const Error& error) {
    require_visible(error_text(error));
    require_visible(error_json(error));
  }
}

}  // namespace attn::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  attn::fuzz::attempt([&] { try_input({reinterpret_cast<const char*>(data), size}); });
  return 0;
}

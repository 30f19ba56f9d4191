// An output format: a row of the table from which --format, file extensions and help follow.
#pragma once

#include <array>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "attn/tensor.hpp"

namespace attn {

struct Document;
struct HeatLook;
struct HeatMap;
struct TextStyle;
struct Trace;
struct TraceChoice;
struct View;

/// Receives a writer's output, piece by piece: from one thread at a time, not always the same one.
using Sink = std::function<void(std::string_view piece)>;

/// A format has a writer for each kind of content that it can hold.
struct Format {
  std::string_view name;                    ///< "ndjson"
  std::array<std::string_view, 4> endings;  ///< ".ndjson", ".jsonl"; the rest are empty
  std::string_view summary;                 ///< "one line for each step"

  std::string (*document)(const Document&, const TextStyle&) = nullptr;
  /// The same, passed on as it is made; nullptr where a document is put together whole.
  void (*pieces)(const Document&, const TextStyle&, const Sink&) = nullptr;
  std::string (*picture)(const HeatMap&, const HeatLook&, const TextStyle&) = nullptr;
  std::string (*overview)(const Trace&, const View&, const HeatLook&, const TextStyle&) = nullptr;
  /// Text arrives in pieces of a few rows; where a line is a whole step, it begins a new piece. The
  /// numbers of other formats arrive a matrix at a time.
  void (*data)(const Trace&, const TraceChoice&, const Sink&) = nullptr;
  /// One matrix of one step, as step_csv.
  std::string (*matrix)(const Trace&, const std::string& step, std::optional<Index> batch,
                        std::optional<Index> head) = nullptr;

  /// Holds one picture and nothing else.
  bool only_picture() const { return picture != nullptr && document == nullptr; }

  double bytes_of_number = 0;  ///< memory of a document for each number that it shows, measured
  bool asks_cells = false;     ///< shows how each number was made: takes documents with `cells`
  bool is_json = false;        ///< takes TraceChoice::nonfinite
  /// Data in 7-bit characters; nullptr for JSON, which has its own escapes, and for what is not
  /// text.
  std::string (*narrow)(std::string_view data) = nullptr;
};

/// Formats for people, the default first, and formats for programs.
std::span<const Format> document_formats();
std::span<const Format> data_formats();

}  // namespace attn

// The header of .safetensors files (https://github.com/huggingface/safetensors, "Format").
// Its length in 8 bytes, then JSON: {"name": {"dtype": "F32", "shape": [2, 3], "data_offsets": [0,
// 24]}, "__metadata__": {"format": "pt"}}, then the bytes of the tensors, without holes.
#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>

#include "attn/core/array.hpp"
#include "attn/core/memory_budget.hpp"
#include "attn/io/shared_bytes.hpp"
#include "attn/phrases.hpp"
#include "io/arrays/bytes.hpp"
#include "io/arrays/number_type.hpp"
#include "io/arrays/safetensors.hpp"
#include "io/arrays/tensor_error.hpp"
#include "io/json/json.hpp"
#include "io/json/token.hpp"

namespace attn {
namespace {

constexpr std::size_t kLengthSize = 8;
constexpr std::uint64_t kLongestHeader = 100'000'000;  // as in the reference implementation
constexpr std::size_t kMostForHeader = 268'435'456;    // text and tree: 256 MiB
constexpr const char* kSaveWithSafetensors =
    "Write it again with safetensors' save_file(tensors, path).";

Error format_error(const Origin& origin, std::string what, const char* fix = kSaveWithSafetensors) {
  return tensor_error(origin, "safetensors-format", std::move(what), fix);
}

/// The offsets of a tensor, as the header has them: from the end of the header.
struct Entry {
  StoredTensor tensor;
  std::size_t begin = 0, end = 0;
};

std::string_view header_text(std::string_view bytes, const std::string& file) {
  const std::string kind = describe_bytes(bytes);
  if (bytes.size() <= kLengthSize || bytes[kLengthSize] != '{' || kind == "text") {
    throw format_error({file}, "expected a .safetensors file, found " + kind,
                       remedy_for(bytes, "Write it with safetensors' save_file(tensors, path)."));
  }
  const std::uint64_t length = little_endian(bytes, 0, kLengthSize);
  if (length > kLongestHeader) {
    throw format_error({file}, "expected a header of at most 100 MB, found one of " +
                                   std::to_string(length) + " bytes");
  }
  const std::string_view rest = bytes.substr(kLengthSize);
  if (length > rest.size()) {
    throw format_error({file},
                       "expected a header of " + bytes_text(length) + ", found " +
                           bytes_text(rest.size()) + " before the end",
                       kCopyAgain);
  }
  return rest.substr(0, static_cast<std::size_t>(length));
}

/// Lines and columns are useless in a binary file, so the position is given in words.
json::Document parse_header(std::string_view text, const std::string& file) {
  try {
    MemoryBudget budget{kMostForHeader};
    return json::parse(SharedBytes{text}, file, &budget);
  } catch (const Error& error) {
    std::vector<Diagnostic> diagnostics = error.diagnostics();
    if (diagnostics.front().id == "too-large")
      throw format_error({file}, "expected a header that takes at most " +
                                     memory_size_text(kMostForHeader) +
                                     " in memory, found one of " + bytes_text(text.size()) +
                                     " with too many names, or too long ones");
    for (Diagnostic& diagnostic : diagnostics) {
      diagnostic.id = "safetensors-format";
      diagnostic.what = "in the header, which is JSON: " + diagnostic.what;
      diagnostic.fix = kSaveWithSafetensors;
      for (Place& place : diagnostic.places) {
        place = {.pointer = place.pointer,
                 .remark = "line " + std::to_string(place.line) + ", column " +
                           std::to_string(place.column) + " of the header: " + place.remark,
                 .file = file};
      }
    }
    throw Error(ErrorKind::Input, std::move(diagnostics));
  }
}

/// A list of numbers as written.
std::string_view list_text(const json::Document& header, const json::Node& list) {
  const std::string_view text = header.source.text;
  return text.substr(list.offset, text.find(']', list.offset) + 1 - list.offset);
}

/// A tensor's member `key`, which must be a list of whole numbers from 0 to 2^53.
std::vector<std::ptrdiff_t> whole_numbers(const json::Document& header, const json::Node& tensor,
                                          const char* key, const Origin& origin) {
  // Above 2^53, JSON numbers are not exact.
  constexpr double kMost = std::min(0x1p53, static_cast<double>(PTRDIFF_MAX));
  const json::Node* list = json::find(tensor, key);
  const auto* numbers = list ? std::get_if<json::Numbers>(&list->value) : nullptr;
  const bool whole =
      numbers && list_text(header, *list).find_first_of(".eE-") == std::string_view::npos &&
      std::all_of(numbers->begin(), numbers->end(), [](double number) { return number <= kMost; });
  std::vector<std::ptrdiff_t> sizes;
  if (whole) {
    for (const double number : *numbers) sizes.push_back(static_cast<std::ptrdiff_t>(number));
    return sizes;
  }
  const std::string found = !list     ? "nothing"
                            : numbers ? excerpt(list_text(header, *list))
                                      : json::describe_token(header.source.text, list->offset);
  throw format_error(
      origin, "expected \"" + std::string(key) + "\" as a list of whole numbers, found " + found);
}

/// "[0, 24]" must be two numbers, the second not less than the first, and span as many bytes as the
/// shape needs.
void set_offsets(Entry& entry, const std::vector<std::ptrdiff_t>& offsets, const Origin& origin) {
  if (offsets.size() != 2 || offsets[0] > offsets[1]) {
    const std::string found = counted(static_cast<std::ptrdiff_t>(offsets.size()), "number");
    throw format_error(origin, "expected \"data_offsets\" as [begin, end], found " + found +
                                   (offsets.size() == 2 ? " in the wrong order" : ""));
  }
  entry.begin = static_cast<std::size_t>(offsets[0]);
  entry.end = static_cast<std::size_t>(offsets[1]);
  const StoredTensor& tensor = entry.tensor;
  const std::optional<std::size_t> count = number_count(tensor.shape);
  if (!count) throw shape_error(origin, "safetensors-format", tensor.shape);
  const NumberType* type = find_safetensors_type(tensor.dtype);
  if (!type || *count * type->size == entry.end - entry.begin) return;
  throw format_error(origin, "expected " + bytes_text(*count * type->size) + " for the shape " +
                                 shape_text(tensor.shape) + " of " + tensor.dtype +
                                 ", found offsets for " + bytes_text(entry.end - entry.begin));
}

Entry read_entry(const json::Document& header, const json::Member& member) {
  const Origin origin = {header.source.name, member.key};
  const json::Node* dtype = json::find(member.value, "dtype");
  const auto* word = dtype ? std::get_if<std::string>(&dtype->value) : nullptr;
  if (!word) {
    throw format_error(origin,
                       "expected an object with \"dtype\", \"shape\" and "
                       "\"data_offsets\", found " +
                           (dtype ? "a \"dtype\" that is not a string"
                                  : json::describe_token(header.source.text, member.value.offset) +
                                        " without \"dtype\""));
  }
  Entry entry;
  entry.tensor.name = member.key;
  entry.tensor.dtype = *word;
  entry.tensor.shape = whole_numbers(header, member.value, "shape", origin);
  set_offsets(entry, whole_numbers(header, member.value, "data_offsets", origin), origin);
  return entry;
}

void check_metadata(const json::Document& header, const json::Node& node) {
  const auto* members = std::get_if<json::Members>(&node.value);
  const bool texts = members && std::all_of(members->begin(), members->end(), [](const auto& row) {
                       return std::holds_alternative<std::string>(row.value.value);
                     });
  if (!texts) {
    throw format_error({header.source.name}, "expected \"__metadata__\" as an object of strings");
  }
}

/// The tensors follow one another from the first byte to the last: no hole can hide anything, and
/// no byte is read twice.
void check_tiling(const std::vector<Entry>& entries, std::size_t size, const std::string& file) {
  std::vector<const Entry*> sorted(entries.size());
  std::transform(entries.begin(), entries.end(), sorted.begin(),
                 [](const Entry& entry) { return &entry; });
  std::sort(sorted.begin(), sorted.end(), [](const Entry* a, const Entry* b) {
    return a->begin != b->begin ? a->begin < b->begin : a->end < b->end;
  });
  std::size_t at = 0;
  for (const Entry* entry : sorted) {
    if (entry->begin != at) {
      const std::string begin = std::to_string(entry->begin);
      throw format_error(
          {file, entry->tensor.name},
          "expected the tensors one after another, found " +
              std::string(entry->begin < at ? "an overlap" : "a hole") +
              (entry == sorted.front() ? ": the first begins at byte " + begin + " instead of 0"
                                       : ": one ends at byte " + std::to_string(at) +
                                             ", the next begins at byte " + begin));
    }
    at = entry->end;
  }
  if (at == size) return;
  const auto cut = std::find_if(sorted.begin(), sorted.end(),
                                [&](const Entry* entry) { return entry->end > size; });
  throw format_error({file, cut == sorted.end() ? "" : (*cut)->tensor.name},
                     "expected " + bytes_text(at) + " after the header, found " + bytes_text(size),
                     kCopyAgain);
}

}  // namespace

std::vector<StoredTensor> read_safetensors_header(std::string_view bytes, const std::string& file,
                                                  const MakeRoom& room) {
  constexpr std::size_t kTree = 16;  // bytes in memory for each of a header of short values
  const std::string_view text = header_text(bytes, file);
  const std::size_t most = std::min(kTree * text.size(), kMostForHeader);
  room({static_cast<std::ptrdiff_t>(most / sizeof(double))});
  const std::string_view data = bytes.substr(kLengthSize + text.size());
  const json::Document header = parse_header(text, file);
  std::vector<Entry> entries;
  for (const json::Member& member : std::get<json::Members>(header.root.value)) {
    if (member.key == "__metadata__") {
      check_metadata(header, member.value);
    } else {
      entries.push_back(read_entry(header, member));
    }
  }
  check_tiling(entries, data.size(), file);
  std::vector<StoredTensor> tensors;
  tensors.reserve(entries.size());
  for (Entry& entry : entries) {
    entry.tensor.bytes = data.substr(entry.begin, entry.end - entry.begin);
    tensors.push_back(std::move(entry.tensor));
  }
  return tensors;
}

}  // namespace attn

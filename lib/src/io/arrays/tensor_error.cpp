// Names the file and the array, shortens what is quoted, and counts numbers that fit into memory.
#include "io/arrays/tensor_error.hpp"

#include <limits>
#include <utility>

#include "attn/core/array.hpp"
#include "attn/render/text.hpp"

namespace attn {
namespace {

constexpr std::size_t kMostAxes = 32;
constexpr std::size_t kMostNumbers =
    static_cast<std::size_t>(std::numeric_limits<std::ptrdiff_t>::max()) / sizeof(double);

}  // namespace

Error tensor_error(const Origin& origin, std::string id, std::string what, std::string fix,
                   std::vector<Change> changes) {
  Diagnostic diagnostic = {.id = std::move(id),
                           .what = std::move(what),
                           .fix = std::move(fix),
                           .changes = std::move(changes)};
  const std::string remark = origin.array.empty() ? "" : "the array " + excerpt(origin.array);
  if (!origin.file.empty()) diagnostic.places = {{.remark = remark, .file = origin.file}};
  return input_error(std::move(diagnostic));
}

Error scalar_error(const Origin& origin) {
  return tensor_error(origin, "rank",
                      "expected an array of at least one axis, found a single number (shape ())",
                      "Give it an axis before saving: array.reshape(1).");
}

std::string excerpt(std::string_view text) {
  constexpr std::size_t kBytes = 200;  // so that a huge name is not measured to the end
  constexpr std::ptrdiff_t kCells = 60;
  const std::string begin(text.substr(0, kBytes));
  return "\"" + cut(text.size() > kBytes ? begin + "…" : begin, kCells, "…") + "\"";
}

std::string bytes_text(std::uint64_t count) {
  return std::to_string(count) + (count == 1 ? " byte" : " bytes");  // up to 2^64, unlike counted
}

std::optional<std::size_t> number_count(const std::vector<std::ptrdiff_t>& shape) {
  if (shape.size() > kMostAxes) return std::nullopt;
  std::size_t count = 1;
  bool none = false;
  for (const std::ptrdiff_t signed_size : shape) {
    const auto size = static_cast<std::size_t>(signed_size);
    if (size == 0) {
      none = true;
      continue;
    }
    if (count > kMostNumbers / size) return std::nullopt;  // zeros or not, as NumPy does
    count *= size;
  }
  return none ? 0 : count;
}

Error shape_error(const Origin& origin, std::string id, const std::vector<std::ptrdiff_t>& shape) {
  const std::string found =
      shape.size() > kMostAxes
          ? "expected at most 32 axes, found " + std::to_string(shape.size())
          : "expected an array that fits into memory, found the shape " + shape_text(shape);
  return tensor_error(origin, std::move(id), found,
                      "Create the file again; its header is damaged.");
}

}  // namespace attn

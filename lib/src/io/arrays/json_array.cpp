// A matrix in a file of its own: lists of lists in JSON, or text of another kind.
#include <memory>

#include "attn/error.hpp"
#include "attn/io/answers_file.hpp"
#include "attn/io/problem_file.hpp"
#include "attn/io/tensor_file.hpp"
#include "io/arrays/matrix_text.hpp"
#include "io/json/value.hpp"

namespace attn {
namespace {

Array parse_json_array(std::string_view bytes, const std::string& file_name) {
  const auto file = std::make_shared<json::Document>(json::parse(bytes, file_name));
  try {
    return json::read_lists({*file, file->root, ""}, {.smallest_rank = 2, .largest_rank = 3});
  } catch (const Error& error) {
    throw SourceMap(file).locate(error);
  }
}

}  // namespace

Array parse_array(std::string_view bytes, const std::string& file_name) {
  const Source source = decode_leniently({bytes}, file_name);
  MatrixText read;
  try {
    if (begins_like_json(bytes)) return parse_json_array(bytes, file_name);
    read = read_matrix_text(source.text);
  } catch (const Error&) {
    read = read_matrix_text(source.text);
    if (!read.fault.empty()) throw;
  }
  const std::size_t first = source.text.find_first_not_of(" \t\r\n");
  const bool numbers =
      first != std::string_view::npos &&
      std::string_view("0123456789+-.#\\").find(source.text[first]) != std::string_view::npos;
  if (!read.fault.empty() && numbers) throw bad_matrix_text(read.fault, {.file = file_name});
  if (!read.fault.empty()) return parse_json_array(bytes, file_name);  // says what it is instead
  if (read.array.rank() == 1) read.array.shape.insert(read.array.shape.begin(), 1);
  return std::move(read.array);
}

}  // namespace attn

// An array as lists of lists in a separate JSON file.
#include <memory>

#include "attn/error.hpp"
#include "attn/io/problem_file.hpp"
#include "attn/io/tensor_file.hpp"
#include "io/json/value.hpp"

namespace attn {

Array parse_array(std::string_view bytes, const std::string& file_name) {
  const auto file = std::make_shared<json::Document>(json::parse(bytes, file_name));
  try {
    return json::read_lists({*file, file->root, ""}, {.smallest_rank = 2, .largest_rank = 3});
  } catch (const Error& error) {
    throw SourceMap(file).locate(error);
  }
}

}  // namespace attn

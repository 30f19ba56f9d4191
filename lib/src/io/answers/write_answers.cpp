// Writes the remark as a comment, then a row of each matrix on each line.
#include "attn/io/answers_text.hpp"
#include "io/json/writer.hpp"

namespace attn {

std::string answers_json(std::span<const NamedArray> arrays, const std::string& remark) {
  return json::file_text(json::Layout::Lines, [&](json::Writer& out) {
    out.add("_what", remark);
    for (const NamedArray& each : arrays) out.key(each.name).array(each.array, json::put_real);
  });
}

}  // namespace attn

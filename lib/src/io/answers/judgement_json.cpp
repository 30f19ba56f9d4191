// Writes what became of an answer to a question of a lesson.
#include "attn/teach/lesson.hpp"
#include "io/json/writer.hpp"

namespace attn {

std::string judgement_json(const Judgement& judgement) {
  return json::file_text(json::Layout::Row, [&](json::Writer& out) {
    out.add("right", judgement.right).add("message", judgement.message);
  });
}

}  // namespace attn

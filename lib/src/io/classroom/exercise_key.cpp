// What only the teacher keeps: key/exercise.json.
#include <charconv>
#include <memory>

#include "attn/io/sheet_file.hpp"
#include "core/text/sha256.hpp"
#include "io/classroom/spec_fields.hpp"
#include "io/json/read_object.hpp"

namespace attn {
namespace {

using json::Value;

constexpr const char* kKeyFormat = "attn.exercise";

void check_key_format(const Value& value) {
  if (json::read_text(value) == kKeyFormat) return;
  throw input_error({.id = "wrong-format",
                     .what = std::string("expected the format \"") + kKeyFormat + "\", found \"" +
                             json::read_text(value) + "\"",
                     .places = {{.pointer = value.pointer}},
                     .fix = "Give the file key/exercise.json of an exercise."});
}

/// Bytes from two digits each.
std::string read_bytes(const Value& value) {
  const std::string& digits = json::read_text(value);
  std::string bytes;
  for (std::size_t i = 0; i + 1 < digits.size(); i += 2) {
    unsigned char byte = 0;
    const char* const at = digits.data() + i;
    if (std::from_chars(at, at + 2, byte, 16).ptr != at + 2) break;
    bytes += static_cast<char>(byte);
  }
  if (2 * bytes.size() == digits.size() && !bytes.empty()) return bytes;
  throw json::wrong_type(value.file, value.pointer, "bytes as hexadecimal digits",
                         "Restore the file: the sheets were made with this salt.");
}

constexpr json::Key<ExerciseKey> kKeyFileKeys[] = {
    {"format", [](const Value& v, ExerciseKey&) { check_key_format(v); }, true},
    {"format_version", [](const Value& v, ExerciseKey&) { json::read_version(v); }},
    {"generator", [](const Value& v, ExerciseKey& k) { k.generator = json::read_text(v); }, true},
    {"salt", [](const Value& v, ExerciseKey& k) { k.salt = read_bytes(v); }, true},
    {"spec", [](const Value& v, ExerciseKey& k) { read_spec(v, "", k.spec); }, true},
};

}  // namespace

std::string exercise_key_json(const ExerciseKey& key) {
  return json::file_text(json::Layout::Lines, [&](json::Writer& out) {
    out.add("format", kKeyFormat).add("format_version", "1.0").add("generator", key.generator);
    out.add("salt", hex(key.salt));
    out.key("spec").object(json::Layout::Lines, [&] { write_spec(out, key.spec); });
  });
}

ExerciseKey parse_exercise_key(std::string_view bytes, const std::string& name) {
  const auto file = std::make_shared<const json::Document>(json::parse(bytes, name));
  try {
    ExerciseKey key;
    read_object({*file, file->root, ""}, kKeyFileKeys, key, json::Unknown::Ignored, "a key");
    return key;
  } catch (const Error& error) {
    throw SourceMap(file).locate(error);
  }
}

}  // namespace attn

// JSON values and their places in the text.
#include "io/json/json.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <variant>

#include "io/error_rows.hpp"
#include "io/json/writer.hpp"
#include "support/phrases.hpp"

namespace attn::testing {
namespace {

const std::string kUtf8Mark = "\xEF\xBB\xBF";

json::Document parsed(const std::string& text) { return json::parse(text, "a.json"); }

const json::Node& member(const json::Node& object, const std::string& key) {
  const json::Node* found = json::find(object, key);
  REQUIRE(found != nullptr);
  return *found;
}

/// The text from where the value at `pointer` begins.
std::string text_at(const json::Document& document, const std::string& pointer) {
  return std::string(document.source.text.substr(json::offset_of(document, pointer)));
}

std::string utf16(const std::u16string& text, bool big_endian) {
  std::string bytes;
  for (const char16_t unit : u"\uFEFF" + text) {
    const char high = static_cast<char>(unit >> 8), low = static_cast<char>(unit & 0xFF);
    bytes += big_endian ? high : low;
    bytes += big_endian ? low : high;
  }
  return bytes;
}

}  // namespace

TEST_CASE("json: every kind of value is read, and objects keep the order of the file") {
  const json::Document document =
      parsed(R"({"z": null, "a": true, "n": -2.5, "s": "a\u00e9\n", "o": {}})");
  const auto& members = std::get<json::Members>(document.root.value);
  REQUIRE(members.size() == 5);
  CHECK(members[0].key == "z");
  CHECK(members[1].key == "a");
  CHECK(std::holds_alternative<std::nullptr_t>(members[0].value.value));
  CHECK(std::get<bool>(members[1].value.value));
  CHECK(std::get<double>(members[2].value.value) == -2.5);
  CHECK(std::get<std::string>(members[3].value.value) == "aé\n");
  CHECK(std::get<json::Members>(members[4].value.value).empty());
  CHECK(json::find(document.root, "missing") == nullptr);
  CHECK(json::find(members[2].value, "n") == nullptr);
}

TEST_CASE("json: a list of numbers alone is stored as numbers, any other list as nodes") {
  const json::Document document = parsed(R"([[], [1, 2e2], [1, 2, "-inf", 3], [true]])");
  const auto& lists = std::get<json::Items>(document.root.value);
  CHECK(std::get<json::Numbers>(lists[0].value).empty());
  CHECK(std::get<json::Numbers>(lists[1].value) == json::Numbers{1, 200});
  const auto& mixed = std::get<json::Items>(lists[2].value);
  REQUIRE(mixed.size() == 4);
  CHECK(std::get<double>(mixed[1].value) == 2);
  CHECK(std::get<std::string>(mixed[2].value) == "-inf");
  CHECK(json::item_count(lists[2]) == 4);
  CHECK(json::item_count(lists[1]) == 2);
  CHECK(json::is_list(lists[3]));
  CHECK_FALSE(json::is_list(mixed[0]));
}

TEST_CASE("json: numbers come back bit for bit, minus zero included") {
  const json::Document document =
      parsed("[0.1, 1.7976931348623157e308, 5e-324, -0, -0.0, 9007199254740993]");
  const auto& numbers = std::get<json::Numbers>(document.root.value);
  CHECK(numbers[0] == 0.1);
  CHECK(numbers[1] == 1.7976931348623157e308);
  CHECK(numbers[2] == 5e-324);
  CHECK(std::signbit(numbers[3]));
  CHECK(std::signbit(numbers[4]));
  CHECK(numbers[5] == 9007199254740992.0);
}

TEST_CASE("json: minus zero keeps its sign outside lists of numbers, too") {
  const json::Document document = parsed(R"({"a": -0, "b": [-0, null], "c": 0})");
  CHECK(std::signbit(std::get<double>(member(document.root, "a").value)));
  const auto& items = std::get<json::Items>(member(document.root, "b").value);
  CHECK(std::signbit(std::get<double>(items[0].value)));
  CHECK_FALSE(std::signbit(std::get<double>(member(document.root, "c").value)));
}

TEST_CASE("json: a pointer leads to the byte where its value begins") {
  const json::Document document = parsed(R"({"a/b": {"~": [ [1,2 , 3], ["x",4] ]}, "k" : "v"})");
  CHECK(text_at(document, "/k") == "\"v\"}");
  CHECK(text_at(document, "/a~1b/~0").substr(0, 4) == "[ [1");
  CHECK(text_at(document, "/a~1b/~0/0/2").substr(0, 2) == "3]");
  CHECK(text_at(document, "/a~1b/~0/1/1").substr(0, 2) == "4]");
  CHECK(text_at(document, "") == document.source.text);
  CHECK(json::child_pointer("/a", "b/c~d") == "/a/b~1c~0d");
  CHECK(json::child_pointer("/a", 3) == "/a/3");
}

TEST_CASE("json: a pointer that leads nowhere stops at the nearest parent") {
  const json::Document document = parsed(R"({"a": [[1, 2], [3]], "k": 5})");
  CHECK(text_at(document, "/a/1/7").substr(0, 3) == "[3]");
  CHECK(text_at(document, "/a/9/0").substr(0, 3) == "[[1");
  CHECK(text_at(document, "/a/x").substr(0, 3) == "[[1");
  CHECK(text_at(document, "/k/2") == "5}");
  CHECK(text_at(document, "/none") == document.source.text);
}

TEST_CASE("json: UTF-8 with a byte order mark is read without it") {
  const json::Document document = parsed(kUtf8Mark + "[1]");
  CHECK(document.source.text == "[1]");
  CHECK(document.root.offset == 0);
}

TEST_CASE("json: UTF-16 with a byte order mark is read in both byte orders") {
  const std::u16string text = u"{\"é猫🙂\": \"\u0416\"}\r\n";
  for (const bool big_endian : {false, true}) {
    const json::Document document = parsed(utf16(text, big_endian));
    CHECK(document.source.text == "{\"é猫🙂\": \"Ж\"}\r\n");
    CHECK(std::get<std::string>(member(document.root, "é猫🙂").value) == "Ж");
  }
}

TEST_CASE("json: bytes that are not text are refused with their place") {
  struct Row {
    const char* name;
    std::string bytes;
    const char* what;
    int line, column;
    const char* line_text;
  };
  const char* no_character = "expected a text file in UTF-8, found bytes that are not a character";
  const Row rows[] = {
      {"Latin-1", "[1,\n \"caf\xE9\"]", no_character, 2, 6, " \"caf\uFFFD"},
      {"overlong", "\xC0\x80", no_character, 1, 1, "\uFFFD"},
      {"overlong of three", "\xE0\x80\x80", no_character, 1, 1, "\uFFFD"},
      {"surrogate", "\"\xED\xA0\x80\"", no_character, 1, 2, "\"\uFFFD"},
      {"beyond Unicode", "\xF4\x90\x80\x80", no_character, 1, 1, "\uFFFD"},
      {"cut", "\"\xE7\x8C", no_character, 1, 2, "\"\uFFFD"},
      {"half a pair in UTF-16", utf16(std::u16string(1, char16_t{0xD800}), true), no_character, 1,
       1, "\uFFFD"},
      {"zero byte", std::string("{}\0", 3), "expected a text file, found a zero byte", 1, 3,
       "{}\uFFFD"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.name);
    const auto found = syntax_errors(row.bytes);
    REQUIRE(found.size() == 1);
    CHECK(found[0].id == "json-encoding");
    CHECK(found[0].what == row.what);
    CHECK(found[0].fix ==
          "Save the file as UTF-8. In an editor: Save as, encoding UTF-8. In a spreadsheet: save "
          "it as CSV UTF-8.");
    CHECK(found[0].places[0].line == row.line);
    CHECK(found[0].places[0].column == row.column);
    CHECK(found[0].places[0].line_text == row.line_text);
  }
}

TEST_CASE("json: 64 levels of brackets are read, deeper ones refused") {
  const auto nested = [](std::size_t levels) {
    return std::string(levels, '[') + std::string(levels, ']');
  };
  CHECK_NOTHROW(parsed(nested(64)));
  for (const std::size_t levels : {std::size_t{65}, std::size_t{1000000}}) {
    const auto found = syntax_errors(nested(levels));
    REQUIRE(found.size() == 1);
    CHECK(found[0].id == "json-depth");
    CHECK(found[0].what == kTooDeep);
    CHECK(found[0].places[0].column == 65);
    CHECK(found[0].fix ==
          "Remove brackets: a matrix needs two levels of them, a batch of matrices three.");
  }
}

TEST_CASE("json: a million numbers in one list are read and found again") {
  std::string text = "[0";
  for (int i = 1; i < 1000000; ++i) text += i % 1000 == 0 ? ",\n0" : ",1";
  const json::Document document = parsed(text + "]");
  CHECK(std::get<json::Numbers>(document.root.value).size() == 1000000);
  CHECK(json::offset_of(document, "/999999") == text.size() - 1);
}

TEST_CASE("json: no text that is written acts on a terminal, and each reads back the same") {
  for (const char* text : {"\x1B[2J", "a\x7F", "\u0080\u009b2J\u009f\u00a0é猫", "\n\t\"\\", ""}) {
    CAPTURE(text);
    const std::string quoted = json::quoted(text);
    for (std::size_t i = 0; i < quoted.size(); ++i) {
      const auto byte = static_cast<unsigned char>(quoted[i]);
      CHECK(byte >= 0x20);
      CHECK(byte != 0x7F);
      if (byte == 0xC2) CHECK(static_cast<unsigned char>(quoted[i + 1]) >= 0xA0);
    }
    const json::Document document = parsed(quoted);
    CHECK(std::get<std::string>(document.root.value) == text);
  }
}

}  // namespace attn::testing

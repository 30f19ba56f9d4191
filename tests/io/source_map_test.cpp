// From a JSON pointer to file, line and column, or to an option.
#include <doctest/doctest.h>

#include <string>

#include "attn/io/problem_file.hpp"

namespace attn::testing {
namespace {

const char* kText = "{\n  \"embeddings\": [[1, 0],\n    [0, 1]],\n  \"heads\": 2\n}\n";

Place located(const SourceMap& places, const Place& place) {
  const Error error = input_error({.id = "x", .what = "y", .places = {place}});
  return places.locate(error).diagnostics().at(0).places.at(0);
}

SourceMap places_of(const char* text) { return parse_problem(text, "a.json").places; }

}  // namespace

TEST_CASE("source map: the place of a pointer gets file, line, column and line text") {
  const Place place =
      located(places_of(kText), {.pointer = "/embeddings/1/1", .remark = "this one"});
  CHECK(place.pointer == "/embeddings/1/1");
  CHECK(place.remark == "this one");
  CHECK(place.file == "a.json");
  CHECK(place.line == 3);
  CHECK(place.column == 9);
  CHECK(place.line_text == "    [0, 1]],");
}

TEST_CASE("source map: a pointer that the file does not have gets the place of its parent") {
  const SourceMap places = places_of(kText);
  const Place row = located(places, {.pointer = "/embeddings/1/7"});
  CHECK(row.pointer == "/embeddings/1/7");
  CHECK(row.line == 3);
  CHECK(row.column == 5);
  const Place root = located(places, {.pointer = "/scale"});
  CHECK(root.line == 1);
  CHECK(root.column == 1);
}

TEST_CASE("source map: lines that end in CR LF are shown without CR") {
  const Place place = located(places_of("{\r\n\"heads\": 2\r\n}"), {.pointer = "/heads"});
  CHECK(place.line == 2);
  CHECK(place.line_text == "\"heads\": 2");
}

TEST_CASE("source map: an overridden setting and what is inside it come from the option") {
  SourceMap places = places_of(kText);
  places.override_with("/mask", "--mask casual");
  places.override_with("/heads", "--heads 3");
  for (const char* pointer : {"/mask", "/mask/0"}) {
    const Place place = located(places, {.pointer = pointer});
    CHECK(place.file == "--mask casual");
    CHECK(place.pointer == pointer);
    CHECK(place.line == 0);
    CHECK(place.column == 0);
    CHECK(place.line_text.empty());
  }
  CHECK(located(places, {.pointer = "/heads"}).file == "--heads 3");
  CHECK(located(places, {.pointer = "/masking"}).file == "a.json");
}

TEST_CASE("source map: places that have a file already, and those without any, stay as they are") {
  const Place other = located(places_of(kText), {.pointer = "/heads", .file = "b.json", .line = 7});
  CHECK(other.file == "b.json");
  CHECK(other.line == 7);
  CHECK(located(SourceMap(), {.pointer = "/heads"}).file.empty());
}

TEST_CASE("source map: a file without lines gives its name, and options their own") {
  SourceMap places(std::string("a.npz"));
  places.override_with("/heads", "--heads 3");
  const Place found = located(places, {.pointer = "/weights/w_q/0"});
  CHECK(found.file == "a.npz");
  CHECK(found.pointer == "/weights/w_q/0");
  CHECK(found.line == 0);
  CHECK(located(places, {.pointer = "/heads"}).file == "--heads 3");
}

TEST_CASE("source map: the error keeps its kind and its words") {
  const Error error(ErrorKind::Usage, {{.id = "a", .what = "b", .fix = "c"}});
  const Error found = places_of(kText).locate(error);
  CHECK(found.kind() == ErrorKind::Usage);
  CHECK(found.diagnostics().at(0).id == "a");
  CHECK(found.diagnostics().at(0).fix == "c");
}

}  // namespace attn::testing

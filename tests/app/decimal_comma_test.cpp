// Decimal commas: in what is handed in, on sheets, in tables.
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>

#include "attn/io/sheet_file.hpp"
#include "support/classroom.hpp"
#include "support/phrases.hpp"
#include "support/temporary_folder.hpp"

using namespace attn;
using namespace attn::testing;

namespace {

const ExerciseVariant& comma_variant() { return class_variants(6).front(); }

/// The solved sheet as a table of a spreadsheet in a country with decimal commas.
std::string comma_table(const Sheet& key, char separator, bool quoted,
                        bool given_with_points = false) {
  std::string text = "step;row;col;value;given;exercise;student;variant\n";
  std::replace(text.begin(), text.end(), ';', separator);
  for (const SheetStep& step : key.steps) {
    const auto cols = static_cast<std::size_t>(step.shape.back());
    for (std::size_t i = 0; i < step.numbers.size(); ++i) {
      const bool given = step.blank[i] == 0;
      const double x = step.numbers[i];
      std::string number = x < -1e9 ? "-Infinity" : std::to_string(x);
      if (!(given && given_with_points)) std::replace(number.begin(), number.end(), '.', ',');
      if (quoted) number = "\"" + number + "\"";
      const std::string fields[] = {step.id,
                                    std::to_string(i / cols),
                                    std::to_string(i % cols),
                                    number,
                                    given ? "given" : "",
                                    key.exercise,
                                    key.student,
                                    key.variant};
      for (const std::string& field : fields)
        text += field + (&field == std::end(fields) - 1 ? '\n' : separator);
    }
  }
  return text;
}

std::string as_strings(std::string json) {
  const std::size_t begin = json.find("\"answers\""), end = json.find("\"blanks\"");
  std::string out = json.substr(0, begin);
  for (std::size_t i = begin; i < end; ++i) {
    const bool decimal = json[i] == '.' && std::isdigit(static_cast<unsigned char>(json[i - 1]));
    if (!decimal) {
      out += json[i];
      continue;
    }
    std::size_t from = out.size();
    while (std::isdigit(static_cast<unsigned char>(out[from - 1])) || out[from - 1] == '-') --from;
    out.insert(from, "\"");
    out += ',';
    while (std::isdigit(static_cast<unsigned char>(json[i + 1]))) out += json[++i];
    out += '"';
  }
  return out + json.substr(end);
}

}  // namespace

TEST_CASE("decimal commas: tables with ; or tabs or quotes, and strings of JSON, are read") {
  const Classroom room(class_variants(6));
  const Sheet& key = comma_variant().key;
  for (const std::string& file :
       {comma_table(key, ';', false), comma_table(key, '\t', false), comma_table(key, ',', true),
        comma_table(key, ';', false, true), as_strings(sheet_json(key))}) {
    CAPTURE(file.substr(0, 300));
    room.hand_in("s001.csv", file);
    REQUIRE(room.check().exit_code == 0);
    const Book book = read_book(room.path("grades.csv"));
    CHECK(book.of("s001").at("percent") == "100");
    CHECK(has(book.of("s001").at("note"), kWithComma));
  }
}

TEST_CASE("decimal commas: where a student writes both, nothing is lost silently") {
  const Classroom room(class_variants(6));
  std::string mixed = comma_table(comma_variant().key, ';', false);
  const std::size_t at = mixed.find(",", mixed.find(";;"));  // of the first blank
  for (std::size_t line = 0, begin = 0; line < 400 && begin != mixed.npos; ++line) {
    const std::size_t end = mixed.find('\n', begin);
    const std::string own = mixed.substr(begin, end - begin);
    const std::size_t comma = own.find(',');
    if (!has(own, ";given;") && comma != own.npos && line > 0) {
      mixed[begin + comma] = '.';
      break;
    }
    begin = end == mixed.npos ? end : end + 1;
  }
  CHECK(at != 0);
  room.hand_in("s001.csv", mixed);
  REQUIRE(room.check().exit_code == 0);
  CHECK(has(read_book(room.path("grades.csv")).of("s001").at("note"), "cannot be read"));
  REQUIRE(room.check({"--decimal-mark", "comma"}).exit_code == 0);
  CHECK(read_book(room.path("grades.csv")).of("s001").at("percent") == "100");
  room.hand_in("s001.csv", comma_table(comma_variant().key, ';', false));
  REQUIRE(room.check({"--decimal-mark", "point"}).exit_code == 0);
  CHECK(has(read_book(room.path("grades.csv")).of("s001").at("note"), "cannot be read"));
}

TEST_CASE("decimal commas: a single sheet says so, and takes the option") {
  const Ran ran = attn_run({"check", "-"}, as_strings(sheet_json(comma_variant().key)));
  CHECK(ran.exit_code == 0);
  CHECK(has(ran.out, kWithComma));
  const std::string answers = R"({"scores": [["1,5", "0.5"]]})";
  const TemporaryFolder folder;
  const std::string problem = folder.write(
      "p.json", R"({"q": [[1.5]], "k": [[1], [0.333]], "v": [[1], [1]], "scale": "none"})");
  const Ran forced =
      attn_run({"check", "-", "--problem", problem, "--decimal-mark", "comma"}, answers);
  CHECK(forced.exit_code == 0);
  CHECK(attn_run({"check", "-", "--problem", problem}, answers).exit_code == 1);
}

TEST_CASE("decimal commas: on sheets that ask for them, they are no surprise") {
  std::vector<ExerciseVariant> variants = class_variants(6);
  for (ExerciseVariant& each : variants) each.sheet.decimal_comma = each.key.decimal_comma = true;
  const Classroom room(variants);
  const std::string right = as_strings(sheet_json(variants.front().key));
  room.hand_in("s001.json", right);
  std::string typo = sheet_json(variants[1].sheet);
  typo.replace(typo.find("null", typo.find("\"answers\"")), 4, "\"half\"");
  room.hand_in("s002.json", typo);
  REQUIRE(room.check({"--reports", room.path("reports")}).exit_code == 0);
  CHECK(read_book(room.path("grades.csv")).of("s001").at("percent") == "100");
  CHECK(read_book(room.path("grades.csv")).of("s001").at("note").empty());
  const std::string report = read_text(room.path("reports/s001.txt"));
  CHECK(has(report, kAllRight));
  CHECK(!has(report, "comma"));
  const std::string fix = "Write a number such as \"0,5\", a fraction such as \"3/4\"";
  CHECK(has(unwrapped(read_text(room.path("reports/s002.txt"))), fix));
  CHECK(has(read_book(room.path("grades.csv")).of("s002").at("note"), fix));
  const Ran alone = attn_run({"check", "-"}, right);
  CHECK(alone.exit_code == 0);
  CHECK(!has(alone.out, "comma"));
}

TEST_CASE("decimal commas: sheets and tables of an exercise that asks for them have them") {
  const TemporaryFolder folder;
  const std::string spec =
      folder.write("spec.json", R"({"preset": "self", "decimal_mark": "comma"})");
  const std::string path = folder.path("week1");
  const Ran made = attn_run({"exercise", "make", "--spec", spec, "--format",
                             "json,csv,text,html,latex,markdown", "-o", path});
  REQUIRE_MESSAGE(made.exit_code == 0, made.err);
  CHECK(has(read_text(path + "/key/exercise.json"), "\"decimal_mark\": \"comma\""));
  const std::string json = read_text(path + "/sheets/sheet.json");
  CHECK(has(json, "\"decimal_mark\": \"comma\""));
  const SheetFile sheet = parse_sheet(json, "");
  CHECK(sheet.seal_fits);
  CHECK(sheet_json(sheet.sheet) == json);
  const std::string csv = read_text(path + "/sheets/sheet.csv");
  CHECK(csv.starts_with("step;row;col;value;given;"));
  CHECK(!has(csv, "."));
  for (const char* ending : {"txt", "html", "tex", "md"}) {
    const std::string text = read_text(path + "/key/answers/sheet." + ending);
    CAPTURE(ending);
    CHECK(has(text, ending == std::string("tex") ? "0{,}" : "0,"));
  }
  CHECK(has(read_text(path + "/sheets/sheet.txt"), "off by at most 0,01."));
  CHECK(attn_run({"exercise", "verify", path}).exit_code == 0);
  CHECK(attn_run({"check", path + "/key/answers/sheet.json"}).exit_code == 0);
  const std::string wrong = folder.write("w.json", R"({"preset": "self", "decimal_mark": "dot"})");
  const Ran refused = attn_run({"exercise", "make", "--spec", wrong, "-o", folder.path("x")});
  CHECK(refused.exit_code == 3);
  CHECK(has(unwrapped(refused.err), "expected comma or point, found the string \"dot\""));
}

TEST_CASE(
    "decimal commas: a table that is handed in alone has the points that it has in its class") {
  ExerciseSpec spec = exercise_presets()[0].spec;
  spec.name = "komma";
  spec.decimal_comma = true;
  const std::vector<std::string> ids{"a"};
  const auto made = make_exercise(spec, "a salt for tests", ids);
  const Classroom room(made);
  std::string table = comma_table(made[0].key, ';', false);
  const std::string blank = ";;komma;a;";  // after the first number that the student filled in
  const std::size_t end = table.find(blank), begin = table.rfind(';', end - 1) + 1;
  table.replace(begin, end - begin, "2.75");  // wrong, and with a point
  const std::string file = room.hand_in("a.csv", table);
  REQUIRE(room.check().exit_code == 0);
  const std::string points = read_book(room.path("grades.csv")).of("a").at("score");
  CHECK(std::stod(points) > 9.0);
  const Ran alone = attn_run({"check", file, "--key", room.path("key"), "--json"});
  CHECK(has(alone.out, "\"score\": " + points + ","));
  const Ran result = attn_run({"check", file, "--key", room.path("key"), "--format", "gradescope"});
  CHECK(has(result.out, "\"score\": " + points + ","));
  CHECK(attn_run({"check", file, "--key", room.path("key"), "--decimal-mark", "point"}).out !=
        attn_run({"check", file, "--key", room.path("key")}).out);
}

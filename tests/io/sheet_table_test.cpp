// Rosters and other tables, and the names of students' files.
#include <doctest/doctest.h>

#include <set>

#include "attn/io/sheet_file.hpp"
#include "support/errors.hpp"
#include "support/program.hpp"

namespace attn {
namespace {

using Row = std::vector<std::string>;
using testing::has;

std::string wrong_with(const std::string& roster) {
  const Error error = testing::error_from([&] { parse_roster(roster, "roster.csv"); });
  const Place& place = error.diagnostics().front().places.front();
  return std::string(error.what()) + " at " + std::to_string(place.line);
}

TEST_CASE("table: quotation marks, line ends and separators as spreadsheets write them") {
  for (const char* text : {"id,name\ns1,\"Lee, \"\"Bo\"\"\"\ns2,\"two\nlines\"\n",
                           "\xEF\xBB\xBFid,name\r\ns1,\"Lee, \"\"Bo\"\"\"\r\n\r\ns2,\"two\nlines\"",
                           "id;name;\r\ns1;\"Lee, \"\"Bo\"\"\";;\r\ns2;\"two\nlines\"\r\n",
                           "sep=;\nid;name\ns1;\"Lee, \"\"Bo\"\"\"\ns2;\"two\nlines\"\n",
                           "id,name\rs1,\"Lee, \"\"Bo\"\"\"\rs2,\"two\rlines\"\r",
                           "id\tname\ns1\tLee, \"Bo\"\ns2\t\"two\nlines\"\n"}) {
    CAPTURE(text);
    const CsvTable table = parse_csv(text, "");
    CHECK(table.header == Row{"id", "name"});
    REQUIRE(table.rows.size() == 2);
    CHECK(table.rows[0] == Row{"s1", "Lee, \"Bo\""});
    CHECK(table.rows[1] == Row{"s2", "two\nlines"});
  }
}

TEST_CASE("table: what is written is read again") {
  const CsvTable table{{"id", "a,b"},
                       {{"x", "\"q\""}, {" y", "1;2"}, {"", ""}, {"", "v"}, {"z", "a\r\nb"}}};
  const std::string text = csv_text(table);
  CHECK(text.starts_with("id,\"a,b\"\r\nx,\"\"\"q\"\"\"\r\n"));
  const CsvTable read = parse_csv(text, "");
  CHECK(read.header == table.header);
  CHECK(read.rows == table.rows);
  CHECK(parse_csv("id,name\n\"a\r\",b\n", "").rows == std::vector<Row>{{"a\r", "b"}});
  const CsvTable marked{{"\xef\xbb\xbfid"}, {}};  // unquoted, it would lose its first three bytes
  CHECK(parse_csv(csv_text(marked), "").header == marked.header);
}

TEST_CASE("table: fields that begin or end with a space are in quotation marks") {
  CHECK(csv_text({{"id"}, {{" x"}, {"y "}, {"a b"}}}) == "id\r\n\" x\"\r\n\"y \"\r\na b\r\n");
}

TEST_CASE("table: the separator is found outside quotation marks, and below empty lines") {
  CHECK(parse_csv("\"Name, \"\"first\"\"\";id\nBo;s1\n", "").header ==
        Row{"Name, \"first\"", "id"});
  CHECK(parse_csv("\n\r\nid;name\ns1;a,b\n", "").rows == std::vector<Row>{{"s1", "a,b"}});
  const CsvTable table{{"a;b"}, {{"c,d\r"}}};
  const CsvTable read = parse_csv(csv_text(table), "");
  CHECK(read.header == table.header);
  CHECK(read.rows == table.rows);
}

TEST_CASE("table: one empty field is a line of its own") {
  const CsvTable table{{"id"}, {{""}, {"x"}}};
  CHECK(parse_csv(csv_text(table), "").rows == table.rows);
}

TEST_CASE("table: text that would run as a formula is guarded, and read without its guard") {
  const Row texts{"=1+1", "+1", "-1", "@a", "\t=1", "\r=1", "'=1",  "''-x",
                  "'",    "''", "'a", "a=", "1-1",  "",     "\"=1", "-"};
  CsvTable table{texts, {texts}};
  const std::string text = csv_text(table);
  CHECK(text.starts_with("'=1+1,'+1,'-1,'@a,\"'\t=1\",\"'\r=1\",''=1,'''-x,',"));
  const CsvTable read = parse_csv(text, "");
  CHECK(read.header == table.header);
  CHECK(read.rows == table.rows);
  table = {{"=a", "value"}, {{"=b", "-0.5"}, {"c", "-Infinity"}}};
  CHECK(csv_text({{"id"}, {{"-"}, {"'-"}}}) == "id\r\n-\r\n''-\r\n");  // a dash runs nothing
  CHECK(csv_text(table, 1) == "'=a,value\r\n'=b,-0.5\r\nc,-Infinity\r\n");
}

TEST_CASE("lock: who got which sheet, with and without a roster") {
  const std::vector<LockedVariant> lock{
      {"", "AAAA-BBBB", "sha256:0"}, {"a,b", "C", "sha256:1"}, {"=a", "D", "sha256:2"}};
  CHECK(lock_csv(lock).ends_with("\r\n'=a,D,sha256:2\r\n"));
  const auto read = parse_lock(lock_csv(lock), "roster.lock.csv");
  REQUIRE(read.size() == 3);
  CHECK(read[2].student == "=a");
  CHECK(read[0].student.empty());
  CHECK(read[0].givens == "sha256:0");
  CHECK(read[1].student == "a,b");
  CHECK_THROWS_AS(parse_lock("student,variant\n", ""), Error);
}

TEST_CASE(
    "table: errors about a line that is too long or a field without its end say where they are") {
  CHECK(wrong_with("id,name\ns1,Lee\ns2,Bo,x\n") == "this line has 3 fields, the header 2 at 3");
  CHECK(wrong_with("id,name\ns1,\"Lee\ns2,Bo\n") ==
        "a quotation mark opens a field, and none closes it at 2");
  CHECK(wrong_with("") == "expected a table, found an empty file at 1");
}

TEST_CASE("roster: every student has an id of their own") {
  const CsvTable roster = parse_roster("id,group\n s1 ,A\ns2\n", "roster.csv");
  CHECK(roster.rows[0] == Row{"s1", "A"});
  CHECK(roster.rows[1] == Row{"s2", ""});
  CHECK(parse_roster("id\n    Points Possible\ns1\n", "r.csv").rows.size() == 1);
  CHECK(wrong_with("id\ns1\ns2\ns1\n") == "the id \"s1\" is in the roster twice at 4");
  CHECK(wrong_with("id,name\n ,Lee\n") == "this line of the roster has no id at 2");
  CHECK(wrong_with("id\nann\nAnn\n") == "the ids \"ann\" and \"Ann\" differ only in capitals at 3");
  for (const char* unseen : {"\x1b", "\x07", "\x7f", "\u200b", "\u202e", "\n"})
    CHECK(has(wrong_with("id\ns1\n\"a" + std::string(unseen) + "b\"\n"),
              "b\" has a character that nobody can see at 3"));
  CHECK(wrong_with("id\nÄnne\nänne\n") ==
        "the ids \"Änne\" and \"änne\" differ only in capitals at 3");
  CHECK(wrong_with("id\n") == "the roster has no students, only its first line at 1");
}

TEST_CASE("file name: no id leaves its folder or becomes a device") {
  const std::pair<const char*, const char*> names[] = {
      {"s001", "s001"},
      {"ann.lee@example.edu", "ann.lee@example.edu"},
      {"", "sheet"},
      {"../x", "%2E.%2Fx"},
      {"a/b", "a%2Fb"},
      {"a\\b", "a%5Cb"},
      {".", "%2E"},
      {"..", "%2E%2E"},
      {"x.", "x%2E"},
      {"CON", "%43ON"},
      {"nul.json", "%6Eul.json"},
      {"com1", "%63om1"},
      {"LPT1", "%4CPT1"},
      {"company", "company"},
      {"a b", "a%20b"},
      {"50%", "50%25"},
      {"müller", "müller"},
      {"李雷", "李雷"},
      {"a\u202eb", "a%E2%80%AEb"},
      {"a\nb", "a%0Ab"},
      {"\xff", "%FF"},
      {"-rf", "-rf"},
  };
  for (const auto& each : names) {
    CAPTURE(each.first);
    CHECK(file_name_of(each.first) == each.second);
  }
}

TEST_CASE("file name: different ids have different names") {
  const std::string long_id(300, 'x'),
      wide =
          "李李李李李李李李李李李李李李李李李李李李李李李李李李李李"
          "李李李李李李李李李李李李李李李李李李李李李李李李李李";
  const std::set<std::string> ids = {"a/b",   "a%2Fb",       "a_b", "a b",     "a%20b",
                                     ".",     "..",          "%2E", "CON",     "%43ON",
                                     long_id, long_id + "x", wide,  wide + "x"};
  std::set<std::string> names;
  for (const std::string& id : ids) {
    const std::string name = file_name_of(id);
    CHECK(name.size() <= 130);
    names.insert(name);
  }
  CHECK(names.size() == ids.size());
}

}  // namespace
}  // namespace attn

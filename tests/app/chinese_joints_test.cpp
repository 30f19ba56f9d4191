// Between Chinese characters there is Chinese punctuation, in practice and when handing in.
#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "attn/io/sheet_file.hpp"
#include "cli.hpp"
#include "support/files.hpp"
#include "support/program.hpp"
#include "support/temporary_folder.hpp"

using namespace attn;
using namespace attn::testing;

namespace {

/// Whether a character of at least three bytes, which is Chinese, begins at `at`.
bool is_chinese(const std::string& text, std::size_t at) {
  return at < text.size() && text[at] >= '\xE3' && text[at] <= '\xE9';
}

/// The first line in which a joint of English touches a Chinese character.
std::string english_joint(const std::string& text) {
  for (std::string line : lines_of(text)) {
    const std::string tilde = "&#126;";  // as Markdown escapes it
    if (line.starts_with(tilde)) line.erase(0, tilde.size());
    for (const char* joint : {": ", ". ", ", ", "; ", " (", ") "}) {
      for (std::size_t at = line.find(joint); at != line.npos; at = line.find(joint, at + 1)) {
        if (is_chinese(line, at + 2) || (at >= 3 && is_chinese(line, at - 3))) return line;
      }
    }
  }
  return "";
}

/// A sheet with its numbers changed, as a file.
std::string handed_in(const TemporaryFolder& folder, const std::string& key,
                      double (*number)(int, double)) {
  Sheet sheet = parse_sheet(read_text(key), "").sheet;
  int blanks = 0;
  for (SheetStep& step : sheet.steps) {
    for (std::size_t i = 0; i < step.numbers.size(); ++i) {
      if (step.blank[i] != 0) step.numbers[i] = number(blanks++, step.numbers[i]);
    }
  }
  return folder.write("handed-in.json", sheet_json(sheet));
}

}  // namespace

TEST_CASE("Chinese joints: a joint of English beside a Chinese character is found") {
  CHECK(english_joint("a: b\n错: b\n") == "错: b");
  CHECK(english_joint("a, 错") == "a, 错");
  CHECK(english_joint("a. b：错。b") == "");
}

TEST_CASE("Chinese joints: practice, and check of right and wrong sheets, have none of English" *
          doctest::test_suite("long")) {
  const TemporaryFolder folder;
  for (const char* preset : {"self", "causal", "multihead"}) {
    CAPTURE(preset);
    const std::string week = folder.path(preset);
    REQUIRE(attn_run({"exercise", "make", "--preset", preset, "-o", week}).exit_code == 0);
    const std::pair<const char*, double (*)(int, double)> rows[] = {
        {"right", [](int, double x) { return x; }},
        {"empty", [](int, double) { return double{NAN}; }},
        {"zero", [](int, double) { return 0.0; }},
        {"some signs", [](int i, double x) { return i % 3 == 0 ? -x : x; }},
        {"some slips", [](int i, double x) { return i % 4 == 0   ? 10 * x
                                                    : i % 4 == 1 ? NAN
                                                                 : x; }},
        {"all off", [](int i, double x) { return x + i; }}};
    for (const auto& row : rows) {  // clang captures no binding
      CAPTURE(row.first);
      const std::string sheet = handed_in(folder, week + "/key/answers/sheet.json", row.second);
      for (const char* format : {"text", "markdown"}) {
        CAPTURE(format);
        const Ran ran = attn_run({"check", sheet, "--lang", "zh", "--format", format});
        CHECK(has(ran.out, "。"));
        CHECK(english_joint(ran.out + ran.err) == "");
      }
    }
  }
  for (const char* sample : {"01-one-head", "04-causal", "03-multi-head"}) {
    CAPTURE(sample);
    CHECK(english_joint(attn_run({"practice", sample, "--lang", "zh"}).out) == "");
    attn::app::Terminal desk = screen(80);
    desk.in_is_terminal = true;
    const std::string seen =
        attn_run_on(desk, {"practice", sample, "--lang", "zh", "--blank", "q,weights"},
                    "h\n?\n?\n?\n1\nx\n0,5 1\n9 9 9 9 9 9\n1 2 3 4\n\nq\n")
            .out;
    CHECK(has(seen, "看提示"));
    CHECK(english_joint(seen) == "");
  }
}

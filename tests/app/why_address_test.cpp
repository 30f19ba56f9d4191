// attn exercise grade --why: how cells are addressed and named.
#include <doctest/doctest.h>

#include <fstream>

#include "attn/io/sheet_file.hpp"
#include "support/classroom.hpp"
#include "support/compare.hpp"
#include "support/program.hpp"
#include "support/temporary_folder.hpp"

using namespace attn;
using namespace attn::testing;

namespace {

/// What --why says about a cell of a solved exercise that was made of a spec.
struct Solved {
  TemporaryFolder folder;

  explicit Solved(const std::string& spec, const std::string& language = "en") {
    REQUIRE(attn_run({"new", "--sample", "09-batch", "-o", folder.path("batch.json")}).exit_code ==
            0);
    folder.write("spec.json", spec);
    const Ran ran = attn_run({"exercise", "make", "--spec", folder.path("spec.json"), "--lang",
                              language, "-o", folder.path("week")});
    REQUIRE_MESSAGE(ran.exit_code == 0, ran.err);
    folder.write("sheet.json", read_text(folder.path("week/key/answers/sheet.json")));
  }
  Ran why(const std::string& cell) const {
    return attn_run({"exercise", "grade", folder.path("sheet.json"), "--key",
                     folder.path("week/key"), "--why", "sheet:" + cell});
  }
};

}  // namespace

TEST_CASE("why: a batch entry comes before row and column, and 0 may be an axis of one") {
  const Solved batch(R"({"problem": {"file": "batch.json"}, "steps": {"q": 1, "weights": 2},
                         "blanks": "all"})");
  const Ran printed = batch.why("q[batch 1][1,1]");
  REQUIRE_MESSAGE(printed.exit_code == 0, printed.err);
  CHECK(batch.why("q:1,1,1").out == printed.out);
  CHECK(batch.why("q:0,1,1").out == batch.why("q:1,1").out);
  CHECK(batch.why("q:0,1,1").out != printed.out);
  const std::string refused = unwrapped(batch.why("q:7,1,1").err);
  CHECK(has(refused, "batch entries, and \"7\""));
  CHECK(has(refused, "q[batch "));
  const std::string model = batch.folder.path("model.json");
  REQUIRE(attn_run({"new", "--sample", "15-induction", "-o", model}).exit_code == 0);
  const auto cell = [&](const std::string& place) {
    return attn_run({"explain", model, "--cell", "layers.0.self_attn.weights:" + place}).out;
  };
  CHECK(has(cell("2,1"), "1×12×12"));
  CHECK(cell("0,2,1") == cell("2,1"));
}

TEST_CASE("cell: of four indices the first is a batch entry, and the one that is wrong is named") {
  const TemporaryFolder folder;
  const std::string problem = folder.path("batch.json");
  REQUIRE(attn_run({"new", "--sample", "09-batch", "-o", problem}).exit_code == 0);
  const auto refused = [&](const std::string& cell) {
    return unwrapped(attn_run({"explain", problem, "--cell", "weights:" + cell}).err);
  };
  CHECK(has(refused("5,1,1,0"), "batch entries, and \"5\""));
  CHECK(has(refused("99999999999,1,1,0"), "batch entries, and \"99999999999\""));
  CHECK(has(refused("0,7,1,0"), "heads, and \"7\""));
  CHECK(has(refused("0,1,77,0"), "\"77\""));
  CHECK(has(refused("7,1,0"), "heads, and \"7\""));
}

TEST_CASE("why: the name of a step that is not there is said as it was typed") {
  const Solved batch(R"({"problem": {"file": "batch.json"}, "steps": {"q": 1, "weights": 2},
                         "blanks": "all"})");
  const std::string refused = unwrapped(batch.why("A_1:1,1").err);
  CHECK(has(refused, "A_1"));
  CHECK(!has(refused, "1:,1:"));
}

TEST_CASE("why: a cell of a head is named in the language of the exercise" *
          doctest::test_suite("long")) {
  const std::pair<std::string, std::string> heads_of[] = {
      {"en", " of head 1"}, {"de", " von Kopf 1"}, {"zh", "头 1"}};
  for (const auto& each : heads_of) {
    const std::string &code = each.first, &head = each.second;
    CAPTURE(code);
    const Solved heads(R"({"preset": "multihead", "steps": {"weights": 2}, "blanks": "all"})",
                       code);
    const Ran ran = heads.why("weights:1,1,0");
    REQUIRE_MESSAGE(ran.exit_code == 0, ran.err);
    CHECK(has(ran.out.substr(0, ran.out.find('\n')), head));
    CHECK((code == "en" || !has(ran.out, "of head")));
  }
}

TEST_CASE("why: a right number that the rounded numbers of the sheet do not quite make") {
  const Solved exercise(
      R"({"preset": "self", "steps": {"scaled_scores": 0, "weights": 2}, "blanks": "row"})");
  const std::string says = "With the rounded numbers of the sheet, the step makes ";
  int said = 0;
  for (int row = 0; row < 3; ++row) {
    for (int col = 0; col < 3; ++col) {
      const Ran ran = exercise.why("weights:" + std::to_string(row) + "," + std::to_string(col));
      REQUIRE_MESSAGE(ran.exit_code == 0, ran.err);
      const std::string text = unwrapped(ran.out);
      const std::size_t at = text.find(says);
      if (at == text.npos) continue;
      const std::string number = text.substr(at + says.size(), 5);
      CHECK(has(text.substr(at + says.size() + 5), number));  // at the end of the arithmetic
      ++said;
    }
  }
  CHECK(said > 0);
}

// Questions of one's own: what they cannot see, and wrong outputs to test a grader with.
#include <doctest/doctest.h>

#include <cmath>
#include <filesystem>

#include "attn/io/sheet_file.hpp"
#include "attn/io/tensor_file.hpp"
#include "support/classroom.hpp"
#include "support/phrases.hpp"
#include "support/program.hpp"
#include "support/temporary_folder.hpp"

using namespace attn;
using namespace attn::testing;

namespace {

namespace fs = std::filesystem;

constexpr const char* kTwoTokens =
    R"({"q": [[1, 0], [0, 2]], "k": [[1, 1], [0, 1]], "v": [[1, 2], [3, 5]], "scale": "none"})";

}  // namespace

TEST_CASE("exercise verify PROBLEM: which mistakes its output cannot see") {
  const TemporaryFolder folder;
  const std::string cat = folder.path("cat.json");
  attn_run({"new", "--sample", "04-causal", "-o", cat});
  const Ran ran = attn_run({"exercise", "verify", cat});
  CAPTURE(ran.out);
  CHECK(has(ran.out, "output shows "));
  CHECK(has(ran.out,
            " mistakes that can occur here,\nwhere a difference of up to 0.001% of the largest "
            "number is accepted\n"));
  const Ran loose = attn_run({"exercise", "verify", cat, "--tolerance", "1000"});
  CHECK(loose.exit_code == 1);
  CHECK(has(loose.out, "\n  scale.missing: " + std::string(kNotScaled) + "\n"));
  CHECK(!has(ran.out, "  scale.missing"));
  const Ran alike =
      attn_run({"exercise", "verify", folder.write("p.json", kTwoTokens), "--steps", "scores"});
  CHECK(alike.exit_code == 1);
  CHECK(has(alike.out, "  softmax.columns: "));
  CHECK(attn_run({"exercise", "verify", cat, "--steps", "wieghts"}).exit_code == 2);
  CHECK(attn_run({"exercise", "verify", folder.write("x.json", "{}")}).exit_code == 3);
}

TEST_CASE("exercise verify SHEET: which mistakes its blanks cannot see") {
  const TemporaryFolder folder;
  const std::string path = folder.write("s.json", sheet_json(class_variants(6)[0].sheet));
  const Ran ran = attn_run({"exercise", "verify", path});
  CHECK(has(ran.out, "the sheet shows "));
  CHECK(ran.exit_code == (class_variants(6)[0].proof.blindness.unseen.empty() ? 0 : 1));
  for (const std::string& code : class_variants(6)[0].proof.blindness.unseen)
    CHECK(has(ran.out, "  " + code + ": "));
  const std::string bug = folder.write("b.json", sheet_json(bug_variant().sheet));
  CHECK(attn_run({"exercise", "verify", bug}).exit_code == 2);
}

TEST_CASE("exercise mutants: each wrong output as .npz and JSON, which attn check tells apart") {
  const TemporaryFolder folder;
  const std::string cat = folder.path("cat.json"), out = folder.path("mutants");
  attn_run({"new", "--sample", "04-causal", "-o", cat});
  const Ran ran = attn_run({"exercise", "mutants", cat, "-o", out});
  REQUIRE_MESSAGE(ran.exit_code == 0, ran.err);
  CHECK(attn_run({"check", out + "/right.npz", "--problem", cat}).exit_code == 0);
  CHECK(attn_run({"check", out + "/right.json", "--problem", cat}).exit_code == 0);
  const CsvTable list = parse_csv(read_text(out + "/mutants.csv"), "");
  CHECK(list.header == std::vector<std::string>{"code", "title", "seen", "difference"});
  REQUIRE(list.rows.size() > 20);
  for (const auto& row : list.rows) {
    CAPTURE(row[0]);
    const std::string npz = out + "/" + row[0] + ".npz";
    if (!fs::exists(npz)) {
      CHECK(row[3] == "inf");
      continue;
    }
    const Ran checked = attn_run({"check", npz, "--problem", cat, "--json"});
    const std::string bytes = read_text(npz);
    CHECK(read_npz(bytes, "").front().name == "output");
    CHECK(fs::exists(out + "/" + row[0] + ".json"));
    if (row[2] == "no") CHECK(checked.exit_code == 0);
    if (row[2] == "yes") CHECK((checked.exit_code == 1 || has(checked.out, "equivalent.")));
  }
  CHECK(has(read_text(out + "/scale.missing.json"),
            "\"_what\": \"scale.missing: " + std::string(kNotScaled) + "\""));
  CHECK(attn_run({"exercise", "mutants", cat, "-o", out}).exit_code == 4);
  CHECK(attn_run({"exercise", "mutants", cat}).exit_code == 2);
}

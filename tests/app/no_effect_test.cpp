// Options without effect: said in one wording, in every command.
#include <doctest/doctest.h>

#include "support/phrases.hpp"
#include "support/program.hpp"
#include "support/temporary_folder.hpp"

using namespace attn::testing;

namespace {

using Words = std::vector<std::string>;

struct Idle {
  std::string option, why;
  Words args;
};

std::string sentence(const Idle& idle) { return idle.option + " has no effect: " + idle.why; }

}  // namespace

TEST_CASE("no effect: what chooses how text looks is a note where no text is written") {
  const TemporaryFolder desk;
  const WorkingFolder here(desk.path("."));
  REQUIRE(attn_run({"convert", "-o", "p.json"}).exit_code == 0);
  REQUIRE(attn_run({"explain", "-o", "trace.json"}).exit_code == 0);
  const std::vector<Idle> notes{
      {"--layout", "json is for programs", {"explain", "--json", "--layout", "lines"}},
      {"--big", "json is for programs", {"explain", "--json", "--big"}},
      {"--notation", "csv is for programs", {"explain", "--csv", "--notation", "sci"}},
      {"--sci", "csv is for programs", {"explain", "--csv", "--sci"}},
      {"--fixed", "json is for programs", {"compare", "--left", "scale=none", "--json", "--fixed"}},
      {"--full", "json is for programs", {"check", "trace.json", "--json", "--full"}},
      {"--palette", "json is for programs", {"explain", "--json", "--palette", "gray"}},
      {"--layout", "json is for programs", {"tokens", "cat", "--json", "--layout", "lines"}},
      {"--precision", "json is for programs", {"explain", "--json", "--precision", "2"}},
      {"--only", "ndjson is for programs", {"explain", "--format", "ndjson", "--only"}},
      {"--no-examples", "json is for programs", {"explain", "--json", "--no-examples"}}};
  for (const Idle& idle : notes) {
    CAPTURE(idle.option);
    const Ran ran = attn_run(idle.args);
    CHECK(ran.exit_code == 0);
    CHECK(has("\n" + ran.err, "\nnote: " + sentence(idle) + "\n"));
    CHECK(count_of(ran.err, "no effect") == 1);
    Words quiet = idle.args;
    quiet.emplace_back("--quiet");
    CHECK(attn_run(quiet).err.empty());
    CHECK(attn_run(quiet).out == ran.out);
  }
}

TEST_CASE("no effect: a part of a layer alone refuses the settings of an attention") {
  const TemporaryFolder desk;
  desk.write("norm.json", R"({"model": {"kind": "layer_norm"}, "tokens": ["a", "b"],
    "embeddings": [[1, 2], [3, 5]], "weights": {"weight": [1, 1], "bias": [0, 0]}})");
  const std::string norm = desk.path("norm.json");
  CHECK(attn_run({"explain", norm}).exit_code == 0);
  for (const std::string setting :
       {"heads=2", "mask=causal", "scale=none", "softcap=3", "positions=rope", "positions=alibi",
        "normalize=sum", "fill=-5", "masking=multiply", "score=distance"}) {
    const Ran ran = attn_run({"explain", norm, "--set", setting});
    const std::string name = setting.substr(0, setting.find('='));
    CHECK_MESSAGE(has(unwrapped(ran.err), "does not read \"" + name + "\""), ran.err);
  }
  CHECK(has(attn_run({"generate", norm}).err, "predicts no words"));
}

TEST_CASE("no effect: a command has no option that could change nothing there") {
  for (const Words& args : {Words{"tokens", "cat", "--big"},
                            {"tokens", "cat", "--sci"},
                            {"tokens", "cat", "--palette", "gray"},
                            {"tokens", "cat", "--json", "--nonfinite", "null"},
                            {"generate", "15-induction", "--big"},
                            {"generate", "15-induction", "--fixed"},
                            {"generate", "15-induction", "--palette", "gray"},
                            {"lesson", "1", "--json", "--nonfinite", "null"},
                            {"exercise", "rules", "--json", "--nonfinite", "null"}})
    CHECK(has(usage(args), "has no option"));
  for (const char* command : {"generate", "compare"})
    CHECK_FALSE(has(attn_run({command, "--help"}).out, "--layer"));
}

TEST_CASE("no effect: what chooses a part of what is not there is refused in the same words") {
  const TemporaryFolder desk;
  const WorkingFolder here(desk.path("."));
  REQUIRE(attn_run({"explain", "-o", "trace.json"}).exit_code == 0);
  REQUIRE(attn_run({"exercise", "make", "--preset", "self", "-o", "week"}).exit_code == 0);
  const std::string sheet = "week/key/answers/sheet.json";
  const std::vector<Idle> refused{
      {"--query", "json holds whole steps", {"explain", "--json", "--query", "0"}},
      {"--summary", "svg shows one step", {"explain", "--format", "svg", "--summary"}},
      {"--blank", "json holds whole steps", {"explain", "--json", "--blank", "scores"}},
      {"--depth", kNoCell, {"explain", "--depth", "2"}},
      {"--solution", "there is no --blank", {"explain", "--solution", "a.md"}},
      {"--math", "no Markdown is written", {"explain", "--math", "none"}},
      {"--standalone", "no LaTeX is written", {"explain", "--standalone"}},
      {"--nonfinite", kNoJson, {"explain", "--nonfinite", "null"}},
      {"--block", kOtherLesson, {"lesson", "one-head", "--block", "2"}},
      {"--merge", kNoDocument, {"exercise", "make", "--preset", "self", "--merge", "-o", "b"}},
      {"--program",
       kForGradescope,
       {"exercise", "export", "week", "--format", "moodle-xml", "--program", sheet}},
      {"--for",
       "there is no --gradebook",
       {"exercise", "grade", "week/key/answers", "--key", "week/key", "--for", "excel"}},
      {"--reports-as",
       "there is no --reports",
       {"exercise", "grade", "week/key/answers", "--key", "week/key", "--reports-as", "html"}},
      {"--hint", "JSON always holds", {"check", "trace.json", "--json", "--hint", "1"}},
      {"--fail-under", "this is no sheet", {"check", "trace.json", "--fail-under", "5"}},
      {"--exact", "the numbers of a sheet are rounded", {"check", sheet, "--exact"}},
      {"--map", "the steps of a sheet have their own names", {"check", sheet, "--map", "a=q"}},
      {"--gradient", "a sheet says what it asks for", {"check", sheet, "--gradient"}},
      {"--nonfinite", kNoJson, {"check", sheet, "--nonfinite", "null"}},
      {"--nonfinite", kNoJson, {"check", "trace.json", "--nonfinite", "null"}},
      {"--summary", "a sheet is shown as it was handed out", {"explain", sheet, "--summary"}},
      {"--cell",
       "a sheet is shown as it was handed out",
       {"explain", sheet, "--cell", "scores:0,0"}},
      {"--gradient", "a sheet is shown as it was handed out", {"explain", sheet, "--gradient"}},
      {"--seed", "no tokens are drawn", {"generate", "15-induction", "--seed", "1"}},
      {"--tolerance",
       "this is an exercise, not a problem",
       {"exercise", "verify", "week", "--tolerance", "1"}}};
  for (const Idle& idle : refused) {
    CAPTURE(idle.option);
    CHECK(has(unwrapped(usage(idle.args)), ": " + sentence(idle)));
  }
}

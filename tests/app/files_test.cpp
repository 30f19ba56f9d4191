// Problems over all keys, random ones and samples, through the program.
// Exit codes, JSON that parses, files of every format that read back as what they were.
#include <doctest/doctest.h>

#include <algorithm>
#include <set>

#include "attn/core/format.hpp"
#include "attn/io/problem_file.hpp"
#include "attn/io/samples.hpp"
#include "io/json/json.hpp"
#include "io/problem/problem_fields.hpp"
#include "support/files.hpp"
#include "support/models.hpp"
#include "support/pace.hpp"
#include "support/program.hpp"
#include "support/random_file.hpp"
#include "support/temporary_folder.hpp"

namespace attn::testing {
namespace {

constexpr std::uint64_t kFiles = 300, kTried = 120;

std::string output_of(const std::vector<std::string>& args, const std::string& input = "") {
  const Ran ran = attn_run(args, input);
  CHECK_MESSAGE(ran.exit_code == 0, ran.err);
  return ran.out;
}

/// Each text of JSON in `texts`, one per line if there are several.
void check_json(const std::string& texts, bool by_line) {
  if (!by_line) CHECK_NOTHROW(json::parse(texts, "out.json"));
  for (const std::string& line : by_line ? lines_of(texts) : std::vector<std::string>{})
    CHECK_NOTHROW(json::parse(line, "line"));
}

/// The trace in a format for programs, and the answers in it.
void try_data(const Format& format, const std::string& problem, const TemporaryFolder& folder) {
  if (format.name == "npy") return;  // one matrix, without its name
  const std::string path = folder.path("trace" + std::string(format.endings.front()));
  output_of({"explain", problem, "--quiet", "-o", path});
  if (format.is_json) check_json(read_text(path), format.name == "ndjson");
  check_json(output_of({"check", path, "--problem", problem, "--json"}), false);
}

/// A problem in all formats of its own, and in those of documents and traces whose `turn` it is.
void try_file(const std::string& problem, std::size_t turn, const TemporaryFolder& folder) {
  const std::string path = folder.write("problem.json", problem);
  const Ran ran = attn_run({"explain", path, "--json"});
  if (has(ran.err, "error[empty-row]")) {
    CHECK(ran.exit_code == 3);
    return;
  }
  CHECK_MESSAGE(ran.exit_code == 0, ran.err);
  check_json(ran.out, false);
  CHECK(output_of({"explain", folder.write("trace.json", ran.out), "--json"}) == ran.out);
  for (const char* name : {"p.npz", "p.safetensors"}) {
    const std::string tensors = folder.path(name);
    output_of({"convert", path, "--quiet", "-o", tensors});
    CHECK(output_of({"convert", tensors, "-o", "-"}) == problem);
    CHECK(output_of({"explain", tensors, "--json"}) == ran.out);
  }
  try_data(data_formats()[turn % data_formats().size()], path, folder);
  const Format& format = document_formats()[turn % document_formats().size()];
  const std::string command = format.only_picture() ? "heatmap" : "explain";
  CHECK(output_of({command, path, "--format", std::string(format.name)}) != "");
}

}  // namespace

TEST_CASE("files: of random problems, exit codes are right, JSON parses, and all reads back" *
          doctest::test_suite("long")) {
  const TemporaryFolder folder;
  for (std::uint64_t seed = 0; seed < kTried; seed += kEach) {
    CAPTURE(seed);
    try_file(problem_json(random_file(seed)), seed, folder);
  }
}

TEST_CASE("files: what is written of every sample and every model reads back" *
          doctest::test_suite("long")) {
  const TemporaryFolder folder;
  std::size_t turn = 0;
  const auto try_text = [&](std::string_view text, const std::string& name) {
    CAPTURE(name);
    try_file(problem_json(parse_problem(text, name).draft), ++turn, folder);
  };
  for (const Sample& sample : samples()) try_text(sample.text, std::string(sample.name));
  for (const std::string& name : model_names()) try_text(read_test_file(model_file(name)), name);
}

TEST_CASE("files: a table of embeddings is a whole problem, in every format") {
  const TemporaryFolder folder;
  const std::string table =
      R"("tokens": ["a", "b"], "embedding_table": {"a": [1, 0], "b": [0, 1]})";
  for (const std::string& text :
       {"{" + table + "}", "{" + table + ", \"memory\": {" + table + "}}"})
    try_file(problem_json(parse_problem(text, "p").draft), 0, folder);
}

TEST_CASE("files: each key of a problem is in some of the random ones") {
  std::set<std::string> missing;
  for (const ProblemKey& key : problem_keys()) missing.insert(key.pointer());
  missing.erase("/positions/scaling/type");  // written as rope_type
  missing.erase("/source/ids");              // of families that no random model belongs to
  missing.erase("/model/pad_id");
  for (const char* key : {"parallel_residual", "num_experts_per_tok", "norm_topk_prob", "n_group",
                          "topk_group", "routed_scaling_factor"})
    missing.erase(std::string("/model/") + key);
  for (std::uint64_t seed = 0; seed < kFiles; ++seed) {
    const json::Document file = json::parse(problem_json(random_file(seed)), "problem.json");
    std::erase_if(missing, [&](const std::string& pointer) {
      const json::Node* node = &file.root;
      for (std::size_t at = 1; node != nullptr && at <= pointer.size();) {
        const std::size_t end = std::min(pointer.find('/', at), pointer.size());
        const bool object = std::holds_alternative<json::Members>(node->value);
        node = object ? json::find(*node, pointer.substr(at, end - at)) : nullptr;
        at = end + 1;
      }
      return node != nullptr;
    });
  }
  for (const std::string& pointer : missing) FAIL_CHECK(pointer);
}

}  // namespace attn::testing

// Tables of cells whose rows and columns are counted from 1.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "attn/attend.hpp"
#include "attn/io/problem_file.hpp"
#include "support/files.hpp"
#include "support/program.hpp"
#include "support/temporary_folder.hpp"
#include "support/traces.hpp"

using namespace attn::testing;

namespace {

/// The cells of some steps of the first sample, counted from `first`, except those that `is` lacks.
template <typename Is>
std::string table(const std::vector<std::string>& ids, int first, Is is) {
  const attn::Trace truth = sample_trace(1, false);
  std::string text = "step,row,col,value\n";
  for (const std::string& id : ids) {
    const attn::Tensor& t = truth.value(id);
    for (attn::Index r = 0; r < t.rows(); ++r) {
      for (attn::Index c = 0; c < t.cols(); ++c) {
        if (!is(r, c)) continue;
        text += id + "," + std::to_string(r + first) + "," + std::to_string(c + first) + "," +
                std::to_string(t.at({0, 0, r, c})) + "\n";
      }
    }
  }
  return text;
}

Ran checked(const std::string& text) {
  const TemporaryFolder folder;
  return attn_run({"check", folder.write("t.csv", text), "--problem",
                   source_dir() + "/samples/01-one-head.json"});
}

const auto kAll = [](attn::Index, attn::Index) { return true; };

}  // namespace

TEST_CASE("tables: counted from 1, all cells are right, and the report says so") {
  const Ran one = checked(table({"scores", "output"}, 1, kAll));
  CAPTURE(one.out + one.err);
  CHECK(one.exit_code == 0);
  CHECK(has(one.out, "[layout.from_one]"));
  CHECK(!has(checked(table({"scores", "output"}, 0, kAll)).out, "layout"));
}

TEST_CASE("tables: blank first rows and columns alone do not show it") {
  const Ran blank = checked(table({"scores"}, 0, [](auto r, auto c) { return r > 0 && c > 0; }));
  CAPTURE(blank.out + blank.err);
  CHECK(!has(blank.out, "layout"));
  const Ran both = checked(table({"scores"}, 1, kAll) + "output,0,0,0.5\n");
  CHECK(both.exit_code == 1);
  CHECK(!has(both.out, "layout"));
}

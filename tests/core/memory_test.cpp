// The limit on memory: sizes that are refused before anything is allocated.

#include <doctest/doctest.h>

#include <map>

#include <string>

#include "attn/attend.hpp"
#include "attn/core/memory_budget.hpp"
#include "attn/error.hpp"
#include "attn/io/problem_file.hpp"
#include "support/errors.hpp"
#include "support/files.hpp"
#include "support/phrases.hpp"
#include "support/random_problem.hpp"

namespace attn::testing {
namespace {

Diagnostic first_error(const ProblemDraft& draft) {
  Diagnostic first = refusal_from([&] { attend(make_problem(draft)); });
  CHECK((first.id.empty() || first.id == "too-large"));
  return first;
}

std::string message(const ProblemDraft& draft) { return first_error(draft).what; }

using Blocks = std::map<const double*, double>;

/// The memory of a trace, with the bytes of each block.
Blocks blocks_of(const Trace& trace) {
  Blocks blocks;
  for (const auto* part : {&trace.steps, &trace.givens}) {
    for (const Step& step : *part)
      blocks[step.value.stored().data()] = 8.0 * static_cast<double>(step.value.stored().size());
  }
  return blocks;
}

/// What a trace takes besides its problem: what two traces share belongs to the problem.
double bytes_of_trace(const Problem& problem) {
  const Trace one = attend(problem), other = attend(problem);
  const Blocks others = blocks_of(other);
  double bytes = 0.0;
  for (const auto& [block, size] : blocks_of(one)) bytes += others.contains(block) ? 0.0 : size;
  return bytes;
}

}  // namespace

TEST_CASE("memory: a problem with its trace fits the limit exactly, and no limit below") {
  for (int i = 0; i < 50; ++i) {
    ProblemDraft draft = random_problem(static_cast<std::uint32_t>(i));
    draft.empty_row = EmptyRow::Zero;
    const Problem problem = make_problem(draft);
    draft.max_memory = problem->bytes + bytes_of_trace(problem);
    CHECK(message(draft) == "");
    draft.max_memory -= 1.0;
    CHECK(message(draft).starts_with(kProblemTakes));
  }
}

TEST_CASE("memory: a mask that takes more than the matrices is named") {
  ProblemDraft draft;
  draft.q = draft.k = draft.v = Array{{1000, 1}, std::vector<double>(1000, 1.0)};
  draft.max_memory = 1e6;
  CHECK(first_error(draft).places.front().pointer == "/q");
  draft.masks = {parse_mask("causal")};
  CHECK(first_error(draft).places.front().pointer == "/mask");
}

TEST_CASE("memory: what masks and bias really take counts, with the mask that hid each cell") {
  ProblemDraft draft;
  draft.q = draft.k = draft.v = Array{{1, 4, 50, 1}, std::vector<double>(200, 1.0)};
  const double given = 3 * 200 * 8, cells = 50 * 50;
  CHECK(make_problem(draft)->bytes == given);
  draft.masks = {parse_mask("causal"), parse_mask("window:2")};
  CHECK(make_problem(draft)->bytes == given + 10 * cells);
  draft.bias = Array{{50}, std::vector<double>(50, 0.0)};
  CHECK(make_problem(draft)->bytes == given + 18 * cells);
  draft.allowed = Array{{4, 1, 50}, std::vector<double>(200, 1.0)};
  CHECK(make_problem(draft)->bytes == given + 48 * cells);
  draft.max_memory = given + 48 * cells;  // while the mask is made, `allowed` is there, too
  CHECK(first_error(draft).places.front().pointer == "/mask");
}

TEST_CASE("memory: the weights of a model count, and what all of its layers share only once") {
  const std::string file = "reference/models/llama_tied.json";
  const ProblemDraft draft = parse_problem(read_test_file(file), file).draft;
  double weights = 0.0;
  for (const auto& [name, array] : draft.weights) weights += array_bytes(array.shape);
  const auto tokens = static_cast<double>(draft.ids.front().size());
  CHECK(make_problem(draft)->bytes == weights + 10 * tokens * tokens);
}

TEST_CASE("memory: a document may take exactly as much as the limit") {
  CHECK_NOTHROW(check_document_memory(1024.0, 1024.0, "json"));
  CHECK_THROWS_AS(check_document_memory(1025.0, 1024.0, "json"), Error);
}

TEST_CASE("memory: the error has both sizes, and what would be enough") {
  ProblemDraft draft;
  draft.q = draft.k = draft.v = Array{{512, 1}, std::vector<double>(512)};
  draft.max_memory = parse_memory_size("5M");
  const Diagnostic found = first_error(draft);
  CHECK(found.what ==
        kProblemTakes + "12 KiB and its steps 6 MiB, 6 MiB together, " + over_limit("5 MiB"));
  REQUIRE(!found.changes.empty());
  CHECK(found.changes.back().setting == "max_memory");
  CHECK(found.changes.back().value == "7M");
  draft.max_memory = parse_memory_size("7M");
  CHECK(message(draft) == "");
}

TEST_CASE("memory: sizes that look alike when rounded are given in bytes") {
  ProblemDraft draft;
  draft.q = draft.k = draft.v = Array{{10, 1}, std::vector<double>(10)};
  draft.max_memory = 2720;
  CHECK(message(draft) == "");
  draft.max_memory = 2719;
  CHECK(message(draft) == kProblemTakes +
                              "240 bytes and its steps 2480 bytes, 2720 bytes together, " +
                              over_limit("2719 bytes"));
}

TEST_CASE("memory: masks that cannot fit are refused before they are made") {
  ProblemDraft draft;
  draft.q = draft.k = draft.v = Array{{100000, 1}, std::vector<double>(100000)};
  draft.masks = {parse_mask("causal")};
  CHECK(message(draft).find(kTakesAtLeast + "93 GiB") != std::string::npos);
  CHECK(first_error(draft).changes.front().value == "94G");
}

TEST_CASE("memory: arrays are counted together as they are read") {
  MemoryBudget budget{parse_memory_size("1K")};
  budget.take({8, 8}, "/embeddings");
  budget.take({64}, "/weights/w_q");
  CHECK_THROWS_WITH_AS(
      budget.take({1}, "/weights/w_k"),
      (kTakesAtLeast + "1032 bytes (8 bytes of it here), " + over_limit("1024 bytes")).c_str(),
      Error);
  MemoryBudget huge;
  CHECK_THROWS_AS(huge.take({Index(1) << 62, Index(1) << 62}, "/x"), Error);
}

TEST_CASE("memory: sizes are read as people write them") {
  CHECK(parse_memory_size("512M") == 512.0 * 1024 * 1024);
  CHECK(parse_memory_size("4G") == kUsualMemory);
  CHECK(parse_memory_size("1.5GiB") == 1.5 * 1024 * 1024 * 1024);
  CHECK(parse_memory_size("2KB") == 2048);
  CHECK(parse_memory_size("1000") == 1000);
  for (const char* wrong : {"", "G", "-1", "0", "4X", "inf", "nan", "4 4"}) {
    CAPTURE(wrong);
    CHECK_THROWS_AS(parse_memory_size(wrong), Error);
  }
  CHECK(memory_size_text(800) == "800 bytes");
  CHECK(memory_size_text(kUsualMemory) == "4 GiB");
  CHECK(memory_size_text(7.54 * 1024 * 1024) == "7.5 MiB");
}

}  // namespace attn::testing

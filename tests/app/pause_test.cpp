// attn explain --pause: keys turn the pages.
#include <doctest/doctest.h>

#include <sstream>

#include "cli.hpp"
#include "support/program.hpp"

using namespace attn::testing;

namespace {

/// What is shown while these keys are pressed.
std::string paused(const std::string& keys, std::vector<std::string> args = {}) {
  args.insert(args.begin(), {"explain", "--pause"});
  attn::app::Terminal terminal = screen(80);
  terminal.in_is_terminal = true;
  std::size_t next = 0;
  terminal.read_key = [&] { return next < keys.size() ? keys[next++] : 'q'; };
  std::istringstream in;
  std::ostringstream out, err;
  CHECK(attn::app::run(args, {in, out, err, terminal}) == 0);
  return out.str();
}

}  // namespace

TEST_CASE("pause: any key continues, b goes back, q ends") {
  CHECK(count_of(paused("q"), "[1/") == 1);
  CHECK(count_of(paused("q"), "[2/") == 0);
  const std::string two = paused("  q");  // X, the weights, Q
  CHECK(count_of(two, "[2/") == 1);
  CHECK(count_of(two, "[3/") == 0);
  const std::string back = paused("  bbq");
  CHECK(count_of(back, "[1/") == 2);
  CHECK(count_of(back, "[2/") == 1);
  CHECK(count_of(paused("bq"), "[1/") == 2);
}

TEST_CASE("pause: every step comes once, and the last key ends") {
  const std::string all = paused(std::string(40, ' '), {"--big", "--mask", "causal"});
  for (int step = 1; step <= 8; ++step) {
    CAPTURE(step);
    CHECK(count_of(all, "[" + std::to_string(step) + "/") == 1);
  }
  CHECK(count_of(all, "any key continues") >= 7);
  CHECK(count_of(all, "any key ends") == 1);
}

TEST_CASE("pause: text that is longer than the screen names it") {
  const auto named = [](std::ptrdiff_t height, std::vector<std::string> args) {
    attn::app::Terminal terminal = screen(80);
    terminal.height = height;
    args.insert(args.begin(), "explain");
    return has(attn_run_on(terminal, args).out, "Next:  attn explain --pause   or   attn");
  };
  CHECK(named(24, {}));
  CHECK(!named(200, {}));
  CHECK(!named(0, {}));
  CHECK(!named(24, {"--step", "weights"}));
  CHECK(!named(24, {"--summary"}));
  CHECK(!has(attn_run({"explain"}).out, "--pause"));
}

TEST_CASE("pause: without a terminal, or with a file, it is refused") {
  CHECK(has(explain_refusal({"--pause"}), "error[needs-terminal]: --pause waits for key presses"));
  attn::app::Terminal terminal = screen(80);
  CHECK(has(attn_run_on(terminal, {"explain", "--pause"}).err, "error[needs-terminal]"));
  terminal.in_is_terminal = true;
  for (const char* output : {"x.txt", "x.json"})
    CHECK(
        has(attn_run_on(terminal, {"explain", "--pause", "-o", output}).err, "error[option-conf"));
  CHECK(has(attn_run_on(terminal, {"explain", "--pause", "--json"}).err, "error[option-conflict]"));
}

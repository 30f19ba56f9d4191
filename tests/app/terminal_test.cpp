// What the environment says about colours, and what the command line makes of it.
#include "terminal.hpp"

#include <doctest/doctest.h>

#include <map>

#include "platform/environment.hpp"
#include "support/program.hpp"
#include "support/temporary_folder.hpp"

using namespace attn;
using namespace attn::app;
using namespace attn::testing;

namespace {

using Variables = std::map<std::string, std::string>;

Environment environment_with(const Variables& variables) {
  return [variables](const char* name) {
    const auto at = variables.find(name);
    return at == variables.end() ? std::string() : at->second;
  };
}

/// Variables, and the colours of --color auto on a terminal and in a pipe.
struct Colours {
  Variables variables;
  ColorDepth terminal, pipe;
};

constexpr ColorDepth None = ColorDepth::None, Few = ColorDepth::Ansi16, Fixed = ColorDepth::Ansi256,
                     All = ColorDepth::TrueColor;

bool colored(const Ran& ran) { return ran.out.find('\x1b') != std::string::npos; }

/// Whether a coloured run paints anything with a sequence that begins like this.
bool paints(const Ran& ran, const std::string& start) {
  return ran.out.find("\x1b[" + start) != std::string::npos;
}

}  // namespace

TEST_CASE("environment: a variable that is not set is empty") {
  CHECK(environment("ATTN_NO_SUCH_VARIABLE").empty());
  CHECK(!environment("PATH").empty());
}

TEST_CASE("colours: what the environment says, on a terminal and in a pipe") {
  const Colours rows[] = {
      {{{"TERM", "xterm"}}, Few, None},
      {{{"TERM", "xterm-256color"}}, Fixed, None},
      {{{"TERM", "xterm-256color"}, {"COLORTERM", "truecolor"}}, All, None},
      {{{"TERM", "xterm"}, {"COLORTERM", "24bit"}}, All, None},
      {{{"TERM", "xterm"}, {"COLORTERM", "yes"}}, Few, None},
      {{{"WT_SESSION", "1"}}, All, None},
      {{{"COLORTERM", "truecolor"}, {"TERM_PROGRAM", "Apple_Terminal"}}, Fixed, None},
      {{{"TERM", "dumb"}}, None, None},
      {{{"TERM", "xterm"}, {"NO_COLOR", "1"}}, None, None},
      {{{"TERM", "xterm"}, {"NO_COLOR", ""}}, Few, None},
      {{{"TERM", "xterm-256color"}, {"NO_COLOR", "1"}, {"FORCE_COLOR", "1"}}, None, None},
      {{{"TERM", "xterm-256color"}, {"FORCE_COLOR", "1"}}, Few, Few},
      {{{"TERM", "xterm"}, {"FORCE_COLOR", "2"}}, Fixed, Fixed},
      {{{"TERM", "xterm"}, {"FORCE_COLOR", "3"}}, All, All},
      {{{"TERM", "xterm"}, {"FORCE_COLOR", "true"}}, Few, Fixed},
      {{{"TERM", "xterm"}, {"FORCE_COLOR", "0"}}, None, None},
      {{{"TERM", "xterm"}, {"FORCE_COLOR", "false"}}, None, None},
      {{{"TERM", "xterm"}, {"CLICOLOR_FORCE", "1"}}, Few, Fixed},
      {{{"TERM", "xterm"}, {"CLICOLOR_FORCE", "0"}}, Few, None},
      {{{"TERM", "dumb"}, {"CLICOLOR_FORCE", "1"}}, Few, Fixed},
  };
  for (const Colours& row : rows) {
    std::string said;
    for (const auto& [name, value] : row.variables) said += name + "=" + value + " ";
    CAPTURE(said);
    CHECK(auto_depth(environment_with(row.variables), true) == row.terminal);
    CHECK(auto_depth(environment_with(row.variables), false) == row.pipe);
  }
}

TEST_CASE("colours: the command line wins over the environment") {
  const Terminal plain = screen(80), blue = screen(80, Fixed);
  CHECK(colored(attn_run_on(blue, {"explain"})));
  CHECK(!colored(attn_run_on(plain, {"explain"})));
  CHECK(!colored(attn_run_on(blue, {"explain", "--no-color"})));
  CHECK(!colored(attn_run_on(blue, {"explain", "--color", "never"})));
  CHECK(colored(attn_run_on(plain, {"explain", "--color", "always"})));
  CHECK(colored(attn_run({"explain", "--color", "always"})));
  CHECK(!colored(attn_run({"explain", "--color", "auto"})));
}

TEST_CASE("colours: depth and palette can be chosen, but do not switch colours on") {
  CHECK(!colored(attn_run({"explain", "--color-depth", "256"})));
  const auto always = [](std::vector<std::string> more) {
    more.insert(more.begin(), {"explain", "--color", "always"});
    return attn_run(more);
  };
  CHECK(paints(always({}), "48;5;"));
  CHECK(paints(always({"--color-depth", "truecolor"}), "48;2;"));
  CHECK(paints(always({"--color-depth", "16"}), "44;97m"));
  CHECK(paints(always({"--palette", "viridis"}), "48;5;53;"));
  CHECK(always({"--palette", "grey"}).exit_code == 2);
}

TEST_CASE("terminal: files are the same from a terminal and from a pipe") {
  Terminal poor = screen(80, All);
  poor.utf8 = poor.err_utf8 = false;
  poor.always_color = All;
  const TemporaryFolder folder;
  const std::string file = folder.path("a.txt");
  for (const std::vector<std::string>& args :
       {std::vector<std::string>{"explain", "--color", "always"},
        {"heatmap", "--color", "always"},
        {"help", "masks"},
        {"--version"}}) {
    std::vector<std::string> to_file = args;
    to_file.insert(to_file.end(), {"-o", file});
    CAPTURE(args.front());
    CHECK(attn_run_on(poor, to_file).exit_code == 0);
    CHECK(first_difference(attn_run(args).out, read_text(file)) == "");
  }
}

TEST_CASE(
    "terminal: messages are 7-bit where standard error cannot show more, whatever stdout can") {
  const std::vector<std::string> wrong{"explain", "--query", "猫"};
  Terminal poor_out = screen(80), poor_err = screen(80);
  poor_out.utf8 = false;
  poor_err.err_utf8 = false;
  CHECK(has(attn_run_on(poor_out, wrong).err, "猫"));
  CHECK(!has(attn_run_on(poor_err, wrong).err, "猫"));
  const TemporaryFolder folder;
  const std::vector<std::string> written{"explain", "-o", folder.path("猫.txt")};
  CHECK(has(attn_run_on(poor_out, written).err, "猫.txt"));
  CHECK(has(attn_run_on(poor_err, written).err, "\\u{732b}.txt"));
}

TEST_CASE("colours: a theme and a layout from the environment are for terminals, and are checked") {
  Terminal themed = screen(80, Fixed);
  themed.theme = "viridis";
  CHECK(paints(attn_run_on(themed, {"explain"}), "48;5;53;"));
  CHECK(paints(attn_run_on(themed, {"explain", "--palette", "cividis"}), "48;5;17;"));
  themed.theme = "neon";
  const Ran wrong = attn_run_on(themed, {"explain"});
  CHECK(wrong.exit_code == 2);
  CHECK(wrong.err.find("the variable ATTN_THEME=neon") != std::string::npos);
  Terminal spoken = screen(80);
  spoken.layout = "lines";
  CHECK(attn_run_on(spoken, {"explain"}).out.find("query cat: the ") != std::string::npos);
  CHECK(attn_run_on(spoken, {"explain", "--layout", "grid"}).out.find("query cat: ") ==
        std::string::npos);
  const TemporaryFolder folder;
  const std::string file = folder.path("a.txt");
  CHECK(attn_run_on(spoken, {"explain", "-o", file}).exit_code == 0);
  CHECK(read_text(file) == attn_run({"explain"}).out);
  spoken.layout = "rows";
  CHECK(attn_run_on(spoken, {"explain"}).exit_code == 2);
}

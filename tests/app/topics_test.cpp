// The pages of `attn help TOPIC`: they fit a terminal, and their commands run.
// They agree with the program.
#include "help/topics.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <regex>
#include <set>
#include <sstream>

#include "attn/mask.hpp"
#include "attn/phrases.hpp"
#include "attn/render/markdown.hpp"
#include "attn/render/text.hpp"
#include "attn/teach/mistakes.hpp"
#include "attn/trace.hpp"
#include "cli.hpp"
#include "commands.hpp"
#include "help/error_pages.hpp"
#include "support/files.hpp"
#include "support/phrases.hpp"
#include "support/program.hpp"
#include "support/temporary_folder.hpp"

using namespace attn::testing;

namespace {

namespace fs = std::filesystem;

std::string page(const std::string& name) {
  const Ran ran = attn_run({"help", name});
  CHECK(ran.exit_code == 0);
  CHECK(ran.err.empty());
  return ran.out;
}

/// All that `pattern` captures in the sources of the library and the program.
std::set<std::string> found_in_sources(const std::string& pattern) {
  std::set<std::string> found;
  const std::regex regex(pattern);
  for (const char* folder : {"lib", "app"}) {
    for (const auto& entry :
         fs::recursive_directory_iterator(fs::path(attn::testing::source_dir()) / folder)) {
      const std::string extension = entry.path().extension();
      if (extension != ".cpp" && extension != ".hpp") continue;
      const std::string text = read_text(entry.path());
      for (std::sregex_iterator at(text.begin(), text.end(), regex), end; at != end; ++at) {
        found.insert((*at)[1]);
      }
    }
  }
  return found;
}

}  // namespace

/// The most lines from one heading of a page to the next.
std::size_t longest_section(const std::vector<std::string>& lines, const attn::Document& document) {
  std::set<std::string> headings;
  for (const attn::Block& block : document.blocks) {
    if (const auto* title = std::get_if<attn::Title>(&block)) headings.insert(title->text);
  }
  std::size_t longest = 0, length = 0;
  for (const std::string& line : lines) {
    length = headings.contains(line) ? 1 : length + 1;
    longest = std::max(longest, length);
  }
  return longest;
}

TEST_CASE("topics: a page fits 80 columns, and 60 lines; if it lists more, sections of 24 lines") {
  for (const attn::app::Topic& topic : attn::app::topics()) {
    CAPTURE(topic.name);
    const std::string text = page(topic.name);
    const std::vector<std::string> lines = lines_of(text);
    CHECK(lines.size() >= 20);
    const bool from_tables = topic.name == "json" || topic.name.ends_with("steps");
    if (from_tables)
      CHECK(longest_section(lines, attn::app::topic_page(topic)) <= 24);
    else
      CHECK(lines.size() <= 60);
    CHECK(lines.front() == "attn help " + topic.name + " - " + topic.summary);
    CHECK(text.ends_with("\n"));
    CHECK(!text.ends_with("\n\n"));
    for (const std::string& line : lines) {
      CAPTURE(line);
      CHECK(attn::display_width(line) <= 79);
      CHECK((line.empty() || line.back() != ' '));
    }
  }
}

TEST_CASE("topics: attn help lists them all, and a wrong name gets a suggestion") {
  const std::string all = attn_run({"help"}).out;
  for (const attn::app::Topic& topic : attn::app::topics()) {
    CAPTURE(topic.name);
    CHECK(has(all, "  " + attn::pad_right(topic.name, 15) + topic.summary + "\n"));
  }
  for (const char* command : {"explain", "new"}) CHECK(has(all, "  " + std::string(command) + " "));
  CHECK(attn_run({"help", "--help"}).out == all);
  CHECK(has(attn_run({}).out, "attn help"));
  const Ran mask = attn_run({"help", "maskz"});
  CHECK(mask.exit_code == 2);
  CHECK(first_difference("error[unknown-topic]: " + no_such("help page", "maskz") +
                             did_you_mean({"masks"}) +
                             "\n  fix   For a list of all pages, run attn help.\n"
                             "  more  attn help --help\n",
                         mask.err) == "");
  CHECK(has(attn_run({"help", "explian"}).err, did_you_mean({"explain"})));
  CHECK(has(attn_run({"help", "precision"}).err, "run attn explain --help."));
  CHECK(has(attn_run({"help", "--", "--precision"}).err, "run attn explain --help."));
  CHECK(has(attn_run({"help", "qk-norm"}).err, "run attn help settings."));
  CHECK(!has(attn_run({"help", "--", "--"}).err, "option of that name"));
}

TEST_CASE("topics: every page that an error points to exists") {
  const std::set<std::string> named = found_in_sources("attn help ([a-z]+[a-z-]*)");
  CHECK(named.size() >= 5);
  for (const std::string& name : named) page(name);
}

TEST_CASE("topics: the page of errors lists every word that the sources use, and no other") {
  const std::string text = page("errors");
  std::set<std::string> listed;
  for (const std::string& line : lines_of(text)) {
    if (line.rfind("  ", 0) != 0 || line.rfind("  attn", 0) == 0) continue;
    std::istringstream words(line);
    for (std::string word; words >> word;) listed.insert(word.substr(0, word.find(',')));
  }
  for (const std::string& id : found_in_sources("\\.id = \"([a-z-]+[a-z])\"")) {
    CAPTURE(id);
    CHECK(listed.count(id) == 1);
  }
  for (const std::string& id : found_in_sources("_error\\([^\"()]*\"([a-z]+-[a-z-]*[a-z])\"")) {
    CAPTURE(id);
    CHECK(listed.count(id) == 1);
  }
  const std::set<std::string> words = found_in_sources("\"([a-z]+(-[a-z]+)*-?)\"");
  for (const std::string& id : listed) {
    CAPTURE(id);
    const std::string stem = id.substr(0, id.rfind('-') + 1);  // "no-such-" + what
    CHECK((words.count(id) == 1 || words.count(stem) == 1));
  }
}

TEST_CASE("topics: every word of an error has a page of its own, which names one that exists") {
  std::set<std::string> known{"help"};
  for (const attn::app::Topic& topic : attn::app::topics()) known.insert(topic.name);
  for (const attn::app::CommandRow& row : attn::app::commands()) known.insert(row.name);
  for (const attn::app::ErrorPage& word : attn::app::error_pages()) {
    CAPTURE(word.id);
    const std::string text = page(word.id);
    CHECK(has(text, "error[" + word.id + "] - "));
    CHECK(word.sentence.ends_with("."));  // the whole paragraph, however many lines it has
    CHECK(!word.group.empty());
    CHECK(has(unwrapped(text), word.sentence));
    CHECK(!word.fix.empty());
    CHECK(has(unwrapped(text), " fix " + word.fix));
    CHECK((word.help.empty() || known.count(word.help.substr(10)) == 1));
    for (const std::string& line : lines_of(text)) CHECK(attn::display_width(line) <= 79);
  }
  CHECK(page("shape-mismatch") == R"(error[shape-mismatch] - The contents of a problem (exit code 3)

Two sizes that must be equal are not, or a model's configuration does not
match its weights.

  fix   Compare the two sizes that the message names, and change one; use the
        configuration that was saved with the weights.
  more  attn help shapes

attn help errors lists all of these words.
)");
  CHECK(has(unwrapped(attn_run({"help", "shape-mismach"}).err), did_you_mean({"shape-mismatch"})));
}

TEST_CASE("topics: the page that a mistake points to has a word about it; slips point to none") {
  struct Row {
    const char *code, *word;
  };
  constexpr Row rows[] = {{"scale.missing", "√d_k"},
                          {"softmax.columns", "sum of its row"},
                          {"softmax.overflow", "keeps e^x from overflowing"},
                          {"equivalent.shift", "row_max"},
                          {"mask.alignment", "\n  align "},
                          {"softcap.after_mask", "softcap"},
                          {"bias.missing_k", "b_k"},
                          {"equivalent.b_k", "b_k"},
                          {"cross.self", "memory"},
                          {"axes.batch_token", "batch"},
                          {"kv_heads.tiled", "share keys and values"},
                          {"rope.pairs", "rope-interleaved"},
                          {"rope.missing", "rotated by"},
                          {"positions.missing", "embedding plus position"},
                          {"rope.base", "rope"},
                          {"rope.one_side", "rotated by"},
                          {"positions.halves", "a wave"},
                          {"alibi.slopes", "alibi"},
                          {"alibi.sign", "alibi"},
                          {"softcap.missing", "softcap"},
                          {"projection.fused_cut", "c_attn"}};
  for (const Row& row : rows) {
    CAPTURE(row.code);
    CHECK(has(page(attn::find_mistake(row.code)->see), row.word));
  }
  for (const char* code : {"dropout.on", "slip.sign", "slip.digit", "equivalent.rope_start"})
    CHECK(attn::find_mistake(code)->see == std::string());
}

TEST_CASE("topics: every code of a mistake has a page with its explanation, hint and topic") {
  for (const attn::Mistake& mistake : attn::mistakes()) {
    CAPTURE(mistake.code);
    const std::string text = unwrapped(page(mistake.code));
    CHECK(has(text, std::string(mistake.code) + " - " + mistake.title));
    CHECK(has(text, mistake.explanation));
    CHECK(has(text, mistake.hint));
    CHECK(has(text, " more attn help ") == (*mistake.see != '\0'));
    if (*mistake.see != '\0') CHECK(!page(mistake.see).empty());
  }
  CHECK(page("scale.missing") == "attn help scale.missing - " + std::string(kNotScaled) + "\n\n" +
                                     kNotScaledSays + "\n\n  ask yourself  " + kNotScaledAsks + R"(
  to mend it    Divide the scores by √d_k, the width of one head, once.
  more          attn help why

attn help mistakes lists all of these codes.
)");
  CHECK(has(unwrapped(attn_run({"help", "scale.mising"}).err), did_you_mean({"scale.missing"})));
  for (const char* code : {"evidence.sums", "rounding.float16", "shape.axes"})
    CHECK(page(code) == page("mistakes"));
  for (const char* code :
       {"cell.unreadable", "file.given_changed", "matches_variant_of", "same_wrong_cells_as"}) {
    CHECK(page(code) == page("teachers"));
    CHECK(has(page(code), code));
  }
}

TEST_CASE("topics: an error that several commands report points to the page of the one that ran") {
  const auto more = [](const std::vector<std::string>& args) { return attn_run(args).err; };
  CHECK(has(more({"heatmap", "--json"}), "more  attn help heatmap"));
  CHECK(has(more({"compare", "--left", "heads=2", "--format", "csv"}), "more  attn help compare"));
  CHECK(has(more({"check", "a.json", "--format", "csv"}), "more  attn help check"));
  CHECK(has(more({"check", "a.json", "--problem", "p.json", "--watch"}), "more  attn help check"));
  CHECK(has(more({"explain", "--fault", "scale.mising"}), "more  attn help mistakes"));
  CHECK(has(more({"explain", "--fault", "mask.inverted"}), "more  attn help mistakes"));
}

TEST_CASE("topics: the page of the problem file shows every key, and every example is read") {
  const std::string text = page("json");
  const std::string error = attn_run({"explain", "-"}, "{\"something\": 1}").err;
  const std::string keys = error.substr(error.find("Use one of ") + 11);
  const std::regex word("[a-z_]+(?=[,;])");
  int count = 0;
  for (std::sregex_iterator at(keys.begin(), keys.end(), word), end; at != end; ++at, ++count) {
    CAPTURE(at->str());
    CHECK(has(text, "\"" + at->str() + "\":"));
  }
  CHECK(count > 20);
  for (const char* name : {"json", "masks"}) {
    for (const std::string& line : lines_of(page(name))) {
      const bool is_matrix = line.starts_with("  {\"");
      if (!is_matrix && !line.starts_with("  \"")) continue;
      const std::string example =
          (is_matrix ? "\"q\": " : "") + line.substr(2, line.find("  ", 2) - 2);
      const std::string err = attn_run({"explain", "-"}, "{" + example + "}").err;
      CAPTURE(err);
      for (const char* id : {"error[json", "error[wrong-type", "error[unknown", "error[rank"}) {
        CHECK(!has(err, id));
      }
    }
  }
}

TEST_CASE("topics: the pages of steps show every step with its symbol") {
  const std::string text = unwrapped(page("steps")) + unwrapped(page("model-steps"));
  for (const std::string& id : attn::step_ids()) {
    const attn::StepInfo& info = *attn::find_step_info(id);
    CAPTURE(id);
    CHECK(count_of(text, " " + id + " " + info.symbol + " " + info.phrase + " ") == 1);
  }
}

TEST_CASE("topics: the page of masks shows every kind, and pictures of what they do") {
  const std::string text = page("masks");
  for (const attn::MaskKind& kind : attn::mask_kinds()) {
    CAPTURE(kind.name);
    CHECK(has(unwrapped(text), " " + std::string(kind.usage) + " " + kind.summary + " "));
    if (std::string(kind.usage) == kind.example) continue;  // no numbers, keys or queries
    CHECK(std::regex_search(text, std::regex(" " + std::string(kind.name) + ":\\d")));
  }
  CHECK(has(text, R"(
    causal             window:1           window:1,1         prefix:2
       0  1  2  3  4      0  1  2  3  4      0  1  2  3  4      0  1  2  3  4
    0  1  ·  ·  ·  ·   0  1  ·  ·  ·  ·   0  1  1  ·  ·  ·   0  1  1  ·  ·  ·
    1  1  1  ·  ·  ·   1  1  1  ·  ·  ·   1  1  1  1  ·  ·   1  1  1  ·  ·  ·
    2  1  1  1  ·  ·   2  ·  1  1  ·  ·   2  ·  1  1  1  ·   2  1  1  1  ·  ·
    3  1  1  1  1  ·   3  ·  ·  1  1  ·   3  ·  ·  1  1  1   3  1  1  1  1  ·
    4  1  1  1  1  1   4  ·  ·  ·  1  1   4  ·  ·  ·  1  1   4  1  1  1  1  1

    padding:3-4        keys:1             queries:4          documents:3,2
       0  1  2  3  4      0  1  2  3  4      0  1  2  3  4      0  1  2  3  4
    0  1  1  1  ·  ·   0  1  ·  1  1  1   0  1  1  1  1  1   0  1  1  1  ·  ·
    1  1  1  1  ·  ·   1  1  ·  1  1  1   1  1  1  1  1  1   1  1  1  1  ·  ·
    2  1  1  1  ·  ·   2  1  ·  1  1  1   2  1  1  1  1  1   2  1  1  1  ·  ·
    3  1  1  1  ·  ·   3  1  ·  1  1  1   3  1  1  1  1  1   3  ·  ·  ·  1  1
    4  1  1  1  ·  ·   4  1  ·  1  1  1   4  ·  ·  ·  ·  ·   4  ·  ·  ·  1  1

)"));
}

TEST_CASE("topics: every page is Markdown that can be read, and every table of rows is on one") {
  std::string all;
  for (const attn::app::HelpPage& page : attn::app::help_pages()) {
    CAPTURE(page.name);
    CHECK_NOTHROW(attn::read_markdown(page.text, attn::app::topic_blocks));
    all += page.text;
  }
  for (const char* rows : {"pictures of masks", "steps", "steps of models", "mistakes", "keys",
                           "variables", "errors", "words"}) {
    CAPTURE(rows);
    CHECK(has(all, "\n<!-- " + std::string(rows) + " -->\n"));
    CHECK(!attn::app::topic_blocks(rows)->empty());
  }
  CHECK(!attn::app::topic_blocks("mask").has_value());
}

TEST_CASE("topics: words that people try lead to a page, and each to one only") {
  std::set<std::string> words;
  for (const attn::app::Topic& topic : attn::app::topics()) {
    for (const std::string& word : topic.words) {
      CAPTURE(word);
      CHECK(words.insert(word).second);
      CHECK(page(word + (word.ends_with('.') ? "sums" : "")) == page(topic.name));
    }
  }
  CHECK(words.size() > 60);
  CHECK(page("HTML") == page("documents"));
  CHECK(page("causal") == page("masks"));
  CHECK(page("rope") == page("json"));
  CHECK(page("concat") == page("steps"));
  CHECK(has(page("words"), "explains a word: token, embedding, weight, query, "));
  CHECK(has(page("glossary"), " attn_output_weights "));
  CHECK(has(page("conventions"), " SDPA: an error"));
}

TEST_CASE("topics: names of options lead to the page that explains them") {
  const auto page = [](const std::string& word) { return attn_run({"help", word}).out; };
  for (const char* word : {"softcap", "sinks", "normalizing", "kv-heads"})
    CHECK_MESSAGE(page(word) == page("settings"), word);
  for (const char* word : {"lens", "contributions", "circuits"})
    CHECK_MESSAGE(page(word) == page("inside"), word);
  CHECK(page("layer") == page("models"));
  CHECK(page("logit") == page("logits"));
  CHECK(page("past") == page("cache"));
}

TEST_CASE("topics: a terminal without UTF-8 gets 7-bit pages") {
  for (const char* name : {"attention", "masks", "shapes", "json", "steps", "pytorch",
                           "accessibility", "errors", "explain"}) {
    std::istringstream in;
    std::ostringstream out, err;
    attn::app::Terminal terminal;
    terminal.utf8 = false;
    CHECK(attn::app::run({"help", name}, {in, out, err, terminal}) == 0);
    CAPTURE(name);
    for (const char c : out.str()) REQUIRE(static_cast<unsigned char>(c) < 128);
    CHECK(!has(out.str(), "\\u"));
    if (std::string(name) == "masks") CHECK(has(out.str(), "  1  .  .  .  . "));
  }
}

TEST_CASE("help: each word of the glossary is found under all its names, and its command runs") {
  std::istringstream lines{std::string(attn::app::words_files().front().text)};
  std::string line;
  std::size_t entries = 0, commands = 0;
  while (std::getline(lines, line)) {
    if (line.starts_with("## ")) {
      ++entries;
      std::string entry;
      for (const std::string& name : attn::split_at_commas(line.substr(3))) {
        const std::string found = page(std::string(attn::trimmed(name)));
        CHECK(has(found, "attn "));
        CHECK((entry.empty() || entry == found));
        entry = found;
      }
    } else if (line.starts_with("`attn ") && line.ends_with('`')) {
      CAPTURE(line);
      ++commands;
      std::istringstream words(line.substr(6, line.size() - 7));
      CHECK(attn_run({std::istream_iterator<std::string>(words), {}}).exit_code == 0);
    }
  }
  CHECK(entries == commands);
  CHECK(entries > 15);
  CHECK(page("W_Q") == page("w_q"));
  CHECK(has(attn_run({"help", "sofmax"}).err, did_you_mean({"softmax"})));
}

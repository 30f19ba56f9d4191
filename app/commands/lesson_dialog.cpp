// Asks the questions of a lesson, and turns its pages.
#include "commands/lesson_dialog.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <istream>
#include <optional>
#include <ostream>
#include <span>
#include <string_view>

#include "attn/language.hpp"
#include "attn/phrases.hpp"
#include "attn/render/text.hpp"
#include "commands/screenfuls.hpp"

namespace attn::app {
namespace {

constexpr std::array<std::string_view, 4> kEnds{"q", "quit", "exit", ":q"};
constexpr std::array<std::string_view, 4> kAsks{"?", "h", "help", "hint"};

bool is_one_of(std::string_view word, std::span<const std::string_view> words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

class Dialog {
 public:
  Dialog(const Format& format, const TextStyle& style, const Streams& streams)
      : format_(format), style_(style), streams_(streams) {}

  bool turned(const Document& page, std::ptrdiff_t above) const;
  std::optional<std::ptrdiff_t> answered(const Question& question) const;

 private:
  std::ptrdiff_t say(const std::string& text) const;

  const Format& format_;
  const TextStyle& style_;
  const Streams& streams_;
};

/// A line that was typed after the prompt, not before; nullopt at the end of input.
std::optional<std::string> typed_after(const std::string& prompt, const Streams& streams) {
  streams.terminal.forget_typed();
  streams.out << prompt << std::flush;
  std::string line;
  if (std::getline(streams.in, line)) return std::string(trimmed(half_width(line)));
  streams.out << "\n";
  return std::nullopt;
}

/// Whether to go on: asks again until that is clear. `name`: another word for yes.
bool goes_on(const std::string& prompt, const std::string& name, const Streams& streams) {
  while (const auto typed = typed_after(prompt, streams)) {
    const std::string word = lowered(*typed);
    if (word.empty() || word == "y" || word == "yes" || word == name) return true;
    if (is_one_of(word, kEnds) || word == "n" || word == "no") return false;
    streams.out << translated("Press Enter alone to go on, or type q and Enter to end the lesson.")
                << "\n";
  }
  return false;
}

/// Prints a page, a screenful at a time. `above`: lines on the screen that belong to it. Whether
/// the reader wants more.
bool Dialog::turned(const Document& page, std::ptrdiff_t above) const {
  std::size_t left = 0;
  for (const std::string& piece :
       screenfuls(format_.document(page, style_), streams_.terminal.height, above)) {
    if (left++ > 0) {
      if (!goes_on(translated("Enter goes on, q ends: "), "", streams_)) return false;
      streams_.out << "\n";
    }
    streams_.out << piece;
  }
  return true;
}

/// Prints text between the margins of a page; how many lines it takes.
std::ptrdiff_t Dialog::say(const std::string& text) const {
  constexpr std::ptrdiff_t kMargin = 4;
  const std::ptrdiff_t width = std::min<std::ptrdiff_t>(style_.width, 80) - 1 - kMargin;
  const auto lines = wrapped(text, width, width, style_.ruler);
  for (const std::string& line : lines) streams_.out << spaces(kMargin) << line << "\n";
  return std::ssize(lines);
}

/// What a reader types after a question, judged; a wrong answer gets a reason and one more try, a
/// question mark the hint. Returns the lines on the screen since, nullopt if the reader leaves.
std::optional<std::ptrdiff_t> Dialog::answered(const Question& question) const {
  constexpr std::ptrdiff_t kPrompt = 4;  // a prompt and the blank lines around what it leads to
  std::ptrdiff_t lines = 0;
  for (int tries = 2; tries > 0;) {
    const auto typed = typed_after(
        "\n" + translated("Your answer (Enter shows it, ? gives a hint, q ends): "), streams_);
    if (!typed || is_one_of(lowered(*typed), kEnds)) return std::nullopt;
    if (typed->empty()) break;
    streams_.out << "\n";
    if (is_one_of(lowered(*typed), kAsks)) {
      say(question.hint.empty() ? translated("There is no hint for this one.") : question.hint);
      continue;
    }
    const Judgement judged = judge(question, *typed);
    tries = judged.right ? 0 : tries - 1;
    lines = say(judged.message + (tries == 0 ? "" : translated(" Once more?")));
  }
  streams_.out << "\n";
  return kPrompt + lines;
}

bool gave_all(const std::vector<Document>& pages, const std::vector<LessonPart>& parts,
              const Dialog& dialog) {
  std::size_t page = 0;
  if (!dialog.turned(pages[page++], 0)) return false;
  for (const LessonPart& part : parts) {
    const auto* question = std::get_if<Question>(&part);
    if (question == nullptr) continue;
    const auto lines = dialog.answered(*question);
    if (!lines || !dialog.turned(pages.at(page++), *lines)) return false;
  }
  return true;
}

}  // namespace

bool give_lesson(const std::vector<Document>& pages, const std::vector<LessonPart>& parts,
                 const Format& format, const TextStyle& style, const std::string& again,
                 const Streams& streams) {
  const bool end = gave_all(pages, parts, Dialog(format, style, streams));
  if (!end) streams.out << translated("{command} begins it again.", again) << "\n";
  return end;
}

bool wants_next(const std::string& lesson, const Streams& streams) {
  return goes_on("\n" + translated("Enter goes on with {lesson}, q ends: ", lesson), lesson,
                 streams);
}

}  // namespace attn::app

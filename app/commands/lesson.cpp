// attn lesson: guided experiments.
#include "attn/teach/lesson.hpp"

#include <istream>
#include <memory>
#include <ostream>

#include "attn/phrases.hpp"
#include "attn/suggest.hpp"
#include "commands/typed_answer.hpp"
#include "files/files.hpp"
#include "options/shared_options.hpp"

namespace attn::app {
namespace {

struct LessonRun {
  std::string name;
  ProblemOptions problem;
  std::optional<Index> block;
  bool ask = false;
  int precision = 3;
  TextOptions text;
  OutputOptions output;
};

std::vector<std::string> lesson_names() { return names_in(lessons()); }

const Lesson& find_lesson(const std::string& name) {
  if (const Lesson* lesson = find_row(lessons(), name)) return *lesson;
  throw usage_error("unknown-lesson",
                    "there is no lesson \"" + name + "\"" + did_you_mean(name, lesson_names()),
                    "attn lesson lists all lessons.");
}

std::vector<std::string> lessons_about_samples() {
  std::vector<std::string> names;
  for (const Lesson& lesson : lessons()) {
    if (!lesson.general) names.emplace_back(lesson.name);
  }
  return names;
}

Document list_of_lessons() {
  Document document;
  document.blocks.emplace_back(Title{"Lessons, in teaching order"});
  Table table{{"name", "what it shows"}, {}, 2};
  table.hangs = true;
  for (const Lesson& lesson : lessons()) table.rows.push_back({lesson.name, lesson.summary});
  document.blocks.emplace_back(std::move(table));
  document.blocks.emplace_back(Paragraph{
      "attn lesson NAME begins one; --ask waits after each question. --problem FILE tries "
      "it on your own numbers, except in these lessons: " +
          listed(lessons_about_samples()) + ".",
      Role::Footer});
  return document;
}

/// Refuses --ask, --block and --problem where the lesson has no use for them, or there is none.
void check_options(const LessonRun& o, const Streams& streams) {
  const Lesson* lesson = o.name.empty() ? nullptr : &find_lesson(o.name);
  const auto check = [&](const char* option, bool useful) {
    if (useful || first_given(streams, {option}) == nullptr) return;
    const std::string of =
        lesson == nullptr ? "a list of lessons" : "the lesson \"" + o.name + "\"";
    throw usage_error("lesson-option", of + " has no use for " + option,
                      lesson == nullptr ? "Name a lesson: attn lesson one-head."
                                        : std::string("Leave ") + option + " out.");
  };
  check("--ask", lesson != nullptr);
  check("--block", lesson != nullptr && lesson->blocks);
  check("--problem", lesson != nullptr && lesson->general);
}

/// The pages of a lesson, and its parts.
std::vector<Document> pages_of(const LessonRun& o, std::vector<LessonPart>& parts,
                               const Streams& streams) {
  if (o.name.empty()) return {list_of_lessons()};
  const Lesson& lesson = find_lesson(o.name);
  const std::string& path = o.problem.source.path;
  LessonOptions options{.file = shell_word(path), .block = o.block, .precision = o.precision};
  if (path.empty()) {
    parts = tell(lesson, options);
  } else {
    use_problem(o.problem, streams, [&](const ProblemDraft& draft) {
      options.problem = draft;
      parts = tell(lesson, options);
    });
  }
  return lesson_pages(lesson.title, path, parts, o.precision);
}

/// One page up to each question; the answer follows when the reader has typed a guess, or Enter.
/// The end of input ends the lesson.
void ask(const std::vector<Document>& pages, const Target& screen, const LessonRun& o,
         const Streams& streams) {
  const TextStyle style = text_style(o.text, screen.path, streams);
  for (std::size_t i = 0; i < pages.size(); ++i) {
    streams.out << screen.format->document(pages[i], style);
    if (i + 1 == pages.size()) return;
    streams.out << "\nYour answer, or Enter: " << std::flush;
    std::string typed;
    if (!std::getline(streams.in, typed)) return;
    const auto& answer = std::get<Paragraph>(pages[i + 1].blocks.front());
    const std::string verdict = verdict_on(typed, answer.text);
    streams.out << (verdict.empty() ? "" : "\n    " + verdict) << "\n";
  }
}

void run_lesson(LessonRun& o, const Streams& streams) {
  check_options(o, streams);
  const std::vector<Target> targets = targets_of(o.output, streams);
  if (o.ask) require_person("--ask", "answers", "a lesson", targets, streams.terminal);
  std::vector<LessonPart> parts;
  std::vector<Document> pages = pages_of(o, parts, streams);
  if (o.ask) return ask(pages, targets.front(), o, streams);
  Document whole{{}, o.precision};
  for (Document& page : pages)
    std::move(page.blocks.begin(), page.blocks.end(), std::back_inserter(whole.blocks));
  write_targets(targets, streams, [&](const Target& target, const Sink& sink) {
    Document document = whole;
    if (target.format->asks_cells) add_lesson_cells(document, parts);
    write_document(document, target, o.text, o.output, streams, sink);
  });
}

}  // namespace

Command lesson_command() {
  auto o = std::make_shared<LessonRun>();
  Command command;
  command.examples = {{"attn lesson", "all lessons, in teaching order"},
                      {"attn lesson one-head", "one of them"},
                      {"attn lesson online-softmax --block 3", "three keys at a time"},
                      {"attn lesson one-head --layout lines", "to be read aloud"}};
  command.operand = "[NAME]";
  command.operand_examples = lesson_names;
  command.set_operand = [o](const std::string& name) { o->name = name; };
  command.usual = {"--problem", "--ask", "--block", "--precision", "--layout", "--output"};
  add_rows(command, Group::Own,
           {file("--problem", "FILE", "try what the lesson says on your own problem",
                 PathUse::Input, o->problem.source.path),
            flag("--ask", "wait for your answer, or Enter, after each question", o->ask),
            whole("--block", "online-softmax: keys in a block", 1, 1000000, o->block),
            again(whole("--precision", "decimals, 0 to 17 (default 3)", 0, 17, o->precision),
                  Again::Last)});
  add_text_options(command, o->text);
  add_output_options(command, o->output,
                     [](const Format& format) { return format.document != nullptr; });
  command.run = [o](const Streams& streams) { run_lesson(*o, streams); };
  return command;
}

}  // namespace attn::app

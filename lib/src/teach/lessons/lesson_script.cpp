// Cuts the file of a lesson into its parts.
#include "teach/lessons/lesson_script.hpp"

#include <algorithm>
#include <array>

#include "attn/io/samples.hpp"
#include "attn/phrases.hpp"
#include "attn/render/markdown.hpp"
#include "attn/suggest.hpp"
#include "teach/lessons/lesson_value.hpp"

namespace attn {
namespace {

/// What a kind of block may hold.
struct BlockKind {
  std::string_view name;
  std::vector<std::string_view> keys;  ///< "if …" may have words before its colon
  bool has_names;                      ///< and lines NAME: SETTINGS or NAME = EXPRESSION
};

const std::vector<BlockKind>& block_kinds() {
  static const std::vector<BlockKind> kKinds{
      {"show", {"show", "beside", "query", "heads", "examples", "when"}, true},
      {"question", {"expect", "if", "hint", "answer", "when"}, false},
      {"claim", {"check", "when"}, false},
      {"try", {"when"}, false}};
  return kKinds;
}

constexpr std::array<std::string_view, 10> kFrontKeys{
    "title", "summary", "sample", "problem", "block", "settings", "row", "needs", "next", "name"};

bool is_word(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  });
}

std::vector<std::string> words_in(const auto& names) { return {names.begin(), names.end()}; }

class ScriptReader {
 public:
  explicit ScriptReader(LessonScript& script) : script_(script), rest_(script.text) {}

  void read() {
    front();
    while (!rest_.empty()) {
      const std::string_view line = peek();
      if (begins_block(line))
        block(line);
      else if (is_condition(line))
        condition(take());
      else
        prose();
    }
  }

 private:
  std::string_view peek() const { return rest_.substr(0, rest_.find('\n')); }

  std::string_view take() {
    const std::string_view line = peek();
    rest_.remove_prefix(std::min(rest_.size(), line.size() + 1));
    return line;
  }

  [[noreturn]] void refuse(std::string_view at, const std::string& what, const std::string& fix) {
    throw script_.error_at(at, what, fix);
  }

  [[noreturn]] void refuse_endless(std::string_view first) {
    refuse(first, "the facts about the lesson have no end", "Put --- on a line below them.");
  }

  void front() {
    const std::string_view first = take();
    if (first.starts_with("\xFF\xFE") || first.starts_with("\xFE\xFF"))
      refuse(first.substr(0, 0), "a lesson is text in UTF-8, and this is UTF-16",
             "In an editor: Save as, encoding UTF-8.");
    if (first != "---")
      refuse(first, "a lesson begins with --- and facts about itself",
             "Begin with ---, title: …, summary: …, sample: …, ---.");
    while (!rest_.empty() && peek() != "---") {
      const std::string_view line = take();
      if (trimmed(line).empty()) continue;
      const std::size_t colon = std::min(line.find(':'), line.size());
      const std::string_view key = trimmed(line.substr(0, colon));
      if (std::find(kFrontKeys.begin(), kFrontKeys.end(), key) == kFrontKeys.end()) {
        if (rest_.find("\n---") == rest_.npos) refuse_endless(first);
        refuse(line,
               "there is no fact \"" + std::string(key) + "\" about a lesson" +
                   did_you_mean(key, words_in(kFrontKeys)),
               "They are " + together(words_in(kFrontKeys)) + ".");
      }
      if (key != "needs" && !script_.front_value(key).empty())
        refuse(line, "there are two lines " + std::string(key) + ": about the lesson", kKeepOne);
      script_.front.push_back({key, trimmed(line.substr(std::min(line.size(), colon + 1)))});
    }
    const std::string_view end = take();
    if (end != "---") refuse_endless(first);
    for (const char* key : {"title", "summary", "sample"}) {
      if (script_.front_value(key).empty())
        refuse(first, std::string("the lesson has no ") + key,
               std::string("Add a line ") + key + ": … between the two lines of ---.");
    }
    const std::string_view sample = script_.front_value("sample");
    std::vector<std::string> names;
    for (const Sample& each : samples()) names.emplace_back(each.name);
    if (std::find(names.begin(), names.end(), sample) == names.end())
      refuse(sample,
             "there is no sample \"" + std::string(sample) + "\"" + did_you_mean(sample, names),
             "A lesson is about one of the built-in samples: " + together(names) + ".");
  }

  void block(std::string_view first) {
    const std::string_view kind = trimmed(first.substr(3));
    const auto& kinds = block_kinds();
    const auto row = std::find_if(kinds.begin(), kinds.end(),
                                  [&](const BlockKind& each) { return each.name == kind; });
    if (row == kinds.end()) {
      std::vector<std::string> names;
      for (const BlockKind& each : kinds) names.emplace_back(each.name);
      refuse(first, "there is no block \"" + std::string(kind) + "\"" + did_you_mean(kind, names),
             "Blocks are " + together(names) + "; code that is only shown begins with ``` alone.");
    }
    take();
    ScriptBlock part{kind, rest_.substr(0, 0)};
    std::string_view* last = &part.words;
    while (!rest_.empty() && peek() != "```" && !begins_block(peek())) {
      const std::string_view line = take();
      check_key(line, *row);
      const std::string_view key = key_of(line, *row);
      if (!key.empty()) {
        const bool own = std::find(row->keys.begin(), row->keys.end(), key) != row->keys.end();
        part.fields.push_back({key, line.substr(key.size() + (line[key.size()] == ':' ? 1 : 0)),
                               row->has_names && !own});
        last = &part.fields.back().text;
      } else {
        const char* begin = last->empty() ? line.data() : last->data();
        *last = {begin, static_cast<std::size_t>(line.data() + line.size() - begin)};
      }
    }
    if (rest_.empty() || take() != "```")
      refuse(first, "the block has no end", "Put ``` on a line below it.");
    part.words = trimmed(part.words);
    if (row->has_names && !part.words.empty())
      refuse(part.words, "the block \"" + std::string(kind) + "\" does not begin with a name",
             "Begin its first line with " + either(words_in(row->keys)) +
                 " and a colon, or with a name of yours, without spaces before it.");
    for (ScriptField& field : part.fields) field.text = trimmed(field.text);
    script_.blocks.push_back(std::move(part));
  }

  /// Refuses "hints: …", "Expect: …" and "expect : …", which would be taken for words.
  void check_key(std::string_view line, const BlockKind& kind) {
    const std::string_view before = line.substr(0, std::min(line.find(':'), line.size()));
    const std::string key = lowered(trimmed(before));
    if (before.size() == line.size() || !key_of(line, kind).empty() || !is_word(key)) return;
    const std::string meant = did_you_mean(key, words_in(kind.keys));
    if (!meant.empty())
      refuse(line,
             "there is no line \"" + std::string(before) + ":\" in a block \"" +
                 std::string(kind.name) + "\"" + meant,
             "It may have these: " + together(words_in(kind.keys)) +
                 ". A word with a colon that is none of them needs another place in its line.");
  }

  /// "check" of "check: …"; "if 0, 1" of "if 0, 1: …"; "zero" of "zero = …"; empty for other lines.
  static std::string_view key_of(std::string_view line, const BlockKind& kind) {
    const std::size_t colon = line.find(':');
    const std::string_view key = line.substr(0, colon);
    if (colon != line.npos) {
      for (const std::string_view each : kind.keys) {
        if (key == each || (each == "if" && key.starts_with("if "))) return key;
      }
      if (kind.has_names && is_word(key)) return key;
    }
    const std::string_view name = line.substr(0, line.find(' '));
    const bool is_given = kind.has_names && is_word(name) && name.size() < line.size() &&
                          line.substr(name.size()).starts_with(" = ");
    return is_given ? name : std::string_view();
  }

  /// <!-- when: EXPRESSION --> holds up to <!-- always -->.
  static bool begins_block(std::string_view line) {
    return line.starts_with("```") && line.size() > 3 && line[3] != '`';
  }
  static bool is_condition(std::string_view line) {
    return line.starts_with("<!-- when:") || line.starts_with("<!-- always");
  }
  void condition(std::string_view line) {
    if (!line.ends_with("-->"))
      refuse(line, "the comment has no end on this line", "Write <!-- when: is_own() -->.");
    line.remove_suffix(3);
    line.remove_prefix(std::min(line.find(':') + 1, line.size()));
    if (line.starts_with("<!--")) line = line.substr(0, 0);
    script_.blocks.push_back({"when", trimmed(line)});
  }

  void prose() {
    const std::string_view begin = rest_;
    bool in_code = false;
    while (!rest_.empty()) {
      const std::string_view line = peek();
      if (!in_code && (begins_block(line) || is_condition(line))) break;
      if (line == "```") in_code = !in_code;
      take();
    }
    ScriptBlock part{"", begin.substr(0, begin.size() - rest_.size())};
    try {
      const std::string marked = with_braces(part.words, [&](std::string_view expression) {
        part.braces.push_back(expression);
        return "\x01" + std::to_string(part.braces.size() - 1) + "\x02";
      });
      const InsertBlocks no_comments = [](const std::string&) { return std::vector<Block>{}; };
      part.prose = read_markdown(marked, no_comments).blocks;
    } catch (const MarkdownError& error) {
      std::string_view at = part.words;
      for (int line = 1; line < error.line; ++line) at.remove_prefix(at.find('\n') + 1);
      refuse(at, error.fault, "docs/writing-lessons.md shows the Markdown of lessons.");
    } catch (const LessonFault& fault) {
      refuse(part.words, fault.what, fault.fix);
    }
    if (!part.prose.empty()) script_.blocks.push_back(std::move(part));
  }

  LessonScript& script_;
  std::string_view rest_;
};

}  // namespace

std::string with_braces(std::string_view text,
                        const std::function<std::string(std::string_view)>& filled) {
  std::string result;
  for (std::size_t at = 0; at < text.size();) {
    if (text[at] == '\\' && at + 1 < text.size()) {
      result += text.substr(at, 2);
      at += 2;
    } else if (text[at] == '{') {
      std::size_t end = at + 1;
      for (bool quoted = false; end < text.size() && (quoted || text[end] != '}'); ++end)
        quoted = quoted != (text[end] == '"');
      if (end >= text.size())
        throw LessonFault{"a brace { is not closed", "Close it with }; a brace itself is \\{."};
      result += filled(text.substr(at + 1, end - at - 1));
      at = end + 1;
    } else {
      result += text[at++];
    }
  }
  return result;
}

std::string_view LessonScript::front_value(std::string_view key) const {
  for (const ScriptField& field : front) {
    if (field.key == key) return field.text;
  }
  return {};
}

namespace {

Place place_in(const LessonScript& script, std::string_view part) {
  const std::string& text = script.text;
  const std::size_t at = std::min(static_cast<std::size_t>(part.data() - text.data()), text.size());
  const std::string before = text.substr(0, at);
  const std::size_t begin = before.rfind('\n') + 1;  // 0 in the first line
  Place where;
  where.file = script.name;
  where.line = static_cast<int>(std::count(before.begin(), before.end(), '\n')) + 1;
  for (std::size_t i = begin; i < at; ++i) where.column += (before[i] & 0xC0) != 0x80;
  ++where.column;
  where.line_text = text.substr(begin, text.find('\n', begin) - begin);
  return where;
}

}  // namespace

std::string LessonScript::place_of(std::string_view part) const {
  const Place at = place_in(*this, part);
  return at.file + ":" + std::to_string(at.line) + ":" + std::to_string(at.column);
}

Error LessonScript::error_at(std::string_view place, const std::string& what,
                             const std::string& fix) const {
  return input_error(
      {.id = "lesson-file", .what = what, .places = {place_in(*this, place)}, .fix = fix});
}

std::shared_ptr<const LessonScript> read_script(std::string_view text, const std::string& name) {
  auto script = std::make_shared<LessonScript>();
  script->name = name;
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);  // a byte order mark
  script->text = text;
  if (text.find('\n') == text.npos)
    std::replace(script->text.begin(), script->text.end(), '\r', '\n');
  std::erase_if(script->text, [](char c) { return c == '\r' || c == '\x01' || c == '\x02'; });
  ScriptReader(*script).read();
  return script;
}

}  // namespace attn

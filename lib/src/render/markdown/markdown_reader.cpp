// Reads the blocks of Markdown.
#include <algorithm>
#include <utility>

#include "attn/phrases.hpp"
#include "attn/render/markdown.hpp"
#include "render/markdown/inlines.hpp"

namespace attn {
namespace {

using MarkdownCells = std::vector<std::string>;

/// The cells of "| a | b |", with their signs. A bar within a cell is \|.
MarkdownCells markdown_cells(std::string_view line) {
  MarkdownCells cells;
  std::string cell;
  for (std::size_t at = 1; at < line.size(); ++at) {
    const bool escaped = line.substr(at).starts_with("\\|");
    if (line[at] != '|') {
      cell += line[escaped ? ++at : at];
      continue;
    }
    cells.emplace_back(trimmed(cell));
    cell.clear();
  }
  return cells;
}

/// Whether the whole text is one piece of code.
bool is_all_code(std::string_view text) {
  return text.starts_with('`') && code_end(text, 0) == text.size();
}

class MarkdownReader {
 public:
  MarkdownReader(std::string_view text, const InsertBlocks& insert) : insert_(insert) {
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t end = std::min(text.find('\n', at), text.size());
      lines_.push_back(text.substr(at, end - at));
      at = end + 1;
    }
  }

  Document read() {
    try {
      while (at_ < lines_.size()) block();
    } catch (const MarkdownFault& fault) {
      throw MarkdownError(static_cast<int>(at_) + 1, fault.what);
    }
    return std::move(document_);
  }

 private:
  /// What a line can begin with, and what reads the block; or what there is no reader for.
  struct Start {
    std::string_view sign;
    void (MarkdownReader::*read)();
    const char* name = "";
  };
  static const Start* start_of(std::string_view line) {
    static constexpr Start kStarts[] = {
        {"#", &MarkdownReader::heading},
        {"```", &MarkdownReader::code},
        {"<!--", &MarkdownReader::insertion},
        {"|", &MarkdownReader::table},
        {"- ", &MarkdownReader::list},
        {" ", nullptr, "a line that begins with spaces: code is between lines of ```"},
        {"* ", nullptr, "a list with *: items begin with \"- \""},
        {"+ ", nullptr, "a list with +: items begin with \"- \""},
        {"1. ", nullptr, "a numbered list"},
        {">", nullptr, "a quotation"},
        {"---", nullptr, "a rule"},
        {"===", nullptr, "an underlined heading: headings begin with #"},
        {"~~~", nullptr, "code after ~~~: it is between lines of ```"},
    };
    const auto* at = std::find_if(std::begin(kStarts), std::end(kStarts),
                                  [&](const Start& row) { return line.starts_with(row.sign); });
    return at == std::end(kStarts) ? nullptr : at;
  }

  bool more() const { return at_ < lines_.size() && !trimmed(lines_[at_]).empty(); }

  void add(Block block) { document_.blocks.push_back(std::move(block)); }

  void block() {
    if (!more()) return void(++at_);
    const Start* start = start_of(lines_[at_]);
    if (start == nullptr) return paragraph();
    if (start->read == nullptr) refuse(std::string("not read here: ") + start->name);
    (this->*start->read)();
  }

  [[noreturn]] static void refuse(const std::string& what) { throw MarkdownFault{what}; }

  void paragraph() {
    const std::size_t first = at_;
    std::string text;
    for (; more() && start_of(lines_[at_]) == nullptr; ++at_)
      text += (text.empty() ? "" : " ") + std::string(trimmed(lines_[at_]));
    const std::size_t end = std::exchange(at_, first);  // where a fault in the text is
    add(Paragraph{.text = plain_inlines(text), .apart = true});
    at_ = end;
  }

  void heading() {
    const std::string_view line = lines_[at_];
    const std::size_t level = std::min(line.find_first_not_of('#'), line.size());
    if (level > 3 || !line.substr(level).starts_with(' '))
      refuse("a heading is #, ## or ###, a space, and its words");
    add(Title{.text = plain_inlines(trimmed(line.substr(level))), .level = level});
    ++at_;
  }

  void code() {
    const std::size_t first = at_;
    Code code;
    for (++at_; at_ < lines_.size() && lines_[at_] != "```"; ++at_)
      code.lines.emplace_back(lines_[at_]);
    if (at_ == lines_.size()) {
      at_ = first;
      refuse("the code has no end, a line of ```");
    }
    ++at_;
    add(std::move(code));
  }

  void insertion() {
    const std::string_view line = trimmed(lines_[at_]);
    if (line.size() < 7 || !line.ends_with("-->")) refuse("a comment is one line: <!-- text -->");
    const std::string text(trimmed(line.substr(4, line.size() - 7)));
    std::optional<std::vector<Block>> blocks;
    if (insert_) blocks = insert_(text);
    if (!blocks) refuse("nothing is known about the comment \"" + text + "\"");
    for (Block& each : *blocks) add(std::move(each));
    ++at_;
  }

  void list() {
    List list;
    while (more() && lines_[at_].starts_with("- ")) {
      const std::size_t first = at_;
      std::string text(trimmed(lines_[at_].substr(2)));
      for (++at_; more() && !lines_[at_].starts_with("- "); ++at_) {
        const std::string_view line = trimmed(lines_[at_]);
        if (!lines_[at_].starts_with("  "))
          refuse("after a list comes an empty line; the lines of an item begin with two spaces");
        if (start_of(line) != nullptr) refuse("an item of a list is one paragraph");
        text += " " + std::string(line);
      }
      const std::size_t end = std::exchange(at_, first);
      const std::size_t term = text.starts_with("**") ? emphasis_end(text, 0) : 0;
      list.items.push_back({plain_inlines(text.substr(0, term)),
                            plain_inlines(trimmed(std::string_view(text).substr(term)))});
      at_ = end;
    }
    add(std::move(list));
  }

  void table() {
    const MarkdownCells header = markdown_cells(lines_[at_]);
    Table table;
    table.texts = 0;
    table.commands = true;  // until a row says otherwise
    for (const std::string& cell : header) table.header.push_back(plain_inlines(cell));
    ++at_;
    const MarkdownCells rule = more() ? markdown_cells(lines_[at_]) : MarkdownCells{};
    for (std::size_t j = 0; j < rule.size(); ++j) {
      const std::string& cell = rule[j];
      if (cell.find_first_not_of("-:") != cell.npos || cell.empty() || cell.starts_with(':'))
        refuse("below the header of a table comes | --- | for words, | ---: | for numbers");
      if (!cell.ends_with(':') && table.texts++ != j)
        refuse("columns of words come before those of numbers");
    }
    if (rule.size() != header.size())
      refuse("below the header of a table comes a line with as many columns: | --- | --- |");
    for (++at_; more(); ++at_) {
      const MarkdownCells cells = markdown_cells(lines_[at_]);
      if (!lines_[at_].starts_with('|') || cells.size() != header.size())
        refuse("a row of this table has " + counted(std::ssize(header), "cell") +
               ", each after a bar, and a bar at the end");
      std::vector<std::string>& row = table.rows.emplace_back();
      for (const std::string& cell : cells) row.push_back(plain_inlines(cell));
      table.commands = table.commands && is_all_code(cells.front());
    }
    table.hangs = table.texts == header.size();
    add(std::move(table));
  }

  std::vector<std::string_view> lines_;
  std::size_t at_ = 0;  // the line that is read, or at fault
  const InsertBlocks& insert_;
  Document document_;
};

}  // namespace

MarkdownError::MarkdownError(int at, const std::string& what)
    : std::invalid_argument("line " + std::to_string(at) + " of the Markdown: " + what),
      line(at),
      fault(what) {}

Document read_markdown(std::string_view text, const InsertBlocks& insert) {
  return MarkdownReader(text, insert).read();
}

}  // namespace attn

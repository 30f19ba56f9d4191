// Reads tables as text, line by line.
#include "io/answers/table.hpp"

#include <algorithm>
#include <memory>

namespace attn {
namespace {

constexpr std::string_view kSeparatorLine = "sep=";
constexpr std::size_t kMostFields = 10000;  // the last one takes the rest of the line

/// The byte after the quotation mark that closes the one at `at`.
std::size_t after_quoted(std::string_view text, std::size_t at) {
  do {
    const std::size_t mark = std::min(text.find('"', at + 1), text.size() - 1);
    at = mark + 1;
  } while (at < text.size() && text[at] == '"');
  return at;
}

/// What the first line says or, without one that does, what follows the first field, which may hold
/// any separator in quotation marks.
char separator_of(std::string_view text) {
  if (after_separator_line(text) > 0) return text[kSeparatorLine.size()];
  std::size_t at = text.find_first_not_of("\r\n");
  if (at != text.npos && text[at] == '"') at = after_quoted(text, at);
  at = text.find_first_of(",;\t\n", at);
  return at == text.npos || text[at] == '\n' ? ',' : text[at];
}

/// Lines that end with CR alone end with LF.
Source with_line_ends(Source source) {
  if (source.text.find('\r') == source.text.npos || source.text.find('\n') != source.text.npos)
    return source;
  auto lines = std::make_shared<std::string>(source.text);
  std::replace(lines->begin(), lines->end(), '\r', '\n');
  return {source.name, *lines, lines};
}

}  // namespace

std::size_t after_separator_line(std::string_view text) {
  constexpr std::size_t kEnd = kSeparatorLine.size() + 1;
  const bool is_one = text.starts_with(kSeparatorLine) && text.size() > kEnd &&
                      (text[kEnd] == '\r' || text[kEnd] == '\n');
  return is_one ? std::min(text.find_first_not_of("\r\n", kEnd), text.size()) : 0;
}

Source table_source(const SharedBytes& bytes, const std::string& name) {
  return with_line_ends(decode_source(bytes, name));
}

TableLine header_of(std::string_view bytes) {
  constexpr std::size_t kMostBytes = 1 << 16;
  const Source source = with_line_ends(decode_leniently({bytes.substr(0, kMostBytes)}, ""));
  TableReader reader(source.text);
  const TableLine* header = reader.next();
  return header == nullptr ? TableLine() : *header;
}

TableReader::TableReader(std::string_view text)
    : text_(text), separator_(separator_of(text)), at_(after_separator_line(text)) {}

/// Up to the separator, unless `last`, or the line end, which stay; quotation marks around it go.
void TableReader::read_field(TableField& field, bool last) {
  field.text.clear();
  field.offset = at_;
  field.closed = at_ >= text_.size() || text_[at_] != '"';
  if (!field.closed) {
    for (++at_; at_ < text_.size() && !field.closed; ++at_) {
      field.closed = text_[at_] == '"' && (at_ + 1 == text_.size() || text_[at_ + 1] != '"');
      if (text_[at_] == '"' && !field.closed) ++at_;
      if (!field.closed) field.text += text_[at_];
    }
  }
  const std::size_t quoted = field.text.size();
  while (at_ < text_.size() && (last || text_[at_] != separator_) && text_[at_] != '\n')
    field.text += text_[at_++];
  if (field.text.size() > quoted && field.text.ends_with('\r')) field.text.pop_back();
}

const TableLine* TableReader::next() {
  while (at_ < text_.size() && (text_[at_] == '\n' || text_[at_] == '\r')) ++at_;
  if (at_ >= text_.size()) return nullptr;
  std::size_t fields = 0;
  for (;; ++at_) {
    if (line_.size() == fields) line_.emplace_back();
    ++fields;
    read_field(line_[fields - 1], fields == kMostFields);
    if (at_ >= text_.size() || text_[at_] == '\n') break;
  }
  line_.resize(fields);
  return &line_;
}

}  // namespace attn

// Reads tables as text, line by line.
#include "io/answers/table.hpp"

namespace attn {

TableReader::TableReader(std::string_view text) : text_(text) {
  const std::size_t at = text.substr(0, text.find('\n')).find_first_of(",;\t");
  separator_ = at == text.npos ? ',' : text[at];
}

/// Up to the separator or the line end, which stay; quotation marks around it go.
void TableReader::read_field(TableField& field) {
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
  while (at_ < text_.size() && text_[at_] != separator_ && text_[at_] != '\n')
    field.text += text_[at_++];
  if (field.text.ends_with('\r')) field.text.pop_back();
}

const TableLine* TableReader::next() {
  while (at_ < text_.size() && (text_[at_] == '\n' || text_[at_] == '\r')) ++at_;
  if (at_ >= text_.size()) return nullptr;
  std::size_t fields = 0;
  for (;; ++at_) {
    if (line_.size() == fields) line_.emplace_back();
    read_field(line_[fields++]);
    if (at_ >= text_.size() || text_[at_] == '\n') break;
  }
  line_.resize(fields);
  return &line_;
}

}  // namespace attn

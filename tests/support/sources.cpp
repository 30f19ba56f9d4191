// Reads literals and arguments out of C++ sources.
#include "support/sources.hpp"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <iterator>

#include "support/files.hpp"
#include "support/temporary_folder.hpp"

namespace attn::testing {
namespace {

/// Reads a source from some position on, as far as literals need it.
class Scanner {
 public:
  Scanner(const std::string& source, std::size_t at) : source_(source), at_(at) {}

  /// The literals up to the comma or bracket that ends an argument; all of them with `whole`.
  std::vector<std::string> argument(bool whole = false) {
    std::vector<std::string> found;
    bool open = false;  // the last literal may go on
    for (int depth = 0; at_ < source_.size(); ++at_) {
      const char c = source_[at_];
      if (source_.compare(at_, 2, "//") == 0) {
        at_ = std::min(source_.find('\n', at_), source_.size() - 1);
      } else if (c == '\'' && !is_digit_separator()) {
        at_ =
            std::min(source_.find('\'', at_ + (source_[at_ + 1] == '\\' ? 3 : 2)), source_.size());
        open = false;
      } else if (source_.compare(at_, 2, "R\"") == 0) {
        const std::size_t bracket = source_.find('(', at_);
        const std::string end = ")" + source_.substr(at_ + 2, bracket - at_ - 2) + "\"";
        at_ = std::min(source_.find(end, at_), source_.size() - end.size()) + end.size() - 1;
      } else if (c == '"') {
        if (!open) found.emplace_back();
        found.back() += literal();
        open = true;
      } else if (std::isspace(static_cast<unsigned char>(c)) == 0) {
        open = false;
        if (whole) continue;
        if (c == '(' || c == '[' || c == '{') ++depth;
        if ((c == ')' || c == ']' || c == '}') && depth-- == 0) break;
        if (c == ',' && depth == 0) break;
      }
    }
    return found;
  }

  /// Goes past the comma that ended the last argument; false if it was the last of the call.
  bool next() { return at_ < source_.size() && source_[at_++] == ','; }

 private:
  bool is_digit_separator() const {
    return at_ > 0 && std::isdigit(static_cast<unsigned char>(source_[at_ - 1])) != 0;
  }

  std::string literal() {
    std::string text;
    for (++at_; at_ < source_.size() && source_[at_] != '"'; ++at_) {
      if (source_[at_] == '\\') ++at_;
      text += source_[at_ - 1] == '\\' && source_[at_] == 'n' ? '\n' : source_[at_];
    }
    return text;
  }

  const std::string& source_;
  std::size_t at_;
};

/// Where the arguments of each call of a function begin.
std::vector<std::size_t> calls_of(const std::string& source, const std::string& function) {
  std::vector<std::size_t> starts;
  const std::string call = function + "(";
  for (std::size_t at = source.find(call); at != source.npos; at = source.find(call, at + 1)) {
    const char before = at == 0 ? ' ' : source[at - 1];
    if (std::isalnum(static_cast<unsigned char>(before)) == 0 && before != '_')
      starts.push_back(at + call.size());
  }
  return starts;
}

void append(std::vector<std::string>& all, std::vector<std::string> more) {
  all.insert(all.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}

}  // namespace

void for_each_source(
    const std::vector<std::string>& folders,
    const std::function<void(const std::string& file, const std::string& text)>& visit,
    const std::set<std::string>& extensions) {
  namespace fs = std::filesystem;
  const fs::path root(source_dir());
  for (const std::string& folder : folders) {
    for (const auto& entry : fs::recursive_directory_iterator(root / folder)) {
      if (!extensions.contains(entry.path().extension().string())) continue;
      visit(entry.path().lexically_relative(root).string(), read_text(entry.path().string()));
    }
  }
}

std::vector<std::string> literals_in(const std::string& source) {
  return Scanner(source, 0).argument(true);
}

std::vector<std::string> first_arguments(const std::string& source, const std::string& function) {
  std::vector<std::string> all;
  for (const std::size_t start : calls_of(source, function))
    append(all, Scanner(source, start).argument());
  return all;
}

std::vector<std::string> second_arguments(const std::string& source, const std::string& function) {
  std::vector<std::string> all;
  for (const std::size_t start : calls_of(source, function)) {
    Scanner scanner(source, start);
    scanner.argument();
    if (scanner.next()) append(all, scanner.argument());
  }
  return all;
}

}  // namespace attn::testing

// Builds the tree from the events of nlohmann; nothing else in attn includes that library.
#include "io/json/json.hpp"

#include <nlohmann/json.hpp>
#include <optional>
#include <unordered_map>
#include <utility>

#include "io/json/json_error.hpp"
#include "io/json/plain_numbers.hpp"
#include "io/json/token.hpp"
#include "io/json/writer.hpp"

namespace attn::json {
namespace {

constexpr std::size_t kMostErrors = 5;
constexpr std::size_t kDeepest = 64;  // keeps recursion over the tree off the end of the stack

/// A list or object that is still open.
struct Open {
  Node node;
  std::unordered_map<std::string, std::size_t> keys;  // object: key → where it is
};

/// Gives every number of a list a node of its own.
Items spread(std::string_view text, std::size_t list, const Numbers& numbers) {
  Items items;
  items.reserve(numbers.size() + 1);
  std::size_t at = list + 1;
  for (const double number : numbers) {
    at = skip_separators(text, at);
    items.push_back({at, number});
    at = token_end(text, at);
  }
  return items;
}

/// The text as nlohmann reads it, from wherever the Builder has moved `at`.
struct Feed {
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = char;

  const char** at;

  char operator*() const { return **at; }
  Feed& operator++() {
    ++*at;
    return *this;
  }
  bool operator==(const Feed& other) const { return *at == *other.at; }
};

/// Builds the tree from nlohmann's events. They come in the order of the text, so a cursor that
/// steps from token to token knows where each of them is.
class Builder {
 public:
  /// `text` is that of the source, but for odd words and parts that another Builder could not read.
  Builder(const Source& source, std::string_view text, MemoryBudget* budget, OddWords words)
      : source_(source), text_(text), budget_(budget), words_(words), uncounted_(text.size()) {}

  void build() { nlohmann::json::sax_parse(Feed{&next_}, Feed{&end_}, this); }
  Node root() { return std::move(root_); }
  /// Where the text stopped being JSON, and the innermost bracket open there.
  const std::optional<Diagnostic>& failure() const { return failure_; }
  std::optional<std::size_t> broken_bracket() const { return stop_.bracket; }
  const std::vector<Diagnostic>& duplicates() const { return duplicates_; }

  // The events; a result of false ends the parsing.
  bool null() { return scalar(nullptr); }
  bool boolean(bool value) { return scalar(value); }
  bool number_integer(std::int64_t value) { return number(static_cast<double>(value)); }
  bool number_unsigned(std::uint64_t value) { return number(static_cast<double>(value)); }
  bool number_float(double value, const std::string&) { return number(value); }
  bool string(std::string& value);
  bool binary(const nlohmann::json::binary_t&) { return false; }
  bool start_array(std::size_t);
  bool start_object(std::size_t) { return start(Members{}); }
  bool end_array() { return end(); }
  bool end_object() { return end(); }
  bool key(std::string& name);
  bool parse_error(std::size_t position, const std::string&,
                   const nlohmann::json::exception& exception);

 private:
  std::size_t next_token(Stop::After after);
  bool scalar(decltype(Node::value) value);
  bool number(double value);
  bool start(decltype(Node::value) value);
  bool end();
  void add(Node node);
  Items& items_of(Node& list);
  void count(std::size_t bytes);
  std::string pointer() const;

  const Source& source_;
  std::string_view text_;
  const char *next_ = text_.data(), *end_ = next_ + text_.size();  // what nlohmann has not read
  std::size_t read_here_ = 0;                                      // bytes that it never reads
  MemoryBudget* budget_;
  OddWords words_;
  std::size_t uncounted_;  // bytes
  Stop stop_;
  PlainNumbers plain_;
  std::vector<Open> open_;
  Node root_;
  std::optional<Diagnostic> failure_;
  std::vector<Diagnostic> duplicates_;
};

std::size_t Builder::next_token(Stop::After after) {
  stop_.after = after;
  stop_.token = skip_separators(text_, stop_.cursor);
  stop_.cursor = token_end(text_, stop_.token);
  return stop_.token;
}

void Builder::add(Node node) {
  if (open_.empty()) {
    root_ = std::move(node);
    stop_.after = Stop::After::Root;
  } else if (auto* members = std::get_if<Members>(&open_.back().node.value)) {
    members->back().value = std::move(node);
  } else {
    items_of(open_.back().node).push_back(std::move(node));
  }
}

/// The items of a list; if it had only numbers until now, they get nodes.
Items& Builder::items_of(Node& list) {
  if (const auto* numbers = std::get_if<Numbers>(&list.value)) {
    count(numbers->size() * sizeof(Node));
    list.value = spread(text_, list.offset, *numbers);
  }
  return std::get<Items>(list.value);
}

/// Looks at the budget once in a while.
void Builder::count(std::size_t bytes) {
  constexpr std::size_t kStep = std::size_t{1} << 20;
  uncounted_ += bytes;
  if (uncounted_ < kStep || budget_ == nullptr) return;
  budget_->take_bytes(static_cast<double>(uncounted_), pointer());
  uncounted_ = 0;
}

bool Builder::scalar(decltype(Node::value) value) {
  const std::size_t token = next_token(Stop::After::Item);
  count(sizeof(Node) + stop_.cursor - token);  // a string has its characters elsewhere
  add({token, std::move(value)});
  return true;
}

/// A word without quotation marks in the source is taken from there: in `text_`, quotation marks
/// have replaced its ends.
bool Builder::string(std::string& value) {
  const std::string_view text = source_.text;
  const std::size_t token = skip_separators(text_, stop_.cursor);
  if (text[token] != '"') value = text.substr(token, token_end(text, token) - token);
  return scalar(std::move(value));
}

bool Builder::number(double value) {
  const std::size_t token = next_token(Stop::After::Item);
  if (value == 0.0 && text_[token] == '-') value = -0.0;  // nlohmann reads -0 as an integer
  auto* numbers = open_.empty() ? nullptr : std::get_if<Numbers>(&open_.back().node.value);
  count(numbers ? 2 * sizeof value : sizeof(Node));  // here, and in the array made of them
  if (numbers) {
    numbers->push_back(value);
  } else {
    add({token, value});
  }
  return true;
}

bool Builder::start(decltype(Node::value) value) {
  const std::size_t token = next_token(Stop::After::Bracket);
  if (open_.size() == kDeepest) {
    failure_ = {
        .id = "json-depth",
        .what = "lists and objects are nested more than " + std::to_string(kDeepest) + " deep",
        .places = {place_at(source_, token, "", "one bracket too many")},
        .fix = "Remove brackets: a matrix needs two levels of them, a batch of matrices three.",
    };
    return false;
  }
  count(sizeof(Node));
  open_.push_back({{token, std::move(value)}, {}});
  return true;
}

/// Numbers are read here, three times as fast as by nlohmann, which then sees an empty list.
bool Builder::start_array(std::size_t) {
  if (!start(Numbers{})) return false;
  const auto count_numbers = [this](std::size_t n) { count(2 * n * sizeof(double)); };
  const bool at_bracket = next_ == text_.data() + stop_.cursor;
  if (!at_bracket ||
      !read_plain(text_, stop_.cursor, words_ == OddWords::Real, plain_, count_numbers))
    return true;
  open_.back().node.value = plain_.numbers;
  const std::size_t here = plain_.end - stop_.cursor;
  next_ += here;
  read_here_ += here;
  stop_.after = Stop::After::Item;
  stop_.token = plain_.last;
  stop_.cursor = plain_.end;
  return true;
}

bool Builder::end() {
  next_token(Stop::After::Item);
  Node node = std::move(open_.back().node);
  open_.pop_back();
  add(std::move(node));
  return true;
}

bool Builder::key(std::string& name) {
  count(2 * (sizeof(Member) + name.size()));
  const std::size_t token = next_token(Stop::After::Key);
  Open& object = open_.back();
  const auto [first, added] = object.keys.emplace(name, token);
  std::get<Members>(object.node.value).push_back({name, token, {}});
  if (!added && duplicates_.size() < kMostErrors) {
    duplicates_.push_back({
        .id = "json-duplicate-key",
        .what = "expected each key once, found the key " + token_text(text_, token) + " twice",
        .places = {place_at(source_, token, pointer(), "the second time"),
                   place_at(source_, first->second, pointer(), "the first time")},
        .fix = "Keep one of the two, or begin the other's name with \"_\" to make it a comment.",
    });
  }
  return true;
}

bool Builder::parse_error(std::size_t position, const std::string&,
                          const nlohmann::json::exception&) {
  stop_.byte = position - 1 + read_here_;  // nlohmann counts the bytes it has read
  stop_.pointer = pointer();
  if (!open_.empty()) stop_.bracket = open_.back().node.offset;
  failure_ = syntax_error(source_, stop_);
  return false;
}

std::string Builder::pointer() const {
  std::string path;
  for (std::size_t i = 0; i < open_.size(); ++i) {
    const bool innermost = i + 1 == open_.size();
    if (const auto* members = std::get_if<Members>(&open_[i].node.value)) {
      const bool inside = !innermost || stop_.after == Stop::After::Key;
      if (inside) path = child_pointer(path, members->back().key);
    } else if (!innermost) {
      path = child_pointer(path, item_count(open_[i].node));
    }
  }
  return path;
}

/// The tree of JSON text. Throws what is wrong with it: the bracket inside which it stops being
/// JSON is treated as one value, and the rest is checked too.
Node read_tree(const Source& source, MemoryBudget* budget, OddWords words) {
  std::vector<Diagnostic> wrong;
  std::string mended;
  bool may_be_odd = words == OddWords::Quoted;
  const std::optional<MemoryBudget> before = budget ? std::optional(*budget) : std::nullopt;
  for (;;) {
    if (before) *budget = *before;  // what an earlier pass took is free again
    const std::string_view text = mended.empty() ? source.text : std::string_view(mended);
    Builder builder(source, text, budget, words);
    builder.build();
    if (!builder.failure()) {
      if (wrong.empty() && builder.duplicates().empty()) return builder.root();
      wrong.insert(wrong.end(), builder.duplicates().begin(), builder.duplicates().end());
      break;
    }
    if (std::exchange(may_be_odd, false)) {  // no JSON text has odd words
      mended = with_odd_words_quoted(source.text);
      continue;
    }
    wrong.push_back(*builder.failure());
    const std::size_t begin = builder.broken_bracket().value_or(text.size());
    const std::size_t end = bracket_end(text, begin);
    if (end == text.npos || wrong.size() == kMostErrors) break;
    if (mended.empty()) mended = text;
    mended.replace(begin, end - begin, end - begin, ' ').replace(end - 2, 2, "{}");
  }
  throw Error(ErrorKind::Input, std::move(wrong));
}

}  // namespace

Document parse(std::string_view bytes, std::string name, MemoryBudget* budget, OddWords words) {
  return parse(copy_of(bytes), std::move(name), budget, words);
}

Document parse(const SharedBytes& bytes, std::string name, MemoryBudget* budget, OddWords words) {
  Document document{decode_source(bytes, std::move(name)), {}};
  document.root = read_tree(document.source, budget, words);
  return document;
}

std::string quoted(const std::string& text) {
  const std::string dumped =
      nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  std::string safe;
  for (std::size_t i = 0; i < dumped.size(); ++i) {
    // JSON may contain U+007F to U+009F unescaped, but some of them control a terminal.
    const auto next = static_cast<unsigned char>(i + 1 < dumped.size() ? dumped[i + 1] : '\0');
    if (dumped[i] == '\x7F') {
      safe += "\\u007f";
    } else if (dumped[i] == '\xC2' && next < 0xA0) {
      constexpr std::string_view kDigits = "0123456789abcdef";
      safe += std::string("\\u00") + kDigits[next >> 4] + kDigits[next & 15];
      ++i;
    } else {
      safe += dumped[i];
    }
  }
  return safe;
}

std::string library_version() {
  return std::to_string(NLOHMANN_JSON_VERSION_MAJOR) + "." +
         std::to_string(NLOHMANN_JSON_VERSION_MINOR) + "." +
         std::to_string(NLOHMANN_JSON_VERSION_PATCH);
}

}  // namespace attn::json

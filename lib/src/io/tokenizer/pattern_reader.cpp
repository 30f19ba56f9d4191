// Reads the text of a pattern.
#include <algorithm>

#include "io/tokenizer/pattern.hpp"

namespace attn {

/// Reads one pattern from its beginning to its end. What follows the notation of the header is
/// read; any other character means itself.
class PatternReader {
 public:
  explicit PatternReader(std::string_view text) : text_(text) {}

  std::vector<Pattern::Items> choices() {
    std::vector<Pattern::Items> choices(1);
    while (!text_.empty() && text_.front() != ')') {
      if (take("|")) {
        choices.emplace_back();
      } else {
        choices.back().push_back(item());
      }
    }
    return choices;
  }

 private:
  bool take(std::string_view word) {
    if (!text_.starts_with(word)) return false;
    text_.remove_prefix(word.size());
    return true;
  }

  char32_t character() {
    if (text_.empty()) return 0;
    const unicode::Character next = unicode::first_character(text_);
    text_.remove_prefix(next.bytes);
    return next.code;
  }

  Pattern::Item item() {
    Pattern::Item made;
    if (take("(?!")) {
      made.not_ahead = true;
      add_one(made.set);
      take(")");
      return made;
    }
    const bool any_case = take("(?i:");
    if (any_case || take("(?:") || take("(")) {
      const bool outer = any_case_;
      any_case_ = outer || any_case;
      made.choices = choices();
      any_case_ = outer;
      take(")");
    } else {
      made.set.any_case = any_case_;
      add_one(made.set);
    }
    add_count(made);
    return made;
  }

  /// One character, or a class of them.
  void add_one(Pattern::Set& set) {
    if (!take("[")) return add_character(set, false);
    set.all_but = take("^");
    add_class(set);
  }

  void add_class(Pattern::Set& set) {
    while (!text_.empty() && !take("]")) {
      if (take("[")) {
        add_class(set);
      } else {
        add_character(set, true);
      }
    }
  }

  void add_character(Pattern::Set& set, bool in_class) {
    if (take("\\p{")) {
      const std::size_t end = std::min(text_.find('}'), text_.size());
      set.categories |= unicode::categories_named(text_.substr(0, end));
      text_.remove_prefix(std::min(end + 1, text_.size()));
      return;
    }
    if (take("\\s")) {
      set.spaces = true;
      return;
    }
    if (take("\\S")) {
      set.no_spaces = true;
      return;
    }
    const char32_t first = escaped_character();
    const bool is_range = in_class && text_.size() > 1 && text_.front() == '-' && text_[1] != ']';
    if (is_range) take("-");
    set.ranges.emplace_back(first, is_range ? escaped_character() : first);
  }

  char32_t escaped_character() {
    if (take("\\r")) return '\r';
    if (take("\\n")) return '\n';
    take("\\");
    return character();
  }

  void add_count(Pattern::Item& made) {
    constexpr auto kMany = static_cast<std::size_t>(-1);
    if (take("?")) {
      made.least = 0;
    } else if (take("*")) {
      made.least = 0, made.most = kMany;
    } else if (take("+")) {
      made.most = kMany;
    } else if (take("{1,3}")) {
      made.most = 3;
    } else if (take("{1,2}")) {
      made.most = 2;
    } else {
      return;
    }
    made.keeps_all = take("+");
  }

  std::string_view text_;
  bool any_case_ = false;
};

Pattern::Pattern(std::string_view regex) : choices_(PatternReader(regex).choices()) {}

}  // namespace attn

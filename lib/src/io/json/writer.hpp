// Writes JSON piece by piece: where lines break, and how text and numbers are spelled.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "attn/core/array.hpp"
#include "attn/core/format.hpp"

namespace attn {
enum class NonFinite;  // attn/io/trace_file.hpp
}

namespace attn::json {

/// The text as a JSON string, with quotation marks; bytes that are not UTF-8 become U+FFFD. Control
/// characters, including U+007F to U+009F, are escaped: none can control a terminal.
std::string quoted(const std::string& text);

// Functions that put a number at a place where there is room for kRealLength, and return its end.
constexpr std::ptrdiff_t kRealLength =
    40;  ///< the longest takes 25 characters; more may be touched

/// The shortest text that reads back as the same number, except that whole numbers below 1e15 have
/// no exponent: "1", "2.5e-07"; "-Infinity", "Infinity" and "NaN" as strings.
char* put_number(char* at, double x);
std::string number_text(double x);

/// The same, but every number has a point or an exponent, as in traces: "1.0", "2.5e-07".
char* put_real_value(char* at, double x);
/// Without quotation marks.
char* put_real(char* at, double x);

/// A number that is written like those of a trace.
struct Real {
  double number;
};

/// Whether `nonfinite` wants null for this number.
bool is_null(double x, NonFinite nonfinite);

/// The number as double or Real; nothing, which is written as null, if `nonfinite` wants that.
template <class Number = double>
std::optional<Number> or_null(double x, NonFinite nonfinite) {
  return is_null(x, nonfinite) ? std::nullopt : std::optional(Number{x});
}

/// Where the lines of a list or object break.
enum class Layout {
  Row,      ///< nowhere
  Lines,    ///< before each item, and before the closing bracket
  Groups,   ///< before the items that line() announces, and before the closing bracket
  Rows,     ///< before each item
  Hanging,  ///< before each item but the first, under which the others are
};

/// What a layout becomes.
enum class Spacing {
  Lines,
  OneLine,    ///< no line breaks
  Compact,    ///< nor spaces
  Canonical,  ///< nor spaces, and keys are sorted: the same bytes for the same values
};

/// Writes one JSON text after the other: values, in lists and objects that are open while a
/// function adds what is inside. Layouts are indented by what breaks lines around them.
class Writer {
 public:
  /// Passes pieces on to the sink, which end between two values.
  explicit Writer(const Sink& sink, Spacing spacing = Spacing::Lines)
      : sink_(&sink), spacing_(spacing) {}
  /// Keeps everything; lines are `indent` deep. For Spacing::Canonical it has to be this one.
  explicit Writer(Spacing spacing = Spacing::Lines, std::size_t indent = 0)
      : spacing_(spacing), indent_(indent) {}

  /// Text, a number, true or false; a list of values; null for an optional that is empty.
  template <class T>
  Writer& value(const T& v) {
    if constexpr (std::same_as<T, bool>) {
      return raw(v ? "true" : "false");
    } else if constexpr (std::integral<T>) {
      return raw(std::to_string(v));
    } else if constexpr (std::same_as<T, double>) {
      return raw(number_text(v));
    } else if constexpr (std::same_as<T, Real>) {
      char text[kRealLength];
      return raw({text, static_cast<std::size_t>(put_real_value(text, v.number) - text)});
    } else if constexpr (std::convertible_to<const T&, std::string_view>) {
      return raw(quoted(std::string(v)));
    } else if constexpr (requires { v.has_value(); }) {
      return v ? value(*v) : raw("null");
    } else {
      return list(v, Layout::Row, [this](const auto& each) { this->value(each); });
    }
  }

  /// The key of an object's next member, whose value has to follow.
  Writer& key(std::string_view name);
  /// A member of an object.
  template <class T>
  Writer& add(std::string_view name, const T& v) {
    return key(name).value(v);
  }
  /// The same; nothing for what is empty, 0 or false.
  template <class T>
  Writer& some(std::string_view name, const T& v) {
    if constexpr (requires { v.empty(); }) {
      return v.empty() ? *this : add(name, v);
    } else {
      return v ? add(name, v) : *this;
    }
  }

  /// write(item) adds each item.
  template <class Items, class Write>
  Writer& list(const Items& items, Layout layout, Write write) {
    open('[', layout);
    for (const auto& item : items) write(item);
    return close();
  }
  /// write(item) adds the members of an object for each item.
  template <class Items, class Write>
  Writer& objects(const Items& items, Layout layout, Write write, Layout inner = Layout::Row) {
    return list(items, layout, [&](const auto& item) { object(inner, [&] { write(item); }); });
  }
  /// `write` adds the members.
  template <class Write>
  Writer& object(Layout layout, Write write) {
    open('{', layout);
    write();
    return close();
  }
  template <class Write>
  Writer& object(Write write) {
    return object(Layout::Row, write);
  }
  /// A member that is an object; nothing if `write` adds nothing to it.
  template <class Write>
  Writer& some_object(std::string_view name, Layout layout, Write write) {
    const std::size_t begin = text_.size();
    const Open before = open_.back();
    key(name).open('{', layout);
    write();
    if (open_.back().any) return close();
    text_.resize(begin);
    open_.pop_back();
    open_.back() = before;
    return *this;
  }

  /// What every file of ours begins with: its format, as a line of members.
  Writer& format(const char* name);

  /// The next item begins a line of its own, in Layout::Groups.
  Writer& line();

  /// A value, or some members, that are JSON already.
  Writer& raw(std::string_view json);

  /// A list of numbers, each at least `width` wide. put(at, i) puts number i at a place as above.
  template <class Put>
  Writer& row(std::size_t count, Put put, std::size_t width = 0) {
    constexpr std::size_t kAtOnce = 1024;  // most of the time of a large file is spent here
    open('[', Layout::Row);
    const std::string_view comma = is_compact() ? "," : ", ";
    width = spacing_ == Spacing::Lines ? width : 0;
    for (std::size_t i = 0; i < count;) {
      const std::size_t stop = std::min(count, i + kAtOnce), begin = text_.size();
      text_.resize(begin + (stop - i) * (comma.size() + width + kRealLength));
      char* end = text_.data() + begin;
      for (; i < stop; ++i) {
        if (i > 0) end = std::copy(comma.begin(), comma.end(), end);
        char* const start = end;
        end = put(start, i);
        const auto missing = static_cast<std::ptrdiff_t>(width) - (end - start);
        if (missing <= 0) continue;
        std::copy_backward(start, end, end + missing);
        std::fill_n(start, missing, ' ');
        end += missing;
      }
      text_.resize(static_cast<std::size_t>(end - text_.data()));
      if (i < count) pass_on_much();
    }
    return close();
  }
  /// Nested lists of these sizes, a row on each line; the rows are in lists laid out like `inner`,
  /// in one like `outer`.
  template <class Put>
  Writer& block(std::span<const Index> sizes, Put put, Layout outer, Layout inner,
                std::size_t width = 0, std::size_t first = 0) {
    const auto count = static_cast<std::size_t>(sizes.front());
    if (sizes.size() == 1)
      return row(
          count, [&](char* at, std::size_t i) { return put(at, first + i); }, width);
    std::size_t each = 1;
    for (const Index size : sizes.subspan(1)) each *= static_cast<std::size_t>(size);
    open('[', outer);
    for (std::size_t i = 0; i < count; ++i)
      block(sizes.subspan(1), put, inner, inner, width, first + i * each);
    return close();
  }
  /// The same, with columns aligned.
  Writer& array(const Array& array, char* (*put)(char* at, double x) = put_number);

  /// Ends the text with a line break, and passes it on.
  void end_text();

  /// What was not passed on.
  const std::string& text() const { return text_; }

 private:
  /// A list or object that is not closed.
  struct Open {
    char bracket;  ///< that closes it
    Layout layout;
    std::size_t indent;  ///< of its items
    bool any = false, broken = false, asked = false;
    /// Canonical: its members, and where each begins.
    std::vector<std::pair<std::string, std::size_t>> members = {};
  };

  bool is_compact() const { return spacing_ >= Spacing::Compact; }
  std::size_t indent() const { return open_.empty() ? indent_ : open_.back().indent; }
  void new_line(std::size_t indent) { (text_ += '\n').append(indent, ' '); }
  void begin_item();
  void open(char bracket, Layout layout);
  Writer& close();
  void sort_members(const Open& object);
  void pass_on_much();

  const Sink* sink_ = nullptr;
  Spacing spacing_;
  std::size_t indent_ = 0;
  bool after_key_ = false;
  std::vector<Open> open_;
  std::string text_;
};

/// A file: an object whose members write(out) adds, and a line break.
template <class Write>
std::string file_text(Layout layout, Write write) {
  Writer out;
  return out.object(layout, [&] { write(out); }).text() + "\n";
}

/// The width of the widest of these numbers.
std::size_t widest(std::span<const double> numbers, char* (*put)(char* at, double x) = put_number);

}  // namespace attn::json

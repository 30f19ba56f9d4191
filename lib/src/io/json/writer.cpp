// Lays out JSON, and spells its numbers.
#include "io/json/writer.hpp"

#include <charconv>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <map>
#include <utility>

#include "attn/core/version.hpp"
#include "attn/io/trace_file.hpp"
#include "attn/number_text.hpp"

namespace attn::json {
namespace {

constexpr std::size_t kMuch = std::size_t{1} << 17;  // bytes of a piece

/// How a layout breaks lines.
struct Breaks {
  std::size_t indent;        ///< of items, more than the bracket's
  bool first, other, close;  ///< before the first item, each other one, and the closing bracket
};

// In the order of Layout.
constexpr Breaks kBreaks[] = {{0, false, false, false},
                              {2, true, true, true},
                              {2, false, false, true},
                              {2, true, true, false},
                              {1, false, true, false}};

const Breaks& breaks_of(Layout layout) { return kBreaks[static_cast<std::size_t>(layout)]; }

char* put_text(char* at, std::string_view text) { return std::copy(text.begin(), text.end(), at); }

}  // namespace

char* put_number(char* at, double x) {
  if (x == 0.0) return put_text(at, std::signbit(x) ? "-0" : "0");
  const bool whole = std::abs(x) < 1e15 && std::trunc(x) == x;
  if (whole) return std::to_chars(at, at + kRealLength, static_cast<std::int64_t>(x)).ptr;
  return std::isfinite(x) ? put_exact(at, x) : put_real_value(at, x);
}

std::string number_text(double x) {
  char text[kRealLength];
  return {text, put_number(text, x)};
}

char* put_real(char* at, double x) {
  if (!std::isfinite(x))
    return put_text(at, std::isnan(x) ? "NaN" : x < 0 ? "-Infinity" : "Infinity");
  if (x == 0.0) return put_text(at, std::signbit(x) ? "-0.0" : "0.0");  // many cells are hidden
  char* end = put_exact(at, x);
  const auto is_mark = [](char c) { return c == '.' || c == 'e'; };
  return std::trunc(x) == x && std::none_of(at, end, is_mark) ? put_text(end, ".0") : end;
}

char* put_real_value(char* at, double x) {
  if (std::isfinite(x)) return put_real(at, x);
  return put_text(put_real(put_text(at, "\""), x), "\"");
}

bool is_null(double x, NonFinite nonfinite) {
  return nonfinite == NonFinite::Null && !std::isfinite(x);
}

std::size_t widest(std::span<const double> numbers, char* (*put)(char* at, double x)) {
  char text[kRealLength];
  std::ptrdiff_t width = 0;
  for (const double x : numbers) width = std::max(width, put(text, x) - text);
  return static_cast<std::size_t>(width);
}

Writer& Writer::key(std::string_view name) {
  begin_item();
  if (spacing_ == Spacing::Canonical) open_.back().members.emplace_back(name, text_.size());
  (text_ += quoted(std::string(name))) += is_compact() ? ":" : ": ";
  after_key_ = true;
  return *this;
}

Writer& Writer::format(const char* name) {
  line().add("format", name).add("format_version", "1.0");
  return add("generator", "attn " + version());
}

Writer& Writer::line() {
  open_.back().asked = open_.back().layout == Layout::Groups;
  return *this;
}

Writer& Writer::raw(std::string_view json) {
  begin_item();
  text_ += json;
  pass_on_much();
  return *this;
}

Writer& Writer::array(const Array& array, char* (*put)(char* at, double x)) {
  if (array.rank() == 0) return raw("[]");
  const bool aligned = array.rank() > 1 && spacing_ == Spacing::Lines;
  const auto put_item = [&](char* at, std::size_t i) { return put(at, array.data[i]); };
  return block(array.shape, put_item, Layout::Lines, Layout::Lines,
               aligned ? widest(array.data, put) : 0);
}

void Writer::end_text() {
  text_ += '\n';
  if (sink_ == nullptr) return;
  (*sink_)(text_);
  text_.clear();
}

void Writer::begin_item() {
  if (std::exchange(after_key_, false) || open_.empty()) return;
  Open& in = open_.back();
  const Breaks& breaks = breaks_of(in.layout);
  const bool wanted = in.asked || (in.any ? breaks.other : breaks.first);
  const bool line = wanted && spacing_ == Spacing::Lines;
  if (in.any) text_ += line || is_compact() ? "," : ", ";
  if (line) new_line(in.indent);
  in.any = true;
  in.asked = false;
  in.broken |= line;
}

void Writer::open(char bracket, Layout layout) {
  begin_item();
  text_ += bracket;
  open_.push_back({bracket == '[' ? ']' : '}', layout, indent() + breaks_of(layout).indent});
}

Writer& Writer::close() {
  const Open closed = std::move(open_.back());
  open_.pop_back();
  if (!closed.members.empty()) sort_members(closed);
  if (closed.broken && breaks_of(closed.layout).close) new_line(indent());
  text_ += closed.bracket;
  pass_on_much();
  return *this;
}

void Writer::sort_members(const Open& object) {
  std::map<std::string_view, std::string> sorted;
  std::size_t end = text_.size();
  for (auto member = object.members.rbegin(); member != object.members.rend(); ++member) {
    sorted.emplace(member->first, text_.substr(member->second, end - member->second));
    end = member->second - 1;  // the comma
  }
  text_.resize(end + 1);
  for (const auto& [key, member] : sorted) (text_ += member) += ',';
  text_.pop_back();
}

void Writer::pass_on_much() {
  if (sink_ == nullptr || text_.size() < kMuch) return;
  (*sink_)(text_);
  text_.clear();
}

}  // namespace attn::json

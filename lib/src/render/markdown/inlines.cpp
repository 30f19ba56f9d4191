// Takes the signs of Markdown out of a line.
#include "render/markdown/inlines.hpp"

#include <algorithm>

#include "core/text/ascii.hpp"

namespace attn {
namespace {

bool is_sign(char c) { return c > ' ' && c < 127 && !is_letter(c) && !is_digit(c); }

/// How many characters like the one at `begin` follow each other.
std::size_t run_length(std::string_view text, std::size_t begin) {
  return std::min(text.find_first_not_of(text[begin], begin), text.size()) - begin;
}

/// `text` without `signs` characters at both ends.
std::string_view inside(std::string_view text, std::size_t signs) {
  return text.substr(signs, text.size() - 2 * signs);
}

/// The text of code: one space at each end only keeps backticks apart.
std::string_view code_text(std::string_view code) {
  const std::string_view text = inside(code, run_length(code, 0));
  const bool apart = text.size() > 2 && text.front() == ' ' && text.back() == ' ';
  return apart ? inside(text, 1) : text;
}

}  // namespace

std::size_t code_end(std::string_view text, std::size_t begin) {
  const std::size_t signs = run_length(text, begin);
  for (std::size_t at = begin + signs; (at = text.find('`', at)) != text.npos;) {
    const std::size_t run = run_length(text, at);
    at += run;
    if (run == signs) return at;
  }
  throw MarkdownFault{"the code that begins with " + std::string(signs, '`') + " has no end"};
}

std::size_t emphasis_end(std::string_view text, std::size_t begin) {
  const std::size_t signs = run_length(text, begin);
  if (begin + signs == text.size() || text[begin + signs] == ' ') return text.npos;
  for (std::size_t at = begin + signs; at < text.size();) {
    const std::size_t run = text[at] == '*' ? run_length(text, at) : 0;
    if (run == signs && text[at - 1] != ' ') return at + run;
    at = text[at] == '`'    ? code_end(text, at)
         : text[at] == '\\' ? at + 2
                            : at + std::max<std::size_t>(run, 1);
  }
  throw MarkdownFault{"the emphasis that begins with " + std::string(signs, '*') +
                      " has no end; a plain asterisk is \\*"};
}

std::string plain_inlines(std::string_view text) {
  std::string plain;
  std::size_t bracket = 0;  // the next ], once it was looked for
  for (std::size_t at = 0; at < text.size();) {
    const char c = text[at], next = at + 1 < text.size() ? text[at + 1] : ' ';
    std::size_t end = text.npos;
    if (c == '\\' && is_sign(next)) {
      plain += next;
      at += 2;
    } else if (c == '`') {
      end = code_end(text, at);
      plain += code_text(text.substr(at, end - at));
      at = end;
    } else if (c == '*') {
      const std::size_t signs = run_length(text, at);
      end = emphasis_end(text, at);
      plain += end == text.npos ? std::string(signs, '*')
                                : plain_inlines(inside(text.substr(at, end - at), signs));
      at = end == text.npos ? at + signs : end;
    } else if (c == '[' &&
               (end = bracket = bracket <= at ? text.find(']', at) : bracket) != text.npos &&
               text.substr(end + 1).starts_with('(')) {
      const std::size_t closing = text.find(')', end);
      if (closing == text.npos) throw MarkdownFault{"the address of a link has no end"};
      plain += plain_inlines(text.substr(at + 1, end - at - 1));
      at = closing + 1;
    } else if ((c == '<' && (is_letter(next) || next == '/' || next == '!')) ||
               (c == '!' && next == '[')) {
      throw MarkdownFault{"HTML and pictures are not read here; a plain sign is \\" +
                          std::string(1, c)};
    } else {
      plain += c;
      ++at;
    }
  }
  return plain;
}

}  // namespace attn

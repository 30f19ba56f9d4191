// Expressions as arithmetic, in pieces between which a line may break.
#pragma once

#include <string>
#include <vector>

#include "attn/document.hpp"
#include "render/terminal/number.hpp"

namespace attn {

/// A part of a line: text, or the name or the number of a cell that a reader can look up.
struct Inline {
  std::string text;
  std::string step = {};  ///< its id; empty: only text
  Cell cell = {};
};

/// What stays on one line. A sign and its number are one piece: "1·0", "+ 1·1", "/ √4"; so is an
/// omission, "+ … 4 more …".
using Piece = std::vector<Inline>;
/// With one space between them, where a line may be broken.
using Pieces = std::vector<Piece>;

std::string text_of(const Piece& piece);
std::string text_of(const Pieces& pieces);

/// One of the things that are equal, and the sign before it: "=", or "≈" where a number in it or
/// in the one before is rounded; none before the first.
struct Stage {
  std::string sign;
  Pieces pieces;
};

/// All stages of a worked cell: its names, the arithmetic "(1·2 + 0.5·3) / √4", the same with the
/// values of its parts, "3.5 / 2", and the number. If `shorten`, the middle of a long sum is left
/// out, "… 4 more …". `write` turns a number and the precision into text.
using NumberWriter = std::string (*)(double, int);
std::vector<Stage> worked_stages(const Worked& worked, int precision, bool shorten,
                                 NumberWriter write = short_number);

/// An expression as text, with every term.
std::string arithmetic_text(const Expression& how, int precision);

/// The words of `text`.
std::vector<std::string> words_of(const std::string& text);

}  // namespace attn

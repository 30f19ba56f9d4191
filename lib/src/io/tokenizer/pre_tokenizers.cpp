// The pre-tokenizers of tokenizer.json: where a text is split before its tokens are looked up.
#include <algorithm>

#include "io/tokenizer/byte_letters.hpp"
#include "io/tokenizer/cut.hpp"
#include "io/tokenizer/pattern.hpp"
#include "io/tokenizer/stage.hpp"

namespace attn {
namespace {

using json::Value;

/// What `split` makes of each piece.
template <class Split>
PreTokenizer each_piece(Split split) {
  return [split](const Pieces& pieces, bool first) {
    Pieces made;
    for (const std::string& piece : pieces) {
      split(piece, std::exchange(first, false), made);
    }
    return made;
  };
}

PreTokenizer splitting_at(const CutAt& cut, Keep keep) {
  return each_piece([=](const std::string& piece, bool, Pieces& made) {
    split_at(piece, cut(piece), keep, made);
  });
}

/// Cuts out every single character that `is` is true of, or every run of them.
CutAt characters(bool (*is)(const Glyph& glyph), bool runs = false) {
  return [=](const std::string& text) {
    std::vector<Cut> cuts;
    const Glyphs glyphs = glyphs_of(text);
    for (std::size_t i = 0; i < glyphs.size(); ++i) {
      if (!is(glyphs[i])) continue;
      const std::size_t end = i + 1 < glyphs.size() ? glyphs[i + 1].offset : text.size();
      if (runs && !cuts.empty() && cuts.back().end == glyphs[i].offset) {
        cuts.back().end = end;
      } else {
        cuts.push_back({glyphs[i].offset, end});
      }
    }
    return cuts;
  };
}

bool is_space(const Glyph& glyph) { return glyph.is_space; }
bool is_number(const Glyph& glyph) { return (glyph.category & unicode::kNumbers) != 0; }
bool is_punctuation(const Glyph& glyph) {
  const char32_t c = glyph.code;
  const bool ascii = (c >= '!' && c <= '/') || (c >= ':' && c <= '@') || (c >= '[' && c <= '`') ||
                     (c >= '{' && c <= '~');
  return ascii || (glyph.category & unicode::kPunctuation) != 0;
}
bool is_word(const Glyph& glyph) { return unicode::is_word(glyph.code); }
bool is_sign(const Glyph& glyph) { return !is_word(glyph) && !glyph.is_space; }

/// "behavior" of a split.
Keep keep_of(const Value& value) {
  constexpr std::pair<const char*, Keep> kWords[] = {{"Isolated", Keep::Apart},
                                                     {"Removed", Keep::Nothing},
                                                     {"MergedWithPrevious", Keep::WithPrevious},
                                                     {"MergedWithNext", Keep::WithNext},
                                                     {"Contiguous", Keep::Together}};
  const std::string word = text_at(value, "behavior", "Isolated");
  std::vector<std::string> known;
  for (const auto& [name, keep] : kWords) {
    if (word == name) return keep;
    known.emplace_back(name);
  }
  throw unsupported(value, "the behavior \"" + word + "\"", known);
}

PreTokenizer splitter_split(const Value& value) {
  const Value pattern = required(value, "pattern");
  const bool invert = flag_at(value, "invert");
  const std::optional<Value> regex = member(pattern, "Regex");
  const CutAt cut = regex ? cut_pattern(*regex) : cut_text(text_at(pattern, "String"));
  return splitting_at(invert ? between(cut) : cut, keep_of(value));
}

PreTokenizer splitter_byte_level(const Value& value) {
  const bool prefix = flag_at(value, "add_prefix_space", true);
  const CutAt words = flag_at(value, "use_regex", true)
                          ? cut_published(published_pattern(published_patterns().front()))
                          : CutAt();
  return each_piece([=](const std::string& piece, bool, Pieces& made) {
    const std::string text = prefix && !piece.starts_with(' ') ? " " + piece : piece;
    Pieces parts;
    if (words) {
      split_at(text, words(text), Keep::Apart, parts);
    } else {
      parts.push_back(text);
    }
    for (const std::string& part : parts) made.push_back(letters_of_bytes(part));
  });
}

PreTokenizer splitter_metaspace(const Value& value) {
  const std::string mark = text_at(value, "replacement", "▁");
  const bool add = flag_at(value, "add_prefix_space", true);
  const std::string scheme = text_at(value, "prepend_scheme", add ? "always" : "never");
  const bool splits = flag_at(value, "split", true);
  const CutAt at_mark = cut_text(mark);
  return each_piece([=](const std::string& piece, bool first, Pieces& made) {
    std::string text = replaced(piece, " ", mark);
    const bool prepends = scheme == "always" || (scheme == "first" && first);
    if (prepends && !text.starts_with(mark)) text = mark + text;
    if (splits) {
      split_at(text, at_mark(text), Keep::WithNext, made);
    } else {
      made.push_back(text);
    }
  });
}

PreTokenizer splitter_whitespace_split(const Value&) {
  return splitting_at(characters(is_space), Keep::Nothing);
}

PreTokenizer splitter_whitespace(const Value&) {
  const CutAt words = characters(is_word, true), signs = characters(is_sign, true);
  const CutAt both = [=](const std::string& text) {
    std::vector<Cut> cuts = words(text);
    const std::vector<Cut> others = signs(text);
    cuts.insert(cuts.end(), others.begin(), others.end());
    std::sort(cuts.begin(), cuts.end(), [](Cut a, Cut b) { return a.begin < b.begin; });
    return cuts;
  };
  return splitting_at(between(both), Keep::Nothing);
}

PreTokenizer splitter_punctuation(const Value& value) {
  return splitting_at(characters(is_punctuation), keep_of(value));
}

PreTokenizer splitter_digits(const Value& value) {
  return splitting_at(characters(is_number, !flag_at(value, "individual_digits")), Keep::Apart);
}

PreTokenizer splitter_bert(const Value&) {
  const PreTokenizer spaces = splitting_at(characters(is_space), Keep::Nothing);
  const PreTokenizer signs = splitting_at(characters(is_punctuation), Keep::Apart);
  return [=](const Pieces& pieces, bool first) { return signs(spaces(pieces, first), first); };
}

PreTokenizer splitter_sequence(const Value& value) {
  const std::vector<PreTokenizer> all = read_stages(value, "pretokenizers", read_pre_tokenizer);
  return [all](Pieces pieces, bool first) {
    for (const PreTokenizer& each : all) pieces = each(std::move(pieces), first);
    return pieces;
  };
}

constexpr StageRow<PreTokenizer> kPreTokenizers[] = {
    {"ByteLevel", splitter_byte_level},
    {"Metaspace", splitter_metaspace},
    {"Split", splitter_split},
    {"Whitespace", splitter_whitespace},
    {"WhitespaceSplit", splitter_whitespace_split},
    {"BertPreTokenizer", splitter_bert},
    {"Punctuation", splitter_punctuation},
    {"Digits", splitter_digits},
    {"Sequence", splitter_sequence},
};

}  // namespace

PreTokenizer read_pre_tokenizer(const Value& value) {
  return read_stage(value, kPreTokenizers, "pre-tokenizer");
}

}  // namespace attn

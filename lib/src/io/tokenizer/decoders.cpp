// The decoders of tokenizer.json: from tokens back to text.
#include <charconv>
#include <optional>

#include "io/tokenizer/byte_letters.hpp"
#include "io/tokenizer/cut.hpp"
#include "io/tokenizer/stage.hpp"

namespace attn {
namespace {

using json::Value;

std::string joined(const Pieces& pieces) {
  std::string text;
  for (const std::string& piece : pieces) text += piece;
  return text;
}

Decoder decoder_byte_level(const Value&) {
  return [](const Pieces& tokens) {
    std::string bytes;
    for (const std::string& token : tokens) bytes += bytes_of_letters(token);
    return Pieces{unicode::valid_text(bytes)};
  };
}

Decoder decoder_fuse(const Value&) {
  return [](const Pieces& tokens) { return Pieces{joined(tokens)}; };
}

Decoder decoder_replace_each(const Value& value) {
  return [replace = read_replace(value)](Pieces tokens) {
    for (std::string& token : tokens) token = replace(std::move(token));
    return tokens;
  };
}

/// The byte of "<0xE2>".
std::optional<char> byte_of(std::string_view token) {
  unsigned byte = 0;
  if (token.size() != 6 || !token.starts_with("<0x") || token.back() != '>') return std::nullopt;
  const char* const end = token.data() + 5;
  const auto [at, failed] = std::from_chars(token.data() + 3, end, byte, 16);
  return at == end ? std::optional(static_cast<char>(byte)) : std::nullopt;
}

/// A run of bytes is text if all of it is; else each byte is U+FFFD.
void end_run(std::string& run, Pieces& made) {
  if (run.empty()) return;
  if (unicode::valid_text(run) == run) {
    made.push_back(run);
  } else {
    made.insert(made.end(), run.size(), "\uFFFD");
  }
  run.clear();
}

Decoder decoder_byte_fallback(const Value&) {
  return [](const Pieces& tokens) {
    Pieces made;
    std::string run;
    for (const std::string& token : tokens) {
      if (const std::optional<char> byte = byte_of(token)) {
        run += *byte;
        continue;
      }
      end_run(run, made);
      made.push_back(token);
    }
    end_run(run, made);
    return made;
  };
}

/// Up to `start` and `stop` times "content" at the ends of each piece.
Decoder decoder_strip(const Value& value) {
  const std::string content = text_at(value, "content", " ");
  const Index start = count_at(value, "start", 0), stop = count_at(value, "stop", 0);
  return [=](Pieces tokens) {
    for (std::string& token : tokens) {
      std::string_view rest = token;
      for (Index i = 0; i < start && !content.empty() && rest.starts_with(content); ++i)
        rest.remove_prefix(content.size());
      for (Index i = 0; i < stop && !content.empty() && rest.ends_with(content); ++i)
        rest.remove_suffix(content.size());
      token = std::string(rest);
    }
    return tokens;
  };
}

Decoder decoder_metaspace(const Value& value) {
  const std::string mark = text_at(value, "replacement", "▁");
  const bool add = flag_at(value, "add_prefix_space", true);
  const bool drops = text_at(value, "prepend_scheme", add ? "always" : "never") != "never";
  return [=](Pieces tokens) {
    for (std::size_t i = 0; i < tokens.size(); ++i) {
      tokens[i] = replaced(tokens[i], mark, " ");
      if (i == 0 && drops && tokens[i].starts_with(' ')) tokens[i].erase(0, 1);
    }
    return tokens;
  };
}

/// No spaces before signs, as in English.
std::string tidied(std::string text) {
  constexpr std::pair<const char*, const char*> kSigns[] = {
      {" .", "."},     {" ?", "?"},     {" !", "!"},          {" ,", ","},
      {" ' ", "'"},    {" n't", "n't"}, {" 'm", "'m"},        {" 's", "'s"},
      {" 've", "'ve"}, {" 're", "'re"}, {" do not", " don't"}};
  for (const auto& [from, to] : kSigns) text = replaced(text, from, to);
  return text;
}

Decoder decoder_word_piece(const Value& value) {
  const std::string prefix = text_at(value, "prefix", "##");
  const bool tidies = flag_at(value, "cleanup", true);
  return [=](Pieces tokens) {
    for (std::size_t i = 0; i < tokens.size(); ++i) {
      if (i > 0) {
        const bool goes_on = tokens[i].starts_with(prefix);
        tokens[i] = goes_on ? tokens[i].substr(prefix.size()) : " " + tokens[i];
      }
      if (tidies) tokens[i] = tidied(tokens[i]);
    }
    return tokens;
  };
}

Decoder decoder_suffix(const Value& value) {
  const std::string suffix = text_at(value, "suffix", "</w>");
  return [=](Pieces tokens) {
    for (std::size_t i = 0; i < tokens.size() && !suffix.empty(); ++i)
      tokens[i] = replaced(tokens[i], suffix, i + 1 == tokens.size() ? "" : " ");
    return tokens;
  };
}

Decoder decoder_sequence(const Value& value) {
  const std::vector<Decoder> all = read_stages(value, "decoders", read_decoder);
  return [all](Pieces tokens) {
    for (const Decoder& each : all) tokens = each(std::move(tokens));
    return tokens;
  };
}

constexpr StageRow<Decoder> kDecoders[] = {
    {"ByteLevel", decoder_byte_level},
    {"ByteFallback", decoder_byte_fallback},
    {"Fuse", decoder_fuse},
    {"Replace", decoder_replace_each},
    {"Strip", decoder_strip},
    {"Metaspace", decoder_metaspace},
    {"WordPiece", decoder_word_piece},
    {"BPEDecoder", decoder_suffix},
    {"Sequence", decoder_sequence},
};

}  // namespace

Decoder read_decoder(const Value& value) { return read_stage(value, kDecoders, "decoder"); }

}  // namespace attn

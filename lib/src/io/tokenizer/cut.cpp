// Splits a text, and keeps or drops what it was split at.
#include "io/tokenizer/cut.hpp"

#include <utility>

namespace attn {

CutAt cut_text(std::string part) {
  return [part = std::move(part)](const std::string& text) {
    std::vector<Cut> cuts;
    if (part.empty()) return cuts;
    for (std::size_t at = text.find(part); at != text.npos; at = text.find(part, at + part.size()))
      cuts.push_back({at, at + part.size()});
    return cuts;
  };
}

CutAt cut_published(const Pattern* pattern) {
  return [pattern](const std::string& text) {
    std::vector<Cut> cuts;
    Glyphs glyphs = glyphs_of(text);
    const std::size_t size = glyphs.size();
    const auto offset = [&](std::size_t i) { return i < size ? glyphs[i].offset : text.size(); };
    for (std::size_t at = 0; at < size;) {
      const std::size_t end = pattern->match(glyphs, at);
      if (end > at) cuts.push_back({offset(at), offset(end)});
      at = end > at ? end : at + 1;
    }
    return cuts;
  };
}

CutAt cut_pattern(const json::Value& regex) {
  const std::string& text = json::read_text(regex);
  if (const Pattern* pattern = published_pattern(text)) return cut_published(pattern);
  throw unsupported(regex, "the pattern " + text,
                    {"the patterns of GPT-2, GPT-4, Llama 3, Qwen, gpt-oss, DeepSeek V3, Mistral",
                     "a text to split at ({\"String\": \" \"})"});
}

CutAt between(CutAt cut) {
  return [cut = std::move(cut)](const std::string& text) {
    std::vector<Cut> others;
    std::size_t at = 0;
    for (const Cut& each : cut(text)) {
      if (each.begin > at) others.push_back({at, each.begin});
      at = each.end;
    }
    if (at < text.size()) others.push_back({at, text.size()});
    return others;
  };
}

namespace {

/// With those that touch made one.
std::vector<Cut> joined(const std::vector<Cut>& cuts) {
  std::vector<Cut> made;
  for (const Cut& cut : cuts) {
    if (!made.empty() && made.back().end == cut.begin) {
      made.back().end = cut.end;
    } else {
      made.push_back(cut);
    }
  }
  return made;
}

}  // namespace

void split_at(const std::string& text, const std::vector<Cut>& cuts, Keep keep, Pieces& pieces) {
  if (keep == Keep::Together) return split_at(text, joined(cuts), Keep::Apart, pieces);
  std::size_t begin = 0;  // of the piece that is not complete
  const auto add = [&](std::size_t end) {
    if (end > begin) pieces.push_back(text.substr(begin, end - begin));
    begin = end;
  };
  for (const Cut& cut : cuts) {
    if (keep != Keep::WithPrevious) add(cut.begin);
    if (keep == Keep::Nothing) begin = cut.end;
    if (keep != Keep::WithNext) add(cut.end);
  }
  add(text.size());
}

std::string replaced(std::string_view text, std::string_view from, std::string_view to) {
  std::string made;
  std::size_t at = 0;
  for (std::size_t found; (found = text.find(from, at)) != text.npos; at = found + from.size())
    made.append(text.substr(at, found - at)).append(to);
  return made.append(text.substr(at));
}

}  // namespace attn

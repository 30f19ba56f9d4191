// The known mistakes for other programs.
#include "attn/io/sheet_file.hpp"
#include "attn/teach/mistakes.hpp"
#include "io/json/writer.hpp"

namespace attn {

std::string mistakes_json() {
  json::Writer out;
  const auto write = [&](const Mistake& mistake) {
    out.add("code", mistake.code).add("title", mistake.title);
    out.add("explanation", mistake.explanation).add("hint", mistake.hint).add("see", mistake.see);
    out.add("fix", mistake_fix(mistake.code));
  };
  constexpr auto kLines = json::Layout::Lines;
  return out.objects(mistakes(), kLines, write, kLines).text() + "\n";
}

}  // namespace attn

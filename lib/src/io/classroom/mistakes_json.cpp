// The known mistakes for other programs.
#include "attn/mistakes.hpp"
#include "attn/sheet_file.hpp"
#include "io/json/writer.hpp"

namespace attn {

std::string mistakes_json() {
  std::vector<json::Text> items;
  for (const Mistake& mistake : mistakes()) {
    items.push_back(json::object_lines({{"code", json::quoted(mistake.code)},
                                        {"title", json::quoted(mistake.title)},
                                        {"explanation", json::quoted(mistake.explanation)},
                                        {"hint", json::quoted(mistake.hint)},
                                        {"see", json::quoted(mistake.see)}},
                                       json::kStep));
  }
  return json::lines_text(items, 0, "[]") + "\n";
}

}  // namespace attn

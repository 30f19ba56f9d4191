// Writes what a model generated: a line for each token.
#include "attn/phrases.hpp"
#include "attn/render/generation_report.hpp"
#include "core/text/thousands.hpp"
#include "render/terminal/number.hpp"

namespace attn {
namespace {

/// Words, with spaces between them.
std::string joined(const std::vector<std::string>& words) { return separated(words, " "); }

/// What the model read, and what it added: text where the tokenizer is known, else words.
std::string continued(const Generation& generation, const std::vector<std::string>& words) {
  const std::string& text = generation.text;
  if (text.empty() || !text.starts_with(generation.prompt_text))
    return joined(generation.prompt) + " → " + joined(words);
  return generation.prompt_text + " → " + text.substr(generation.prompt_text.size());
}

}  // namespace

Document generation_document(const Generation& generation, const std::string& title,
                             int precision) {
  Document document;
  document.precision = precision;
  document.blocks.emplace_back(Title{title.empty() ? "Generated tokens" : title, {}, {}});
  std::vector<std::string> words;
  Table table{
      {"", "token", "probability", "next best", "probability", "multiplications", "without cache"},
      {},
      2};
  double with = 0.0, without = 0.0;
  for (std::size_t i = 0; i < generation.tokens.size(); ++i) {
    const GeneratedToken& t = generation.tokens[i];
    const auto share = [&](double x) { return format_number(x, {precision, false}); };
    table.rows.push_back({std::to_string(i + 1), t.token, share(t.probability), t.runner_up_token,
                          share(t.runner_up_probability), in_thousands(t.multiplications),
                          in_thousands(t.multiplications_without_cache)});
    words.push_back(t.token);
    with += t.multiplications;
    without += t.multiplications_without_cache;
  }
  document.blocks.emplace_back(Paragraph{continued(generation, words)});
  document.blocks.emplace_back(std::move(table));
  std::string text;
  if (generation.end == GenerationEnd::EndToken) text = "The last token is the end token. ";
  if (generation.end == GenerationEnd::Positions) {
    text = filled("The model has {} positions, so there is no room for more. ",
                  generation.prompt.size() + generation.tokens.size() - 1);
  }
  text += filled("Multiplications: {} in all", in_thousands(with));
  if (without > with)
    text += filled(", {} without the cache of keys and values", in_thousands(without));
  document.blocks.emplace_back(Paragraph{text + "."});
  for (const std::string& note : generation.notes)
    document.blocks.emplace_back(Paragraph{note, Role::Note});
  return document;
}

}  // namespace attn

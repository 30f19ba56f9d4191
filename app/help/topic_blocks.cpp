// The parts of topics that are made from the program's own tables.
#include <array>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "attn/mask.hpp"
#include "attn/phrases.hpp"
#include "attn/problem.hpp"
#include "attn/problem_options.hpp"
#include "attn/render/markdown.hpp"
#include "attn/trace.hpp"
#include "help/error_pages.hpp"
#include "help/help.hpp"
#include "help/topics.hpp"
#include "options/option_row.hpp"
#include "options/shared_options.hpp"

namespace attn::app {
namespace {

using Blocks = std::vector<Block>;

/// Who may attend to whom among five tokens.
Grid mask_picture(const char* mask) {
  constexpr Index kTokens = 5;
  ProblemDraft draft;
  draft.q = draft.k = draft.v = Array{{kTokens, 1}, std::vector<double>(kTokens, 1.0)};
  draft.masks = {parse_mask(mask)};
  const Problem problem = make_problem(draft);
  Grid grid;
  grid.caption = mask;
  for (Index i = 0; i < kTokens; ++i) {
    const bool kept = !problem->kept_queries || problem->kept_queries->at({0, 0, i, 0}) != 0.0;
    grid.row_labels.push_back(std::to_string(i));
    grid.col_labels.push_back(std::to_string(i));
    for (Index j = 0; j < kTokens; ++j) {
      const bool seen =
          !problem->visibility || problem->visibility->allowed.at({0, 0, i, j}) != 0.0;
      grid.numbers.push_back(1.0);
      grid.kinds.push_back(kept && seen ? CellKind::Number : CellKind::HiddenWeight);
    }
  }
  return grid;
}

Blocks mask_pictures() {
  Blocks blocks{
      Paragraph{.text = "Five tokens, one row per query; a dot is hidden:", .apart = true}};
  for (const char* mask : {"causal", "window:1", "window:1,1", "prefix:2", "padding:3-4", "keys:1",
                           "queries:4", "documents:3,2"})
    blocks.emplace_back(mask_picture(mask));
  return blocks;
}

Blocks rows_of_steps(bool of_model) {
  Blocks blocks;
  for (const StepSection& section : step_sections()) {
    if (section.of_model != of_model) continue;
    Table table{.header = {"", "", ""}, .rows = {}, .texts = 3, .hangs = true};
    for (const std::string& id : section.ids) {
      const StepInfo& info = *find_step_info(id);
      table.rows.push_back({id, info.symbol, info.phrase});
    }
    blocks.emplace_back(Title{.text = section.heading, .level = 2});
    blocks.emplace_back(table);
  }
  return blocks;
}

Blocks step_rows() { return rows_of_steps(false); }

Blocks model_step_rows() { return rows_of_steps(true); }

/// The codes that begin alike in one row; those that begin like no other, together.
Blocks mistake_rows() {
  Table table = terms({});
  std::map<std::string, std::size_t> rows;
  for (const Mistake& mistake : mistakes()) {
    const std::string code = mistake.code;
    const std::size_t dot = code.find('.');
    const auto [at, is_new] = rows.try_emplace(code.substr(0, dot), table.rows.size());
    if (is_new) table.rows.push_back({at->first, ""});
    std::string& names = table.rows[at->second][1];
    names += (names.empty() ? "" : ", ") + code.substr(dot + 1);
  }
  std::vector<std::string> alone;
  std::erase_if(table.rows, [&](const std::vector<std::string>& row) {
    const bool single = row[1].find(',') == std::string::npos;
    if (single) alone.push_back(row[0] + "." + row[1]);
    return single;
  });
  table.rows.push_back({"others", listed(alone, alone.size())});
  return {
      Paragraph{.text = "A code is a word from the left column, a dot, and a word to its right:",
                .apart = true},
      table};
}

Blocks key_rows() {
  Blocks blocks;
  for (const KeyGroup& group : key_examples()) {
    Table table = terms({});
    table.commands = true;
    for (const KeyExample& key : group.keys)
      table.rows.push_back({std::string(key.json), std::string(key.says)});
    blocks.emplace_back(Title{.text = group.heading, .level = 2});
    blocks.emplace_back(table);
  }
  return blocks;
}

/// What can be set about a problem, by its name after --set.
Blocks setting_rows() {
  Command command;
  ProblemOptions options;
  add_problem_options(command, options);
  Table table = terms({});
  for (const OptionRow& row : command.options) {
    const std::string name = names_of(row).back().substr(2);
    if (name == "set") continue;
    const std::vector<std::string> choices = unnamed_choices(row);
    table.rows.push_back({name + "=" + row.value, row.help});
    if (!choices.empty()) table.rows.push_back({"", separated(choices, ", ")});
  }
  return {table};
}

Blocks variable_rows() {
  Table table = terms({});
  for (const Variable& each : variables()) table.rows.push_back({each.name, each.says});
  return {Paragraph{.text = "Environment variables, which options override:", .apart = true},
          table};
}

Blocks error_rows() {
  std::vector<std::pair<std::string, std::string>> groups;
  for (const ErrorPage& page : error_pages()) {
    if (groups.empty() || groups.back().first != page.group) groups.push_back({page.group, ""});
    std::string& words = groups.back().second;
    words += (words.empty() ? "" : ", ") + page.id;
  }
  Blocks blocks;
  for (const auto& [group, words] : groups) {
    blocks.emplace_back(Title{.text = group, .level = 2});
    blocks.emplace_back(Paragraph{words});
  }
  return blocks;
}

/// The first name of each entry of docs/words.md.
Blocks word_names() {
  std::string names;
  for (const Block& block : read_markdown(words_files().front().text).blocks) {
    const auto* title = std::get_if<Title>(&block);
    if (title == nullptr || title->level != 2) continue;
    names += (names.empty() ? "" : ", ") + title->text.substr(0, title->text.find(','));
  }
  return {Paragraph{.text = "attn help NAME explains a word: " + names + ".", .apart = true}};
}

struct TopicBlocks {
  std::string_view name;  // in the comment of a page
  Blocks (*blocks)();
};
constexpr std::array kTopicBlocks{
    TopicBlocks{"pictures of masks", mask_pictures},
    TopicBlocks{"steps", step_rows},
    TopicBlocks{"mistakes", mistake_rows},
    TopicBlocks{"keys", key_rows},
    TopicBlocks{"variables", variable_rows},
    TopicBlocks{"errors", error_rows},
    TopicBlocks{"steps of models", model_step_rows},
    TopicBlocks{"settings", setting_rows},
    TopicBlocks{"words", word_names},
};

}  // namespace

std::optional<std::vector<Block>> topic_blocks(const std::string& comment) {
  if (comment.starts_with("also: ")) return Blocks{};
  const TopicBlocks* row = find_row(kTopicBlocks, comment);
  if (row == nullptr) return std::nullopt;
  return row->blocks();
}

Document mistake_page(const Mistake& mistake) {
  Table table = terms({});
  if (*mistake.hint != '\0') table.rows.push_back({"ask yourself", mistake.hint});
  const char* fix = mistake_fix(mistake.code);
  if (*fix != '\0') table.rows.push_back({"to mend it", fix});
  if (*mistake.see != '\0') table.rows.push_back({"more", std::string("attn help ") + mistake.see});
  Document page{{Title{"attn help " + std::string(mistake.code) + " - " + mistake.title},
                 Paragraph{.text = mistake.explanation, .apart = true}}};
  if (!table.rows.empty()) page.blocks.emplace_back(table);
  page.blocks.emplace_back(Paragraph{"attn help mistakes lists all of these codes.", Role::Footer});
  return page;
}

}  // namespace attn::app

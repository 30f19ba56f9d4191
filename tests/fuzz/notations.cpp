// What is recognised in any bytes, lists of numbers, and the notations of single settings.
#include "attn/core/memory_budget.hpp"
#include "attn/io/answers_file.hpp"
#include "attn/io/problem_file.hpp"
#include "attn/io/sheet_file.hpp"
#include "attn/io/tensor_file.hpp"
#include "attn/mask.hpp"
#include "attn/setting_names.hpp"
#include "attn/teach/gradebook.hpp"
#include "files/input.hpp"
#include "fuzz.hpp"

using namespace attn;

void try_input(std::string_view bytes) {
  for (const char* name : {"a.csv", "a.npz", "a"}) app::kind_of(bytes, name);
  holds_answers(bytes);
  is_of_class(bytes);
  fuzz::attempt([&] {
    const Array array = parse_array(bytes, "rows.json");
    fuzz::require(array.shape.size() > 1, "lists of lists have two axes or more");
  });
  fuzz::attempt([&] { parse_array(bytes, "matrix.txt"); });
  fuzz::attempt([&] {
    const BlankRule rule = parse_blank_rule(bytes);
    fuzz::require(blank_rule_text(parse_blank_rule(blank_rule_text(rule))) == blank_rule_text(rule),
                  "a rule comes back as it was");
  });
  fuzz::attempt([&] { parse_memory_size(bytes); });
  fuzz::attempt([&] { parse_scale(bytes); });
  const MaskSpec mask = parse_mask(bytes);
  fuzz::require(parse_mask(mask.text).text == mask.text, "a mask comes back as it was");
}

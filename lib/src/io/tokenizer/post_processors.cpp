// The post-processors of tokenizer.json: the special tokens before and after those of a text.
#include "io/tokenizer/stage.hpp"

namespace attn {
namespace {

using json::Value;

/// ids before and after those of the text.
PostProcessor surrounding(std::vector<Index> before, std::vector<Index> after) {
  return [before = std::move(before), after = std::move(after)](const std::vector<Index>& ids) {
    std::vector<Index> all = before;
    all.insert(all.end(), ids.begin(), ids.end());
    all.insert(all.end(), after.begin(), after.end());
    return all;
  };
}

/// The number in ["[CLS]", 101].
Index id_of_pair(const Value& value) {
  const auto* items = std::get_if<json::Items>(&value.node.value);
  if (items && items->size() == 2)
    return json::read_count({value.file, items->back(), value.pointer + "/1"}, 0);
  throw json::wrong_type(value.file, value.pointer, "a token and its id", kDownloadTokenizer);
}

PostProcessor processor_pair(const Value& value) {
  return surrounding({id_of_pair(required(value, "cls"))}, {id_of_pair(required(value, "sep"))});
}

PostProcessor processor_none(const Value&) {
  return [](std::vector<Index> ids) { return ids; };
}

/// {"single": [{"SpecialToken": {"id": "<s>"}}, {"Sequence": {"id": "A"}}], "special_tokens": …}
PostProcessor processor_template(const Value& value) {
  std::vector<Index> before, after;
  bool past_text = false;
  for (const Value& item : items_at(value, "single")) {
    if (member(item, "Sequence")) {
      past_text = true;
      continue;
    }
    const std::string name = json::read_text(required(required(item, "SpecialToken"), "id"));
    const Value token = required(required(value, "special_tokens"), name);
    const std::vector<Index> ids = json::read_counts(required(token, "ids"), 0);
    std::vector<Index>& side = past_text ? after : before;
    side.insert(side.end(), ids.begin(), ids.end());
  }
  return surrounding(std::move(before), std::move(after));
}

PostProcessor processor_sequence(const Value& value) {
  const std::vector<PostProcessor> all = read_stages(value, "processors", read_post_processor);
  return [all](std::vector<Index> ids) {
    for (const PostProcessor& each : all) ids = each(std::move(ids));
    return ids;
  };
}

constexpr StageRow<PostProcessor> kPostProcessors[] = {
    {"TemplateProcessing", processor_template}, {"BertProcessing", processor_pair},
    {"RobertaProcessing", processor_pair},      {"ByteLevel", processor_none},
    {"Sequence", processor_sequence},
};

}  // namespace

PostProcessor read_post_processor(const Value& value) {
  return read_stage(value, kPostProcessors, "post-processor");
}

}  // namespace attn

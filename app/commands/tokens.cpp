// attn tokens: a text as the tokens of a model, and the way back.
#include <algorithm>
#include <filesystem>
#include <memory>
#include <sstream>

#include "attn/io/samples.hpp"
#include "attn/io/tokenizer.hpp"
#include "attn/language.hpp"
#include "attn/phrases.hpp"
#include "attn/render/text.hpp"
#include "files/files.hpp"
#include "files/input.hpp"
#include "files/read_problem.hpp"
#include "files/read_tokenizer.hpp"
#include "options/shared_options.hpp"

namespace attn::app {
namespace {

constexpr std::int64_t kLargestId = 2147483647;

struct Tokens {
  std::optional<std::string> text;
  std::optional<std::vector<Index>> decoded;  ///< ids to turn into text
  std::string tokenizer;
  double max_memory = kUsualMemory;
  TextOptions look;
  OutputOptions output;
};

/// The ids of "464,3797", "464 3797" and "[464, 3797]".
std::vector<Index> ids_in(const GivenValue& given) {
  std::string spaced = given.value;
  std::replace_if(
      spaced.begin(), spaced.end(), [](char c) { return c == ',' || c == '[' || c == ']'; }, ' ');
  std::istringstream parts(spaced);
  std::vector<Index> ids;
  for (std::string part; parts >> part;)
    ids.push_back(static_cast<Index>(whole_number({given.name, part, given.mark}, 0, kLargestId)));
  if (ids.empty()) whole_number(given, 0, kLargestId);  // which says what is expected
  return ids;
}

Tokenizer tokenizer_of(const Tokens& o, const Streams& streams) {
  if (!o.tokenizer.empty()) return read_tokenizer(o.tokenizer, streams, o.max_memory);
  const Sample& sample = sample_tokenizers().front();
  return Tokenizer::read(sample.text, std::string(sample.name));
}

std::string text_to_split(const Tokens& o, const Streams& streams) {
  if (!o.text) {
    throw usage_error("missing-value", "attn tokens needs a text, or ids with --decode",
                      "Write attn tokens \"The cat sat\"; attn tokens - reads standard input.");
  }
  return *o.text == "-" ? text_of(*o.text, streams, o.max_memory) : *o.text;
}

/// A row for each token: what it stands for, what the vocabulary calls it, and its id.
Document document_of(const Tokens& o, const Tokenizer& tokenizer, const std::vector<Index>& ids,
                     const std::string& text, const std::vector<std::string>& notes) {
  Document document;
  Table table{{"", translated("text"), translated("token"), "id"}, {}, 3};
  for (std::size_t i = 0; i < ids.size(); ++i) {
    table.rows.push_back({std::to_string(i), tokenizer.shown(ids[i]), tokenizer.token(ids[i]),
                          std::to_string(ids[i])});
  }
  const std::string name =
      o.tokenizer.empty() ? translated("attn's own English tokenizer") : o.tokenizer;
  document.blocks.emplace_back(
      Title{translated(o.decoded ? "The text of tokens" : "The tokens of a text"),
            {},
            {translated_count(std::ssize(ids), "token"), translated_count(std::ssize(text), "byte"),
             name}});
  if (o.decoded) {
    Code code;
    for (std::size_t at = 0; at <= text.size();) {
      const std::size_t end = std::min(text.find('\n', at), text.size());
      code.lines.push_back(text.substr(at, end - at));
      at = end + 1;
    }
    document.blocks.emplace_back(std::move(code));
  }
  for (const std::string& note : notes)
    document.blocks.emplace_back(Paragraph{translated_sentence(note), Role::Note});
  if (!ids.empty()) document.blocks.emplace_back(std::move(table));
  return document;
}

void run_tokens(const Tokens& o, const Streams& streams) {
  const std::vector<Target> targets = targets_of(o.output, streams);
  const Tokenizer tokenizer = tokenizer_of(o, streams);
  std::vector<Index> ids;
  std::vector<std::string> notes;
  std::string text;
  if (o.decoded) {
    ids = *o.decoded;
    text = tokenizer.decode(ids);
  } else {
    text = text_to_split(o, streams);
    ids = tokenizer.encode(text);
    notes = text_notes(tokenizer, text);
  }
  write_targets(targets, streams, [&](const Target& target, const Sink& sink) {
    if (target.format->document != nullptr) {
      return write_document(document_of(o, tokenizer, ids, text, notes), target, o.look, o.output,
                            streams, sink);
    }
    shown_json(sink, streams)(tokens_json(tokenizer, ids, notes));
  });
}

}  // namespace

Command tokens_command() {
  auto o = std::make_shared<Tokens>();
  Command command;
  command.examples = {{"attn tokens cats", "what a model reads in place of a word"},
                      {"attn tokens cats --json", "the ids alone, for other programs"},
                      {"attn tokens --decode 66,64,83", "the way back, from ids to text"}};
  command.operand = "[TEXT]";
  command.operand_examples = [] { return std::vector<std::string>(); };
  command.set_operand = [o](const std::string& text) { o->text = text; };
  command.usual = {"--tokenizer", "--decode", "--json", "--output"};
  add_rows(command, Group::Own,
           {file("--tokenizer", "FILE", "the tokenizer.json of a model, or its folder",
                 PathUse::Input, o->tokenizer),
            list(text("--decode", "IDS", "the text of these ids: 464,3797",
                      [o](const GivenValue& given) {
                        o->decoded = parsed(given, [&](const auto&) { return ids_in(given); });
                      }),
                 List::Commas),
            max_memory_row(o->max_memory)});
  add_report_options(command, o->look);
  add_output_options(command, o->output, is_report);
  command.run = [o](const Streams& streams) {
    if (o->text && o->decoded) {
      const bool id = o->text->find_first_not_of("0123456789,") == std::string::npos;
      std::string ids;
      for (const Index each : *o->decoded) ids += std::to_string(each) + ",";
      throw usage_error("option-conflict", "--decode turns ids into text, and a text is given, too",
                        id ? "Write --decode " + ids + *o->text + "." : kKeepOne);
    }
    run_tokens(*o, streams);
  };
  return command;
}

}  // namespace attn::app

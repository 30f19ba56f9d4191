// The tokenizer of a GGUF file, in the words of a tokenizer.json.
#include <algorithm>
#include <iterator>
#include <optional>

#include "attn/hugging_face.hpp"
#include "attn/phrases.hpp"
#include "io/arrays/gguf.hpp"
#include "io/arrays/tensor_error.hpp"
#include "io/json/writer.hpp"
#include "io/tokenizer/pattern.hpp"

namespace attn {
namespace {

/// How a text is split and encoded: "tokenizer.ggml.pre".
struct PreRow {
  std::string_view name;
  std::vector<const char*> patterns;  ///< rows of the table of published patterns
  bool nfc = false, whole_first = false, adds_first = false;
};

const std::vector<PreRow>& pre_rows() {
  static const std::vector<PreRow> kRows = {
      {"gpt-2", {"GPT-2"}},
      {"llama-bpe", {"Llama 3"}, false, true, true},
      {"qwen2", {"Qwen 2"}, true},
      {"gpt-4o", {"GPT-4o"}, false, true},
      {"deepseek-v3", {"DeepSeek V3: digits", "DeepSeek V3: Han and Kana", "DeepSeek V3"}},
  };
  return kRows;
}

constexpr double kControl = 3, kUserDefined = 4;  // "tokenizer.ggml.token_type"

/// The keys of a file that are about its tokenizer.
struct GgufTokens {
  const GgufFile& file;
  const std::string& name;

  Error error(const char* id, const std::string& what) const {
    return tensor_error({name}, id, what, "Give the model's tokenizer.json instead.");
  }
  template <class T>
  const T* find(const char* key) const {
    const auto at = file.metadata.find(std::string("tokenizer.ggml.") + key);
    return at == file.metadata.end() ? nullptr : std::get_if<T>(&at->second);
  }
  template <class T>
  const T& required(const char* key) const {
    if (const T* found = find<T>(key)) return *found;
    throw error("gguf-format", std::string("its header has no tokenizer.ggml.") + key);
  }
  const std::vector<std::string>& tokens() const {
    return required<std::vector<std::string>>("tokens");
  }
  /// The token that is added to each text where `flag` is set; nothing if none is.
  std::optional<Index> added(const char* flag, bool usual, const char* key) const {
    const bool* given = find<bool>(flag);
    if (!(given ? *given : usual)) return std::nullopt;
    const double id = required<double>(key);
    if (id >= 0 && id < static_cast<double>(tokens().size())) return static_cast<Index>(id);
    throw error("gguf-format", std::string("its tokenizer.ggml.") + key + " is the id of no token");
  }
};

const PreRow& pre_of(const GgufTokens& given) {
  const std::string& model = given.required<std::string>("model");
  if (model != "gpt2") {
    throw given.error(
        "not-supported",
        "attn reads tokenizers of the model \"gpt2\" from GGUF, not " + excerpt(model));
  }
  const std::string& pre = given.required<std::string>("pre");
  std::vector<std::string> known;
  for (const PreRow& row : pre_rows()) {
    if (row.name == pre) return row;
    known.emplace_back(row.name);
  }
  throw given.error("not-supported",
                    "attn splits texts like " + either(known) + ", not like " + excerpt(pre));
}

/// Tokens that are found in a text before it is split.
void write_added_tokens(json::Writer& out, const GgufTokens& given) {
  const auto* types = given.find<std::vector<double>>("token_type");
  const std::vector<std::string>& tokens = given.tokens();
  if (types && types->size() != tokens.size())
    throw given.error("gguf-format", "it has " + counted(std::ssize(tokens), "token") + ", but " +
                                         counted(std::ssize(*types), "type") + " of tokens");
  std::vector<std::size_t> added;
  for (std::size_t i = 0; types && i < types->size(); ++i) {
    if ((*types)[i] == kControl || (*types)[i] == kUserDefined) added.push_back(i);
  }
  out.key("added_tokens").objects(added, json::Layout::Lines, [&](std::size_t id) {
    out.add("id", id).add("content", tokens[id]).add("normalized", false);
    out.add("special", (*types)[id] == kControl);
  });
}

/// Special tokens before and after a text.
void write_post_processor(json::Writer& out, const GgufTokens& given, const PreRow& pre) {
  struct End {
    const char* name;
    std::optional<Index> id;
  };
  const End first{"first", given.added("add_bos_token", pre.adds_first, "bos_token_id")},
      last{"last", given.added("add_eos_token", false, "eos_token_id")};
  const auto item = [&](const char* kind, const char* id) {
    out.object(json::Layout::Row,
               [&] { out.key(kind).object(json::Layout::Row, [&] { out.add("id", id); }); });
  };
  out.key("post_processor").object(json::Layout::Lines, [&] {
    out.add("type", "TemplateProcessing");
    out.key("single").list(std::vector{&first, &last}, json::Layout::Row, [&](const End* end) {
      if (end == &last) item("Sequence", "A");
      if (end->id) item("SpecialToken", end->name);
    });
    out.key("special_tokens").object(json::Layout::Row, [&] {
      for (const End& end : {first, last}) {
        if (!end.id) continue;
        out.key(end.name).object(json::Layout::Row,
                                 [&] { out.add("ids", std::vector<Index>{*end.id}); });
      }
    });
  });
}

std::string tokenizer_of(const GgufTokens& given) {
  const PreRow& pre = pre_of(given);
  return json::file_text(json::Layout::Lines, [&](json::Writer& out) {
    out.key("model").object(json::Layout::Lines, [&] {
      out.add("type", "BPE").add("ignore_merges", pre.whole_first);
      out.key("vocab").object(json::Layout::Row, [&] {
        Index id = 0;
        for (const std::string& token : given.tokens()) out.add(token, id++);
      });
      out.add("merges", given.required<std::vector<std::string>>("merges"));
    });
    if (pre.nfc) {
      out.key("normalizer").object(json::Layout::Row, [&] { out.add("type", "NFC"); });
    }
    out.key("pre_tokenizer").object(json::Layout::Lines, [&] {
      out.add("type", "Sequence");
      std::vector<const char*> stages = pre.patterns;
      stages.push_back(nullptr);
      out.key("pretokenizers").objects(stages, json::Layout::Lines, [&](const char* pattern) {
        if (pattern == nullptr) {
          out.add("type", "ByteLevel").add("add_prefix_space", false).add("use_regex", false);
          return;
        }
        out.add("type", "Split").add("behavior", "Isolated");
        out.key("pattern").object(json::Layout::Row,
                                  [&] { out.add("Regex", published_regex(pattern)); });
      });
    });
    out.key("decoder").object(json::Layout::Row, [&] { out.add("type", "ByteLevel"); });
    write_added_tokens(out, given);
    write_post_processor(out, given, pre);
  });
}

}  // namespace

Tokenizer read_gguf_tokenizer(std::string_view bytes, const std::string& name,
                              const MakeRoom& room) {
  const GgufFile header = read_gguf_header(bytes, name, room);
  const std::string text = tokenizer_of({header, name});
  try {
    return Tokenizer::read(text, name);
  } catch (const Error& error) {  // its places are in a text that nobody has
    const Diagnostic& first = error.diagnostics().front();
    throw tensor_error({name}, first.id, first.what, "Convert the model again.");
  }
}

}  // namespace attn

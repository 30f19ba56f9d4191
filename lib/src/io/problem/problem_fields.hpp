// One row for each key of a problem file.
// Reader, writer, options, messages, help and schema follow from it.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "attn/problem.hpp"
#include "attn/problem_options.hpp"
#include "io/json/expectation.hpp"
#include "io/json/value.hpp"
#include "io/json/writer.hpp"

namespace attn {

struct ProblemKey;

/// What the values of several keys have in common.
struct KeyKind {
  json::Expectation whole;    ///< what the value is
  json::Expectation item;     ///< what is in the list, if it is one
  const char* schema = "";    ///< its rules; if empty, they follow from the words or the inner keys
  json::ArrayForm form = {};  ///< of numbers
  Index least = 1;            ///< of a count
  bool positive = false;      ///< a number above 0
  bool by_name = false;       ///< an object with keys of any name, each with numbers
};

/// How the value gets into a draft and out of it; field_row.hpp makes one for a plain member.
struct KeyField {
  void (*read)(const json::Value& value, const ProblemKey& key, ProblemDraft& draft);
  /// Adds the member `key`; nothing if the value is the default.
  void (*write)(json::Writer& out, std::string_view key, const ProblemDraft& draft);
  /// Takes the value from the text of an option.
  void (*apply)(const std::string& text, const ProblemKey& key, ProblemDraft& draft) = nullptr;
  std::vector<std::string> (*words)() = nullptr;  ///< the only values; the default first
  /// Replaces the array, or removes it, and returns the old one: for .npz and .safetensors.
  /// Throws Error for numbers that the key cannot take.
  std::optional<Array> (*exchange)(ProblemDraft& draft, const ProblemKey& key,
                                   std::optional<Array> array) = nullptr;
  /// Makes the optional object that holds it; nullptr for fields with a reader of their own.
  void (*make_owner)(ProblemDraft& draft) = nullptr;
};

/// The option that replaces the value.
struct KeyOption {
  const char* name = nullptr;
  const char* value = nullptr;
  const char* help = nullptr;
};

struct ProblemKey {
  std::string_view path;  ///< "softcap"; "past/k" for the key k of the object past
  const KeyKind& kind;
  KeyField field;
  const char* says = "";    ///< description in the schema
  KeyExample example = {};  ///< in attn help json
  KeyOption option = {};
  bool required = false;  ///< in its object

  std::string_view name() const { return path.substr(path.rfind('/') + 1); }
  std::string_view parent() const { return path.substr(0, path.size() - name().size()); }
  /// Whether the object around it is always there.
  bool may_stand_alone() const {
    return parent() == "masking/" || parent() == "positions/" || parent() == "qk_norm/";
  }
  std::string pointer() const { return "/" + std::string(path); }
};

// The tables, in the order of the file.
std::span<const ProblemKey> about_keys();
std::span<const ProblemKey> input_keys();
std::span<const ProblemKey> model_keys();
std::span<const ProblemKey> head_keys();
std::span<const ProblemKey> mask_keys();
std::span<const ProblemKey> score_keys();
std::span<const ProblemKey> number_keys();
std::span<const ProblemKey> scaling_keys();

/// All of them.
const std::vector<ProblemKey>& problem_keys();

/// The row of that path, or nullptr.
const ProblemKey* find_key(std::string_view path);

/// Reads the keys of the object at `parent`: "" or, for example, "past/". Throws Error.
void read_keys(const json::Value& object, std::string_view parent, ProblemDraft& draft);

/// Reads Hugging Face's "rope_scaling" or "rope_parameters" into the positions of a draft; where it
/// is an object for each type of layer, there must be one. Throws Error.
void read_rope_scaling(const json::Value& value, ProblemDraft& draft);

/// Throws Error (id "too-large"), before one is made, if the arrays that a problem describes exceed
/// the budget together; those in files are counted when they are read.
void check_described(const json::Node& problem, const MemoryBudget& budget);

/// Writes those keys that are not at their defaults, as members of an object.
void write_keys(json::Writer& out, std::string_view parent, const ProblemDraft& draft);

/// attn's own names of weights, in their usual order.
const std::vector<std::string>& own_weights();

}  // namespace attn

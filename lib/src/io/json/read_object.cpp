// Reads the keys of an object, and guesses the meaning of unknown ones.
#include "io/json/read_object.hpp"

#include <algorithm>
#include <utility>

#include "attn/phrases.hpp"
#include "attn/suggest.hpp"
#include "core/text/complaints.hpp"
#include "io/json/expectation.hpp"
#include "io/json/token.hpp"

namespace attn::json {
namespace {

/// Names of a key in other libraries.
struct Alias {
  const char* ours;           ///< empty: there is no such key
  const char* theirs;         ///< as `plain` writes them
  const char* fix = nullptr;  ///< if the values differ too
};
constexpr const char* kPolarity =
    "Write \"allowed\" instead; there, 1 means \"may attend\", the opposite of "
    "nn.MultiheadAttention's masks.";
constexpr const char* kCausal = "Write \"mask\": \"causal\".";
constexpr const char* kFollows = "Leave it out: it follows from the sizes of the matrices.";
constexpr const char* kNoDropout = "Leave it out: attn computes without dropout.";
constexpr Alias kAliases[] = {
    {"allowed", "attentionmask attnmask", kPolarity},
    {"mask", "causal iscausal", kCausal},
    {"heads", "numheads nheads nhead numattentionheads"},
    {"kv_heads", "numkvheads nkvheads numkeyvalueheads"},
    {"key_lengths", "seqlens lengths"},
    {"embeddings", "x embedding input inputs"},
    {"memory.embeddings", "memory"},  // in a file of tensors
    {"weights", "w"},
    {"softcap", "logitsoftcap"},
    {"base", "theta ropetheta"},
    {"", "dmodel dk dv headdim embeddim hiddensize seqlen batchsize", kFollows},
    {"", "dropout dropoutp", kNoDropout},
};

/// "wq" for W_q, Wq and w-q.
std::string plain(std::string_view key) {
  std::string letters = lowered(key);
  letters.erase(std::remove_if(letters.begin(), letters.end(),
                               [](char c) { return c == '_' || c == '-' || c == ' '; }),
                letters.end());
  return letters;
}

const Alias* find_alias(std::string_view key, const std::vector<std::string>& known) {
  const auto is_known = [&](const char* name) {
    return std::find(known.begin(), known.end(), name) != known.end();
  };
  const std::string word = " " + plain(key) + " ";
  for (const Alias& row : kAliases) {
    if ((" " + std::string(row.theirs) + " ").find(word) == std::string::npos) continue;
    return is_known(*row.ours == '\0' ? "embeddings" : row.ours) ? &row : nullptr;
  }
  return nullptr;
}

Diagnostic unknown_key(const Value& object, const Member& member, const std::vector<KeyName>& known,
                       MakeHomes make_homes, const char* root) {
  const std::string where = object.pointer.empty() ? root : object.pointer.substr(1);
  const Source& source = object.file.source;
  Diagnostic found{
      .id = "unknown-key",
      .what = "there is no key " + token_text(source.text, member.key_offset) + " in " + where,
      .places = {place_at(source, member.key_offset, child_pointer(object.pointer, member.key))}};
  const Homes homes = make_homes == nullptr ? Homes() : make_homes();
  const auto home = std::find_if(homes.begin(), homes.end(), [&](const auto& row) {
    return plain(row.first) == plain(member.key);
  });
  if (home != homes.end()) {
    found.what += "; \"" + home->first + "\" belongs in \"" + home->second + "\"";
    found.fix = "Write \"" + home->second + "\": {\"" + home->first + "\": ...}.";
    return found;
  }
  std::vector<std::string> names;
  for (const KeyName& key : known) names.emplace_back(key.name);
  const KeyGuess guess = guess_key(member.key, names);
  found.what += did_you_mean(guess.names);
  found.fix = !guess.names.empty() ? "Correct it, or begin it"
              : names.size() == 1
                  ? "Remove it, or begin it"
                  : "Use one of " + listed(names, names.size()) + "; or begin the key";
  found.fix += " with \"_\" to make it a comment.";
  if (!guess.fix.empty()) found.fix = guess.fix;
  return found;
}

Diagnostic missing_key(const Value& object, std::string_view name) {
  const std::string key(name);
  return {.id = "missing-key",
          .what = "expected the key \"" + key + "\", found an object without it",
          .places = {{.pointer = object.pointer}},
          .fix = "Add \"" + key + "\" to the object."};
}

}  // namespace

KeyGuess guess_key(std::string_view key, const std::vector<std::string>& known) {
  for (const std::string& name : known) {
    if (plain(name) == plain(key)) return {{name}, ""};
  }
  const Alias* alias = find_alias(key, known);
  if (!alias) return {suggestions(key, known), ""};
  const std::string ours = alias->ours;
  const std::string fix = alias->fix ? alias->fix : "Write \"" + ours + "\" instead.";
  return {ours.empty() ? std::vector<std::string>() : std::vector{ours}, fix};
}

void read_members(const Value& object, const std::vector<KeyName>& known, MakeHomes homes,
                  const std::function<void(std::size_t, const Value&)>& read, Unknown unknown,
                  const char* root) {
  const auto* members = std::get_if<Members>(&object.node.value);
  if (!members) {
    const bool problem = object.pointer.empty() && root == std::string_view(kProblem);
    const std::string example = problem ? "{\"embeddings\": ..., \"weights\": ...}"
                                        : "{\"" + std::string(known.front().name) + "\": ...}";
    throw wrong_type(object.file, object.pointer, "an object such as " + example, kInBraces);
  }
  Complaints wrong;
  for (const KeyName& key : known) {
    const bool missing = key.required && !find(object.node, key.name);
    if (missing) wrong.add(missing_key(object, key.name));
  }
  for (const Member& member : *members) {
    if (member.key.starts_with('_') || member.key.starts_with('$')) continue;
    const auto row = std::find_if(known.begin(), known.end(),
                                  [&](const KeyName& key) { return key.name == member.key; });
    if (row == known.end()) {
      if (unknown == Unknown::Refused) {
        wrong.add_made([&] { return unknown_key(object, member, known, homes, root); });
      }
      continue;
    }
    try {
      read(static_cast<std::size_t>(row - known.begin()),
           {object.file, member.value, child_pointer(object.pointer, member.key)});
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::Input) throw;  // a file that cannot be read
      wrong.add(error);
    }
  }
  wrong.throw_all();
}

}  // namespace attn::json

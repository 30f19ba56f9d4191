// Finds tokens in a table of hashes.
// A large vocabulary is looked up in more than a million times while its merges are read.
#include "io/tokenizer/vocabulary.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>

#include "attn/error.hpp"
#include "io/tokenizer/stage.hpp"

namespace attn {
namespace {

constexpr std::uint64_t kStart = 0xCBF29CE484222325u;  // FNV-1a, whose hash grows with the text

std::uint64_t hash_with(std::uint64_t hash, char next) {
  return (hash ^ static_cast<unsigned char>(next)) * 0x100000001B3u;
}

std::size_t hash_of(std::string_view text, std::uint64_t hash = kStart) {
  for (const char c : text) hash = hash_with(hash, c);
  return static_cast<std::size_t>(hash);
}

}  // namespace

Index read_token_id(const json::Value& value) {
  const Index id = json::read_count(value, 0);
  if (id < kMostTokens) return id;
  throw input_error(
      {.id = "out-of-range",
       .what = "a token has the id " + std::to_string(id) + ", which no vocabulary reaches",
       .places = {{.pointer = value.pointer}},
       .fix = kDownloadAgain});
}

Error duplicate_id(Index id, const std::string& one, const std::string& other,
                   const std::string& pointer) {
  return input_error(
      {.id = "duplicate-id",
       .what = "two tokens have the id " + std::to_string(id) + ": \"" + one + "\" and \"" + other +
               "\"",
       .places = {{.pointer = pointer}},
       .fix = "Give each token an id of its own: it is a row of the model's table."});
}

Vocabulary::Vocabulary(const json::Value& vocab) {
  const auto* members = std::get_if<json::Members>(&vocab.node.value);
  if (members == nullptr) {
    throw json::wrong_type(vocab.file, vocab.pointer, "an object that gives each token its id",
                           "Give the tokenizer.json of the model.");
  }
  reserve(members->size());
  for (const json::Member& member : *members) {
    const auto* number = std::get_if<double>(&member.value.value);
    const Index id = number && *number >= 0 && *number < static_cast<double>(kMostTokens)
                         ? static_cast<Index>(*number)
                         : -1;
    const bool fits = id >= 0 && static_cast<double>(id) == *number;
    const auto place = [&] { return json::child_pointer(vocab.pointer, member.key); };
    const Index own = fits ? id : read_token_id({vocab.file, member.value, place()});
    if (const std::string* other = text(own)) throw duplicate_id(own, *other, member.key, place());
    add(member.key, own);
  }
}

void Vocabulary::add(const std::string& text, Index id) {
  if (id >= size()) texts_.resize(static_cast<std::size_t>(id) + 1);
  texts_[static_cast<std::size_t>(id)] = text;
  longest_ = std::max(longest_, text.size());
  if (2 * (used_ + 1) > slots_.size()) reserve(std::max<std::size_t>(16, 2 * used_));
  const std::size_t hash = hash_of(text);
  Slot& found = slots_[slot(text, "", hash)];
  if (found.id < 0) ++used_;
  found = {hash, id};
}

void Vocabulary::reserve(std::size_t count) {
  const std::size_t wanted = std::bit_ceil(2 * (count + 1));
  if (wanted <= slots_.size()) return;
  std::vector<Slot> old(wanted);
  old.swap(slots_);
  for (const Slot& each : old) {
    if (each.id < 0) continue;
    std::size_t at = each.hash;
    while (slots_[at & (wanted - 1)].id >= 0) ++at;
    slots_[at & (wanted - 1)] = each;
  }
}

std::size_t Vocabulary::slot(std::string_view text, std::string_view rest, std::size_t hash) const {
  const auto is_text = [&](Index id) {
    const std::string_view known = *texts_[static_cast<std::size_t>(id)];
    return known.size() == text.size() + rest.size() && known.starts_with(text) &&
           known.ends_with(rest);
  };
  std::size_t at = hash & (slots_.size() - 1);
  while (slots_[at].id >= 0 && (slots_[at].hash != hash || !is_text(slots_[at].id)))
    at = (at + 1) & (slots_.size() - 1);
  return at;
}

std::optional<Index> Vocabulary::id(std::string_view text) const {
  if (slots_.empty()) return std::nullopt;
  const Slot& found = slots_[slot(text, "", hash_of(text))];
  return found.id < 0 ? std::nullopt : std::optional(found.id);
}

std::optional<Vocabulary::Found> Vocabulary::longest(std::string_view prefix,
                                                     std::string_view rest) const {
  if (slots_.empty() || prefix.size() >= longest_) return std::nullopt;
  rest = rest.substr(0, longest_ - prefix.size());
  std::optional<Found> found;
  std::uint64_t hash = hash_of(prefix);
  for (std::size_t bytes = 1; bytes <= rest.size(); ++bytes) {
    hash = hash_with(hash, rest[bytes - 1]);
    const auto key = static_cast<std::size_t>(hash);
    const Index id = slots_[slot(prefix, rest.substr(0, bytes), key)].id;
    if (id >= 0) found = {id, bytes};
  }
  return found;
}

const std::string* Vocabulary::text(Index id) const {
  if (id < 0 || id >= size()) return nullptr;
  const auto& known = texts_[static_cast<std::size_t>(id)];
  return known ? &*known : nullptr;
}

}  // namespace attn

// Reads an object by a table of its keys.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "io/json/value.hpp"

namespace attn::json {

/// One row of the table of an object's keys; what is read goes into a Target.
template <class Target>
struct Key {
  const char* name;
  void (*read)(const Value& value, Target& target);
  bool required = false;
};

/// The part of a row that does not depend on the target.
struct KeyName {
  std::string_view name;
  bool required = false;
};

/// Keys that people may put into the wrong object: key → the object it belongs in.
using Homes = std::map<std::string, std::string>;
/// Makes them when an unknown key turns up; nullptr: there are none.
using MakeHomes = Homes (*)();

/// What to do with a key that no row names.
enum class Unknown { Refused, Ignored };

/// The object at the root of a file, for messages.
inline constexpr const char* kProblem = "a problem";

/// What a key without a meaning may stand for.
struct KeyGuess {
  std::vector<std::string> names;  ///< of `known`, the nearest first
  std::string fix;                 ///< what to do, if another library has such a key; or empty
};
KeyGuess guess_key(std::string_view key, const std::vector<std::string>& known);

/// Calls `read` with the row number and the value of every member of the object. Members whose key
/// begins with _ or $ are skipped. Throws, all in one Error: "wrong-type" (not an object),
/// "unknown-key", "missing-key" and whatever `read` throws.
void read_members(const Value& object, const std::vector<KeyName>& known, MakeHomes homes,
                  const std::function<void(std::size_t, const Value&)>& read,
                  Unknown unknown = Unknown::Refused, const char* root = kProblem);

/// Reads an object by its table of keys; `root` is what the file is, if this is all of it.
template <class Target, std::size_t N>
void read_object(const Value& object, const Key<Target> (&keys)[N], Target& target,
                 Unknown unknown = Unknown::Refused, const char* root = kProblem) {
  std::vector<KeyName> known;
  for (const Key<Target>& key : keys) known.push_back({key.name, key.required});
  const auto read = [&](std::size_t row, const Value& value) { keys[row].read(value, target); };
  read_members(object, known, nullptr, read, unknown, root);
}

}  // namespace attn::json

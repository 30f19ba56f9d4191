// A JSON text as a tree that knows where each value begins.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "attn/core/memory_budget.hpp"
#include "attn/model.hpp"
#include "io/json/source.hpp"

namespace attn::json {

struct Node;
struct Member;

using Numbers =
    std::vector<double>;          ///< a list of only numbers (see OddWords); also the empty list
using Items = std::vector<Node>;  ///< any other list
using Members = std::vector<Member>;  ///< an object, in file order, no key twice

/// One value of a JSON text and the byte where it begins. The numbers of a list of numbers have no
/// nodes of their own (matrices may hold millions): offset_of finds them by walking the text.
struct Node {
  std::size_t offset = 0;
  std::variant<std::nullptr_t, bool, double, std::string, Numbers, Items, Members> value;
};

struct Member {
  std::string key;
  std::size_t key_offset = 0;
  Node value;
};

/// Reads the file at `path`, which the value at `pointer` names.
using ReadFile = std::function<std::string(const std::string& path, const std::string& pointer)>;

/// Lists the tensors of that file, or of the files that it names.
using ListTensors =
    std::function<ModelTensors(const std::string& path, const std::string& pointer)>;

/// A JSON text and the tree of its values.
struct Document {
  Source source;
  Node root;
  ReadFile read_file = {};         ///< for {"file": …}
  ListTensors list_tensors = {};   ///< for "weights": {"file": …}
  MemoryBudget* budget = nullptr;  ///< for arrays that are made or read
};

/// What becomes, in a list, of words that are not numbers.
enum class OddWords {
  Refused,
  Quoted,  ///< those that are not JSON values, such as NaN, 1e999 and abc, are strings
  Real,    ///< "-Infinity", "Infinity" and "NaN" in a list with numbers are numbers too
};

/// Reads a JSON text (RFC 8259), UTF-8 or UTF-16 with a byte order mark. Throws Error: ids
/// "json-syntax", "json-nan", "json-range", "json-empty", "json-encoding", "json-depth" and
/// "json-duplicate-key", all with file, line and column: at most five keys given twice, and at most
/// five other mistakes. With a `budget`, the numbers and values are counted while they are read.
Document parse(const SharedBytes& bytes, std::string name, MemoryBudget* budget = nullptr,
               OddWords words = OddWords::Refused);
/// The same for bytes that are copied.
Document parse(std::string_view bytes, std::string name, MemoryBudget* budget = nullptr,
               OddWords words = OddWords::Refused);

bool is_list(const Node& node);

/// How many items a list has.
std::size_t item_count(const Node& list);

/// The member's value, or nullptr; also nullptr if `object` is not an object.
const Node* find(const Node& object, std::string_view key);

/// The JSON pointer (RFC 6901) of a member or item of the value at `parent`.
std::string child_pointer(const std::string& parent, std::string_view key);
std::string child_pointer(const std::string& parent, std::size_t index);

/// The byte where the value at `pointer` begins, or else that of its nearest parent.
std::size_t offset_of(const Document& document, std::string_view pointer);

/// That, and where its key begins if it is a member of an object.
struct Offsets {
  std::size_t value = 0, key = 0;
};
Offsets offsets_of(const Document& document, std::string_view pointer);

/// Whether `is` is true of a member of the object that is the text: its key, and the text from its
/// value on. Takes any bytes, and looks no further than that member.
using IsMember = std::function<bool(std::string_view key, std::string_view value)>;
bool any_member(std::string_view bytes, const IsMember& is);

/// The version of JSON for Modern C++.
std::string library_version();

}  // namespace attn::json

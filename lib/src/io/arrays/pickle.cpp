// A machine with a stack for pickles, which are its programs.
// It has the instructions that checkpoints need, as rows of a table, and calls nothing.
#include "io/arrays/pickle.hpp"

#include <algorithm>
#include <iterator>
#include <unordered_map>

#include "core/text/bit_cast.hpp"
#include "io/arrays/bytes.hpp"
#include "io/arrays/tensor_error.hpp"

namespace attn::pickle {
namespace {

// What is copied into each tensor or storage is short, because a pickle can name the same list or
// text in a few bytes as often as it likes.
constexpr std::size_t kMostAxes = 64, kLongestKey = 64;

constexpr std::string_view kDict = "collections.OrderedDict";
constexpr std::string_view kTensor = "torch._utils._rebuild_tensor_v2";
constexpr std::string_view kParameter = "torch._utils._rebuild_parameter";
constexpr std::string_view kSize = "torch.Size";

struct StorageRow {
  std::string_view name, dtype;
};
constexpr StorageRow kStorages[] = {
    {"torch.FloatStorage", "F32"},  {"torch.HalfStorage", "F16"}, {"torch.BFloat16Storage", "BF16"},
    {"torch.DoubleStorage", "F64"}, {"torch.LongStorage", "I64"}, {"torch.IntStorage", "I32"},
    {"torch.ShortStorage", "I16"},  {"torch.CharStorage", "I8"},  {"torch.ByteStorage", "U8"},
    {"torch.BoolStorage", "BOOL"}};

const StorageRow* storage_row(std::string_view name) {
  const auto* row = std::find_if(std::begin(kStorages), std::end(kStorages),
                                 [&](const StorageRow& each) { return each.name == name; });
  return row == std::end(kStorages) ? nullptr : row;
}

class Machine {
 public:
  Machine(std::string_view bytes, const Fail& fail) : bytes_(bytes), fail_(fail) {}
  Contents run();

  // The instructions; those with a template parameter take so many bytes of what follows them.
  template <std::size_t size>
  void skip() {
    take(size);
  }
  void none() { push(Nothing()); }
  template <bool value>
  void flag() {
    push(value);
  }
  template <std::size_t size>
  void whole() {
    push(static_cast<std::int64_t>(number(size)));
  }
  void signed_four() { push(static_cast<std::int64_t>(static_cast<std::int32_t>(number(4)))); }
  void long_number();
  void real();
  template <std::size_t size>
  void text() {
    push(std::string(take(number(size))));
  }
  template <class Container>
  void empty() {
    push(Container());
  }
  void mark() { marks_.push_back(stack_.size()); }
  void tuple() { push(List{above_mark()}); }
  template <std::size_t size>
  void short_tuple() {
    push(List{top(size)});
  }
  void append() { add_items(top(1)); }
  void appends() { add_items(above_mark()); }
  void set_item() { set_items(top(2)); }
  void set_all() { set_items(above_mark()); }
  template <std::size_t size>
  void put() {
    memo_[number(size)] = last();
  }
  void memoize() { memo_[memo_.size()] = last(); }
  template <std::size_t size>
  void get();
  void global();
  void stack_global();
  void persistent();
  void reduce();
  void build() { top(1); }  // attributes, which no tensor needs

 private:
  std::string_view take(std::uint64_t size) {
    if (size > bytes_.size() - at_) throw fail_("its pickle is cut off");
    at_ += static_cast<std::size_t>(size);
    return bytes_.substr(at_ - static_cast<std::size_t>(size), static_cast<std::size_t>(size));
  }
  std::uint64_t number(std::size_t size) { return little_endian(take(size), 0, size); }
  void push(Value value) {
    stack_.push_back(contents_.values.size());
    contents_.values.push_back(std::move(value));
  }
  /// The last `count` values, which leave the stack.
  std::vector<Id> top(std::size_t count);
  std::vector<Id> above_mark();
  Id last() {
    if (stack_.empty()) throw damaged();
    return stack_.back();
  }
  Value& value(Id id) { return contents_.values[id]; }
  template <class T>
  const T& as(Id id) {
    if (const T* held = std::get_if<T>(&value(id))) return *held;
    throw damaged();
  }
  Error damaged() const { return fail_("its pickle is damaged"); }
  std::string line();
  void push_global(const std::string& name);
  void add_items(const std::vector<Id>& items);
  void set_items(const std::vector<Id>& items);
  std::vector<std::int64_t> whole_numbers(Id list);

  std::string_view bytes_;
  const Fail& fail_;
  std::size_t at_ = 0;
  Contents contents_;
  std::vector<Id> stack_;
  std::vector<std::size_t> marks_;
  std::unordered_map<std::uint64_t, Id> memo_;
};

std::vector<Id> Machine::top(std::size_t count) {
  const std::size_t floor = marks_.empty() ? 0 : marks_.back();
  if (stack_.size() < floor + count) throw damaged();
  const auto begin = stack_.end() - static_cast<std::ptrdiff_t>(count);
  std::vector<Id> items(begin, stack_.end());
  stack_.erase(begin, stack_.end());
  return items;
}

std::vector<Id> Machine::above_mark() {
  if (marks_.empty()) throw damaged();
  const std::size_t count = stack_.size() - marks_.back();
  std::vector<Id> items = top(count);
  marks_.pop_back();
  return items;
}

/// A whole number of up to eight bytes, with its sign.
void Machine::long_number() {
  const auto size = static_cast<std::size_t>(number(1));
  if (size > 8) throw fail_("it has a whole number of more than 64 bits");
  std::uint64_t bits = number(size);
  const bool negative = size > 0 && ((bits >> (8 * size - 1)) & 1) != 0;
  if (negative && size < 8) bits |= ~std::uint64_t{0} << (8 * size);
  push(static_cast<std::int64_t>(bits));
}

void Machine::real() {
  std::uint64_t bits = 0;
  for (const char byte : take(8)) bits = (bits << 8) | static_cast<unsigned char>(byte);
  push(bit_cast<double>(bits));
}

void Machine::add_items(const std::vector<Id>& items) {
  auto* list = std::get_if<List>(&value(last()));
  if (list == nullptr) throw damaged();
  list->items.insert(list->items.end(), items.begin(), items.end());
}

void Machine::set_items(const std::vector<Id>& items) {
  auto* dict = std::get_if<Dict>(&value(last()));
  if (dict == nullptr || items.size() % 2 != 0) throw damaged();
  for (std::size_t i = 0; i < items.size(); i += 2)
    dict->members.emplace_back(items[i], items[i + 1]);
}

template <std::size_t size>
void Machine::get() {
  const auto found = memo_.find(number(size));
  if (found == memo_.end()) throw damaged();
  stack_.push_back(found->second);
}

std::string Machine::line() {
  const std::size_t end = bytes_.find('\n', at_);
  if (end == bytes_.npos) throw fail_("its pickle is cut off");
  std::string text(bytes_.substr(at_, end - at_));
  at_ = end + 1;
  return text;
}

void Machine::push_global(const std::string& name) {
  const bool known = name == kDict || name == kTensor || name == kParameter || name == kSize;
  if (!known && storage_row(name) == nullptr)
    throw fail_("it needs " + excerpt(name) + ", and attn reads tensors alone and runs no code");
  push(Global{name});
}

void Machine::global() {
  const std::string module = line();
  push_global(module + "." + line());
}

void Machine::stack_global() {
  const std::vector<Id> names = top(2);
  push_global(as<std::string>(names[0]) + "." + as<std::string>(names[1]));
}

/// ("storage", torch.FloatStorage, "0", "cpu", 32)
void Machine::persistent() {
  const List& parts = as<List>(top(1).front());
  if (parts.items.size() != 5 || as<std::string>(parts.items[0]) != "storage") throw damaged();
  const StorageRow* row = storage_row(as<Global>(parts.items[1]).name);
  if (row == nullptr || as<std::string>(parts.items[2]).size() > kLongestKey) throw damaged();
  push(Storage{row->dtype, as<std::string>(parts.items[2])});
}

std::vector<std::int64_t> Machine::whole_numbers(Id list) {
  const std::vector<Id>& items = as<List>(list).items;
  if (items.size() > kMostAxes) throw fail_("it has a tensor of more than 64 axes");
  std::vector<std::int64_t> numbers;
  for (const Id each : items) numbers.push_back(as<std::int64_t>(each));
  return numbers;
}

/// What the functions of the table would return, without calling any.
void Machine::reduce() {
  const std::vector<Id> call = top(2);
  const std::string name = as<Global>(call[0]).name;
  const auto argument = [&](std::size_t i) {
    const std::vector<Id>& arguments = as<List>(call[1]).items;
    if (i >= arguments.size()) throw damaged();
    return arguments[i];
  };
  if (name == kDict) return push(Dict());
  if (name == kSize || name == kParameter) return stack_.push_back(argument(0));
  if (name != kTensor) throw damaged();
  push(Tensor{as<Storage>(argument(0)), as<std::int64_t>(argument(1)), whole_numbers(argument(2)),
              whole_numbers(argument(3))});
}

struct Instruction {
  unsigned char code;
  void (Machine::*act)();
};

constexpr unsigned char kStop = '.';

constexpr Instruction kInstructions[] = {
    {0x80, &Machine::skip<1>},  // the protocol
    {0x95, &Machine::skip<8>},  // a frame
    {'N', &Machine::none},
    {0x88, &Machine::flag<true>},
    {0x89, &Machine::flag<false>},
    {'K', &Machine::whole<1>},
    {'M', &Machine::whole<2>},
    {'J', &Machine::signed_four},
    {0x8A, &Machine::long_number},
    {'G', &Machine::real},
    {'X', &Machine::text<4>},
    {'T', &Machine::text<4>},
    {0x8C, &Machine::text<1>},
    {'U', &Machine::text<1>},
    {0x8D, &Machine::text<8>},
    {'}', &Machine::empty<Dict>},
    {']', &Machine::empty<List>},
    {')', &Machine::empty<List>},
    {'(', &Machine::mark},
    {'t', &Machine::tuple},
    {0x85, &Machine::short_tuple<1>},
    {0x86, &Machine::short_tuple<2>},
    {0x87, &Machine::short_tuple<3>},
    {'a', &Machine::append},
    {'e', &Machine::appends},
    {'s', &Machine::set_item},
    {'u', &Machine::set_all},
    {'q', &Machine::put<1>},
    {'r', &Machine::put<4>},
    {0x94, &Machine::memoize},
    {'h', &Machine::get<1>},
    {'j', &Machine::get<4>},
    {'c', &Machine::global},
    {0x93, &Machine::stack_global},
    {'Q', &Machine::persistent},
    {'R', &Machine::reduce},
    {'b', &Machine::build},
};

Contents Machine::run() {
  for (;;) {
    const auto code = static_cast<unsigned char>(take(1).front());
    if (code == kStop) break;
    const auto* row = std::find_if(std::begin(kInstructions), std::end(kInstructions),
                                   [&](const Instruction& each) { return each.code == code; });
    if (row == std::end(kInstructions))
      throw fail_("its pickle has the instruction " + std::to_string(code) +
                  ", which tensors do not need");
    (this->*row->act)();
  }
  contents_.root = last();
  return std::move(contents_);
}

}  // namespace

Contents read(std::string_view bytes, const Fail& fail) { return Machine(bytes, fail).run(); }

}  // namespace attn::pickle

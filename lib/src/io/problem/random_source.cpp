// Draws the random matrices that a problem describes, as a program that drew others before would.
#include "io/problem/random_source.hpp"

#include <cmath>
#include <cstdint>
#include <string>
#include <utility>

#include "attn/numpy_random.hpp"
#include "attn/phrases.hpp"
#include "attn/torch_random.hpp"
#include "io/json/read_object.hpp"
#include "io/json/token.hpp"

namespace attn::json {
namespace {

constexpr double kMostExact = 9007199254740992.0;  // 2⁵³: above, JSON numbers are not exact
constexpr double kMostSkipped = 1e8;
constexpr double kWidest = 268435455.0;  // of integers: PyTorch draws wider ranges otherwise

enum class DrawnBy { Torch, RandomState, DefaultRng };

/// Everything that such an object may have.
struct Request {
  std::vector<std::ptrdiff_t> shape;  ///< of linear: in, out
  Draw draw;
  std::uint64_t seed = 0;
  DrawnBy library = DrawnBy::Torch;
  std::vector<Draw> before;
  double skipped = 0;   ///< the numbers of all that
  bool inside = false;  ///< one of "skip": no array is made
};

Error too_many_skipped(const Value& value) {
  return input_error({.id = "out-of-range",
                      .what = "expected at most 100000000 numbers to skip, found more",
                      .places = {{.pointer = value.pointer}},
                      .fix = "Draw fewer numbers before."});
}

Error wrong_draw(const Value& value, const std::string& expected, std::string fix) {
  const Document& file = value.file;
  return input_error({.id = "out-of-range",
                      .what = "expected " + expected + ", found " +
                              token_text(file.source.text, offset_of(file, value.pointer)),
                      .places = {{.pointer = value.pointer}},
                      .fix = std::move(fix)});
}

/// A whole number from `least` to `most`.
double read_whole_number(const Value& value, double least, double most, const char* role,
                         const char* fix) {
  const double number = read_number(value);
  if (number >= least && number <= most && number == std::floor(number)) return number;
  const auto text = [](double x) { return std::to_string(static_cast<std::int64_t>(x)); };
  throw wrong_draw(value, "a whole number from " + text(least) + " to " + text(most) + role, fix);
}

void take_drawn(const Value& value, Request& request, DrawKind kind) {
  request.shape = read_counts(value, 1);
  request.draw.kind = kind;
  double count = 1;
  for (const std::ptrdiff_t size : request.shape) count *= static_cast<double>(size);
  if (!request.inside) make_room(value, request.shape);
  if (request.inside && count > kMostSkipped) throw too_many_skipped(value);
  request.draw.count = static_cast<std::size_t>(count);
}

void take_linear(const Value& value, Request& request) {
  take_drawn(value, request, DrawKind::Linear);
  if (request.shape.size() != 2)
    throw wrong_draw(value, "two sizes, in and out", "Write {\"linear\": [3, 2], \"seed\": 1}.");
  request.draw.inputs = request.shape[0];
}

std::int64_t read_end(const Value& value) {
  return static_cast<std::int64_t>(
      read_whole_number(value, -kWidest, kWidest, "", "Write a number such as 10."));
}

void take_library(const Value& value, Request& request) {
  if (const auto* numpy = std::get_if<bool>(&value.node.value)) {
    request.library = *numpy ? DrawnBy::RandomState : DrawnBy::Torch;
    return;
  }
  const auto* text = std::get_if<std::string>(&value.node.value);
  if (text == nullptr || *text != "default_rng") {
    throw wrong_type(value.file, value.pointer, "true, false or \"default_rng\"",
                     "Write true for np.random.seed, \"default_rng\" for np.random.default_rng.");
  }
  request.library = DrawnBy::DefaultRng;
}

using RandomKey = Key<Request>;
constexpr RandomKey kSeed{"seed",
                          [](const Value& v, Request& w) {
                            w.seed = static_cast<std::uint64_t>(read_whole_number(
                                v, 0, kMostExact, " as the seed", "Write a seed such as 42."));
                          },
                          true};
constexpr RandomKey kSkip{"skip", [](const Value&, Request&) {}};  // read when the others are
constexpr RandomKey kNumpy{"numpy", take_library};
constexpr RandomKey kStd{"std", [](const Value& v, Request& w) { w.draw.std = read_number(v); }};
constexpr RandomKey kLow{"low", [](const Value& v, Request& w) { w.draw.low = read_end(v); }};
constexpr RandomKey kHigh{"high", [](const Value& v, Request& w) { w.draw.high = read_end(v); },
                          true};
constexpr RandomKey kBias{"bias", [](const Value& v, Request& w) { w.draw.bias = read_flag(v); }};
constexpr RandomKey kRand{
    "rand", [](const Value& v, Request& w) { take_drawn(v, w, DrawKind::Uniform); }, true};
constexpr RandomKey kRandn{
    "randn", [](const Value& v, Request& w) { take_drawn(v, w, DrawKind::Normal); }, true};
constexpr RandomKey kRandint{
    "randint", [](const Value& v, Request& w) { take_drawn(v, w, DrawKind::Integers); }, true};
constexpr RandomKey kLinear{"linear", take_linear, true};

/// The keys of each kind, in a matrix and in "skip".
constexpr RandomKey kRandKeys[] = {kRand, kSeed, kSkip, kNumpy};
constexpr RandomKey kRandnKeys[] = {kRandn, kSeed, kSkip, kNumpy, kStd};
constexpr RandomKey kRandintKeys[] = {kRandint, kLow, kHigh, kSeed, kSkip, kNumpy};
constexpr RandomKey kLinearKeys[] = {kLinear, kBias, kSeed, kSkip};
constexpr RandomKey kRandBefore[] = {kRand};
constexpr RandomKey kRandnBefore[] = {kRandn};
constexpr RandomKey kRandintBefore[] = {kRandint, kLow, kHigh};
constexpr RandomKey kLinearBefore[] = {kLinear, kBias};

void read_draw(const Value& value, Request& request) {
  const auto has = [&](const char* key) { return find(value.node, key) != nullptr; };
  const auto read = [&](const auto& outside, const auto& inside) {
    request.inside ? read_object(value, inside, request) : read_object(value, outside, request);
  };
  if (has("randn")) return read(kRandnKeys, kRandnBefore);
  if (has("randint")) return read(kRandintKeys, kRandintBefore);
  if (has("linear")) return read(kLinearKeys, kLinearBefore);
  read(kRandKeys, kRandBefore);
}

void check_bounds(const Value& value, const Draw& draw) {
  if (draw.kind != DrawKind::Integers) return;
  const std::string low = std::to_string(draw.low);
  if (draw.high > draw.low && static_cast<double>(draw.high - draw.low) <= kWidest) return;
  throw wrong_draw({value.file, *find(value.node, "high"), child_pointer(value.pointer, "high")},
                   "a number above low, which is " + low + ", by less than 2^28",
                   "Numbers are drawn from low to below high.");
}

/// One call that was made before: a count of numbers of the same kind, or an object.
Draw read_before(const Value& value, const Request& request) {
  if (std::holds_alternative<Members>(value.node.value)) {
    Request other;
    other.inside = true;
    read_draw(value, other);
    check_bounds(value, other.draw);
    return other.draw;
  }
  Draw same = request.draw;
  same.count = static_cast<std::size_t>(read_whole_number(
      value, 0, kMostSkipped, " to skip", "Write how many numbers were drawn before, such as 6."));
  return same;
}

void take_skipped(const Value& value, Request& request) {
  const auto add = [&](const Value& each) {
    request.before.push_back(read_before(each, request));
    request.skipped += static_cast<double>(request.before.back().count);
    if (request.skipped > kMostSkipped) throw too_many_skipped(each);
  };
  if (!is_list(value.node)) return add(value);
  std::size_t index = 0;
  const auto pointer = [&] { return child_pointer(value.pointer, index++); };
  if (const auto* numbers = std::get_if<Numbers>(&value.node.value)) {
    for (const double number : *numbers) {
      const Node node{value.node.offset, number};
      add({value.file, node, pointer()});
    }
  } else {
    for (const Node& item : std::get<Items>(value.node.value)) add({value.file, item, pointer()});
  }
}

template <class Generator>
std::vector<double> drawn(Generator generator, const Request& request) {
  for (const Draw& each : request.before) {
    if constexpr (requires { generator.skip(each); }) {
      generator.skip(each);
    } else {
      generator.draw(each);
    }
  }
  return generator.draw(request.draw);
}

std::vector<double> numbers_of(const Request& request) {
  switch (request.library) {
    case DrawnBy::RandomState:
      return drawn(NumpyRandomState(request.seed), request);
    case DrawnBy::DefaultRng:
      return drawn(NumpyGenerator(request.seed), request);
    case DrawnBy::Torch:
      break;
  }
  return drawn(TorchRandom(request.seed), request);
}

/// What the generator cannot draw.
void check_library(const Value& value, const Request& request) {
  const auto fails = [&](const char* key, const std::string& what, const char* fix) {
    throw input_error({.id = "out-of-range",
                       .what = what,
                       .places = {{.pointer = child_pointer(value.pointer, std::string_view(key))}},
                       .fix = fix});
  };
  if (request.library == DrawnBy::RandomState && request.seed > UINT32_MAX)
    fails("seed", "expected a seed below 2^32, as np.random.seed has it",
          "Write a seed such as 42.");
  const auto needs = [&](const Draw& draw) {
    if (request.library == DrawnBy::DefaultRng && draw.kind == DrawKind::Normal)
      fails("numpy", "attn does not draw the normal numbers of default_rng, only rand and randint",
            "Save the numbers with numpy.save, and name the file: {\"file\": \"x.npy\"}.");
    if (request.library != DrawnBy::Torch && draw.kind == DrawKind::Linear)
      fails("skip", "NumPy has no linear layers", "Leave out \"numpy\", or \"linear\".");
  };
  needs(request.draw);
  for (const Draw& each : request.before) needs(each);
}

/// What nn.Linear(in, out) holds as out × in: the same under a name that ends in "weight", where
/// matrices are stored like that; otherwise W of X·W, in × out.
Array linear_array(const Value& value, const Request& request, std::vector<double> numbers) {
  const std::ptrdiff_t in = request.shape[0], out = request.shape[1];
  if (value.pointer.ends_with("weight")) return {{out, in}, std::move(numbers)};
  Array array{{in, out}, std::vector<double>(numbers.size())};
  for (std::ptrdiff_t i = 0; i < std::ssize(numbers); ++i) {
    array.data[static_cast<std::size_t>(i % in * out + i / in)] =
        numbers[static_cast<std::size_t>(i)];
  }
  return array;
}

}  // namespace

void make_room(const Value& value, const std::vector<std::ptrdiff_t>& shape) {
  if (value.file.budget != nullptr) value.file.budget->take_with_copy(shape, value.pointer);
}

Array read_random(const Value& value) {
  Request request;
  read_draw(value, request);
  check_bounds(value, request.draw);
  if (const Node* skip = find(value.node, "skip"))
    take_skipped({value.file, *skip, child_pointer(value.pointer, std::string_view("skip"))},
                 request);
  check_library(value, request);
  const bool linear = request.draw.kind == DrawKind::Linear;
  if (linear && request.draw.bias) {
    request.draw.count = static_cast<std::size_t>(request.shape[1]);
    return {{request.shape[1]}, numbers_of(request)};
  }
  std::vector<double> numbers = numbers_of(request);
  return linear ? linear_array(value, request, std::move(numbers))
                : Array{request.shape, std::move(numbers)};
}

}  // namespace attn::json

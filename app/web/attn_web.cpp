// The program as a function that JavaScript calls; files are those of its runtime.
#include <emscripten.h>

#include <algorithm>
#include <array>
#include <iostream>
#include <streambuf>
#include <string>
#include <vector>

#include "cli.hpp"
#include "platform/environment.hpp"

// What the caller of a run gives: { read(size) → Uint8Array, write(stream, Uint8Array) }.
EM_JS(int, read_standard_input, (char* to, int size), {
  const bytes = Module.streams.read(size);
  HEAPU8.set(bytes, to);
  return bytes.length;
});
EM_JS(void, write_stream, (int stream, const char* from, int size),
      { Module.streams.write(stream, HEAPU8.slice(from, from + size)); });

namespace attn::app {
namespace {

/// Standard input, read when somebody wants it.
class StandardInput : public std::streambuf {
  int_type underflow() override {
    const int count = read_standard_input(block_.data(), static_cast<int>(block_.size()));
    setg(block_.data(), block_.data(), block_.data() + count);
    return count == 0 ? traits_type::eof() : traits_type::to_int_type(block_[0]);
  }
  std::array<char, 65536> block_ = {};
};

/// Standard output (1) or error (2).
class StandardOutput : public std::streambuf {
 public:
  explicit StandardOutput(int stream) : stream_(stream) {
    setp(block_.data(), block_.data() + block_.size());
  }
  ~StandardOutput() override { send(); }

 private:
  int_type overflow(int_type c) override {
    send();
    if (c != traits_type::eof()) sputc(traits_type::to_char_type(c));
    return traits_type::not_eof(c);
  }
  int sync() override {
    send();
    return 0;
  }
  void send() {
    if (pptr() != pbase()) write_stream(stream_, pbase(), static_cast<int>(pptr() - pbase()));
    setp(block_.data(), block_.data() + block_.size());
  }

  int stream_;
  std::array<char, 65536> block_ = {};
};

/// The screens of standard output and error, by their columns; 0 is none.
Terminal screens(int out_columns, int err_columns) {
  Terminal t;
  t.out_is_terminal = out_columns > 0;
  t.err_is_terminal = err_columns > 0;
  t.out_color = auto_depth(environment, t.out_is_terminal);
  t.err_color = auto_depth(environment, t.err_is_terminal);
  if (t.err_is_terminal) t.err_width = std::max(err_columns, 20);
  t.seconds = [] { return emscripten_get_now() / 1000.0; };
  if (!t.out_is_terminal) return t;
  t.width = std::max(out_columns, 20);
  t.always_color = screen_depth(environment);
  t.theme = environment("ATTN_THEME");
  t.layout = environment("ATTN_LAYOUT");
  t.language = environment("ATTN_LANG");
  return t;
}

}  // namespace
}  // namespace attn::app

/// Runs `attn WORDS…`, each word ended by a zero byte. Returns the exit code.
extern "C" EMSCRIPTEN_KEEPALIVE int attn_run(const char* words, int size, int out_columns,
                                             int err_columns) {
  using namespace attn::app;
  std::vector<std::string> args;
  for (const char *at = words, *end = words + size; at < end; at += args.back().size() + 1)
    args.emplace_back(at);
  StandardInput in;
  StandardOutput out(1), err(2);
  std::istream input(&in);
  std::ostream output(&out), errors(&err);
  const int code = run(args, {input, output, errors, screens(out_columns, err_columns)});
  output.flush();
  errors.flush();
  return code;
}

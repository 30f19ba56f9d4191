// Encodes texts for tests/app/tokenizers_test.mjs. Usage: tokens_tool TOKENIZER <TEXTS.
// A text is a line of hexadecimal digits, two for each byte; its ids are a line, and what they
// decode to is the next.
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>

#include "attn/io/tokenizer.hpp"

namespace {

std::string from_hex(const std::string& digits) {
  std::string bytes;
  for (std::size_t i = 0; i + 1 < digits.size(); i += 2)
    bytes += static_cast<char>(std::stoi(digits.substr(i, 2), nullptr, 16));
  return bytes;
}

std::string to_hex(const std::string& bytes) {
  constexpr const char* kDigits = "0123456789abcdef";
  std::string digits;
  for (const char byte : bytes) {
    digits += kDigits[static_cast<unsigned char>(byte) >> 4];
    digits += kDigits[static_cast<unsigned char>(byte) & 15];
  }
  return digits;
}

}  // namespace

int main(int, char** args) {
  std::ifstream file(args[1], std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  const attn::Tokenizer tokenizer = attn::Tokenizer::read(text, args[1]);
  for (std::string line; std::getline(std::cin, line);) {
    const auto ids = tokenizer.encode(from_hex(line));
    for (const attn::Index id : ids) std::cout << id << ' ';
    std::cout << '\n' << to_hex(tokenizer.decode(ids)) << '\n';
  }
}

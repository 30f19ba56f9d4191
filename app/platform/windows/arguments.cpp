// Asks Windows for the command line: what main gets is in an old code page.
#include "platform/arguments.hpp"

#include <windows.h>

#include <shellapi.h>

#include "platform/windows/names.hpp"

namespace attn::app {

std::vector<std::string> arguments(int, char**) {
  int count = 0;
  wchar_t** const words = CommandLineToArgvW(GetCommandLineW(), &count);
  std::vector<std::string> all;
  for (int i = 1; i < count; ++i) all.push_back(utf8(words[i]));
  LocalFree(words);
  return all;
}

}  // namespace attn::app

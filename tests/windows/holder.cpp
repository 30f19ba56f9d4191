// Keeps a file open, as an editor or a spreadsheet does, until standard input ends.
#include <windows.h>

#include <cstdio>

int main(int, char** argv) {
  void* const file =
      CreateFileA(argv[1], GENERIC_READ, FILE_SHARE_READ, nullptr, OPEN_EXISTING, 0, nullptr);
  if (file == INVALID_HANDLE_VALUE) return 1;
  std::puts("open");
  std::fflush(stdout);
  while (std::getchar() != EOF) {
  }
  return 0;
}

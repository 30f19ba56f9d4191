// Reads a file that may be anything: no pipe is waited for, and no link followed.
#include "platform/regular_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>

#include "files/files.hpp"

namespace attn::app {

std::string regular_bytes(const std::filesystem::path& path, std::size_t most,
                          std::string& broken) {
  const int descriptor = open(path.c_str(), O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC);
  if (descriptor < 0) {
    broken = "it cannot be read: " + system_reason(errno);
    return "";
  }
  std::string bytes;
  struct stat info {};
  if (fstat(descriptor, &info) != 0 || !S_ISREG(info.st_mode)) {
    broken = "it is not a regular file";
  } else if (static_cast<std::size_t>(info.st_size) > most) {
    broken = "it is larger than " + std::to_string(most >> 20) + " MiB";
  } else {
    std::array<char, 65536> part{};
    ssize_t taken = 0;
    while (bytes.size() <= most && (taken = read(descriptor, part.data(), part.size())) > 0)
      bytes.append(part.data(), static_cast<std::size_t>(taken));
    if (taken < 0) broken = "it cannot be read: " + system_reason(errno);
  }
  close(descriptor);
  return bytes;
}

bool names_device(const std::string&) { return false; }  // a device is a file in a folder

}  // namespace attn::app

// Which names are those of regular files, and the bytes of one that somebody handed in.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>

namespace attn::app {

/// All bytes of the file, without following a link or waiting for a pipe. If they cannot be taken,
/// `broken` says why: it cannot be read, is no regular file, or is larger than `most`.
std::string regular_bytes(const std::filesystem::path& path, std::size_t most, std::string& broken);

/// Whether the system keeps that name for a device wherever it is, as Windows keeps NUL.
bool names_device(const std::string& path);

}  // namespace attn::app

// Fingerprints of bytes: SHA-256 (FIPS 180-4) and HMAC-SHA-256 (RFC 2104).
#pragma once

#include <string>
#include <string_view>

namespace attn {

/// 32 bytes.
std::string sha256(std::string_view bytes);

/// 32 bytes that only somebody who has the key can compute.
std::string hmac_sha256(std::string_view key, std::string_view message);

/// Two digits for each byte: "e3b0c442…".
std::string hex(std::string_view bytes);

}  // namespace attn

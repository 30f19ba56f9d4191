// The library's exception.
#include "attn/error.hpp"

#include <cassert>
#include <utility>

namespace attn {

Error::Error(ErrorKind kind, std::vector<Diagnostic> diagnostics, std::size_t omitted)
    : kind_(kind), diagnostics_(std::move(diagnostics)), omitted_(omitted) {
  assert(!diagnostics_.empty());
}

const char* Error::what() const noexcept { return diagnostics_.front().what.c_str(); }

bool is_option(const Place& place) { return place.file.starts_with("-"); }

Error input_error(Diagnostic diagnostic) { return {ErrorKind::Input, {std::move(diagnostic)}}; }

}  // namespace attn

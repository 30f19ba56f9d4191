#include "attn/error.hpp"

#include <cassert>
#include <utility>

namespace attn {

Error::Error(Fault fault, std::vector<Diagnostic> diagnostics)
    : fault_(fault), diagnostics_(std::move(diagnostics)) {
  assert(!diagnostics_.empty());
}

const char* Error::what() const noexcept { return diagnostics_.front().what.c_str(); }

Error input_error(Diagnostic diagnostic) { return {Fault::Input, {std::move(diagnostic)}}; }

}  // namespace attn

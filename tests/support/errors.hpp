// The Error that an action throws. Any other exception passes through, and fails the test.
#pragma once

#include <doctest/doctest.h>

#include <optional>
#include <string>
#include <vector>

#include "attn/error.hpp"

namespace attn::testing {

/// What `action` returns, or nothing if it throws an Error.
template <class Action>
auto if_accepted(const Action& action) -> std::optional<decltype(action())> {
  try {
    return action();
  } catch (const Error&) {
    return std::nullopt;
  }
}

/// The Error that `action` throws, or nothing.
template <class Action>
std::optional<Error> error_if_refused(const Action& action) {
  try {
    action();
  } catch (const Error& error) {
    return error;
  }
  return std::nullopt;
}

/// The Error that `action` throws; the test fails in the line of the call if it throws none.
template <class Action>
Error error_from(const Action& action, const char* file = __builtin_FILE(),
                 int line = __builtin_LINE()) {
  if (std::optional<Error> error = error_if_refused(action)) return *std::move(error);
  ADD_FAIL_AT(file, line, "no Error was thrown");
  return input_error({});
}

/// All that is wrong with the input; nothing if no Error is thrown.
template <class Action>
std::vector<Diagnostic> diagnostics_from(const Action& action) {
  const std::optional<Error> error = error_if_refused(action);
  if (!error) return {};
  CHECK(error->kind() == ErrorKind::Input);
  return error->diagnostics();
}

/// The first thing that is wrong; one without words if no Error is thrown.
template <class Action>
Diagnostic refusal_from(const Action& action) {
  const std::optional<Error> error = error_if_refused(action);
  return error ? error->diagnostics().front() : Diagnostic();
}

/// "/place what is wrong"; "" of a diagnostic without words.
inline std::string place_and_what(const Diagnostic& refusal) {
  return refusal.what.empty() ? "" : refusal.places.at(0).pointer + " " + refusal.what;
}

/// "id: what is wrong"; "" of a diagnostic without words.
inline std::string id_and_what(const Diagnostic& refusal) {
  return refusal.what.empty() ? "" : refusal.id + ": " + refusal.what;
}

}  // namespace attn::testing

// Reads one step or given of a trace.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "attn/trace.hpp"
#include "io/json/value.hpp"

namespace attn {

/// A trace being read: its scopes may still change.
struct TraceInProgress {
  Trace trace = {};
  std::vector<std::shared_ptr<Scope>> scopes{std::make_shared<Scope>()};  ///< the first has no name

  std::map<std::string, std::shared_ptr<Scope>, std::less<>> named = {};

  /// Adds a scope that has a name.
  void add(const std::shared_ptr<Scope>& scope);
  /// The scope whose name an id begins with; of several, the one with the longest name.
  std::shared_ptr<Scope> scope_of(const std::string& id) const;
};

/// Reads the object of one step and adds it to the steps, if it fits those before it.
void read_step(const json::Value& object, const std::string& id, TraceInProgress& reading);

/// The same for a given, which no operation made.
void read_given(const json::Value& object, const std::string& id, TraceInProgress& reading);

}  // namespace attn

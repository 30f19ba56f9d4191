// The same computation in another number type.
#include "teach/check/narrow_run.hpp"

#include <map>
#include <memory>
#include <string>
#include <utility>

#include "attn/attend.hpp"
#include "core/tensor/dtype.hpp"

namespace attn {

Trace narrow_run(const Trace& truth, Dtype dtype) {
  Trace other = truth;
  std::map<const Scope*, std::shared_ptr<const Scope>> scopes;
  for (auto& scope : other.scopes) {
    auto own = std::make_shared<Scope>(*scope);
    own->settings.dtype = dtype;
    scopes[scope.get()] = own;
    scope = std::move(own);
  }
  for (auto* steps : {&other.givens, &other.steps}) {
    for (Step& step : *steps) {
      step.scope = scopes.at(step.scope.get());
      if (step.parameters.find("dtype") != nullptr)
        step.parameters.set("dtype", std::string(kDtypeNames[static_cast<std::size_t>(dtype)]));
      if (step.is_given()) step.value = rounded(std::move(step.value), dtype);
    }
  }
  return replay(other, {});
}

}  // namespace attn

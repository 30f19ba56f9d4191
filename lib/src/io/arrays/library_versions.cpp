// The libraries that attn is built with.
#include "attn/core/version.hpp"
#include "attn/render/text.hpp"
#include "attn/tensor.hpp"
#include "core/tensor/eigen.hpp"
#include "core/text/unicode.hpp"
#include "io/arrays/inflate.hpp"
#include "io/json/json.hpp"

namespace attn {
namespace {

std::string eigen_version() {
  return std::to_string(EIGEN_WORLD_VERSION) + "." + std::to_string(EIGEN_MAJOR_VERSION) + "." +
         std::to_string(EIGEN_MINOR_VERSION);
}

Component compiler() {
#if defined(__clang__)
  return {"Clang", std::to_string(__clang_major__) + "." + std::to_string(__clang_minor__) + "." +
                       std::to_string(__clang_patchlevel__)};
#elif defined(__GNUC__)
  return {"GCC", std::to_string(__GNUC__) + "." + std::to_string(__GNUC_MINOR__) + "." +
                     std::to_string(__GNUC_PATCHLEVEL__)};
#else
  return {"C++", std::to_string(__cplusplus)};
#endif
}

}  // namespace

std::vector<Component> components() {
  std::vector<Component> all = {{"Eigen", eigen_version()},
                                {"JSON for Modern C++", json::library_version()},
                                {"zlib", inflater_version()},
                                {"utf8proc", unicode::library_version()}};
  all.push_back({"Unicode", std::string(unicode_version())});
  all.push_back(compiler());
  return all;
}

}  // namespace attn

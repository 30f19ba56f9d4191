// Blocks of memory that are used again.
#include "core/tensor/blocks.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <mutex>
#include <new>

namespace attn {
namespace {

constexpr std::size_t kLine = 64, kHuge = std::size_t{1} << 21;

void* allocated(std::size_t unit, std::size_t size) {
  void* block = std::aligned_alloc(unit, size);
#ifdef MADV_HUGEPAGE
  if (block != nullptr && unit == kHuge) madvise(block, size, MADV_HUGEPAGE);
#endif
  return block;
}

/// Large blocks that nobody uses now.
class SpareBlocks {
 public:
  void* take(std::size_t size) {
    const std::lock_guard lock(guard_);
    const auto found = spare_.find(size);
    if (found == spare_.end()) return nullptr;
    void* block = found->second;
    spare_.erase(found);
    bytes_ -= size;
    return block;
  }

  void give_back(void* block, std::size_t size) {
    constexpr std::size_t kMost = std::size_t{256} << 20;
    const std::lock_guard lock(guard_);
    if (bytes_ + size > kMost) return std::free(block);
    try {
      spare_.emplace(size, block);
      bytes_ += size;
    } catch (const std::bad_alloc&) {  // nothing may throw while a tensor is destroyed
      std::free(block);
    }
  }

  void free_all() {
    const std::lock_guard lock(guard_);
    for (const auto& [size, block] : spare_) std::free(block);
    spare_.clear();
    bytes_ = 0;
  }

 private:
  std::mutex guard_;
  std::multimap<std::size_t, void*> spare_;
  std::size_t bytes_ = 0;
};

SpareBlocks& spare_blocks() {
  static auto* blocks = new SpareBlocks;  // outlives every tensor
  return *blocks;
}

}  // namespace

std::shared_ptr<double> room_for(std::size_t count) {
  if (count > PTRDIFF_MAX / sizeof(double) - kHuge) throw std::bad_alloc();
  const std::size_t bytes = count * sizeof(double);
  const std::size_t unit = bytes < kHuge ? kLine : kHuge;
  const std::size_t size = std::max<std::size_t>(1, (bytes + unit - 1) / unit) * unit;
  const bool large = unit == kHuge;
  void* block = large ? spare_blocks().take(size) : nullptr;
  if (block == nullptr) block = allocated(unit, size);
  if (block == nullptr) {
    spare_blocks().free_all();
    block = allocated(unit, size);
  }
  if (block == nullptr) throw std::bad_alloc();
  const auto release = [=](double* each) {
    large ? spare_blocks().give_back(each, size) : std::free(each);
  };
  return {static_cast<double*>(block), release};
}

}  // namespace attn

// Blocks of memory that are used again.
#include "core/tensor/blocks.hpp"

#include <algorithm>
#include <array>
#include <mutex>
#include <new>
#include <utility>

namespace attn {
namespace {

constexpr std::align_val_t kLine{64};                                               // of the cache
constexpr std::size_t kLarge = std::size_t{1} << 18, kMost = std::size_t{1} << 25;  // numbers

/// Large blocks that nobody uses now. Nothing here throws: tensors give back when they end.
class SpareBlocks {
 public:
  double* take(std::size_t count) {
    const std::lock_guard lock(guard_);
    const auto found = std::find_if(blocks_.begin(), blocks_.end(),
                                    [&](const Block& each) { return each.count == count; });
    return found == blocks_.end() ? nullptr : std::exchange(*found, {}).start;
  }

  bool keep(double* start, std::size_t count) {
    const std::lock_guard lock(guard_);
    std::size_t all = count;
    for (const Block& each : blocks_) all += each.count;
    const auto free = std::find_if(blocks_.begin(), blocks_.end(),
                                   [](const Block& each) { return each.start == nullptr; });
    if (all > kMost || free == blocks_.end()) return false;
    *free = {start, count};
    return true;
  }

 private:
  struct Block {
    double* start = nullptr;
    std::size_t count = 0;
  };
  std::mutex guard_;
  std::array<Block, 64> blocks_;
};

SpareBlocks& spare_blocks() {
  static auto* blocks = new SpareBlocks;  // outlives every tensor
  return *blocks;
}

}  // namespace

std::shared_ptr<double> room_for(std::size_t count) {
  double* start = count < kLarge ? nullptr : spare_blocks().take(count);
  if (start == nullptr) start = new (kLine) double[count];
  return {start, [count](double* each) {
            if (count < kLarge || !spare_blocks().keep(each, count)) operator delete[](each, kLine);
          }};
}

}  // namespace attn

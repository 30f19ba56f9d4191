// Operations applied block by block.
#include "core/operations/row_links.hpp"

#include <algorithm>
#include <mutex>

#include "core/operations/products/products.hpp"
#include "core/tensor/dtype.hpp"
#include "core/tensor/parallel.hpp"
#include "core/tensor/slices.hpp"

namespace attn::ops {
namespace {

/// How the rows of every matrix are cut. Up to three left-over rows join the block before them:
/// Eigen adds in another order when it multiplies a single row.
struct Blocks {
  Index rows, size, count;

  Index first(Index block) const { return block * size; }
  Index length(Index block) const { return block + 1 == count ? rows - first(block) : size; }
};

Blocks cut(const std::vector<RowLink>& chain) {
  // As many as fit in the cache together with those of other links; alone, a product takes as many
  // as leave something for a second thread, because it rearranges its second factor for each block.
  constexpr Index kNumbers = 65536, kLeast = 24, kMost = 240, kRest = 4;
  const Index rows = chain.front().shape.rows;
  Index cols = 1;
  for (const RowLink& link : chain) cols = std::max(cols, link.shape.cols);
  const bool product = chain.size() == 1 && chain.front().operation->sizes_meet != SizesMeet::No;
  const Index wanted = product ? (rows + 1) / 2 + kLeast - 1 : kNumbers / cols;
  const Index size = std::clamp(wanted / kLeast * kLeast, kLeast, kMost);
  const Index full = rows / size;
  return {rows, size, full == 0 ? 1 : full + (rows % size >= kRest ? 1 : 0)};
}

/// About how many operations it takes.
double work_of(const std::vector<RowLink>& chain) {
  constexpr double kOverhead = 8.0;
  double work = 0.0;
  for (const RowLink& link : chain) {
    Index terms = 0;
    if (link.operation->sizes_meet != SizesMeet::No) {
      const RowLink::Input& first = link.inputs.front();
      terms = first.tensor == nullptr ? chain[first.link].shape.cols : first.tensor->cols();
    }
    work += static_cast<double>(link.shape.count()) * (kOverhead + static_cast<double>(terms));
  }
  return work;
}

/// What one thread computes with: room for the rows of links that are not kept.
class Worker {
 public:
  Worker(std::vector<RowLink>& chain, const Blocks& blocks, Dtype dtype)
      : chain_(chain), blocks_(blocks), dtype_(dtype), found_(chain.size()) {
    for (const RowLink& link : chain)
      room_.emplace_back(static_cast<std::size_t>(link.is_kept ? 0 : room_for(link)));
  }

  void operator()(Index task) {
    const Index block = task % blocks_.count, matrix = task / blocks_.count;
    const Index heads = chain_.front().shape.heads.value_or(1);
    batch_ = matrix / heads;
    head_ = matrix % heads;
    first_ = blocks_.first(block);
    rows_ = blocks_.length(block);
    for (std::size_t i = 0; i < chain_.size(); ++i) write(i);
  }

  const std::vector<NotFinite>& found() const { return found_; }

 private:
  Index room_for(const RowLink& link) const {
    return std::min(blocks_.rows, blocks_.size + 3) * link.shape.cols;
  }

  Rows<const double> own_rows(const Tensor& t) const {
    return {t.matrix(batch_, head_).data() + first_ * t.cols(), rows_, t.cols()};
  }

  Rows<const double> all_rows(const Tensor& t, const RowLink& link) const {
    const Index heads = link.shape.heads.value_or(1);
    const SlicePlace place =
        place_in(t.shape(), heads, {batch_, head_}, is_set(*link.parameters, "tiled"));
    return {t.matrix(place.batch, place.head).data(), t.rows(), t.cols()};
  }

  Rows<double> result_of(std::size_t i) {
    RowLink& link = chain_[i];
    const Index cols = link.shape.cols;
    if (!link.is_kept) return {room_[i].data(), rows_, cols};
    return {link.result.matrix(batch_, head_).data() + first_ * cols, rows_, cols};
  }

  void write(std::size_t i) {
    const RowLink& link = chain_[i];
    const std::size_t by_row = link.operation->inputs_by_row(*link.parameters);
    std::vector<Rows<const double>> inputs;
    for (std::size_t n = 0; n < link.inputs.size(); ++n) {
      const RowLink::Input& input = link.inputs[n];
      if (input.tensor == nullptr) {
        const Rows<double> made = result_of(input.link);
        inputs.push_back({made.begin, made.rows, made.cols});
      } else {
        inputs.push_back(n < by_row ? own_rows(*input.tensor) : all_rows(*input.tensor, link));
      }
    }
    const Rows<double> result = result_of(i);
    link.operation->write_rows(
        {inputs, *link.parameters, result, batch_, head_, first_, link.shape});
    for (Index r = 0; r < result.rows; ++r) {
      round_to(dtype_, result.row(r));
      found_[i] |= not_finite_among(result.row(r));
    }
  }

  std::vector<RowLink>& chain_;
  const Blocks& blocks_;
  Dtype dtype_;
  std::vector<NotFinite> found_;
  std::vector<std::vector<double>> room_;
  Index batch_ = 0, head_ = 0, first_ = 0, rows_ = 0;
};

}  // namespace

void compute(std::vector<RowLink>& chain, Dtype dtype) {
  const Shape& shape = chain.front().shape;
  for (RowLink& link : chain)
    link.result = link.is_kept ? Tensor::unset(link.shape) : Tensor::outline(link.shape);
  if (shape.rows == 0) return;
  const Blocks blocks = cut(chain);
  std::mutex guard;
  const Index matrices = shape.batch.value_or(1) * shape.heads.value_or(1);
  in_parallel(matrices * blocks.count, work_of(chain), [&]() -> std::function<void(Index)> {
    const auto finish = [&](Worker* worker) {
      const std::lock_guard lock(guard);
      for (std::size_t i = 0; i < chain.size(); ++i) chain[i].not_finite |= worker->found()[i];
      delete worker;
    };
    const std::shared_ptr<Worker> worker(new Worker(chain, blocks, dtype), finish);
    return [worker](Index task) { (*worker)(task); };
  });
}

Evaluated evaluate(const Operation& operation, const Call& call, Dtype dtype) {
  if (operation.write_rows == nullptr) {
    Tensor value = rounded(operation.evaluate(call), dtype);
    const NotFinite not_finite = not_finite_among(value.data());
    return {std::move(value), not_finite};
  }
  std::vector<RowLink> chain{{&operation, &call.parameters, {}, call.shape}};
  for (const Tensor* input : call.inputs) chain.front().inputs.push_back({input});
  compute(chain, dtype);
  return {std::move(chain.front().result), chain.front().not_finite};
}

Tensor evaluate(const Operation& operation, const Call& call) {
  return evaluate(operation, call, Dtype::Float64).value;
}

}  // namespace attn::ops

// Operations applied block by block.
#include "core/operations/row_links.hpp"

#include <algorithm>
#include <mutex>

#include "core/operations/operations.hpp"
#include "core/operations/products.hpp"
#include "core/tensor/dtype.hpp"
#include "core/tensor/parallel.hpp"
#include "core/tensor/slices.hpp"

namespace attn::ops {
namespace {

/// Which columns of a row are computed.
struct Columns {
  Index first, end;
};

/// How the rows of every matrix are cut. The last block takes a rest of up to three rows along:
/// Eigen adds in another order when it multiplies a single row.
struct Blocks {
  Index rows, size, count;

  Index first(Index block) const { return block * size; }
  Index length(Index block) const { return block + 1 == count ? rows - first(block) : size; }
};

Blocks cut(const std::vector<RowLink>& chain) {
  // As many as fit the cache together with those of other links; alone, a product takes more rows
  // at a time, because it rearranges its second factor for each block.
  const Index numbers = chain.size() > 1 ? 65536 : 131072;
  constexpr Index kLeast = 32, kMost = 256, kRest = 4;
  Index cols = 1;
  for (const RowLink& link : chain) cols = std::max(cols, link.shape.cols);
  const Index rows = chain.front().shape.rows;
  const Index size = std::clamp(numbers / cols / kLeast * kLeast, kLeast, kMost);
  const Index full = rows / size;
  return {rows, size, full == 0 ? 1 : full + (rows % size >= kRest ? 1 : 0)};
}

/// About how many operations it takes.
double work_of(const std::vector<RowLink>& chain) {
  constexpr double kOverhead = 8.0;
  double work = 0.0;
  for (const RowLink& link : chain) {
    const bool product = link.operation->sizes_meet != SizesMeet::No;
    const Tensor* first = product ? link.inputs.front().tensor : nullptr;
    work += static_cast<double>(link.shape.count()) *
            (kOverhead + (first == nullptr ? 0.0 : static_cast<double>(first->cols())));
  }
  return work;
}

/// Whether a link after number `at` reads one before it.
bool is_bypassed(const std::vector<RowLink>& chain, std::size_t at) {
  return std::any_of(chain.begin() + static_cast<std::ptrdiff_t>(at) + 1, chain.end(),
                     [&](const RowLink& link) {
                       return std::any_of(link.inputs.begin(), link.inputs.end(),
                                          [&](const RowLink::Input& input) {
                                            return input.tensor == nullptr && input.link < at;
                                          });
                     });
}

/// The link whose mask decides which columns of the links before it are needed: none of those is
/// kept or read later, and each has a column for every key. 0: there is none.
std::size_t hiding_link(const std::vector<RowLink>& chain) {
  for (std::size_t i = 0; i < chain.size(); ++i) {
    if (chain[i].operation == &hide && chain[i].inputs[1].tensor != nullptr)
      return is_bypassed(chain, i) ? 0 : i;
    if (chain[i].is_kept || chain[i].shape.cols != chain.front().shape.cols) return 0;
  }
  return 0;
}

/// From the first to the last column in which a row of the mask has something visible, at multiples
/// of what Eigen's products compute at a time on any machine, so that their sums stay the same.
Columns visible_columns(const Rows<const double>& mask) {
  constexpr Index kStep = 192;
  Index first = mask.cols, end = 0;
  for (Index r = 0; r < mask.rows; ++r) {
    const auto row = mask.row(r);
    const auto seen = [](double x) { return x != 0.0; };
    const Index before = std::find_if(row.begin(), row.begin() + first, seen) - row.begin();
    const Index after =
        row.rend() - std::find_if(row.rbegin(), row.rend() - std::max(end, before), seen);
    if (before == mask.cols) continue;
    first = std::min(first, before);
    end = std::max(end, after);
  }
  if (first >= end) return {0, 0};
  return {first / kStep * kStep, std::min((end + kStep - 1) / kStep * kStep, mask.cols)};
}

template <typename Number>
Rows<Number> narrowed(Rows<Number> rows, const Columns& columns) {
  return {rows.begin + columns.first, rows.rows, columns.end - columns.first, rows.stride};
}

/// What one thread computes with: room for the rows of links that are not kept.
class Worker {
 public:
  Worker(std::vector<RowLink>& chain, const Blocks& blocks, Dtype dtype, std::size_t hiding)
      : chain_(chain), blocks_(blocks), dtype_(dtype), hiding_(hiding), found_(chain.size()) {
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
    Columns needed{0, chain_.front().shape.cols};
    if (hiding_ > 0) needed = visible_columns(own_rows(*chain_[hiding_].inputs[1].tensor));
    for (std::size_t i = 0; i < chain_.size(); ++i)
      write(i, i < hiding_ ? needed : Columns{0, chain_[i].shape.cols});
  }

  const std::vector<NotFinite>& found() const { return found_; }

 private:
  Index room_for(const RowLink& link) const {
    return std::min(blocks_.rows, blocks_.size + 3) * link.shape.cols;
  }

  Rows<const double> own_rows(const Tensor& t) const {
    return {t.matrix(batch_, head_).data() + first_ * t.cols(), rows_, t.cols(), t.cols()};
  }

  Rows<const double> all_rows(const Tensor& t, const RowLink& link) const {
    const Index heads = link.shape.heads.value_or(1);
    const SlicePlace place =
        place_in(t.shape(), heads, {batch_, head_}, is_set(*link.parameters, "tiled"));
    return {t.matrix(place.batch, place.head).data(), t.rows(), t.cols(), t.cols()};
  }

  Rows<double> result_of(std::size_t i) {
    RowLink& link = chain_[i];
    const Index cols = link.shape.cols;
    if (!link.is_kept) return {room_[i].data(), rows_, cols, cols};
    return {link.result.matrix(batch_, head_).data() + first_ * cols, rows_, cols, cols};
  }

  void write(std::size_t i, const Columns& columns) {
    const RowLink& link = chain_[i];
    const bool narrow = columns.end - columns.first < link.shape.cols;
    const std::size_t by_row = link.operation->inputs_by_row(*link.parameters);
    std::vector<Rows<const double>> inputs;
    for (std::size_t n = 0; n < link.inputs.size(); ++n) {
      const RowLink::Input& input = link.inputs[n];
      Rows<const double> rows;
      if (input.tensor == nullptr) {
        const Rows<double> made = result_of(input.link);
        rows = {made.begin, made.rows, made.cols, made.stride};
      } else {
        rows = n < by_row ? own_rows(*input.tensor) : all_rows(*input.tensor, link);
      }
      if (narrow && n < by_row && rows.cols == link.shape.cols) rows = narrowed(rows, columns);
      if (narrow && n >= by_row)  // of Q·Kᵀ: these columns of the result are those rows of K
        rows = {rows.begin + columns.first * rows.stride, columns.end - columns.first, rows.cols,
                rows.stride};
      inputs.push_back(rows);
    }
    const Rows<double> result = narrowed(result_of(i), columns);
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
  std::size_t hiding_;
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
  const std::size_t hiding = hiding_link(chain);
  std::mutex guard;
  const Index matrices = shape.batch.value_or(1) * shape.heads.value_or(1);
  in_parallel(matrices * blocks.count, work_of(chain), [&]() -> std::function<void(Index)> {
    const auto finish = [&](Worker* worker) {
      const std::lock_guard lock(guard);
      for (std::size_t i = 0; i < chain.size(); ++i) chain[i].not_finite |= worker->found()[i];
      delete worker;
    };
    const std::shared_ptr<Worker> worker(new Worker(chain, blocks, dtype, hiding), finish);
    return [worker](Index task) { (*worker)(task); };
  });
}

Tensor evaluate(const Operation& operation, const Call& call) {
  if (operation.write_rows == nullptr) return operation.evaluate(call);
  std::vector<RowLink> chain{{&operation, &call.parameters, {}, call.shape}};
  for (const Tensor* input : call.inputs) chain.front().inputs.push_back({input});
  compute(chain);
  return std::move(chain.front().result);
}

}  // namespace attn::ops

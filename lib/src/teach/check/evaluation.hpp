// A computation with some matrices replaced by somebody's own, and another wiring.
#pragma once

#include <deque>
#include <functional>
#include <limits>
#include <memory>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "attn/attend.hpp"

namespace attn {

/// `t` with its heads in another order: `order` lists those that take the places 0, 1, ….
Tensor with_heads(const Tensor& t, const std::vector<Index>& order);

/// What is done to the result of a step after its operation.
struct Afterwards {
  std::string step = {};
  double factor = 1.0;
  bool minus_row_max = false;
  std::vector<Index> heads = {};    ///< the heads that take the places 0, 1, …; none: as they are
  std::vector<Index> columns = {};  ///< the same for columns
};

/// One change to the right computation.
struct Variation {
  Recipe recipe = {};
  std::vector<Afterwards> afterwards = {};
  std::shared_ptr<const Trace> plan =
      {};  ///< an outline of the truth with this recipe, if it is there already
};

inline constexpr Index kAllRows = std::numeric_limits<Index>::max();

/// How many of the first tokens are computed, as queries and as keys. Where no token sees a later
/// one, fewer keys change nothing for the queries among them.
struct FirstRows {
  Index queries = kAllRows, keys = kAllRows;
};

/// Whether that is so in a whole model: each of its attentions has a mask that hides later tokens.
bool sees_only_earlier(const Trace& truth);

/// The matrices of a computation: what each step makes of the matrices before it, and what the
/// steps after it use, which may be somebody's own.
class Evaluation {
 public:
  /// Called with each step in order; `anew` if it was computed, not taken from the base. `own` may
  /// be set to what the steps after it are to use instead. Returns whether to go on.
  using Visit =
      std::function<bool(const std::string& id, const Tensor& made, bool anew, const Tensor*& own)>;

  /// The truth itself.
  explicit Evaluation(const Trace& truth);
  /// `truth` changed; what the change does not touch is taken from `base`. Only the steps that
  /// lead to `wanted` are computed, and of their tokens only the first; `kept` steps are used as in
  /// the base, and neither made nor visited.
  Evaluation(const Trace& truth, const Evaluation& base, const Variation& change,
             const std::vector<std::string>& wanted, const Visit& visit, FirstRows first = {},
             const std::set<std::string>& kept = {});

  Evaluation(const Evaluation&) = delete;  // points into itself

  /// What the step of that id makes, or nullptr.
  const Tensor* made(const std::string& id) const;

  /// How long it took, in products of two numbers: about 10 billion of them in a second.
  double work() const { return work_; }

 private:
  struct Values {
    const Tensor* made = nullptr;
    const Tensor* used = nullptr;
  };
  const Tensor* compute(const Trace& plan, const Step& step, const Variation& change);
  /// What steps use of `step`: all of it, or the first tokens.
  const Tensor* used(const Step& step);

  FirstRows first_;
  std::unordered_map<std::string, Values> values_;
  std::deque<Tensor> store_;
  double work_ = 0.0;
};

}  // namespace attn

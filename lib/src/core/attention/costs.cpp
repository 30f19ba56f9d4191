// Counts what an attention takes, in numbers and in letters.
#include "core/attention/costs.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "attn/phrases.hpp"
#include "core/text/thousands.hpp"
#include "core/trace/multiplications.hpp"

namespace attn {
namespace {

constexpr Index kMostRows = 500;  // of a matrix whose rank is worth the time

/// One product of the computation: its letters, and how many multiplications it takes.
struct Product {
  std::string letters;
  double count;
};

std::vector<Product> products_of(const Trace& trace, const Settings& s) {
  const std::string q = s.n_queries == s.n_keys ? "T" : "T_q",
                    k = s.n_queries == s.n_keys ? "T" : "T_k";
  const std::string h = s.has_heads ? "h·" : "";
  const std::string g = !s.has_heads ? "" : s.kv_heads == s.heads ? "h·" : "h_kv·";
  const std::string d_v = s.d_v == s.d_k ? "d_k" : "d_v";
  std::vector<Product> all;
  const auto add = [&](const char* id, const std::string& letters) {
    const Step* step = trace.find(id);
    if (step == nullptr || step->is_given() || step->operation->sizes_meet == SizesMeet::No) return;
    const double terms = static_cast<double>(trace.input(*step, 0).value.cols());
    all.push_back({letters, terms * static_cast<double>(step->value.shape().count())});
  };
  add("q", q + "·d·" + h + "d_k");
  add("k", k + "·d·" + g + "d_k");
  add("v", k + "·d·" + g + d_v);
  const std::string pairs = q == k ? "T²·" : q + "·" + k + "·";
  add("scores", h + pairs + "d_k");
  add("context", h + pairs + d_v);
  const bool projected = trace.find("w_o") != nullptr;
  add("output", projected ? q + "·" + h + d_v + "·d" : h + pairs + d_v);
  return all;
}

/// "3·T·d·d_k + 2·T²·d_k": equal neighbours are one term.
std::string sum_of(const std::vector<Product>& products) {
  std::vector<std::pair<std::string, int>> terms;
  for (const Product& each : products) {
    if (terms.empty() || terms.back().first != each.letters) terms.emplace_back(each.letters, 0);
    ++terms.back().second;
  }
  std::string text;
  for (const auto& [letters, n] : terms) {
    text += (text.empty() ? "" : " + ") + (n == 1 ? "" : std::to_string(n) + "·") + letters;
  }
  return text;
}

std::string multiplications_of(const Trace& trace, const Settings& s) {
  const double all = multiplications(trace);
  const std::vector<Product> products = products_of(trace, s);
  double sum = 0.0;
  for (const Product& each : products) sum += each.count;
  const bool square =
      trace.find("w_o") == nullptr || !s.d_model || trace.find("w_o")->value.cols() == *s.d_model;
  const bool follows = sum == all && square && s.batch == 1;
  return "multiplications " + in_thousands(all) + (follows ? " = " + sum_of(products) : "");
}

/// Rank by elimination with the largest pivot; what is tiny beside the largest number counts as 0.
Index rank_of(std::vector<std::vector<double>> rows) {
  double largest = 0.0;
  for (const auto& row : rows) {
    for (const double x : row) largest = std::max(largest, std::abs(x));
  }
  const double tiny = largest * 1e-10;
  Index rank = 0;
  const std::size_t cols = rows.empty() ? 0 : rows.front().size();
  for (std::size_t done = 0; done < rows.size() && done < cols; ++done) {
    std::size_t row = done, col = done;
    for (std::size_t r = done; r < rows.size(); ++r) {
      for (std::size_t c = done; c < cols; ++c) {
        if (std::abs(rows[r][c]) > std::abs(rows[row][col])) row = r, col = c;
      }
    }
    if (!(std::abs(rows[row][col]) > tiny)) break;
    std::swap(rows[row], rows[done]);
    for (auto& each : rows) std::swap(each[col], each[done]);
    for (std::size_t r = done + 1; r < rows.size(); ++r) {
      const double factor = rows[r][done] / rows[done][done];
      for (std::size_t c = done; c < cols; ++c) rows[r][c] -= factor * rows[done][c];
    }
    ++rank;
  }
  return rank;
}

/// "S has rank 4 of 5, and is not symmetric", for each head.
std::string kind_of_scores(const Trace& trace) {
  const Step* scores = trace.find("scores");
  if (scores == nullptr || scores->is_outline() || scores->value.shape().batch) return "";
  const Tensor& s = scores->value;
  if (s.rows() > kMostRows || s.cols() > kMostRows) return "";
  std::vector<std::string> ranks;
  bool symmetric = s.rows() == s.cols();
  for (Index h = 0; h < s.heads(); ++h) {
    std::vector<std::vector<double>> rows;
    for (Index r = 0; r < s.rows(); ++r) {
      const auto row = s.row(0, h, r);
      if (!std::all_of(row.begin(), row.end(), [](double x) { return std::isfinite(x); }))
        return "";
      rows.emplace_back(row.begin(), row.end());
    }
    for (std::size_t r = 0; symmetric && r < rows.size(); ++r) {
      for (std::size_t c = 0; c < r; ++c) {
        const double scale = std::max({1.0, std::abs(rows[r][c]), std::abs(rows[c][r])});
        symmetric = symmetric && std::abs(rows[r][c] - rows[c][r]) <= 1e-12 * scale;
      }
    }
    ranks.push_back(std::to_string(rank_of(std::move(rows))));
  }
  return "rank of S " + separated(ranks, ", ") + " of " +
         std::to_string(std::min(s.rows(), s.cols())) +
         (symmetric ? "; S is symmetric" : "; S is not symmetric");
}

/// What a cache keeps of the keys and values of all tokens.
std::string cache_of(const Settings& s) {
  const Index numbers = s.n_keys * s.kv_heads * (s.d_k + s.d_v);
  const std::string t = s.n_queries == s.n_keys ? "T" : "T_k";
  const std::string g = !s.has_heads ? "" : s.kv_heads == s.heads ? "·h" : "·h_kv";
  return filled("cache {} numbers = {}{}·(d_k + d_v), {} bytes in float32",
                in_thousands(static_cast<double>(numbers)), t, g,
                in_thousands(4.0 * static_cast<double>(numbers)));
}

}  // namespace

std::vector<std::string> costs(const Trace& trace) {
  if (trace.is_model() || trace.find("k_nope") != nullptr || trace.find("scores") == nullptr)
    return {};
  const Settings& s = trace.settings();
  std::vector<std::string> lines{multiplications_of(trace, s)};
  lines.push_back(cache_of(s));
  const std::string scores = kind_of_scores(trace);
  if (!scores.empty()) lines.push_back(scores);
  return lines;
}

}  // namespace attn

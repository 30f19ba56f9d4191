// Ways to hide the wrong scores, or to hide them wrongly.
#include <limits>
#include <string>

#include "support/wrong_attention.hpp"

namespace attn::testing {
namespace {

/// Masked scores made by `change(score, mask)`, cell by cell.
template <typename Change>
void hide_by(Spoiling& spoiling, Change change) {
  spoiling.habits().hide = [change](const Bench&, const Block& scores, const Block& mask) {
    return like(scores, [&](Index b, Index h, Index i, Index j) {
      return change(scores.at(b, h, i, j), mask.at(b, h, i, j));
    });
  };
}

void written_unmasked(Spoiling& spoiling) {
  hide_by(spoiling, [](double score, double) { return score; });
  spoiling.habits().unwritten = {"mask"};
}

void left_out(Spoiling& spoiling) {
  spoiling.draft().masks.clear();
  spoiling.draft().key_lengths.clear();
}

void after_softmax(Spoiling& spoiling) {
  written_unmasked(spoiling);
  spoiling.habits().unwritten = {"masked_scores"};
  spoiling.habits().softmax = [](const Block& scores, const Block& mask) {
    Block weights = right_softmax(scores, mask);
    return like(weights, [&](Index b, Index h, Index i, Index j) {
      return weights.at(b, h, i, j) * mask.at(b, h, i, j);
    });
  };
}

void multiplied(Spoiling& spoiling) {
  hide_by(spoiling, [](double score, double mask) { return score * mask; });
}

void tiny_fill(Spoiling& spoiling) {
  const double fill = spoiling.dice.chance(50) ? 1e-9 : -1e-9;
  spoiling.draft().fill = fill;
}

void added_as_is(Spoiling& spoiling) {
  hide_by(spoiling, [](double score, double mask) { return score + mask; });
}

void added_as_is_hidden_1(Spoiling& spoiling) {
  hide_by(spoiling, [](double score, double mask) { return score + 1 - mask; });
}

void weak_fill(Spoiling& spoiling) {
  spoiling.draft().fill = spoiling.dice.one_of<double>({-1, -2, -3, -4, -5, -10});
}

void large_fill(Spoiling& spoiling) { spoiling.draft().fill = -1e9; }

void weak_addend(Spoiling& spoiling) {
  const double addend = spoiling.dice.one_of<double>({-2, -3, -4, -5, -10});
  hide_by(spoiling,
          [addend](double score, double mask) { return mask == 0 ? score + addend : score; });
}

void inverted(Spoiling& spoiling) {
  spoiling.habits().mask = [](const Bench& bench) {
    Block mask = oracle_mask(bench.draft, bench.facts);
    for (double& cell : mask.data) cell = 1 - cell;
    return mask;
  };
}

void inverted_finite(Spoiling& spoiling) {
  inverted(spoiling);
  spoiling.draft().fill = -1e9;
}

/// A row without a visible key is 0/0, as in a program that does nothing about it.
void not_a_number(Spoiling& spoiling) {
  spoiling.habits().softmax = [](const Block& masked, const Block& mask) {
    const Block weights = right_softmax(masked, mask), sums = row_sum(weights);
    return like(weights, [&](Index b, Index h, Index i, Index j) {
      const bool empty = sums.at(b, h, i, 0) == 0;
      return empty ? std::numeric_limits<double>::quiet_NaN() : weights.at(b, h, i, j);
    });
  };
}

void inverted_nan(Spoiling& spoiling) {
  inverted(spoiling);
  not_a_number(spoiling);
}

void mask_with(Spoiling& spoiling, const std::string& text) {
  spoiling.draft().masks = {parse_mask("none")};
  spoiling.draft().masks[0].text = text;
}

void flipped(Spoiling& spoiling) { mask_with(spoiling, "window:0,99"); }
void diagonal(Spoiling& spoiling) { mask_with(spoiling, "window:99,-1"); }
void leak(Spoiling& spoiling) { mask_with(spoiling, "window:99,1"); }

void diagonal_finite(Spoiling& spoiling) {
  diagonal(spoiling);
  spoiling.draft().fill = -1e9;
}

void diagonal_nan(Spoiling& spoiling) {
  diagonal(spoiling);
  not_a_number(spoiling);
}

/// The mask with rows and columns exchanged.
void query_rows(Spoiling& spoiling) {
  spoiling.habits().mask = [](const Bench& bench) {
    const Block right = oracle_mask(bench.draft, bench.facts);
    return like(right, [&](Index b, Index h, Index i, Index j) { return right.at(b, h, j, i); });
  };
}

void query_rows_finite(Spoiling& spoiling) {
  query_rows(spoiling);
  spoiling.draft().fill = -1e9;
}

void alignment(Spoiling& spoiling) {
  Align& align = spoiling.draft().align;
  align = align == Align::Start ? Align::End : Align::Start;
}

/// The window one key wider, or one narrower, to the left.
void window_by(Spoiling& spoiling, int more) {
  const std::string text = spoiling.draft().masks[0].text;
  const std::size_t comma = text.find(',');
  const std::string right = comma == std::string::npos ? "" : text.substr(comma);
  mask_with(spoiling, "window:" + std::to_string(std::stoi(text.substr(7)) + more) + right);
}

void window_wider(Spoiling& spoiling) { window_by(spoiling, 1); }
void window_narrower(Spoiling& spoiling) { window_by(spoiling, -1); }

/// Batch entry b and head h get the mask of batch entry `item(facts, b, h)`.
void mask_of(Spoiling& spoiling, Index (*item)(const Facts& facts, Index b, Index h)) {
  spoiling.habits().mask = [item](const Bench& bench) {
    const Block right = oracle_mask(bench.draft, bench.facts);
    return like(right, [&](Index b, Index h, Index i, Index j) {
      return right.at(item(bench.facts, b, h), h, i, j);
    });
  };
}

void next_item(Spoiling& spoiling) {
  mask_of(spoiling, [](const Facts& facts, Index b, Index) { return (b + 1) % facts.batch; });
}

/// Copies laid out batch by batch, heads laid out entry by entry.
void tiled_items(Spoiling& spoiling) {
  mask_of(spoiling,
          [](const Facts& facts, Index b, Index h) { return (b * facts.heads + h) % facts.batch; });
}

void for_group(Spoiling& spoiling) {
  mask_of(spoiling,
          [](const Facts& facts, Index, Index h) { return h / (facts.heads / facts.kv_heads); });
}

void for_head(Spoiling& spoiling) {
  mask_of(spoiling, [](const Facts&, Index, Index h) { return h; });
}

void first_forgotten(Spoiling& spoiling) {
  std::vector<MaskSpec>& masks = spoiling.draft().masks;
  masks.erase(masks.begin());
}

void last_forgotten(Spoiling& spoiling) { spoiling.draft().masks.pop_back(); }

/// Nothing is too far away.
void window_open(Spoiling& spoiling) {
  const std::string text = spoiling.draft().masks[0].text;
  const std::size_t comma = text.find(',');
  mask_with(spoiling, "window:99" + (comma == std::string::npos ? "" : text.substr(comma)));
}

/// One more of the last keys is hidden, as another sequence needs it.
void other_padding(Spoiling& spoiling) {
  spoiling.habits().mask = [](const Bench& bench) {
    const Block right = oracle_mask(bench.draft, bench.facts);
    Index first = 0;
    while (right.at(0, 0, 0, first) != 0) ++first;
    return like(right, [&](Index, Index, Index, Index j) { return j < first - 1 ? 1.0 : 0.0; });
  };
}

/// Each batch entry hides a number of last keys of its own, none of them the right one.
void padding_of_each(Spoiling& spoiling) {
  spoiling.habits().mask = [](const Bench& bench) {
    const Block right = oracle_mask(bench.draft, bench.facts);
    return like(right, [&](Index b, Index, Index, Index j) {
      Index last = right.cols;
      while (right.at(b, 0, right.rows - 1, last - 1) == 0) --last;
      return j < (b == 0 ? last - 1 : right.cols - (last == right.cols ? 2 : 0)) ? 1.0 : 0.0;
    });
  };
}

/// Each token sees itself and the one before it.
void window_of_two(Spoiling& spoiling) { mask_with(spoiling, "window:1"); }

/// A causal mask as well as the problem's.
void causal_too(Spoiling& spoiling) {
  spoiling.habits().mask = [](const Bench& bench) {
    const Block right = oracle_mask(bench.draft, bench.facts);
    return like(right, [&](Index b, Index h, Index i, Index j) {
      return j > i ? 0.0 : right.at(b, h, i, j);
    });
  };
}

/// torch.tril on the scores of a problem without a mask.
void causal_unasked(Spoiling& spoiling) {
  spoiling.habits().touch = [](const std::string& id, Block& block) {
    if (id != "weights") return;
    for (Index b = 0; b < block.batch; ++b) {
      for (Index h = 0; h < block.heads; ++h) {
        for (Index i = 0; i < block.rows; ++i) {
          double sum = 0.0;
          for (Index j = 0; j <= i; ++j) sum += block.at(b, h, i, j);
          for (Index j = 0; j < block.cols; ++j)
            block.at(b, h, i, j) = j <= i ? block.at(b, h, i, j) / sum : 0.0;
        }
      }
    }
  };
}

void large_sign(Spoiling& spoiling) { spoiling.draft().fill = 1e9; }

void infinite_sign(Spoiling& spoiling) {
  hide_by(spoiling, [](double score, double mask) {
    return mask == 0 ? std::numeric_limits<double>::infinity() : score;
  });
}

void not_capped(Spoiling& spoiling) { spoiling.draft().softcap.reset(); }

void cap_last(Spoiling& spoiling) { spoiling.habits().caps_after_mask = true; }

}  // namespace

WrongWays wrong_masks() {
  return {
      {"mask.missing", "masked scores = scaled scores", causal_problem, written_unmasked},
      {"mask.missing", "step left out", causal_problem, left_out},
      {"mask.missing", "padding", padded_problem, written_unmasked},
      {"mask.missing", "batch", batch_padded_problem, left_out},
      {"mask.after_softmax", "", causal_problem, after_softmax},
      {"mask.after_softmax", "padding", padded_problem, after_softmax},
      {"mask.multiplied", "", causal_problem, multiplied},
      {"mask.multiplied", "fill of 10⁻⁹", causal_problem, tiny_fill},
      {"mask.added_as_is", "", causal_problem, added_as_is},
      {"mask.added_as_is", "hidden = 1", causal_problem, added_as_is_hidden_1},
      {"mask.inverted", "", causal_problem, inverted},
      {"mask.inverted", "hidden = −10⁹", causal_problem, inverted_finite},
      {"mask.inverted", "0/0", causal_problem, inverted_nan},
      {"mask.inverted", "padding", padded_problem, inverted},
      {"mask.triangle_flipped", "", causal_problem, flipped},
      {"mask.diagonal", "", causal_problem, diagonal},
      {"mask.diagonal", "hidden = −10⁹", causal_problem, diagonal_finite},
      {"mask.diagonal", "0/0", causal_problem, diagonal_nan},
      {"mask.leak", "", causal_problem, leak},
      {"mask.query_rows", "", padded_problem, query_rows},
      {"mask.query_rows", "hidden = −10⁹", padded_problem, query_rows_finite},
      {"mask.weak_fill", "", causal_problem, weak_fill},
      {"mask.weak_fill", "added", causal_problem, weak_addend},
      {"mask.empty_rows", "fill of −10⁹", blind_problem, large_fill},
      {"mask.empty_rows", "0/0", blind_problem, not_a_number},
      {"mask.alignment", "", aligned_problem, alignment},
      {"mask.window", "one more", window_problem, window_wider},
      {"mask.window", "one fewer", window_problem, window_narrower},
      {"mask.causal_added", "", unmasked_problem, causal_unasked},
      {"mask.causal_added", "padding", padded_problem, causal_too},
      {"mask.window_added", "", causal_problem, window_of_two},
      {"mask.window_added", "cached", cached_rope_problem, window_of_two},
      {"mask.wrong_item", "next entry", batch_padded_problem, next_item},
      {"mask.wrong_item", "tiled", batch_padded_problem, tiled_items},
      {"mask.wrong_item", "for groups", grouped_batch_problem, for_group},
      {"mask.wrong_item", "for heads", batch_padded_problem, for_head},
      {"mask.part_missing", "causal", two_masks_problem, first_forgotten},
      {"mask.part_missing", "keys", two_masks_problem, last_forgotten},
      {"mask.part_missing", "window", window_problem, window_open},
      {"mask.other_side", "", padded_problem, other_padding},
      {"mask.other_side", "of each entry", batch_padded_problem, padding_of_each},
      {"mask.fill_sign", "10⁹", causal_problem, large_sign},
      {"mask.fill_sign", "∞", aligned_problem, infinite_sign},
      {"softcap.missing", "", capped_problem, not_capped},
      {"softcap.after_mask", "", capped_problem, cap_last},
  };
}

}  // namespace attn::testing

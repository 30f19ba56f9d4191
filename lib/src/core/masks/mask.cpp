// The table of masks: how to write each, and which keys it hides.
#include "core/masks/mask.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <limits>
#include <utility>

#include "attn/phrases.hpp"
#include "attn/suggest.hpp"
#include "core/masks/hiding.hpp"
#include "core/masks/key_selection.hpp"
#include "core/masks/mask_repair.hpp"
#include "core/tensor/slices.hpp"

namespace attn {
namespace {

/// A mask applied to a site.
struct Resolved {
  std::vector<Index> numbers;
  std::vector<std::vector<bool>> selected;  // per batch entry: which keys (or queries) are meant
  std::vector<Range> document;              // per key: the document it belongs to
};

/// What comes after the colon: `least` to `most` numbers, lengths that add up to all keys, or keys
/// or queries as `select` reads them.
struct Form {
  enum { Nothing, Numbers, Lengths, Keys, Queries } kind;
  std::size_t least, most;

  bool is_numeric() const { return kind == Numbers || kind == Lengths; }
};

struct MaskRow {
  MaskKind kind;
  Form form;
  Range (*sees)(const Resolved& mask, Index p);  // which keys a query at position p may see
};

constexpr std::size_t kMany = 1000000;
constexpr Form kNothing{Form::Nothing, 0, 0};

constexpr Index kEnd = std::numeric_limits<Index>::max();

Range all(const Resolved&, Index) { return {0, kEnd}; }

Range causal(const Resolved&, Index p) { return {0, p}; }

Range window(const Resolved& mask, Index p) {
  return {p - mask.numbers[0], p + (mask.numbers.size() > 1 ? mask.numbers[1] : 0)};
}

Range prefix(const Resolved& mask, Index p) { return {0, std::max(mask.numbers[0] - 1, p)}; }

Range same_document(const Resolved& mask, Index p) {
  if (p < 0 || p >= std::ssize(mask.document)) return {0, -1};
  return mask.document[static_cast<std::size_t>(p)];
}

// name, usage, summary, why a key is hidden, example; arguments; the keys that a position sees.
constexpr std::array kMasks = {
    MaskRow{{"none", "none", "every query sees every key", "", "none"}, kNothing, all},
    MaskRow{{"causal", "causal", "no query sees a later key", "the key comes later", "causal"},
            kNothing,
            causal},
    MaskRow{{"window", "window:LEFT[,RIGHT]", "keys at most LEFT before and RIGHT after the query",
             "the key is outside the query's window", "window:2"},
            {Form::Numbers, 1, 2},
            window},
    MaskRow{{"prefix", "prefix:N", "the first N keys for all, causal after them",
             "the key comes after the prefix and after the query", "prefix:2"},
            {Form::Numbers, 1, 1},
            prefix},
    MaskRow{{"padding", "padding[:KEYS]", "hides the KEYS, or whatever looks like padding",
             "the key is padding; its row of K becomes its column of S", "padding:3-4"},
            {Form::Keys, 0, kMany},
            all},
    MaskRow{{"keys", "keys:KEYS", "these keys are hidden from every query",
             "this key is hidden from every query", "keys:1,3"},
            {Form::Keys, 1, kMany},
            all},
    MaskRow{{"queries", "queries[:ROWS]", "queries that are padding: their weights become zero", "",
             "queries:3-4"},
            {Form::Queries, 0, kMany},
            all},
    MaskRow{{"documents", "documents:LEN,LEN,…", "packed sequences, no attention across them",
             "the key belongs to another document", "documents:3,2"},
            {Form::Lengths, 1, kMany},
            same_document},
};

constexpr std::array<MaskKind, kMasks.size()> kMaskKinds = [] {
  std::array<MaskKind, kMasks.size()> kinds{};
  for (std::size_t i = 0; i < kMasks.size(); ++i) kinds[i] = kMasks[i].kind;
  return kinds;
}();

const MaskRow& row_of(const MaskSpec& spec) {
  return kMasks.at(static_cast<std::size_t>(spec.kind - kMaskKinds.data()));
}

Diagnostic bad_arguments(const MaskKind& kind, std::string_view text, const std::string& pointer) {
  const MaskRepair repair = mask_repair(text);
  const std::string example = std::string_view(kind.usage) == kind.example
                                  ? filled("Write {} alone.", kind.example)
                                  : filled("Write {}, for example {}.", kind.usage, kind.example);
  return {
      .id = "mask-arguments",
      .what = filled("the mask \"{}\" does not have the form {}", std::string(text), kind.usage),
      .places = {{.pointer = pointer}},
      .rule = filled("{}: {}.", kind.name, kind.summary),
      .fix = repair.fix.empty() ? example : repair.fix,
      .changes = repair.changes};
}

/// The document of each key, from the lengths of the documents.
std::vector<Range> documents(const MaskSpec& spec, const std::vector<Index>& lengths,
                             const MaskSite& site, Complaints& complaints) {
  std::vector<Range> document;
  for (const Index length : lengths) {
    const Index first = std::ssize(document);
    const Index room = std::min(length, site.n_keys + 1 - first);  // more is wrong anyway
    document.insert(document.end(), static_cast<std::size_t>(room), {first, first + length - 1});
  }
  if (std::ssize(document) == site.n_keys) return document;
  Index total = 0;
  for (const Index length : lengths) total += length;
  complaints.add("mask-documents", spec.pointer,
                 filled("the lengths of \"{}\" add up to {}, but {}", spec.text, total,
                        there_are(site.n_keys, "key")),
                 filled("Give lengths that add up to {}.", site.n_keys),
                 "Every key belongs to one document.");
  return document;
}

/// The keys or queries that are meant; without arguments those that are padding.
std::vector<std::vector<bool>> selection(const MaskSpec& spec, bool queries, const MaskSite& site,
                                         Complaints& complaints) {
  const TokenLists& tokens = queries ? site.query_tokens : site.key_tokens;
  if (spec.arguments.empty())
    return padding(tokens, queries ? site.zero_queries : site.zero_keys, site.entries());
  return select(spec, queries ? "query" : "key", tokens, queries ? site.n_queries : site.n_keys,
                site.entries(), complaints);
}

Resolved resolve(const MaskSpec& spec, const MaskSite& site, Complaints& complaints) {
  const MaskRow& row = row_of(spec);
  Resolved mask;
  if (row.form.is_numeric()) {
    for (const std::string& argument : spec.arguments) mask.numbers.push_back(std::stol(argument));
  } else if (row.form.kind != Form::Nothing) {
    mask.selected = selection(spec, row.form.kind == Form::Queries, site, complaints);
  }
  if (row.form.kind == Form::Lengths)
    mask.document = documents(spec, mask.numbers, site, complaints);
  return mask;
}

/// Whether a list with something for each batch entry has different things in it.
template <typename List>
bool differ(const List& list) {
  return std::adjacent_find(list.begin(), list.end(), std::not_equal_to<>()) != list.end();
}

/// Whether a mask hides other keys in one batch entry than in another.
bool differs(const MaskRow& row, const Resolved& mask, const MaskSite& site) {
  return differ(mask.selected) || (row.sees != all && differ(site.offsets));
}

/// Applies one mask of keys. Returns whether it hides any cell, hidden already or not.
bool apply(Hiding& hiding, const MaskRow& row, const Resolved& mask, const MaskSite& site,
           Index entries) {
  bool any = false;
  for (Index b = 0; b < entries; ++b) {
    for (Index j = 0; row.form.kind == Form::Keys && j < site.n_keys; ++j) {
      if (!mask.selected[static_cast<std::size_t>(b)][static_cast<std::size_t>(j)]) continue;
      hiding.drop(b, j);
      any = true;
    }
    for (Index i = 0; row.form.kind != Form::Keys && i < site.n_queries; ++i)
      any |= hiding.keep(b, i, row.sees(mask, i + MaskSite::of_entry(site.offsets, b)));
  }
  return any;
}

}  // namespace

std::span<const MaskKind> mask_kinds() { return kMaskKinds; }

MaskSpec parse_mask(std::string_view text, const std::string& pointer) {
  const std::size_t colon = text.find(':');
  const std::string_view name = text.substr(0, colon);
  std::vector<std::string> names, usages;
  for (const MaskKind& kind : kMaskKinds) {
    names.emplace_back(kind.name);
    usages.emplace_back(kind.usage);
  }
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) {
    const MaskRepair repair = mask_repair(text);
    const bool clear = !repair.fix.empty();
    const std::string_view first = name.substr(0, name.find(','));  // of what may be several masks
    throw input_error(
        {.id = "mask-unknown",
         .what = filled("there is no mask \"{}\"{}", std::string(clear ? text : first),
                        clear ? "" : did_you_mean(first, names)),
         .places = {{.pointer = pointer}},
         .fix = clear ? repair.fix : filled("Write one of {}.", listed(usages)),
         .changes = repair.changes});
  }
  MaskSpec spec{std::string(text),
                &kMaskKinds.at(static_cast<std::size_t>(found - names.begin())),
                {},
                pointer};
  if (colon != text.npos) spec.arguments = split_at_commas(text.substr(colon + 1));
  const MaskRow& row = row_of(spec);
  if (row.form.is_numeric()) {
    for (std::string& each : spec.arguments) each = trimmed(each);
  }
  const bool count_fits =
      spec.arguments.size() >= row.form.least && spec.arguments.size() <= row.form.most;
  const bool each_fits =
      std::all_of(spec.arguments.begin(), spec.arguments.end(), [&](const std::string& each) {
        return row.form.is_numeric() ? is_count(each) : !each.empty();
      });
  if (!count_fits || !each_fits) throw input_error(bad_arguments(*spec.kind, text, pointer));
  return spec;
}

std::string mask_reason(const std::string& name) {
  for (const MaskKind& kind : kMaskKinds) {
    if (name.substr(0, name.find(':')) == kind.name) return kind.why;
  }
  if (name == "allowed") return "the matrix `allowed` has a 0 here";
  if (name == "hidden") return "the matrix `hidden` has a 1 here";
  if (name == "key_lengths") return "the key is beyond the key length of this batch entry";
  return "";
}

bool depends_on_position(const MaskSpec& spec) { return row_of(spec).sees != all; }

std::optional<Visibility> resolve_masks(const std::vector<MaskSpec>& specs,
                                        const std::optional<Tensor>& allowed,
                                        const std::vector<Index>& key_lengths, const MaskSite& site,
                                        const std::function<void(double bytes)>& take,
                                        std::vector<std::string>& idle, Complaints& complaints) {
  std::vector<std::pair<const MaskSpec*, Resolved>> masks;
  bool by_entry = (allowed && allowed->shape().batch) || differ(key_lengths);
  for (const MaskSpec& spec : specs) {
    const MaskRow& row = row_of(spec);
    if (*row.kind.why == '\0') continue;  // hides no key
    masks.emplace_back(&spec, resolve(spec, site, complaints));
    by_entry |= differs(row, masks.back().second, site);
  }
  if (complaints.any() || (masks.empty() && !allowed && key_lengths.empty())) return std::nullopt;
  const Shape shape{by_entry ? site.batch : std::nullopt,
                    allowed ? allowed->shape().heads : std::nullopt, site.n_queries,
                    site.n_keys + site.n_extra};
  take(static_cast<double>(sizeof(double) + sizeof(std::uint16_t)) *
       static_cast<double>(shape.count()));
  const auto cells = static_cast<std::size_t>(shape.count());
  Visibility v{Tensor(shape, 1.0), std::vector<std::uint16_t>(cells), {}};
  Hiding hiding(v, site);
  for (const auto& [spec, mask] : masks) {
    const MaskRow& row = row_of(*spec);
    hiding.begin(spec->text);
    const bool any = apply(hiding, row, mask, site, v.allowed.batch());
    // A lone query may be the last one, which sees every key under a causal mask.
    const bool by_position = row.form.kind == Form::Nothing;
    if (!any && !(by_position && site.n_queries == 1)) idle.push_back(spec->text);
  }
  const auto hide_where = [&](const char* name, const auto& hides) {
    hiding.begin(name);
    for_each_slice(v.allowed, [&](Index b, Index h) {
      for (Index i = 0; i < site.n_queries; ++i) {
        for (Index j = 0; j < site.n_keys; ++j) {
          if (hides(Cell{b, h, i, j})) hiding.hide({b, h, i, j});
        }
      }
    });
  };
  if (allowed) hide_where(site.matrix, [&](const Cell& at) { return allowed->at(at) == 0.0; });
  if (!key_lengths.empty())
    hide_where("key_lengths",
               [&](const Cell& at) { return at.col >= MaskSite::of_entry(key_lengths, at.batch); });
  v.allowed = v.allowed.spread(site.batch, site.heads);
  return v;
}

std::optional<Tensor> resolve_query_masks(const std::vector<MaskSpec>& specs, const MaskSite& site,
                                          std::vector<std::string>& idle, Complaints& complaints) {
  Tensor kept(Shape{site.batch, std::nullopt, site.n_queries, 1}, 1.0);
  bool any = false;
  for (const MaskSpec& spec : specs) {
    if (row_of(spec).form.kind != Form::Queries) continue;
    any = true;
    bool hides = false;
    const Resolved mask = resolve(spec, site, complaints);
    for (Index b = 0; b < kept.batch(); ++b) {
      for (Index i = 0; i < kept.rows(); ++i) {
        if (!MaskSite::of_entry(mask.selected, b)[static_cast<std::size_t>(i)]) continue;
        kept.at({b, 0, i, 0}) = 0.0;
        hides = true;
      }
    }
    if (!hides) idle.push_back(spec.text);
  }
  return any ? std::optional(kept) : std::nullopt;
}

}  // namespace attn

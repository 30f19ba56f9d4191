// The table of masks: how to write each, and which keys it hides.
#include "core/masks/mask.hpp"

#include <algorithm>
#include <array>

#include "attn/tool/phrases.hpp"
#include "attn/tool/suggest.hpp"
#include "core/masks/key_selection.hpp"
#include "core/masks/mask_repair.hpp"

namespace attn {
namespace {

/// A mask applied to a site.
struct Resolved {
  std::vector<Index> numbers;
  std::vector<std::vector<bool>> selected;  // per batch entry: which keys (or queries) are meant
  std::vector<Index> document;              // per key: which document it belongs to
};

/// One question to a mask: may the query at position `p` see key `j`?
struct Question {
  Index p, j, entry, n_keys;
};

/// What stands after the colon: `least` to `most` numbers, or keys (or queries) as `select` reads
/// them.
struct Form {
  enum { Nothing, Numbers, Selection } kind;
  std::size_t least, most;
};

struct MaskRow {
  MaskKind kind;
  Form form;
  bool (*allows)(const Resolved& mask, const Question& ask);
};

constexpr std::size_t kMany = 1000000;
constexpr Form kNothing{Form::Nothing, 0, 0};

bool allows_all(const Resolved&, const Question&) { return true; }

bool causal(const Resolved&, const Question& ask) { return ask.j <= ask.p; }

bool window(const Resolved& mask, const Question& ask) {
  const Index right = mask.numbers.size() > 1 ? mask.numbers[1] : 0;
  return ask.j >= ask.p - mask.numbers[0] && ask.j <= ask.p + right;
}

bool prefix(const Resolved& mask, const Question& ask) {
  return ask.j < mask.numbers[0] || ask.j <= ask.p;
}

bool not_selected(const Resolved& mask, const Question& ask) {
  return !MaskSite::of_entry(mask.selected, ask.entry)[static_cast<std::size_t>(ask.j)];
}

bool same_document(const Resolved& mask, const Question& ask) {
  if (ask.p < 0 || ask.p >= ask.n_keys) return false;
  return mask.document[static_cast<std::size_t>(ask.p)] ==
         mask.document[static_cast<std::size_t>(ask.j)];
}

// name, usage, summary, why a key is hidden, example; arguments; predicate.
constexpr std::array kMasks = {
    MaskRow{{"none", "none", "every query sees every key", "", "none"}, kNothing, allows_all},
    MaskRow{{"causal", "causal", "no query sees a later key", "the key comes later", "causal"},
            kNothing,
            causal},
    MaskRow{{"window", "window:LEFT[,RIGHT]", "keys at most LEFT before and RIGHT after the query",
             "the key lies outside the query's window", "window:2"},
            {Form::Numbers, 1, 2},
            window},
    MaskRow{{"prefix", "prefix:N", "the first N keys for all, causal after them",
             "the key lies behind the prefix and after the query", "prefix:2"},
            {Form::Numbers, 1, 1},
            prefix},
    MaskRow{{"padding", "padding[:KEYS]", "keys that are padding (found by name, or the KEYS)",
             "the key is padding", "padding:3-4"},
            {Form::Selection, 0, kMany},
            not_selected},
    MaskRow{{"keys", "keys:KEYS", "these keys are hidden from every query",
             "this key is hidden from every query", "keys:1,3"},
            {Form::Selection, 1, kMany},
            not_selected},
    MaskRow{{"queries", "queries:ROWS", "these queries are padding: their weights become zero", "",
             "queries:3-4"},
            {Form::Selection, 1, kMany},
            allows_all},
    MaskRow{{"documents", "documents:LEN,LEN,…", "packed sequences, no attention across them",
             "the key belongs to another document", "documents:3,2"},
            {Form::Numbers, 1, kMany},
            same_document},
};

constexpr std::array<MaskKind, kMasks.size()> kKinds = [] {
  std::array<MaskKind, kMasks.size()> kinds{};
  for (std::size_t i = 0; i < kMasks.size(); ++i) kinds[i] = kMasks[i].kind;
  return kinds;
}();

const MaskRow& row_of(const MaskSpec& spec) {
  return kMasks.at(static_cast<std::size_t>(spec.kind - kKinds.data()));
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
std::vector<Index> documents(const MaskSpec& spec, const std::vector<Index>& lengths,
                             const MaskSite& site, Complaints& complaints) {
  Index total = 0;
  for (const Index length : lengths) total += length;
  std::vector<Index> document(static_cast<std::size_t>(site.n_keys));
  if (total != site.n_keys) {
    complaints.add("mask-documents", spec.pointer,
                   filled("the lengths of \"{}\" add up to {}, but {}", spec.text, total,
                          there_are(site.n_keys, "key")),
                   filled("Give lengths that add up to {}.", site.n_keys),
                   "Every key belongs to one document.");
    return document;
  }
  std::size_t key = 0;
  for (std::size_t d = 0; d < lengths.size(); ++d) {
    for (Index i = 0; i < lengths[d]; ++i) document[key++] = static_cast<Index>(d);
  }
  return document;
}

Resolved resolve(const MaskSpec& spec, const MaskSite& site, Complaints& complaints) {
  const MaskRow& row = row_of(spec);
  Resolved mask;
  if (row.form.kind == Form::Numbers) {
    for (const std::string& argument : spec.arguments) mask.numbers.push_back(std::stol(argument));
  }
  if (row.form.kind == Form::Selection) {
    const bool rows = spec.kind->name == std::string_view("queries");
    mask.selected =
        spec.arguments.empty()
            ? padding_keys(site)
            : select(spec, rows ? "query" : "key", rows ? site.query_tokens : site.key_tokens,
                     rows ? site.n_queries : site.n_keys, site.entries(), complaints);
  }
  if (row.allows == same_document) mask.document = documents(spec, mask.numbers, site, complaints);
  return mask;
}

/// Marks what `hides(entry, head, query, key)` says in every cell that no earlier mask has hidden.
/// Returns whether it hides any cell at all.
template <typename Hides>
bool hide_cells(Visibility& v, const std::string& name, Hides hides) {
  v.names.push_back(name);
  const auto mark = static_cast<std::uint16_t>(v.names.size());
  Tensor& t = v.allowed;
  std::size_t at = 0;
  bool any = false;
  for (Index b = 0; b < t.batch(); ++b) {
    for (Index h = 0; h < t.heads(); ++h) {
      for (Index i = 0; i < t.rows(); ++i) {
        for (Index j = 0; j < t.cols(); ++j, ++at) {
          if (!hides(b, h, i, j)) continue;
          any = true;
          if (t.data()[at] == 0.0) continue;
          t.data()[at] = 0.0;
          v.hider[at] = mark;
        }
      }
    }
  }
  return any;
}

}  // namespace

std::span<const MaskKind> mask_kinds() { return kKinds; }

MaskSpec parse_mask(std::string_view text, const std::string& pointer) {
  const std::size_t colon = text.find(':');
  const std::string_view name = text.substr(0, colon);
  std::vector<std::string> names, usages;
  for (const MaskKind& kind : kKinds) {
    names.emplace_back(kind.name);
    usages.emplace_back(kind.usage);
  }
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) {
    const MaskRepair repair = mask_repair(text);
    const bool clear = !repair.fix.empty();
    throw input_error({.id = "mask-unknown",
                       .what = filled("there is no mask \"{}\"{}", std::string(clear ? text : name),
                                      clear ? "" : did_you_mean(name, names)),
                       .places = {{.pointer = pointer}},
                       .fix = clear ? repair.fix : filled("Write one of {}.", listed(usages)),
                       .changes = repair.changes});
  }
  MaskSpec spec{
      std::string(text), &kKinds.at(static_cast<std::size_t>(found - names.begin())), {}, pointer};
  if (colon != text.npos) spec.arguments = split_at_commas(text.substr(colon + 1));
  const MaskRow& row = row_of(spec);
  if (row.form.kind == Form::Numbers) {
    for (std::string& each : spec.arguments) each = trimmed(each);
  }
  const bool count_fits =
      spec.arguments.size() >= row.form.least && spec.arguments.size() <= row.form.most;
  const bool each_fits =
      std::all_of(spec.arguments.begin(), spec.arguments.end(), [&](const std::string& each) {
        return row.form.kind == Form::Numbers ? is_count(each) : !each.empty();
      });
  if (!count_fits || !each_fits) throw input_error(bad_arguments(*spec.kind, text, pointer));
  return spec;
}

std::string mask_reason(const std::string& name) {
  for (const MaskKind& kind : kKinds) {
    if (name.substr(0, name.find(':')) == kind.name) return kind.why;
  }
  if (name == "allowed") return "the matrix `allowed` has a 0 here";
  return "the key lies beyond the key length of this batch entry";
}

std::optional<Visibility> resolve_masks(const std::vector<MaskSpec>& specs,
                                        const std::optional<Tensor>& allowed,
                                        const std::vector<Index>& key_lengths, const MaskSite& site,
                                        Complaints& complaints) {
  Visibility v;
  v.allowed = Tensor(Shape{site.batch, site.heads, site.n_queries, site.n_keys}, 1.0);
  v.hider.resize(v.allowed.data().size());
  for (const MaskSpec& spec : specs) {
    const MaskRow& row = row_of(spec);
    if (row.allows == allows_all) continue;
    const Resolved mask = resolve(spec, site, complaints);
    const bool any = hide_cells(v, spec.text, [&](Index b, Index, Index i, Index j) {
      return !row.allows(mask, {i + MaskSite::of_entry(site.offsets, b), j, b, site.n_keys});
    });
    const bool last_alone = row.allows == causal && site.n_queries == 1;  // it may see all
    if (!any && !last_alone) v.idle.push_back(spec.text);
  }
  if (allowed) {
    hide_cells(v, "allowed", [&](Index b, Index h, Index i, Index j) {
      return allowed->at({b, h, i, j}) == 0.0;
    });
  }
  if (!key_lengths.empty()) {
    hide_cells(v, "key_lengths", [&](Index b, Index, Index, Index j) {
      return j >= MaskSite::of_entry(key_lengths, b);
    });
  }
  if (v.names.empty()) return std::nullopt;
  return v;
}

std::optional<Tensor> resolve_query_masks(const std::vector<MaskSpec>& specs, const MaskSite& site,
                                          Complaints& complaints) {
  Tensor kept(Shape{site.batch, std::nullopt, site.n_queries, 1}, 1.0);
  bool any = false;
  for (const MaskSpec& spec : specs) {
    if (spec.kind->name != std::string_view("queries")) continue;
    any = true;
    const Resolved mask = resolve(spec, site, complaints);
    for (Index b = 0; b < kept.batch(); ++b) {
      for (Index i = 0; i < kept.rows(); ++i) {
        if (MaskSite::of_entry(mask.selected, b)[static_cast<std::size_t>(i)])
          kept.at({b, 0, i, 0}) = 0.0;
      }
    }
  }
  return any ? std::optional(kept) : std::nullopt;
}

}  // namespace attn

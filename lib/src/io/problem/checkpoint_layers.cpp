// Which tensors of a checkpoint form an attention layer.
#include <algorithm>
#include <optional>
#include <tuple>

#include "attn/error.hpp"
#include "attn/phrases.hpp"
#include "attn/problem_tensors.hpp"
#include "attn/suggest.hpp"
#include "core/problem/foreign_weights.hpp"
#include "core/text/ascii.hpp"
#include "io/arrays/tensor_error.hpp"

namespace attn {
namespace {

/// The run of digits, or of other characters, at the start.
std::string_view first_run(std::string_view text) {
  const auto end = std::find_if(text.begin(), text.end(),
                                [&](char c) { return is_digit(c) != is_digit(text.front()); });
  return text.substr(0, static_cast<std::size_t>(end - text.begin()));
}

std::string_view without_zeros(std::string_view digits) {
  return digits.substr(std::min(digits.find_first_not_of('0'), digits.size()));
}

/// Numbers in names count as numbers: "h.2." comes before "h.10.".
bool comes_before(const std::string& one, const std::string& other) {
  std::string_view a = one, b = other;
  while (!a.empty() && !b.empty()) {
    const std::string_view left = first_run(a), right = first_run(b);
    if (is_digit(left.front()) && is_digit(right.front())) {
      const std::string_view m = without_zeros(left), n = without_zeros(right);
      if (m != n) return std::tuple(m.size(), m) < std::tuple(n.size(), n);
    } else if (left != right) {
      return left < right;
    }
    a.remove_prefix(left.size());
    b.remove_prefix(right.size());
  }
  return a.size() != b.size() ? a.size() < b.size() : one < other;
}

std::string holds_layers(const std::vector<std::string>& layers) {
  return layers.empty() ? "holds no attention layers"
                        : "holds " + counted(std::ssize(layers), "attention layer");
}

/// An error about the choice of a layer among `layers`.
Error layer_error(const std::string& id, const std::string& file,
                  const std::vector<std::string>& layers, const std::string& what) {
  if (layers.empty()) return tensor_error({file}, id, what, "Do not choose a layer.");
  const bool only = layers.size() == 1;
  const std::string choose = only ? "Choose it" : "Choose one";
  const std::string last = only ? "" : " to " + std::to_string(layers.size() - 1);
  if (layers.front().empty()) {  // it has no name
    return tensor_error({file}, id, what, choose + " by its number, 0" + last + ".",
                        {{"layer", "0"}});
  }
  return tensor_error(
      {file}, id, what,
      choose + " by its name, " + listed(layers) + ", or its number, 0" + last + ".",
      {{"layer", "0"}, {"prefix", layers.front()}});
}

/// "; did you mean …": a layer that goes on where `prefix` ends, or that is spelled like it.
std::string nearest(const std::string& prefix, const std::vector<std::string>& layers) {
  const auto longer = std::find_if(layers.begin(), layers.end(), [&](const std::string& layer) {
    return layer.starts_with(prefix);
  });
  return longer == layers.end() ? did_you_mean(prefix, layers) : did_you_mean(*longer, {*longer});
}

/// Whether a tensor that begins with `prefix` is what `is_part` wants.
bool begins_a_part(const std::vector<std::string>& names, const std::string& prefix,
                   bool (*is_part)(const std::string& name)) {
  return std::any_of(names.begin(), names.end(), [&](const std::string& name) {
    return name.starts_with(prefix) && is_part(name.substr(prefix.size()));
  });
}

/// What comes before the name of query weights; nothing for other tensors. Where several endings
/// are known ("self.query.weight" and "query.weight"), the shortest counts with which the layer has
/// an output projection, too; without one, the shortest.
std::optional<std::string> layer_prefix(const std::vector<std::string>& names,
                                        const std::string& name) {
  std::vector<std::string> found;
  for (std::size_t dot = 0; dot != std::string::npos && dot < name.size();) {
    const std::string rest = name.substr(dot);
    if (makes_queries(rest)) found.push_back(name.substr(0, dot));
    if (makes_queries(rest) && rest.starts_with("heads.")) return found.back();  // of all heads
    dot = name.find('.', dot);
    if (dot != std::string::npos) ++dot;
  }
  if (found.empty()) return std::nullopt;
  const auto whole = std::find_if(found.rbegin(), found.rend(), [&](const std::string& prefix) {
    return begins_a_part(names, prefix, makes_output);
  });
  return whole == found.rend() ? found.back() : *whole;
}

}  // namespace

std::vector<std::string> layer_prefixes(const std::vector<std::string>& tensor_names) {
  std::vector<std::string> prefixes;
  for (const std::string& name : tensor_names) {
    std::optional<std::string> prefix = layer_prefix(tensor_names, name);
    if (!prefix) continue;
    if (prefix->ends_with("weights.")) prefix->resize(prefix->size() - 8);  // a problem's own
    prefixes.push_back(*std::move(prefix));
  }
  std::sort(prefixes.begin(), prefixes.end(), comes_before);
  prefixes.erase(std::unique(prefixes.begin(), prefixes.end()), prefixes.end());
  return prefixes;
}

std::string chosen_prefix(const std::vector<std::string>& tensor_names, const LayerChoice& choice,
                          const std::string& file_name) {
  const std::vector<std::string> layers = layer_prefixes(tensor_names);
  const bool whole = std::find(layers.begin(), layers.end(), "") != layers.end();
  if (choice.number) {
    const auto n = static_cast<std::size_t>(*choice.number);
    if (n < layers.size()) return layers[n];
    throw layer_error("no-such-layer", file_name, layers,
                      "there is no layer " + std::to_string(n) + ", counting from 0: this file " +
                          holds_layers(layers));
  }
  if (!choice.prefix.empty()) {
    if (begins_a_part(tensor_names, choice.prefix, is_problem_tensor)) return choice.prefix;
    throw layer_error("no-such-layer", file_name, layers,
                      "no attention layer of this file is called \"" + choice.prefix + "\"" +
                          nearest(choice.prefix, layers));
  }
  if (layers.empty() || whole || is_problem_file(tensor_names)) return "";
  throw layer_error("prefix-needed", file_name, layers,
                    "this checkpoint " + holds_layers(layers) + ", and none is chosen");
}

}  // namespace attn

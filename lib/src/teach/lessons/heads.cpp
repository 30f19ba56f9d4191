// Several heads: the same weights, cut up.
#include <algorithm>

#include "attn/attend.hpp"
#include "attn/phrases.hpp"
#include "core/text/thousands.hpp"
#include "teach/lessons/changes.hpp"

namespace attn {
namespace {

/// "2×7×512".
std::string shape_of(const Step& step) {
  std::vector<std::string> sizes;
  for (const Index size : step.value.shape().sizes()) sizes.push_back(std::to_string(size));
  return separated(sizes, "×");
}

/// How many numbers the projections have.
Index parameters_of(const Trace& trace) {
  Index count = 0;
  for (const Step& given : trace.givens) count += given.value.shape().count();
  return count;
}

/// Batch 2, 7 tokens, d_model 512, 8 heads: shapes only.
Trace large_layer() {
  const auto zeros = [](std::vector<Index> shape) {
    Index count = 1;
    for (const Index size : shape) count *= size;
    return Array{std::move(shape), std::vector<double>(static_cast<std::size_t>(count))};
  };
  ProblemDraft draft;
  draft.embeddings = zeros({2, 7, 512});
  for (const char* name : {"w_q", "w_k", "w_v", "w_o"}) draft.weights[name] = zeros({512, 512});
  for (const char* name : {"b_q", "b_k", "b_v", "b_o"}) draft.weights[name] = zeros({512});
  draft.heads = 8;
  return outline(make_problem(draft));
}

void tell_shapes(Telling& lesson, const SharedTrace& trace) {
  const Trace large = large_layer();
  lesson.say(
      "Nothing is added for several heads: the columns of Q, K and V are divided among them. "
      "Each head computes scores, weights and a weighted sum of its own; then the results "
      "are put side by side again. These are the shapes here, and those of a layer of the usual "
      "size: 2 sentences of 7 tokens, d_model 512, 8 heads.");
  Table table{{"step", "here", "2 × 7 × 512, 8 heads"}, {}, 3};
  for (const std::string id : {"x", "q", "q_heads", "k_heads", "v_heads", "scores", "weights",
                               "context", "concat", "output"})
    table.rows.push_back({id, shape_of(trace->at(id)), shape_of(large.at(id))});
  lesson.table(std::move(table));
  std::vector<std::string> way;
  for (const std::string id : {"q", "q_heads", "scores", "context", "concat"})
    way.push_back(shape_of(large.at(id)));
  lesson.say("In the large layer, 512 columns become 8 heads of 64, and 512 again: " +
             separated(way, " → ") + ". Four projections of 512×512 weights and 512 biases make " +
             in_thousands(static_cast<double>(parameters_of(large))) + " numbers to learn.");
  const Settings& s = trace->settings();
  const Tensor &q = trace->value("q"), &heads = trace->value("q_heads");
  lesson.claim(filled("Here, each of the {} columns of Q belongs to one of {} heads: head 0 holds "
                      "columns 0 to {}, digit for digit.",
                      q.cols(), s.heads, s.d_k - 1),
               q.cols() == s.heads * s.d_k && all_cells(heads, [&](const Cell& c) {
                 return heads.at(c) == q.at({c.batch, 0, c.row, c.head * s.d_k + c.col});
               }));
}

void tell_parameters(Telling& lesson) {
  const Index d = lesson.attended()->settings().d_model.value_or(0);
  Table table{{"heads", "d_k", "parameters"}, {}, 0};
  bool same = true;
  for (Index heads = 1; heads <= d; ++heads) {
    if (d % heads != 0) continue;
    const SharedTrace cut = lesson.attended([&](ProblemDraft& draft) { draft.heads = heads; });
    table.rows.push_back({std::to_string(heads), std::to_string(cut->settings().d_k),
                          std::to_string(parameters_of(*cut))});
    same = same && table.rows.front()[2] == table.rows.back()[2];
  }
  lesson.ask("Twice as many heads: how many more weights and biases are there to learn?",
             "None. They are the same matrices, cut differently:");
  lesson.table(std::move(table));
  lesson.claim("The number of parameters does not depend on the number of heads.", same);
}

/// Whether the output is the sum of what each head puts through its own rows of W_o, and b_o.
bool is_sum_over_heads(const SharedTrace& trace) {
  const Tensor &z = trace->value("context"), &w = trace->value("w_o"), &b = trace->value("b_o"),
               &output = trace->value("output");
  return all_cells(output, [&](const Cell& cell) {
    double sum = b.at({0, 0, 0, cell.col});
    for (Index h = 0; h < z.heads(); ++h) {
      for (Index c = 0; c < z.cols(); ++c)
        sum += z.at({0, h, cell.row, c}) * w.at({0, 0, h * z.cols() + c, cell.col});
    }
    return is_close(sum, output.at(cell));
  });
}

bool same_output(const SharedTrace& a, const SharedTrace& b) {
  return a->value("output").data() == b->value("output").data();
}

}  // namespace

void tell_heads(Telling& lesson) {
  const SharedTrace trace = lesson.attended();
  View all;
  all.examples = false;
  lesson.say(
      "One softmax gives each token one set of shares. Two heads can look at two places at "
      "once:");
  lesson.show(trace, {"weights"}, all);
  const Tensor& a = weights_of(trace);
  bool differ = false;
  for (Index i = 0; i < a.rows(); ++i) {
    const auto place = [&](Index head) {
      const auto row = a.row(0, head, i);
      return std::max_element(row.begin(), row.end()) - row.begin();
    };
    differ = differ || place(0) != place(1);
  }
  lesson.claim("Some token looks most at one token in head 0 and at another in head 1.", differ);
  tell_shapes(lesson, trace);
  tell_parameters(lesson);

  lesson.say(
      "W_o comes last. It mixes the heads: without it, each column of the output would come "
      "from a single head.");
  lesson.claim(
      "The output is a sum over heads: what each has collected, times its own rows of W_o, "
      "plus b_o.",
      is_sum_over_heads(trace));
  const SharedTrace one = lesson.attended([](ProblemDraft& draft) { draft.heads = 1; });
  const SharedTrace axis = lesson.attended([](ProblemDraft& draft) { draft.heads.reset(); });
  const SharedTrace plain = lesson.attended([](ProblemDraft& draft) {
    draft.heads.reset();
    draft.weights.erase("w_o");
    draft.weights.erase("b_o");
  });
  lesson.claim("One head computes the same with an axis for heads and without one.",
               same_output(one, axis));
  lesson.claim(
      "But one head of multi-head attention is not plain self-attention: W_o and b_o still "
      "act.",
      !same_output(one, plain));
  lesson.next("explain {} --head 1", "only head 1");
  lesson.next("compare {} --right heads=3", "another cut");
  lesson.next("new --sample 07-per-head-weights -o cut.json", "a matrix for each head");
  lesson.next("explain cut.json", "d_v need not be d_k");
}

}  // namespace attn

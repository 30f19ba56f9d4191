// attn generate: the most probable token, fed back again and again.
#include "attn/generate.hpp"

#include <memory>

#include "attn/render/generation_report.hpp"
#include "files/files.hpp"
#include "files/read_tokenizer.hpp"
#include "options/shared_options.hpp"

namespace attn::app {
namespace {

struct Generate {
  ProblemOptions problem;
  std::optional<Index> count;
  bool no_cache = false;
  std::optional<double> temperature;
  std::optional<Index> top_k;
  std::optional<std::int64_t> seed;
  int precision = kUsualDecimals;
  TextOptions text;
  OutputOptions output;
};

/// How tokens are drawn; nothing where the most probable one is taken.
std::optional<TokenDraw> draw_of(const Generate& o) {
  if (!o.temperature && !o.top_k) {
    if (!o.seed) return std::nullopt;
    throw usage_error("option-conflict", no_effect("--seed", "no tokens are drawn"),
                      "Add --temperature 1 or --top-k 40.");
  }
  TokenDraw draw;
  draw.temperature = o.temperature.value_or(draw.temperature);
  draw.top_k = o.top_k.value_or(draw.top_k);
  draw.seed = static_cast<std::uint64_t>(o.seed.value_or(0));
  return draw;
}

double temperature_of(const GivenValue& given) {
  const double t = real_number(given);
  if (t >= 0.0 && t <= 1000.0) return t;
  throw usage_error(
      "option-value", given.name + " got " + given.value + ", not a number from 0 to 1000",
      "Write " + given.with("0.8") + ", for example; at 0 the most probable token wins.");
}

/// The text of the prompt, and of all tokens, where the tokenizer of the model is at hand.
void add_text(Generation& made, const ProblemSource& source, const Streams& streams) {
  if (made.prompt_ids.empty()) return;
  const std::optional<Tokenizer> tokenizer = tokenizer_of_model(source, streams);
  if (!tokenizer) return;
  std::vector<Index> ids = made.prompt_ids;
  made.prompt_text = tokenizer->decode(ids);
  for (const GeneratedToken& token : made.tokens) ids.push_back(token.id);
  made.text = tokenizer->decode(ids);
}

void run_generate(Generate& o, const Streams& streams) {
  const std::vector<Target> targets = targets_of(o.output, streams);
  Generation made;
  std::string title;
  use_problem(o.problem, streams, [&](const ProblemDraft& draft) {
    GenerateOptions options;
    options.count = o.count.value_or(options.count);
    options.cache = !o.no_cache;
    options.draw = draw_of(o);
    made = generate(draft, options);
    title = draft.title;
  });
  add_text(made, o.problem.source, streams);
  write_targets(targets, streams, [&](const Target& target, const Sink& sink) {
    if (target.format->document != nullptr) {
      return write_document(generation_document(made, title, o.precision), target, o.text, o.output,
                            streams, sink);
    }
    const std::string json = generation_json(made, o.output.nonfinite);
    shown_json(sink, streams)(json);
  });
}

}  // namespace

Command generate_command() {
  auto o = std::make_shared<Generate>();
  Command command;
  command.examples = {
      {"attn new --sample 15-induction -o model.json", "a small trained model"},
      {"attn generate model.json --count 5", "five tokens, or up to the end token"},
      {"attn generate model.json --temperature 0.8 --seed 1", "draw, not always the most probable"},
      {"attn generate model.json --no-cache", "compute keys and values again each time"}};
  command.usual = {"--count",     "--no-cache", "--temperature", "--top-k", "--seed",
                   "--precision", "--ids",      "--text",        "--json",  "--output"};
  add_rows(command, Group::Own,
           {whole("--count", "at most this many tokens (default 10)", 1, 100000, o->count),
            flag("--no-cache", "compute keys and values again for each token", o->no_cache),
            text("--temperature", "T", "draw tokens: below 1 probable ones more often",
                 [o](const GivenValue& given) { o->temperature = temperature_of(given); }),
            whole("--top-k", "draw from the N most probable tokens", 1, 1 << 22, o->top_k),
            whole("--seed", "draw other tokens (default 0)", 0, 9007199254740991, o->seed),
            precision_row(o->precision)});
  add_problem_options(command, o->problem);
  list_settings(command,
                {"--mask", "--heads", "--scale", "--positions", "--text", "--ids", "--set"});
  add_report_options(command, o->text);
  add_output_options(command, o->output, is_report);
  add_nonfinite_option(command, o->output);
  command.run = [o](const Streams& streams) { run_generate(*o, streams); };
  return command;
}

}  // namespace attn::app

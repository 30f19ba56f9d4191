// The table of lessons.
//
// To add a lesson: one file beside this one with one function, declared below, and one row. The
// function gets a Telling (telling.hpp): it computes, adds paragraphs, matrices, questions and
// claims in the order of reading, and ends with commands to try. Every sentence that numbers could
// contradict is a claim. With `general` the lesson must hold on any problem with a single attention
// (or say what it needs), and --problem works. Tests run every lesson, check its claims, also on
// random problems, run its commands, and keep its text in tests/golden (rewrite:
// ATTN_UPDATE_GOLDENS=1 test_app -tc="*lesson*"); docs/lessons.md is rewritten by the same switch.
#include <array>

#include "attn/teach/lesson.hpp"
#include "teach/lessons/lesson_files.hpp"
#include "teach/lessons/lesson_script.hpp"

namespace attn {

void tell_add_or_multiply(Telling& lesson);
void tell_additive(Telling& lesson);
void tell_experts(Telling& lesson);
void tell_future(Telling& lesson);
void tell_gradients(Telling& lesson);
void tell_hidden_words(Telling& lesson);
void tell_latent(Telling& lesson);
void tell_online_softmax(Telling& lesson);
void tell_order(Telling& lesson);
void tell_rope_scaling(Telling& lesson);
void tell_symbols(Telling& lesson);
void tell_training(Telling& lesson);
void tell_translation(Telling& lesson);
void tell_what_heads_learn(Telling& lesson);
void tell_window(Telling& lesson);

namespace {

const std::array kOldLessons{
    Lesson{.name = "one-head",
           .title = "One head by hand",
           .summary = "Project, compare, scale, share, mix: every step for one word",
           .sample = "01-one-head",
           .general = true,
           .blocks = false},
    Lesson{.name = "scale",
           .title = "Why √d_k",
           .summary = "What long vectors do to softmax, and what the division undoes",
           .sample = "02-why-scale",
           .general = true,
           .blocks = false},
    Lesson{.name = "qk-norm",
           .title = "Norms of queries and keys",
           .summary = "What a score can become when only directions count",
           .sample = "19-qk-norm",
           .general = false,
           .blocks = false},
    Lesson{.name = "sinks",
           .title = "Who may attend to nothing?",
           .summary = "A score without a key, and where the attention goes that nobody needs",
           .sample = "20-sinks",
           .general = false,
           .blocks = false},
    Lesson{.name = "heads",
           .title = "Several heads",
           .summary = "The same weights cut into heads: shapes, parameters, and why W_o",
           .sample = "03-multi-head",
           .general = false,
           .blocks = false},
    Lesson{.name = "masks",
           .title = "Masks side by side",
           .summary = "Causal, padded keys, padded queries, and all together",
           .sample = "05-padding",
           .general = true,
           .blocks = false},
    Lesson{.name = "minus-infinity",
           .title = "Why −∞",
           .summary = "What a hidden score is set to: 0, −1e9 or −∞, in three number types",
           .sample = "04-causal",
           .general = true,
           .blocks = false},
    Lesson{.name = "future",
           .title = "The future must not change the past",
           .summary = "Tokens arrive one by one: no mask, a causal one, and one after softmax",
           .sample = "10-chinese",
           .general = true,
           .blocks = false,
           .tell = tell_future},
    Lesson{.name = "training",
           .title = "Training is inference",
           .summary = "One masked pass gives the rows that come token by token; what a cache saves",
           .sample = "04-causal",
           .general = true,
           .blocks = false,
           .tell = tell_training},
    Lesson{.name = "translation",
           .title = "Translation: from English to French",
           .summary = "Cross attention, vocabulary, labels shifted by one, loss, generation",
           .sample = "17-english-french",
           .general = false,
           .blocks = false,
           .tell = tell_translation},
    Lesson{.name = "hidden-words",
           .title = "Hidden words: guess what is missing",
           .summary = "Hidden columns, the catch, and [MASK] in a word's place",
           .sample = "08-mlm-columns",
           .general = false,
           .blocks = false,
           .tell = tell_hidden_words},
    Lesson{.name = "add-or-multiply",
           .title = "Add or multiply: two ways to hide a word",
           .summary = "A mask added before softmax, or multiplied after it: what leaks",
           .sample = "04-causal",
           .general = true,
           .blocks = false,
           .tell = tell_add_or_multiply},
    Lesson{.name = "symbols",
           .title = "In symbols",
           .summary = "Two tokens, then four, in symbols: an output is a mixture of values",
           .sample = "04-causal",
           .general = true,
           .blocks = false,
           .tell = tell_symbols},
    Lesson{.name = "order",
           .title = "What order means",
           .summary = "Attention reads a bag of words; sinusoids, RoPE and ALiBi number them",
           .sample = "01-one-head",
           .general = true,
           .blocks = false,
           .tell = tell_order},
    Lesson{.name = "rope-scaling",
           .title = "Further than in training: angles of long texts",
           .summary = "What eight times longer does to the angles of RoPE; linear, YaRN",
           .sample = "23-rope-scaling",
           .general = false,
           .blocks = false,
           .tell = tell_rope_scaling},
    Lesson{.name = "window",
           .title = "A window, and how far it reaches",
           .summary = "Layers that see two words back, and how information travels through them",
           .sample = "04-causal",
           .general = false,
           .blocks = false,
           .tell = tell_window},
    Lesson{.name = "additive",
           .title = "Attention before Transformers",
           .summary = "v·tanh(q + k): what tanh is for, and what dot products save",
           .sample = "21-additive",
           .general = false,
           .blocks = false,
           .tell = tell_additive},
    Lesson{.name = "what-heads-learn",
           .title = "What heads learn",
           .summary = "Three trained models: induction, a reversed diagonal, a translation",
           .sample = "15-induction",
           .general = false,
           .blocks = false,
           .tell = tell_what_heads_learn},
    Lesson{.name = "online-softmax",
           .title = "Online softmax: attention without a matrix of scores",
           .summary = "A row from blocks of keys, as FlashAttention computes it",
           .sample = "04-causal",
           .general = true,
           .blocks = true,
           .tell = tell_online_softmax},
    Lesson{.name = "latent",
           .title = "Latent attention",
           .summary = "Keys and values from a few numbers per token, which are all that is cached",
           .sample = "18-latent",
           .general = false,
           .blocks = false,
           .tell = tell_latent},
    Lesson{.name = "experts",
           .title = "Experts: each word has two of four",
           .summary = "A router that chooses networks for each word; what that saves, who learns",
           .sample = "24-experts",
           .general = false,
           .blocks = false,
           .tell = tell_experts},
    Lesson{.name = "gradients",
           .title = "Gradients",
           .summary = "What passes back through softmax, and what masks and saturation stop",
           .sample = "04-causal",
           .general = true,
           .blocks = false,
           .tell = tell_gradients},
};

}  // namespace

std::span<const Lesson> lessons() {
  static const std::vector<Lesson> kLessons = [] {
    std::vector<Lesson> all(kOldLessons.begin(), kOldLessons.end());
    for (const LessonFile& file : lesson_files()) {
      for (Lesson& each : all) {
        if (each.name == file.name) each = read_lesson(file.text, std::string(file.name));
      }
    }
    return all;
  }();
  return kLessons;
}

Lesson read_lesson(std::string_view text, const std::string& name) {
  const auto script = read_script(text, name);
  const auto fact = [&](std::string_view key) { return std::string(script->front_value(key)); };
  return {.name = name,
          .title = fact("title"),
          .summary = fact("summary"),
          .sample = fact("sample"),
          .general = fact("problem") == "any",
          .blocks = fact("block") == "yes",
          .next = fact("next"),
          .text = script->text,
          .script = script};
}

}  // namespace attn

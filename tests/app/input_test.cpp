// What commands read and write, driven by the rows of their options.
// One thing from standard input, no input lost, files of one kind alike in every command, no more
// memory than is allowed.
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <istream>
#include <sstream>
#include <streambuf>

#include "attn/io/samples.hpp"
#include "attn/io/tensor_file.hpp"
#include "cli.hpp"
#include "commands.hpp"
#include "support/files.hpp"
#include "support/phrases.hpp"
#include "support/program.hpp"
#include "support/temporary_folder.hpp"

using namespace attn::testing;
using attn::app::Command;
using attn::app::NamedPath;
using attn::app::OptionRow;
using attn::app::PathUse;

namespace {

using Args = std::vector<std::string>;

/// A place on a command line where a path can be.
struct Spot {
  std::string name;  ///< that of the NamedPath
  Args before;       ///< "--left"; nothing for an operand
  PathUse use;
};

std::vector<Command> all_commands() {
  static attn::app::CommonOptions common;
  return attn::app::every_command(common);
}

/// "exercise make" as two words.
Args words_in_name(const std::string& name) {
  Args words;
  std::istringstream stream(name);
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

std::vector<Spot> spots_of(const Command& command) {
  std::vector<Spot> spots;
  for (const OptionRow& row : command.options) {
    if (!row.paths) continue;
    const std::string name = attn::app::names_of(row).back();
    for (const NamedPath& path : row.paths("x")) spots.push_back({path.option, {name}, path.use});
  }
  if (command.operand.empty() || command.operand_examples != nullptr) return spots;
  std::string name = command.operand;
  std::erase_if(name, [](char c) { return c < 'A' || c > 'Z'; });
  spots.push_back({name, {}, name == "DIR" ? PathUse::SealedFolder : PathUse::Input});
  return spots;
}

Args joined(Args args, const Spot& spot, const std::string& value) {
  args.insert(args.end(), spot.before.begin(), spot.before.end());
  args.push_back(value);
  return args;
}

/// A stream of "[" that never ends.
class Brackets : public std::streambuf {
 public:
  std::size_t given = 0;

 private:
  int_type underflow() override {
    given += sizeof part_;
    std::fill(std::begin(part_), std::end(part_), '[');
    setg(part_, part_, part_ + sizeof part_);
    return '[';
  }

  char part_[4096];
};

const std::string kPiped = R"({"tokens": ["a", "b"], "embeddings": [[1, 2], [3, 4]]})";

}  // namespace

TEST_CASE("inputs: every option that takes a file or a folder says what becomes of it") {
  std::size_t seen = 0;
  for (const Command& command : all_commands()) {
    for (const OptionRow& row : command.options) {
      CAPTURE(command.name);
      CAPTURE(row.names);
      const bool named = row.value == "FILE" || row.value == "DIR";
      CHECK((!named || (row.paths && row.paths("x").size() == 1)));
      seen += named;
    }
  }
  CHECK(seen > 50);
}

TEST_CASE("inputs: two different things cannot both come from standard input, in any command") {
  std::size_t pairs = 0;
  for (const Command& command : all_commands()) {
    const std::vector<Spot> spots = spots_of(command);
    for (const Spot& one : spots) {
      for (const Spot& other : spots) {
        if (&one >= &other || one.use != PathUse::Input || other.use != PathUse::Input) continue;
        if (one.name == other.name) continue;  // the same thing
        const Ran ran =
            attn_run(joined(joined(words_in_name(command.name), one, "-"), other, "-"), kPiped);
        CAPTURE(command.name);
        CAPTURE(one.name);
        CAPTURE(other.name);
        CHECK(ran.exit_code == 2);
        CHECK(ran.out.empty());
        CHECK(has(ran.err, "error[option-conflict]: " + one.name + " and " + other.name));
        CHECK(has(unwrapped(ran.err), "would both come from standard input"));
        ++pairs;
      }
    }
  }
  CHECK(pairs > 40);
  CHECK(has(attn_run({"compare", "-", "--left", "embeddings=-"}, kPiped).err,
            "error[option-conflict]: --embeddings and PROBLEM"));
}

TEST_CASE("inputs: no command writes over what it reads, whichever options name it") {
  const TemporaryFolder folder;
  const std::string before = kPiped;
  std::size_t pairs = 0;
  for (const Command& command : all_commands()) {
    const std::vector<Spot> spots = spots_of(command);
    for (const Spot& in : spots) {
      for (const Spot& out : spots) {
        const bool sealed = in.use == PathUse::SealedFolder;
        if (in.use != PathUse::Input && !sealed) continue;
        if (out.use != PathUse::Output && !(sealed && out.use == PathUse::OutputFolder)) continue;
        if (in.name == "--salt-file") continue;  // excludes --new-salt for another reason
        std::filesystem::create_directories(folder.path("DIR/answers"));
        const std::string path = folder.write("DIR/in.json", before);
        std::filesystem::create_symlink("DIR/in.json", folder.path("link.json"));
        const std::string read = sealed ? folder.path("DIR") : path;
        for (const std::string& written : {path, folder.path("link.json")}) {
          const Ran ran =
              attn_run(joined(joined(words_in_name(command.name), in, read), out, written));
          CAPTURE(command.name);
          CAPTURE(in.name);
          CAPTURE(out.name);
          CHECK(ran.exit_code == 2);
          CHECK(has(ran.err, "error[same-file]: the output \"" + written + "\" is"));
          CHECK(read_text(path) == before);
          ++pairs;
        }
        std::filesystem::remove(folder.path("link.json"));
      }
    }
  }
  CHECK(pairs > 100);
  const std::string x = folder.write("x.json", "[[1, 2], [3, 4]]");
  for (const std::string& side : {"embeddings=" + x, "mask=causal,memory=" + x, x + ",scale=none"})
    CHECK(has(attn_run({"compare", "--left", side, "-o", x}).err, "error[same-file]"));
}

TEST_CASE("inputs: no command writes two outputs to one place") {
  const TemporaryFolder folder;
  const std::string path = folder.path("new.json");
  for (const Command& command : all_commands()) {
    const std::vector<Spot> spots = spots_of(command);
    for (const Spot& one : spots) {
      for (const Spot& other : spots) {
        if (one.use != PathUse::Output || other.use != PathUse::Output) continue;
        if (&one == &other) continue;
        const Ran ran =
            attn_run(joined(joined(words_in_name(command.name), one, path), other, path), kPiped);
        CAPTURE(command.name);
        CAPTURE(one.name);
        CHECK(has(ran.err, "error[same-file]: the output \"" + path + "\" is named twice"));
        CHECK(!std::filesystem::exists(path));
      }
    }
  }
}

TEST_CASE("inputs: standard input is read once, however often it is used") {
  const TemporaryFolder folder;
  const std::string problem = folder.write("p.json", kPiped);
  const Ran same = attn_run({"compare", "--left", "-", "--right", "-"}, kPiped);
  CHECK(same.exit_code == 0);
  const Ran scaled = attn_run({"compare", "--left", "-", "--right", "-,scale=none"}, kPiped);
  CHECK(scaled.exit_code == 1);
  CHECK(has(scaled.out, "scaled_scores"));
  CHECK(attn_run({"compare", "--left", "-", "--right", problem}, kPiped).exit_code == 0);
  CHECK(attn_run({"compare", "-", "--right", "-"}, kPiped).exit_code == 0);
  const Ran one = attn_run({"compare", "--left", "-"}, kPiped);  // against the built-in sample
  CHECK(one.exit_code == 1);
  CHECK(!has(one.err, "error["));

  const std::string trace = attn_run({"explain", problem, "--json"}).out;
  CHECK(attn_run({"compare", "--left", "-", "--right", problem}, trace).exit_code == 0);
  const std::string a = folder.path("a.npz"), b = folder.path("b.csv");
  CHECK(attn_run({"explain", problem, "-o", a, "--also", b}).exit_code == 0);
  CHECK(attn_run({"compare", "--left", "-", "--right", problem}, read_text(a)).exit_code == 0);
  const Ran both = attn_run({"check", a, b, "--problem", "-"}, kPiped);
  CHECK(both.exit_code == 0);
  CHECK(count_of(both.out, kAllRight) == 2);
  CHECK(attn_run({"check", a, "-", "--problem", problem}, read_text(b)).exit_code == 0);
  CHECK(attn_run({"explain", "-", "--also", "-"}, kPiped).exit_code == 2);  // two outputs
}

TEST_CASE("inputs: a problem is the same by name, without an extension, and from a pipe") {
  const TemporaryFolder folder;
  const std::string model(attn::samples()[14].text);
  for (const char* ending : {".json", ".npz", ".safetensors"}) {
    const std::string path = folder.path(std::string("p") + ending),
                      whole = folder.path(std::string("model") + ending);
    CHECK(attn_run({"convert", "--heads", "2", "-o", path}).exit_code == 0);
    CHECK(attn_run({"convert", "-", "-o", whole}, model).exit_code == 0);
    struct Line {
      Args before, after;
      std::string path;
    };
    const Line lines[] = {{{"explain"}, {"--format", "csv"}, path},
                          {{"heatmap"}, {"--format", "svg"}, path},
                          {{"convert"}, {"-o", "-"}, path},
                          {{"generate"}, {"--json", "--count", "2"}, whole},
                          {{"compare"}, {"--left", "mask=causal", "--json"}, path},
                          {{"compare", "--left"}, {"--right", path, "--json"}, path},
                          {{"check", folder.path("a.csv"), "--problem"}, {"--json"}, path}};
    CHECK(attn_run({"explain", path, "-o", folder.path("a.csv")}).exit_code == 0);
    for (const Line& line : lines) {
      const auto with = [&](const std::string& operand, const std::string& input = "") {
        Args args = line.before;
        args.push_back(operand);
        args.insert(args.end(), line.after.begin(), line.after.end());
        Ran ran = attn_run(args, input);
        for (const std::string& name : {"\"left\": \"" + operand, std::string("<desc>")}) {
          const std::size_t at = ran.out.find(name);  // which of the three it is
          if (at != ran.out.npos) ran.out.erase(at, ran.out.find('\n', at) - at);
        }
        return ran;
      };
      CAPTURE(ending);
      CAPTURE(line.before.front());
      std::filesystem::copy_file(line.path, folder.path("bare"),
                                 std::filesystem::copy_options::overwrite_existing);
      const Ran named = with(line.path), bare = with(folder.path("bare")),
                piped = with("-", read_text(line.path));
      CHECK(named.exit_code == 0);
      CHECK_MESSAGE(first_difference(named.out, bare.out) == "", bare.err);
      CHECK_MESSAGE(first_difference(named.out, piped.out) == "", piped.err);
    }
    CHECK(attn_run({"lesson", "one-head", "--problem", "-"}, read_text(path)).exit_code == 0);
  }
}

TEST_CASE("inputs: arrays and the weights of a model are known by their bytes, from a pipe too") {
  const TemporaryFolder folder;
  const std::string npy = attn::write_npy({{2, 2}, {1, 2, 3, 4}});
  const std::string named = folder.write("x.npy", npy), bare = folder.write("x", npy);
  for (const char* option : {"--embeddings", "--memory"}) {
    const auto with = [&](const std::string& path) {
      return attn_run({"explain", folder.write("p.json", kPiped), option, path, "--json"}, npy);
    };
    CHECK(with(named).exit_code == 0);
    CHECK(with(bare).out == with(named).out);
    CHECK(with("-").out == with(named).out);
  }
  const std::string gpt2 = source_dir() + "/tests/reference/models/hugging_face_gpt2/";
  const Args more{"--config", gpt2 + "config.json", "--ids", "1,2", "--json"};
  const auto model = [&](const std::string& path, const std::string& input = "") {
    Args args{"explain", path};
    args.insert(args.end(), more.begin(), more.end());
    return attn_run(args, input);
  };
  const Ran by_name = model(gpt2 + "model.safetensors");
  CHECK(by_name.exit_code == 0);
  CHECK(model("-", read_text(gpt2 + "model.safetensors")).out == by_name.out);
  CHECK(has(model("-", kPiped).err, "error[option-conflict]: --config describes a file"));
}

TEST_CASE("inputs: --max-memory holds while they are read") {
  const TemporaryFolder folder;
  const std::string gpt2 = source_dir() + "/tests/reference/models/hugging_face_gpt2/",
                    p = folder.write("p.json", kPiped),
                    answers = folder.write("a.json", R"({"scores": [[1, 2], [3, 4]]})");
  for (const Args& args : {Args{"explain", "-"},
                           {"heatmap", "-"},
                           {"convert", "-", "-o", "-"},
                           {"generate", "-"},
                           {"compare", "--left", "-"},
                           {"compare", "-", "--left", "mask=causal"},
                           {"check", "-"},
                           {"check", answers, "--problem", "-"},
                           {"explain", "--config", "-", gpt2 + "model.safetensors"},
                           {"explain", gpt2, "--ids", "1", "--tokenizer", "-"},

                           {"explain", p, "--embeddings", "-"},
                           {"explain", p, "--memory", "-"},
                           {"explain", p, "--upstream", "-"}}) {
    Brackets brackets;
    std::istream in(&brackets);
    std::ostringstream out, err;
    Args all = args;
    all.insert(all.end(), {"--max-memory", "1M"});
    CAPTURE(args.front());
    CAPTURE(args.back());
    CHECK(attn::app::run(all, {in, out, err, {}}) == 3);
    CHECK(out.str().empty());
    CHECK(has(err.str(), "error[too-large]: " + kTakesAtLeast));
    CHECK(has(unwrapped(err.str()), over_limit("1048576 bytes")));
    CHECK(brackets.given < 1200000);
  }
  const std::string numbers(900000, '1');  // text that fits is counted with what is made of it
  CHECK(has(attn_run({"explain", "-", "--max-memory", "1M"},
                     "{\"title\": \"" + numbers + "\", \"q\": [[1]]}")
                .err,
            "error[too-large]"));
}

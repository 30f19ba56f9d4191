// attn explain, new and convert, on the samples and on files.
#include <doctest/doctest.h>

#include <filesystem>
#include <sstream>

#include "attn/io/problem_file.hpp"
#include "attn/io/samples.hpp"
#include "attn/io/tensor_file.hpp"
#include "attn/render/text.hpp"
#include "support/files.hpp"
#include "support/phrases.hpp"
#include "support/program.hpp"
#include "support/temporary_folder.hpp"

using namespace attn::testing;

TEST_CASE("explain: without a file the built-in sample is explained, and the second line says so") {
  const Ran ran = attn_run({"explain"});
  CHECK(ran.exit_code == 0);
  CHECK(ran.err.empty());
  CHECK(has(lines_of(ran.out).at(1), "built-in sample"));
}

TEST_CASE("explain: the sample fits 80 columns, no line ends in spaces, one newline ends it") {
  for (const char* mask : {"none", "causal", "window:1", "queries:1"}) {
    const std::string out = attn_run({"explain", "--mask", mask}).out;
    for (const std::string& line : lines_of(out)) {
      CAPTURE(line);
      CHECK(attn::display_width(line) <= 80);
      CHECK((line.empty() || line.back() != ' '));
    }
    CHECK(out.ends_with("\n"));
    CHECK(!out.ends_with("\n\n"));
  }
}

TEST_CASE("explain: the decimal points of a column line up") {
  for (const char* step : {"scaled_scores", "masked_scores", "output"}) {
    std::vector<std::size_t> first;
    int rows = 0;
    const std::string text = attn_run({"explain", "--steps", step, "--mask", "keys:it"}).out;
    for (const std::string& line : lines_of(text)) {
      if (line.rfind("    ", 0) != 0 || has(line, "e.g.") || has(line, "≈") || !has(line, "."))
        continue;
      std::vector<std::size_t> points;
      for (std::size_t i = 0; i < line.size(); ++i) {
        if (line[i] == '.') points.push_back(i);
      }
      if (rows++ == 0) first = points;
      CAPTURE(line);
      CHECK(points == first);
    }
    CHECK(rows == 5);
  }
}

TEST_CASE("explain: --ascii prints 7-bit characters only") {
  for (const attn::Sample& sample : attn::samples()) {
    for (const char* detail : {"normal", "full"}) {
      const Ran ran =
          attn_run({"explain", "-", "--ascii", "--detail", detail}, std::string(sample.text));
      for (const char c : ran.out) REQUIRE(static_cast<unsigned char>(c) < 128);
    }
  }
}

TEST_CASE("explain: a file, standard input and the built-in sample give the same matrices") {
  const std::string text(attn::samples()[0].text);
  const TemporaryFolder folder;
  const std::string path = folder.write("problem.json", text);
  const std::string json = attn_run({"explain", "--json"}).out;
  CHECK(attn_run({"explain", path, "--json"}).out == json);
  CHECK(attn_run({"explain", "-", "--json"}, text).out == json);
}

TEST_CASE("explain: options of the command line override the file") {
  const Ran ran =
      attn_run({"explain", "-", "--heads", "2", "--scale", "none", "--softcap", "5", "--json"},
               R"({"embeddings": [[1, 0], [2, 1]], "heads": 1, "scale": 0.5, "softcap": 3})");
  CHECK(ran.exit_code == 0);
  CHECK(has(ran.out, "\"heads\": 2"));
  CHECK(has(ran.out, "\"scale\": 1.0"));
  CHECK(has(ran.out, "\"softcap\": 5.0"));
  CHECK(has(ran.out, "\"capped_scores\": {"));
  CHECK(!has(ran.out, "\"scaled_scores\""));
}

TEST_CASE("explain: of several masks, a hidden cell names the one that hides it") {
  const Ran cell = attn_run({"explain", "--mask", "causal", "--mask", "keys:0", "--cell",
                             "masked_scores:1,0", "--width", "200"});
  CHECK(has(cell.out, "Hidden by keys:0: "));
}

TEST_CASE("explain: masks of the command line take the place of the file's") {
  const std::string causal = source_dir() + "/samples/04-causal.json";
  CHECK(has(attn_run({"explain", causal, "--mask", "window:1", "--mask", "keys:0", "--json"}).out,
            "\"mask\": [\"window:1\", \"keys:0\"]"));
  CHECK(has(attn_run({"explain", causal, "--mask", "none", "--json"}).out, "\"mask\": [\"none\"]"));
}

TEST_CASE("explain: --steps shows only those steps, in the order of the computation") {
  const Ran ran = attn_run({"explain", "--steps", "weights,scores"});
  CHECK(has(ran.out, "[5/8] S = Q·Kᵀ"));
  CHECK(has(ran.out, "[7/8] A = softmax"));
  CHECK(ran.out.find("[5/8]") < ran.out.find("[7/8]"));
  CHECK(!has(ran.out, "O = A·V"));
  CHECK(has(attn_run({"explain", "--steps", "weights", "--json"}).out, "\"order\": [\"weights\"]"));
}

TEST_CASE("explain: --query shows one row of what has a row per query, by token or index") {
  const std::string one = attn_run({"explain", "--query", "1", "--steps", "weights"}).out;
  CHECK(attn_run({"explain", "--query", "cat", "--steps", "weights"}).out == one);
  const std::string all = attn_run({"explain", "--steps", "weights"}).out;
  CHECK(lines_of(one).size() + 4 == lines_of(all).size());
}

TEST_CASE("explain: --head and --batch choose matrices") {
  const Ran both = attn_run({"explain", "--heads", "2", "--steps", "weights"});
  CHECK(has(both.out, "head 0"));
  CHECK(has(both.out, "head 1"));
  const Ran one = attn_run({"explain", "--heads", "2", "--steps", "weights", "--head", "1"});
  CHECK(!has(one.out, "head 0"));
  CHECK(has(one.out, "head 1"));
  CHECK(attn_run({"explain", "--head", "1"}).exit_code == 2);
}

TEST_CASE("explain: two --cell show both, and --depth goes with --cell only") {
  const std::string one = attn_run({"explain", "--cell", "scores:1,0", "--depth", "0"}).out;
  const std::string two = attn_run({"explain", "--cell", "A:1,0", "--depth", "0"}).out;
  CHECK(attn_run({"explain", "--cell", "S:1,0", "--depth", "0", "--cell", "A:1,0"}).out ==
        one + "\n" + two);
  CHECK(has(one, "\n… 8 more cells below: --depth 1 shows them\n"));
  const Ran ran = attn_run({"explain", "--depth", "1"});
  CHECK(ran.exit_code == 2);
  CHECK(ran.err.starts_with("error[needs-cell]: " + idle("--depth") + ": " + kNoCell));
  for (const auto& [no_number, number] : {std::pair{"A:1", "A:1,0"}, {"1,0", "weights:1,0"}}) {
    const Ran without = attn_run({"explain", "--cell", no_number, "--depth", "1"});
    CHECK(without.exit_code == 2);
    CHECK(has(without.err, std::string("such as ") + number + "."));
  }
}

TEST_CASE("explain: --cell explains a number down to the inputs") {
  const std::string out = attn_run({"explain", "--cell", "output:1,0", "--depth", "4"}).out;
  for (const char* symbol : {"O[", "A[", "S′[", "S[", "Q[", "K[", "V["}) {
    CAPTURE(symbol);
    CHECK(has(out, symbol));
  }
}

TEST_CASE("explain: steps are named by id or by symbol, with spaces around them or not") {
  const std::string by_id = attn_run({"explain", "--steps", "scores,scaled_scores,weights"}).out;
  CHECK(attn_run({"explain", "--steps", "S,S′,A"}).out == by_id);
  CHECK(attn_run({"explain", "--steps", " S , S' , weights "}).out == by_id);
  CHECK(attn_run({"explain", "--steps", "S,A", "--json"}).out ==
        attn_run({"explain", "--steps", "scores,weights", "--json"}).out);
  CHECK(has(attn_run({"explain", "--heads", "2", "--steps", "Q_i"}).out, "Q_i = "));
  const std::string cell = attn_run({"explain", "--cell", "weights:cat,the"}).out;
  CHECK(attn_run({"explain", "--cell", "A: cat, the "}).out == cell);
  CHECK(attn_run({"explain", "--cell", "A[cat, the]"}).out == cell);
  CHECK(has(attn_run({"explain", "--mask", "keys: 0, cat, 2 - 3"}).err, "names \"2 - 3\""));
  CHECK(attn_run({"explain", "--mask", "keys: 0, cat", "--steps", "A", "--json"}).exit_code == 0);
  CHECK(attn_run({"explain", "--query", " cat "}).out ==
        attn_run({"explain", "--query", "cat"}).out);
}

TEST_CASE("explain: what follows -- is a file, whatever it looks like") {
  const TemporaryFolder folder;
  folder.write("--heads", std::string(attn::samples()[3].text));
  const WorkingFolder inside(folder.path(""));
  const Ran ran = attn_run({"explain", "--mask", "none", "--", "--heads"});
  CHECK(ran.exit_code == 0);
  CHECK(has(ran.out, "\n--heads"));
}

TEST_CASE("explain: the input file is never written over") {
  const TemporaryFolder folder;
  const std::string text(attn::samples()[0].text);
  const std::string path = folder.write("problem.json", text);
  std::filesystem::create_symlink(path, folder.path("link.json"));
  for (const std::string& output :
       {path, folder.path("./problem.json"), folder.path("link.json")}) {
    const Ran ran = attn_run({"explain", path, "-o", output});
    CHECK(ran.exit_code == 2);
    CHECK(ran.err.rfind("error[same-file]: the output \"" + output + "\" is the input", 0) == 0);
    CHECK(has(ran.err, "  fix   Choose another name for the output.\n"));
    CHECK(read_text(path) == text);
  }
}

TEST_CASE("explain: --cell takes names as they are shown, escapes and quotes too") {
  const std::string problem =
      R"({"tokens": ["学", " ", "a\u200d", "学"], "embeddings": [[1, 2], [3, 4], [5, 6], [7, 8]]})";
  const auto cell = [&](const char* name) {
    return attn_run({"explain", "-", "--cell", name}, problem).out;
  };
  const std::string expected = cell("A[1, 2]");
  CHECK(has(expected, "A["));
  CHECK(cell(R"(A[' ', a\u{200d}])") == expected);
  CHECK(cell(R"(A[3:\u{5b66}, 0:学])") == cell("A[3, 0]"));
}

TEST_CASE("explain: a file that the problem names is never written over either") {
  const TemporaryFolder folder;
  CHECK(attn_run({"explain", "-o", folder.path("layer.npz")}).exit_code == 0);
  const std::string before = read_text(folder.path("layer.npz"));
  const std::string problem = folder.write("p.json", R"({
      "q": {"file": "layer.npz", "tensor": "q"}, "k": {"file": "./layer.npz", "tensor": "k"},
      "v": {"file": "layer.npz", "tensor": "v"}})");
  std::filesystem::create_symlink("layer.npz", folder.path("link.npz"));
  for (const char* command : {"explain", "convert"}) {
    for (const char* output : {"layer.npz", "link.npz"}) {
      const Ran ran = attn_run({command, problem, "-o", folder.path(output)});
      CHECK(ran.exit_code == 2);
      CHECK(has(ran.err, "error[same-file]: the output"));
      CHECK(read_text(folder.path("layer.npz")) == before);
    }
  }
  CHECK(attn_run({"explain", problem, "--also", folder.path("other.npz")}).exit_code == 0);
}

TEST_CASE("--max-memory: files that a problem names count, each once, with their arrays") {
  const TemporaryFolder folder;
  folder.write("a.npy",
               attn::write_npy({{100, 100}, std::vector<double>(10'000)}));  // 80,128 bytes
  const std::string problem = folder.write(
      "p.json", R"({"q": {"file": "a.npy"}, "k": {"file": "./a.npy"}, "v": {"file": "a.npy"}})");
  const auto refusal = [&](const char* limit) {
    return unwrapped(attn_run({"explain", problem, "--max-memory", limit}).err);
  };
  CHECK(has(refusal("400127"), "at least 400128 bytes (160000 bytes of it here)"));
  CHECK(has(refusal("400128"), "at least 547 KiB (156 KiB of it here)"));
  CHECK(has(refusal("600000"), "these steps as text would take"));
  const auto with_array = [&](const char* limit) {
    return unwrapped(
        attn_run({"explain", problem, "--embeddings", folder.path("a.npy"), "--max-memory", limit})
            .err);
  };
  CHECK(has(with_array("800255"), "at least 800256 bytes (160000 bytes of it here)"));
  CHECK(has(with_array("800255"), "--> --embeddings "));
  CHECK(!has(with_array("800256"), "of it here"));
}

TEST_CASE("--max-memory: a trace that is read back counts, too") {
  const TemporaryFolder folder;
  const std::string problem = R"({"q": {"ones": [200, 1]}, "k": {"ones": [200, 1]},
                                  "v": {"ones": [200, 1]}})";
  const std::string trace = folder.path("trace.json");
  CHECK(attn_run({"explain", "-", "-o", trace}, problem).exit_code == 0);
  const std::vector<std::string> read{"explain", trace, "--summary", "--max-memory"};
  const auto with = [&](std::vector<std::string> args, const char* limit) {
    args.push_back(limit);
    return attn_run(args);
  };
  CHECK(with(read, "100M").exit_code == 0);
  CHECK(with(read, "1M").exit_code == 3);
  CHECK(has(unwrapped(with(read, "1M").err), "error[too-large]: " + kTakesAtLeast));
  const std::vector<std::string> checked{"check", trace, "--max-memory"};
  CHECK(with(checked, "100M").exit_code == 0);
  CHECK(has(with(checked, "1M").err, "error[too-large]"));
}

TEST_CASE("explain: --precision limits the decimals of a matrix") {
  const std::string shares =
      attn_run({"explain", "--steps", "weights", "--precision", "1", "--only"}).out;
  CHECK(has(shares, "0.1"));
  CHECK(!has(shares, "0.08"));
  CHECK(attn_run({"explain", "--precision", "18"}).exit_code == 2);
}

TEST_CASE("explain: -o writes the file, and its extension chooses the format") {
  const TemporaryFolder folder;
  const std::string path = folder.path("trace.json");
  const Ran ran = attn_run({"explain", "-o", path});
  CHECK(ran.exit_code == 0);
  CHECK(ran.out.empty());
  CHECK(read_text(path) == attn_run({"explain", "--json"}).out);
  CHECK(attn_run({"explain", "-o", path, "--format", "text"}).exit_code == 2);
}

TEST_CASE("explain: a run that fails leaves the old output whole, and exits with 4") {
  const TemporaryFolder folder;
  const std::string path = folder.write("out.txt", "old");
  CHECK(attn_run({"explain", "nowhere.json", "-o", path}).exit_code == 4);
  CHECK(read_text(path) == "old");
  CHECK(attn_run({"explain", "-o", folder.path("no/such/folder.txt")}).exit_code == 4);
}

TEST_CASE("new: every sample is listed with its title, and can be written and explained") {
  const Ran list = attn_run({"new", "--list"});
  CHECK(lines_of(list.out).size() == attn::samples().size());
  const TemporaryFolder folder;
  for (const attn::Sample& sample : attn::samples()) {
    CHECK(has(list.out, std::string(sample.name)));
    CHECK(has(list.out, attn::parse_problem(std::string(sample.text), "a.json").draft.title));
    const std::string path = folder.path("sample.json");
    CHECK(attn_run({"new", "--sample", std::string(sample.name), "-o", path}).exit_code == 0);
    CHECK(read_text(path) == sample.text);
    CHECK(attn_run({"explain", path}).exit_code == 0);
  }
  CHECK(attn_run({"new", "--sample", "causal"}).out ==
        attn_run({"new", "--sample", "04-causal"}).out);
}

TEST_CASE("explain: what chooses a part of a step is refused where whole steps are written") {
  for (const char* option : {"--cell", "--query", "--head", "--batch"}) {
    CAPTURE(std::string(option));
    const Ran ran = attn_run({"explain", "--format", "ndjson", option, "0"});
    CHECK(ran.exit_code == 2);
    CHECK(ran.out.empty());
    CHECK(has(ran.err, "error[text-only]"));
  }
  CHECK(attn_run({"explain", "--json", "--steps", "bogus"}).exit_code == 2);
  CHECK(attn_run({"explain", "-o", "page.pdf"}).exit_code == 2);
}

TEST_CASE("explain: values need as many heads as the keys, and w_o as many as the queries") {
  for (const char* problem :
       {R"({"q": [[[[1]],[[1]]]], "k": [[[[1]],[[1]]]], "v": [[[[1]],[[2]],[[3]]]]})",
        R"({"embeddings": [[1,2],[3,4]], "heads": 2, "weights": {"w_q": [[1,0],[0,1]],
            "w_k": [[1,0],[0,1]], "w_v": [[[1],[0]],[[1],[0]],[[1],[0]],[[1],[0]]]}})",
        R"({"embeddings": [[1,2],[3,4]], "heads": 2, "weights": {"w_q": [[1,0],[0,1]],
            "w_k": [[1,0],[0,1]], "w_v": [[1,0,1,0],[0,1,0,1]], "w_o": [[[1]],[[1]],[[1]],[[1]]]}})"}) {
    const Ran ran = attn_run({"explain", "-"}, problem);
    CHECK(ran.exit_code == 3);
    CHECK(has(ran.err, "error[head-count]"));
  }
}

TEST_CASE("explain: a score that cannot be computed is noted, and its row is not taken for empty") {
  const std::string problem =
      R"({"q": [[1e200,1e200],[1,1]], "k": [[1,1],[1e200,-1e200],[1,1]], "v": [[1],[2],[3]], "mask": "keys:0,2"})";
  const Ran ran = attn_run({"explain", "-", "--steps", "weights"}, problem);
  CHECK(has(ran.out, "note: step scores has a number too large"));
  CHECK(has(ran.out, "nan"));
}

TEST_CASE(
    "explain: --cell with a number as it is shown explains it, or lists the cells that hold it") {
  const std::string one = attn_run({"explain", "--cell", "0.601"}).out;
  CHECK(one == attn_run({"explain", "--cell", "weights:0,1"}).out);
  const std::string heads = source_dir() + "/samples/03-multi-head.json";
  const std::string several = unwrapped(attn_run({"explain", heads, "--cell", "0.25"}).err);
  CHECK(has(several, "it is the number in 2 cells"));
  CHECK(has(several, "Name one: scores[head 0][1,2], weights[head 1][3,1]."));
  CHECK(attn_run({"explain", heads, "--cell", "weights[head 1][3,1]"}).exit_code == 0);
  CHECK(has(attn_run({"explain", "--cell", "7.777"}).err, "no cell of a step is 7.777"));
}

TEST_CASE("explain: problems too large to show are refused, not attempted") {
  std::string column = "[[1]";
  for (int i = 1; i < 20000; ++i) column += ",[1]";
  column += "]";
  const Ran ran = attn_run({"explain", "-"},
                           "{\"q\": " + column + ", \"k\": " + column + ", \"v\": " + column + "}");
  CHECK(ran.exit_code == 3);
  CHECK(has(ran.err, "error[too-large]"));
}

TEST_CASE(
    "explain: --max-memory lets a small problem keep only its output, as it does a large one") {
  const std::string problem = R"({"embeddings": {"randn": [500, 8], "seed": 1}})";
  const auto code = [&](const std::string& steps, const std::string& limit) {
    return attn_run({"explain", "-", "--steps", steps, "--max-memory", limit, "--format", "npy"},
                    problem)
        .exit_code;
  };
  CHECK(code("output", "1M") == 0);
  CHECK(code("weights", "3M") == 0);
  CHECK(code("weights", "1M") == 3);
  const auto summary = [&](std::vector<std::string> args) {
    args.insert(args.begin(), {"explain", "-", "--summary", "--max-memory", "3M"});
    return attn_run(args, problem).exit_code;
  };
  CHECK(summary({"--steps", "output"}) == 0);
  CHECK(summary({}) == 3);
}

TEST_CASE("explain: --max-memory counts the steps of gradients, with and without a mistake") {
  const auto ran = [](const std::vector<std::string>& fault, const char* limit,
                      const char* format) {
    std::vector<std::string> args{"explain", "-", "--gradient", "--max-memory", limit, format};
    args.insert(args.end(), fault.begin(), fault.end());
    return attn_run(args, R"({"embeddings": {"randn": [100, 8], "seed": 1}})");
  };
  struct Row {
    std::vector<std::string> fault;
    const char* enough;  // the forward steps take 241 KiB, or 160 where nothing is scaled
  };
  for (const Row& row : {Row{{}, "510K"}, Row{{"--fault", "scale.missing"}, "360K"}}) {
    const Ran numbers = ran(row.fault, "300K", "--json");
    CHECK(numbers.exit_code == 3);
    CHECK_MESSAGE(has(numbers.err, "error[too-large]"), numbers.err);
    CHECK(ran(row.fault, row.enough, "--json").exit_code == 0);
    const Ran text = ran(row.fault, row.enough, "--full");
    CHECK(text.exit_code == 3);
    CHECK_MESSAGE(has(unwrapped(text.err), "these steps as text would take"), text.err);
  }
}

TEST_CASE("explain: --max-memory refuses what would take more, and says what would be enough") {
  const Ran ran = attn_run({"explain", "--max-memory", "1K"});
  CHECK(ran.exit_code == 3);
  CHECK(has(ran.err, "error[too-large]: these steps as text would take"));
  CHECK(has(unwrapped(ran.err), over_limit("1 KiB")));
  const Ran numbers = attn_run({"explain", "--json", "--max-memory", "1K"});
  CHECK(has(numbers.err, "error[too-large]"));
  CHECK(has(unwrapped(numbers.err), "together, " + over_limit("1 KiB")));
  CHECK(has(unwrapped(numbers.err), "keep only the output, or allow more memory (--steps output"));
  for (const std::vector<std::string>& args :
       {std::vector<std::string>{"explain", "--steps", "output", "--max-memory", "1K"},
        {"heatmap", "--max-memory", "1K"},
        {"explain", "--gradient", "--json", "--max-memory", "1K"}}) {
    const std::string more = unwrapped(attn_run(args).err);
    CHECK_MESSAGE(has(more, "columns), or allow more memory (--max-memory "), more);
  }
  CHECK(has(ran.err, "--max-memory "));
  CHECK(attn_run({"explain", "--max-memory", "1M"}).exit_code == 0);
  const Ran wrong = attn_run({"explain", "--max-memory", "lots"});
  CHECK(wrong.exit_code == 2);
  CHECK(has(wrong.err, "expected a size such as 512M or 4G, found \"lots\""));
}

TEST_CASE("checkpoint: weights of a library do not say how many heads, and the option is named") {
  const Ran ran = attn_run({"explain", "-"},
                           R"({"embeddings": [[1]], "weights": {"q_proj.weight": [[1]],
                               "k_proj.weight": [[1]], "v_proj.weight": [[1]]}})");
  CHECK(ran.exit_code == 3);
  CHECK(has(ran.err, "error[head-count]: the weights have the layout of Llama"));
  CHECK(has(ran.err, "(--heads 1)"));
}

TEST_CASE("explain: -o follows a link and replaces what it points to") {
  const TemporaryFolder folder;
  const std::string real = folder.write("real.txt", "old");
  std::filesystem::create_symlink(real, folder.path("link.txt"));
  CHECK(attn_run({"explain", "--steps", "x", "-o", folder.path("link.txt")}).exit_code == 0);
  CHECK(std::filesystem::is_symlink(folder.path("link.txt")));
  CHECK(has(read_text(real), "[1/8] X"));
}

TEST_CASE(
    "explain: -o follows a link to a file that is not there yet, and refuses a loop of links") {
  namespace fs = std::filesystem;
  const TemporaryFolder folder;
  fs::create_symlink("new.txt", folder.path("link.txt"));
  CHECK(attn_run({"explain", "--steps", "x", "-o", folder.path("link.txt")}).exit_code == 0);
  CHECK(fs::is_symlink(folder.path("link.txt")));
  CHECK(has(read_text(folder.path("new.txt")), "[1/8] X"));

  fs::create_symlink("two", folder.path("one"));
  fs::create_symlink("one", folder.path("two"));
  const Ran ran = attn_run({"explain", "-o", folder.path("one")});
  CHECK(ran.exit_code == 4);
  CHECK(has(ran.err, folder.path("one") + "\" cannot be written"));
  CHECK(has(ran.err, "A link leads back to itself"));
}

TEST_CASE("errors: a missing file that a problem names is reported, from any working folder") {
  const TemporaryFolder folder;
  const std::string problem =
      folder.write("a.json", R"({"q": {"file": "no.npy"}, "k": [[1]], "v": [[1]]})");
  const WorkingFolder inside(folder.path(""));
  for (const std::string& path : {problem, std::string("a.json")}) {
    const Ran ran = attn_run({"explain", path});
    CHECK(ran.exit_code == 4);
    CHECK(has(ran.err, unreadable("no.npy").substr(1)));
  }
}

TEST_CASE("errors: in JSON, characters that nobody can see are written as escapes") {
  const Ran unseen =
      attn_run({"explain", "-", "--error-format", "json"}, "{\"q\u200d\U000E0041\": 1}");
  CHECK(has(unseen.err, R"(no key \"q\u200d\udb40\udc41\" in)"));
  const Ran ran = attn_run({"explain", "-", "--error-format", "json"}, "{\"q\u202e\": 1}");
  CHECK(has(ran.err, "\\\"q\\u202e\\\" in a problem\""));
  CHECK_FALSE(has(ran.err, "\u202e"));
}

TEST_CASE("explain: embeddings without weights mean identity projections") {
  const std::string x = R"({"embeddings": [[1, 2], [0, 1]])";
  const std::string eye = R"({"eye": 2})";
  const Ran bare = attn_run({"explain", "-", "--json", "--steps", "output"}, x + "}");
  const Ran full = attn_run(
      {"explain", "-", "--json", "--steps", "output"},
      x + R"(, "weights": {"w_q": )" + eye + R"(, "w_k": )" + eye + R"(, "w_v": )" + eye + "}}");
  CHECK(bare.exit_code == 0);
  CHECK(has(bare.out, "without weights, "));
  const auto steps = [](const Ran& ran) { return ran.out.substr(ran.out.find("\"steps\"")); };
  CHECK(steps(bare) == steps(full));
}

TEST_CASE("explain: memory with an embedding table and tokens is looked up") {
  const std::string start = R"({"embeddings": [[1, 2]], "memory": {"tokens": ["b", "a"], )";
  const Ran table = attn_run({"explain", "-", "--json"},
                             start + R"("embedding_table": {"a": [1, 0], "b": [3, 1]}}})");
  const Ran rows =
      attn_run({"explain", "-", "--json"}, start + R"("embeddings": [[3, 1], [1, 0]]}})");
  CHECK(table.exit_code == 0);
  CHECK(table.out == rows.out);
  const Ran unknown = attn_run({"explain", "-"}, start + R"("embedding_table": {"a": [1, 0]}}})");
  CHECK(unknown.exit_code == 3);
  CHECK(has(unknown.err, "/memory/tokens/0"));
  CHECK(has(attn_run({"explain", "-"}, start + "\"_\": 0}}").err, "memory has no embeddings"));
}

TEST_CASE("--text: text without spaces is cut into entries of the table, the longest first") {
  const std::string problem =
      R"({"embedding_table": {"机": [1], "器": [2], "机器": [3], "学": [4]}})";
  const auto tokens = [&](const std::string& text) {
    const Ran ran = attn_run({"convert", "-", "-o", "-", "--text", text}, problem);
    return ran.exit_code == 0 ? ran.out : ran.err;
  };
  CHECK(has(tokens("学机器机"), R"("tokens": ["学", "机器", "机"])"));
  CHECK(has(tokens("机 器"), R"("tokens": ["机", "器"])"));
  CHECK(has(tokens("机习"), "error[unknown-token]: the token \"机习\""));
}

TEST_CASE("--memory and --words: a file for the keys' side, names for tokens that have none") {
  const TemporaryFolder folder;
  const std::string x = folder.write("x.npy", attn::write_npy({{2, 2}, {1, 2, 0, 1}}));
  const std::string memory = folder.write("m.npy", attn::write_npy({{1, 2}, {3, 1}}));
  const std::string layer = folder.write(
      "a.json", R"({"weights": {"w_q": {"eye": 2}, "w_k": {"eye": 2}, "w_v": {"eye": 2}}})");
  const Ran ran = attn_run({"explain", layer, "--embeddings", x, "--memory", memory, "--words",
                            "I,dream", "--steps", "x,memory"});
  CHECK(ran.exit_code == 0);
  CHECK(has(ran.out, "dream"));
  CHECK(has(ran.out, "m0"));
  const Ran named = attn_run({"explain", "--words", "a,b"});
  CHECK(named.exit_code == 2);
  CHECK(has(named.err, "--words names the tokens, but"));
  CHECK(attn_run({"explain", layer, "--embeddings", x, "--words", "I"}).exit_code == 3);
}

TEST_CASE("--max-memory: what would take more is refused, with the place and what to try") {
  const Ran ran = attn_run({"explain", "-"}, R"({"embeddings": {"zeros": [1, 1073741824]}})");
  CHECK(ran.exit_code == 3);
  CHECK(has(ran.err, "at least 16 GiB"));
  CHECK(has(ran.err, "/embeddings/zeros"));
  CHECK(has(ran.err, "--max-memory"));
}

TEST_CASE("convert: a sheet becomes a page to fill in, one to print, or a table") {
  const TemporaryFolder folder;
  const std::string made = folder.path("made"), sheet = made + "/sheets/sheet.json";
  REQUIRE(attn_run({"exercise", "make", "--preset", "causal", "--format", "html,markdown,csv", "-o",
                    made})
              .exit_code == 0);
  for (const std::string& from : {sheet, made + "/key/answers/sheet.json"}) {
    for (const std::string ending : {".html", ".md", ".csv"}) {
      CAPTURE(from);
      CAPTURE(ending);
      const std::string page = folder.path((from == sheet ? "page" : "solved") + ending);
      CHECK(attn_run({"convert", from, "-o", page}).exit_code == 0);
      const bool solved = from != sheet;  // its numbers go with the page, not into its boxes
      const std::string expected = read_text(made + "/sheets/sheet" + ending);
      if (!solved) CHECK(read_text(page) == expected);
      if (solved && ending == ".md") CHECK(read_text(page) == expected);
    }
  }
  CHECK(attn_run({"convert", sheet, "-o", folder.path("a.npz")})
            .err.starts_with("error[unknown-format]"));
  CHECK(attn_run({"convert", sheet, "--heads", "2", "-o", folder.path("a.html")})
            .err.starts_with("error[already-computed]"));
}

TEST_CASE("convert: JSON, .npz and .safetensors hold the same problem") {
  const TemporaryFolder folder;
  for (const attn::Sample& sample : attn::samples()) {
    CAPTURE(std::string(sample.name));
    const std::string json = folder.write("a.json", std::string(sample.text));
    const std::string expected = attn_run({"explain", json, "--json"}).out;
    CHECK(attn_run({"convert", json, "-o", folder.path("b.npz")}).exit_code == 0);
    CHECK(
        attn_run({"convert", folder.path("b.npz"), "-o", folder.path("c.safetensors")}).exit_code ==
        0);
    CHECK(attn_run({"convert", folder.path("c.safetensors"), "-o", folder.path("d.json")})
              .exit_code == 0);
    for (const char* file : {"b.npz", "c.safetensors", "d.json"}) {
      CHECK(attn_run({"explain", folder.path(file), "--json"}).out == expected);
    }
  }
}

TEST_CASE("explain: a problem may name files beside it, but none outside its folder") {
  const TemporaryFolder folder;
  CHECK(attn_run({"explain", "-o", folder.path("trace.npz")}).exit_code == 0);
  const auto with = [&](const std::string& file) {
    return folder.write("p.json", R"({"q": {"file": ")" + file + R"(", "tensor": "q"},
      "k": {"file": "trace.npz", "tensor": "k"}, "v": {"file": "trace.npz", "tensor": "v"}})");
  };
  CHECK(attn_run({"explain", with("trace.npz")}).exit_code == 0);
  CHECK(has(attn_run({"explain", with("../trace.npz")}).err, "error[file-path]"));
  CHECK(has(attn_run({"explain", with("/etc/passwd")}).err, "error[file-path]"));
  CHECK(attn_run({"explain", with("missing.npz")}).exit_code == 4);
  CHECK(has(attn_run({"explain", "-"}, read_text(with("trace.npz"))).err, "error[file-path]"));
}

TEST_CASE("new: --random makes a problem that can be explained, the same one for the same seed") {
  const Ran ran = attn_run(
      {"new", "--random", "--tokens", "4", "--d-model", "6", "--heads", "2", "--seed", "7"});
  CHECK(ran.exit_code == 0);
  CHECK(attn_run(
            {"new", "--random", "--tokens", "4", "--d-model", "6", "--heads", "2", "--seed", "7"})
            .out == ran.out);
  CHECK(attn_run({"new", "--random", "--seed", "8"}).out != ran.out);
  const std::string named = attn_run({"new", "--random", "--words", "I,love,my,good,dog"}).out;
  CHECK(has(named, R"("tokens": ["I", "love", "my", "good", "dog"])"));
  CHECK(has(attn_run({"explain", "-"}, named).out, "[3/8] "));
  CHECK(has(attn_run({"explain", "-"}, named).out, "    good "));
  CHECK(attn_run({"new", "--random", "--words", "a,b", "--tokens", "2"}).exit_code == 2);
  CHECK(attn_run({"explain", "-"}, ran.out).exit_code == 0);
  CHECK(attn_run({"explain", "-"}, attn_run({"new", "--random", "--normal"}).out).exit_code == 0);
}

TEST_CASE("formats: two for one output are a conflict, the same twice is not") {
  CHECK(attn_run({"explain", "--json", "--format", "csv"}).exit_code == 2);
  CHECK(has(attn_run({"explain", "--format", "csv", "--json"}).err, "error[format-conflict]"));
  CHECK(attn_run({"explain", "--json", "--format", "json"}).exit_code == 0);
}

TEST_CASE("- is standard input after an option and its value, and words after -- belong to none") {
  const std::string p = R"({"q": [[1, 0]], "k": [[1, 0]], "v": [[2]]})";
  CHECK(attn_run({"explain", "--mask", "causal", "-"}, p).exit_code == 0);
  CHECK(attn_run({"explain", "--steps", "scores", "-"}, p).exit_code == 0);
  CHECK(has(usage({"explain", "--", "--mask", "-z"}), "error[extra-argument]"));
}

TEST_CASE("explain: inputs that are repeated or looked up count before they are made") {
  const Ran shared = attn_run(
      {"explain", "-", "--max-memory", "8M"},
      R"({"embeddings": {"zeros": [3000, 1, 1]}, "memory": {"embeddings": {"zeros": [3000, 1]}}})");
  CHECK(shared.exit_code == 3);
  CHECK(has(shared.err, "error[too-large]"));
  CHECK(has(shared.err, "/memory/embeddings"));
  const Ran table =
      attn_run({"explain", "-", "--max-memory", "2K"},
               R"({"tokens": ["a", "a", "a"], "embedding_table": {"a": {"zeros": [100]}}})");
  CHECK(has(table.err, "at least 2400 bytes"));
  CHECK(has(table.err, "/tokens"));
}

TEST_CASE("explain: a long key is refused, and its error is not as long") {
  const std::string error = complaint("{\"" + std::string(600000, 'a') + "\": 1}");
  CHECK(has(error, "error[unknown-key]"));
  CHECK(error.size() < 1000);
}

TEST_CASE("explain: a document counts in --max-memory before it is made") {
  const std::string p = R"({"embeddings": {"ones": [1200, 4]}, "heads": 2, "mask": "causal"})";
  const auto as = [&](const char* format, const char* limit) {
    return attn_run({"explain", "-", "--format", format, "--max-memory", limit}, p);
  };
  for (const char* format : {"text", "markdown", "latex", "html"}) {
    const Ran ran = as(format, "150M");
    CHECK(ran.exit_code == 3);
    CHECK(has(unwrapped(ran.err), "error[too-large]: these steps as " + std::string(format)));
    CHECK(has(unwrapped(ran.err), over_limit("150 MiB")));
    CHECK(has(unwrapped(ran.err), "such as npz"));
  }
  const Ran row = attn_run({"explain", "-", "--format", "markdown", "--query", "t3", "--head", "0",
                            "--max-memory", "150M"},
                           p);
  CHECK(row.exit_code == 0);
}

TEST_CASE("explain: in a problem too large to keep, a number is found as in any other" *
          doctest::test_suite("long")) {
  // Equal scores: query 3 sees four keys and gives each a quarter.
  const std::string p = R"({"embeddings": {"ones": [1100, 4]}, "heads": 4, "kv_heads": 2,
    "weights": {"w_q": {"ones": [4, 4]}, "w_k": {"ones": [4, 2]}, "w_v": {"ones": [4, 2]}},
    "mask": "causal"})";
  for (const char* head : {"0", "3"}) {
    const Ran weight = attn_run({"explain", "-", "--cell", "weights:3,1", "--head", head}, p);
    CHECK(weight.exit_code == 0);
    CHECK(has(weight.out, "0.25"));
  }
  const Ran hidden = attn_run({"explain", "-", "--cell", "weights:1,3", "--head", "1"}, p);
  CHECK(has(hidden.out, "causal"));
  const auto row = [&](const char* fill) {
    return attn_run({"explain", "-", "--steps", "weights", "--query", "t3", "--head", "0",
                     "--precision", "5", "--fill", fill},
                    p);
  };
  CHECK(has(row("-inf").out, "0.25"));
  CHECK(has(row("-inf").out, "1096 of 1100 keys hidden by causal"));
  CHECK(has(row("4").out, kSomeWeight));
}

# Tokens that mean something in some format, and what the program writes in place of a few of them.
import json

TOKENS = ["a|b", "*bold*", "_it_", "`code`", "<b>", "</script>", "[link](http://a.b)", "![x](y)", "\\",
          "\\|", "$\\input{x}$", "\\input{x}", "$$", "{.c}", "}", "{", "#1", "~~gone~~", "^up^", "&amp;",
          "@someone", "a--b", "''", ",,", "?`", "https://a.b", "www.a.b", "a@b.c", ":tada:", "- a", "1. a",
          "> a", "|---|", "<!-- c -->", "``", "%", "50%", "\u202eevil", "a\nb", " the", "😀", "猫", "é",
          "x...", "[^1]", "\\(x\\)", "{=html}", "\\end{array}", "a  b", "x_1", "\\\\", "√d_k.", "½", "ſ"]
SHOWN = {"\u202eevil": "\\u{202e}evil", "a\nb": "a\\nb", " the": "' the'"}


def problem(tokens):
    vectors = [[(i * 7 + j * 3) % 5 - 2 for j in range(2)] for i in range(len(tokens))]
    return json.dumps({"title": "; ".join(tokens), "description": " ".join(tokens), "tokens": tokens,
                       "embeddings": vectors})


def shown(tokens):
    return [SHOWN.get(token, token) for token in tokens]

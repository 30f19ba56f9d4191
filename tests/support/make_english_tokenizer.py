#!/usr/bin/env python3
"""Makes samples/tokenizers/english.json: byte-level BPE, learned from English prose.

Usage: make_english_tokenizer.py FILE.md … >english.json. Code, tables and commands in the files are left out.
"""

import collections
import json
import re
import sys

MERGES = 1000
WORDS = r"'(?:s|t|re|ve|m|ll|d)\b| ?[A-Za-z]+"  # nothing is learned of numbers and signs
# What children's books are about, more often than documents on attention are.
EVERYDAY = """
The cat sat on the mat. A dog ran to the red house, and the old man looked out of the window. She said that it was cold.
Once upon a time there was a little girl who lived in a small village near the forest. Every day she went to school.
He took his hat, his cup and his book, and he walked down the road to the river. The sun was up, the sky was blue.
What do you want to eat? I want bread and milk, please. They have been here before; we will come back in the morning.
My mother and my father like to sing. The bird sings in the tree, the fish swims in the water, the horse eats the grass.
I don't know where it is. It's not here, and they can't find it. You'll see: we've looked for it all day long.
The king and the queen had two sons and one daughter. The first son was strong, the other was clever, she was kind.
Open the door and come in. Give me your hand. Let us go home now, because it is late and the children are tired.
""" * 20


def letters():
    seen = [b for b in range(256) if 33 <= b <= 126 or b >= 161 and b != 173]
    others = iter(range(256, 512))
    return {b: chr(b if b in seen else next(others)) for b in range(256)}


def prose(text):
    text = re.sub(r"```.*?```", "", text, flags=re.S)
    lines = [line for line in text.split("\n") if not re.match(r"\s*[|:#=<$]|    ", line)]
    return re.sub(r"`[^`]*`|{[^}]*}|[A-Za-z]*_[A-Za-z_]*|[*\[\]]", "", "\n".join(lines))


def learn(words, merges):
    while len(merges) < MERGES:
        pairs = collections.Counter()
        for word, count in words.items():
            for pair in zip(word, word[1:]):
                pairs[pair] += count
        best = min(pairs, key=lambda pair: (-pairs[pair], pair))
        merges.append(best)
        merged = collections.Counter()
        for word, count in words.items():
            made, i = [], 0
            while i < len(word):
                if word[i:i + 2] == best:
                    made.append(word[i] + word[i + 1])
                    i += 2
                else:
                    made.append(word[i])
                    i += 1
            merged[tuple(made)] += count
        words = merged
    return merges


letter = letters()
corpus = EVERYDAY + "".join(prose(open(name, encoding="utf-8").read()) for name in sys.argv[1:])
words = collections.Counter(
    tuple(letter[b] for b in word.encode()) for word in re.findall(WORDS, corpus))
merges = learn(words, [])
tokens = sorted(letter.values(), key=ord) + [a + b for a, b in merges]
vocab = {token: i for i, token in enumerate(dict.fromkeys(tokens))}
end = {"id": len(vocab), "content": "<|endoftext|>", "single_word": False, "lstrip": False, "rstrip": False,
       "normalized": False, "special": True}
stage = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": True}
model = {"type": "BPE", "dropout": None, "unk_token": None, "continuing_subword_prefix": None, "end_of_word_suffix": None,
         "fuse_unk": False, "byte_fallback": False, "ignore_merges": False, "vocab": vocab,
         "merges": [a + " " + b for a, b in merges]}
file = {"version": "1.0", "truncation": None, "padding": None, "added_tokens": [end], "normalizer": None,
        "pre_tokenizer": stage, "post_processor": stage, "decoder": stage, "model": model}
print(json.dumps(file, ensure_ascii=False, separators=(",", ":")).replace('"model":', '\n"model":')
      .replace('"merges":', '\n"merges":'))

"""Writes app/start_order.ld anew, which keeps together the functions that `attn explain` and `--version` run.

    cmake -S . -B build-order -D ATTN_NATIVE=OFF && cmake --build build-order
    python3 tests/bench/start_order.py build-order/attn > app/start_order.ld

Needs valgrind, which does not know every instruction of this machine.
"""
import re
import subprocess
import sys
import tempfile

SCRIPT = """/* The functions that attn explain and --version run, next to each other: scattered among all others, they would
   touch four times as many pages of code. Made by tests/bench/start_order.py; names that a program lacks do no harm. */
SECTIONS {{
  .text.start : {{
{}
  }}
}}
INSERT BEFORE .text
"""


def functions(attn, *arguments):
    """The C++ functions of a run, as the linker knows them, without the compiler's suffixes."""
    with tempfile.NamedTemporaryFile() as profile:
        valgrind = ["valgrind", "--tool=callgrind", "--demangle=no", f"--callgrind-out-file={profile.name}"]
        subprocess.run([*valgrind, attn, *arguments], check=True, capture_output=True)
        called = re.findall(r"^c?fn=\(\d+\) (_Z\w+)", profile.read().decode(), re.MULTILINE)
    return {re.sub("([CD])1E", r"\1[12]E", name) for name in called}  # two names of one constructor


if __name__ == "__main__":
    attn = sys.argv[1]
    names = functions(attn, "explain", "--mask", "causal") | functions(attn, "--version")
    print(SCRIPT.format("\n".join(f"    *(.text.{name}*)" for name in sorted(names))), end="")

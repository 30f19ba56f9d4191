"""attn explain --pause and attn check --watch at a pseudo-terminal. Usage: pause_test.py ATTN."""
import json
import os
import pty
import signal
import subprocess
import sys
import tempfile
import termios
import time


signal.alarm(120)  # nothing here takes that long


def read_until(fd, mark):
    text = b""
    while mark not in text:
        text += os.read(fd, 4096)
    return text.decode()


def start(*arguments):
    """The program's process, its terminal, and the settings of the terminal, read before the program may change them."""
    ready, go = os.pipe()
    pid, fd = pty.fork()
    if pid == 0:
        os.read(ready, 1)
        os.environ.update(TERM="xterm", LC_ALL="C.UTF-8")
        os.execv(sys.argv[1], [sys.argv[1], *(arguments or ("explain", "--pause", "--big"))])
    before = termios.tcgetattr(fd)[3]
    os.write(go, b" ")
    os.close(ready)
    os.close(go)
    return pid, fd, before


def session(keys):
    """What is shown after each key, the exit code, and whether the terminal is as before."""
    pid, fd, before = start()
    shown = [read_until(fd, b"q ends --")]
    for key in keys[:-1]:
        os.write(fd, key)
        shown.append(read_until(fd, b"q ends --"))
    os.write(fd, keys[-1])
    status = os.waitpid(pid, 0)[1]
    return shown, os.waitstatus_to_exitcode(status), termios.tcgetattr(fd)[3] == before


pages, code, restored = session([b" ", b"x", b"b", b"\x1b[D", b"q"])
assert code == 0 and restored, (code, restored)
for page, begin in zip(pages, ["[1/", "W_q, W_k, W_v", "[2/", "W_q, W_k, W_v", "[1/"]):
    assert begin in page, (begin, page)
for end in (b"q", b"\x03", b"\x04"):
    pages, code, restored = session([end])
    # Ctrl-C may come before the program listens for keys: then it is a signal.
    assert len(pages) == 1 and code in (0, -2) and restored, (end, code, restored)

for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT, signal.SIGUSR1):
    pid, fd, before = start()
    while termios.tcgetattr(fd)[3] & termios.ICANON:
        time.sleep(0.01)
    os.kill(pid, number)
    code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    assert code == -number, (number, code)
    assert termios.tcgetattr(fd)[3] == before, number

with tempfile.TemporaryDirectory() as folder:
    problem, mine = os.path.join(folder, "p.json"), os.path.join(folder, "mine.json")
    subprocess.run([sys.argv[1], "convert", "-o", problem], check=True, capture_output=True)

    def write(scores):
        with open(mine, "w", encoding="utf-8") as file:
            json.dump({"scores": scores}, file)

    trace = json.loads(subprocess.check_output([sys.argv[1], "explain", problem, "--json"]))
    right = trace["steps"]["scores"]["data"]
    write([[9] + right[0][1:]] + right[1:])
    pid, fd, before = start("check", mine, "--problem", problem, "--watch")
    assert "24 of 25 right" in read_until(fd, b"Ctrl-C to stop")
    write(right)
    assert "Everything is right" in read_until(fd, b"Ctrl-C to stop")
    os.remove(mine)
    write([[9] * 5] * 5)
    assert "first wrong step" in read_until(fd, b"Ctrl-C to stop")
    os.write(fd, b"\x03")
    code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    assert code in (0, 1, -2, 130), code

#!/usr/bin/env python3
"""Writes docs/measured.md anew from what the commands print now: each block between two marks is the output of one command.

    tools/measure.py               all blocks (needs `taut` built with --features peers)
    tools/measure.py chain energy  these alone
    tools/measure.py --list        blocks and commands
    tools/measure.py --taut PATH   another program than target/release/taut

Every block says when, on what machine and of which commit it was made. The prose between the blocks is written by hand.
"""
import argparse
import datetime
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

PAGE = pathlib.Path("docs/measured.md")

# Name, arguments of `taut`, how the output is shown.
BLOCKS = {
    "chain": (["bench", "chain"], "text"),
    "trees": (["bench", "trees"], "text"),
    "energy": (["bench", "energy"], "text"),
    "table1": (["bench", "table1"], "text"),
    "inverse": (["bench", "inverse"], "text"),
    "reduced": (["bench", "reduced", "--quick"], "text"),
    "figures": (["figure", "--all", "--out", "{folder}"], "verdicts"),
    "report": (["bench", "report", "--mujoco", "--out", "{folder}/report.md"], "markdown"),
}


def machine():
    """Processor, cores, compiler and commit, in a line."""
    cpu = "an unknown processor"
    info = pathlib.Path("/proc/cpuinfo")
    if info.exists():
        cpu = next((line.split(":")[1].strip() for line in info.read_text().splitlines() if line.startswith("model name")), cpu)
    say = lambda *command: subprocess.run(command, capture_output=True, text=True).stdout.strip()
    commit = say("git", "rev-parse", "--short", "HEAD") + (", changed" if say("git", "status", "--porcelain", "crates") else "")
    return f"{cpu}, {os.cpu_count()} cores, {' '.join(say('rustc', '--version').split()[:2])}, commit {commit}"


def show(kind, out, folder):
    """The output as Markdown."""
    if kind == "markdown":
        text = (pathlib.Path(folder) / "report.md").read_text(encoding="utf-8")
        return re.sub(r"^#+ .*\n", "", re.sub(r"^(#+) ", r"#\1 ", text, flags=re.M), count=1).strip()
    if kind == "verdicts":
        rows = re.findall(r"^([\w-]+): (better|reproduced|not reproduced|too short to judge): (.*)$", out, re.M)
        return "\n".join(["| figure | verdict | measured |", "|---|---|---|"] + [f"| `{n}` | {word} | {why} |" for n, word, why in rows])
    return "```text\n" + out.rstrip().replace(folder, "FOLDER") + "\n```"


def run(taut, name):
    """Runs the command of a block; its lines go to the screen as they come."""
    args, kind = BLOCKS[name]
    with tempfile.TemporaryDirectory() as folder:
        command = [a.format(folder=folder) for a in args]
        print(f"== {name}: taut {' '.join(args)}", flush=True)
        began, lines = time.monotonic(), []
        with subprocess.Popen([taut, *command], stdout=subprocess.PIPE, text=True) as child:
            for line in child.stdout:
                print(line, end="", flush=True)
                lines.append(line)
        # Status 1 says that a bound of the command does not hold: that is a result.
        if child.returncode not in (0, 1):
            sys.exit(f"{name}: taut {' '.join(args)} ended with {child.returncode}; the page is as it was")
        minutes = (time.monotonic() - began) / 60
        head = f"`taut {' '.join(args).replace('{folder}', 'FOLDER')}`, {datetime.date.today()}, {minutes:.1f} min: {machine()}."
        return f"{head}\n\n{show(kind, ''.join(lines), folder)}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0], epilog="Blocks: " + ", ".join(BLOCKS))
    parser.add_argument("names", nargs="*", help="blocks to make; all when there are none")
    parser.add_argument("--taut", default="target/release/taut", help="the program (default: %(default)s)")
    parser.add_argument("--list", action="store_true", help="print blocks and commands")
    args = parser.parse_args()
    if args.list:
        print("\n".join(f"{name:8} taut {' '.join(command)}" for name, (command, _) in BLOCKS.items()))
        return
    unknown = [n for n in args.names if n not in BLOCKS]
    if unknown:
        parser.error(f"block = '{unknown[0]}': expected one of {', '.join(BLOCKS)}")
    if not pathlib.Path(args.taut).exists():
        parser.error(f"--taut = '{args.taut}': no such program; cargo build --release -p taut-cli --features peers")
    for name in args.names or BLOCKS:
        mark = re.compile(rf"(<!-- measured: {name} -->\n).*?(<!-- end -->)", re.S)
        text = PAGE.read_text(encoding="utf-8")
        if not mark.search(text):
            parser.error(f"block = '{name}': {PAGE} has no such mark")
        block = run(args.taut, name)
        PAGE.write_text(mark.sub(lambda m: f"{m[1]}\n{block}\n\n{m[2]}", text), encoding="utf-8")


main()

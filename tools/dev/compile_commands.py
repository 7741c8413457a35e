#!/usr/bin/env python3
"""Writes compile_commands.json, for clangd and clang-tidy, from Bazel's actions.

Usage: tools/dev/compile_commands.py [bazel flags] [target patterns]

With --config=clang the flags are those that clangd understands best. Build once
with the same flags, so that generated headers exist.
"""
import json
import os
import subprocess
import sys


def bazel(*args, cwd=None):
    return subprocess.run(["bazel", *args], cwd=cwd, check=True, text=True,
                          stdout=subprocess.PIPE).stdout


def main():
    flags = [a for a in sys.argv[1:] if not a.startswith("//")]
    patterns = [a for a in sys.argv[1:] if a.startswith("//")] or ["//..."]
    root = bazel("info", "workspace").strip()
    # Not the checkout: generated and external files are found only from here.
    directory = bazel("info", *flags, "execution_root", cwd=root).strip()
    actions = json.loads(
        bazel("aquery", *flags, "--output=jsonproto",
              "mnemonic(CppCompile, %s)" % " + ".join(patterns),
              cwd=root)).get("actions", [])
    commands = {}
    for action in actions:
        arguments = action["arguments"]
        file = arguments[arguments.index("-c") + 1]
        # Sources of our own by their place in the checkout.
        source = os.path.join(root, file)
        commands[file] = {
            "directory": directory,
            "file": source if os.path.exists(source) else file,
            "arguments": arguments,
        }
    with open(os.path.join(root, "compile_commands.json"), "w",
              encoding="utf-8") as out:
        json.dump(list(commands.values()), out, indent=1)
    print("compile_commands.json: %d files" % len(commands))


if __name__ == "__main__":
    main()

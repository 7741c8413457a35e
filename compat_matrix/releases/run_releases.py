"""Runs the matrix with every release as an old reader and an old writer.

    bazel run //compat_matrix/releases:run
    bazel run //compat_matrix/releases:run -- --only=wire-1 -- --history=demo
    bazel run //compat_matrix/releases:run -- --build-only

Builds the programs of compat_matrix/releases.textproto that are not built yet,
in a cache directory, and gives them to `opcompat matrix`; what follows `--` goes
to it as it is. The exit status is that of the matrix: 0 if no cell is misread,
crashed, hung or unexpected; 2 too if a release cannot be built.
"""

import argparse
import os
import shlex
import subprocess
import sys

from compat_matrix.releases import build_release


def parse(arguments):
    parser = argparse.ArgumentParser(
        prog="run_releases", description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--checkout", metavar="DIR",
                        default=os.environ.get("BUILD_WORKSPACE_DIRECTORY", "."),
                        help="the git checkout. Default: where bazel run began")
    parser.add_argument("--cache", metavar="DIR",
                        default=build_release.default_cache(),
                        help="where programs are kept. Default: %(default)s")
    parser.add_argument("--only", metavar="NAME", action="append", default=[],
                        help="only this release; repeatable")
    parser.add_argument("--bazel-flag", metavar="FLAG", action="append",
                        default=[], help="for the builds; repeatable")
    parser.add_argument("--build-only", action="store_true",
                        help="print the programs and run nothing")
    parser.add_argument("matrix", nargs="*", metavar="MATRIX_FLAG",
                        help="flags of opcompat matrix, after --")
    return parser.parse_args(arguments)


def tool():
    """The opcompat tool of this build."""
    here = os.path.dirname(os.path.abspath(__file__))
    return os.path.join(os.path.dirname(os.path.dirname(here)), "tools",
                        "opcompat")


def chosen(releases, names):
    known = {release.name for release in releases}
    for name in names:
        if name not in known:
            raise build_release.BuildFailure(
                "no release is called %s; there are %s" % (
                    name, ", ".join(sorted(known)) or "none"))
    return [r for r in releases if not names or r.name in names]


def main():
    options = parse(sys.argv[1:])
    flags = []
    try:
        releases = chosen(build_release.load_releases(options.checkout),
                          options.only)
        for release in releases:
            program = build_release.build(options.checkout, release,
                                          options.cache, options.bazel_flag)
            named = "%s=%s" % (release.name, shlex.quote(program))
            if options.build_only:
                print(named)
            if release.reads:
                flags.append("--testee=" + named)
            if release.writes:
                flags.append("--writer-program=" + named)
    except build_release.BuildFailure as failure:
        print("run_releases: %s" % failure, file=sys.stderr)
        return 2
    if options.build_only:
        return 0
    directory = os.environ.get("BUILD_WORKING_DIRECTORY", os.getcwd())
    environment = dict(os.environ)
    environment.setdefault("OPCOMPAT_OPSETS",
                           os.path.join(options.checkout, "opsets"))
    return subprocess.run([tool(), "matrix"] + flags + options.matrix,
                          cwd=directory, env=environment,
                          check=False).returncode


if __name__ == "__main__":
    sys.exit(main())

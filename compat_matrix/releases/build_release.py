"""Builds the reader and writer of a released commit, from git.

The program is testee_main: today's sources of it (compat_matrix/testees) with
the library as it was at that commit. A commit that has a testee_main of its own
is built as it is. Programs are kept in a cache directory, by commit, and built
again only if what they are made of has changed.
"""

import hashlib
import os
import re
import shutil
import subprocess
import tempfile

from google.protobuf import text_format

from compat_matrix.releases import releases_pb2

TESTEES = "compat_matrix/testees"
MAIN = TESTEES + "/testee_main.cc"
TARGET = "//compat_matrix/testees:testee_main"
LIST = "compat_matrix/releases.textproto"


class BuildFailure(Exception):
    """Why there is no program, for people."""


def load_releases(checkout):
    """The releases of the list in a checkout. Raises BuildFailure."""
    path = os.path.join(checkout, LIST)
    try:
        with open(path, encoding="utf-8") as file:
            releases = text_format.Parse(file.read(),
                                         releases_pb2.Releases()).releases
    except (OSError, text_format.ParseError) as error:
        raise BuildFailure("%s: %s" % (path, error)) from error
    names = set()
    for release in releases:
        where = "%s: release %s" % (path, release.name)
        if not re.fullmatch(r"[\w.-]+", release.name, re.ASCII):
            raise BuildFailure("%s: its name is not letters, digits, . _ -" % where)
        if release.name in names:
            raise BuildFailure("%s is there twice" % where)
        if not re.fullmatch(r"[0-9a-f]{40}", release.commit):
            raise BuildFailure("%s: its commit is not a hash of 40 digits" % where)
        if not re.fullmatch(r"\d{4}-\d\d-\d\d", release.date):
            raise BuildFailure("%s: its date is not as 2026-12-01" % where)
        if not (release.reads or release.writes):
            raise BuildFailure("%s neither reads nor writes" % where)
        names.add(release.name)
    return list(releases)


def default_cache():
    base = os.environ.get("XDG_CACHE_HOME", "")
    if not os.path.isabs(base):
        base = os.path.join(os.path.expanduser("~"), ".cache")
    return os.path.join(base, "opcompat", "releases")


def _git(checkout, *arguments, **options):
    # The checkout may belong to somebody else, as in containers.
    return subprocess.run(
        ("git", "-c", "safe.directory=*", "-C", checkout) + arguments,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, **options)


def _check_commit(checkout, release):
    if _git(checkout, "rev-parse", "--git-dir").returncode != 0:
        raise BuildFailure(
            "%s is no git checkout: releases are built from git; clone the "
            "repository to run them" % checkout)
    found = _git(checkout, "cat-file", "-e", release.commit + "^{commit}")
    if found.returncode != 0:
        shallow = _git(checkout, "rev-parse", "--is-shallow-repository")
        help_text = ("the clone has no history: git fetch --unshallow"
                     if shallow.stdout.strip() == b"true" else
                     "git fetch it, or correct " + LIST)
        raise BuildFailure("release %s: commit %s is not in %s; %s" % (
            release.name, release.commit, checkout, help_text))


def _extract(checkout, release, directory):
    """The files of the commit, with what it lacks of ours laid over them."""
    archive = _git(checkout, "archive", "--format=tar", release.commit)
    if archive.returncode != 0:
        raise BuildFailure("release %s: %s" % (
            release.name, archive.stderr.decode(errors="replace").strip()))
    os.makedirs(directory)
    subprocess.run(("tar", "-x", "-C", directory), input=archive.stdout,
                   check=True)
    if os.path.exists(os.path.join(directory, MAIN)):
        return
    target = os.path.join(directory, TESTEES)
    os.makedirs(target, exist_ok=True)
    for name in _overlay(checkout):
        shutil.copy(os.path.join(checkout, TESTEES, name), target)


def _overlay(checkout):
    """Names of the files of compat_matrix/testees; its directories aside."""
    directory = os.path.join(checkout, TESTEES)
    return sorted(name for name in os.listdir(directory)
                  if os.path.isfile(os.path.join(directory, name)))


def _digest(checkout, flags):
    """Of what a program is made of, beside the commit."""
    digest = hashlib.sha256(repr(list(flags)).encode())
    for name in _overlay(checkout):
        with open(os.path.join(checkout, TESTEES, name), "rb") as file:
            digest.update(b"%s\0%s\0" % (name.encode(), file.read()))
    return digest.hexdigest()


def build(checkout, release, cache, flags=(), bazel="bazel", say=print):
    """Returns the path of the program of a release. Raises BuildFailure.

    `flags` go to `bazel build`, after our own.
    """
    _check_commit(checkout, release)
    home = os.path.join(cache, release.commit)
    program, stamp = os.path.join(home, "testee"), os.path.join(home, "stamp")
    digest = _digest(checkout, flags)
    if os.path.exists(program) and os.path.exists(stamp):
        with open(stamp, encoding="utf-8") as file:
            if file.read() == digest:
                return program

    os.makedirs(home, exist_ok=True)
    say("building release %s (%s)" % (release.name, release.commit[:12]))
    with tempfile.TemporaryDirectory(dir=home) as scratch:
        source = os.path.join(scratch, "source")
        _extract(checkout, release, source)
        start = (bazel, "--output_base=" + os.path.join(home, "bazel"))
        log = os.path.join(home, "build.log")
        # Sources of today are no friends of the packages of then.
        command = start + ("build", "-c", "opt", "--nocheck_visibility",
                           "--color=no", "--curses=no") + tuple(flags)
        with open(log, "wb") as file:
            try:
                done = subprocess.run(command + (TARGET,), cwd=source,
                                      stdin=subprocess.DEVNULL, stdout=file,
                                      stderr=subprocess.STDOUT, check=False)
            except OSError as error:
                raise BuildFailure("%s cannot be run: %s" % (
                    bazel, error.strerror)) from error
        if done.returncode == 0:
            where = subprocess.run(
                start + ("info", "-c", "opt") + tuple(flags) + ("bazel-bin",),
                cwd=source, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL, universal_newlines=True, check=False)
            built = os.path.join(where.stdout.strip(), TESTEES, "testee_main")
            shutil.copy(built, program + ".new")
        subprocess.run(start + ("shutdown",), cwd=source,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                       check=False)
    if done.returncode != 0:
        with open(log, encoding="utf-8", errors="replace") as file:
            tail = "".join(file.readlines()[-20:])
        raise BuildFailure("release %s does not build; the end of %s:\n%s" % (
            release.name, log, tail))
    os.chmod(program + ".new", 0o755)
    os.replace(program + ".new", program)
    with open(stamp, "w", encoding="utf-8") as file:
        file.write(digest)
    return program

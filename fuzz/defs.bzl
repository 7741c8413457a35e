"""Fuzz targets that are ordinary tests as well."""

load("@rules_cc//cc:defs.bzl", "cc_binary", "cc_library", "cc_test")

def cc_fuzz_test(
        name,
        srcs,
        corpus = None,
        deps = [],
        data = [],
        dictionary = None,
        crashers = [],
        runs = 5000,
        size = "small",
        fast = False,
        tags = [],
        **kwargs):
    """A fuzz target with its seed corpus.

    `bazel test //pkg:NAME` replays the corpus and `runs` mutations
    of it: with libFuzzer under --config=fuzz, else with a plain
    mutator and any compiler (and any of the sanitizer configs).
    `bazel run --config=fuzz //pkg:NAME_fuzzer -- [flags] [dirs]` fuzzes for
    long; it runs in a directory of Bazel's, so name the dirs absolutely.

    Args:
      name: name of the test.
      srcs: sources that define LLVMFuzzerTestOneInput.
      corpus: a directory of this package, each file below it an input; at least
        one. Default: corpora/NAME.
      deps: as for cc_library.
      data: what the target reads besides the corpus.
      dictionary: a file of this package in libFuzzer's dictionary format.
      crashers: files of this package that crashed the target once; with those
        in crashers/NAME, which need not be named here, they become the test
        NAME_crashers.
      runs: how many mutations the test tries.
      size: as for cc_test.
      fast: whether ./fuzz-all takes --config=fuzz_fast, for inputs that laws
        judge, and replays what it finds under --config=fuzz.
      tags: as for cc_test.
      **kwargs: passed to the test and the fuzzer.
    """
    prefix = native.package_name() + "/" if native.package_name() else ""
    if native.repository_name() != "@":
        prefix = "external/%s/%s" % (native.repository_name()[1:], prefix)
    corpus = corpus or "corpora/" + name
    crashers = crashers + native.glob(["crashers/" + name + "/**"], allow_empty = True)
    dictionaries = [dictionary] if dictionary else []
    engine = Label("//fuzz:engine")
    tags = tags + ["fuzz"] + (["fuzz_fast"] if fast else [])
    cc_library(
        name = name + "_target",
        testonly = True,
        srcs = srcs,
        deps = deps,
        linkstatic = True,
        alwayslink = True,
        tags = ["manual"],
        visibility = ["//visibility:private"],
    )
    cc_test(
        name = name,
        size = size,
        args = ["-runs=%d" % runs, "-seed=1"] +
               ["-dict=" + prefix + file for file in dictionaries] +
               [prefix + corpus],
        data = data + dictionaries + native.glob([corpus + "/**"]),
        deps = [name + "_target", engine],
        linkstatic = True,
        tags = tags,
        **kwargs
    )

    # One file given to libFuzzer is replayed and not mutated; a directory is
    # a corpus. So the crashers are a test of their own.
    if crashers:
        cc_test(
            name = name + "_crashers",
            size = size,
            args = [prefix + file for file in crashers],
            data = data + crashers,
            deps = [name + "_target", engine],
            linkstatic = True,
            tags = tags,
            **kwargs
        )
    cc_binary(
        name = name + "_fuzzer",
        testonly = True,
        data = data,
        deps = [name + "_target", engine],
        tags = tags + ["manual"],
        **kwargs
    )

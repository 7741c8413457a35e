"""External repositories made from what Debian 12 installs; nothing is downloaded."""

load(":abseil.bzl", "debian_abseil")
load(":package.bzl", "debian_package")
load(":rules_cc.bzl", "native_rules_cc")

def _maybe(rule, name, **kwargs):
    if not native.existing_rule(name):
        rule(name = name, **kwargs)

def _library(name, build_file, **kwargs):
    _maybe(
        debian_package,
        name,
        build_file = Label("//third_party/debian:" + build_file),
        **kwargs
    )

def debian_repositories():
    """Declares the rule sets and the libraries that are not declared yet."""

    # The rule sets that Bazel would download before its first C++ action.
    _maybe(native_rules_cc, "rules_cc")
    _maybe(native.local_repository, "rules_java", path = "/usr/share/bazel/rules/java")
    _maybe(native.local_repository, "rules_proto", path = "/usr/share/bazel/rules/proto")

    # What each cc_test depends on, for `bazel coverage`.
    _library(
        "remote_coverage_tools",
        "coverage.BUILD",
        files = {Label("//third_party/debian:coverage_merge.sh"): "merge.sh"},
    )

    _maybe(debian_abseil, "com_google_absl")
    _library(
        "cli11",
        "cli11.BUILD",
        headers = ["CLI/CLI.hpp"],
    )
    _library(
        "com_google_benchmark",
        "benchmark.BUILD",
        headers = ["benchmark/benchmark.h"],
    )
    _library(
        "com_google_googletest",
        "googletest.BUILD",
        headers = [
            "gmock/gmock.h",
            "gtest/gtest.h",
        ],
        libs = ["gmock", "gmock_main", "gtest"],
    )
    _library(
        "com_google_protobuf",
        "protobuf.BUILD",
        headers = ["google/protobuf/message.h"],
        libs = ["protobuf", "protobuf-lite"],
        links = {
            "google/protobuf": "/usr/include/google/protobuf",
            "protoc": "/usr/bin/protoc",
        },
    )
    _library(
        "nlohmann-json",
        "json.BUILD",
        headers = ["nlohmann/json.hpp"],
    )
    _library(
        "sqlite3",
        "sqlite3.BUILD",
        headers = ["sqlite3.h"],
        libs = ["sqlite3"],
    )
    _library(
        "xxhash",
        "xxhash.BUILD",
        headers = ["xxhash.h"],
        libs = ["xxhash"],
    )
    _library(
        "zstd",
        "zstd.BUILD",
        headers = ["zstd.h"],
        libs = ["zstd"],
    )

"""Rules for users of opcompat: docs/bazel.md shows them at work.

    load(
        "@opcompat//bazel:opcompat.bzl",
        "compat_matrix_test",
        "opcompat_module",
        "opset_compat_test",
        "opset_history",
    )

| rule | is for |
|---|---|
| opset_history | a history.textproto, checked and compiled when it is built |
| embedded_history | a compiled history inside a cc_library |
| opcompat_module | a module's text as a file that programs read |
| opset_compat_test | `opcompat check`: which changes break which calls |
| compat_matrix_test | `opcompat matrix`: every module x writer x reader |

Both tests come with a target NAME.update that writes down what they would say
now: what you accept, once you have read the difference.
"""

load(":compat_matrix.bzl", _compat_matrix_test = "compat_matrix_test")
load(
    ":history.bzl",
    _OpsetHistoryInfo = "OpsetHistoryInfo",
    _embedded_history = "embedded_history",
    _opset_history = "opset_history",
)
load(":module.bzl", _opcompat_module = "opcompat_module")
load(":opset_compat.bzl", _opset_compat_test = "opset_compat_test")

OpsetHistoryInfo = _OpsetHistoryInfo
compat_matrix_test = _compat_matrix_test
embedded_history = _embedded_history
opcompat_module = _opcompat_module
opset_compat_test = _opset_compat_test
opset_history = _opset_history

"""opset_compat_test; see opcompat.bzl."""

load(
    ":tool.bzl",
    "RUN",
    "TOOL",
    "UPDATE_BEGIN",
    "histories_of",
    "in_source_tree",
    "tool_script",
    "update_hint",
)

def _check(ctx, arguments, body):
    history = histories_of([ctx.attr.history])[0]
    if history.history.extension != "textproto":
        fail("%s: the check needs the history's text, found %s" %
             (ctx.label, history.history.short_path))
    arguments = ["check", history.history.short_path] + arguments
    if ctx.attr.newer:
        arguments.append("--newer=" + ctx.attr.newer)
    if ctx.attr.categories:
        arguments.append("--category=" + ",".join(ctx.attr.categories))
    files = depset(ctx.files.known_breaks, transitive = [history.files])
    return tool_script(ctx, arguments, body, files)

def _opset_compat_test_impl(ctx):
    if not ctx.file.known_breaks:
        return _check(ctx, [], RUN)
    return _check(
        ctx,
        ["--known-breaks=" + ctx.file.known_breaks.short_path],
        update_hint(ctx),
    )

def _opset_compat_update_impl(ctx):
    return _check(
        ctx,
        ["--update"],
        UPDATE_BEGIN +
        'arguments+=("--known-breaks=$BUILD_WORKSPACE_DIRECTORY"%s)\n' %
        in_source_tree(ctx, ctx.file.known_breaks) +
        RUN,
    )

_ATTRS = dict(
    categories = attr.string_list(),
    history = attr.label(mandatory = True, allow_files = [".opch", ".textproto"]),
    known_breaks = attr.label(allow_single_file = True),
    newer = attr.string(),
    **TOOL
)

_opset_compat_test = rule(
    implementation = _opset_compat_test_impl,
    attrs = _ATTRS,
    test = True,
)

_opset_compat_update = rule(
    implementation = _opset_compat_update_impl,
    attrs = _ATTRS,
    executable = True,
)

def opset_compat_test(
        name,
        history,
        known_breaks = None,
        newer = None,
        categories = [],
        **kwargs):
    """Fails on changes of operators that break stored calls, and says which.

    Runs `opcompat check` (docs/check.md). `bazel run NAME.update` rewrites the
    file of known breaks in the source tree, and says what it changed.

    Args:
      name: name of the test.
      history: the opset_history.
      known_breaks: the file of breaks that you accept; at first an empty one.
        None: there are none, and no NAME.update.
      newer: only findings whose newer version is this one.
      categories: only findings of these: "backward", "forward", "source".
      **kwargs: passed on, such as size and tags.
    """
    shared = dict(
        categories = categories,
        history = history,
        known_breaks = known_breaks,
        newer = newer or "",
    )
    if "size" not in kwargs:
        kwargs["size"] = "small"
    _opset_compat_test(name = name, **dict(kwargs, **shared))
    if known_breaks:
        _opset_compat_update(
            name = name + ".update",
            tags = ["manual"] + kwargs.get("tags", []),
            testonly = True,
            visibility = kwargs.get("visibility"),
            **shared
        )

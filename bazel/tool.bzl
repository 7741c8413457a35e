"""What the rules that run the opcompat tool share."""

load(":history.bzl", "OpsetHistoryInfo")

# The tool, for those who build: tests of compatibility say the same wherever
# they run, so they need no tool of their own for each target platform and
# compilation mode.
TOOL = {
    "_tool": attr.label(
        default = Label("//tools:opcompat"),
        executable = True,
        cfg = "exec",
    ),
}

def shell_quote(text):
    """Returns `text` as one word of a shell."""
    return "'" + text.replace("'", "'\\''") + "'"

def histories_of(targets):
    """What the targets of a `histories` attribute are.

    Args:
      targets: opset_history targets, or anything else with exactly one
        .textproto or .opch file, such as @opcompat//opsets/torch:history.

    Returns:
      structs of `history` and `compiled`, the Files that stand for the history,
      and `files`, a depset of all that belongs to it.
    """
    found = []
    for target in targets:
        if OpsetHistoryInfo in target:
            info = target[OpsetHistoryInfo]
            found.append(struct(
                history = info.history,
                compiled = info.compiled,
                files = info.files,
            ))
            continue
        files = target[DefaultInfo].files
        named = [
            file
            for file in files.to_list()
            if file.extension in ("textproto", "opch")
        ]
        if len(named) != 1:
            fail(("%s is no history: found %d files .textproto or .opch, " +
                  "expected one; make it an opset_history") %
                 (target.label, len(named)))
        found.append(struct(
            history = named[0],
            compiled = named[0],
            files = files,
        ))
    return found

def _label_text(label):
    return "//%s:%s" % (label.package, label.name)

_SCRIPT = """\
#!/bin/bash
# Runs opcompat for {label}.
set -u -o pipefail
# Where the files of {label} are: a test is there already.
if [[ -z ${{TEST_SRCDIR:-}} && -d $0.runfiles/{workspace} ]]; then
  cd "$0.runfiles/{workspace}" || exit 2
fi
export OPCOMPAT_OPSETS=$PWD/{opsets}
tool=$PWD/{tool}
arguments=({arguments})
{body}"""

def tool_script(ctx, arguments, body, files):
    """Makes a target a program that runs the tool.

    Args:
      ctx: of a rule that is executable and has the attributes TOOL.
      arguments: list of strings, the tool's arguments.
      body: the script's end: bash, with the absolute path `$tool` and the array
        `arguments` at hand, in the directory where the files of `files` are at
        their short_path.
      files: depset of Files.

    Returns:
      the target's providers.
    """
    script = ctx.actions.declare_file(ctx.label.name)
    tool = ctx.executable._tool.short_path
    ctx.actions.write(
        script,
        _SCRIPT.format(
            arguments = " ".join([shell_quote(a) for a in arguments]),
            body = body,
            label = _label_text(ctx.label),
            opsets = shell_quote(tool[:-len("tools/opcompat")] + "opsets"),
            tool = shell_quote(tool),
            workspace = ctx.workspace_name,
        ),
        is_executable = True,
    )
    runfiles = ctx.runfiles(transitive_files = files)
    runfiles = runfiles.merge(ctx.attr._tool[DefaultInfo].default_runfiles)
    for target in getattr(ctx.attr, "testees", []):
        runfiles = runfiles.merge(target[DefaultInfo].default_runfiles)
    return [DefaultInfo(executable = script, runfiles = runfiles)]

def in_source_tree(ctx, file):
    """Where an .update target writes a file: bash that expands to its path."""
    if not file.is_source or file.short_path.startswith("../"):
        fail(("%s: %s is not in this workspace's sources, so that nothing can " +
              "update it") % (_label_text(ctx.label), file.short_path))
    return shell_quote("/" + file.short_path)

# `bazel run` says where the sources are.
UPDATE_BEGIN = """\
if [[ -z ${BUILD_WORKSPACE_DIRECTORY:-} ]]; then
  echo "start this with bazel run, which says where the sources are" >&2
  exit 2
fi
"""

def update_hint(ctx):
    """The end of a test's script: says how to accept what it found."""
    return """\
status=0
"$tool" "${arguments[@]}" "$@" || status=$?
if ((status == 1)); then
  echo "If all of this is meant to be: bazel run %s.update" >&2
fi
exit "$status"
""" % _label_text(ctx.label)

RUN = """\
exec "$tool" "${arguments[@]}" "$@"
"""

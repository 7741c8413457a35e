"""opcompat_module; see opcompat.bzl."""

load(":tool.bzl", "TOOL", "histories_of")

def _opcompat_module_impl(ctx):
    histories = histories_of(ctx.attr.histories)
    tool = ctx.executable._tool
    args = ctx.actions.args()
    args.add("convert")
    args.add(ctx.file.src)
    args.add("-o", ctx.outputs.out)
    args.add("--to=opc")
    args.add("--quiet")
    for history in histories:
        args.add(history.compiled, format = "--history=%s")
    args.add_all(ctx.attr.versions, format_each = "--version=%s")
    args.add_all(ctx.attr.targets, format_each = "--target=%s")
    args.add("--elide=" + ctx.attr.elide)
    if not ctx.attr.debug:
        args.add("--no-debug")
    repository = ctx.attr._tool.label.workspace_name or ctx.workspace_name
    ctx.actions.run(
        executable = tool,
        arguments = [args],
        inputs = depset(
            [ctx.file.src],
            transitive = [
                depset([h.compiled]) if h.compiled.extension == "opch" else h.files
                for h in histories
            ],
        ),
        outputs = [ctx.outputs.out],
        env = {
            "OPCOMPAT_OPSETS": "%s.runfiles/%s/opsets" % (tool.path, repository),
        },
        mnemonic = "OpcompatModule",
        progress_message = "Converting module %s" % ctx.label,
    )
    return [DefaultInfo(
        files = depset([ctx.outputs.out]),
        runfiles = ctx.runfiles(files = [ctx.outputs.out]),
    )]

_opcompat_module = rule(
    implementation = _opcompat_module_impl,
    attrs = dict(
        debug = attr.bool(default = True),
        elide = attr.string(default = "equal", values = ["equal", "unspecified", "none"]),
        histories = attr.label_list(allow_files = [".textproto", ".opch"], mandatory = True),
        out = attr.output(mandatory = True),
        src = attr.label(mandatory = True, allow_single_file = True),
        targets = attr.string_list(),
        versions = attr.string_list(),
        **TOOL
    ),
)

def opcompat_module(
        name,
        src,
        histories,
        version = None,
        target = None,
        elide = None,
        debug = True,
        out = None,
        **kwargs):
    """A module's text as the file that programs read, made when it is built.

    The target NAME is the file NAME.opc, what `opcompat convert` makes of the
    text. A module that is wrong, or cannot be written for `target`, fails the
    build with the reasons that the tool gives.

    Args:
      name: name of the target.
      src: the module's text, or an .opc file to write anew.
      histories: the opset_history targets of its operators.
      version: `ID` or `HISTORY@ID`, or a list of these: the versions at which
        the text is read and written. Default: what the module's `opset` lines
        say, or the newest.
      target: `ID`, `HISTORY@ID`, `all`, or a list of these: versions that must
        be able to read the file.
      elide: which arguments stay off the file: those that are "equal" to their
        default (the default), the "unspecified" ones, or "none".
      debug: whether names of values and source locations stay in the file.
      out: name of the file. Default: NAME.opc.
      **kwargs: passed on, such as visibility.
    """
    _opcompat_module(
        name = name,
        src = src,
        out = out or name + ".opc",
        debug = debug,
        elide = elide or "equal",
        histories = histories,
        targets = _list(target),
        versions = _list(version),
        **kwargs
    )

def _list(one_or_more):
    if one_or_more == None:
        return []
    return one_or_more if type(one_or_more) == "list" else [one_or_more]

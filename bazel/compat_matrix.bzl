"""compat_matrix_test; see opcompat.bzl."""

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

# Bazel says which shard this is, where it wants the JUnit report, and where
# files go that somebody may want to look at.
_REPORTS = """\
if [[ -n ${TEST_SRCDIR:-} ]]; then arguments+=(--quiet); fi
if ((${TEST_TOTAL_SHARDS:-0} > 0)); then
  touch "$TEST_SHARD_STATUS_FILE"
  arguments+=("--shard=$((TEST_SHARD_INDEX + 1))/$TEST_TOTAL_SHARDS")
fi
if [[ -n ${XML_OUTPUT_FILE:-} ]]; then
  arguments+=("--junit=$XML_OUTPUT_FILE")
fi
if [[ -n ${TEST_UNDECLARED_OUTPUTS_DIR:-} ]]; then
  out=$TEST_UNDECLARED_OUTPUTS_DIR
  arguments+=(-o "$out/matrix.json" "--html=$out/matrix.html" "--markdown=$out/matrix.md")
elif (($# == 0)); then
  # `bazel run`: where the user is. With flags of his own he says where.
  arguments+=(-o "${BUILD_WORKING_DIRECTORY:-$PWD}/opcompat-matrix.json")
fi
"""

def _matrix(ctx, arguments, body):
    histories = histories_of(ctx.attr.histories)
    arguments = ["matrix"] + arguments
    for history in histories:
        arguments.append("--history=" + history.history.short_path)
    for module in ctx.files.modules:
        arguments.append("--modules=" + module.short_path)
    if ctx.attr.writers:
        arguments.append("--writers=" + ",".join(ctx.attr.writers))
    if ctx.attr.readers:
        arguments.append("--readers=" + ",".join(ctx.attr.readers))
    if ctx.attr.simulate:
        arguments.append("--simulate=%d" % ctx.attr.simulate)
        arguments.append("--seed=%d" % ctx.attr.seed)
    programs = []
    for testee in ctx.attr.testees:
        program = testee[DefaultInfo].files_to_run.executable
        if not program:
            fail("%s: the testee %s is no program" % (ctx.label, testee.label))
        programs.append(program)
        path = program.short_path
        arguments.append("--testee=" + (path if "/" in path else "./" + path))
    files = depset(
        ctx.files.modules + ctx.files.expected_refusals + programs,
        transitive = [history.files for history in histories],
    )
    return tool_script(ctx, arguments + ctx.attr.matrix_args, body, files)

def _compat_matrix_test_impl(ctx):
    if not ctx.file.expected_refusals:
        return _matrix(ctx, [], _REPORTS + RUN)
    return _matrix(
        ctx,
        ["--expect=" + ctx.file.expected_refusals.short_path],
        _REPORTS + update_hint(ctx),
    )

def _compat_matrix_update_impl(ctx):
    return _matrix(
        ctx,
        ["--update", "-o", "/dev/null"],
        UPDATE_BEGIN +
        'arguments+=("--expect=$BUILD_WORKSPACE_DIRECTORY"%s)\n' %
        in_source_tree(ctx, ctx.file.expected_refusals) +
        RUN,
    )

_ATTRS = dict(
    expected_refusals = attr.label(allow_single_file = True),
    histories = attr.label_list(allow_files = [".textproto", ".opch"]),
    matrix_args = attr.string_list(),
    modules = attr.label_list(allow_files = True),
    readers = attr.string_list(),
    seed = attr.int(),
    simulate = attr.int(),
    testees = attr.label_list(cfg = "target"),
    writers = attr.string_list(),
    **TOOL
)

_compat_matrix_test = rule(
    implementation = _compat_matrix_test_impl,
    attrs = _ATTRS,
    test = True,
)

_compat_matrix_update = rule(
    implementation = _compat_matrix_update_impl,
    attrs = _ATTRS,
    executable = True,
)

def compat_matrix_test(
        name,
        histories,
        modules,
        expected_refusals = None,
        writers = [],
        readers = [],
        testees = [],
        simulate = 0,
        seed = 1,
        matrix_args = [],
        **kwargs):
    """Writes every module at every version, reads it at every other, and judges.

    Runs `opcompat matrix` (docs/matrix_runs.md): fails if a file is misread, a reader
    crashes, a cell is not as predicted, or a refusal is not an expected one.
    With `shard_count` the modules are shared out. The reports are among the
    test's outputs (bazel-testlogs/.../test.outputs): matrix.html, matrix.md and
    matrix.json; the cells are test cases for whoever reads Bazel's test.xml.
    `bazel run NAME.update` rewrites the file of expected refusals in the source
    tree.

    Args:
      name: name of the test.
      histories: opset_history targets, or targets with one history.textproto
        such as @opcompat//opsets/torch:history.
      modules: module texts; those without `opset` lines are written at every
        version where they are right.
      expected_refusals: the file of refusals that are meant to be; at first an
        empty one. None: every refusal that the histories predict is fine.
      writers: ids of versions: only these write. Default: all.
      readers: ids of versions: only these read. Default: all.
      testees: programs that read files, beside this build of opcompat
        (docs/testee_protocol.md): readers in other languages, say.
      simulate: number of simulated histories that are run too.
      seed: where these begin.
      matrix_args: more flags of `opcompat matrix`.
      **kwargs: passed on, such as size, shard_count and tags.
    """
    shared = dict(
        expected_refusals = expected_refusals,
        histories = histories,
        matrix_args = matrix_args,
        modules = modules,
        readers = readers,
        seed = seed,
        simulate = simulate,
        testees = testees,
        writers = writers,
    )
    _compat_matrix_test(name = name, **dict(kwargs, **shared))
    if expected_refusals:
        _compat_matrix_update(
            name = name + ".update",
            tags = ["manual"] + kwargs.get("tags", []),
            testonly = True,
            visibility = kwargs.get("visibility"),
            **shared
        )

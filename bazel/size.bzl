"""A program built for size, whatever the flags of the build are."""

# Nothing of ours throws or catches; where memory runs out the program ends.
_COPTS = [
    "-Oz",
    "-flto",
    "-fno-exceptions",
    "-fno-asynchronous-unwind-tables",
    "-fno-unwind-tables",
    "-ffunction-sections",
    "-fdata-sections",
    "-fno-stack-protector",
]

_LINKOPTS = [
    "-Oz",
    "-flto",
    "-flto-partition=one",
    "-fno-exceptions",
    "-Wl,--gc-sections",
]

# Flags of the build that say how to compile, not what: --config=clang needs
# -fclang-abi-compat to link with the system's libraries, say.
def _keep(flags):
    return [
        flag
        for flag in flags
        if not (flag.startswith("-fsanitize") or flag.startswith("-fno-sanitize") or
                flag.startswith("-O") or flag == "-g" or flag.startswith("-flto") or
                flag.startswith("-fno-omit-frame-pointer"))
    ]

def _size_transition_impl(settings, attr):
    return {
        "//command_line_option:compilation_mode": "opt",
        "//command_line_option:copt": _keep(settings["//command_line_option:copt"]) + _COPTS,
        "//command_line_option:dynamic_mode": "off",
        "//command_line_option:linkopt": _keep(settings["//command_line_option:linkopt"]) + _LINKOPTS,
        "//command_line_option:strip": "never",
    }

_size_transition = transition(
    implementation = _size_transition_impl,
    inputs = [
        "//command_line_option:copt",
        "//command_line_option:linkopt",
    ],
    outputs = [
        "//command_line_option:compilation_mode",
        "//command_line_option:copt",
        "//command_line_option:dynamic_mode",
        "//command_line_option:linkopt",
        "//command_line_option:strip",
    ],
)

def _built_for_size_impl(ctx):
    out = ctx.actions.declare_file(ctx.label.name)
    ctx.actions.symlink(output = out, target_file = ctx.executable.binary, is_executable = True)
    return [DefaultInfo(
        files = depset([out]),
        executable = out,
        runfiles = ctx.runfiles(files = [out]),
    )]

built_for_size = rule(
    implementation = _built_for_size_impl,
    doc = "The program `binary`, optimized for size and not stripped.",
    attrs = {
        "binary": attr.label(
            mandatory = True,
            cfg = _size_transition,
            executable = True,
        ),
        "_allowlist_function_transition": attr.label(
            default = "@bazel_tools//tools/allowlists/function_transition_allowlist",
        ),
    },
    executable = True,
)

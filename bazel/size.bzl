"""A program built for size, whatever the flags of the build are."""

# Nothing of ours throws or catches; where memory runs out the program ends.
# Functions that are called once stay functions: what is inlined into large ones
# needs longer offsets into larger frames. The smallest functions are inlined: else
# the length of each literal is computed by a call. The program can be loaded
# anywhere, because the seed of absl::Hash is an address: with a fixed one a file
# could be made whose strings all collide.
_COPTS = [
    "-Oz",
    "-flto",
    "-fno-exceptions",
    "-fno-asynchronous-unwind-tables",
    "-fno-unwind-tables",
    "-ffunction-sections",
    "-fdata-sections",
    "-fno-inline-functions-called-once",
    "-fno-stack-protector",
    "-fomit-frame-pointer",
    "-fPIE",
    "-fvisibility=hidden",
    "--param=max-inline-insns-size=1",
    # What measuring showed: 3 % together.
    "-fno-caller-saves",
    "-fno-expensive-optimizations",
    "-fno-ira-hoist-pressure",
    "-fno-jump-tables",
    "-fno-tree-loop-optimize",
    "-ftree-slp-vectorize",
]

# gold keeps one of each set of functions that have the same code; nothing of ours
# compares addresses of functions.
_LINKOPTS = [
    "-Oz",
    "-flto",
    "-flto-partition=one",
    "-fno-exceptions",
    "-ffunction-sections",
    "-fdata-sections",
    "-pie",
    "-fuse-ld=gold",
    "-Wl,--build-id=none",
    "-Wl,--gc-sections",
    "-Wl,--hash-style=gnu",
    "-Wl,--icf=all",
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

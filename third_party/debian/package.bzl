"""A repository around the files of an installed Debian package."""

_HINT = "%s is not installed: see third_party/debian/packages.txt"

def libdir(repository_ctx, file):
    """Finds the /usr/lib/<multiarch> directory that holds a file.

    Args:
      repository_ctx: the context of the repository rule.
      file: a path below the directory, say "libgtest.a".

    Returns:
      The path of the directory.
    """
    for directory in repository_ctx.path("/usr/lib").readdir():
        if repository_ctx.path("%s/%s" % (directory, file)).exists:
            return directory
    fail(_HINT % file)

def _debian_package_impl(repository_ctx):
    for header in repository_ctx.attr.headers:
        if not repository_ctx.path("/usr/include/" + header).exists:
            fail(_HINT % header)
    repository_ctx.symlink(repository_ctx.attr.build_file, "BUILD")
    for target, link in repository_ctx.attr.files.items():
        repository_ctx.symlink(target, link)
    for link, target in repository_ctx.attr.links.items():
        repository_ctx.symlink(target, link)
    for lib in repository_ctx.attr.libs:
        archive = "lib%s.a" % lib
        repository_ctx.symlink("%s/%s" % (libdir(repository_ctx, archive), archive), archive)

debian_package = repository_rule(
    implementation = _debian_package_impl,
    doc = "The headers stay in the system's include path; libraries become files of the repository.",
    local = True,
    attrs = {
        "build_file": attr.label(mandatory = True),
        "files": attr.label_keyed_string_dict(doc = "Files of ours, and their places in the repository."),
        "headers": attr.string_list(doc = "Files below /usr/include that must exist."),
        "libs": attr.string_list(doc = "Static libraries: each <lib> becomes lib<lib>.a."),
        "links": attr.string_dict(doc = "Places in the repository, and the files of the system there."),
    },
)

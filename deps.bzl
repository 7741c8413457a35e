"""External repositories of opcompat."""

load("//third_party/debian:repositories.bzl", "debian_repositories")

def opcompat_deps():
    """Declares every repository that opcompat's BUILD files mention.

    A repository that the calling WORKSPACE has declared already (an
    http_archive of the real abseil, say) is left alone; the rest come from
    the Debian packages in third_party/debian/packages.txt.
    """
    debian_repositories()

"""Puts the page together: make_page.py page.html page.css SCRIPT... > page.cc

One style and one script come into the page, and a policy that allows these two
and nothing else, by their hashes: no network, and no script that results might
smuggle in.
"""

import base64
import hashlib
import sys


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def source(text):
    """The hash of a text as Content-Security-Policy names it."""
    digest = hashlib.sha256(text.encode()).digest()
    return "'sha256-%s'" % base64.b64encode(digest).decode()


def literal(text):
    """A C++ literal; in pieces, since compilers limit their length."""
    pieces = [text[i:i + 8000] for i in range(0, len(text), 8000)]
    return "\n    ".join('R"~page~(%s)~page~"' % piece for piece in pieces)


def main():
    template, style, *scripts = sys.argv[1:]
    style = "\n" + read(style)
    script = ("\n'use strict';\n(() => {\n" +
              "\n".join(read(path) for path in scripts) + "})();\n")
    assert "</script" not in script and "</style" not in style
    policy = ("default-src 'none'; base-uri 'none'; form-action 'none'; "
              "script-src %s; style-src %s" % (source(script), source(style)))
    page = read(template)
    for mark, text in (("@POLICY@", policy), ("@STYLE@", style),
                       ("@SCRIPT@", script)):
        assert page.count(mark) == 1
        page = page.replace(mark, text)
    begin, end = page.split("@DATA@\n")
    sys.stdout.write('''#include "compat_matrix/reports/html/page.h"

#include "absl/strings/string_view.h"

namespace opcompat {

absl::string_view PageBegin() {
  static constexpr char kText[] =
    %s;
  return absl::string_view(kText, sizeof(kText) - 1);
}

absl::string_view PageEnd() {
  static constexpr char kText[] =
    %s;
  return absl::string_view(kText, sizeof(kText) - 1);
}

}  // namespace opcompat
''' % (literal(begin), literal(end)))


if __name__ == "__main__":
    main()

#!/bin/sh
# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
#
# tools/packages.sh, on machines that are made up: everything there means no network and no root; something missing and
# neither root nor sudo means one line to type and exit code 2; root installs just what is missing.
set -eu

# machine NAME USER-ID INSTALLED...: a PATH whose dpkg knows these packages and whose apt-get writes down its calls
machine() {
    name=$1 user=$2
    shift 2
    mkdir -p "$name/tools" "$name/bin"
    cp "$HBG_SOURCE_DIR/tools/packages.sh" "$name/tools"
    printf 'build one  # why\nbuild two\ntest  three\n' >"$name/packages"
    for tool in sh awk sed dirname mktemp rm cat env; do
        ln -s "$(command -v "$tool")" "$name/bin/$tool"
    done
    printf '#!/bin/sh\nprintf "ii  %%s\\n" %s\necho "rc  two"\n' "$*" >"$name/bin/dpkg-query"
    printf '#!/bin/sh\necho %s\n' "$user" >"$name/bin/id"
    printf '#!/bin/sh\necho "$@" >>"%s/calls"\n' "$PWD/$name" >"$name/bin/apt-get"
    chmod +x "$name"/bin/dpkg-query "$name"/bin/id "$name"/bin/apt-get
    : >"$name/calls"
}

# ask MACHINE GROUP...: what packages.sh says there, with its exit code
ask() {
    name=$1
    shift
    code=0
    PATH=$PWD/$name/bin "$name/tools/packages.sh" "$@" >"$name/said" 2>&1 || code=$?
    echo "exit $code" >>"$name/said"
}

same() {
    printf '%s\n' "$2" | diff - "$1" >&2 || { echo "$1 is not as expected" >&2; exit 1; }
}

machine complete 1000 one two
ask complete build
same complete/said 'exit 0'
[ ! -s complete/calls ]

# "rc": removed, its configuration is left: not installed
machine powerless 1000 one
ask powerless build test
same powerless/said 'Packages are missing. As root:
  apt-get update && apt-get install -y --no-install-recommends two three
exit 2'
[ ! -s powerless/calls ]

machine mighty 0 one
ask mighty build
same mighty/said 'installing: two
exit 0'
same mighty/calls '-q -o Acquire::Retries=3 update
-q -o Acquire::Retries=3 install -y --no-install-recommends two'

ask complete nonsense
same complete/said "packages.sh: no group 'nonsense' in the file packages
exit 2"

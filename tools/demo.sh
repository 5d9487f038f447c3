#!/usr/bin/env bash
# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
#
# demo.sh: from a bare machine to a picture of a model: installs what is missing, builds, and shows each command.
# needs: build page
. "$(dirname "$0")/common.sh"

model=examples/diode-inductor/diode-inductor.hbg
picture=build/demo/diode-inductor

# show COMMAND...: prints a command as one would type it, then runs it
show() {
    printf '\n$ %s\n' "$*"
    "$@"
}

show_main_job() {
    mkdir -p build/demo
    printf '\nA model is a text file, %s:\n\n' "$model"
    sed 's/^/    /' "$model"
    show build/hbg check "$model"
    show build/hbg list "$model"
    show build/hbg draw "$model" -o "$picture.svg"
    show build/hbg draw "$model" -o "$picture.png"
    show build/hbg run "$model" --explain --plot "$picture-run.svg" --plot "$picture-run.png"
    show build/hbg verify "$model"
    printf '\nThe bond graph is in %s.svg, the run in %s-run.svg, both as .png too. Next: make test, or docs/tutorial.md.\n' \
        "$picture" "$picture"
}

phase "install packages" tools/packages.sh build page
tools/build.sh
phase "demo" show_main_job

#!/usr/bin/env bash
# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
#
# bench.sh [NAME...]: runs the benchmarks and writes what they print to docs/bench.md.
#
# Every bench/<name>_bench.c becomes a program linked to all of hbg, optimised; every bench/<name>_bench.sh is a script.
# Each runs in an empty folder with HBG (the released hbg) and HBG_SOURCE_DIR in its environment, in the order
# of the names, one after the other. What it prints is a Markdown section: a heading `## …`, one sentence on what is
# measured and the bar, a table. It fails (exit code not 0) when a bar is missed. No dates: the page changes when the
# numbers do. With names (`tools/bench.sh read`) only those run and the page is left alone.
# needs: build bench
. "$(dirname "$0")/common.sh"

phase "install packages" tools/packages.sh build bench
phase "build" build_tree release build
phase "build benchmarks" build_tree release build bench

top=$PWD
page=$top/build/bench/page.md
mkdir -p build/bench
export HBG=$top/build/hbg HBG_SOURCE_DIR=$top

machine_line() {
    local processor memory
    processor=$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1)
    memory=$(awk '/^MemTotal/ { printf "%.0f", $2 / 1048576 }' /proc/meminfo)
    echo "Machine: ${processor:-$(uname -m)}, $(nproc) cores, $memory GiB; $(gcc --version | head -n 1)."
}

# run_one FILE: the section of one benchmark
run_one() {
    local stem=${1##*/}
    stem=${stem%.*}
    case $1 in
    *.sh) tools/in_scratch.sh "$top/build/bench/scratch/$stem" bash "$top/$1" ;;
    *.c) tools/in_scratch.sh "$top/build/bench/scratch/$stem" "$top/build/bench/$stem" ;;
    esac
}

missed=0
printf '# Benchmarks\n\nWritten by `make bench`. %s\n' "$(machine_line)" >"$page"
for file in bench/*_bench.c bench/*_bench.sh; do
    [ -f "$file" ] || continue
    name=${file##*/}
    name=${name%_bench.*}
    [ $# -eq 0 ] || case " $* " in *" $name "*) ;; *) continue ;; esac
    echo >>"$page"
    phase "bench $name" run_one "$file" | tee -a "$page" || {
        echo "bench $name: it failed, or a bar is missed" >&2
        printf '\n**A bar of this section is missed.**\n' >>"$page"
        missed=1
    }
done
[ $# -gt 0 ] || cp "$page" docs/bench.md
exit "$missed"

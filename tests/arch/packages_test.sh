#!/bin/sh
# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
#
# A fresh machine cannot surprise us: every outside #include and every program that a C file, a script or the Makefile
# calls has an owner (tools/owners), and its package is in a group (packages) that is installed when the file is used.
# A third-party library has one owner folder.
. "$HBG_SOURCE_DIR/tests/arch/arch.sh"
arch=$HBG_SOURCE_DIR/tests/arch

# each of the following prints lines `use FILE GROUPS KIND NAME`, groups joined by commas

headers_used() {
    find src include tests bench -name '*.[ch]' -exec grep -HoE '^[[:space:]]*#[[:space:]]*include[[:space:]]*<[^>]*>' {} + |
        sed 's/^\([^:]*\):.*<\(.*\)>$/\1 \2/' | while read -r file header; do
        case $header in hbg/*) continue ;; esac
        echo "use $file $(groups_of "$file") header $header"
    done
}

# groups_of FILE: what is installed when this file is compiled or run
groups_of() {
    case $1 in
    tests/*_soak.*) echo build,test,soak ;;
    tests/*) echo build,test ;;
    bench/*) echo build,bench ;;
    src/* | include/*) echo build ;;
    *) sed -n 's/^# needs: //p' "$1" | sed 's/ /,/g; s/^$/none/' | grep . || echo none ;;
    esac
}

# a C file that starts a program shows which: as a literal in the call, or first in an array called arguments
programs_started() {
    starters='(execl|execlp|execv|execvp|posix_spawn|posix_spawnp|popen|system|hbg_draw_run)'
    find src tests bench -name '*.c' -exec grep -lE "(^|[^a-z_])$starters\(" {} + | while read -r file; do
        grep -q "^runner  *$file\$" tools/owners && continue
        literals=$(sed 's|/\*.*\*/||; s|//.*||' "$file" | tr '\n' ' ' |
            grep -oE "($starters\([^;\"]*|(arguments|argv)(\[[^]]*\])? = [^;,.\"]*)\"[^\"]*\"" |
            sed 's/"$//; s/.*"//; s/ .*//; s|.*/||')
        [ -n "$literals" ] || echo "$file: cannot see which program this starts: name it in an array called arguments"
        for program in $literals; do echo "use $file $(groups_of "$file") program $program"; done
        # the package a message tells the user to install; a test may make one up
        [ "${file#src/}" = "$file" ] || grep -oE '\.package = "[^"]*"' "$file" | sed 's/"$//; s/.*"//' | while read -r package; do
            echo "use $file $(groups_of "$file") package $package"
        done
    done
}

scripts() {
    { find .ci tools tests bench -type f -name '*.sh'; [ ! -f .ci/run ] || echo .ci/run; } 2>/dev/null | sort
}

programs_called() {
    scripts | while read -r file; do
        awk -f "$arch/shell_commands.awk" "$file" | sort -u | sed "s|^|$file |"
    done >"$scratch/calls"
    if [ -f Makefile ]; then
        sed -n 's/^\t[@+-]*//p' Makefile | sed 's/\$(\([A-Z]*\))/\1/g; s/\$\$/$/g' |
            awk -f "$arch/shell_commands.awk" | sort -u | sed 's|^|Makefile |' >>"$scratch/calls"
    fi
    # a function may live in a file another one reads
    awk '$2 == "function" { own[$3] = 1; next } { line[NR] = $0 }
         END { for (k = 1; k <= NR; k++) { split(line[k], part, " "); if (line[k] != "" && !(part[2] in own)) print line[k] } }' \
        "$scratch/calls" | while read -r file program; do
        echo "use $file $(groups_of "$file") program $program"
    done
}

check_tree() {
    scratch=$PWD
    (
        cd "$1"
        sed 's/#.*//; s/^ *\([a-z]\)/package \1/' packages
        sed 's/#.*//; s/^ *\(header\|program\)/owner \1/' tools/owners
        headers_used
        programs_started
        programs_called
    ) 2>/dev/null | awk '
        $1 == "package" { group[$3] = group[$3] " " $2; next }
        $1 == "owner" { owner[$2, $3] = $4; folder[$2, $3] = $5; next }
        NF == 0 || $1 == "runner" { next }
        $1 != "use" { print; next }
        {
            file = $2; kind = $4; name = $5; package = owner[kind, name]; only = folder[kind, name]
            what = (kind == "header") ? "includes <" name ">" : (kind == "program") ? "calls " name : "names " name
            if (kind == "package") package = name
            if (package == "") print file ": " what ", which has no owner in tools/owners"
            else if (package !~ /^(essential|given|compiler)$/ && !installed(package, $3))
                print file ": " what " of package " package ", which is in no group it needs (" $3 ")"
            if (only != "" && file ~ /^src\// && file !~ ("^src/" only "/"))
                print file ": " what ", which belongs to src/" only
        }
        function installed(package, wanted, count, part, k) {
            count = split(wanted, part, ",")
            for (k = 1; k <= count; k++) if (index(group[package] " ", " " part[k] " ")) return 1
            return 0
        }' | sort -u
}

# the owners tell the truth: the package holds a file of that name
check_owners() {
    command -v dpkg >/dev/null || return 0
    sed 's/#.*//' "$HBG_SOURCE_DIR/tools/owners" | while read -r kind name package _; do
        case $kind:$package in runner:* | :* | *:essential | *:given | *:compiler) continue ;; esac
        dpkg -L "$package" >contents 2>/dev/null || continue # not installed here
        case $kind in
        header) grep -q "/include/.*$name\$" contents || echo "tools/owners: $package has no $name" ;;
        program) grep -q "bin/$name\$" contents || echo "tools/owners: $package has no $name" ;;
        esac
    done
}

accept "$HBG_SOURCE_DIR"
lies=$(check_owners)
[ -z "$lies" ] || { echo "$lies" >&2; exit 1; }

# tree NAME: a small good tree to be broken
tree() {
    put "$1/packages" 'build libjansson-dev' 'build graphviz # why' 'test clang'
    put "$1/tools/owners" 'header stdio.h libc6-dev' 'header jansson.h libjansson-dev api' 'header string.h compiler' \
        'program dot graphviz' 'program clang clang' 'program sed essential' 'runner src/draw/process.c'
    put "$1/src/api/json.c" '#include <jansson.h>' '#include <string.h>'
    put "$1/src/draw/process.c" 'posix_spawnp(&pid, command->arguments[0], 0, 0);'
    put "$1/src/draw/dot.c" 'const char *const arguments[] = {"dot", "-Tplain", 0};' 'hbg_draw_run(arguments);'
    put "$1/tools/build.sh" '# needs: build' 'build() { dot "$(sed p)"; }' 'build && echo done'
}

tree good
accept good
tree strange && put strange/src/api/json.c '#include <curl.h>'
reject strange 'src/api/json.c: includes <curl.h>, which has no owner'
tree unlisted && put unlisted/src/api/json.c '#include <stdio.h>'
reject unlisted 'includes <stdio.h> of package libc6-dev, which is in no group it needs (build)'
tree stolen && put stolen/src/lang/json.c '#include <jansson.h>'
reject stolen 'includes <jansson.h>, which belongs to src/api'
tree spawn && put spawn/src/draw/dot.c 'execlp("neato", "neato", 0);'
reject spawn 'src/draw/dot.c: calls neato, which has no owner'
tree hidden && put hidden/src/draw/dot.c 'hbg_draw_run(whatever);'
reject hidden 'cannot see which program this starts'
tree message && put message/src/draw/dot.c 'execlp("dot", 0);' 'x = {.package = "grapviz"};'
reject message 'names grapviz of package grapviz, which is in no group'
tree script && put script/tools/build.sh '# needs: build' 'x=$(if true; then jq . "$y" | sed p; fi)'
reject script 'tools/build.sh: calls jq, which has no owner'
tree group && put group/tools/build.sh '# needs: build' 'phase "fuzz" clang -c x.c'
reject group 'calls clang of package clang, which is in no group it needs (build)'
tree door
printf 'all:\n\t@curl x | sed p\n' >door/Makefile
reject door 'Makefile: calls curl, which has no owner'

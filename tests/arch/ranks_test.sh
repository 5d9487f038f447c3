#!/bin/sh
# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
#
# A file includes headers of lower ranks only; equal ranks never include each other. A folder shows one header,
# src/x/x.h (the run-time more, see arch.sh); the others end in _impl.h and are refused from elsewhere. The command and the studio see the public
# headers only, the run-time sees nothing but itself.
. "$HBG_SOURCE_DIR/tests/arch/arch.sh"

ranks='base 0  rt 0  graph 1  draw 1  sim 1  fmu 1  model 2  lang 3  causal 3  term 3  eqn 4  code 5  verify 5  emit 6  fault 6  api 7
       studio 8  tool 9'

check_tree() {
    (
        cd "$1"
        find src include -name '*.[ch]' | sort | sed 's/^/file /'
        find src include -name '*.[ch]' -exec grep -HE '^[[:space:]]*#[[:space:]]*include' {} + | sed 's/^/line /'
    ) | awk -v ranks="$ranks" -v more="$more_visible_headers" '
        BEGIN {
            count = split(ranks, word, " "); for (i = 1; i < count; i += 2) rank[word[i]] = word[i + 1]
            count = split(more, word, " "); for (i = 1; i <= count; i++) visible[word[i]] = 1
        }
        function problem(text) { print path ": " text }
        # the folder of a path: src/x/… gives x, include/hbg/… gives hbg
        function folder_of(file) { sub(/^(src|include)\//, "", file); sub(/\/.*/, "", file); return file }

        $1 == "file" {
            path = $2; folder = folder_of(path)
            if (path ~ /^src/ && !(folder in rank)) problem("the folder " folder " has no rank")
            if (path ~ /^src.*\.h$/ && path !~ /_impl\.h$/ && path != "src/" folder "/" folder ".h" && !(substr(path, 5) in visible))
                problem("a folder shows one header, " folder ".h; the name of another ends in _impl.h")
            next
        }
        {
            sub(/^line /, ""); path = $0; sub(/:.*/, "", path); folder = folder_of(path)
            sub(/^[^:]*:[^"<]*/, ""); quoted = /^"/; sub(/^["<]/, ""); sub(/[">].*/, ""); wanted = $0; from = folder_of(wanted)
            if (!quoted && from != "hbg") next                                  # an outside header
            if (wanted !~ /^[a-z]+\/[a-z0-9_]+\.h$/) { problem("include \"" wanted "\" is not of the form \"folder/file.h\""); next }
            if (from == folder) next
            if (folder == "hbg") { problem("a public header includes \"" wanted "\""); next }
            if (from == "hbg") {
                if (folder == "rt") problem("the run-time includes \"" wanted "\"")
                else if (folder == "lang" && wanted == "hbg/service.h") next    # the questions it answers
                else if (folder == "lang" && wanted == "hbg/policy.h") next     # limits of a tolerance
                else if (wanted != "hbg/status.h" && folder !~ /^(base|api|studio|tool)$/)
                    problem("\"" wanted "\" is not for this folder")
                next
            }
            if (!(from in rank)) { problem("\"" wanted "\" is in no folder that has a rank"); next }
            if (wanted != from "/" from ".h" && !(wanted in visible)) problem("\"" wanted "\" is private to its folder")
            if (folder ~ /^(studio|tool)$/) problem("\"" wanted "\": only public headers here")
            else if (rank[from] >= rank[folder])
                problem("\"" wanted "\" has rank " rank[from] ", this folder has rank " rank[folder])
        }'
}

accept "$HBG_SOURCE_DIR"

# one_include TREE FILE INCLUDE: a tree with a single file and a single include in it
one_include() {
    put "$1/$2" "#include $3"
    mkdir -p "$1/include"
}

one_include good src/model/build.c '"base/base.h"'
accept good
one_include shown src/sim/run.c '"rt/engine.h"'
accept shown
one_include upwards src/model/build.c '"lang/lang.h"'
reject upwards 'src/model/build.c: "lang/lang.h" has rank 3, this folder has rank 2'
one_include sideways src/code/c.c '"verify/verify.h"'
reject sideways 'has rank 5, this folder has rank 5'
one_include ground src/base/arena.c '"rt/rt.h"'
reject ground 'has rank 0, this folder has rank 0'
one_include private src/lang/parser.c '"model/kinds_impl.h"'
reject private '"model/kinds_impl.h" is private to its folder'
one_include second src/model/extra.h '<stdio.h>'
reject second 'a folder shows one header'
one_include hidden src/sim/run.c '"rt/roots_impl.h"'
reject hidden '"rt/roots_impl.h" is private to its folder'
one_include unknown src/misc/misc.h '<stdio.h>'
reject unknown 'the folder misc has no rank'
one_include inside src/tool/check.c '"model/model.h"'
reject inside 'only public headers here'
one_include public src/lang/parser.c '"hbg/hbg.h"'
reject public '"hbg/hbg.h" is not for this folder'
one_include angle src/lang/parser.c '<hbg/hbg.h>'
reject angle '"hbg/hbg.h" is not for this folder'
one_include runtime src/rt/loop.c '"hbg/status.h"'
reject runtime 'the run-time includes'
one_include short src/lang/parser.c '"lexer_impl.h"'
reject short 'is not of the form'
one_include outwards include/hbg/hbg.h '"base/base.h"'
mkdir -p outwards/src
reject outwards 'a public header includes "base/base.h"'

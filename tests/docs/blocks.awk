# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
#
# blocks.awk: takes the code blocks out of a Markdown page, for examples_test.sh. Writes each into FOLDER (-v folder=)
# and prints, in the order of the page, what to do with it: what, line, file, and the code expected or the name to get.
#
#   ```hbg                    a file: `hbg check` passes it without a warning
#   ```hbg NAME.hbg           the same, and the commands that follow find it under this name
#   ```hbg fragment           declarations: the same inside a model
#   ```hbg error E0403        a file (or, with `fragment`, declarations) that gives this error, warning or note
#   ```csv NAME.csv           a file for the blocks that follow
#   ```console                lines `$ command`, each followed by what it prints
#
# A comment in the page before a block gives what the reader need not see: `<!-- with: 0 node; -->` goes into the model
# around a fragment, `<!-- above: … -->` in front of the model.

function start_block(    i) {
    count++
    file = folder "/block" count
    what = "check"; name = code = ""; fragment = 0
    for (i = 2; i <= NF; i++) {
        if ($i == "fragment") fragment = 1
        else if ($i == "error" || $i == "warning" || $i == "note") what = "report"
        else if ($i ~ /^[EWN][0-9]+$/) code = $i
        else name = $i
    }
    kind = $1
    if (kind == "console") what = "console"
    else if (kind == "csv") what = "file"
    else if (kind != "hbg") what = ""
    line = NR
    if (what == "") return
    printf "" >file
    if (kind == "hbg" && fragment) printf "%smodel Fragment {\n%s", above, with >file
    if (kind == "console") {
        printf "" >(file ".expected")
        printf "hbg() { \"$HBG\" \"$@\"; }\nstatus=0\n" >file
    }
}

function end_block() {
    if (what == "") return
    if (kind == "hbg" && fragment) print "}" >file
    close(file); close(file ".expected")
    if (name != "") print "file", line, file, name
    if (what != "file") print what, line, (name != "" ? name : file), code
    above = with = ""
}

# a command is shown as it is written, then run with the status of the one before it
function put_command(text,    shown) {
    shown = text
    gsub(/'/, "'\\''", shown)
    print "printf '%s\\n' '" shown "'" >file
    sub(/^\$ /, "", text)
    print "(exit $status); " text "; status=$?" >file
}

inside && /^```/ { inside = 0; end_block(); next }
inside {
    if (what == "") next
    if (kind == "console") {
        if (/^\$ /) put_command($0)
        print >(file ".expected")
    } else print >file
    next
}
/^```/ { sub(/^```/, ""); inside = 1; start_block(); next }
/^<!-- (with|above):/ { hidden = ($2 == "with:") ? "with" : "above"; sub(/^<!-- [a-z]*:/, "") }
hidden != "" {
    ends = sub(/-->.*/, "")
    if (hidden == "with") with = with $0 "\n"; else above = above $0 "\n"
    if (ends) hidden = ""
}

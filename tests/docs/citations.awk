# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
#
# citations.awk: reads docs/semantics.md (-v page=), then the files named, and prints every citation that does not lead where it says.
# Lines of a file are joined before they are searched, because a citation may go over the end of a line.
#
#   semantics, section 4            the form of a citation; also `sections 2 and 5`, `sections 2 and 4 to 6`
#   001, section 4                  a paper, by its number in examples/readme.md
#   docs/language.md                a page, which has to be there (in what is no test; tests make trees with pages of their own)
#   (page: topic)                   in C: docs/page.md has to be there

BEGIN {
    number = "[0-9]+[a-z]?"
    range = number "( to " number ")?"
    list = range "((, " range ")* and " range ")?"
    while ((getline line <page) > 0)
        if (match(line, "^## " number "[.] ")) known[substr(line, 4, RLENGTH - 5)] = 1
    close(page)
}

FNR == 1 { finish(); name = FILENAME; lines = 0; text = "" }

{
    line = $0
    sub(/^[ \t]*([*#]+|\/\/|\/[*])?[ \t]*/, "", line)
    starts[++lines] = length(text) + 1
    text = text line " "
    if (name !~ /(^|\/)tests\// && name !~ /[.]md$/) check_pages($0)
}

END { finish() }

function problem(at, what,    k) {
    for (k = lines; k > 1 && starts[k] > at; k--) continue
    print name ":" k ": " what
}

function is_there(file,    line, found) {
    found = (getline line <file) >= 0
    close(file)
    return found
}

function check_pages(line,    cited) {
    while (match(line, /docs\/[a-z_]+[.]md/)) {
        cited = substr(line, RSTART, RLENGTH)
        if (!is_there(cited)) problem(length(text), "there is no " cited)
        line = substr(line, RSTART + RLENGTH)
    }
    if (name !~ /[.][ch]$/) return
    gsub(/"[^"]*"/, "", line)
    while (match(line, /[(][a-z]+: [a-z ]+[)]/)) {
        cited = substr(line, RSTART + 1, index(substr(line, RSTART), ":") - 2)
        if (!is_there("docs/" cited ".md")) problem(length(text), "there is no page docs/" cited ".md")
        line = substr(line, RSTART + RLENGTH)
    }
}

# Sections of the page, from what stands behind "section" or "sections" at this place; returns the length of the list.
function check_list(at, cited, plural,    numbers, count, k, size) {
    if (!match(cited, "^" list)) return 0
    size = RLENGTH
    cited = substr(cited, 1, size)
    count = split(cited, numbers, /, | and | to /)
    if ((count > 1) != plural) problem(at, "another form than `semantics, section 4` or `semantics, sections 4 and 5`")
    for (k = 1; k <= count; k++)
        if (!(numbers[k] in known)) problem(at, "docs/semantics.md has no section " numbers[k])
    return size
}

# Returns how much of the text was read.
function check_semantics(at, cited,    plural) {
    if (match(cited, /^semantics, sections? [0-9]/)) {
        plural = substr(cited, 19, 1) == "s"
        return 19 + plural + check_list(at, substr(cited, 20 + plural), plural)
    }
    if (cited ~ /^[Ss]emantics[ ,:(]*(sections? |§ ?)?[0-9]/) problem(at, "another form than `semantics, section 4`")
    else if (name !~ /[.]md$/ && cited ~ /^semantics/ && cited !~ /^semantics[.]md/)
        problem(at, "names the semantics without a section")
    return 9
}

function check_section(at, cited, before,    plural) {
    plural = substr(cited, 8, 1) == "s"
    if (before ~ /(^|[^0-9])00[0-4],? $/) return 7
    if (name == page) return 8 + plural + check_list(at, substr(cited, 9 + plural), plural)
    if (name !~ /[.]md$/) problem(at, "a section without its page, such as `semantics, section 4` or `001, section 4`")
    return 7
}

function finish(    done, at, cited) {
    done = 0
    while (match(substr(text, done + 1), /[Ss]emantics|[Ss]ections? [0-9]/)) {
        at = done + RSTART
        cited = substr(text, at)
        done = at - 1 + (cited ~ /^[Ss]em/ ? check_semantics(at, cited) : check_section(at, cited, substr(text, at < 7 ? 1 : at - 6, at < 7 ? at - 1 : 6)))
    }
}

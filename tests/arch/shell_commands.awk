# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
#
# Prints the commands a shell script calls by a plain name, one per line, and `function NAME` for the functions it
# defines. A walk over the characters with a stack of what encloses them: $( ), ( ), `` ` ` ``, " ", ${ } and arrays.
# It knows as much of the shell as our scripts use, not all of it.

BEGIN {
    words("if then else elif do while until ! { } time", transparent)
    words("fi done esac for select in ]] [ [[ . : alias bg break builtin case cd command continue declare disown echo " \
          "eval exec exit export false fg getopts hash help kill let local mapfile popd printf pushd pwd read " \
          "readonly return set shift shopt source test times trap true type typeset ulimit umask unalias unset wait",
          builtin)
    # commands whose arguments hold another command
    words("exec command builtin env sudo nice nohup timeout xargs phase show", wrapper)
    quote = sprintf("%c", 39)
}

{ text = text $0 "\n" }

END {
    size = length(text)
    depth = 0
    open_frame("top", 1)
    for (i = 1; i <= size; i++) step(substr(text, i, 1))
    end_word()
}

function words(list, into, count, parts, k) {
    count = split(list, parts, " ")
    for (k = 1; k <= count; k++) into[parts[k]] = 1
}

# ---- frames: what encloses the text here, and where we stand in its current command ---------------------------------

# position: 0 among arguments, 1 a command may follow, 2 a command may follow after options (of a wrapper)
function open_frame(type, where) {
    depth++
    kind[depth] = type
    position[depth] = where
    word[depth] = ""
    plain[depth] = 1       # the word holds nothing the shell replaces
    target[depth] = 0      # the next word belongs to a redirection
    header[depth] = ""     # inside the head of `for` or `case`
    patterns[depth] = 0    # where patterns of `case` stand
    cases[depth] = 0
}

function close_frame() {
    end_word()
    depth--
    plain[depth] = 0
    word[depth] = word[depth] "?"
}

# ---- characters ---------------------------------------------------------------------------------------------------

function step(c, next_two) {
    next_two = substr(text, i, 2)
    if (kind[depth] == "quote") {
        if (c == "\\") i++
        else if (c == "\"") close_frame()
        else if (c == "$" || c == "`") replacement(c, next_two)
        return
    }
    if (c == "\\") { i++; if (substr(text, i, 1) != "\n") add("?", 0); return }
    if (c == quote) { i += index(substr(text, i + 1), quote); add("?", 0); return }
    if (c == "\"") { add("", 0); open_frame("quote", 0); return }
    if (c == "$" || (c == "`" && kind[depth] != "backtick")) { replacement(c, next_two); return }
    if (c == "`") { close_frame(); return }
    if (kind[depth] == "brace") { if (c == "}") close_frame(); return }
    if (c == "#" && word[depth] == "") { i += index(substr(text, i), "\n") - 2; return }
    if (c == " " || c == "\t") end_word()
    else if (c == "\n") end_line()
    else if (c ~ /[;|&]/) separator(c, next_two)
    else if (c ~ /[<>]/) redirection(c, next_two)
    else if (c == "(") open_paren()
    else if (c == ")") close_paren()
    else add(c, 1)
}

function add(c, is_plain) {
    word[depth] = word[depth] c
    if (!is_plain) plain[depth] = 0
}

function replacement(c, next_two) {
    add("", 0)
    if (substr(text, i, 3) == "$((") { i += index(substr(text, i), "))"); add("?", 0) }
    else if (next_two == "$(") { i++; open_frame("paren", 1) }
    else if (next_two == "${") { i++; open_frame("brace", 0) }
    else if (c == "`") open_frame("backtick", 1)
    else add("?", 0)
}

function open_paren() {
    if (kind[depth] == "array" || header[depth] == "test") { add("(", 0); return }
    if (word[depth] ~ /^[A-Za-z_][A-Za-z_0-9]*\+?=$/) { add("", 0); open_frame("array", 0) }
    else if (word[depth] != "" && substr(text, i, 2) == "()") {
        print "function " word[depth]
        word[depth] = ""
        i++
        position[depth] = 1
    } else if (!patterns[depth]) { end_word(); open_frame("paren", 1) }
}

function close_paren() {
    if (patterns[depth]) { word[depth] = ""; plain[depth] = 1; patterns[depth] = 0; position[depth] = 1 }
    else if (header[depth] == "test") add(")", 0)
    else if (kind[depth] != "top") close_frame()
}

function separator(c, next_two) {
    if (patterns[depth] || header[depth] == "test") { word[depth] = ""; return }
    end_word()
    if (next_two == ";;") { patterns[depth] = 1; i++; return }
    if (next_two == "&>") return
    if (kind[depth] != "array") position[depth] = 1
    header[depth] = ""
}

function end_line() {
    end_word()
    if (kind[depth] != "array" && header[depth] != "case" && header[depth] != "test") {
        position[depth] = 1
        header[depth] = ""
    }
    if (here != "") skip_here_document()
}

function redirection(c, next_two) {
    if (header[depth] == "test") return
    if (plain[depth] && word[depth] ~ /^[0-9]*$/) word[depth] = "" # the number of a stream
    end_word()
    if (substr(text, i, 3) == "<<<") { i += 2; target[depth] = 1 }
    else if (next_two == "<<") { i++; take_here_word() }
    else if (next_two ~ /[<>]\(/) { i++; open_frame("paren", 1) }
    else { if (next_two ~ /[<>][&>|]/) i++; target[depth] = 1 }
}

function take_here_word(rest) {
    rest = substr(text, i + 1)
    match(rest, /^-?[ \t]*["\\]?[A-Za-z_]+/)
    if (RSTART == 0) match(rest, "^-?[ \t]*" quote "[A-Za-z_]+" quote)
    here = substr(rest, RSTART, RLENGTH)
    i += RLENGTH
    if (substr(text, i + 1, 1) == "\"") i++
    gsub(/[^A-Za-z_]/, "", here)
}

function skip_here_document(line, length_of_line) {
    while (i < size) {
        length_of_line = index(substr(text, i + 1), "\n")
        line = substr(text, i + 1, length_of_line - 1)
        i += length_of_line
        sub(/^\t+/, "", line)
        if (line == here) break
    }
    here = ""
}

# ---- words --------------------------------------------------------------------------------------------------------

function end_word(w, is_plain) {
    w = word[depth]
    is_plain = plain[depth]
    word[depth] = ""
    plain[depth] = 1
    if (w == "" && is_plain) return
    if (target[depth]) { target[depth] = 0; return }
    if (header[depth] == "test") { if (w == "]]") header[depth] = ""; return }
    if (patterns[depth]) { if (w == "esac") { patterns[depth] = 0; position[depth] = 0 }; return }
    if (header[depth] == "case") { if (is_plain && w == "in") { header[depth] = ""; patterns[depth] = 1 }; return }
    if (w == "-exec" && kind[depth] != "array") { position[depth] = 1; return }
    if (position[depth] > 0) command_word(w, is_plain)
}

function command_word(w, is_plain) {
    if (w ~ /^[A-Za-z_][A-Za-z_0-9]*\+?=/) return
    if (position[depth] == 2 && (!is_plain || w ~ /^[-0-9%]/)) { if (w == "-v") position[depth] = 0; return }
    if (is_plain && w in transparent) return
    position[depth] = 0
    if (!is_plain) return
    if (w == "case" || w == "for" || w == "select") { header[depth] = w; return }
    if (w == "[[") { header[depth] = "test"; return }
    if (w in wrapper) position[depth] = 2
    if (w in builtin || w ~ /[^A-Za-z_0-9.+-]/) return
    print w
}

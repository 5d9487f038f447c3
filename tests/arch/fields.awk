# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
#
# Counts the fields of every struct in C files and prints: COUNT NAME FILE. A struct inside another one is a struct of
# its own, and one field of the outer one. Fields that a macro makes are not seen: a list of such fields counts as one.

# the text of a line without comments, literals and preprocessor lines
function code(line) {
    if (in_comment) { if (!sub(/^.*\*\//, "", line)) return ""; in_comment = 0 }
    gsub(/\\./, "", line); gsub(/"[^"]*"/, "", line); gsub(/'[^']*'/, "", line)
    gsub(/\/\*[^*]*(\*+[^\/*][^*]*)*\*+\//, " ", line)
    sub(/\/\/.*/, "", line)
    if (sub(/\/\*.*/, "", line)) in_comment = 1
    if (in_directive || line ~ /^[ \t]*#/) { in_directive = line ~ /\\$/; return "" }
    return line
}

function take(token) {
    if (token == "(" || token == "[") { round++; return }
    if (token == ")" || token == "]") { round--; return }
    if (round) return
    if (token == "{") {
        depth++
        is_struct[depth] = tag != ""; fields[depth] = 0; label[depth] = tag; tag = ""; open_field[depth] = 0
    } else if (token == "}") {
        if (is_struct[depth]) { pending = fields[depth]; pending_label = label[depth]; ended = 1 }
        depth--
        open_field[depth] = 1
    } else if (token == ";" || token == ",") {
        finish()
        if (is_struct[depth] && open_field[depth]) fields[depth]++
        if (token == ";") open_field[depth] = 0
    } else {
        # after the brace comes the name of the type or of the field
        if (ended && pending_label == "?") pending_label = token
        open_field[depth] = 1
        if (token == "struct" || token == "union") tag = "?"
        else if (tag == "?" && previous ~ /^(struct|union)$/) tag = token
        else tag = ""
    }
}

function finish() {
    if (ended) print pending, pending_label, FILENAME
    ended = 0
}

FNR == 1 { depth = round = ended = in_comment = in_directive = 0; tag = ""; is_struct[0] = 0 }
{
    line = code($0)
    while (match(line, /[A-Za-z_0-9]+|[][(){};,]/)) {
        token = substr(line, RSTART, RLENGTH)
        line = substr(line, RSTART + RLENGTH)
        take(token)
        previous = token
    }
}

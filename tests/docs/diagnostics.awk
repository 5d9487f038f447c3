# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
#
# diagnostics.awk: makes the table of docs/language.md from src/base/diagnostic_list_impl.h.

BEGIN { print "| code | name | meaning |"; print "|---|---|---|" }
# X(E_FILE, "E0001", HBG_ERROR, "", "a file cannot be read"), perhaps over several lines
{ sub(/\\$/, ""); text = text $0 }
END {
    while (match(text, /X\([EWN]_[A-Z0-9_]+,[^"]*"[EWN][0-9]+"[^"]*"[^"]*"[^"]*"[^"]*"/)) {
        split(substr(text, RSTART, RLENGTH), part, "\"")
        text = substr(text, RSTART + RLENGTH)
        link = "[" part[2] "](diagnostics.md#" tolower(part[2]) ")"
        print "| " link " | " (part[4] != "" ? "`" part[4] "`" : "") " | " part[6] " |"
    }
}

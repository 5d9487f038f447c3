#!/bin/sh
# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
#
# Every promise of the file promises has a test, in which the step that shows it is still there, by words that stand nowhere by chance; and every story is told by the soak and shows something.
set -eu

wrong=0
complain() {
    echo "$*"
    wrong=$((wrong + 1))
}
# shows WHAT FILE WORDS
shows() {
    [ -f "$HBG_SOURCE_DIR/$2" ] || { complain "$1: there is no $2" && return; }
    [ "${#3}" -ge 12 ] || complain "$1: \"$3\" is too short to stand for a step"
    grep -qF -- "$3" "$HBG_SOURCE_DIR/$2" || complain "$1: $2 has no \"$3\""
}
sed -e '/^#/d' -e '/^$/d' "$HBG_SOURCE_DIR/tests/studio/promises" >promised
while IFS='|' read -r what file words; do
    file=${file# } words=${words# }
    shows "${what% }" "${file% }" "$words"
done <promised
[ "$(wc -l <promised)" -ge 100 ] || complain 'the promises were not read'
[ "$(sed 's/ *|.*//' promised | sort | uniq -d | wc -l)" -eq 0 ] || complain "twice: $(sed 's/ *|.*//' promised | sort | uniq -d)"
for story in "$HBG_SOURCE_DIR"/tests/studio/stories/*.mjs; do
    name=${story##*/}
    name=${name%.mjs}
    [ "$name" = pictures ] && continue
    grep -qE "^stories .*\\b$name\\b" "$HBG_SOURCE_DIR/tests/studio/stories_soak.sh" || complain "the story $name is not told"
    grep -q "stories/$name.mjs" promised || complain "the story $name shows nothing"
done
[ "$wrong" -eq 0 ] || exit 1

# it sees what is missing
shows 'nothing' tests/studio/nothing.mjs 'no such words' >said
shows 'a step' tests/studio/client.mjs 'no such words' >>said
shows 'a word' tests/studio/client.mjs import >>said
[ "$(wc -l <said)" -eq 3 ] || { echo 'what is missing is not seen:' && cat said && exit 1; }

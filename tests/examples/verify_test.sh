#!/bin/sh
# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
#
# The switching of every example is proved consistent, or its readme says under "Verification" why it is not, or why that is
# not decided. Where it is proved the weaker condition, a real mode for every distribution of energy, is so too. Rods at any angle, and batteries with exponentials, are left alone here: they take their time.
. "$HBG_SOURCE_DIR/tests/tool/tool.sh"

for model in "$HBG_SOURCE_DIR"/examples/*/*.hbg; do
    grep -q 'automaton\|import' "$model" || continue
    case $model in */falling-rod.hbg | */rod-*.hbg | */adapt-*.hbg) continue ;; esac
    code=0
    set -- verify "$model" -I "$HBG_SOURCE_DIR/lib"
    timeout 100 "$HBG" "$@" >out 2>err || code=$?
    case $code in
    0)
        timeout 100 "$HBG" "$@" --json >out 2>err || fail "$model: as JSON the answer is another"
        if grep '"real_mode"' out | grep -qv '"proved"'; then fail "$model: proved, but not that a mode is real"; fi
        ;;
    1 | 4) grep -q '^## Verification' "${model%/*}/readme.md" || fail "$model: $(head -n 1 out), and its readme does not say why" ;;
    *) fail "$model: exit code $code: $(cat err)" ;;
    esac
done

finish

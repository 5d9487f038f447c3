#!/bin/sh
# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
#
# The manual page and the completions name every command and option that the help names and bash completes by
# them; pages_soak.sh tests the other shells.
# needs: test
. "$HBG_SOURCE_DIR/tests/tool/tool.sh"

for topic in man bash zsh fish; do
    run 0 help $topic
    silent err
    mv out $topic
done

# the lists of the help, command by command
run 0 help
commands=$(sed -n 's/^  \([a-z]*\) .*/\1/p' out | grep -v '^help$')
[ "$(echo "$commands" | wc -l)" -gt 10 ] || fail 'the help lists no commands'
for command in $commands; do
    run 0 help "$command"
    names=$(sed -n 's/^  ..  *--\([a-z-]*\).*/\1/p' out | grep -v '^help$') || true
    grep -q "^\.SS hbg $command" man || fail "man: no section on $command"
    sed "/^\.SS hbg $command /,/^\.S/!d" man >section
    sed -n "s/^    $command) names='\(.*\)' ;;\$/ \1/p" bash >words
    [ -s words ] || fail "bash: nothing for $command"
    sed "/^    $command)\$/,/;;\$/!d" zsh >specs
    for name in $names; do
        grep -q -- "\\\\-\\\\-$(echo "$name" | sed 's/-/\\\\-/g')\\\\fR" section || fail "man, $command: no --$name"
        grep -q -- " --$name " words || fail "bash, $command: no --$name"
        grep -q -- "'\*--${name}[=[]" specs || fail "zsh, $command: no --$name"
        grep -q "__fish_seen_subcommand_from.* ${command}[ '].* -l $name" fish || fail "fish, $command: no --$name"
    done
done

# complete WORD...: completions of bash for the last word
complete_words() {
    bash -c '. ./bash; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _hbg; echo "${COMPREPLY[*]}"' bash "$@"
}
[ "$(complete_words hbg ver)" = verify ] || fail 'bash does not complete a command'
[ "$(complete_words hbg run --ze)" = --zeno ] || fail 'bash does not complete an option'
[ "$(complete_words hbg run --zeno '')" = 'stop rest' ] || fail 'bash does not complete a value'
# words that are explained in the help are all in it
for option in 'run --solver' 'sweep --engine' 'plot --as' 'hypa --reading' 'sweep --plan'; do
    words=$(complete_words hbg "${option%% *}" "${option#* }" '')
    run 0 help "${option%% *}"
    sed -n "/ ${option#* } /p" out >line
    [ -n "$words" ] || fail "bash offers nothing for $option"
    for word in $words; do grep -qw "$word" line || fail "$word is not in the help of $option"; done
done
[ "$(complete_words hbg run --solver e)" = 'erk euler' ] || fail 'bash does not complete a solver'
grep -q "l solver.*-a 'auto bdf" fish && grep -q 'solver.*:value:(auto bdf' zsh || fail 'fish and zsh do not complete a solver'
[ "$(complete_words hbg fmt --ze)" = '' ] || fail 'bash offers an option of another command'
finish

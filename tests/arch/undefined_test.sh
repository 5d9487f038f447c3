#!/bin/sh
# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
#
# Tests run where undefined behaviour is noticed: what is compiled as hbg is here ends with the exit code of a finding, and with the line.
# needs: test
. "$HBG_SOURCE_DIR/tests/tool/tool.sh"

grep -q '^HBG_SANITIZE:.*undefined' "$HBG_BUILD_DIR/CMakeCache.txt" || { echo 'skipped: nothing undefined is looked for in this build'; exit 0; }
cat >undefined.c <<'END'
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static int values[4] = {1, 2, 3, 4};

int main(int count, char **arguments) {
    volatile int kind = atoi(arguments[1]), zero = count - 2, most = INT_MAX;
    char *volatile bytes = (char *)values, *volatile nothing = NULL;
    int *volatile odd;
    switch (kind) {
    case 1: return most + kind;
    case 2: return kind << (40 + zero);
    case 3: return kind / zero;
    case 4: return values[4 + zero];
    case 5: odd = (int *)(bytes + 1); return *odd;
    case 6: return *(int *)nothing;
    case 7: memset(&kind, 7, 1); bytes[0] = 7; return *(bool *)bytes;
    case 8: if (zero == 0) __builtin_unreachable(); return 0;
    default: return 0;
    }
}
END
flags=$(ninja -C "$HBG_BUILD_DIR" -t commands libhbg.a | grep -- '-c .*/src/base/arena\.c$' | tr ' ' '\n' |
    grep -E '^-(f|O|g|std)' | tr '\n' ' ')
# shellcheck disable=SC2086 # flags, one per word
gcc $flags -no-pie -w undefined.c -o undefined -fsanitize=address,undefined || fail "it does not compile with $flags"
./undefined 0 || fail 'what is defined is refused'
for kind in 1 2 3 4 5 6 7 8; do
    code=0
    ./undefined $kind >said 2>&1 || code=$?
    [ "$code" = 99 ] || { fail "kind $kind: exit code $code"; cat said >&2; }
    says said "undefined.c:$(grep -n "case $kind:" undefined.c | sed 's/:.*//')"
done
finish

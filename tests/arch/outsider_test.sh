#!/bin/sh
# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
#
# The door is enough: a program in C11 that has src/rt and nothing else, and of that includes rt.h alone, runs an image with the C library
# and its mathematics, and its rows have the bits that `hbg run` writes.
# needs: test
. "$HBG_SOURCE_DIR/tests/tool/tool.sh"

cat >outsider.c <<'END'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rt/rt.h"

static void *allocate(void *context, size_t size) {
    (void)context;
    return calloc(1, size);
}

static void release(void *context, void *block, size_t size) {
    (void)context, (void)size;
    free(block);
}

typedef struct {
    FILE *file; /* what hbg has written */
    int outputs, rows;
} expected;

/* A row is the next line of the file, number by number. */
static bool compare(void *context, double t, const double *outputs) {
    expected *of = context;
    char line[4096], *at = line;
    if (!fgets(line, sizeof line, of->file)) return false;
    for (int i = -1; i < of->outputs; i++, at++) {
        double value = i < 0 ? t : outputs[i], written = strtod(at, &at);
        if (memcmp(&value, &written, sizeof value) != 0) return false;
    }
    of->rows++;
    return true;
}

/* outsider IMAGE CSV STOP: how many rows were compared */
int main(int count, char **arguments) {
    static char bytes[1 << 20], reason[200], head[4096];
    hbg_rt_memory memory = {NULL, allocate, release};
    hbg_rt_loaded *image;
    hbg_rt_run *run;
    if (count != 4) return 2;
    FILE *file = fopen(arguments[1], "rb");
    size_t size = file ? fread(bytes, 1, sizeof bytes, file) : 0;
    if (hbg_rt_image_read(bytes, size, memory, &image, reason, sizeof reason) != HBG_RT_OK) {
        fprintf(stderr, "%s\n", reason);
        return 2;
    }
    expected rows = {fopen(arguments[2], "r"), hbg_rt_loaded_description(image)->output_count, 0};
    if (!rows.file || !fgets(head, sizeof head, rows.file)) return 2;
    hbg_rt_options options = {.memory = memory, .stop = strtod(arguments[3], NULL), .row = compare, .row_context = &rows};
    hbg_rt_status status = hbg_rt_run_new(image, &options, &run);
    if (status != HBG_RT_OK) return 2;
    status = hbg_rt_run_start(run);
    if (status == HBG_RT_OK) status = hbg_rt_run_advance(run, options.stop);
    status = hbg_rt_run_finish(run, status);
    if (status != HBG_RT_OK) fprintf(stderr, "row %d: %s: %s\n", rows.rows + 1, hbg_rt_status_text(status), hbg_rt_run_failed(run)->text);
    if (fgets(head, sizeof head, rows.file)) status = HBG_RT_CANNOT_WRITE; /* hbg has more */
    hbg_rt_run_free(run);
    hbg_rt_loaded_free(image);
    fclose(rows.file);
    fclose(file);
    printf("%d rows\n", rows.rows);
    return status != HBG_RT_OK;
}
END
mkdir -p alone
cp -r "$HBG_SOURCE_DIR/src/rt" alone/rt
# not optimised, since that takes minutes: the bits do not depend on it
"${CC:-cc}" -std=c11 -pedantic -Wall -Wextra -Werror -ffp-contract=off -Ialone -o outsider outsider.c alone/rt/*.c -lm || fail 'it cannot be built'

# reads NAME STOP [OPTION...]: an example, which nothing acts on from outside
reads() {
    name=$1 stop=$2
    shift 2
    optimised # what hbg computes is for other tests
    run 0 compile "$HBG_SOURCE_DIR/examples/$name/$name.hbg" --solver erk --stop "$stop" "$@" -o "$name.hbi"
    run 0 run "$name.hbi" -q -o "$name.csv" --engine interpreter
    ./outsider "$name.hbi" "$name.csv" "$stop" >told 2>&1 || { fail "$name"; cat told >&2; }
    says told "$(($(wc -l <"$name.csv") - 1)) rows"
}
reads bridge-rectifier 0.05
reads ball-elastic 1
reads rlc 1

# it is the numbers that are compared, and all of them
awk -F , -v OFS=, 'NR == 3 { $NF += 1e-9 } { print }' rlc.csv >other.csv
! ./outsider rlc.hbi other.csv 1 >told 2>&1 || fail 'other numbers are not noticed'
head -n 5 rlc.csv >other.csv
! ./outsider rlc.hbi other.csv 1 >told 2>&1 || fail 'missing rows are not noticed'
head -c 3000 rlc.hbi >cut.hbi
! ./outsider cut.hbi rlc.csv 1 >told 2>&1 || fail 'a cut image is run'
says told 'cut off'
finish

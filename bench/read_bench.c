/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * How long it takes to read, elaborate and check a model, and how much memory that takes, as models grow.
 *
 * The unit of all models is a cell of ten elements with a bond each, a switch with its automaton, parameters
 * with units and a guard over two observables; cells follow one another in a chain. The flat models write
 * every cell out. The nested ones declare it once as a component and build tens of tens of it. Texts are made
 * beforehand; what is timed is hbg_load_text, in a session of its own, the best of several runs. Counted in
 * instructions (callgrind) growth is 1.00; what time adds to that are the misses of larger tables. */
#include <malloc.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "hbg/hbg.h"

#define CELL_ELEMENTS  10
#define RATE_BAR       1e5  /* elements per second */
#define MEMORY_BAR     1024 /* bytes per element */
#define GROWTH_BAR     1.25 /* exponent of time and memory over size; 1 is linear */
#define SECONDS_A_SIZE 1.5  /* runs are repeated for about so long */
#define RUNS_AT_LEAST  5

static const int sizes[] = {1000, 10000, 100000}; /* elements */
#define SIZES ((int)(sizeof sizes / sizeof *sizes))

typedef struct {
    char *data;
    size_t size, capacity;
} text;

typedef struct {
    double seconds; /* of the best run */
    double bytes;   /* peak of the session */
} result;

static void fail(const char *what) {
    fprintf(stderr, "read_bench: %s\n", what);
    exit(1);
}

/* ---- texts -------------------------------------------------------------------------------------------- */

__attribute__((format(printf, 2, 3))) static void put(text *out, const char *format, ...) {
    va_list arguments;
    if (out->capacity - out->size < 4096) {
        out->capacity = 2 * out->capacity + 8192;
        out->data = realloc(out->data, out->capacity);
        if (!out->data) fail("out of memory");
    }
    va_start(arguments, format);
    out->size += (size_t)vsnprintf(out->data + out->size, out->capacity - out->size, format, arguments);
    va_end(arguments);
}

/* The elements of one cell, every name with `tag` behind it. Power comes in at `line`, goes out at `out`. */
static void put_cell(text *out, const char *tag) {
    put(out, "    1 line%s when gate%s;\n    R series%s(R1);\n    I coil%s(L1, p = 0 [Wb]);\n", tag, tag, tag,
        tag);
    put(out, "    0 node%s;\n    C store%s(C1);\n    1 branch%s;\n    R load%s(2*R1);\n", tag, tag, tag, tag);
    put(out, "    Se drop%s(-Vd);\n    1 out%s;\n    R wire%s(10 [mOhm]);\n", tag, tag, tag);
    put(out, "    line%s -> node%s -> out%s;\n    line%s -> series%s;\n    line%s -> coil%s;\n", tag, tag,
        tag, tag, tag, tag, tag);
    put(out, "    node%s -> store%s;\n    node%s -> branch%s -> load%s;\n    drop%s -> branch%s;\n", tag, tag,
        tag, tag, tag, tag, tag);
    put(out, "    out%s -> wire%s;\n", tag, tag);
    put(out, "    automaton gate%s {\n        off open -> closed when node%s.e < Vd;\n", tag, tag);
    put(out, "        on closed -> open when line%s.f < 0 [A] || node%s.e > 20*Vd;\n    }\n", tag, tag);
}

static void put_parameters(text *out) {
    put(out, "    param R1 = 330 [Ohm], L1 = 5 [mH], C1 = 10 [uF], Vd = 0.6 [V];\n");
}

static void put_ends(text *out, const char *first, const char *last) {
    put(out, "    Se supply(12 [V]);\n    R rest(100 [Ohm]);\n    supply -> %s;\n    %s -> rest;\n}\n", first,
        last);
}

static void put_flat(text *out, int cells) {
    char tag[16], before[32], last[32];
    put(out, "model Flat {\n");
    put_parameters(out);
    for (int i = 0; i < cells; i++) {
        snprintf(tag, sizeof tag, "_%d", i);
        put_cell(out, tag);
        snprintf(before, sizeof before, "out_%d", i - 1);
        if (i > 0) put(out, "    %s -> line%s;\n", before, tag);
    }
    snprintf(last, sizeof last, "out_%d", cells - 1);
    put_ends(out, "line_0", last);
}

/* A chain of ten `part`s called p0 to p9. */
static void put_chain(text *out, const char *part) {
    for (int i = 0; i < 10; i++) put(out, "    %s p%d;\n", part, i);
    for (int i = 0; i < 9; i++) put(out, "    p%d.b -> p%d.a;\n", i, i + 1);
}

/* Ten of ten of … ten cells. */
static void put_nested(text *out, int cells) {
    char part[16] = "Cell", next[16];
    put(out, "component Cell {\n    port a : electrical;\n    port b : electrical;\n");
    put_parameters(out);
    put_cell(out, "");
    put(out, "    a -> line;\n    out -> b;\n}\n");
    int level = 1;
    for (int count = 10; count < cells; count *= 10, level++) {
        snprintf(next, sizeof next, "Level%d", level);
        put(out, "component %s {\n    port a : electrical;\n    port b : electrical;\n", next);
        put_chain(out, part);
        put(out, "    a -> p0.a;\n    p9.b -> b;\n}\n");
        strcpy(part, next);
    }
    put(out, "model Nested {\n");
    put_chain(out, part);
    put_ends(out, "p0.a", "p9.b");
}

/* ---- measuring ---------------------------------------------------------------------------------------- */

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* One run; the peak of its session's memory goes to *bytes. */
static double load(const text *source, double *bytes) {
    hbg_session *session;
    hbg_model *model;
    if (hbg_session_new(NULL, &session) != HBG_OK) fail("no session");
    double start = now();
    hbg_status status = hbg_load_text(session, "bench.hbg", source->data, source->size, NULL, &model);
    double seconds = now() - start;
    if (status != HBG_OK || hbg_warning_count(session) > 0) {
        hbg_text report;
        if (hbg_diagnostics_text(session, false, &report) == HBG_OK) fprintf(stderr, "%.4000s", report.data);
        fail("the model is not as it should be");
    }
    *bytes = (double)hbg_session_peak_memory(session);
    hbg_session_free(session);
    return seconds;
}

static result measure(const text *source) {
    result best = {.seconds = INFINITY};
    double end = now() + SECONDS_A_SIZE;
    for (int run = 0; run < RUNS_AT_LEAST || now() < end; run++) {
        double seconds = load(source, &best.bytes);
        if (seconds < best.seconds) best.seconds = seconds;
    }
    return best;
}

/* d log y / d log x between two sizes */
static double slope(double y1, double y2, int x1, int x2) {
    return log(y2 / y1) / log((double)x2 / x1);
}

/* Prints the rows of one kind of model; false if a bar is missed. */
static bool bench(const char *kind, void (*make)(text *out, int cells)) {
    result results[SIZES];
    bool met = true;
    for (int i = 0; i < SIZES; i++) {
        text source = {0};
        make(&source, sizes[i] / CELL_ELEMENTS);
        result r = results[i] = measure(&source);
        free(source.data);
        int elements = sizes[i] + 2; // supply and rest
        double rate = elements / r.seconds, each = r.bytes / elements;
        printf("| %s | %d | %.4f | %.2f million | %.0f |", kind, elements, r.seconds, rate / 1e6, each);
        if (i > 0)
            printf(" %.2f | %.2f |\n", slope(results[i - 1].seconds, r.seconds, sizes[i - 1], sizes[i]),
                   slope(results[i - 1].bytes, r.bytes, sizes[i - 1], sizes[i]));
        else
            printf(" | |\n");
        met = met && rate >= RATE_BAR && each < MEMORY_BAR;
    }
    double time_growth = slope(results[0].seconds, results[SIZES - 1].seconds, sizes[0], sizes[SIZES - 1]);
    double byte_growth = slope(results[0].bytes, results[SIZES - 1].bytes, sizes[0], sizes[SIZES - 1]);
    return met && time_growth <= GROWTH_BAR && byte_growth <= GROWTH_BAR;
}

int main(void) {
    // the heap stays with the process between runs, so that small and large models are measured alike
    mallopt(M_MMAP_THRESHOLD, 32 << 20);
    mallopt(M_TRIM_THRESHOLD, 1 << 30);
    printf(
        "## Reading models\n\n"
        "Text of a model to a checked flat model: processor time of the best run, and peak of all memory "
        "held,\n"
        "source and syntax trees included. A bond comes with every element, an automaton with every ten.\n"
        "Growth is the exponent between a size and the one before: 1 is linear, caches account for the "
        "rest.\n"
        "Bars: 10^5 elements per second, 1024 bytes per element, growth from the smallest to the largest at\n"
        "most %.2f.\n\n",
        GROWTH_BAR);
    printf("| model | elements | seconds | elements per second | bytes per element | growth of time | growth "
           "of memory |\n|---|--:|--:|--:|--:|--:|--:|\n");
    bool flat = bench("flat", put_flat), nested = bench("nested components", put_nested);
    return flat && nested ? 0 : 1;
}

/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * What a mode change costs as models grow, against assigning causality from nothing, and what the offline analysis
 * costs.
 *
 *   bank        Circuits of 001, Fig. 3, side by side, each with a relay and a breaker: a change touches one of them,
 *               and its four local modes are remembered.
 *   ladder      Resistors in series and to ground with a relay in each rung: one region as large as the model, but for
 *               the smallest too large to be remembered, so that every change is a search.
 *   doubled     Nodes with two capacitors each, one of which is dependent in every mode, and a relay between each
 *               two: one region again, full of storages that would like to be integral.
 *   islands     A ladder without ground, two relays of three open: parts between open relays float.
 *
 * A change at one spot switches eight relays in the middle of the model in turn, so that memory is not what is
 * measured; a change anywhere takes any relay, and pays for reaching it. */
#include <malloc.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "api/api_impl.h"
#include "causal/causal.h"

#define FLAT_BAR    0.10 /* exponent of a change at one spot over size; 0 is flat */
#define GROWTH_BAR  1.25 /* exponent of the offline analysis; 1 is linear */
#define RATIO_BAR   1000 /* full assignment over one change, at RATIO_SIZE bonds */
#define RATIO_SIZE  100000
#define SPOT        8
#define SECONDS_ROW 0.25 /* each number is measured for about so long */

static const int sizes[] = {1000, 10000, 100000, 1000000}; /* bonds */
#define SIZES ((int)(sizeof sizes / sizeof *sizes))

static void fail(const char *what) {
    fprintf(stderr, "causality_bench: %s\n", what);
    exit(1);
}

/* ---- texts -------------------------------------------------------------------------------------------- */

typedef struct {
    char *data;
    size_t size, capacity;
} text;

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

static void put_relay(text *out, char letter, int i, bool on) {
    put(out, "automaton %c%d { %s n -> f when false; %s f -> n when false; }\n", letter, i, on ? "on" : "off",
        on ? "off" : "on");
}

static void put_bank(text *out, int i) { /* 11 bonds */
    put_relay(out, 'p', i, true);
    put_relay(out, 'q', i, true);
    put(out, "Se v%d(1); I l%d(1); I m%d(1); C c%d(1); C d%d(1); R r%d(1); R s%d(1);\n", i, i, i, i, i, i, i);
    put(out, "1 ja%d when p%d; 0 jb%d; 1 jc%d; 0 jd%d; 1 je%d when q%d;\n", i, i, i, i, i, i, i);
    put(out, "v%d -> ja%d; ja%d -> jb%d; jb%d -> l%d; jb%d -> jc%d; jc%d -> r%d; jc%d -> c%d;\n", i, i, i, i,
        i, i, i, i, i, i, i, i);
    put(out, "jc%d -> jd%d; jd%d -> m%d; jd%d -> je%d; je%d -> s%d; je%d -> d%d;\n", i, i, i, i, i, i, i, i,
        i, i);
}

/* A rung: node n<i>, then a relay to n<i+1>. */
static void put_rung(text *out, int i, bool on) {
    put_relay(out, 'p', i, on);
    put(out, "0 n%d; 1 j%d when p%d; R r%d(1); j%d -> r%d; n%d -> j%d;\n", i, i, i, i, i, i, i, i);
    if (i > 0) put(out, "j%d -> n%d;\n", i - 1, i);
}

static void put_ladder(text *out, int i) { /* 5 bonds */
    put_rung(out, i, true);
    put(out, "R g%d(1); n%d -> g%d; R h%d(1); j%d -> h%d;\n", i, i, i, i, i, i);
}

static void put_doubled(text *out, int i) { /* 5 bonds */
    put_rung(out, i, true);
    put(out, "C c%d(1); C d%d(1); n%d -> c%d; n%d -> d%d;\n", i, i, i, i, i, i);
}

static void put_island(text *out, int i) { /* 3 bonds */
    put_rung(out, i, i % 3 == 0);
}

typedef struct {
    const char *name;
    void (*put)(text *out, int i);
    int bonds; /* of a cell */
    bool joined;
} kind;

static const kind kinds[] = {{"bank", put_bank, 11, false},
                             {"ladder", put_ladder, 5, true},
                             {"doubled", put_doubled, 5, true},
                             {"islands", put_island, 3, true}};
#define KINDS ((int)(sizeof kinds / sizeof *kinds))

/* ---- models ------------------------------------------------------------------------------------------- */

typedef struct {
    hbg_session *session;
    const hbg_model *model;
    hbg_arena arena;
    hbg_causal_structure *structure;
    hbg_causal_assignment *assignment;
    bool *on;
    int32_t *relays; /* places that switch */
    int32_t relay_count;
} bench;

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static void open_bench(bench *b, const kind *k, int bonds) {
    text source = {0};
    hbg_model *model;
    put(&source, "model M {\n");
    for (int i = 0; i < bonds / k->bonds; i++) k->put(&source, i);
    if (k->joined) put(&source, "Se v(1); 1 feed; R rf(1); v -> feed; feed -> rf; feed -> n0;\n");
    put(&source, "}\n");
    if (hbg_session_new(NULL, &b->session) != HBG_OK) fail("no session");
    if (hbg_load_text(b->session, "bench.hbg", source.data, source.size, NULL, &model) != HBG_OK)
        fail("the model is not as it should be");
    free(source.data);
    b->model = model;
    hbg_base_arena_init(&b->arena, &b->session->memory);
    b->structure = hbg_causal_structure_new(&b->arena, model, NULL);
    b->assignment = hbg_causal_assignment_new(&b->arena, b->structure);
    int32_t places = b->structure->place_count;
    int32_t *states = HBG_NEW_ARRAY(&b->arena, int32_t, model->automata.count + 1);
    b->on = HBG_NEW_ARRAY(&b->arena, bool, places + 1);
    b->relays = HBG_NEW_ARRAY(&b->arena, int32_t, places + 1);
    b->relay_count = 0;
    hbg_causal_mode(&b->arena, b->structure, states, b->on);
    for (int32_t i = 0; i < places; i++)
        if (b->structure->controlled[i]) b->relays[b->relay_count++] = i;
    if (!hbg_causal_assign(b->assignment, b->on)) fail("the start mode is not valid");
}

static void close_bench(bench *b) {
    hbg_base_arena_fini(&b->arena);
    hbg_session_free(b->session);
}

/* ---- measuring ---------------------------------------------------------------------------------------- */

typedef struct {
    double analysis, full, spot, anywhere; /* seconds each */
    bool allocated;                        /* changes at one spot, repeated, allocated something */
} result;

/* The offline analysis, in memory of its own. */
static double measure_analysis(const bench *b) {
    double best = INFINITY;
    for (double end = now() + SECONDS_ROW, start; (start = now()) < end || isinf(best);) {
        hbg_arena arena;
        hbg_base_arena_init(&arena, &b->session->memory);
        hbg_causal_structure_new(&arena, b->model, NULL);
        double seconds = now() - start;
        hbg_base_arena_fini(&arena);
        if (seconds < best) best = seconds;
    }
    return best;
}

static double measure_full(bench *b) {
    double best = INFINITY;
    for (double end = now() + SECONDS_ROW, start; (start = now()) < end || isinf(best);) {
        if (!hbg_causal_assign(b->assignment, b->on)) fail("a mode is not valid");
        double seconds = now() - start;
        if (seconds < best) best = seconds;
    }
    return best;
}

/* Every relay of the spot off or on in turn; back where it began after two rounds. */
static void switch_spot(bench *b) {
    const int32_t *spot = b->relays + b->relay_count / 2;
    for (int round = 0; round < 2; round++)
        for (int i = 0; i < SPOT; i++)
            if (!hbg_causal_switch(b->assignment, &spot[i], 1)) fail("a mode is not valid");
}

static double measure_spot(bench *b, bool *allocated) {
    double best = INFINITY;
    switch_spot(b);
    int64_t calls = b->session->memory.calls;
    const char *next = b->arena.next;
    for (double end = now() + SECONDS_ROW, start; (start = now()) < end;) {
        for (int i = 0; i < 100; i++) switch_spot(b);
        double seconds = (now() - start) / (100 * 2 * SPOT);
        if (seconds < best) best = seconds;
    }
    *allocated = calls != b->session->memory.calls || next != b->arena.next;
    return best;
}

/* Relays at random, each off and on again, so that the mode stays near the start. */
static double measure_anywhere(bench *b) {
    uint64_t random = 1;
    int64_t count = 0;
    double start = now();
    for (; now() < start + SECONDS_ROW; count += 200)
        for (int i = 0; i < 100; i++) {
            random = random * 6364136223846793005u + 1442695040888963407u;
            int32_t place = b->relays[(random >> 33) % (uint64_t)b->relay_count];
            for (int twice = 0; twice < 2; twice++)
                if (!hbg_causal_switch(b->assignment, &place, 1)) fail("a mode is not valid");
        }
    return (now() - start) / (double)count;
}

static result measure(const kind *k, int bonds) {
    bench b;
    result r;
    open_bench(&b, k, bonds);
    r.analysis = measure_analysis(&b);
    r.full = measure_full(&b);
    r.spot = measure_spot(&b, &r.allocated);
    r.anywhere = measure_anywhere(&b);
    close_bench(&b);
    return r;
}

/* d log y / d log x */
static double slope(double y1, double y2, int x1, int x2) {
    return log(y2 / y1) / log((double)x2 / x1);
}

/* Prints the rows of one kind of model; false if a bar is missed. */
static bool run(const kind *k) {
    result results[SIZES];
    bool met = true;
    for (int i = 0; i < SIZES; i++) {
        result r = results[i] = measure(k, sizes[i]);
        double ratio = r.full / r.spot;
        printf("| %s | %d | %.3g | %.3g | %.3g | %.3g | %.0f | %s |\n", k->name, sizes[i], 1e3 * r.analysis,
               1e3 * r.full, 1e6 * r.spot, 1e6 * r.anywhere, ratio, r.allocated ? "yes" : "no");
        fflush(stdout);
        met = met && !r.allocated && (sizes[i] != RATIO_SIZE || ratio >= RATIO_BAR);
    }
    int first = sizes[0], last = sizes[SIZES - 1];
    double flat = slope(results[0].spot, results[SIZES - 1].spot, first, last);
    double growth = slope(results[0].analysis, results[SIZES - 1].analysis, first, last);
    printf("| %s | growth | %.2f | %.2f | %.2f | %.2f | | |\n", k->name, growth,
           slope(results[0].full, results[SIZES - 1].full, first, last), flat,
           slope(results[0].anywhere, results[SIZES - 1].anywhere, first, last));
    return met && flat <= FLAT_BAR && growth <= GROWTH_BAR;
}

int main(void) {
    // the heap stays with the process between runs, so that small and large models are measured alike
    mallopt(M_MMAP_THRESHOLD, 32 << 20);
    mallopt(M_TRIM_THRESHOLD, 1 << 30);
    printf(
        "## Causality of a new mode\n\n"
        "One junction switches: Hybrid SCAP against SCAP from nothing, and the offline analysis, made once. "
        "A\n"
        "bank of circuits remembers its local modes. A ladder is one region as large as the model; but for "
        "the\n"
        "smallest it is too large to be remembered, so that every change is searched; doubled is one with a\n"
        "dependent capacitor on every node, islands one with parts that float. Changes are at one spot, or\n"
        "anywhere, which pays for reaching memory. Growth is the exponent from the smallest to the largest\n"
        "model: 0 is flat, 1 linear, and caches account for the rest. Bars: a change at one spot grows with "
        "at\n"
        "most %.2f and allocates nothing when repeated, full SCAP costs at least %d times as much at %d\n"
        "bonds (001 reports 12.7), growth of the analysis at most %.2f.\n\n",
        FLAT_BAR, RATIO_BAR, RATIO_SIZE, GROWTH_BAR);
    printf("| model | bonds | analysis, ms | full SCAP, ms | change at one spot, us | change anywhere, us | "
           "ratio | "
           "allocates |\n|---|--:|--:|--:|--:|--:|--:|---|\n");
    bool met = true;
    for (int i = 0; i < KINDS; i++) met = run(&kinds[i]) && met;
    return met ? 0 : 1;
}

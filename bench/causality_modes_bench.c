/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Causality over all modes of power buses with 60 relays and breakers: 2^60 modes, which nobody can walk.
 *
 *   distribution  Four bus bars with their capacitance, incoming lines, ties, relays to resistive, inductive and
 *                 capacitive loads: every switch is a matter of its own.
 *   hidden        The same, and a standby source that is joined straight to a fed bar while five of the relays
 *                 are in one combination.
 *   stiff bars    Bars without capacitance: which line determines a bar depends on all its switches.
 *   mesh          A grid of 6 by 6 bars with a breaker in each of its 60 ties, a third of them without
 *                 resistance; some bars are fed, loaded, or have a capacitor or coil.
 *   bad mesh      The same with resistance in all ties but the four around a square in the middle, one bar of
 *                 which is a source.
 *
 * Timed is the whole question: a prover of its own, the structure, the search. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "api/api_impl.h"
#include "verify/verify.h"

#define SWITCHES    60
#define SECONDS_BAR 10.0 /* for one question */
#define GRID        6

typedef struct {
    char data[65536];
    size_t size;
} text;

static void fail(const char *what) {
    fprintf(stderr, "causality_modes_bench: %s\n", what);
    exit(1);
}

static void put(text *out, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void put(text *out, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int written = vsnprintf(out->data + out->size, sizeof out->data - out->size, format, arguments);
    va_end(arguments);
    if (written < 0 || (size_t)written >= sizeof out->data - out->size) fail("the model is too long");
    out->size += (size_t)written;
}

/* ---- models ----------------------------------------------------------------------------------------------
 */

static void put_head(text *out, const char *name) {
    out->size = 0;
    put(out, "model %s {\n    input bool go = false;\n", name);
    for (int i = 0; i < SWITCHES; i++)
        put(out, "    automaton k%d { off open -> closed when go; on closed -> open when !go; }\n", i);
}

/* A switch in a line with resistance from one bar to another. */
static void put_tie(text *out, int key, const char *from, const char *to) {
    put(out, "    1 s%d when k%d; R r%d(0.1); %s -> s%d -> %s; s%d -> r%d;\n", key, key, key, from, key, to,
        key, key);
}

/* A relay to a load: resistive, inductive or capacitive. */
static void put_load(text *out, int key, const char *bar) {
    put(out, "    1 s%d when k%d; %s -> s%d; R r%d(10); s%d -> r%d;\n", key, key, bar, key, key, key, key);
    if (key % 3 == 1) put(out, "    I l%d(0.01); s%d -> l%d;\n", key, key, key);
    if (key % 3 == 2)
        put(out, "    0 n%d; C c%d(0.001); R p%d(100); s%d -> n%d -> c%d; n%d -> p%d;\n", key, key, key, key,
            key, key, key, key);
}

/* Four bars: an incoming line each, three ties, the rest relays to loads. */
static void put_bars(text *out, bool capacitance) {
    char from[16], to[16];
    int key = 0;
    for (int i = 0; i < 4; i++) {
        put(out, "    0 bar%d; Se grid%d(400); 0 in%d; grid%d -> in%d;\n", i, i, i, i, i);
        if (capacitance) put(out, "    C cb%d(1e-6); bar%d -> cb%d;\n", i, i, i);
    }
    for (int i = 0; i < 4; i++, key++) {
        snprintf(from, sizeof from, "in%d", i);
        snprintf(to, sizeof to, "bar%d", i);
        put_tie(out, key, from, to);
    }
    for (int i = 0; i < 3; i++, key++) {
        snprintf(from, sizeof from, "bar%d", i);
        snprintf(to, sizeof to, "bar%d", i + 1);
        put_tie(out, key, from, to);
    }
    for (; key < SWITCHES; key++) {
        snprintf(from, sizeof from, "bar%d", key % 4);
        put_load(out, key, from);
    }
}

static void put_distribution(text *out) {
    put_head(out, "Distribution");
    put_bars(out, true);
    put(out, "}\n");
}

static void put_hidden(text *out) {
    put_head(out, "Hidden");
    put_bars(out, true);
    put(out, "    Se standby(400); 1 bypass when k3 && k17 && !k29 && k41 && !k50; standby -> bypass -> "
             "in2;\n}\n");
}

static void put_stiff(text *out) {
    put_head(out, "Stiff");
    put_bars(out, false);
    put(out, "}\n");
}

static void put_bar(text *out, int i) {
    put(out, "    0 b%d;\n", i);
    if (i % 5 == 0) put(out, "    R load%d(10); b%d -> load%d;\n", i, i, i);
    if (i % 7 == 0)
        put(out, "    1 feed%d; Se v%d(24); R w%d(1); v%d -> feed%d -> b%d; feed%d -> w%d;\n", i, i, i, i, i,
            i, i, i);
    if (i % 4 == 2) put(out, "    C c%d(0.001); b%d -> c%d;\n", i, i, i);
    if (i % 6 == 1) put(out, "    I l%d(0.01); b%d -> l%d;\n", i, i, i);
}

/* Bars in rows, each joined to the next and to the one below. */
static void put_grid(text *out, bool bad) {
    char from[16], to[16];
    int key = 0;
    put_head(out, "Mesh");
    for (int i = 0; i < GRID * GRID; i++) put_bar(out, i);
    for (int i = 0; i < GRID * GRID; i++)
        for (int down = 0; down < 2; down++) {
            int row = i / GRID, column = i % GRID, other = down ? i + GRID : i + 1;
            if (down ? row == GRID - 1 : column == GRID - 1) continue;
            bool square = row >= 2 && column >= 2 && other / GRID <= 3 && other % GRID <= 3;
            snprintf(from, sizeof from, "b%d", i);
            snprintf(to, sizeof to, "b%d", other);
            if (bad ? square : key % 3 == 0)
                put(out, "    1 s%d when k%d; %s -> s%d -> %s;\n", key, key, from, key, to);
            else
                put_tie(out, key, from, to);
            key++;
        }
    if (bad) put(out, "    Se source(24); source -> b%d;\n", 2 * GRID + 2);
    put(out, "}\n");
}

static void put_mesh(text *out) {
    put_grid(out, false);
}

static void put_bad_mesh(text *out) {
    put_grid(out, true);
}

/* ---- measuring -------------------------------------------------------------------------------------------
 */

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static const char *const words[] = {[HBG_VERDICT_PROVED] = "proved",
                                    [HBG_VERDICT_WITNESS] = "witness",
                                    [HBG_VERDICT_UNDECIDED] = "not decided"};

typedef struct {
    double seconds;         /* of the question about validity */
    double storage_seconds; /* of those about all storages */
    hbg_verdict verdict;
    int moved; /* automata away from their start in the witness */
    int storages, dependent, undecided;
} result;

static void ask_storages(hbg_verify_modes *modes, const hbg_model *model, result *r) {
    double start = now();
    for (int32_t i = 0; i < model->elements.count; i++) {
        hbg_element_kind kind = model->elements.items[i].kind;
        if (kind != HBG_KIND_C && kind != HBG_KIND_I) continue;
        hbg_verdict verdict = hbg_verify_dependence(modes, i, 1).verdict;
        r->storages++;
        r->dependent += verdict == HBG_VERDICT_WITNESS;
        r->undecided += verdict == HBG_VERDICT_UNDECIDED;
    }
    r->storage_seconds = now() - start;
}

static result ask(hbg_session *session, const hbg_model *model) {
    hbg_arena arena;
    result r = {0};
    hbg_base_arena_init(&arena, &session->memory);
    double start = now();
    hbg_verify_prover *prover = hbg_verify_prover_new(&session->memory);
    if (!prover) fail("no prover");
    hbg_causal_structure *structure = hbg_causal_structure_new(&arena, model, NULL);
    hbg_verify_modes *modes = hbg_verify_modes_new(&arena, prover, structure, NULL);
    hbg_verify_result answer = hbg_verify_causality(modes);
    r.seconds = now() - start;
    r.verdict = answer.verdict;
    for (int32_t i = 0; answer.states && i < model->automata.count; i++)
        r.moved += answer.states[i] != model->automata.items[i].start;
    ask_storages(modes, model, &r);
    hbg_verify_prover_free(prover);
    hbg_base_arena_fini(&arena);
    return r;
}

/* Prints one row; false if the verdict is not the one expected, or too late. */
static bool bench(const char *name, void (*make)(text *out), hbg_verdict expected, int moved) {
    static text source;
    hbg_session *session;
    hbg_model *model;
    jmp_buf guard;
    make(&source);
    if (hbg_session_new(NULL, &session) != HBG_OK) fail("no session");
    if (hbg_load_text(session, "bench.hbg", source.data, source.size, NULL, &model) != HBG_OK) {
        hbg_text report;
        if (hbg_diagnostics_text(session, false, &report) == HBG_OK) fprintf(stderr, "%.4000s", report.data);
        fail("the model is not as it should be");
    }
    if (HBG_GUARD(&session->memory, guard)) fail("out of memory");
    result r = ask(session, model);
    HBG_GUARD_END(&session->memory);
    printf("| %s | %d | %s | %.3f | %d | %d | %.3f |\n", name, (int)model->bonds.count, words[r.verdict],
           r.seconds, r.storages, r.dependent, r.storage_seconds);
    hbg_session_free(session);
    return r.verdict == expected && r.moved == moved && r.undecided == 0 && r.seconds <= SECONDS_BAR;
}

int main(void) {
    printf("## Causality over all modes\n\n"
           "Power buses with %d relays and breakers, 2^%d modes: whether each has a valid assignment, and "
           "which\n"
           "storages are dependent in some mode. Bar: each verdict is the right one and takes at most %.0f "
           "s.\n\n",
           SWITCHES, SWITCHES, SECONDS_BAR);
    printf(
        "| bus | bonds | every mode valid | seconds | storages | dependent in some mode | seconds for all of "
        "them |\n|---|--:|---|--:|--:|--:|--:|\n");
    bool met = bench("distribution", put_distribution, HBG_VERDICT_PROVED, 0);
    met = bench("hidden", put_hidden, HBG_VERDICT_WITNESS, 3) && met;
    met = bench("stiff bars", put_stiff, HBG_VERDICT_PROVED, 0) && met;
    met = bench("mesh", put_mesh, HBG_VERDICT_PROVED, 0) && met;
    met = bench("bad mesh", put_bad_mesh, HBG_VERDICT_WITNESS, 4) && met;
    return met ? 0 : 1;
}

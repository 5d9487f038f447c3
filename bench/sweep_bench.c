/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Many runs of one model: two threads against one, in a campaign of runs of Virtual ADAPT with other parameters; what is held in
 * memory after many runs of a small model, and by many threads with a large one. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "hbg/hbg.h"

#define GAIN_BAR   1.8  /* that two threads gain on an idle machine */
#define IDLE       1.95 /* what two threads that only count gain there, at least */
#define RATIO_BAR  0.9  /* elsewhere: of what those that count gain */
#define MEMORY_BAR 1024 /* kB that ten times the runs may add */
#define SHARE_BAR  3.0  /* times the memory of one thread that eight may take */
#define LANES_BAR  4.0  /* times as fast as one run after the other, where a vector has eight numbers */
#define CELLS      1500 /* of the large model */
#define ROUNDS     3
#define RUNS       300

static void fail(const char *what) {
    fprintf(stderr, "sweep_bench: %s\n", what);
    exit(1);
}

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* Of this process, without compilers that it calls. */
static double processor(void) {
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static long peak_memory(void) {
    struct rusage usage;
    return getrusage(RUSAGE_SELF, &usage) == 0 ? usage.ru_maxrss : 0;
}

/* Seconds for a sweep of a model, an example or a file of our own. */
typedef struct {
    double seconds, processor;
} cost;

static cost sweep_in(const char *model, const char *sentence, const char *stop, int64_t runs, int threads,
                     int lanes) {
    const char *source = getenv("HBG_SOURCE_DIR");
    char path[4096], library[4096];
    bool own = strchr(model, '.') != NULL;
    const char *search[] = {library};
    hbg_session_options session_options = hbg_session_options_default();
    hbg_load_options load = {.sweeps = &sentence, .sweep_count = 1, .stop = stop};
    hbg_sweep_options options = hbg_sweep_options_default();
    hbg_session *session;
    hbg_model *loaded;
    hbg_run_end end;
    hbg_text text;
    snprintf(path, sizeof path, "%s/examples/%s/%s.hbg", source ? source : ".", model, model);
    if (own) snprintf(path, sizeof path, "%s", model);
    snprintf(library, sizeof library, "%s/lib", source ? source : ".");
    session_options.search = search;
    session_options.search_count = 1;
    if (hbg_session_new(&session_options, &session) != HBG_OK) fail("no session");
    if (hbg_load_file(session, path, &load, &loaded) != HBG_OK) fail("the model is not as it should be");
    options.file = "sweep.csv";
    options.runs = runs;
    options.threads = threads;
    options.lanes = lanes;
    if (lanes > 0) options.run.engine = HBG_ENGINE_NATIVE, options.run.solver = "euler";
    double start = now(), worked = processor();
    if (hbg_sweep(session, loaded, &options, &end, &text) != HBG_OK) fail(hbg_session_reason(session));
    cost of = {now() - start, processor() - worked};
    if (end != HBG_RUN_FINISHED) fail("a run did not finish");
    hbg_text_free(session, &text);
    hbg_session_free(session);
    return of;
}

static double sweep(const char *model, const char *sentence, const char *stop, int64_t runs, int threads) {
    return sweep_in(model, sentence, stop, runs, threads, 0).seconds;
}

/* ---- what there is to gain ---------------------------------------------------------------------------- */

static void *count(void *context) {
    volatile uint64_t *rounds = context;
    for (uint64_t i = *rounds; i > 0; i--) *rounds = i;
    return NULL;
}

/* Seconds for some counting, shared by so many threads. */
static double counting(int threads) {
    pthread_t others[2];
    uint64_t rounds[2];
    double start = now();
    for (int i = 0; i < threads; i++) {
        rounds[i] = 150000000 / (uint64_t)threads;
        if (pthread_create(&others[i], NULL, count, &rounds[i]) != 0) fail("no thread");
    }
    for (int i = 0; i < threads; i++) pthread_join(others[i], NULL);
    return now() - start;
}

static bool bench_threads(void) {
    double best[2] = {1e9, 1e9}, empty[2] = {1e9, 1e9};
    for (int round = 0; round < ROUNDS; round++)
        for (int i = 0; i < 2; i++) {
            double seconds =
                sweep("adapt-experiment-2", "motor.Rs~normal(163 [Ohm], 2 [Ohm])", "50 [ms]", RUNS, i + 1);
            if (seconds < best[i]) best[i] = seconds;
            seconds = counting(i + 1);
            if (seconds < empty[i]) empty[i] = seconds;
        }
    printf("| threads | s | runs per second | one thread over this | the same of counting "
           "|\n|--:|--:|--:|--:|--:|\n");
    for (int i = 0; i < 2; i++)
        printf("| %d | %.3f | %.0f | %.2f | %.2f |\n", i + 1, best[i], RUNS / best[i], best[0] / best[i],
               empty[0] / empty[i]);
    double gain = best[0] / best[1], idle = empty[0] / empty[1];
    double bar = idle >= IDLE ? GAIN_BAR : RATIO_BAR * idle;
    printf("\nThe machine is %s: the bar is %.2f, %s.\n", idle >= IDLE ? "idle" : "busy", bar,
           gain >= bar ? "met" : "**missed**");
    return gain >= bar;
}

/* Processor time in one thread; what a sweep costs beside its steps is taken away by a short one. */
static double lanes_cost(int lanes) {
    double best = 1e9;
    for (int round = 0; round < ROUNDS; round++) {
        double few =
            sweep_in("adapt-experiment-2", "motor.Rs~normal(163 [Ohm], 2 [Ohm])", "0.1 [s]", 32, 1, lanes)
                .processor;
        double many =
            sweep_in("adapt-experiment-2", "motor.Rs~normal(163 [Ohm], 2 [Ohm])", "2.1 [s]", 32, 1, lanes)
                .processor;
        if (many - few < best) best = many - few;
    }
    return best;
}

static bool bench_lanes(void) {
    double one = lanes_cost(1);
    bool eight = __builtin_cpu_supports("avx512dq"), met = true;
    printf(
        "\n32 runs of experiment 2 with euler for 2 s in one thread, with the energy balance: processor "
        "time.\n\n"
        "| runs side by side, at most | s | scenario-seconds per second | times one |\n|--:|--:|--:|--:|\n");
    for (int lanes = 1; lanes <= 8; lanes *= 2) {
        double seconds = lanes == 1 ? one : lanes_cost(lanes);
        printf("| %d | %.3f | %.0f | %.2f |\n", lanes, seconds, 64 / seconds, one / seconds);
        if (lanes == 8 && eight) met = one / seconds >= LANES_BAR;
    }
    printf("\nThe bar is %.0f where the processor has eight lanes, %s.\n", LANES_BAR,
           !eight ? "which this one has not"
           : met  ? "met"
                  : "**missed**");
    return met;
}

static bool bench_memory(void) {
    printf(
        "\n| runs of diode-inductor | s | runs per second | most memory so far, kB |\n|--:|--:|--:|--:|\n");
    long peak = 0;
    for (int64_t runs = 1000; runs <= 10000; runs *= 10) {
        double seconds = sweep("diode-inductor", "Vin~normal(10 [V], 0.1 [V])", NULL, runs, 2);
        printf("| %lld | %.3f | %.0f | %ld |\n", (long long)runs, seconds, (double)runs / seconds,
               peak_memory());
        if (runs == 1000) peak = peak_memory();
    }
    return peak_memory() - peak <= MEMORY_BAR;
}

/* A ladder whose cells are cut off and joined again, some at a time: each has two local modes. */
static void write_ladder(const char *path) {
    FILE *file = fopen(path, "w");
    if (!file) fail("the ladder cannot be written");
    fputs("model Ladder { param R1 = 1 [Ohm]; Se s(10 [V]);\n", file);
    for (int i = 0; i < CELLS; i++) {
        fprintf(
            file,
            "R r%d(R1); C c%d(1 [mF]); I l%d(1 [mH]); 1 a%d when k%d; 0 b%d; a%d -> r%d; a%d -> l%d; a%d -> "
            "b%d; b%d -> c%d; ",
            i, i, i, i, i % 30, i, i, i, i, i, i, i, i, i);
        if (i == 0)
            fputs("s -> a0;\n", file);
        else
            fprintf(file, "b%d -> a%d;\n", i - 1, i);
    }
    for (int i = 0; i < 30; i++)
        fprintf(file, "automaton k%d { on shut -> open after %d [ms]; off open -> shut after 2 [ms]; }\n", i,
                1 + i % 7);
    fprintf(file, "output v = c%d.e; experiment e { stop 3 [ms]; solver rk4 step 0.1 [ms]; } }\n", CELLS - 1);
    fclose(file);
}

static bool bench_share(void) {
    static const int threads[] = {1, 8};
    long peak[2] = {0};
    write_ladder("ladder.hbg");
    printf("\n| threads on a ladder of %d cells | s for 16 runs | most memory so far, kB |\n|--:|--:|--:|\n",
           CELLS);
    for (int i = 0; i < 2; i++) {
        double seconds = sweep("ladder.hbg", "R1~normal(1 [Ohm], 0.01 [Ohm])", NULL, 16, threads[i]);
        peak[i] = peak_memory();
        printf("| %d | %.3f | %ld |\n", threads[i], seconds, peak[i]);
    }
    return (double)peak[1] <= SHARE_BAR * (double)peak[0];
}

int main(void) {
    printf(
        "## Many runs\n\n"
        "Sweeps through the library, with an energy balance and a table. %d runs of experiment 2 of "
        "Virtual ADAPT with a\n"
        "random resistance, 50 ms by ode3 at 7.5 us each, compiled, the best of %d; beside it what two "
        "threads gain that\n"
        "only count. A small circuit with events, for what is held in memory; and a large one that "
        "switches, whose compiled\n"
        "model all threads share. Bars: two threads gain at least %.1f on an idle machine, where "
        "counting gains %.2f,\n"
        "and %.1f of what counting gains on a busy one; ten times the runs add at most %d kB; eight threads "
        "take at most %.0f\ntimes the memory of one.\n\n",
        RUNS, ROUNDS, GAIN_BAR, IDLE, RATIO_BAR, MEMORY_BAR, SHARE_BAR);
    bool met = bench_threads();
    met = bench_lanes() && met;
    met = bench_memory() && met;
    met = bench_share() && met;
    return met ? 0 : 1;
}

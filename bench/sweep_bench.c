/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Many runs of one model: two threads against one, in a campaign of runs of Virtual ADAPT with other parameters; and what
 * is held in memory after many runs of a small model. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "hbg/hbg.h"

#define RATIO_BAR  0.9  /* of what two threads that only count gain: 1.8 where both processors are idle */
#define MEMORY_BAR 1024 /* kB that ten times the runs may add */
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

static long peak_memory(void) {
    struct rusage usage;
    return getrusage(RUSAGE_SELF, &usage) == 0 ? usage.ru_maxrss : 0;
}

/* Seconds for a sweep of a model. */
static double sweep(const char *model, const char *sentence, const char *stop, int64_t runs, int threads) {
    const char *source = getenv("HBG_SOURCE_DIR");
    char path[4096], library[4096];
    const char *search[] = {library};
    hbg_session_options session_options = hbg_session_options_default();
    hbg_load_options load = {.sweeps = &sentence, .sweep_count = 1, .stop = stop};
    hbg_sweep_options options = hbg_sweep_options_default();
    hbg_session *session;
    hbg_model *loaded;
    hbg_run_end end;
    hbg_text text;
    snprintf(path, sizeof path, "%s/examples/%s/%s.hbg", source ? source : ".", model, model);
    snprintf(library, sizeof library, "%s/lib", source ? source : ".");
    session_options.search = search;
    session_options.search_count = 1;
    if (hbg_session_new(&session_options, &session) != HBG_OK) fail("no session");
    if (hbg_load_file(session, path, &load, &loaded) != HBG_OK) fail("the model is not as it should be");
    options.file = "sweep.csv";
    options.runs = runs;
    options.threads = threads;
    double start = now();
    if (hbg_sweep(session, loaded, &options, &end, &text) != HBG_OK) fail(hbg_session_reason(session));
    double seconds = now() - start;
    if (end != HBG_RUN_FINISHED) fail("a run did not finish");
    hbg_text_free(session, &text);
    hbg_session_free(session);
    return seconds;
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
    return best[0] / best[1] >= RATIO_BAR * empty[0] / empty[1];
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

int main(void) {
    printf("## Many runs\n\n"
           "Sweeps through the library, with an energy balance and a table. %d runs of experiment 2 of "
           "Virtual ADAPT with a\n"
           "random resistance, 50 ms by ode3 at 7.5 us each, compiled, the best of %d; beside it what two "
           "threads gain that\n"
           "only count. And a small circuit with events, for what is held in memory. Bars: two threads gain "
           "at least %.1f of\n"
           "what counting gains, which is 2 on an idle machine; ten times the runs add at most %d kB.\n\n",
           RUNS, ROUNDS, RATIO_BAR, MEMORY_BAR);
    bool met = bench_threads();
    met = bench_memory() && met;
    return met ? 0 : 1;
}

/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Many runs of one model: two threads against one, in a campaign of runs of Virtual ADAPT with other parameters; and what
 * is held in memory after many runs of a small model. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "hbg/hbg.h"

#define RATIO_BAR  1.8  /* of one thread over two */
#define MEMORY_BAR 1024 /* kB that ten times the runs may add */
#define ROUNDS     3

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

static bool bench_threads(void) {
    enum { RUNS = 40 };
    double best[2] = {1e9, 1e9};
    for (int round = 0; round < ROUNDS; round++)
        for (int threads = 1; threads <= 2; threads++) {
            double seconds =
                sweep("adapt-experiment-2", "motor.Rs~normal(163 [Ohm], 2 [Ohm])", "50 [ms]", RUNS, threads);
            if (seconds < best[threads - 1]) best[threads - 1] = seconds;
        }
    printf("| threads | s | runs per second | one thread over this |\n|--:|--:|--:|--:|\n");
    for (int i = 0; i < 2; i++)
        printf("| %d | %.3f | %.0f | %.2f |\n", i + 1, best[i], RUNS / best[i], best[0] / best[i]);
    return best[0] / best[1] >= RATIO_BAR || sysconf(_SC_NPROCESSORS_ONLN) < 2;
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
           "Sweeps through the library, with an energy balance and a table. Experiment 2 of Virtual ADAPT, "
           "50 ms by ode3\n"
           "at 7.5 us each, with a random resistance, the best of %d; and a small circuit with events, for "
           "what is held in\n"
           "memory. Bars: two threads are at least %.1f times as fast as one, where there are two idle "
           "processors; ten\n"
           "times the runs add at most %d kB.\n\n",
           ROUNDS, RATIO_BAR, MEMORY_BAR);
    bool met = bench_threads();
    met = bench_memory() && met;
    return met ? 0 : 1;
}

/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Runs of a small circuit through the C interface with values, and from Python: what a run costs more there, as processor time of both in
 * turn; and what is held in memory after 10^5 runs. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "hbg/hbg.h"
#include "hbg/simulation.h"

#define BAR        0.2    /* ms that a run from Python may cost more */
#define MEMORY_BAR 1024   /* kB that nine times as many runs may add */
#define FEW        10000  /* runs, after which memory is looked at first */
#define MANY       100000 /* and last */
#define ROUNDS     5
#define BATCH      200

static void fail(const char *what) {
    fprintf(stderr, "interface_bench: %s\n", what);
    exit(1);
}

static double processor(void) {
    struct timespec time;
    (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static long resident(void) {
    long pages = 0, all = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (!file || fscanf(file, "%ld %ld", &all, &pages) != 2) fail("no memory to be read");
    fclose(file);
    return pages * (sysconf(_SC_PAGESIZE) / 1024);
}

typedef struct {
    hbg_session *session;
    hbg_model *model;
} loaded;

static loaded load(const char *parameter, const char *stop) {
    loaded of;
    char path[4096], library[4096];
    const char *source = getenv("HBG_SOURCE_DIR"), *search[] = {library};
    hbg_session_options options = hbg_session_options_default();
    hbg_load_options load = {.stop = stop, .parameters = &parameter, .parameter_count = parameter != NULL};
    snprintf(path, sizeof path, "%s/examples/diode-inductor/diode-inductor.hbg", source ? source : ".");
    snprintf(library, sizeof library, "%s/lib", source ? source : ".");
    options.search = search;
    options.search_count = 1;
    if (hbg_session_new(&options, &of.session) != HBG_OK) fail("no session");
    if (hbg_load_file(of.session, path, &load, &of.model) != HBG_OK) fail("the model is not as it should be");
    return of;
}

static void run(loaded of) {
    hbg_run_options options = hbg_run_options_default();
    const hbg_results *results;
    if (hbg_run_results(of.session, of.model, &options, &results) != HBG_OK || results->row_count == 0)
        fail("a run failed");
    hbg_results_free(of.session, results);
}

/* ms of a run: of a model that was read, or read with another value each time. */
static double cost_here(bool anew) {
    loaded of = load("R1=330", NULL);
    double start = processor();
    for (int i = 0; i < BATCH; i++) {
        char value[32];
        snprintf(value, sizeof value, "R1=%d", 300 + i);
        loaded own = anew ? load(value, NULL) : of;
        run(own);
        if (anew) hbg_session_free(own.session);
    }
    double cost = (processor() - start) / BATCH;
    hbg_session_free(of.session);
    return 1e3 * cost;
}

/* The same, as bench/interface.py measures it of itself. */
static double cost_there(bool anew) {
    char words[64];
    double cost;
    snprintf(words, sizeof words, "%d %s", BATCH, anew ? "anew" : "again");
    if (setenv("HBG_BENCH", words, 1) != 0) fail("no environment");
    FILE *answer = popen("/usr/bin/python3 -B \"$HBG_SOURCE_DIR/bench/interface.py\" $HBG_BENCH", "r");
    if (!answer || fscanf(answer, "%lf", &cost) != 1 || pclose(answer) != 0) fail("Python does not answer");
    return cost;
}

static double lesser(double a, double b) {
    return a < b ? a : b;
}

static bool bench_python(void) {
    static const char *const words[] = {"of a model that was read",
                                        "with another value, for which it is read anew"};
    bool met = true;
    printf("| run | ms from C | ms from Python | more |\n|---|--:|--:|--:|\n");
    for (int anew = 0; anew < 2; anew++) {
        double here = 1e9, there = 1e9;
        for (int round = 0; round < ROUNDS; round++) {
            here = lesser(here, cost_here(anew));
            there = lesser(there, cost_there(anew));
        }
        printf("| %s | %.3f | %.3f | %.3f |\n", words[anew], here, there, there - here);
        (void)fflush(stdout);
        met = met && there - here <= BAR;
    }
    return met;
}

static bool bench_memory(void) {
    loaded of = load(NULL, "10 [us]");
    long before = 0;
    printf("\n| runs through the C interface | memory, kB |\n|--:|--:|\n");
    for (int i = 1; i <= MANY; i++) {
        run(of);
        if (i == FEW) before = resident();
        if (i == FEW || i == MANY) printf("| %d | %ld |\n", i, resident());
        if (i == FEW) (void)fflush(stdout);
    }
    bool met = resident() - before <= MEMORY_BAR;
    hbg_session_free(of.session);
    return met;
}

int main(void) {
    printf("## Runs through the interface\n\n"
           "Runs of diode-inductor with their rows, events and energies, from C and from Python in turn: "
           "processor time, the best of %d "
           "rounds of %d.\nAnd runs of its first 10 us in one session. Bars: a run from Python costs at most "
           "%.1f ms more; from the "
           "%dth to the %dth run\nat most %d kB are added.\n\n",
           ROUNDS, BATCH, BAR, FEW, MANY, MEMORY_BAR);
    bool met = bench_python();
    met = bench_memory() && met;
    return met ? 0 : 1;
}

/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Consistency of switching in models of many groups.
 *
 *   cells  A bus of fixed voltage feeds cells, each with four switches that influence one another at an instant: a relay and
 *          a starting relay to a coil, its freewheeling diode, and a clamp. The source keeps the cells apart, so that each is
 *          a group.
 *
 *   relays Circuits that have nothing in common, each with a relay: how much memory and time very many groups take. Each size has a
 *          process of its own, since what a process has held at most never falls.
 *
 * Timed is the whole question: reading the model, its equations, a prover of its own, every proof. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "api/api_impl.h"
#include "hbg/hbg.h"
#include "verify/verify.h"

#define MOST_CELLS  50
#define SECONDS_BAR 60.0 /* for 200 switches */
#define GROWTH_BAR  1.25 /* in the number of groups */
#define MEMORY_BAR  2.2  /* times for twice the groups */
#define PROCESS_BAR 30.0 /* s, for a group of six switches as a process */

static void fail(const char *what) {
    fprintf(stderr, "verify_bench: %s\n", what);
    exit(1);
}

/* Of this process, so that others on the machine do not count. */
static double now(void) {
    return (double)clock() / CLOCKS_PER_SEC;
}

static const char cell[] =
    "    1 j%d when a%d;\n    R line%d(2);\n    1 k%d when b%d;\n    R start%d(40);\n    0 node%d;\n    I "
    "coil%d(0.01);\n"
    "    1 d%d when free%d;\n    Se drop%d(-0.6);\n    1 e%d when over%d;\n    Se clamp%d(-20);\n    R "
    "burn%d(5);\n"
    "    bus -> j%d -> node%d -> coil%d;\n    j%d -> line%d;\n    bus -> k%d -> node%d;\n    k%d -> "
    "start%d;\n"
    "    drop%d -> d%d -> node%d;\n    node%d -> e%d;\n    clamp%d -> e%d;\n    e%d -> burn%d;\n"
    "    input bool on%d = false, go%d = false;\n"
    "    automaton a%d { off open -> closed when on%d; on closed -> open when !on%d; }\n"
    "    automaton b%d { off open -> closed when go%d; on closed -> open when !go%d; }\n"
    "    automaton free%d { off blocking -> conducting when node%d.e < -0.6; on conducting -> blocking when "
    "d%d.f < 0; }\n"
    "    automaton over%d { off quiet -> open when node%d.e > 20; on open -> quiet when e%d.f < 0; }\n";

/* Every %d is the number of the cell. */
static void put_cell(char **out, int number) {
    for (const char *at = cell; *at; at++) {
        if (at[0] == '%' && at[1] == 'd') {
            *out += sprintf(*out, "%d", number);
            at++;
        } else {
            *(*out)++ = *at;
        }
    }
}

static char *write_model(int cells) {
    char *text = malloc((size_t)cells * 2048 + 1024), *out = text;
    if (!text) fail("no memory");
    out += sprintf(out, "model Cells {\n    Se supply(12);\n    0 bus;\n"
                        "    supply -> bus;\n");
    for (int i = 0; i < cells; i++) put_cell(&out, i);
    strcpy(out, "}\n");
    return text;
}

/* Reads the number behind a word in the answer. */
static double number_before(const char *text, const char *word) {
    const char *at = strstr(text, word);
    if (!at) {
        fprintf(stderr, "%s\n", text);
        fail("the answer is not as expected");
    }
    while (at > text && at[-1] != ',' && at[-1] != '\n') at--;
    return atof(at);
}

static double measure(int cells) {
    char *model_text = write_model(cells);
    hbg_session *session;
    hbg_model *model;
    hbg_text text;
    hbg_answer answer;
    hbg_verify_model_options options = {0};
    double start = now();
    if (hbg_session_new(NULL, &session) != HBG_OK) fail("no session");
    if (hbg_load_text(session, "cells.hbg", model_text, strlen(model_text), NULL, &model) != HBG_OK) {
        if (hbg_diagnostics_text(session, false, &text) == HBG_OK) fprintf(stderr, "%s\n", text.data);
        fail("the model is not read");
    }
    if (hbg_verify_model(session, model, &options, &answer, &text) != HBG_OK) fail("no answer");
    double took = now() - start;
    double groups = number_before(text.data, " groups"), questions = number_before(text.data, " questions");
    printf("| %d | %.0f | %s | %.0f | %.3g | %.3g |\n", 4 * cells, groups,
           answer == HBG_PROVED     ? "proved"
           : answer == HBG_VIOLATED ? "violated"
                                    : "not decided",
           questions, took, 1e3 * took / questions);
    fflush(stdout);
    if (answer != HBG_PROVED) fprintf(stderr, "%s\n", text.data);
    if (groups != cells) fail("the groups are not the cells");
    if (answer != HBG_PROVED) fail("the cells are consistent, and that is not proved");
    hbg_text_free(session, &text);
    hbg_session_free(session);
    free(model_text);
    return took;
}

/* ---- memory ------------------------------------------------------------------------------------------------ */

static char *write_relays(int groups) {
    char *text = malloc((size_t)groups * 320 + 100), *out = text;
    if (!text) fail("no memory");
    out += sprintf(out, "model Relays {\n");
    for (int i = 0; i < groups; i++)
        out += sprintf(out,
                       "Se s%d(10); R r%d(1); C c%d(1); 1 j%d when a%d; s%d -> j%d; j%d -> r%d; j%d -> c%d;\n"
                       "automaton a%d { off o -> x when c%d.e < 1; on x -> o when c%d.e > 2; }\n",
                       i, i, i, i, i, i, i, i, i, i, i, i, i, i);
    strcpy(out, "}\n");
    return text;
}

/* In a process of its own. */
static void prove_relays(int groups) {
    char *model_text = write_relays(groups);
    hbg_session *session;
    hbg_model *model;
    hbg_text text;
    hbg_answer answer;
    hbg_verify_model_options options = {0};
    if (hbg_session_new(NULL, &session) != HBG_OK) fail("no session");
    if (hbg_load_text(session, "relays.hbg", model_text, strlen(model_text), NULL, &model) != HBG_OK)
        fail("the model is not read");
    if (hbg_verify_model(session, model, &options, &answer, &text) != HBG_OK) fail("no answer");
    _exit(answer == HBG_PROVED ? 0 : 1);
}

typedef struct {
    double memory, seconds; /* MB that a process holds at most, and its processor time */
} relay_cost;

static double seconds_of(struct timeval time) {
    return (double)time.tv_sec + 1e-6 * (double)time.tv_usec;
}

/* What it takes to prove so many groups. */
static relay_cost measure_relays(int groups) {
    int status;
    struct rusage used;
    pid_t child = fork();
    if (child < 0) fail("no process");
    if (child == 0) prove_relays(groups);
    if (wait4(child, &status, 0, &used) != child || status != 0) fail("the relays are not proved");
    relay_cost cost = {(double)used.ru_maxrss / 1024, seconds_of(used.ru_utime) + seconds_of(used.ru_stime)};
    printf("| %d | %.0f | %.3g |\n", groups, cost.memory, cost.seconds);
    fflush(stdout);
    return cost;
}

static void check_relays(void) {
    static const int groups[] = {250, 500, 1000, 2000};
    relay_cost used[4];
    printf("\nCircuits with a relay each that have nothing in common. Bars: twice the groups take at most "
           "%.1f times the memory, growth of the time in groups at most %.2f.\n\n"
           "| groups | memory, MB | processor time, s |\n|--:|--:|--:|\n",
           MEMORY_BAR, GROWTH_BAR);
    for (int i = 0; i < 4; i++) used[i] = measure_relays(groups[i]);
    double growth = log(used[3].seconds / used[1].seconds) / log((double)groups[3] / groups[1]);
    printf("| growth | | %.2f |\n", growth);
    for (int i = 1; i < 4; i++)
        if (used[i].memory > MEMORY_BAR * used[i - 1].memory) fail("the memory grows faster than the groups");
    if (growth > GROWTH_BAR) fail("the time grows faster than the groups");
}

/* ---- processes --------------------------------------------------------------------------------------------- */

/* The six diodes of a bridge, which decide together. */
static void measure_process(void) {
    const char *source = getenv("HBG_SOURCE_DIR");
    char path[1000], folder[1000];
    const char *const library = folder;
    hbg_session_options how = hbg_session_options_default();
    hbg_session *session;
    hbg_model *model;
    hbg_text text;
    hbg_hypa_options options = {.format = HBG_PROCESS_JSON, .form = "exact"};
    if (!source) fail("HBG_SOURCE_DIR is not set");
    snprintf(path, sizeof path, "%s/examples/six-pulse-bridge/six-pulse-bridge.hbg", source);
    snprintf(folder, sizeof folder, "%s/lib", source);
    how.search = &library;
    how.search_count = 1;
    if (hbg_session_new(&how, &session) != HBG_OK) fail("no session");
    if (hbg_load_file(session, path, NULL, &model) != HBG_OK) fail("the bridge is not read");
    double start = now();
    if (hbg_hypa(session, model, &options, &text) != HBG_OK) fail("the bridge is no process");
    double took = now() - start;
    const char *questions = strstr(text.data, "\"questions\": ");
    if (!questions) fail("no questions are counted");
    printf("\nA group of six switches, the diodes of a six-pulse bridge, as a process (`hbg hypa --form "
           "exact`): %.0f "
           "questions, %.3g s. Bar: %.0f s.\n",
           atof(questions + strlen("\"questions\": ")), took, PROCESS_BAR);
    hbg_text_free(session, &text);
    hbg_session_free(session);
    if (took > PROCESS_BAR) fail("the process takes longer than the bar");
}

int main(void) {
    static const int sizes[] = {5, 10, 25, MOST_CELLS};
    double took[4];
    printf("## Consistency of switching\n\n"
           "Cells on a bus, each a group of four switches: relays, a freewheeling diode, a clamp. Timed is "
           "all of\n"
           "`hbg verify`, the reading included. Bars: 200 switches within %.0f s, growth in groups at most "
           "%.2f.\n\n",
           SECONDS_BAR, GROWTH_BAR);
    printf("| switches | groups | verdict | questions | processor time, s | per question, ms "
           "|\n|--:|--:|---|--:|--:|--:|\n");
    for (int i = 0; i < 4; i++) took[i] = measure(sizes[i]);
    double growth = log(took[3] / took[1]) / log((double)sizes[3] / sizes[1]);
    printf("| growth | | | | %.2f | |\n", growth);
    if (took[3] > SECONDS_BAR) fail("200 switches take longer than the bar");
    if (growth > GROWTH_BAR) fail("the time grows faster than the groups");
    check_relays();
    measure_process();
    return 0;
}

/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Long work shows its progress, and ends cleanly on a signal. */
#include "tool/tool_impl.h"

#include <math.h>
#include <signal.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* ---- signals ------------------------------------------------------------------------------------------ */

/* Ctrl-C, `kill`, and a terminal that was closed. */
static const int stopping[] = {SIGINT, SIGTERM, SIGHUP};
enum { STOPPING = sizeof stopping / sizeof *stopping };

/* All that a signal handler can access. Blocking the signals does not suffice: threads of other libraries
 * would get them. */
static volatile sig_atomic_t interrupts, first_signal;

/* A third signal means that waiting for a clean end takes too long. */
static void on_interrupt(int number) {
    if (!first_signal) first_signal = number;
    if (++interrupts < 3) return;
    signal(number, SIG_DFL);
    raise(number);
}

bool hbg_tool_interrupted(void) {
    return interrupts != 0;
}

int hbg_tool_run_exit(hbg_run_end end) {
    return end == HBG_RUN_INTERRUPTED && first_signal ? 128 + first_signal : hbg_run_end_exit(end);
}

/* A signal that was ignored at the start, as by nohup, must have no effect. */
static void hear(void (*handler)(int)) {
    struct sigaction before, action = {.sa_handler = handler, .sa_flags = SA_RESTART};
    for (int i = 0; i < STOPPING; i++)
        if (sigaction(stopping[i], NULL, &before) == 0 && before.sa_handler != SIG_IGN)
            sigaction(stopping[i], &action, NULL);
}

/* ---- how far it is ------------------------------------------------------------------------------------ */

static double now(void) {
    struct timespec time;
    return clock_gettime(CLOCK_MONOTONIC, &time) == 0 ? (double)time.tv_sec + 1e-9 * (double)time.tv_nsec : 0;
}

void hbg_tool_watch_look(tool_watch *watch, bool quiet) {
    memset(watch, 0, sizeof *watch);
    watch->start = watch->shown = now();
    watch->terminal = !quiet && isatty(STDERR_FILENO);
}

void hbg_tool_watch_begin(tool_watch *watch, bool quiet) {
    hbg_tool_watch_look(watch, quiet);
    hear(on_interrupt);
}

double hbg_tool_watch_spent(const tool_watch *watch) {
    return now() - watch->start;
}

bool hbg_tool_watch_due(tool_watch *watch, double share, double *left) {
    double time = now(), spent = time - watch->start;
    if (!watch->terminal || spent < 1 || time - watch->shown < 0.2) return false;
    watch->shown = time;
    watch->line = true;
    *left = share > 0 ? spent * (1 - share) / share : NAN;
    return true;
}

/* "40 s", "12 min", "3 h 5 min", "6 days": fewer digits with larger units. */
static void put_duration(FILE *out, double seconds) {
    double minutes = seconds / 60, hours = minutes / 60;
    if (seconds < 99.5)
        fprintf(out, "%.0f s", seconds);
    else if (minutes < 99.5)
        fprintf(out, "%.0f min", minutes);
    else if (hours < 47.5)
        fprintf(out, "%d h %d min", (int)hours, (int)(minutes - 60 * (int)hours));
    else
        fprintf(out, "%.4g days", hours / 24);
}

void hbg_tool_watch_left(double left) {
    if (!isnan(left)) {
        fputs(", ", stderr);
        put_duration(stderr, left);
        fputs(" left", stderr);
    }
    fputs("\033[K", stderr);
}

/* Only printing is left: a signal may end that at once, also if the standard output accepts nothing. */
void hbg_tool_watch_end(tool_watch *watch) {
    hear(SIG_DFL);
    if (watch->line) fputs("\r\033[K", stderr);
}

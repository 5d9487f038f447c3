/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * What takes long shows how far it is, and ends cleanly at Ctrl-C. */
#include "tool/tool_impl.h"

#include <math.h>
#include <signal.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* ---- Ctrl-C ------------------------------------------------------------------------------------------- */

/* All a signal handler can reach. Blocking the signal would not do: threads of other libraries would get it. */
static volatile sig_atomic_t interrupts;

/* Who asks three times does not want to wait for a clean end. */
static void on_interrupt(int number) {
    if (++interrupts < 3) return;
    signal(number, SIG_DFL);
    raise(number);
}

bool tool_interrupted(void) {
    return interrupts != 0;
}

/* ---- how far it is ------------------------------------------------------------------------------------ */

static double now(void) {
    struct timespec time;
    return clock_gettime(CLOCK_MONOTONIC, &time) == 0 ? (double)time.tv_sec + 1e-9 * (double)time.tv_nsec : 0;
}

void tool_watch_look(tool_watch *watch, bool quiet) {
    memset(watch, 0, sizeof *watch);
    watch->start = watch->shown = now();
    watch->terminal = !quiet && isatty(STDERR_FILENO);
}

/* Whoever started us with Ctrl-C switched off does not want us to hear of it. */
void tool_watch_begin(tool_watch *watch, bool quiet) {
    struct sigaction before, action = {.sa_handler = on_interrupt, .sa_flags = SA_RESTART};
    tool_watch_look(watch, quiet);
    if (sigaction(SIGINT, NULL, &before) == 0 && before.sa_handler != SIG_IGN)
        sigaction(SIGINT, &action, NULL);
}

double tool_watch_spent(const tool_watch *watch) {
    return now() - watch->start;
}

bool tool_watch_due(tool_watch *watch, double share, double *left) {
    double time = now(), spent = time - watch->start;
    if (!watch->terminal || spent < 1 || time - watch->shown < 0.2) return false;
    watch->shown = time;
    watch->line = true;
    *left = share > 0 ? spent * (1 - share) / share : NAN;
    return true;
}

/* "40 s", "12 min", "3 h 5 min", "6 days": nobody plans an afternoon by seconds. */
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

void tool_watch_left(double left) {
    if (!isnan(left)) {
        fputs(", ", stderr);
        put_duration(stderr, left);
        fputs(" left", stderr);
    }
    fputs("\033[K", stderr);
}

void tool_watch_end(tool_watch *watch) {
    if (watch->line) fputs("\r\033[K", stderr);
}

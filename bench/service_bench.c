/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The language service while one types in a text of a thousand lines: from a key press to the diagnostics of the text that then stands, and
 * to a completion. Every other press leaves the text wrong, as typing does. The best of several rounds: others use the machine, too. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "hbg/service.h"

#define LINES  1000
#define ROUNDS 20
#define BAR    0.050 /* s */

static double now(void) {
    struct timespec time;
    (void)clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* Cells of ten lines that hang on one another: an element, a junction with its automaton, bonds. */
static char *make_text(void) {
    size_t room = LINES * 80, size = 0;
    char *text = malloc(room);
    if (!text) return NULL;
    size += (size_t)snprintf(text, room,
                             "model Long {\n    Se source(12 [V]);\n    0 node0;\n    source -> node0;\n");
    for (int i = 1; i <= (LINES - 5) / 10; i++)
        size += (size_t)snprintf(text + size, room - size,
                                 "    param R%d = %d [Ohm];\n    R r%d(R%d);\n    C c%d(%d [uF]);\n    1 j%d "
                                 "when a%d;\n    0 node%d;\n"
                                 "    node%d -> j%d -> node%d -> c%d;\n    j%d -> r%d;\n"
                                 "    automaton a%d { on x -> y when j%d.f > %d [A];\n        off y -> x "
                                 "when node%d.e < 1 [V]; }\n"
                                 "    output v%d = node%d.e;\n",
                                 i, i, i, i, i, i, i, i, i, i - 1, i, i, i, i, i, i, i, i, i, i, i);
    (void)snprintf(text + size, room - size, "}\n");
    return text;
}

/* One key and what comes of it, s; negative: it failed, or the text is not as wrong or right as it should be. */
static double press(hbg_service *service, size_t start, size_t end, const char *key, bool complete) {
    hbg_service_diagnostics found;
    hbg_service_completions completions;
    double begin = now();
    if (hbg_service_change(service, "long.hbg", start, end, key, strlen(key)) != HBG_OK) return -1;
    hbg_status status = complete ? hbg_service_complete(service, "long.hbg", start, &completions)
                                 : hbg_service_diagnose(service, "long.hbg", &found);
    double spent = now() - begin;
    if (!complete && (found.count > 0) != (key[0] != 0))
        return -1; // what is typed breaks it, taking it back mends it
    return status == HBG_OK ? spent : -1;
}

int main(void) {
    char *text = make_text();
    hbg_service *service;
    if (!text || hbg_service_new(NULL, &service) != HBG_OK) return 2;
    size_t size = strlen(text), middle = (size_t)(strstr(text, "    R r50(") - text);
    double best[3] = {1e9, 1e9, 1e9};
    if (hbg_service_open(service, "long.hbg", text, size) != HBG_OK) return 2;
    for (int i = 0; i < ROUNDS; i++) {
        double wrong = press(service, middle, middle, "R", false),
               right = press(service, middle, middle + 1, "", false);
        double completed = press(service, middle, middle, " ", true);
        double spent[] = {wrong, right, completed};
        for (int k = 0; k < 3; k++) {
            if (spent[k] < 0) return 2;
            if (spent[k] < best[k]) best[k] = spent[k];
        }
        if (press(service, middle, middle + 1, "", false) < 0) return 2;
    }
    static const char *const what[] = {"diagnostics of a wrong text", "diagnostics of a model", "completion"};
    bool fine = true;
    for (int k = 0; k < 3; k++) {
        printf("key press to %-28s %6.1f ms on %d lines, bar %.0f ms\n", what[k], 1e3 * best[k], LINES,
               1e3 * BAR);
        fine = fine && best[k] <= BAR;
    }
    hbg_service_free(service);
    free(text);
    return fine ? 0 : 1;
}

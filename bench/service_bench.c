/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The language service while one types in a text of a thousand lines: from a key press to the diagnostics of the text that then stands, and
 * to whatever else an editor asks about it. Every other press leaves the text wrong, as typing does. The best of several rounds: others use the machine, too. */
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

/* ---- questions ---------------------------------------------------------------------------------------- */

typedef struct {
    size_t middle; /* where keys are pressed */
    size_t name;   /* of a storage before that */
} places;

typedef hbg_status question(hbg_service *service, const places *at, bool wrong);

/* What is typed breaks the text, taking it back mends it. */
static hbg_status diagnose(hbg_service *service, const places *at, bool wrong) {
    (void)at;
    hbg_service_diagnostics found;
    hbg_status status = hbg_service_diagnose(service, "long.hbg", &found);
    return status == HBG_OK && (found.count > 0) != wrong ? HBG_BAD_MODEL : status;
}

static hbg_status complete(hbg_service *service, const places *at, bool wrong) {
    (void)wrong;
    hbg_service_completions found;
    hbg_status status = hbg_service_complete(service, "long.hbg", at->middle, &found);
    return status == HBG_OK && found.count == 0 ? HBG_NOT_FOUND : status;
}

static hbg_status outline(hbg_service *service, const places *at, bool wrong) {
    (void)at, (void)wrong;
    hbg_service_symbols found;
    hbg_status status = hbg_service_outline(service, "long.hbg", &found);
    return status == HBG_OK && found.count < LINES / 2 ? HBG_NOT_FOUND : status;
}

static hbg_status colour(hbg_service *service, const places *at, bool wrong) {
    (void)at, (void)wrong;
    hbg_service_tokens found;
    hbg_status status = hbg_service_tokens_of(service, "long.hbg", &found);
    return status == HBG_OK && found.count < LINES ? HBG_NOT_FOUND : status;
}

/* A text with errors has no inlays. */
static hbg_status hint(hbg_service *service, const places *at, bool wrong) {
    (void)at;
    hbg_service_hints found;
    hbg_status status = hbg_service_hints_of(service, "long.hbg", &found);
    return status == HBG_OK && (found.count == 0) != wrong ? HBG_NOT_FOUND : status;
}

static hbg_status hover(hbg_service *service, const places *at, bool wrong) {
    (void)wrong;
    hbg_service_hover found;
    hbg_status status = hbg_service_hover_at(service, "long.hbg", at->name, &found);
    return status == HBG_OK && strcmp(found.name, "c49") != 0 ? HBG_NOT_FOUND : status;
}

static hbg_status rename_storage(hbg_service *service, const places *at, bool wrong) {
    (void)wrong;
    hbg_service_edits found;
    hbg_status status = hbg_service_rename(service, "long.hbg", at->name, "store", &found);
    return status == HBG_OK && found.count != 2 ? HBG_NOT_FOUND : status; // declared, bonded
}

static const struct {
    const char *what;
    question *ask;
} questions[] = {
    {"diagnostics", diagnose},   {"completion", complete}, {"outline", outline},
    {"semantic tokens", colour}, {"inlays", hint},         {"hover", hover},
    {"rename", rename_storage},
};
enum { QUESTIONS = sizeof questions / sizeof *questions };

/* One key and the answer to a question about the text that then stands, s; negative: it failed. */
static double press(hbg_service *service, const places *at, size_t end, const char *key, question *ask) {
    double begin = now();
    if (hbg_service_change(service, "long.hbg", at->middle, end, key, strlen(key)) != HBG_OK) return -1;
    hbg_status status = ask(service, at, key[0] != 0);
    return status == HBG_OK ? now() - begin : -1;
}

int main(void) {
    char *text = make_text();
    hbg_service *service;
    if (!text || hbg_service_new(NULL, &service) != HBG_OK) return 2;
    places at = {(size_t)(strstr(text, "    R r50(") - text), (size_t)(strstr(text, "c49(") - text)};
    if (hbg_service_open(service, "long.hbg", text, strlen(text)) != HBG_OK) return 2;
    bool fine = true;
    for (int k = 0; k < QUESTIONS; k++) {
        double best[2] = {1e9, 1e9}; // of a model, of a wrong text
        for (int i = 0; i < ROUNDS; i++)
            for (int wrong = 1; wrong >= 0; wrong--) {
                double spent =
                    press(service, &at, at.middle + (wrong ? 0 : 1), wrong ? "R" : "", questions[k].ask);
                if (spent < 0) {
                    fprintf(stderr, "%s: failed\n", questions[k].what);
                    return 2;
                }
                if (spent < best[wrong]) best[wrong] = spent;
            }
        for (int wrong = 1; wrong >= 0; wrong--) {
            printf("key press to %-15s of a %-10s %6.1f ms on %d lines, bar %.0f ms\n", questions[k].what,
                   wrong ? "wrong text" : "model", 1e3 * best[wrong], LINES, 1e3 * BAR);
            fine = fine && best[wrong] <= BAR;
        }
    }
    hbg_service_free(service);
    free(text);
    return fine ? 0 : 1;
}

/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Random small models with what random graphs lack: laws that are no straight lines, angles, what throws back, parameters and states with a
 * range. Two automata of two states, whose guards are known by their place. */
#ifndef HBG_TESTS_VERIFY_ANSWERS_MODEL_IMPL_H
#define HBG_TESTS_VERIFY_ANSWERS_MODEL_IMPL_H

#include <stdio.h>

#include "eqn/hybrid_trial_impl.h"

enum { ANSWER_GUARDS = 4, ANSWER_TEXT = 300 };

typedef enum { FAMILY_LAWS, FAMILY_ANGLE, FAMILY_THROW, FAMILY_JOINED, FAMILY_COUNT } answer_family;

typedef struct {
    answer_family family;
    char elements[1200], ranges[300];
    char guards[ANSWER_GUARDS][ANSWER_TEXT]; /* a: off to on, on to off; b: the same */
    bool second;                             /* there is a b */
    char text[6000];
} answer_model;

/* Declarations; `%s` stands for what is drawn. */
static inline void write_elements(answer_model *m, test_random *random) {
    static const char *const resistors[] = {"R r(1);", "R r : e = f + f^3;", "R r : e = f*abs(f);",
                                            "R r : f = sign(e)*sqrt(abs(e));", "R r : f = e + e^3;"};
    static const char *const storages[] = {"C c(1);", "C c : e = q + q^3;", "C c : e = q + 0.5*q*abs(q);"};
    const char *r = resistors[random_below(random, 5)], *c = storages[random_below(random, 3)];
    switch (m->family) {
    case FAMILY_LAWS:
        snprintf(m->elements, sizeof m->elements,
                 "%s %s 0 n; 1 j when a; n -> c; n -> j -> r;\n"
                 "C d(1); R s(k); 0 m; 1 l when b; m -> d; m -> l -> s; Sf fill(0.5); fill -> m;\n",
                 c, r);
        break;
    case FAMILY_ANGLE:
        snprintf(m->elements, sizeof m->elements,
                 "I c(1); 1 n; n -> c; Se g(-sin(th)); g -> n; state th = 0 : der = n.f;\n"
                 "R r(1); 1 j when a; 0 h; n -> h -> j -> r; C d(1); R s(k); 0 m; 1 l when b; m -> d; m -> l "
                 "-> s;\n");
        break;
    case FAMILY_THROW:
        snprintf(m->elements, sizeof m->elements,
                 random_chance(random, 50)
                     ? "I c(1); 1 n; n -> c; Se g(-1); g -> n; state x = 0 : der = n.f;\n"
                       "Sf u(0); 0 j when a restitution 0.5; u -> j -> n;\n"
                       "C d(1); R s(k); 0 m; 1 l when b; m -> d; m -> l -> s;\n"
                     : "I c(1); 1 n; n -> c; Se g(-1); g -> n; state x = 0 : der = n.f;\n"
                       "Sf u(-k*pre(n.f)); 0 j when a; u -> j -> n;\n"
                       "C d(1); R s(1); 0 m; 1 l when b; m -> d; m -> l -> s;\n");
        break;
    default:
        snprintf(m->elements, sizeof m->elements,
                 "C c(1); C d(k); 0 n; 0 m; 1 j when a; n -> c; m -> d; n -> j -> m; %s 1 l when b; m -> l "
                 "-> r;\n",
                 random_chance(random, 70) ? "R r(1);" : "R r : e = f + f^3;");
        break;
    }
}

static inline const char *draw_read(const answer_model *m, test_random *random, int automaton) {
    static const char *const reads[FAMILY_COUNT][2][5] = {
        [FAMILY_LAWS] = {{"j.f", "c.q", "n.e", "c.q^2", "k*c.q"},
                         {"l.f", "d.q", "m.e", "max(d.q, 0.3)", "d.q - c.q"}},
        [FAMILY_ANGLE] = {{"sin(th)", "cos(th)", "c.p", "sin(2*th)", "n.f"},
                          {"l.f", "d.q", "sin(th)", "k*d.q", "abs(d.q)"}},
        [FAMILY_THROW] = {{"n.f", "x", "c.p", "pre(n.f)", "pre(c.p)"}, {"d.q", "l.f", "x", "k*d.q", "n.f"}},
        [FAMILY_JOINED] = {{"c.q", "n.e", "c.q - k*d.q", "impulse(j.f)", "pre(c.q)"},
                           {"l.f", "d.q", "m.e", "c.q", "pre(d.q)"}}};
    return reads[m->family][automaton][random_below(random, 5)];
}

/* Bounds of different guards are never the same: at one of them only one relation is at equality. */
static inline void write_answer_guard(answer_model *m, test_random *random, int guard) {
    char *text = m->guards[guard];
    const char *signs[] = {">", "<", ">=", "<="};
    double size = m->family == FAMILY_ANGLE ? 1 : 2;
    int automaton = guard / 2;
    double edge = size * random_eighths(random, -7, 7) + guard / 64.0 + 1 / 128.0;
    int used = snprintf(text, ANSWER_TEXT, "%s %s %g", draw_read(m, random, automaton),
                        signs[random_below(random, 4)], edge);
    if (random_chance(random, 30))
        snprintf(text + used, (size_t)(ANSWER_TEXT - used), " && %s %s %g", draw_read(m, random, automaton),
                 signs[random_below(random, 4)],
                 size * random_eighths(random, -7, 7) + guard / 64.0 + 3 / 256.0);
    else if (random_chance(random, 15) && m->second)
        snprintf(text + used, (size_t)(ANSWER_TEXT - used), " && %s", automaton ? "a.x" : "b.o");
}

static inline void write_answer_text(answer_model *m) {
    int used = snprintf(m->text, sizeof m->text,
                        "model M {\nparam k = 1;\n%s"
                        "automaton a { off o -> x when %s; on x -> o when %s; }\n",
                        m->elements, m->guards[0], m->guards[1]);
    used +=
        m->second
            ? snprintf(m->text + used, sizeof m->text - (size_t)used,
                       "automaton b { off o -> x when %s; on x -> o when %s; }\n", m->guards[2], m->guards[3])
            : snprintf(m->text + used, sizeof m->text - (size_t)used,
                       "input bool b0 = false; automaton b { off o -> x when b0; on x -> o when !b0; }\n");
    snprintf(m->text + used, sizeof m->text - (size_t)used, "%sexperiment all { stop 1; record time; }\n}\n",
             m->ranges);
}

static inline void draw_answer_model(answer_model *m, test_random *random) {
    memset(m, 0, sizeof *m);
    m->family = (answer_family)random_below(random, FAMILY_COUNT);
    m->second = true;
    write_elements(m, random);
    for (int i = 0; i < ANSWER_GUARDS; i++) write_answer_guard(m, random, i);
    bool angle = m->family == FAMILY_ANGLE && random_chance(random, 30);
    snprintf(m->ranges, sizeof m->ranges, "verify { range k in [%s]; %s %s }\n",
             random_chance(random, 50) ? "0.5, 2" : "1, 1.5",
             random_chance(random, 30) ? "range d.q in [-1, 2];" : "", angle ? "range th in [-1, 1];" : "");
    write_answer_text(m);
}

#endif

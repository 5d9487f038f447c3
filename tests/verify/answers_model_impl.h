/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Random small models with what random graphs lack: laws that are no straight lines and loops of them, angles, what throws back, what has
 * a value in some modes only, functions that end somewhere, constants that are no fractions, parameters and states with a range,
 * sources in conflict and nodes that float. Two automata of two states, whose guards are known by their place. */
#ifndef HBG_TESTS_VERIFY_ANSWERS_MODEL_IMPL_H
#define HBG_TESTS_VERIFY_ANSWERS_MODEL_IMPL_H

#include <stdio.h>

#include "eqn/hybrid_trial_impl.h"

enum { ANSWER_GUARDS = 4, ANSWER_TEXT = 300, ANSWER_READS = 14 };

typedef enum {
    FAMILY_LAWS,
    FAMILY_ANGLE,
    FAMILY_THROW,
    FAMILY_STRUCK,
    FAMILY_JOINED,
    FAMILY_LOOP,
    FAMILY_OFF,
    FAMILY_ENDS,
    FAMILY_FIGHT,
    FAMILY_FLOAT,
    FAMILY_COUNT
} answer_family;

typedef struct {
    answer_family family;
    char elements[1200], ranges[300];
    char guards[ANSWER_GUARDS][ANSWER_TEXT]; /* a: off to on, on to off; b: the same */
    char text[6000];
} answer_model;

#define DRAW(random, list) (list)[random_below(random, (int)(sizeof(list) / sizeof *(list)))]

/* ---- elements ---------------------------------------------------------------------------------------------- */

/* A number that is no fraction. */
static inline const char *draw_constant(test_random *random) {
    static const char *const constants[] = {"sqrt(2)", "pi/3",      "cos(1)", "2*exp(-1)",
                                            "sin(2)",  "cbrt(3)/2", "log(4)", "tanh(1)"};
    return DRAW(random, constants);
}

static inline const char *draw_factor(test_random *random) {
    return random_chance(random, 90) ? "1" : draw_constant(random);
}

/* One unknown, or two, whose law is a power or a product: behind a resistance, beside one, or alone. */
static inline void write_loop(answer_model *m, test_random *random) {
    static const char *const laws[] = {"e = f*abs(f)",        "e = f^3",         "e = f + f^3",
                                       "e = f^3 + f*abs(f)",  "e = sign(f)*f^2", "f = e^3",
                                       "f = 0.5*e + e*abs(e)"};
    static const char *const shapes[] = {"j -> r;", "j -> r; j -> t; R t(k);", "j -> r; j -> t; R t(0.5);",
                                         "j -> t; R t(1); j -> p -> r; 0 p; p -> v; R v(2);"};
    const char *law = DRAW(random, laws), *shape = DRAW(random, shapes);
    snprintf(m->elements, sizeof m->elements,
             "C c(%s); 0 n; n -> c; 1 j when a; n -> j; R r : %s; %s\n"
             "C d(1); R s(k); 0 m; 1 l when b; m -> d; m -> l -> s;\n",
             draw_factor(random), law, shape);
}

/* What the bonds of a junction have in common is nothing while it is off: a source that leaks, or pulls, when it is on. */
static inline void write_off(answer_model *m, test_random *random) {
    bool dual = random_chance(random, 50);
    snprintf(
        m->elements, sizeof m->elements,
        dual
            ? "I c(1); 1 n; n -> c; 0 j when a off flow; Se u(0.5*%s); u -> j; t: j -> n; R r(1); n -> r;\n"
              "signal y = j.e; signal z = t.f;\nC d(1); R s(k); 0 m; 1 l when b; m -> d; m -> l -> s;\n"
            : "C c(1); 0 n; n -> c; 1 j when a off effort; Sf u(0.5*%s); u -> j; t: j -> n; R r(1); n -> r;\n"
              "signal y = j.f; signal z = t.e;\nC d(1); R s(k); 0 m; 1 l when b; m -> d; m -> l -> s;\n",
        draw_factor(random));
}

/* A body hits another that a lock holds, through what throws back: b is the lock, and a guard may read the pulse that comes through. */
static inline void write_struck(answer_model *m, test_random *random) {
    static const char *const bounces[] = {"0", "0.25", "0.5", "1"};
    static const char *const holds[2][4] = {
        {"R r(k);", "Se r(0.5);", "R r(1); g -> t; R t(2);", "Se r(-0.25);"},
        {"R r(k);", "Sf r(0.5);", "R r(1); g -> t; R t(2);", "Sf r(-0.25);"}};
    bool dual = random_chance(random, 30);
    const char *bounce = DRAW(random, bounces), *hold = holds[dual][random_below(random, 4)];
    snprintf(m->elements, sizeof m->elements,
             dual ? "C c(%s); C d(1); 0 n; 0 h; n -> c; h -> d; 1 j when a restitution %s; n -> j -> h;\n"
                    "1 g; 0 l when b; h -> g; g -> l; l -> r; %s\n"
                  : "I c(%s); I d(1); 1 n; 1 h; n -> c; h -> d; 0 j when a restitution %s; n -> j -> h;\n"
                    "0 g; 1 l when b; h -> g; g -> l; l -> r; %s\n",
             draw_factor(random), bounce, hold);
    snprintf(m->elements + strlen(m->elements), sizeof m->elements - strlen(m->elements),
             "signal y = %s; signal p = %s; signal q = %s; signal u = %s; signal w = %s;\n",
             dual ? "j.f" : "j.e", dual ? "c.q" : "c.p", dual ? "d.q" : "d.p", dual ? "n.e" : "n.f",
             dual ? "g.f" : "g.e");
}

/* Sources that two switches set against each other, or that have nowhere to go; and the dual of it. */
static inline void write_fight(answer_model *m, test_random *random) {
    static const char *const behind[2][3] = {
        {"n -> h; h -> c; I c(1);", "n -> h; h -> c; R c(1);", "n -> h; h -> c; I c(1); h -> t; R t(k);"},
        {"n -> h; h -> c; C c(1);", "n -> h; h -> c; R c(1);", "n -> h; h -> c; C c(1); h -> t; R t(k);"}};
    static const char *const against[] = {"0", "0.5", "k", "-0.75"};
    bool dual = random_chance(random, 50);
    const char *other = DRAW(random, against);
    snprintf(m->elements, sizeof m->elements,
             dual ? "Sf u(k*%s); 0 j when a; 1 n; u -> j -> n; Sf z(%s); 0 l when b; z -> l -> n; 0 h; %s\n"
                    "C d(1); h -> d; signal y = j.e; signal w = l.e; signal q = n.f;\n"
                  : "Se u(k*%s); 1 j when a; 0 n; u -> j -> n; Se z(%s); 1 l when b; z -> l -> n; 1 h; %s\n"
                    "C d(1); h -> d; signal y = j.f; signal w = l.f; signal q = n.e;\n",
             draw_factor(random), other, behind[dual][random_below(random, 3)]);
}

/* A node between switches that has a level of its own only while one of them is on. */
static inline void write_float(answer_model *m, test_random *random) {
    bool dual = random_chance(random, 50), shared = random_chance(random, 40);
    snprintf(m->elements, sizeof m->elements,
             dual ? "Sf u(k*%s); 0 j when a; 1 n; 0 l when b; u -> j; j -> n; n -> l; 1 m; l -> m; I d(1);"
                    " m -> d; R r(1); m -> r; %s\n signal y = j.e; signal w = l.e; signal q = n.f; signal x "
                    "= d.p;\n"
                  : "Se u(k*%s); 1 j when a; 0 n; 1 l when b; u -> j; j -> n; n -> l; 0 m; l -> m; C d(1);"
                    " m -> d; R r(1); m -> r; %s\n signal y = j.f; signal w = l.f; signal q = n.e; signal x "
                    "= d.q;\n",
             draw_factor(random),
             !shared ? ""
             : dual  ? "0 g when a; n -> g -> m;"
                     : "1 g when a; n -> g -> m;");
}

static inline void write_elements(answer_model *m, test_random *random) {
    static const char *const resistors[] = {"R r(1);", "R r : e = f + f^3;", "R r : e = f*abs(f);",
                                            "R r : f = sign(e)*sqrt(abs(e));", "R r : f = e + e^3;"};
    static const char *const storages[] = {"C c(1);", "C c : e = q + q^3;", "C c : e = q + 0.5*q*abs(q);"};
    const char *r = DRAW(random, resistors), *c = DRAW(random, storages), *w = draw_factor(random);
    switch (m->family) {
    case FAMILY_LAWS:
        snprintf(m->elements, sizeof m->elements,
                 "%s %s 0 n; 1 j when a; n -> c; n -> j -> r;\n"
                 "C d(1); R s(k); 0 m; 1 l when b; m -> d; m -> l -> s; Sf fill(0.5*%s); fill -> m;\n",
                 c, r, w);
        break;
    case FAMILY_ANGLE:
        snprintf(m->elements, sizeof m->elements,
                 "I c(1); 1 n; n -> c; Se g(-%s*sin(th)); g -> n; state th = 0 : der = n.f;\n"
                 "R r(1); 1 j when a; 0 h; n -> h -> j -> r; C d(1); R s(k); 0 m; 1 l when b; m -> d; m -> l "
                 "-> s;\n",
                 w);
        break;
    case FAMILY_THROW:
        snprintf(m->elements, sizeof m->elements,
                 random_chance(random, 60)
                     ? "I c(%s); 1 n; n -> c; Se g(-1); g -> n; state x = 0 : der = n.f;\n"
                       "Sf u(0); 0 j when a restitution 0.5; u -> j -> n;\n"
                       "C d(1); R s(k); 0 m; 1 l when b; m -> d; m -> l -> s;\n"
                     : "I c(%s); 1 n; n -> c; Se g(-1); g -> n; state x = 0 : der = n.f;\n"
                       "Sf u(-k*pre(n.f)); 0 j when a; u -> j -> n;\n"
                       "C d(1); R s(1); 0 m; 1 l when b; m -> d; m -> l -> s;\n",
                 w);
        break;
    case FAMILY_STRUCK: write_struck(m, random); break;
    case FAMILY_LOOP: write_loop(m, random); break;
    case FAMILY_OFF: write_off(m, random); break;
    case FAMILY_FIGHT: write_fight(m, random); break;
    case FAMILY_FLOAT: write_float(m, random); break;
    default:
        snprintf(m->elements, sizeof m->elements,
                 "C c(%s); C d(k); 0 n; 0 m; 1 j when a; n -> c; m -> d; n -> j -> m; %s 1 l when b; m -> l "
                 "-> r;\n",
                 w, random_chance(random, 70) || m->family == FAMILY_ENDS ? "R r(1);" : "R r : e = f + f^3;");
        break;
    }
}

/* ---- guards ------------------------------------------------------------------------------------------------ */

static inline const char *draw_read(const answer_model *m, test_random *random, int automaton) {
    static const char *const reads[FAMILY_COUNT][2][ANSWER_READS] = {
        [FAMILY_LAWS] = {{"j.f", "c.q", "n.e", "c.q^2", "k*c.q"},
                         {"l.f", "d.q", "m.e", "max(d.q, 0.3)", "d.q - c.q"}},
        [FAMILY_ANGLE] = {{"sin(th)", "cos(th)", "c.p", "sin(2*th)", "n.f"},
                          {"l.f", "d.q", "sin(th)", "k*d.q", "abs(d.q)"}},
        [FAMILY_THROW] = {{"n.f", "x", "c.p", "pre(n.f)", "pre(c.p)", "in(a.x, n.f)", "in(a.o, n.f)",
                           "in(a.x, c.p - pre(c.p))", "impulse(in(a.x, n.f))", "j.e", "impulse(j.e)",
                           "der(n.f)"},
                          {"d.q", "l.f", "x", "k*d.q", "n.f", "in(a.x, n.f)", "in(a.x, impulse(j.e))", "j.e",
                           "impulse(j.e)", "in(a.x, j.e)"}},
        [FAMILY_STRUCK] = {{"u", "p - q", "y", "impulse(y)", "pre(u)", "impulse(w)", "in(a.x, y)",
                            "in(b.o, impulse(w))", "q", "in(a.o, w)", "der(u)"},
                           {"w", "impulse(w)", "abs(impulse(w))", "impulse(y)", "q", "in(b.o, w)",
                            "in(b.o, impulse(w))", "in(b.x, y)", "p", "pre(u)", "impulse(w - 2*y)",
                            "in(b.x, q)", "finite(w)", "impulse(der(u))"}},
        [FAMILY_JOINED] = {{"c.q", "n.e", "c.q - k*d.q", "impulse(j.f)", "pre(c.q)"},
                           {"l.f", "d.q", "m.e", "c.q", "pre(d.q)"}},
        [FAMILY_LOOP] = {{"j.f", "j.f^2", "j.f^3", "j.f*abs(j.f)", "c.q*j.f", "r.e", "r.e*r.f",
                          "in(a.x, j.f^2)", "in(a.x, c.q*r.f)", "k*j.f", "pre(j.f^2)"},
                         {"l.f", "d.q", "d.q*j.f", "j.f^2 - d.q", "in(a.x, j.f^3)", "pre(r.e*r.f)"}},
        [FAMILY_OFF] = {{"z", "in(a.x, y)", "r.f", "pre(z)", "(a.x ? y : 0.3)", "y"},
                        {"d.q", "l.f", "in(a.x, y)", "(a.x ? y : d.q)", "in(a.o, z)", "pre(a.x ? y : 0.7)",
                         "z", "y"}},
        [FAMILY_FIGHT] = {{"y", "k*y", "q", "c.f", "abs(y)", "max(y, 0.3)", "impulse(y)", "pre(y)",
                           "in(b.x, y)", "in(a.o, q)", "y - w", "-y/2", "finite(y)", "d.q"},
                          {"w", "2*w", "q", "d.q", "min(w, q)", "sign(w)", "impulse(w)", "pre(q)",
                           "in(a.x, w)", "in(b.x, w)", "w + y", "(a.x ? w : d.q)", "c.e", "u.f - z.f"}},
        [FAMILY_FLOAT] = {{"y", "q", "x", "in(a.x, y)", "k*q", "pre(q)", "abs(q)", "impulse(y)",
                           "in(b.o, q)"},
                          {"w", "q", "x", "in(b.x, w)", "q - x", "pre(w)", "impulse(w)", "u.f", "u.e"}},
        [FAMILY_ENDS] = {{"log(c.q)", "pre(log(c.q))", "in(a.x, sqrt(c.q))", "sqrt(c.q - d.q)",
                          "pre(sqrt(c.q))", "asin(c.q)", "pre(asin(c.q))", "c.q % 1", "pre(c.q % 1)",
                          "in(a.x, asin(d.q))", "(c.q > 0 ? log(c.q) : -1)", "in(a.o, log(d.q))"},
                         {"log(d.q)", "pre(log(d.q))", "in(b.x, sqrt(d.q))", "sqrt(d.q)", "d.q", "l.f",
                          "in(a.x, acos(d.q))", "in(a.x, c.q % 1)", "pre(d.q % 1)", "sqrt(1 - d.q^2)"}}};
    const char *const *of = reads[m->family][automaton];
    int count = 0;
    while (count < ANSWER_READS && of[count]) count++;
    return of[random_below(random, count)];
}

/* Bounds of different guards are never the same: at one of them only one relation is at equality. */
static inline int write_relation(const answer_model *m, test_random *random, int guard, double apart,
                                 char *text) {
    static const char *const signs[] = {">", "<", ">=", "<="};
    double size = m->family == FAMILY_ANGLE || m->family == FAMILY_ENDS ? 1 : 2;
    const char *read = draw_read(m, random, guard / 2), *sign = DRAW(random, signs);
    double edge = size * random_eighths(random, -7, 7) + guard / 64.0 + apart;
    // what has a value in one state only is looked at there
    const char *there =
        m->family == FAMILY_OFF && strcmp(read, "y") == 0 && random_chance(random, 70) ? "a.x && " : "";
    if (random_chance(random, 8))
        return snprintf(text, ANSWER_TEXT / 2, "%s%s %s %g*%s", there, read, sign, edge,
                        draw_constant(random));
    return snprintf(text, ANSWER_TEXT / 2, "%s%s %s %g", there, read, sign, edge);
}

static inline void write_answer_guard(answer_model *m, test_random *random, int guard) {
    char *text = m->guards[guard];
    int used = write_relation(m, random, guard, 1 / 128.0, text);
    if (random_chance(random, 30)) {
        used += snprintf(text + used, (size_t)(ANSWER_TEXT - used), " && ");
        write_relation(m, random, guard, 3 / 256.0, text + used);
    } else if (random_chance(random, 15)) {
        snprintf(text + used, (size_t)(ANSWER_TEXT - used), " && %s", guard / 2 ? "a.x" : "b.o");
    }
}

/* ---- all of it --------------------------------------------------------------------------------------------- */

static inline void write_answer_text(answer_model *m) {
    snprintf(m->text, sizeof m->text,
             "model M {\nparam k = 1;\n%s"
             "automaton a { off o -> x when %s; on x -> o when %s; }\n"
             "automaton b { off o -> x when %s; on x -> o when %s; }\n"
             "%sexperiment all { stop 1; record time; }\n}\n",
             m->elements, m->guards[0], m->guards[1], m->guards[2], m->guards[3], m->ranges);
}

static inline const char *draw_range(const answer_model *m, test_random *random, const char *usual,
                                     int chance) {
    static const char *const ends[] = {"[0, 1]", "[-1, 1]", "[0, 2]", "[0.25, 1.5]"};
    if (m->family == FAMILY_ENDS) return random_chance(random, 70) ? DRAW(random, ends) : NULL;
    return random_chance(random, chance) ? usual : NULL;
}

/* Families take turns: a few seeds in a row have all of them. */
static inline void draw_answer_model(answer_model *m, uint64_t seed, test_random *random) {
    memset(m, 0, sizeof *m);
    m->family = (answer_family)(seed % FAMILY_COUNT);
    write_elements(m, random);
    for (int i = 0; i < ANSWER_GUARDS; i++) write_answer_guard(m, random, i);
    int used = snprintf(m->ranges, sizeof m->ranges, "verify { range k in [%s];",
                        random_chance(random, 50) ? "0.5, 2" : "1, 1.5");
    const char *names[] = {m->family == FAMILY_ANGLE  ? "th"
                           : m->family == FAMILY_ENDS ? "c.q"
                                                      : NULL,
                           m->family == FAMILY_STRUCK || m->family == FAMILY_FLOAT ? NULL : "d.q"};
    const char *usual[] = {"[-1, 1]", "[-1, 2]"};
    for (int i = 0; i < 2; i++) {
        const char *range = names[i] ? draw_range(m, random, usual[i], 30) : NULL;
        if (range)
            used += snprintf(m->ranges + used, sizeof m->ranges - (size_t)used, " range %s in %s;", names[i],
                             range);
    }
    snprintf(m->ranges + used, sizeof m->ranges - (size_t)used, " }\n");
    write_answer_text(m);
}

#endif

/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Guards as programs, from the text of a model to a truth. Values with pulses, fin + area·δ, are put where the code of an instant would
 * leave them; what is judged on them is what holds between numbers fin + area·n for an n that is larger than anything else. */
#include "causal/graph_impl.h"
#include "eqn/fixture_impl.h"
#include "term/identities_impl.h"

enum { VALUES = 4, GUARDS = 30, DRAWS = 40, DEPTH = 3, LARGE = 1 << 30 };

static const char *const names[VALUES] = {"j.f", "k.f", "nb.e", "a.e"};

/* ---- random guards ------------------------------------------------------------------------------------ */

/* Writes a term, or takes its value; the same random numbers give the same term. */
typedef struct {
    test_random random;
    char *text; /* where it is written; NULL: nowhere */
    const double *values;
} writer;

static void put(writer *w, const char *text) {
    if (w->text) w->text = stpcpy(w->text, text);
}

static bool truth(writer *w, int depth);

static double term(writer *w, int depth) {
    static const char *const signs[] = {"+", "-"};
    static const char *const factors[] = {"2*", "-3*", "0.5*"};
    int draw = random_below(&w->random, depth == 0 ? 2 : 8), which;
    double a, b;
    put(w, "(");
    switch (draw) {
    case 0:
        which = random_below(&w->random, 3);
        put(w, which == 0 ? "0" : which == 1 ? "1" : "2");
        a = which;
        break;
    case 1:
        which = random_below(&w->random, VALUES);
        put(w, names[which]);
        a = w->values ? w->values[which] : 0;
        break;
    case 2:
        which = random_below(&w->random, 2);
        a = term(w, depth - 1);
        put(w, signs[which]);
        b = term(w, depth - 1);
        a = which == 0 ? a + b : a - b;
        break;
    case 3:
        which = random_below(&w->random, 3);
        put(w, factors[which]);
        a = (const double[]){2, -3, 0.5}[which] * term(w, depth - 1);
        break;
    case 4:
        put(w, "abs");
        a = fabs(term(w, depth - 1));
        break;
    case 5:
        which = random_below(&w->random, 2);
        put(w, which == 0 ? "min(" : "max(");
        a = term(w, depth - 1);
        put(w, ",");
        b = term(w, depth - 1);
        put(w, ")");
        a = which == 0 ? fmin(a, b) : fmax(a, b);
        break;
    case 6:
        put(w, "sign");
        a = term(w, depth - 1);
        a = (a > 0) - (a < 0);
        break;
    default: {
        bool holds = truth(w, depth - 1);
        put(w, "?");
        a = term(w, depth - 1);
        put(w, ":");
        b = term(w, depth - 1);
        a = holds ? a : b;
    }
    }
    put(w, ")");
    return a;
}

static bool truth(writer *w, int depth) {
    static const char *const relations[] = {"<", "<=", ">", ">=", "==", "!="};
    int draw = random_below(&w->random, depth == 0 ? 1 : 4), which = random_below(&w->random, 6);
    bool holds, other;
    put(w, "(");
    if (draw == 1) {
        put(w, "!");
        holds = !truth(w, depth - 1);
    } else if (draw == 2) {
        holds = truth(w, depth - 1);
        put(w, which < 3 ? "&&" : "||");
        other = truth(w, depth - 1);
        holds = which < 3 ? holds && other : holds || other;
    } else {
        double a = term(w, depth);
        put(w, relations[which]);
        double b = term(w, depth);
        holds = which == 0   ? a < b
                : which == 1 ? a <= b
                : which == 2 ? a > b
                : which == 3 ? a >= b
                : which == 4 ? a == b
                             : a != b;
    }
    put(w, ")");
    return holds;
}

/* ---- models ------------------------------------------------------------------------------------------- */

#define BODY                                                                                                 \
    "model M { C a(1, e = 1); C b(1); C c(1); 0 na; 0 nb; 0 nc; 1 j when w; 1 k when w;"                     \
    "na -> a; nb -> b; nc -> c; na -> j -> nb; nb -> k -> nc;"                                               \
    "automaton w { off o -> n when time > 50; on n -> o when time > 99; } signal y = j.f; signal z = k.f;"

static void open_guards(fixture *f, uint64_t seed) {
    static char text[GUARDS * 8192];
    char *end = stpcpy(text, BODY);
    for (int i = 0; i < GUARDS; i++) {
        writer w = {.random = {seed + (uint64_t)i},
                    .text = end + sprintf(end, "automaton g%d { off o -> n when ", i)};
        truth(&w, DEPTH);
        end = stpcpy(w.text, "; off n -> o when time > 99; }");
    }
    stpcpy(end, "}");
    fixture_begin(f, text);
    assert_fine(f, hbg_rt_instant_fit(f->run));
    assert_fine(f, hbg_rt_instant_room(f->run));
}

static void open_identities(fixture *f) {
    static char text[16384];
    char *end = stpcpy(text, BODY);
    for (int i = 0; i < IDENTITIES; i++)
        end += sprintf(end, "automaton g%d { off o -> n when %s; off n -> o when time > 99; }", i, never[i]);
    stpcpy(end, "}");
    fixture_begin(f, text);
    assert_fine(f, hbg_rt_instant_fit(f->run));
    assert_fine(f, hbg_rt_instant_room(f->run));
}

static void put_into(fixture *f, int32_t cell, int32_t reg, double value) {
    f->run->at.event_register[cell] = reg;
    f->run->r[reg] = value;
    f->run->at.size[reg] = fabs(value);
}

/* The value that a cell of this name has at the instant, in two registers; whether it can pulse. Areas of both bonds of a junction, and of
 * the signal that it is, are one: their names have its letter in them. */
static bool give(fixture *f, int which, double fin, double area) {
    const hbg_rt_values *values = &f->run->image->instants.values;
    bool pulses = false;
    for (int32_t i = 0; i < values->cell_count; i++) {
        const hbg_rt_cell *cell = &values->cells[i];
        char name[96];
        hbg_rt_tell(f->run, HBG_RT_WORD_VARIABLE, cell->name, name, sizeof name);
        if (cell->view == HBG_RT_VIEW_AREA && which < 2 && strpbrk(name, which == 0 ? "jy" : "kz"))
            put_into(f, i, 2 * which + 1, area);
        if (cell->view != HBG_RT_VIEW_VALUE || strcmp(name, names[which]) != 0) continue;
        put_into(f, i, 2 * which, fin);
        pulses = cell->area != HBG_NONE;
    }
    assert_int_equal(pulses, which < 2);
    return pulses;
}

/* The program of the first guard of automaton g…. */
static int32_t condition_of(const fixture *f, int number) {
    const hbg_rt_instants *instants = &f->run->image->instants;
    char name[16];
    int32_t i = 0;
    snprintf(name, sizeof name, "g%d", number);
    while (strcmp(f->system->automata[i].name, name) != 0) i++;
    int32_t state = instants->switching.automata[i].states.first;
    return instants->guards.guards[instants->switching.discretes[state].transitions.first].condition;
}

/* The guard that this seed writes was judged wrongly. */
static void fail_with(uint64_t seed, instant_value found, const double values[VALUES]) {
    char text[8192];
    writer again = {.random = {seed}, .text = text};
    truth(&again, DEPTH);
    fail_msg("%s is %g at %.17g %.17g %.17g %.17g", text, found.fin, values[0], values[1], values[2],
             values[3]);
}

static void guards_hold_as_between_large_numbers(void **unused) {
    int32_t held = 0, judged = 0, pulsing = 0;
    (void)unused;
    for (uint64_t seed = 1; seed < 4; seed++) {
        fixture f;
        test_random random = {seed};
        open_guards(&f, 1000 * seed);
        for (int draw = 0; draw < DRAWS; draw++) {
            double values[VALUES];
            for (int i = 0; i < VALUES; i++) {
                double fin = random_below(&random, 5) - 2, area = random_below(&random, 5) - 2;
                bool pulses = give(&f, i, fin, area);
                pulsing += pulses && area != 0;
                values[i] = fin + (pulses ? area * LARGE : 0);
            }
            f.run->at.a_priori = false;
            hbg_rt_new_values(f.run);
            for (int i = 0; i < GUARDS; i++) {
                int32_t condition = condition_of(&f, i);
                writer w = {.random = {1000 * seed + (uint64_t)i}, .values = values};
                bool expected = truth(&w, DEPTH);
                instant_value found = hbg_rt_judge(f.run, condition);
                if ((found.fin != 0) != expected) fail_with(1000 * seed + (uint64_t)i, found, values);
                assert_int_equal((found.truth & HBG_RT_TRUE) != 0, expected);
                held += expected;
                judged++;
            }
        }
        fixture_close(&f);
    }
    assert_true(held > judged / 5 && held < judged * 4 / 5);
    assert_true(pulsing > 100);
}

static void what_holds_of_all_values_holds(void **unused) {
    fixture f;
    test_random random = {5};
    (void)unused;
    open_identities(&f);
    for (int draw = 0; draw < 20 * DRAWS; draw++) {
        for (int i = 0; i < 2; i++)
            assert_true(give(&f, i, random_below(&random, 9) - 4, random_below(&random, 5) - 2));
        hbg_rt_new_values(f.run);
        for (int i = 0; i < IDENTITIES; i++)
            if (hbg_rt_judge(f.run, condition_of(&f, i)).fin != 0)
                fail_msg("%s at %g + %g·δ, %g + %g·δ", never[i], f.run->r[0], f.run->r[1], f.run->r[2],
                         f.run->r[3]);
        assert_int_equal(f.run->at.refused, HBG_NONE);
    }
    fixture_close(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(guards_hold_as_between_large_numbers),
        cmocka_unit_test(what_holds_of_all_values_holds),
    };
    cmocka_set_test_filter(getenv("HBG_TEST_CASES")); // one claim at a time, for mutations
    return cmocka_run_group_tests(tests, NULL, NULL);
}

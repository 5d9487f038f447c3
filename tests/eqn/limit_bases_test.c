/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Lines in a mode that floats: their values and signs for any ratio of parasites, against what is solved with ratios drawn by lot. */
#include "eqn/fixture_impl.h"
#include "eqn/limit_impl.h"

enum { SWITCHES = 4 };

/* Switches, all open, from sources of these voltages to one node. */
static void open_star(fixture *f, const double *volts) {
    char text[1200];
    size_t used = (size_t)snprintf(text, sizeof text, "model M { 0 mid; ");
    for (int i = 0; i < SWITCHES; i++)
        used += (size_t)snprintf(text + used, sizeof text - used,
                                 "Se v%d(%g); 1 s%d when x%d; v%d -> s%d -> mid; automaton x%d { off open -> "
                                 "shut when time > 1; on shut; } ",
                                 i, volts[i], i, i, i, i, i);
    snprintf(text + used, sizeof text - used, "}");
    fixture_open(f, text);
}

static shared_mode *start_mode(fixture *f) {
    hbg_eqn *eqn = f->eqn;
    bool *on = HBG_NEW_ARRAY(&f->arena, bool, eqn->structure->place_count + 1);
    for (int32_t i = 0; i < eqn->structure->place_count; i++) on[i] = !eqn->structure->controlled[i];
    assert_int_equal(eqn->limits.clusters.count, 1);
    return hbg_eqn_shared_mode(eqn, 0, hbg_eqn_limit_in(eqn, 0, on), on);
}

/* The effort of the node, less a threshold. */
static shared_line level(fixture *f, double threshold) {
    shared_line line = {.constant = -threshold};
    for (int32_t i = 0; i < f->model->elements.count && line.parts.count == 0; i++)
        if (f->model->elements.items[i].kind == HBG_KIND_ZERO)
            HBG_PUSH(&f->arena, line.parts,
                     (shared_part){f->eqn->first[VARIABLE_EFFORT] +
                                       f->model->incidence[f->model->incidence_start[i]],
                                   1});
    return line;
}

static double drawn(uint32_t *seed) {
    *seed = *seed * 1664525u + 1013904223u;
    return (double)(*seed >> 8) / (double)(1 << 24);
}

/* The node reads Σ g·v/Σ g. With conductances from 1e-4 to 1e4 this comes near to each of the voltages. */
static shared_answer by_lot(const double *volts, double threshold, uint32_t *seed) {
    double low = INFINITY, high = -INFINITY;
    for (int trial = 0; trial < 4000; trial++) {
        double sum = 0, all = 0;
        for (int i = 0; i < SWITCHES; i++) {
            double g = pow(10, 8 * drawn(seed) - 4);
            sum += g * volts[i];
            all += g;
        }
        low = fmin(low, sum / all - threshold);
        high = fmax(high, sum / all - threshold);
    }
    return low < 0 && high > 0 ? SHARED_SIGN : high - low > 1e-6 ? SHARED_VALUE : SHARED_NOT;
}

static void answers_are_those_of_ratios_drawn_by_lot(void **unused) {
    uint32_t seed = 7;
    (void)unused;
    for (int trial = 0; trial < 40; trial++) {
        fixture f;
        double volts[SWITCHES];
        for (int i = 0; i < SWITCHES; i++) volts[i] = floor(4 * drawn(&seed));
        open_star(&f, volts);
        shared_mode *mode = start_mode(&f);
        for (double threshold = -0.5; threshold < 4; threshold += 1) {
            shared_line line = level(&f, threshold);
            assert_int_equal(hbg_eqn_shared_line(mode, &line), by_lot(volts, threshold, &seed));
        }
        fixture_close(&f);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(answers_are_those_of_ratios_drawn_by_lot),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

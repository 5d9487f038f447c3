/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Values around a cluster as forms modulo its laws, and terms as numbers. */
#include "eqn/fixture_impl.h"
#include "eqn/limit_impl.h"
#include "rt/bands.h"

/* Effort or flow of the first bond of an element, with a factor. */
static shared_part part(const fixture *f, const char *name, variable_kind kind, double factor) {
    for (int32_t i = 0; i < f->model->elements.count; i++)
        if (strcmp(hbg_base_names_get(f->model->names, f->model->elements.items[i].id.name), name) == 0)
            return (shared_part){f->eqn->first[kind] + f->model->incidence[f->model->incidence_start[i]],
                                 factor};
    fail_msg("no element %s", name);
    return (shared_part){0, 0};
}

/* A node between two open switches, a transformer with a coil and a resistor at it: nothing flows there, and so there is no effort either. */
static void what_laws_settle_is_gone_from_a_form(void **unused) {
    fixture f;
    (void)unused;
    fixture_open(&f, "model M { param n = 3; Se v(10); Se w(4); 0 a; 0 c; 0 mid; 1 up when x; 1 low when x; "
                     "v -> a -> up -> mid -> low -> c; "
                     "w -> c; 1 j; 1 k; TF t(n); mid -> j -> t -> k; I coil(1); R r(1); k -> coil; k -> r; 0 "
                     "top; k -> top; Sf z(0); z -> top; "
                     "automaton x { off open -> shut when time > 1; on shut; } }");
    bool *on = HBG_NEW_ARRAY(&f.arena, bool, f.eqn->structure->place_count + 1);
    for (int32_t i = 0; i < f.eqn->structure->place_count; i++) on[i] = !f.eqn->structure->controlled[i];
    shared_mode *mode = hbg_eqn_shared_mode(f.eqn, 0, hbg_eqn_limit_in(f.eqn, 0, on), on);
    shared_line held = {.constant = -10}, still = {0}, scaled = {0};
    HBG_PUSH(&f.arena, held.parts, part(&f, "v", VARIABLE_EFFORT, 1)); // v.e - 10
    HBG_PUSH(&f.arena, still.parts, part(&f, "r", VARIABLE_EFFORT, 1));
    HBG_PUSH(&f.arena, still.parts, part(&f, "coil", VARIABLE_EFFORT, 2));
    HBG_PUSH(&f.arena, scaled.parts, part(&f, "mid", VARIABLE_EFFORT, 1)); // mid.e - 3·top.e
    HBG_PUSH(&f.arena, scaled.parts, part(&f, "top", VARIABLE_EFFORT, -3));
    assert_true(hbg_eqn_form_size(mode, hbg_eqn_form_of(mode, &held, NULL)) < HBG_RT_FORM);
    assert_true(hbg_eqn_form_size(mode, hbg_eqn_form_of(mode, &still, NULL)) < HBG_RT_FORM);
    assert_true(hbg_eqn_form_size(mode, hbg_eqn_form_of(mode, &scaled, NULL)) < HBG_RT_FORM);
    scaled.parts.items[1].factor = -2;
    assert_true(hbg_eqn_form_size(mode, hbg_eqn_form_of(mode, &scaled, NULL)) > 0.1);
    fixture_close(&f);
}

static void constants_are_those_of_parameters(void **unused) {
    fixture f;
    bool constant;
    (void)unused;
    fixture_open(
        &f,
        "model M { param a = 3; signal s = 2*a - max(1, a); signal t = a + time; Se e(s); R r(1); e -> r; }");
    for (int32_t i = 0; i < f.model->signals.count; i++) {
        double value = hbg_eqn_constant(f.eqn, f.eqn->expr_term[f.model->signals.items[i].value], &constant);
        assert_true(value == 3);
        assert_int_equal(constant,
                         strcmp(hbg_base_names_get(f.model->names, f.model->signals.items[i].id.name), "s") ==
                             0);
    }
    fixture_close(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_laws_settle_is_gone_from_a_form),
        cmocka_unit_test(constants_are_those_of_parameters),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

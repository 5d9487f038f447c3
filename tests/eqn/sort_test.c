/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0 */
#include "fixture_impl.h"

typedef struct {
    equations all;
    sorted_equations sorted;
    hbg_code_stage *stage;
    int32_map temps;
} field_code;

/* The equations of all rates in the start mode, and code for them. */
static void field_of(fixture *f, field_code *field) {
    hbg_eqn *eqn = f->eqn;
    int32_map targets = {0};
    assert_fine(f, hbg_rt_enter(f->run, NULL));
    memset(field, 0, sizeof *field);
    hbg_code_begin_work(f->code);
    hbg_eqn_equations_init(&field->all, &f->arena, eqn, hbg_code_assign_mode(f->code, f->run->on),
                           PURPOSE_FIELD);
    for (int32_t i = 0; i < eqn->state_count; i++) {
        HBG_PUSH(&f->arena, targets, LAYER_RATE * eqn->base_count + eqn->first[VARIABLE_STATE] + i);
        HBG_PUSH(&f->arena, targets, eqn->first[VARIABLE_STATE] + i);
    }
    hbg_eqn_equations_sort(&field->all, targets.items, targets.count, NULL, &field->sorted);
    field->stage = hbg_code_stage_new(&f->arena, f->code, &field->temps, true);
    hbg_code_stage_add(field->stage, &field->all, &field->sorted);
}

static bool contains(fixture *f, const field_code *field, const char *name) {
    for (int32_t i = 0; i < field->sorted.variable_count; i++) {
        hbg_buffer out;
        hbg_base_buffer_init(&out, &f->arena);
        hbg_eqn_variable_name(f->eqn, field->sorted.variables[i], &out);
        if (strcmp(out.data, name) == 0) return true;
    }
    return false;
}

/* Every variable an equation reads is known, in an earlier block, or in the same loop. */
static void assert_sorted(fixture *f, field_code *field) {
    const sorted_equations *sorted = &field->sorted;
    int32_t *block = HBG_NEW_ARRAY(&f->arena, int32_t, (size_t)f->eqn->base_count * LAYER_COUNT);
    for (int32_t b = 0; b < sorted->block_count; b++)
        for (int32_t i = 0; i < sorted->blocks[b].count; i++) {
            int32_t variable = sorted->variables[sorted->blocks[b].first + i];
            assert_int_equal(block[variable], 0); // once
            block[variable] = b + 1;
        }
    for (int32_t b = 0; b < sorted->block_count; b++)
        for (int32_t i = 0; i < sorted->blocks[b].count; i++) {
            equation of = *hbg_eqn_equations_get(&field->all, sorted->variables[sorted->blocks[b].first + i]);
            if (of.kind == EQUATION_KNOWN) continue;
            hbg_term_walk(&f->eqn->terms, of.term);
            for (int32_t k = 0; k < f->eqn->terms.walk.count; k++) {
                const term_node *node = &f->eqn->terms.nodes.items[f->eqn->terms.walk.items[k]];
                if (node->op != TERM_VARIABLE || node->level < LEVEL_RUN) continue;
                int32_t there = block[node->a];
                assert_true(there > 0 && (sorted->blocks[b].is_loop ? there <= b + 1 : there <= b));
            }
        }
}

static void what_is_read_is_computed_before(void **state) {
    static const char *const texts[] = {
        "model M { Se s(12); R r(3); C c(0.5); I l(4); 1 j; s -> j; j -> r; j -> c; j -> l; }",
        "model M { signal a = b + 1; signal b = 2*d; signal d = x^2; state x = 1 : der = a; }",
        "model M { Se s(1); R r(1); R t(2); 1 j; s -> j; j -> r; j -> t; state x = 0 : der = j.f; }",
        "model M { Se s(10); I a(2); TF t(2); I b(3); 1 j; 1 k; s -> j; j -> a; j -> t -> k; k -> b; }",
        "model M { Se s(8 + 12*time); C c : e = q^3; s -> c; }",
    };
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        fixture f;
        fixture_open(&f, texts[i]);
        field_code field;
        field_of(&f, &field);
        assert_sorted(&f, &field);
        fixture_close(&f);
    }
}

static void what_nobody_asks_for_is_left_out(void **state) {
    fixture f;
    (void)state;
    fixture_open(&f,
                 "model M { C c(1); R r(1); c -> r; signal unused = 2*c.e; Se lone(3); R w(1); lone -> w; }");
    field_code field;
    field_of(&f, &field);
    assert_true(contains(&f, &field, "der(c.q)"));
    assert_false(contains(&f, &field, "unused"));
    assert_false(contains(&f, &field, "lone.e"));
    fixture_close(&f);
}

static int32_t loops_in(const field_code *field, int32_t *members) {
    int32_t count = 0;
    *members = 0;
    for (int32_t b = 0; b < field->sorted.block_count; b++) {
        if (!field->sorted.blocks[b].is_loop) continue;
        count++;
        *members += field->sorted.blocks[b].count;
    }
    return count;
}

/* Two loops that do not read each other are two blocks; an implicit equation alone is one, and one that reads itself. */
static void loops_are_as_small_as_they_can_be(void **state) {
    static const struct {
        const char *text;
        int32_t loops;
    } cases[] = {
        {"model M { C c(1); R r(1); c -> r; }", 0},
        {"model M { state x = 1 : der = a.f + b.f; Se s(1); R a : e = f^3; s -> a; Se t(1); R b : e = f^5; t "
         "-> b; }",
         2},
        {"model M { signal s = 0.5*s + x; state x = 1 : der = s; }", 1},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        fixture f;
        int32_t members;
        fixture_open(&f, cases[i].text);
        field_code field;
        field_of(&f, &field);
        assert_int_equal(loops_in(&field, &members), cases[i].loops);
        assert_int_equal(members, cases[i].loops); // each of one variable
        fixture_close(&f);
    }
}

/* What an earlier stage has computed is not computed again. */
static void only_what_is_missing_is_added(void **state) {
    fixture f;
    sorted_equations more;
    (void)state;
    fixture_open(&f,
                 "model M { C c(1); R r(2); c -> r; signal s = 3*r.f + 1*w.e; Se u(4); R w(1); u -> w; }");
    field_code field;
    field_of(&f, &field);
    int32_t target = f.eqn->first[VARIABLE_SIGNAL];
    hbg_eqn_equations_sort(&field.all, &target, 1, field.stage->var_register, &more);
    for (int32_t i = 0; i < more.variable_count; i++)
        assert_int_equal(field.stage->var_register[more.variables[i]], HBG_NONE);
    assert_int_equal(more.variable_count, 2); // s and w.e
    fixture_close(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_read_is_computed_before),
        cmocka_unit_test(what_nobody_asks_for_is_left_out),
        cmocka_unit_test(loops_are_as_small_as_they_can_be),
        cmocka_unit_test(only_what_is_missing_is_added),
    };
    cmocka_set_test_filter(getenv("HBG_TEST_CASES"));
    return cmocka_run_group_tests(tests, NULL, NULL);
}

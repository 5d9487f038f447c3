/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Clauses and gates, and what the prover makes of them. */
// clang-format off
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
// clang-format on

#include "verify/verify_impl.h"

typedef struct {
    hbg_memory memory;
    hbg_arena arena;
    hbg_verify_prover *prover;
    verify_clauses clauses;
} fixture;

/* None of these tests runs out of memory inside an arena. */
static void open_fixture(fixture *f) {
    memset(f, 0, sizeof *f);
    hbg_base_arena_init(&f->arena, &f->memory);
    f->prover = hbg_verify_prover_new(&f->memory);
    assert_non_null(f->prover);
    hbg_verify_clauses_init(&f->clauses, &f->arena);
}

static void close_fixture(fixture *f) {
    hbg_verify_prover_free(f->prover);
    hbg_base_arena_fini(&f->arena);
    assert_int_equal(f->memory.used, 0);
}

static verify_answer solve(fixture *f, bool *values) {
    return hbg_verify_solve(f->prover, &f->clauses, 0, 0, values);
}

/* n+1 pigeons do not fit into n holes, which takes a prover of this kind very long to see. */
static void add_pigeons(verify_clauses *clauses, int32_t holes) {
    int32_t first = clauses->variables + 1;
    clauses->variables += holes * (holes + 1);
    for (int32_t i = 0; i <= holes; i++) {
        for (int32_t k = 0; k < holes; k++) hbg_verify_literal(clauses, first + i * holes + k);
        hbg_verify_clause_end(clauses);
        for (int32_t other = 0; other < i; other++)
            for (int32_t k = 0; k < holes; k++)
                VERIFY_CLAUSE(clauses, -(first + i * holes + k), -(first + other * holes + k));
    }
}

/* ---- building --------------------------------------------------------------------------------------------
 */

static void gates_over_constants_cost_nothing(void **state) {
    (void)state;
    fixture f;
    open_fixture(&f);
    int32_t x = hbg_verify_variable(&f.clauses);
    assert_int_equal(hbg_verify_or(&f.clauses, LITERAL_TRUE, x), LITERAL_TRUE);
    assert_int_equal(hbg_verify_or(&f.clauses, x, LITERAL_TRUE), LITERAL_TRUE);
    assert_int_equal(hbg_verify_or(&f.clauses, LITERAL_FALSE, x), x);
    assert_int_equal(hbg_verify_or(&f.clauses, x, LITERAL_FALSE), x);
    assert_int_equal(hbg_verify_or(&f.clauses, x, x), x);
    assert_int_equal(hbg_verify_or(&f.clauses, x, -x), LITERAL_TRUE);
    assert_int_equal(hbg_verify_and(&f.clauses, x, LITERAL_TRUE), x);
    assert_int_equal(hbg_verify_and(&f.clauses, x, LITERAL_FALSE), LITERAL_FALSE);
    assert_int_equal(hbg_verify_and(&f.clauses, x, -x), LITERAL_FALSE);
    VERIFY_CLAUSE(&f.clauses, x, LITERAL_TRUE, -x);
    assert_int_equal(f.clauses.literals.count, 0);
    assert_int_equal(f.clauses.variables, x);
    close_fixture(&f);
}

static void false_literals_are_left_out_of_a_clause(void **state) {
    (void)state;
    fixture f;
    open_fixture(&f);
    VERIFY_CLAUSE(&f.clauses, LITERAL_FALSE, 5, LITERAL_FALSE);
    assert_int_equal(f.clauses.literals.count, 2);
    assert_int_equal(f.clauses.literals.items[0], 5);
    assert_int_equal(f.clauses.literals.items[1], 0);
    close_fixture(&f);
}

/* ---- solving ---------------------------------------------------------------------------------------------
 */

static void a_gate_says_what_its_arguments_say(void **state) {
    (void)state;
    for (int given = 0; given < 4; given++) {
        fixture f;
        bool values[8], a = given & 1, b = given & 2;
        open_fixture(&f);
        int32_t x = hbg_verify_variable(&f.clauses), y = hbg_verify_variable(&f.clauses);
        int32_t either = hbg_verify_or(&f.clauses, x, y), both = hbg_verify_and(&f.clauses, x, y);
        VERIFY_CLAUSE(&f.clauses, a ? x : -x);
        VERIFY_CLAUSE(&f.clauses, b ? y : -y);
        assert_int_equal(solve(&f, values), ANSWER_FOUND);
        assert_true(values[LITERAL_TRUE]);
        assert_int_equal(values[x], a);
        assert_int_equal(values[y], b);
        assert_int_equal(values[either], a || b);
        assert_int_equal(!values[-both], a && b); // an and is the negation of an or
        close_fixture(&f);
    }
}

static void a_contradiction_has_no_solution_and_leaves_nothing_behind(void **state) {
    (void)state;
    fixture f;
    bool values[64];
    open_fixture(&f);
    VERIFY_CLAUSE(&f.clauses, LITERAL_FALSE); // the empty clause
    assert_int_equal(solve(&f, values), ANSWER_NONE);
    hbg_verify_clauses_init(&f.clauses, &f.arena);
    add_pigeons(&f.clauses, 4);
    assert_int_equal(solve(&f, values), ANSWER_NONE);
    hbg_verify_clauses_init(&f.clauses, &f.arena);
    assert_int_equal(solve(&f, values), ANSWER_FOUND);
    close_fixture(&f);
}

static void a_limit_counts_the_literals_that_hold(void **state) {
    (void)state;
    for (int32_t most = 0; most < 4; most++) {
        fixture f;
        bool values[8];
        open_fixture(&f);
        for (int32_t i = 2; i <= 4; i++) hbg_verify_limit_literal(&f.clauses, i);
        hbg_verify_limit_end(&f.clauses, most);
        for (int32_t i = 4; i <= 5; i++) hbg_verify_limit_literal(&f.clauses, -i);
        hbg_verify_limit_end(&f.clauses, 1);
        f.clauses.variables = 5;
        VERIFY_CLAUSE(&f.clauses, 2);
        VERIFY_CLAUSE(&f.clauses, 3);
        VERIFY_CLAUSE(&f.clauses, -5);
        // 2 and 3 hold; the second limit then asks for 4 as well
        assert_int_equal(solve(&f, values), most == 3 ? ANSWER_FOUND : ANSWER_NONE);
        close_fixture(&f);
    }
}

static void a_long_chain_is_followed_to_its_end(void **state) {
    (void)state;
    enum { LENGTH = 20000 };
    fixture f;
    open_fixture(&f);
    bool *values = HBG_NEW_ARRAY(&f.arena, bool, LENGTH + 1);
    f.clauses.variables = LENGTH;
    for (int32_t i = LITERAL_TRUE; i < LENGTH; i++) VERIFY_CLAUSE(&f.clauses, -i, i % 2 ? i + 1 : -(i + 1));
    VERIFY_CLAUSE(&f.clauses, -LENGTH);
    assert_int_equal(solve(&f, values), ANSWER_FOUND);
    assert_true(values[2]);
    assert_false(values[3]);
    VERIFY_CLAUSE(&f.clauses, 3);
    assert_int_equal(solve(&f, values), ANSWER_NONE);
    close_fixture(&f);
}

/* ---- limits ----------------------------------------------------------------------------------------------
 */

static void too_little_time_or_effort_decides_nothing(void **state) {
    (void)state;
    fixture f;
    bool values[512];
    open_fixture(&f);
    add_pigeons(&f.clauses, 14);
    assert_int_equal(hbg_verify_solve(f.prover, &f.clauses, 50, 0, values), ANSWER_UNKNOWN);
    assert_string_equal(hbg_verify_why_unknown(f.prover), "timeout");
    assert_int_equal(hbg_verify_solve(f.prover, &f.clauses, 0, 10000, values), ANSWER_UNKNOWN);
    assert_string_not_equal(hbg_verify_why_unknown(f.prover), "");
    hbg_verify_clauses_init(&f.clauses, &f.arena);
    assert_int_equal(solve(&f, values), ANSWER_FOUND);
    close_fixture(&f);
}

static void without_memory_nothing_is_decided(void **state) {
    (void)state;
    fixture f;
    bool values[64];
    open_fixture(&f);
    add_pigeons(&f.clauses, 3);
    for (int64_t ahead = 1; ahead <= 2; ahead++) {
        f.memory.fail_at = f.memory.calls + ahead;
        assert_int_equal(solve(&f, values), ANSWER_UNKNOWN);
        assert_string_equal(hbg_verify_why_unknown(f.prover), "the prover ran out of memory");
    }
    assert_int_equal(solve(&f, values), ANSWER_NONE);
    f.memory.fail_at = f.memory.calls + 1;
    assert_null(hbg_verify_prover_new(&f.memory));
    hbg_verify_prover_free(NULL);
    close_fixture(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gates_over_constants_cost_nothing),
        cmocka_unit_test(false_literals_are_left_out_of_a_clause),
        cmocka_unit_test(a_gate_says_what_its_arguments_say),
        cmocka_unit_test(a_contradiction_has_no_solution_and_leaves_nothing_behind),
        cmocka_unit_test(a_limit_counts_the_literals_that_hold),
        cmocka_unit_test(a_long_chain_is_followed_to_its_end),
        cmocka_unit_test(too_little_time_or_effort_decides_nothing),
        cmocka_unit_test(without_memory_nothing_is_decided),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The event iteration as a process: which modes there are, which way leads from where to where, and what becomes of the energies. */
// clang-format off
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
// clang-format on

#include "verify/consistency_impl.h"

static hbg_process written(fixture *t, const char *declarations) {
    jmp_buf guard;
    hbg_verify_options options = hbg_verify_options_default();
    hbg_process_request request = {.clause_limit = 100};
    begin(t, declarations);
    if (HBG_GUARD(&t->m.memory, guard)) fail();
    hbg_process made = hbg_verify_process(&t->m.arena, t->prover, t->m.eqn, t->m.model, &request, &options);
    HBG_GUARD_END(&t->m.memory);
    return made;
}

static int32_t clause(const hbg_process *of, const char *mode) {
    for (int32_t i = 0; i < of->clauses.count; i++)
        if (strcmp(of->clauses.items[i].mode, mode) == 0) return i;
    fail_msg("there is no clause for %s", mode);
    return HBG_NONE;
}

/* The only alternative between two modes that is no stay. */
static const hbg_process_alternative *between(const hbg_process *of, const char *from, const char *to) {
    const hbg_process_alternative *found = NULL;
    for (int32_t i = 0; i < of->alternatives.count; i++) {
        const hbg_process_alternative *at = &of->alternatives.items[i];
        if (at->stays || at->from != clause(of, from) || at->to != clause(of, to)) continue;
        if (found) fail_msg("there are two from %s to %s", from, to);
        found = at;
    }
    if (!found) fail_msg("there is none from %s to %s", from, to);
    return found;
}

static int32_t count_moves(const hbg_process *of) {
    int32_t count = 0;
    for (int32_t i = 0; i < of->alternatives.count; i++) count += !of->alternatives.items[i].stays;
    return count;
}

/* The number that a term is. */
static double number(const hbg_process *of, hbg_term term) {
    const term_node *node = &of->terms.nodes.items[term];
    assert_int_equal(node->op, HBG_OP_NUMBER);
    return hbg_base_decimal_to_double(of->terms.numbers.items[node->a]);
}

/* ---- 003's circuit ----------------------------------------------------------------------------------------------- */

static const char circuit[] =
    "param V = 10 [V], R = 330 [Ohm], L = 5 [mH]; input bool closed = false;\n"
    "Se source(V); R series(R); I coil(L); 1 loop when switch; 0 node when diode;\n"
    "source -> loop; loop -> series; b3: loop -> node; b4: node -> coil;\n"
    "automaton switch { off open -> shut when closed; on shut -> open when !closed; }\n"
    "automaton diode { on blocking -> conducting when node.e < 0; off conducting -> blocking when b4.f - "
    "b3.f < 0; }\n";

#define OB "diode=blocking,switch=open"
#define SB "diode=blocking,switch=shut"
#define OC "diode=conducting,switch=open"
#define SC "diode=conducting,switch=shut"

/* The coil keeps its current where the diode can carry it, and loses it in the two other ways into open and blocking. In shut, blocking p
 * comes ever nearer to V*L/R and does not cross it; where a run rests there the prover leaves it open. All other ways are met by a change
 * of the input, or by nothing but a start. */
static void the_circuit_has_thirteen_transitions(void **state) {
    (void)state;
    static const struct {
        const char *from, *to;
        bool loses, by_start, open;
    } expected[] = {
        {OB, SB, false, false, false}, {OB, SC, false, true, false},  {OB, OC, false, true, false},
        {OB, OB, true, true, false},   {SB, OC, false, false, false}, {SB, SC, false, false, true},
        {SB, OB, true, false, false},  {OC, SB, false, false, false}, {OC, OB, true, true, false},
        {OC, SC, false, false, false}, {SC, OC, false, false, false}, {SC, OB, true, true, false},
        {SC, SB, false, true, false}};
    fixture t;
    hbg_process of = written(&t, circuit);
    assert_null(of.reason);
    assert_int_equal(of.clauses.count, 4);
    assert_int_equal(count_moves(&of), sizeof expected / sizeof *expected);
    assert_int_equal(of.ends.count, 0);
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        const hbg_process_alternative *at = between(&of, expected[i].from, expected[i].to);
        assert_int_equal(at->jumps, expected[i].loses);
        assert_int_equal(at->by_start, expected[i].by_start);
        assert_int_equal(!at->is_certain, expected[i].open);
        if (at->jumps) assert_true(number(&of, at->becomes[0]) == 0);
    }
    end(&t);
}

/* c1 to c4 of 003: the flux is bound in open, blocking alone. */
static void a_constraint_takes_an_order(void **state) {
    (void)state;
    fixture t;
    hbg_process of = written(&t, circuit);
    assert_int_equal(of.clauses.items[clause(&of, OB)].order, 0);
    assert_int_equal(of.clauses.items[clause(&of, OB)].constraints.count, 1);
    static const char *const free_modes[] = {SB, OC, SC};
    for (int i = 0; i < 3; i++) {
        const hbg_process_clause *at = &of.clauses.items[clause(&of, free_modes[i])];
        assert_int_equal(at->order, 1);
        assert_int_equal(at->constraints.count, 0);
        assert_true(at->flows);
    }
    end(&t);
}

/* ---- other models ------------------------------------------------------------------------------------------------- */

/* A mode that is real at a point is between: the ball bounces with 0.8 of its speed. */
static void a_collision_is_one_alternative(void **state) {
    (void)state;
    fixture t;
    hbg_process of =
        written(&t, "1 ball; I mass(1); Se gravity(-10); Sf floor(0); 0 contact when touch restitution 0.8;\n"
                    "gravity -> ball -> mass; floor -> contact -> ball; state x = 1 : der = ball.f;\n"
                    "automaton touch { off flying -> bouncing when x <= 0 && mass.p < 0; on bouncing -> "
                    "flying when mass.p > 0; }\n");
    assert_null(of.reason);
    const hbg_process_alternative *at = between(&of, "touch=flying", "touch=flying");
    assert_false(at->by_start);
    assert_int_equal(at->through_count, 1);
    assert_string_equal(at->through[0], "touch=bouncing (real)");
    const term_node *becomes = &of.terms.nodes.items[at->becomes[0]];
    assert_int_equal(becomes->op, HBG_OP_NEGATE);
    becomes = &of.terms.nodes.items[becomes->a];
    assert_int_equal(becomes->op, HBG_OP_MULTIPLY);
    assert_true(number(&of, becomes->a) == 0.8);
    end(&t);
}

/* On above 1, off below 2: between the two it comes to no end, from either state. */
static void where_there_is_no_end_there_is_delta(void **state) {
    (void)state;
    fixture t;
    hbg_process of = written(&t, RELAY("node.e > 1", "node.e < 2"));
    assert_null(of.reason);
    assert_int_equal(of.ends.count, 2);
    for (int32_t i = 0; i < of.ends.count; i++) {
        assert_int_equal(of.ends.items[i].kind, HBG_FINDING_CYCLE);
        assert_int_equal(of.ends.items[i].when.count, 1);
        assert_int_equal(of.ends.items[i].when.items[0].count, 2);
    }
    end(&t);
}

static void what_never_switches_has_one_clause(void **state) {
    (void)state;
    fixture t;
    hbg_process of = written(&t, "C store(1, e = 1); R load(2); 0 node; node -> store; node -> load;\n");
    assert_null(of.reason);
    assert_int_equal(of.clauses.count, 1);
    assert_int_equal(of.clauses.items[0].order, 1);
    assert_int_equal(count_moves(&of), 0);
    end(&t);
}

/* Five switches, shut one after the other by charge: of 32 combinations runs meet six. */
static void of_many_modes_those_that_runs_meet_are_there(void **state) {
    (void)state;
    char text[2000] = "C store(1); Sf fill(1); 0 node; fill -> node; node -> store;\n";
    fixture t;
    for (int i = 1; i <= 5; i++)
        snprintf(text + strlen(text), sizeof text - strlen(text),
                 "R r%d(1000); 1 j%d when a%d; node -> j%d -> r%d; automaton a%d { off x -> y when node.e > "
                 "%d; on y; }\n",
                 i, i, i, i, i, i, i);
    hbg_process of = written(&t, text);
    assert_null(of.reason);
    assert_false(of.is_whole);
    assert_int_equal(of.clauses.count, 6);
    for (int32_t i = 0; i < of.alternatives.count; i++) assert_false(of.alternatives.items[i].by_start);
    end(&t);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_circuit_has_thirteen_transitions),
        cmocka_unit_test(a_constraint_takes_an_order),
        cmocka_unit_test(a_collision_is_one_alternative),
        cmocka_unit_test(where_there_is_no_end_there_is_delta),
        cmocka_unit_test(what_never_switches_has_one_clause),
        cmocka_unit_test(of_many_modes_those_that_runs_meet_are_there),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

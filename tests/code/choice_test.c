/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * What is found by on and off alone is what the causality of the whole mode gives: validity, dependent storages, and code by its
 * facts. */
#include "choices_impl.h"
#include "eqn/fixture_impl.h"
#include "eqn/hybrid_text_impl.h"

typedef struct {
    int modes, refused, dependent, floating;
} walked;

static bool is_same_program(const fixture *f, int32_t one, int32_t other) {
    hbg_rt_program a = hbg_rt_program_at(&f->code->image, one), b = hbg_rt_program_at(&f->code->image, other);
    bool same = a.count == b.count;
    for (int32_t i = 0; same && i < a.count; i++) same = a.code[i].op == b.code[i].op;
    return same;
}

/* Where storages read their own rates (src/eqn/tie.c) what is around the code counts, too, and it is kept by bits alone, not by its
 * facts. Compiled again for the mode at hand it has to be the same code, or bits would not decide. */
static bool block_comes_again(fixture *f, const hbg_causal_assignment *assignment, int32_t number) {
    const hbg_rt_variant *kept = f->run->variants.variant[number];
    int32_t made = hbg_code_block(f->code, &f->code->segments.items[number], assignment);
    const hbg_rt_variant *again = HBG_RT_AT(f->code->image.pool.variants, made);
    bool same = (again->doubted == HBG_NONE) == (kept->doubted == HBG_NONE);
    for (int r = READ_FIELD; r < READ_TANGENT && same; r++)
        same = is_same_program(f, again->code[r], kept->code[r]);
    return same;
}

static bool event_comes_again(fixture *f, const hbg_causal_assignment *assignment, int32_t number) {
    const hbg_rt_event *kept = f->run->event[number];
    int32_t made = hbg_code_event(f->code, number, assignment);
    const hbg_rt_event *again = HBG_RT_AT(f->code->image.pool.events, made);
    return (again->refused == HBG_NONE) == (kept->refused == HBG_NONE) &&
           is_same_program(f, again->code, kept->code);
}

static bool block_is_by_facts(fixture *f, const hbg_causal_assignment *assignment, int32_t number) {
    const segment *of = &f->code->segments.items[number];
    hbg_eqn_read_facts(assignment, &of->facts, f->code->mode.fact_key);
    int32_t found =
        hbg_code_variants_find(&of->variants, f->code->mode.fact_key, hbg_eqn_fact_count(&of->facts));
    if (found == HBG_NONE) return block_comes_again(f, assignment, number);
    return f->run->variants.variant[number] == HBG_RT_AT(f->code->image.pool.variants, found);
}

static bool event_is_by_facts(fixture *f, const hbg_causal_assignment *assignment, int32_t number) {
    const island *of = &f->eqn->islands.items[number];
    hbg_eqn_read_facts(assignment, &of->facts, f->code->mode.fact_key);
    int32_t found = hbg_code_variants_find(&f->code->island_code[number].variants, f->code->mode.fact_key,
                                           hbg_eqn_fact_count(&of->facts));
    if (found == HBG_NONE) return event_comes_again(f, assignment, number);
    return f->run->event[number] == HBG_RT_AT(f->code->image.pool.events, found);
}

/* All code that the mode has, found by its bits before or compiled now. */
static bool code_is_by_facts(fixture *f) {
    hbg_rt_ready_blocks(f->run);
    hbg_rt_activate_all(f->run);
    hbg_rt_ready_events(f->run);
    hbg_rt_rest_islands(f->run);
    const hbg_causal_assignment *assignment = hbg_code_assign_mode(f->code, f->run->on);
    bool same = true;
    for (int32_t i = 0; i < f->code->segments.count && same; i++)
        same = !f->code->segments.items[i].varies || block_is_by_facts(f, assignment, i);
    for (int32_t i = 0; i < f->eqn->islands.count && same; i++) same = event_is_by_facts(f, assignment, i);
    return same;
}

/* The mode as SCAP assigns it from nothing. */
static hbg_causal_assignment *assign(fixture *f, const int32_t *states) {
    const hbg_causal_structure *structure = f->eqn->structure;
    bool *on = HBG_NEW_ARRAY(&f->arena, bool, structure->place_count + 1);
    for (int32_t i = 0; i < structure->place_count; i++)
        on[i] = f->eqn->varies.select[i] || hbg_causal_place_mode(structure, i, states);
    hbg_causal_assignment *assignment = hbg_causal_assignment_new(&f->arena, structure);
    hbg_eqn_assign(f->eqn, assignment, on);
    return assignment;
}

/* Elements that give way to the equations of rings may do so for one way to a mode and not for another: both are right. */
static bool closes_ring(const hbg_causal_structure *structure) {
    for (int32_t place = 0; place < structure->place_count; place++)
        if (structure->place_in_ring[place]) return true;
    return false;
}

static bool mode_is_right(fixture *f, const int32_t *states, walked *count) {
    const hbg_causal_assignment *scap = assign(f, states);
    bool valid = hbg_rt_enter(f->run, states) != HBG_RT_NO_CAUSALITY;
    count->modes++;
    count->refused += !valid;
    if (valid != hbg_causal_valid(scap)) return false;
    if (!valid) return true;
    for (int32_t i = 0; i < f->eqn->structure->place_count; i++)
        if (hbg_causal_is_floating(scap, i)) {
            count->floating++;
            break;
        }
    count->dependent += f->run->dependent_count > 0;
    bool as_many = f->run->dependent_count == hbg_causal_derivative_count(scap);
    return (as_many || closes_ring(f->eqn->structure)) && code_is_by_facts(f);
}

/* Walks through random modes, and in the end through some of them again. */
static void check_text(const char *text, test_random *random, walked *count) {
    fixture f;
    int32_t states[64] = {0};
    fixture_open(&f, text);
    assert_true(f.system->automaton_count <= 64);
    for (int step = 0; step < 40; step++) {
        for (int32_t i = 0; i < f.system->automaton_count; i++)
            if (random_chance(random, step % 4 == 0 ? 100 : 30))
                states[i] = random_below(random, f.system->automata[i].state_count);
        bool right = mode_is_right(&f, states, count);
        if (!right) print_error("%s", text);
        assert_true(right);
    }
    fixture_close(&f);
}

static void on_and_off_decide_in_random_nets(void **state) {
    static char memory[1 << 16];
    static hybrid h;
    hybrid_plan plan = {.junctions = 7, .sources = 30, .fields = 15, .collisions = 30, .duals = 20};
    walked count = {0};
    (void)state;
    for (uint64_t i = 0; i < 150; i++) {
        test_random random = {1000003 * (i + 1)};
        graph_text text = {memory, 0, sizeof memory};
        plan.chains = i % 2 ? 60 : 0;
        random_hybrid(&h, &random, &plan);
        text_hybrid(&text, &h, NULL);
        check_text(memory, &random, &count);
    }
    print_message("%d modes, %d refused, %d with dependent storages, %d with floating parts\n", count.modes,
                  count.refused, count.dependent, count.floating);
    assert_true(count.dependent > count.modes / 10);
}

/* Structures of all kinds, with parts that float where junctions beyond a region are off. */
static void on_and_off_decide_in_random_graphs(void **state) {
    static char memory[1 << 18];
    static graph g;
    walked count = {0};
    (void)state;
    for (uint64_t i = 0; i < 250; i++) {
        test_random random = {1000003 * (i + 1)};
        graph_text text = {memory, 0, sizeof memory};
        graph_shape shape = {.sources = 15,
                             .resistors = 25,
                             .controlled = 45,
                             .transformers = 10,
                             .gyrators = 10,
                             .dual = 15,
                             .chained = 8,
                             .shared = 30};
        shape.junctions = 1 + random_below(&random, 10);
        shape.elements = random_below(&random, 12);
        shape.extra_links = random_below(&random, 3);
        random_graph(&g, &random, &shape);
        text_model(&text, &g, NULL);
        check_text(memory, &random, &count);
    }
    print_message("%d modes, %d refused, %d with dependent storages, %d with floating parts\n", count.modes,
                  count.refused, count.dependent, count.floating);
    assert_true(count.refused > count.modes / 10 && count.floating > count.modes / 40);
}

/* A choice with more local modes than it keeps answers for: those kept are found, the others are not. */
static void answers_beyond_a_limit_are_not_kept(void **state) {
    enum { PLACES = 17, KEPT = 65536 };
    hbg_memory memory = {0};
    hbg_arena arena;
    jmp_buf guard;
    int32_t places[PLACES];
    static hbg_code code;
    (void)state;
    for (int i = 0; i < PLACES; i++) places[i] = 5 * i; // beyond one word
    hbg_base_arena_init(&arena, &memory);
    if (HBG_GUARD(&memory, guard)) fail();
    int32_t choice = open_choice(&code, &arena, places, PLACES);
    for (int round = 0; round < 2; round++)
        for (int32_t mode = 0; mode <= KEPT; mode++) {
            uint64_t on[2] = {0}, key[2];
            for (int i = 0; i < PLACES; i++)
                on[places[i] >> 6] |= (uint64_t)(mode >> i & 1) << (places[i] & 63);
            if (round == 0) hbg_code_choice_answer(&code, choice, on, mode);
            assert_int_equal(hbg_rt_choose(&code.image, choice, on, key), mode < KEPT ? mode : HBG_NONE);
        }
    hbg_base_arena_fini(&arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(on_and_off_decide_in_random_nets),
        cmocka_unit_test(on_and_off_decide_in_random_graphs),
        cmocka_unit_test(answers_beyond_a_limit_are_not_kept),
    };
    cmocka_set_test_filter(getenv("HBG_TEST_CASES"));
    return cmocka_run_group_tests(tests, NULL, NULL);
}

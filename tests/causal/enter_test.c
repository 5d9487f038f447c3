/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * A mode has one assignment, as good as any, whatever came before. */
#include "judge_impl.h"
#include "walk_impl.h"

static hbg_causal_assignment *begin(fixture *f, const bool *home) {
    hbg_causal_assignment *assignment = hbg_causal_assignment_new(&f->arena, f->structure);
    hbg_causal_begin(assignment, home);
    return assignment;
}

static bool enter(fixture *f, hbg_causal_assignment *assignment) {
    int32_t count = 0;
    for (int32_t place = 0; place < f->structure->place_count; place++)
        if (hbg_causal_is_on(assignment, place) != f->on[place]) f->places[count++] = place;
    return hbg_causal_enter(assignment, f->places, count);
}

/* All that equations are made of. */
static bool reads_the_same(const hbg_causal_assignment *a, const hbg_causal_assignment *b) {
    const hbg_causal_structure *structure = a->structure;
    bool same = hbg_causal_derivative_count(a) == hbg_causal_derivative_count(b);
    for (int32_t i = 0; i < structure->place_count && same; i++)
        same = hbg_causal_is_floating(a, i) == hbg_causal_is_floating(b, i) &&
               hbg_causal_determining_bond(a, i) == hbg_causal_determining_bond(b, i);
    for (int32_t i = 0; i < structure->link_count && same; i++)
        same = hbg_causal_value(a, i) == hbg_causal_value(b, i) &&
               hbg_causal_is_repeated(a, i) == hbg_causal_is_repeated(b, i);
    return same;
}

typedef struct {
    int valid, excused, refused;
} entered_modes;

/* Walks at random, far and near, and back to modes it has been in, since few automata have few modes. */
static void check_entered(fixture *f, const char *text, test_random *random, entered_modes *count) {
    bool home[64];
    fixture_move(f, random, 100);
    assert_true(f->structure->place_count <= 64);
    memcpy(home, f->on, (size_t)f->structure->place_count * sizeof *home);
    hbg_causal_assignment *assignment = begin(f, home);
    for (int i = 0; i < 60; i++) {
        fixture_move(f, random, i % 3 == 0 ? 100 : 25);
        hbg_causal_assignment *scap = fixture_assign(f), *fresh = begin(f, home);
        bool valid = enter(f, assignment);
        bool good = enter(f, fresh) == valid && hbg_causal_valid(scap) == valid;
        if (valid)
            good = good && reads_the_same(assignment, fresh) &&
                   (hbg_causal_derivative_count(assignment) == hbg_causal_derivative_count(scap) ||
                    walk_gave_way(assignment) || walk_gave_way(scap)) &&
                   judge_accepts(&f->arena, f->structure, assignment);
        if (!good) fixture_print(f, text);
        assert_true(good);
        count->valid += valid;
        count->refused += !valid;
        count->excused += valid && walk_is_excused(assignment);
    }
}

/* Also behind modes that are refused, and where floating parts and repeated zeros reach beyond a region. */
static void a_mode_is_the_same_whichever_way_leads_there(void **state) {
    static graph g;
    entered_modes count = {0};
    walk_plan plan = {.graphs = 400, .seed = 5, .most = {WALK_SMALL, .gyrators = 10, .dual = 15}};
    (void)state;
    for (int i = 0; i < plan.graphs; i++) {
        test_random random;
        fixture f;
        plan.most.junctions = i % 2 ? 12 : 6;
        plan.most.elements = i % 2 ? 14 : 6;
        plan.most.sources = i % 4 < 2 ? 10 : 25;
        const char *text = walk_text(&plan, i, &g, &random);
        fixture_open(&f, text, i % 8 == 7);
        check_entered(&f, text, &random, &count);
        fixture_close(&f);
    }
    print_message("%d modes, %d of them with floating parts or repeated zeros, and %d refused\n", count.valid,
                  count.excused, count.refused);
    assert_true(count.valid > 5000 && count.excused > 1000 && count.refused > 1000);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_mode_is_the_same_whichever_way_leads_there),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

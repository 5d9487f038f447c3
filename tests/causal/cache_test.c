/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * A local mode seen before costs a look-up: nothing is allocated, and the assignment is as good as on the first
 * visit, whatever happened elsewhere meanwhile. */
#include "judge_impl.h"
#include "walk_impl.h"

/* ---- what a repeat costs and gives -------------------------------------------------------------------- */

typedef struct {
    fixture *f;
    hbg_causal_assignment *assignment;
    int64_t calls;
    const char *next;
} meter;

static meter meter_start(fixture *f, hbg_causal_assignment *assignment) {
    return (meter){f, assignment, f->session->memory.calls, f->arena.next};
}

/* Nothing was allocated, not even from what the arena had left. */
static bool meter_stands(const meter *m) {
    return m->calls == m->f->session->memory.calls && m->next == m->f->arena.next;
}

#define MODES 40

typedef struct {
    bool on[MODES][64];
    bool valid[MODES];
    int32_t derivative[MODES];
    int count;
} record;

static void write_down(record *r, const fixture *f, const hbg_causal_assignment *assignment) {
    memcpy(r->on[r->count], f->on, (size_t)f->structure->place_count * sizeof *f->on);
    r->valid[r->count] = hbg_causal_valid(assignment);
    r->derivative[r->count] = hbg_causal_derivative_count(assignment);
    r->count++;
}

static int repeats;

/* Walks through modes, then through the same ones again in another order. */
static void check_graph(fixture *f, const char *text, test_random *random) {
    static record r;
    r.count = 0;
    fixture_move(f, random, 100);
    hbg_causal_assignment *assignment = fixture_assign(f);
    for (int i = 0; i < MODES; i++) {
        fixture_move(f, random, 40);
        fixture_switch(f, assignment);
        write_down(&r, f, assignment);
    }
    for (int i = 0; i < 2 * MODES; i++) {
        int k = random_below(random, MODES);
        memcpy(f->on, r.on[k], (size_t)f->structure->place_count * sizeof *f->on);
        bool was_valid = hbg_causal_valid(assignment);
        meter m = meter_start(f, assignment);
        bool valid = fixture_switch(f, assignment);
        bool good = valid == r.valid[k] && (!was_valid || !valid || meter_stands(&m)) &&
                    (!valid || hbg_causal_derivative_count(assignment) == r.derivative[k]) &&
                    (!valid || judge_accepts(&f->arena, f->structure, assignment));
        if (!good) fixture_print(f, text);
        assert_true(good);
        repeats += valid && was_valid;
    }
}

static void repeats_allocate_nothing_and_are_as_good(void **state) {
    (void)state;
    static graph g;
    walk_plan plan = {.graphs = 120, .seed = 1, .most = {WALK_SMALL, .gyrators = 10, .dual = 10}};
    plan.most.junctions = 10;
    plan.most.sources = 10;
    repeats = 0;
    for (int i = 0; i < plan.graphs; i++) {
        test_random random;
        fixture f;
        const char *text = walk_text(&plan, i, &g, &random);
        fixture_open(&f, text, false);
        check_graph(&f, text, &random);
        fixture_close(&f);
    }
    print_message("%d repeats\n", repeats);
    assert_true(repeats > 1000);
}

/* ---- the snapshot a region stands in ------------------------------------------------------------------ */

/* The region stands as its current snapshot says, where that has a say: its own marks, the marks of its
 * elements, what is waived inside it. */
static bool stands_in_snapshot(const hbg_causal_assignment *assignment, int32_t region) {
    const hbg_causal_structure *structure = assignment->structure;
    const causal_cache *cache = &assignment->caches[region];
    const uint8_t *bytes = cache->snapshots[cache->current];
    for (int32_t i = 0; i < cache->size; i++) {
        int32_t slot = cache->meaning[i];
        if (slot < 0) continue; // whether a place floats is judged each time
        int32_t there = causal_place(structure, slot ^ 1);
        if ((bytes[i] & 1) != assignment->mark[slot]) return false;
        if (there == HBG_NONE && (bytes[i] >> 1 & 1) != assignment->mark[slot ^ 1]) return false;
        bool inside = there != HBG_NONE && structure->place_region[there] == region;
        if (inside && (bytes[i] >> 2 & 1) != assignment->waived[slot >> 1]) return false;
    }
    return true;
}

static void check_snapshots(const walk_visit *visit) {
    int *counted = visit->user;
    for (int32_t region = 0; region < visit->f->structure->region_count; region++) {
        const causal_cache *cache = &visit->assignment->caches[region];
        if (cache->slot_count == 0 || cache->current == HBG_NONE) continue;
        WALK_ASSERT(visit, stands_in_snapshot(visit->assignment, region));
        (*counted)++;
    }
}

static void a_region_stands_as_its_snapshot_says(void **state) {
    (void)state;
    int counted = 0;
    walk_plan plan = {.graphs = 200,
                      .steps = 30,
                      .moving = 30,
                      .seed = 3,
                      .most = {WALK_SMALL, .gyrators = 10, .dual = 15}};
    plan.most.junctions = 12;
    plan.most.elements = 14;
    plan.most.sources = 8;
    walk_graphs(&plan, check_snapshots, &counted);
    print_message("%d regions in a snapshot\n", counted);
    assert_true(counted > 1000);
}

/* ---- single cases ------------------------------------------------------------------------------------- */

/* Two junctions that switch; whether node n floats is decided beyond its own region. */
static const char outside[] = "model M {\n"
                              "automaton a { on n -> f when false; off f -> n when false; }\n"
                              "automaton b { on n -> f when false; off f -> n when false; }\n"
                              "Se v(1); 0 s when a; 1 t when b; v -> s -> t; }";

static void what_floats_is_judged_again(void **state) {
    (void)state;
    fixture f;
    fixture_open(&f, outside, false);
    int32_t s = fixture_place(&f, "s"), t = fixture_place(&f, "t");
    assert_int_not_equal(f.structure->place_region[s], f.structure->place_region[t]);
    hbg_causal_assignment *assignment = fixture_assign(&f);
    assert_false(hbg_causal_valid(assignment)); // the source is shorted by a 1-junction with one bond
    assert_true(hbg_causal_switch(assignment, &s, 1));
    assert_true(hbg_causal_is_floating(assignment, t)); // cut off from the source
    assert_true(hbg_causal_switch(assignment, &t, 1));
    assert_true(hbg_causal_switch(assignment, &s, 1));
    assert_false(hbg_causal_switch(assignment, &t, 1)); // t's own local mode was seen, floating
    assert_false(hbg_causal_is_floating(assignment, t));
    fixture_close(&f);
}

/* A chain of resistors with a relay in each: one region, as large as one likes. */
static void open_chain(fixture *f, int count) {
    static char memory[1 << 20];
    graph_text text = {memory, 0, sizeof memory};
    text_add(&text, "model M { Se v(1); 0 n0; v -> n0;\n");
    for (int i = 1; i <= count; i++)
        text_add(&text,
                 "automaton a%d { on n -> f when false; off f -> n when false; }\n"
                 "1 j%d when a%d; R r%d(1); R s%d(1); R g%d(1); 0 n%d;\n"
                 "n%d -> j%d -> n%d; j%d -> r%d; j%d -> s%d; n%d -> g%d;\n",
                 i, i, i, i, i, i, i, i - 1, i, i, i, i, i, i, i, i);
    text_add(&text, "}\n");
    fixture_open(f, memory, false);
}

static void a_region_that_is_too_large_is_not_remembered(void **state) {
    (void)state;
    for (int large = 0; large < 2; large++) {
        fixture f;
        open_chain(&f, large ? 600 : 100);
        hbg_causal_assignment *assignment = fixture_assign(&f);
        int32_t place = fixture_place(&f, "j50");
        assert_true(hbg_causal_switch(assignment, &place, 1));
        const causal_cache *cache = &assignment->caches[f.structure->place_region[place]];
        assert_int_equal(cache->refused, large);
        assert_int_equal(cache->count, large ? 0 : 2); // the mode before, and the one after
        meter m = meter_start(&f, assignment);         // reassigned anyhow, without allocating
        if (large) assert_true(hbg_causal_switch(assignment, &place, 1) && meter_stands(&m));
        fixture_close(&f);
    }
}

/* More local modes than the first table has room for, then all of them again. */
static void many_local_modes_are_remembered(void **state) {
    (void)state;
    fixture f;
    open_chain(&f, 9);
    hbg_causal_assignment *assignment = fixture_assign(&f);
    int32_t region = f.structure->place_region[fixture_place(&f, "j5")];
    for (int round = 0; round < 2; round++)
        for (int mode = 1; mode <= 512; mode++) { // in the order of a Gray code: one switches at a time
            int bit = __builtin_ctz((unsigned)mode);
            char name[16];
            snprintf(name, sizeof name, "j%d", bit < 9 ? bit + 1 : 9);
            int32_t place = fixture_place(&f, name);
            meter m = meter_start(&f, assignment);
            assert_true(hbg_causal_switch(assignment, &place, 1));
            assert_true(round == 0 || meter_stands(&m));
        }
    assert_int_equal(assignment->caches[region].count, 512);
    fixture_close(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(repeats_allocate_nothing_and_are_as_good),
        cmocka_unit_test(a_region_stands_as_its_snapshot_says),
        cmocka_unit_test(what_floats_is_judged_again),
        cmocka_unit_test(a_region_that_is_too_large_is_not_remembered),
        cmocka_unit_test(many_local_modes_are_remembered),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Strong components are what trying all ways says, and arcs between them lead to lower numbers. */
// clang-format off
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
// clang-format on

#include <string.h>

#include "graph/graph.h"

#define NODES 12

typedef struct {
    int32_t count, start[NODES + 1], heads[NODES * NODES];
    bool reaches[NODES][NODES];
} sample;

static uint32_t next_random(uint64_t *state) {
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(*state >> 33);
}

static void make_sample(sample *s, uint64_t *random, uint32_t percent) {
    int32_t arcs = 0;
    memset(s, 0, sizeof *s);
    s->count = 1 + (int32_t)(next_random(random) % NODES);
    for (int32_t i = 0; i < s->count; i++) {
        s->start[i] = arcs;
        s->reaches[i][i] = true;
        for (int32_t k = 0; k < s->count; k++) {
            if (next_random(random) % 100 >= percent) continue;
            s->heads[arcs++] = k;
            s->reaches[i][k] = true;
        }
    }
    s->start[s->count] = arcs;
    for (int32_t k = 0; k < s->count; k++)
        for (int32_t i = 0; i < s->count; i++)
            for (int32_t j = 0; j < s->count; j++)
                s->reaches[i][j] = s->reaches[i][j] || (s->reaches[i][k] && s->reaches[k][j]);
}

static void check_sample(hbg_arena *arena, const sample *s) {
    int32_t component[NODES];
    int32_t count = hbg_graph_strong_components(arena, s->count, s->start, s->heads, component);
    bool used[NODES] = {0};
    for (int32_t i = 0; i < s->count; i++) {
        assert_in_range(component[i], 0, count - 1);
        used[component[i]] = true;
        for (int32_t k = 0; k < s->count; k++) {
            assert_int_equal(component[i] == component[k], s->reaches[i][k] && s->reaches[k][i]);
            if (s->reaches[i][k]) assert_true(component[i] >= component[k]);
        }
    }
    for (int32_t i = 0; i < count; i++) assert_true(used[i]);
}

static void components_are_what_trying_all_ways_says(void **state) {
    (void)state;
    static sample s;
    uint64_t random = 1;
    for (int i = 0; i < 3000; i++) {
        hbg_memory memory = {0};
        hbg_arena arena;
        hbg_base_arena_init(&arena, &memory);
        make_sample(&s, &random, 5 + (uint32_t)(i % 30));
        check_sample(&arena, &s);
        hbg_base_arena_fini(&arena);
    }
}

static void no_nodes_have_no_components(void **state) {
    (void)state;
    hbg_memory memory = {0};
    hbg_arena arena;
    int32_t start[1] = {0};
    hbg_base_arena_init(&arena, &memory);
    assert_int_equal(hbg_graph_strong_components(&arena, 0, start, NULL, NULL), 0);
    hbg_base_arena_fini(&arena);
}

/* A path and back again: the search goes a million nodes deep. */
static void depth_is_a_matter_of_memory(void **state) {
    (void)state;
    enum { COUNT = 1000000 };
    hbg_memory memory = {0};
    hbg_arena arena;
    hbg_base_arena_init(&arena, &memory);
    int32_t *start = HBG_NEW_ARRAY(&arena, int32_t, COUNT + 1);
    int32_t *heads = HBG_NEW_ARRAY(&arena, int32_t, COUNT);
    int32_t *component = HBG_NEW_ARRAY(&arena, int32_t, COUNT);
    for (int32_t i = 0; i < COUNT; i++) {
        start[i + 1] = i + 1;
        heads[i] = (i + 1) % COUNT;
    }
    assert_int_equal(hbg_graph_strong_components(&arena, COUNT, start, heads, component), 1);
    heads[COUNT - 1] = COUNT - 1; // the way back is gone
    assert_int_equal(hbg_graph_strong_components(&arena, COUNT, start, heads, component), COUNT);
    assert_int_equal(component[0], COUNT - 1);
    hbg_base_arena_fini(&arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(components_are_what_trying_all_ways_says),
        cmocka_unit_test(no_nodes_have_no_components),
        cmocka_unit_test(depth_is_a_matter_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

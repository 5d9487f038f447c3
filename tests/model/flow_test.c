/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The graph of what depends on what, and its worklist. */
#include "fixture_impl.h"

typedef struct {
    hbg_check check;
    int updates[64];
    int level[64];
} trial;

/* Builds the graph of the fixture's model without checking it. */
static void build(trial *t, fixture *f) {
    memset(t, 0, sizeof *t);
    t->check.model = f->model;
    t->check.scratch = &f->arena;
    hbg_model_flow_build(&t->check);
    assert_true(t->check.flow.vertex_count <= 64);
}

static void edges_lead_from_arguments_to_users(void **state) {
    fixture *f = *state;
    hbg_expr one = number(f, 1), two = number(f, 2), sum = op(f, HBG_OP_ADD, one, two);
    int32_t p = param(f, "p", sum);
    hbg_expr read = use(f, p);
    trial t;
    build(&t, f);
    const hbg_flow *flow = &t.check.flow;
    assert_int_equal(flow->start[one + 1] - flow->start[one], 1);
    assert_int_equal(flow->target[flow->start[one]], sum);
    assert_int_equal(flow->target[flow->start[sum]], flow->first_param + p);
    assert_int_equal(flow->target[flow->start[flow->first_param + p]], read);
    assert_int_equal(flow->start[read + 1] - flow->start[read], 0);
}

/* A vertex is as deep as the longest way to it, up to 5. */
static bool deepen(void *context, int32_t vertex) {
    trial *t = context;
    t->updates[vertex]++;
    const hbg_flow *flow = &t->check.flow;
    int deepest = 0;
    for (int32_t v = 0; v < flow->vertex_count; v++)
        for (int32_t i = flow->start[v]; i < flow->start[v + 1]; i++)
            if (flow->target[i] == vertex && t->level[v] + 1 > deepest) deepest = t->level[v] + 1;
    if (deepest > 5) deepest = 5;
    bool changed = deepest != t->level[vertex];
    t->level[vertex] = deepest;
    return changed;
}

static void changes_spread_until_nothing_changes(void **state) {
    fixture *f = *state;
    // declared against the direction in which values flow
    int32_t a = param(f, "a", HBG_NONE), b = param(f, "b", HBG_NONE), c = param(f, "c", HBG_NONE);
    f->model->params.items[a].value = use(f, b);
    f->model->params.items[b].value = use(f, c);
    f->model->params.items[c].value = number(f, 1);
    trial t;
    build(&t, f);
    hbg_model_flow_run(&t.check.flow, deepen, &t);
    assert_int_equal(t.level[t.check.flow.first_param + c], 1);
    assert_int_equal(t.level[t.check.flow.first_param + b], 3);
    assert_int_equal(t.level[t.check.flow.first_param + a], 5);
    for (int32_t v = 0; v < t.check.flow.vertex_count; v++) assert_in_range(t.updates[v], 1, 6);
}

static void a_circle_comes_to_an_end(void **state) {
    fixture *f = *state;
    int32_t a = param(f, "a", HBG_NONE);
    f->model->params.items[a].value = use(f, a);
    trial t;
    build(&t, f);
    hbg_model_flow_run(&t.check.flow, deepen, &t);
    assert_int_equal(t.level[t.check.flow.first_param + a], 5);
}

static void a_vertex_waits_once(void **state) {
    fixture *f = *state;
    for (int i = 0; i < 10; i++) number(f, i);
    trial t;
    build(&t, f);
    for (int i = 0; i < 100; i++) hbg_model_flow_push(&t.check.flow, i % 10);
    assert_int_equal(t.check.flow.waiting, 10);
}

int main(void) {
    const struct CMUnitTest tests[] = {TEST(edges_lead_from_arguments_to_users),
                                       TEST(changes_spread_until_nothing_changes),
                                       TEST(a_circle_comes_to_an_end), TEST(a_vertex_waits_once)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

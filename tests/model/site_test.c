/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Sites: no expression of a model is forgotten. */
#include "fixture_impl.h"

typedef struct {
    hbg_check check; /* first, so that the visitor finds the rest */
    int visits[HBG_SITE_COUNT];
    int of_expr[256];
    const char *last_text[HBG_SITE_COUNT];
} census;

static void count(hbg_check *check, const hbg_site *site) {
    census *c = (census *)check;
    c->visits[site->kind]++;
    c->of_expr[site->expr]++;
    const char *text = hbg_model_site_text(check, site);
    c->last_text[site->kind] = hbg_base_arena_copy(check->scratch, text, strlen(text));
}

/* A model that uses every place there is, once. */
static void fill(fixture *f) {
    hbg_model *m = f->model;
    int32_t p = param(f, "p", number(f, 1));
    int32_t c = element(f, HBG_KIND_C, "c", number(f, 2));
    initial(f, c, HBG_VARIABLE_DISPLACEMENT, 1, number(f, 3));
    int32_t r = bare_element(f, HBG_KIND_R, "r", 1);
    law(f, r, HBG_VARIABLE_EFFORT, 1, number(f, 4));
    int32_t n = junction(f, HBG_KIND_ZERO, "n");
    m->elements.items[n].control = number(f, 5);
    m->elements.items[n].restitution = number(f, 6);
    int32_t a = automaton(f, "a", "01");
    m->automata.items[a].every = number(f, 7);
    int32_t t = transition(f, a, 0, 1, number(f, 8));
    m->transitions.items[t].after = number(f, 9);
    int32_t s = signal(f, HBG_SIGNAL_SENSOR, "s", number(f, 10));
    m->signals.items[s].initial = number(f, 11);
    m->signals.items[s].every = number(f, 12);
    m->signals.items[s].noise_mean = number(f, 13);
    m->signals.items[s].noise_variance = number(f, 14);
    int32_t index = experiment(f, "e1", number(f, 15));
    hbg_experiment *e = &m->experiments.items[index];
    e->step = number(f, 16);
    e->record_every = number(f, 17);
    hbg_setting setting = {.target = {HBG_OBJECT_PARAM, p}, .value = number(f, 18)};
    HBG_PUSH(&f->arena, e->settings, setting);
    hbg_action action = {number(f, 19), s, number(f, 20), place(f)};
    HBG_PUSH(&f->arena, e->actions, action);
    hbg_fault fault = {.at = number(f, 21), .until = number(f, 22), .target = {HBG_OBJECT_SIGNAL, s}};
    fault.value = number(f, 23);
    fault.value2 = number(f, 24);
    HBG_PUSH(&f->arena, e->faults, fault);
    HBG_PUSH(&f->arena, e->records, (hbg_record){number(f, 25), "x", NULL});
    HBG_PUSH(&f->arena, e->plots, (hbg_record){number(f, 26), "x", NULL});
    hbg_range range = {number(f, 27), number(f, 28), number(f, 29), place(f)};
    HBG_PUSH(&f->arena, m->ranges, range);
    HBG_PUSH(&f->arena, m->assumptions, number(f, 30));
    hbg_axis axis = {.kind = HBG_AXIS_LOGNORMAL, .param = p, .spread = number(f, 31)};
    HBG_PUSH(&f->arena, e->axes, axis);
    hbg_choice choice = {
        .target = {HBG_OBJECT_PARAM, p}, .low = number(f, 32), .high = number(f, 33), .span = place(f)};
    HBG_PUSH(&f->arena, m->choices, choice);
    hbg_always condition = {
        .value = number(f, 34), .junction = HBG_NONE, .pulse = HBG_NONE, .span = place(f)};
    hbg_always bound = {.value = number(f, 35), .junction = 0, .pulse = HBG_NONE, .span = place(f)};
    HBG_PUSH(&f->arena, m->always, condition);
    HBG_PUSH(&f->arena, m->always, bound);
}

static void take_census(fixture *f, census *c) {
    fill(f);
    memset(c, 0, sizeof *c);
    c->check.model = f->model;
    c->check.scratch = &f->arena;
    for (int i = 0; i < HBG_CHECK_TEXTS; i++) hbg_base_buffer_init(&c->check.texts[i], &f->arena);
    hbg_model_sites_each(&c->check, count);
}

static void every_expression_is_visited_once(void **state) {
    fixture *f = *state;
    census c;
    take_census(f, &c);
    assert_int_equal(f->model->exprs.count, 35);
    for (int32_t i = 0; i < f->model->exprs.count; i++) assert_int_equal(c.of_expr[i], 1);
    for (int kind = 0; kind < HBG_SITE_COUNT; kind++) {
        bool twice = kind == HBG_SITE_RANGE_BOUND || kind == HBG_SITE_RECORD || kind == HBG_SITE_CHOICE;
        int wanted = twice ? 2 : 1;
        assert_int_equal(c.visits[kind], wanted);
    }
}

static void sites_are_described_by_their_owner(void **state) {
    fixture *f = *state;
    census c;
    take_census(f, &c);
    assert_string_equal(c.last_text[HBG_SITE_PARAM], "parameter `p`");
    assert_string_equal(c.last_text[HBG_SITE_INITIAL], "the initial value of `c`");
    assert_string_equal(c.last_text[HBG_SITE_GUARD], "a guard of `a`");
    assert_string_equal(c.last_text[HBG_SITE_STOP], "the stop time of experiment `e1`");
    assert_string_equal(c.last_text[HBG_SITE_SETTING], "a setting of `p`");
    assert_string_equal(c.last_text[HBG_SITE_ACTION_VALUE], "a new value of `s`");
    assert_string_equal(c.last_text[HBG_SITE_FAULT_AT], "the time of a fault in experiment `e1`");
    assert_string_equal(c.last_text[HBG_SITE_ASSUMPTION], "an assumption in `verify`");
    assert_string_equal(c.last_text[HBG_SITE_LOSS], "the bound of a loss in `verify`");
}

int main(void) {
    const struct CMUnitTest tests[] = {TEST(every_expression_is_visited_once),
                                       TEST(sites_are_described_by_their_owner)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

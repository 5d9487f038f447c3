/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The check as a whole: models with holes, models without memory, large models. */
#include "fixture_impl.h"

/* ---- random models with holes ------------------------------------------------------------------------- */

/* An index below `count`, sometimes none. */
static int32_t pick(fixture *f, int32_t count) {
    return count == 0 || random_below(f, 6) == 0 ? HBG_NONE : random_below(f, count);
}

static hbg_expr any_expr(fixture *f) {
    return pick(f, f->model->exprs.count);
}

static hbg_identity somewhere(fixture *f) {
    return (hbg_identity){0, 0, random_below(f, 3) ? place(f) : (hbg_span){0, 0}};
}

static void random_expr(fixture *f) {
    const hbg_model *m = f->model;
    hbg_operator kind = random_below(f, HBG_OP_COUNT);
    int32_t a = any_expr(f), b = any_expr(f), c = any_expr(f);
    switch (kind) {
    case HBG_OP_NUMBER:
        quantity(f, random_below(f, 5) - 1, random_below(f, 2) ? VOLT : hbg_model_dimension_any);
        return;
    case HBG_OP_PARAM: a = pick(f, m->params.count); break;
    case HBG_OP_SIGNAL: a = pick(f, m->signals.count); break;
    case HBG_OP_EFFORT:
    case HBG_OP_FLOW:
    case HBG_OP_DISPLACEMENT:
    case HBG_OP_MOMENTUM:
    case HBG_OP_ENERGY:
    case HBG_OP_POWER:
        a = pick(f, m->elements.count);
        b = random_below(f, 4);
        break;
    case HBG_OP_BOND_EFFORT:
    case HBG_OP_BOND_FLOW:
    case HBG_OP_BOND_POWER: a = pick(f, m->bonds.count); break;
    case HBG_OP_AUTOMATON:
    case HBG_OP_ACTIVE:
        a = pick(f, m->automata.count);
        b = pick(f, 2);
        break;
    case HBG_OP_TABLE: b = HBG_NONE; break;
    case HBG_OP_IN:
        b = pick(f, m->automata.count);
        c = pick(f, 2);
        break;
    default: break;
    }
    hbg_model_add_expr(f->model, kind, a, b, c, random_below(f, 3) ? place(f) : (hbg_span){0, 0});
}

/* Objects first, so that expressions can name them; then expressions; then expressions are given to objects.
 */
static void random_objects(fixture *f, int size) {
    for (int i = 0; i < size; i++) {
        hbg_element_kind kind = random_below(f, HBG_KIND_COUNT);
        const hbg_element_info *info = hbg_model_element_info_get(kind);
        hbg_model_add_element(f->model, somewhere(f), kind,
                              info->field ? 1 + random_below(f, 3) : info->ports);
        hbg_model_add_param(f->model, somewhere(f));
        hbg_model_add_signal(f->model, somewhere(f), random_below(f, HBG_SIGNAL_KIND_COUNT),
                             random_below(f, 4));
        char text[] = {'a', (char)('0' + i % 10), (char)('0' + i / 10), 0};
        automaton(f, text, random_below(f, 5) ? "01" : "");
    }
    for (int i = 0; i < 2 * size; i++) {
        hbg_bond_end from = {pick(f, size), random_below(f, 4), place(f)}, to = {pick(f, size), 0, place(f)};
        hbg_model_add_bond(f->model, somewhere(f), from, to);
        int32_t port = hbg_model_add_port(f->model, somewhere(f), random_below(f, HBG_DOMAIN_COUNT));
        f->model->ports.items[port].bond = pick(f, f->model->bonds.count);
    }
}

static void random_bindings(fixture *f, int32_t index) {
    hbg_model *m = f->model;
    for (int i = random_below(f, 4); i > 0; i--) {
        hbg_expr value = any_expr(f);
        give(f, index, value);
    }
    for (int i = random_below(f, 4); i > 0; i--)
        law(f, index, random_below(f, HBG_VARIABLE_COUNT), random_below(f, 5), any_expr(f));
    for (int i = random_below(f, 3); i > 0; i--)
        initial(f, index, random_below(f, HBG_VARIABLE_COUNT), random_below(f, 5), any_expr(f));
    if (m->elements.items[index].ports != 0) return;
    m->elements.items[index].control = any_expr(f);
    m->elements.items[index].restitution = any_expr(f);
    m->elements.items[index].dual_off = random_below(f, 2);
}

static void random_experiment(fixture *f, int size) {
    int32_t index = experiment(f, "e", any_expr(f));
    hbg_experiment *e = &f->model->experiments.items[index];
    const hbg_object_kind kinds[] = {HBG_OBJECT_PARAM, HBG_OBJECT_ELEMENT, HBG_OBJECT_AUTOMATON,
                                     HBG_OBJECT_SIGNAL};
    for (int i = 0; i < 5; i++) {
        hbg_object target = {kinds[random_below(f, 4)], pick(f, size)};
        hbg_setting setting = {target,  random_below(f, HBG_VARIABLE_COUNT), 1, pick(f, 2), any_expr(f),
                               place(f)};
        HBG_PUSH(&f->arena, e->settings, setting);
        hbg_action action = {any_expr(f), pick(f, size), any_expr(f), place(f)};
        HBG_PUSH(&f->arena, e->actions, action);
        hbg_fault fault = {
            .at = any_expr(f), .until = any_expr(f), .value = any_expr(f), .value2 = any_expr(f)};
        fault.target = (hbg_object){kinds[random_below(f, 4)], pick(f, size)};
        fault.kind = random_below(f, HBG_FAULT_COUNT);
        fault.state = pick(f, 2);
        HBG_PUSH(&f->arena, e->faults, fault);
    }
    hbg_range range = {any_expr(f), any_expr(f), any_expr(f), place(f)};
    HBG_PUSH(&f->arena, f->model->ranges, range);
    HBG_PUSH(&f->arena, f->model->assumptions, any_expr(f));
}

static void random_model(fixture *f, int size) {
    hbg_model *m = f->model;
    random_objects(f, size);
    for (int i = 0; i < 10 * size; i++) random_expr(f);
    for (int32_t i = 0; i < size; i++) {
        random_bindings(f, i);
        m->params.items[i].value = any_expr(f);
        hbg_signal *s = &m->signals.items[i];
        hbg_expr *fields[] = {&s->value, &s->initial, &s->every, &s->noise_mean, &s->noise_variance};
        for (int k = 0; k < 5; k++) *fields[k] = any_expr(f);
        m->automata.items[i].every = any_expr(f);
        for (int32_t from = 0; from < m->automata.items[i].state_count; from++)
            for (int t = random_below(f, 4); t > 0; t--) {
                int32_t added = transition(f, i, from, pick(f, 2), any_expr(f));
                m->transitions.items[added].after = any_expr(f);
            }
    }
    random_experiment(f, size);
}

static void a_model_with_holes_is_checked_without_harm(void **state) {
    (void)state;
    for (int trial = 0; trial < 300; trial++) {
        fixture f;
        fixture_init(&f);
        f.random += (uint64_t)trial * 0x9e3779b97f4a7c15U;
        random_model(&f, 1 + trial % 20);
        hbg_base_report(&f.diagnostics, HBG_E_UNKNOWN, place(&f), "the holes have been reported");
        hbg_model_check(f.model);
        hbg_buffer text;
        hbg_base_buffer_init(&text, &f.arena);
        hbg_model_dump(f.model, &text);
        assert_true(f.model->frozen);
        hbg_base_arena_fini(&f.arena);
    }
}

static void a_wild_model_is_checked_without_harm_also_without_errors_before(void **state) {
    (void)state;
    for (int trial = 0; trial < 200; trial++) {
        fixture f;
        fixture_init(&f);
        f.random ^= (uint64_t)(trial + 1) * 0xd1342543de82ef95U;
        random_model(&f, 1 + trial % 15);
        hbg_model_check(f.model);
        assert_true(f.model->frozen);
        hbg_base_arena_fini(&f.arena);
    }
}

/* ---- memory ------------------------------------------------------------------------------------------- */

/* Builds and checks with the n-th allocation failing; whether it got to the end. */
static bool survives(int64_t n) {
    jmp_buf guard;
    fixture *f = calloc(1, sizeof *f); // not on the stack, where a jump would leave it undefined
    assert_non_null(f);
    fixture_init(f);
    f->memory.fail_at = f->memory.calls + n;
    bool exhausted = HBG_GUARD(&f->memory, guard);
    if (!exhausted) {
        random_model(f, 40);
        hbg_model_check(f->model);
    }
    HBG_GUARD_END(&f->memory);
    hbg_base_arena_fini(&f->arena);
    assert_int_equal(f->memory.used, 0);
    free(f);
    return !exhausted;
}

static void memory_may_run_out_anywhere(void **state) {
    (void)state;
    int64_t n = 1;
    while (n < 2000 && !survives(n)) n++;
    assert_in_range(n, 2, 1999);
}

/* ---- size --------------------------------------------------------------------------------------------- */

static void a_ladder_of_many_stages_is_one_clean_net(void **state) {
    fixture *f = *state;
    enum { STAGES = 20000 };
    hbg_identity nameless = {0, 0, {0, 0}};
    int32_t source = element(f, HBG_KIND_SE, "s", quantity(f, 10, VOLT)), before = source;
    for (int i = 0; i < STAGES; i++) {
        int32_t j = hbg_model_add_element(f->model, nameless, HBG_KIND_ONE, 0);
        int32_t n = hbg_model_add_element(f->model, nameless, HBG_KIND_ZERO, 0);
        int32_t r = hbg_model_add_element(f->model, nameless, HBG_KIND_R, 1);
        int32_t c = hbg_model_add_element(f->model, nameless, HBG_KIND_C, 1);
        give(f, r, quantity(f, 1, OHM));
        give(f, c, quantity(f, 1, FARAD));
        bond(f, before, j);
        bond(f, j, r);
        bond(f, j, n);
        bond(f, n, c);
        before = n;
    }
    bond(f, before, element(f, HBG_KIND_R, "end", number(f, 1)));
    size_t built = f->memory.used;
    assert_clean(f);
    assert_int_equal(f->model->net_count, 1);
    assert_int_equal(f->model->net_domain[0], HBG_DOMAIN_ELECTRICAL);
    assert_true((f->memory.used - built) / (size_t)f->model->elements.count < 400);
}

static void errors_beyond_those_kept_are_counted(void **state) {
    fixture *f = *state;
    enum { MANY = 100000 };
    for (int i = 0; i < MANY; i++) {
        int32_t r = hbg_model_add_element(f->model, (hbg_identity){0, 0, place(f)}, HBG_KIND_R, 1);
        give(f, r, number(f, 1));
    }
    size_t built = f->memory.used;
    hbg_model_check(f->model);
    assert_int_equal(f->diagnostics.errors, MANY);
    assert_true(f->memory.used - built < (size_t)40 << 20);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(a_model_with_holes_is_checked_without_harm),
        TEST(a_wild_model_is_checked_without_harm_also_without_errors_before),
        TEST(memory_may_run_out_anywhere),
        TEST(a_ladder_of_many_stages_is_one_clean_net),
        TEST(errors_beyond_those_kept_are_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Tables whose numbers are all in their ranges, and that no front end would make. */
#include "fixture_impl.h"

#include "model/store_impl.h"

static int32_t source, coil, node, key, input, meter, run;

static void fill(fixture *f) {
    source = element(f, HBG_KIND_SE, "s", use(f, param(f, "V", quantity(f, 10, VOLT))));
    coil = element(f, HBG_KIND_I, "coil", number(f, 1));
    key = automaton(f, "key", "01");
    input = hbg_model_add_signal(f->model, id(f, "u"), HBG_SIGNAL_INPUT, HBG_TYPE_BOOL);
    transition(f, key, 0, 1, read_signal(f, input));
    node = switched(f, HBG_KIND_ONE, "j", follow(f, key));
    bond(f, source, node);
    bond(f, node, coil);
    meter = signal(f, HBG_SIGNAL_SENSOR, "m", op(f, HBG_OP_FLOW, coil, 1));
    run = experiment(f, "run", quantity(f, 1, SECOND));
    hbg_action action = {number(f, 0.5), input, op(f, HBG_OP_TRUE, HBG_NONE, HBG_NONE), place(f)};
    HBG_PUSH(&f->arena, f->model->experiments.items[run].actions, action);
    hbg_setting setting = {.target = {HBG_OBJECT_ELEMENT, coil},
                           .variable = HBG_VARIABLE_MOMENTUM,
                           .port = 1,
                           .state = HBG_NONE,
                           .value = number(f, 1)};
    HBG_PUSH(&f->arena, f->model->experiments.items[run].settings, setting);
    hbg_fault fault = {.at = number(f, 0),
                       .until = HBG_NONE,
                       .target = {HBG_OBJECT_SIGNAL, meter},
                       .kind = HBG_FAULT_BIAS,
                       .value = number(f, 1),
                       .value2 = HBG_NONE,
                       .state = HBG_NONE,
                       .text = "m bias 1"};
    HBG_PUSH(&f->arena, f->model->experiments.items[run].faults, fault);
}

static void break_part(fixture *f) {
    f->model->exprs.items[f->model->elements.items[node].control].a = 7;
}
static void break_order(fixture *f) {
    hbg_expr last = op(f, HBG_OP_NEGATE, number(f, 1), HBG_NONE);
    f->model->exprs.items[last].a = last;
}
static void break_leaf(fixture *f) {
    f->model->exprs.items[f->model->signals.items[meter].value].b = 2;
}
static void break_value(fixture *f) {
    f->model->entries.items[0] = HBG_NONE;
}
static void break_digits(fixture *f) {
    f->model->literals.items[0].value.digits = "1x";
}
static void break_name(fixture *f) {
    f->model->elements.items[coil].id.name = 0;
}
static void break_scope(fixture *f) {
    f->model->elements.items[coil].id.scope = hbg_model_add_scope(f->model, id(f, "inner"), 0, NULL);
    f->model->scopes.items[1].id.scope = 1;
}
static void break_param(fixture *f) {
    f->model->params.items[0].value = HBG_NONE;
}
static void break_ports(fixture *f) {
    f->model->elements.items[source].ports = 2;
}
static void break_junction(fixture *f) {
    f->model->elements.items[coil].dual_off = true;
}
static void break_signal(fixture *f) {
    f->model->signals.items[meter].noise_mean = 0;
}
static void break_target(fixture *f) {
    f->model->transitions.items[0].target = 2;
}
static void break_states(fixture *f) {
    f->model->automata.items[key].state_count = 1;
}
static void break_action(fixture *f) {
    f->model->experiments.items[run].actions.items[0].signal = meter;
}
static void break_setting(fixture *f) {
    f->model->experiments.items[run].settings.items[0].target.index = source;
}
static void break_fault(fixture *f) {
    f->model->experiments.items[run].faults.items[0].kind = HBG_FAULT_ABRUPT;
}
static void break_count(fixture *f) {
    experiment(f, "more", number(f, 1));
}

static void each_is_refused_with_its_reason(void **state) {
    static const struct {
        void (*broken)(fixture *f);
        const char *reason;
    } cases[] = {{break_part, "reads what is not there"},
                 {break_order, "has no such part"},
                 {break_leaf, "reads what is not there"},
                 {break_value, "a value is missing"},
                 {break_digits, "a number of the model is malformed"},
                 {break_name, "no name"},
                 {break_scope, "no name, or no place"},
                 {break_param, "a parameter has no value"},
                 {break_ports, "an element is malformed"},
                 {break_junction, "an element is malformed"},
                 {break_signal, "a signal is malformed"},
                 {break_target, "an automaton is malformed"},
                 {break_states, "an automaton is malformed"},
                 {break_action, "its experiment is malformed"},
                 {break_setting, "its experiment is malformed"},
                 {break_fault, "its experiment is malformed"},
                 {break_count, "more than one experiment"}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        fixture f;
        fixture_init(&f);
        fill(&f);
        f.model->scopes.items[0].id.name = f.model->name;
        assert_null(hbg_model_restored_wrong(f.model));
        cases[i].broken(&f);
        const char *reason = hbg_model_restored_wrong(f.model);
        if (!reason || !strstr(reason, cases[i].reason))
            fail_msg("case %zu: %s", i, reason ? reason : "fine");
        hbg_base_arena_fini(&f.arena);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(each_is_refused_with_its_reason)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

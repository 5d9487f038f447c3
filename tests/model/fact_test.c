/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * What facts say about nets. */
#include "model/inference_impl.h"

#include "fixture_impl.h"

#define ELECTRICAL HBG_DOMAIN_BIT(HBG_DOMAIN_ELECTRICAL)
#define ROTATIONAL HBG_DOMAIN_BIT(HBG_DOMAIN_ROTATIONAL)

/* A check with its structure and facts, nothing more. */
static void begin(hbg_check *check, fixture *f) {
    memset(check, 0, sizeof *check);
    check->model = f->model;
    check->diagnostics = &f->diagnostics;
    check->scratch = &f->arena;
    for (int i = 0; i < HBG_CHECK_TEXTS; i++) hbg_base_buffer_init(&check->texts[i], &f->arena);
    hbg_base_pair_map_init(&check->reported, &f->arena);
    hbg_model_check_structure(check);
    hbg_model_facts_build(check);
}

static void every_value_law_and_initial_value_is_a_fact(void **state) {
    fixture *f = *state;
    int32_t c = element(f, HBG_KIND_C, "c", number(f, 1));
    initial(f, c, HBG_VARIABLE_EFFORT, 1, number(f, 0));
    int32_t r = bare_element(f, HBG_KIND_R, "r", 1);
    law(f, r, HBG_VARIABLE_FLOW, 1, number(f, 1));
    hang(f, c);
    hang(f, r);
    hang(f, element(f, HBG_KIND_I, "i", number(f, 1)));
    hbg_check check;
    begin(&check, f);
    assert_int_equal(check.facts.count, 5); // with the momentum of the I
    assert_int_equal(hbg_model_fact_quantity(&check, &check.facts.items[0]), HBG_QUANTITY_CAPACITANCE);
    assert_int_equal(hbg_model_fact_quantity(&check, &check.facts.items[1]), HBG_QUANTITY_EFFORT);
    assert_int_equal(hbg_model_fact_quantity(&check, &check.facts.items[2]), HBG_QUANTITY_FLOW);
    assert_int_equal(check.facts.items[4].kind, HBG_FACT_MOMENTUM);
    for (int i = 0; i < 5; i++) assert_false(hbg_model_fact_is_pair(&check, &check.facts.items[i]));
}

static void declared_ports_come_first(void **state) {
    fixture *f = *state;
    int32_t r = element(f, HBG_KIND_R, "r", number(f, 1));
    int32_t b = bond(f, element(f, HBG_KIND_SE, "s", number(f, 1)), r);
    int32_t any = hbg_model_add_port(f->model, id(f, "p"), HBG_DOMAIN_ANY);
    int32_t port = hbg_model_add_port(f->model, id(f, "q"), HBG_DOMAIN_THERMAL);
    int32_t open = hbg_model_add_port(f->model, id(f, "o"), HBG_DOMAIN_THERMAL);
    f->model->ports.items[any].bond = f->model->ports.items[port].bond = b;
    f->model->ports.items[open].bond = HBG_NONE;
    hbg_check check;
    begin(&check, f);
    assert_int_equal(check.facts.count, 3);
    assert_int_equal(check.facts.items[0].kind, HBG_FACT_PORT);
    assert_int_equal(check.facts.items[0].object, port);
}

static void two_ports_and_couplings_are_about_two_nets(void **state) {
    fixture *f = *state;
    int32_t gear = element(f, HBG_KIND_TF, "gear", number(f, 2)), w = bare_element(f, HBG_KIND_C, "w", 2);
    for (int i = 0; i < 4; i++) give(f, w, number(f, 1));
    int32_t in = bond_ports(f, w, 1, gear, 1), out = bond_ports(f, gear, 2, w, 2);
    hbg_check check;
    begin(&check, f);
    int32_t nets[2];
    hbg_model_fact_nets(&check, &check.facts.items[0], nets);
    assert_true(hbg_model_fact_is_pair(&check, &check.facts.items[0]));
    assert_int_equal(nets[0], f->model->bonds.items[in].net);
    assert_int_equal(nets[1], f->model->bonds.items[out].net);
    const bool pair[] = {false, true, true, false};
    for (int i = 0; i < 4; i++)
        assert_int_equal(hbg_model_fact_is_pair(&check, &check.facts.items[1 + i]), pair[i]);
    hbg_model_fact_nets(&check, &check.facts.items[3], nets); // row 2, column 1
    assert_int_equal(nets[0], f->model->bonds.items[out].net);
    assert_int_equal(nets[1], f->model->bonds.items[in].net);
}

static void a_pair_leaves_what_has_a_partner(void **state) {
    fixture *f = *state;
    int32_t motor = element(f, HBG_KIND_GY, "motor", quantity(f, 1, WEBER));
    bond(f, element(f, HBG_KIND_R, "a", number(f, 1)), motor);
    bond(f, motor, element(f, HBG_KIND_R, "b", number(f, 1)));
    hbg_check check;
    begin(&check, f);
    const hbg_fact *fact = &check.facts.items[0];
    hbg_domain_set first = HBG_DOMAINS_ALL, second = ELECTRICAL;
    hbg_model_fact_pair_project(&check, fact, WEBER, &first, &second);
    assert_int_equal(first, ROTATIONAL); // e1/f2 = N·m/A
    assert_int_equal(second, ELECTRICAL);
    first = second = ELECTRICAL;
    hbg_model_fact_pair_project(&check, fact, WEBER, &first, &second);
    assert_int_equal(first | second, 0);
}

static void a_transformer_between_equal_domains_is_a_pure_number(void **state) {
    fixture *f = *state;
    int32_t gear = element(f, HBG_KIND_TF, "gear", number(f, 1));
    bond(f, element(f, HBG_KIND_R, "a", number(f, 1)), gear);
    bond(f, gear, element(f, HBG_KIND_R, "b", number(f, 1)));
    hbg_check check;
    begin(&check, f);
    for (int d = HBG_DOMAIN_ANY + 1; d < HBG_DOMAIN_COUNT; d++) {
        hbg_domain_set first = HBG_DOMAINS_ALL, second = HBG_DOMAIN_BIT(d);
        hbg_model_fact_pair_project(&check, &check.facts.items[0], hbg_model_dimension_pure, &first, &second);
        assert_true(first & HBG_DOMAIN_BIT(d));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(every_value_law_and_initial_value_is_a_fact),          TEST(declared_ports_come_first),
        TEST(two_ports_and_couplings_are_about_two_nets),           TEST(a_pair_leaves_what_has_a_partner),
        TEST(a_transformer_between_equal_domains_is_a_pure_number),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

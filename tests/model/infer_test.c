/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Inference of domains and dimensions. */
#include "fixture_impl.h"

static hbg_domain domain_at(const fixture *f, int32_t element_index) {
    return f->model->net_domain[f->model->elements.items[element_index].net];
}

static void one_unit_decides_the_net(void **state) {
    (void)state;
    const struct {
        hbg_element_kind kind;
        hbg_dimension dimension;
        hbg_domain domain;
    } cases[] = {
        {HBG_KIND_SE, VOLT, HBG_DOMAIN_ELECTRICAL},       {HBG_KIND_SF, SPEED, HBG_DOMAIN_TRANSLATIONAL},
        {HBG_KIND_R, OHM, HBG_DOMAIN_ELECTRICAL},         {HBG_KIND_C, FARAD, HBG_DOMAIN_ELECTRICAL},
        {HBG_KIND_I, KILOGRAM, HBG_DOMAIN_TRANSLATIONAL}, {HBG_KIND_I, HENRY, HBG_DOMAIN_ELECTRICAL},
        {HBG_KIND_SE, PASCAL, HBG_DOMAIN_HYDRAULIC},      {HBG_KIND_SE, KELVIN, HBG_DOMAIN_THERMAL},
        {HBG_KIND_SE, TORQUE, HBG_DOMAIN_ROTATIONAL}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        fixture f;
        fixture_init(&f);
        int32_t x = element(&f, cases[i].kind, "x", quantity(&f, 1, cases[i].dimension));
        bond(&f, x, element(&f, HBG_KIND_R, "load", number(&f, 1)));
        assert_clean(&f);
        assert_int_equal(domain_at(&f, x), cases[i].domain);
        hbg_base_arena_fini(&f.arena);
    }
}

static void bare_numbers_decide_nothing(void **state) {
    fixture *f = *state;
    int32_t s = element(f, HBG_KIND_SE, "s", number(f, 10));
    bond(f, s, element(f, HBG_KIND_R, "r", number(f, 1)));
    hbg_expr e = op(f, HBG_OP_EFFORT, s, 1);
    assert_clean(f);
    assert_int_equal(domain_at(f, s), HBG_DOMAIN_ANY);
    assert_false(f->model->expr_dimension[e].known);
}

static void observables_get_their_dimension_from_the_net(void **state) {
    fixture *f = *state;
    int32_t c = element(f, HBG_KIND_C, "c", quantity(f, 1, FARAD));
    int32_t b = bond(f, element(f, HBG_KIND_SE, "s", number(f, 1)), c);
    hbg_expr exprs[] = {op(f, HBG_OP_EFFORT, c, 1),       op(f, HBG_OP_FLOW, c, 1),
                        op(f, HBG_OP_DISPLACEMENT, c, 1), op(f, HBG_OP_BOND_EFFORT, b, HBG_NONE),
                        op(f, HBG_OP_ENERGY, c, 1),       op(f, HBG_OP_POWER, c, 1)};
    const char *const units[] = {"V", "A", "C", "V", "J", "W"};
    assert_clean(f);
    for (int i = 0; i < 6; i++)
        assert_string_equal(text_of_dimension(f, f->model->expr_dimension[exprs[i]]), units[i]);
}

static void dimensions_follow_the_operators(void **state) {
    fixture *f = *state;
    hbg_expr volt = quantity(f, 1, VOLT), ampere = quantity(f, 1, AMPERE), metre = quantity(f, 1, METRE);
    hbg_expr area = op(f, HBG_OP_POWER_OF, metre, number(f, 2));
    const struct {
        hbg_expr expr;
        const char *unit;
    } cases[] = {{op(f, HBG_OP_DIVIDE, volt, ampere), "Ohm"},
                 {op(f, HBG_OP_MULTIPLY, volt, ampere), "W"},
                 {op(f, HBG_OP_ADD, volt, number(f, 1)), "V"},
                 {op(f, HBG_OP_ADD, number(f, 1), volt), "V"},
                 {op(f, HBG_OP_MULTIPLY, volt, number(f, 2)), "a bare number"},
                 {area, "m^2"},
                 {op(f, HBG_OP_SQRT, area, HBG_NONE), "m"},
                 {op(f, HBG_OP_CBRT, op(f, HBG_OP_POW, metre, number(f, 3)), HBG_NONE), "m"},
                 {op(f, HBG_OP_POWER_OF, area, op(f, HBG_OP_DIVIDE, number(f, 1), number(f, 2))), "m"},
                 {op(f, HBG_OP_POWER_OF, metre, number(f, 0.3)), "a bare number"},
                 {op(f, HBG_OP_SIN, quantity(f, 1, hbg_model_dimension_pure), HBG_NONE), "a bare number"},
                 {op(f, HBG_OP_ATAN2, volt, volt), "a bare number"},
                 {op(f, HBG_OP_SIGN, volt, HBG_NONE), "a bare number"},
                 {op(f, HBG_OP_DER, metre, HBG_NONE), "m/s"},
                 {op(f, HBG_OP_IMPULSE, volt, HBG_NONE), "Wb"},
                 {op(f, HBG_OP_PRE, volt, HBG_NONE), "V"},
                 {op(f, HBG_OP_MAX, volt, number(f, 1)), "V"},
                 {op(f, HBG_OP_TIME, HBG_NONE, HBG_NONE), "s"},
                 {op(f, HBG_OP_LESS, volt, volt), "a bare number"}};
    assert_clean(f);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_string_equal(text_of_dimension(f, f->model->expr_dimension[cases[i].expr]), cases[i].unit);
}

static void parameters_and_signals_take_the_dimension_of_their_value(void **state) {
    fixture *f = *state;
    int32_t a = param(f, "a", HBG_NONE), b = param(f, "b", quantity(f, 3, VOLT));
    f->model->params.items[a].value = use(f, b);
    int32_t s = signal(f, HBG_SIGNAL_SIGNAL, "s", use(f, a));
    int32_t x = signal(f, HBG_SIGNAL_STATE, "x", quantity(f, 1, SPEED));
    int32_t y = signal(f, HBG_SIGNAL_STATE, "y", number(f, 1));
    f->model->signals.items[y].initial = quantity(f, 1, METRE);
    assert_clean(f);
    assert_string_equal(text_of_dimension(f, f->model->params.items[a].dimension), "V");
    assert_string_equal(text_of_dimension(f, f->model->signals.items[s].dimension), "V");
    assert_string_equal(text_of_dimension(f, f->model->signals.items[x].dimension), "m");
    assert_string_equal(text_of_dimension(f, f->model->signals.items[y].dimension), "m");
}

static void nets_decide_each_other_through_values(void **state) {
    fixture *f = *state;
    enum { LENGTH = 3000 };
    int32_t sources[LENGTH];
    // each source repeats the effort of the next net; only the last has a unit
    for (int i = 0; i < LENGTH; i++) {
        sources[i] = hbg_model_add_element(f->model, (hbg_identity){0, 0, place(f)}, HBG_KIND_SE, 1);
        int32_t r = hbg_model_add_element(f->model, (hbg_identity){0, 0, place(f)}, HBG_KIND_R, 1);
        give(f, r, number(f, 1));
        bond(f, sources[i], r);
    }
    for (int i = 0; i + 1 < LENGTH; i++) give(f, sources[i], op(f, HBG_OP_EFFORT, sources[i + 1], 1));
    give(f, sources[LENGTH - 1], quantity(f, 1, PASCAL));
    assert_clean(f);
    assert_int_equal(domain_at(f, sources[0]), HBG_DOMAIN_HYDRAULIC);
}

static void a_transformer_with_a_unit_relates_two_nets(void **state) {
    fixture *f = *state;
    int32_t cylinder = element(f, HBG_KIND_TF, "cylinder", quantity(f, 0.01, dim(2, 0, 0, 0, 0)));
    int32_t mass = element(f, HBG_KIND_I, "mass", quantity(f, 1, KILOGRAM));
    int32_t pipe = element(f, HBG_KIND_R, "pipe", number(f, 1));
    bond(f, mass, cylinder); // e1 = A·e2: force from pressure
    bond(f, cylinder, pipe);
    assert_clean(f);
    assert_int_equal(domain_at(f, pipe), HBG_DOMAIN_HYDRAULIC);
}

static void a_gyrator_with_a_unit_relates_two_nets(void **state) {
    fixture *f = *state;
    int32_t motor = element(f, HBG_KIND_GY, "motor", quantity(f, 0.1, WEBER)); // V·s, or N·m/A
    int32_t coil = element(f, HBG_KIND_I, "coil", quantity(f, 1, HENRY));
    int32_t rotor = element(f, HBG_KIND_I, "rotor", number(f, 1));
    bond(f, coil, motor);
    bond(f, motor, rotor);
    assert_clean(f);
    assert_int_equal(domain_at(f, rotor), HBG_DOMAIN_ROTATIONAL);
}

static void coupling_entries_relate_the_ports_of_a_field(void **state) {
    fixture *f = *state;
    int32_t field = bare_element(f, HBG_KIND_R, "field", 2);
    give(f, field, quantity(f, 1, OHM));
    give(f, field, quantity(f, 1, hbg_model_dimension_divide(VOLT, SPEED))); // e1/f2
    give(f, field, number(f, 1));
    give(f, field, number(f, 1));
    int32_t a = element(f, HBG_KIND_R, "a", number(f, 1)), b = element(f, HBG_KIND_R, "b", number(f, 1));
    bond_ports(f, field, 1, a, 1);
    bond_ports(f, field, 2, b, 1);
    assert_clean(f);
    assert_int_equal(domain_at(f, a), HBG_DOMAIN_ELECTRICAL);
    assert_int_equal(domain_at(f, b), HBG_DOMAIN_TRANSLATIONAL);
}

/* ---- order -------------------------------------------------------------------------------------------- */

#define PARTS 6

/* The same six parts in the order given: five agree, `odd` replaces one of them. Returns the number of
 * errors. */
static int64_t errors_in_order(const int *order, bool odd) {
    fixture f;
    fixture_init(&f);
    int32_t node = junction(&f, HBG_KIND_ZERO, "node"), other = junction(&f, HBG_KIND_ONE, "other");
    for (int i = 0; i < PARTS; i++) {
        int32_t x = HBG_NONE;
        switch (order[i]) {
        case 0: x = element(&f, HBG_KIND_SE, "s", quantity(&f, 1, VOLT)); break;
        case 1: x = element(&f, HBG_KIND_R, "r", quantity(&f, 1, odd ? SIEMENS : OHM)); break;
        case 2:
            x = element(&f, HBG_KIND_C, "c", op(&f, HBG_OP_ADD, number(&f, 1), quantity(&f, 1, FARAD)));
            break;
        case 3: x = element(&f, HBG_KIND_SE, "copy", op(&f, HBG_OP_EFFORT, node, 0)); break;
        case 4: x = element(&f, HBG_KIND_I, "i", number(&f, 1)); break;
        default: {
            int32_t gear = element(&f, HBG_KIND_TF, "gear", quantity(&f, 2, hbg_model_dimension_pure));
            bond(&f, node, gear);
            bond(&f, gear, other);
            bond(&f, other, element(&f, HBG_KIND_R, "far", quantity(&f, 1, OHM)));
        }
        }
        if (x >= 0) bond(&f, node, x);
    }
    hbg_model_check(f.model);
    int64_t errors = f.diagnostics.errors;
    int unit_errors = count_of(&f, HBG_E_UNIT);
    assert_int_equal(errors, unit_errors);
    hbg_base_arena_fini(&f.arena);
    return errors;
}

static void errors_do_not_depend_on_the_order(void **state) {
    fixture *f = *state;
    int order[PARTS] = {0, 1, 2, 3, 4, 5};
    for (int trial = 0; trial < 60; trial++) {
        for (int i = PARTS - 1; i > 0; i--) {
            int k = random_below(f, i + 1), swapped = order[i];
            order[i] = order[k];
            order[k] = swapped;
        }
        assert_int_equal(errors_in_order(order, false), 0);
        assert_int_equal(errors_in_order(order, true), 1);
    }
}

static void the_odd_one_out_is_blamed_wherever_it_stands(void **state) {
    (void)state;
    for (int odd = 0; odd < 3; odd++) {
        fixture f;
        fixture_init(&f);
        for (int i = 0; i < 3; i++) {
            char text[] = {'r', (char)('0' + i), 0};
            hang(&f, element(&f, HBG_KIND_R, text, quantity(&f, 1, i == odd ? SIEMENS : OHM)));
        }
        assert_error(&f, HBG_E_UNIT);
        char wanted[] = {'`', 'r', (char)('0' + odd), '`', 0};
        assert_says(&f, HBG_E_UNIT, wanted);
        hbg_base_arena_fini(&f.arena);
    }
}

/* ---- random nets -------------------------------------------------------------------------------------- */

enum { NETS = 4, RANDOM_PARTS = 10 };

typedef struct {
    int what, from, to;
    hbg_dimension unit;
} part;

static void add_part(fixture *f, const int32_t *nets, const part *p) {
    static const hbg_element_kind kinds[] = {HBG_KIND_SE, HBG_KIND_SF, HBG_KIND_R,  HBG_KIND_C,
                                             HBG_KIND_I,  HBG_KIND_SE, HBG_KIND_TF, HBG_KIND_GY};
    hbg_identity nameless = {0, 0, place(f)};
    int32_t from = nets[p->from], to = nets[p->to], x;
    hbg_expr other = op(f, HBG_OP_EFFORT, to, 0), value = quantity(f, 1, p->unit);
    if (p->what == 8) { // a comparison
        x = hbg_model_add_signal(f->model, nameless, HBG_SIGNAL_SIGNAL, HBG_TYPE_REAL);
        hbg_expr relation = op(f, HBG_OP_LESS, other, value);
        f->model->signals.items[x].value = relation;
        return;
    }
    bool two_port = p->what > 5;
    x = hbg_model_add_element(f->model, nameless, kinds[p->what], two_port ? 2 : 1);
    give(f, x, p->what == 5 ? other : value); // 5 is a source that repeats another net
    bond_ports(f, from, 0, x, 1);
    if (two_port) bond_ports(f, x, 2, to, 0);
}

/* A part that fits the domains; one in `wrong` has a unit that does not (0: none). */
static part random_part(fixture *f, const hbg_domain *domains, int wrong) {
    const hbg_variable e = HBG_VARIABLE_EFFORT;
    part p = {.what = random_below(f, 9), .from = random_below(f, NETS)};
    p.to = (p.from + 1 + random_below(f, NETS - 1)) % NETS;
    hbg_domain from = domains[p.from], to = domains[p.to];
    if (wrong > 0 && random_below(f, wrong) == 0) from = 1 + random_below(f, HBG_DOMAIN_COUNT - 1);
    const hbg_quantity quantities[] = {HBG_QUANTITY_EFFORT, HBG_QUANTITY_FLOW, HBG_QUANTITY_RESISTANCE,
                                       HBG_QUANTITY_CAPACITANCE, HBG_QUANTITY_INERTANCE};
    if (p.what == 5 && from != to) p.what = 8;
    if (p.what < 5) p.unit = hbg_model_domain_quantity(from, quantities[p.what]);
    if (p.what == 6)
        p.unit = hbg_model_dimension_divide(hbg_model_domain_dimension(from, e),
                                            hbg_model_domain_dimension(to, e));
    if (p.what == 7)
        p.unit = hbg_model_dimension_divide(hbg_model_domain_dimension(from, e),
                                            hbg_model_domain_dimension(to, HBG_VARIABLE_FLOW));
    if (p.what == 8) p.unit = hbg_model_domain_dimension(to, e);
    if (random_below(f, 3) == 0) p.unit = hbg_model_dimension_any;
    return p;
}

static bool has_errors(const part *parts, const int *order) {
    fixture f;
    int32_t nets[NETS];
    fixture_init(&f);
    for (int i = 0; i < NETS; i++)
        nets[i] = hbg_model_add_element(f.model, (hbg_identity){0, 0, place(&f)}, HBG_KIND_ZERO, 0);
    for (int i = 0; i < NETS; i++) { // so that no junction is lonely
        int32_t r = hbg_model_add_element(f.model, (hbg_identity){0, 0, place(&f)}, HBG_KIND_R, 1);
        give(&f, r, number(&f, 1));
        bond_ports(&f, nets[i], 0, r, 1);
    }
    for (int i = 0; i < RANDOM_PARTS; i++) add_part(&f, nets, &parts[order[i]]);
    hbg_model_check(f.model);
    bool errors = f.diagnostics.errors > 0;
    hbg_base_arena_fini(&f.arena);
    return errors;
}

static void random_nets_have_errors_in_every_order_or_in_none(void **state) {
    fixture *f = *state;
    int found = 0, trials = 1000;
    for (int trial = 0; trial < trials; trial++) {
        part parts[RANDOM_PARTS];
        int order[RANDOM_PARTS];
        hbg_domain domains[NETS];
        for (int i = 0; i < NETS; i++) domains[i] = 1 + random_below(f, 4);
        for (int i = 0; i < RANDOM_PARTS; i++) {
            parts[i] = random_part(f, domains, 15);
            order[i] = i;
        }
        bool errors = has_errors(parts, order);
        found += errors;
        for (int shuffle = 0; shuffle < 6; shuffle++) {
            for (int i = RANDOM_PARTS - 1; i > 0; i--) {
                int k = random_below(f, i + 1), swapped = order[i];
                order[i] = order[k];
                order[k] = swapped;
            }
            assert_int_equal(has_errors(parts, order), errors);
        }
    }
    assert_in_range(found, trials / 10, trials * 9 / 10); // both kinds occur, else this shows nothing
}

static void nets_that_fit_their_domains_have_no_errors(void **state) {
    fixture *f = *state;
    for (int trial = 0; trial < 2000; trial++) {
        part parts[RANDOM_PARTS];
        int order[RANDOM_PARTS];
        hbg_domain domains[NETS];
        for (int i = 0; i < NETS; i++) domains[i] = 1 + random_below(f, 4);
        for (int i = 0; i < RANDOM_PARTS; i++) {
            parts[i] = random_part(f, domains, 0);
            order[i] = i;
        }
        assert_false(has_errors(parts, order));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(one_unit_decides_the_net),
        TEST(bare_numbers_decide_nothing),
        TEST(observables_get_their_dimension_from_the_net),
        TEST(dimensions_follow_the_operators),
        TEST(parameters_and_signals_take_the_dimension_of_their_value),
        TEST(nets_decide_each_other_through_values),
        TEST(a_transformer_with_a_unit_relates_two_nets),
        TEST(a_gyrator_with_a_unit_relates_two_nets),
        TEST(coupling_entries_relate_the_ports_of_a_field),
        TEST(errors_do_not_depend_on_the_order),
        TEST(the_odd_one_out_is_blamed_wherever_it_stands),
        TEST(random_nets_have_errors_in_every_order_or_in_none),
        TEST(nets_that_fit_their_domains_have_no_errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

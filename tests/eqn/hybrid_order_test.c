/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The same random hybrid graph written otherwise runs the same: shuffled declarations change no bit of any event time, mode,
 * energy or area; bonds of elements turned round (semantics, section 1) change signs, and nothing else but rounding. */
#include "hybrid_trace_impl.h"
#include "support/soak.h"

/* ---- the same graph, otherwise ------------------------------------------------------------------------ */

/* Turns round the bonds of some elements; what such a bond carries changes sign by the rule, and so does what guards read of
 * the bond, not of the element. */
static void turn_bonds(hybrid *h, test_random *random, int *effort_sign, int *flow_sign) {
    for (int b = 0; b < h->n.bond_count; b++) {
        net_bond *bond = &h->n.bonds[b];
        const net_node *from = &h->n.nodes[bond->from.node], *to = &h->n.nodes[bond->to.node];
        const net_node *element = from->ports == 0 ? to : from, *junction = from->ports == 0 ? from : to;
        effort_sign[b] = flow_sign[b] = 1;
        if ((from->ports == 0) == (to->ports == 0) || node_is_two_port(element) || random_chance(random, 50))
            continue;
        net_swap(bond);
        *(node_is(junction, "1") ? &effort_sign[b] : &flow_sign[b]) = -1;
    }
    for (int i = 0; i < h->automaton_count; i++)
        for (int s = 0; s < h->automata[i].state_count; s++)
            for (int k = 0; k < h->automata[i].states[s].transition_count; k++)
                for (int r = 0; r < HYBRID_RELATIONS; r++)
                    for (int a = 0; a < HYBRID_ATOMS; a++) {
                        hybrid_atom *atom = &h->automata[i].states[s].transitions[k].relations[r].atoms[a];
                        if (atom->kind != ATOM_BOND) continue;
                        atom->factor *= atom->effort ? effort_sign[atom->bond] : flow_sign[atom->bond];
                    }
}

static const hybrid_plan order_plans[] = {
    {.junctions = 4, .sources = 25, .cubes = 10, .fields = 15, .collisions = 20, .duals = 10},
    {.junctions = 6, .sources = 30, .cubes = 0, .fields = 20, .collisions = 10, .duals = 20},
};

typedef struct {
    hybrid h, turned;
    trace first, second;
    int runs, events;
} order_trial;

static order_trial *order_trial_new(void) {
    order_trial *t = calloc(1, sizeof *t);
    assert_non_null(t);
    trace_init(&t->first);
    trace_init(&t->second);
    return t;
}

static void order_trial_free(order_trial *t) {
    print_message("%d runs, %d instants\n", t->runs, t->events);
    trace_fini(&t->first);
    trace_fini(&t->second);
    free(t);
}

static hbg_sim_options order_options(void) {
    hbg_sim_options options = hbg_sim_options_default();
    options.rtol = 1e-9;
    options.step_limit = 20000;
    return options;
}

static void begin(order_trial *t, test_random *random, int which) {
    static char text[HYBRID_TEXT];
    random_hybrid(&t->h, random, &order_plans[which % 2]);
    run_with(&t->h, strcpy(text, write_hybrid(&t->h, NULL)), order_options(), &t->first);
    t->runs++;
    t->events += t->first.events;
}

/* ---- claims ------------------------------------------------------------------------------------------- */

static void the_order_of_declarations_changes_no_bit_of_a_run(void **state) {
    (void)state;
    order_trial *t = order_trial_new();
    for (int i = 0; i < many_trials(80, 250, 5000); i++) {
        test_random random = {(uint64_t)(900000 + i) * 1000003};
        begin(t, &random, i);
        const char *text = write_hybrid(&t->h, &random);
        run_with(&t->h, text, order_options(), &t->second);
        bool same = t->first.count == t->second.count &&
                    memcmp(t->first.values, t->second.values, (size_t)t->first.count * sizeof(double)) == 0;
        if (!same) fail_msg("graph %d, shuffled, runs otherwise:\n%s", i, text);
    }
    order_trial_free(t);
}

/* The number of the first that differs by more than rounding, or -1. */
static int find_difference(const trace *a, const trace *b) {
    int count = a->count < b->count ? a->count : b->count;
    for (int i = 0; i < count; i++) {
        double scale = fmax(a->scales[i], b->scales[i]);
        if (fabs(a->values[i] - b->values[i]) > 1e-6 * scale) return i;
    }
    return a->count == b->count ? -1 : count;
}

static void bonds_turned_round_change_signs_only(void **state) {
    (void)state;
    int effort_sign[NET_BONDS], flow_sign[NET_BONDS];
    order_trial *t = order_trial_new();
    for (int i = 0; i < many_trials(80, 250, 5000); i++) {
        test_random random = {(uint64_t)(950000 + i) * 1000003};
        begin(t, &random, i);
        t->turned = t->h;
        turn_bonds(&t->turned, &random, effort_sign, flow_sign);
        const char *text = write_hybrid(&t->turned, NULL);
        t->second.effort_sign = effort_sign;
        t->second.flow_sign = flow_sign;
        run_with(&t->turned, text, order_options(), &t->second);
        int at = find_difference(&t->first, &t->second);
        if (at >= 0)
            fail_msg("graph %d, its bonds turned, runs otherwise (number %d is %.17g, was %.17g):\n%s", i, at,
                     t->second.values[at], t->first.values[at], text);
    }
    order_trial_free(t);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_order_of_declarations_changes_no_bit_of_a_run),
        cmocka_unit_test(bonds_turned_round_change_signs_only),
    };
    cmocka_set_test_filter(getenv("HBG_TEST_CASES")); // one claim at a time, for mutations
    return cmocka_run_group_tests(tests, NULL, NULL);
}

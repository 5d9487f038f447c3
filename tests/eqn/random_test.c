/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Thousands of random bond graphs: rates, bond variables and jumps agree with the equations written down one by one and
 * solved at once (tableau_impl.h); junctions conserve power; a jump without sources never gains energy; the Jacobian is
 * the slope of the rates; the order of declarations changes no bit, the direction of an element's bond nothing but
 * signs. */
#include "support/soak.h"
#include "trial_impl.h"

/* ---- properties --------------------------------------------------------------------------------------- */

/* A junction that hangs loose leaves a variable open, which then reads 0; so does a bond between junctions that are off and switch
 * by selects. */
static bool has_loose_part(trial *t) {
    const hbg_causal_structure *structure = t->f.eqn->structure;
    hbg_causal_assignment *assignment = hbg_causal_assignment_new(&t->f.arena, structure);
    bool *on = HBG_NEW_ARRAY(&t->f.arena, bool, structure->place_count + 1);
    hbg_causal_mode(&t->f.arena, structure, t->f.run->states, on);
    hbg_causal_assign(assignment, on); // without selects: each junction as it is
    for (int32_t i = 0; i < structure->place_count; i++)
        if (hbg_causal_is_floating(assignment, i)) return true;
    for (int32_t i = 0; i < structure->link_count; i++)
        if (hbg_causal_is_repeated(assignment, i)) return true;
    return false;
}

/* A transformer from a junction to itself: what runs round in it is open, and leaves the rest alone if its modulus happens to be 1. */
static bool has_ring(const trial *t) {
    const hbg_causal_structure *structure = t->f.eqn->structure;
    for (int32_t i = 0; i < structure->link_count; i++)
        if (structure->links[i].end[0].place == structure->links[i].end[1].place) return true;
    return false;
}

/* Parasites take part in the mode that the run is in. */
static bool is_limit(trial *t) {
    const hbg_causal_structure *structure = t->f.eqn->structure;
    bool *on = HBG_NEW_ARRAY(&t->f.arena, bool, structure->place_count + 1);
    bool *reversed = HBG_NEW_ARRAY(&t->f.arena, bool, structure->place_count + 1);
    hbg_causal_mode(&t->f.arena, structure, t->f.run->mode_states, on);
    for (int32_t i = 0; i < structure->place_count; i++) on[i] |= t->f.eqn->varies.select[i];
    hbg_eqn_reverse(t->f.eqn, on, reversed);
    for (int32_t i = 0; i < structure->place_count; i++)
        if (reversed[i]) return true;
    return false;
}

/* The mode that the run is in has no finite answer: sources are in conflict in it. */
static bool is_shorted(trial *t) {
    double *plus = HBG_NEW_ARRAY(&t->f.arena, double, t->f.system->state_count + 1);
    int32_t states[NET_NODES] = {0};
    memcpy(states, t->f.run->mode_states, (size_t)t->f.system->automaton_count * sizeof *states);
    hbg_rt_activate_all(t->f.run);
    hbg_rt_open_search(t->f.run);
    bool a_priori;
    if (hbg_rt_consider(t->f.run, states, t->time, t->f.x, plus, &a_priori) != HBG_RT_OK) return false;
    return hbg_rt_is_shorted(t->f.run);
}

static void compare(trial *t, const tableau *all, int column, double found, double scale, const char *what) {
    char text[160];
    if (all->determined[column] && fabs(found - (double)all->value[column]) <= 1e-8 * scale) return;
    if (isnan(found) && (!all->determined[column] || has_ring(t))) {
        t->count.undetermined++;
        return;
    }
    if (!all->determined[column] && found == 0 && has_loose_part(t)) return;
    if (!all->determined[column] && is_limit(t))
        return; // parasites decide, of which the tableau knows nothing
    snprintf(text, sizeof text, "%s is %.15g; the tableau %s %.15g", what, found,
             all->determined[column] ? "says" : "leaves it open, for one", (double)all->value[column]);
    explain(t, text);
}

static void look_at_rates(trial *t, test_random *random) {
    static tableau all;
    int bonds = 2 * t->n.bond_count, states = net_state_count(&t->n);
    (void)random;
    tableau_rates(&all, &t->n, t->time, t->x_plus);
    if (!all.consistent) {
        TRIAL_ASSERT(t, is_shorted(t));
        return;
    }
    double scale = fmax(largest_of(t->y, bonds), largest_of(t->dx, states));
    for (int i = 0; i < states; i++)
        compare(t, &all, bonds + i, t->dx[i], scale, t->f.system->states[t->state[i]].name);
    for (int i = 0; i < bonds; i++) compare(t, &all, i, t->y[i], scale, t->f.system->outputs[i].name);
}

static void look_at_jump(trial *t, test_random *random) {
    static tableau all;
    int bonds = 2 * t->n.bond_count, states = net_state_count(&t->n);
    (void)random;
    tableau_jump(&all, &t->n, t->time, t->x);
    if (!all.consistent) {
        TRIAL_ASSERT(t, is_shorted(t));
        return;
    }
    double scale = fmax(largest_of(t->x_plus, states), largest_of(t->x, states));
    for (int i = 0; i < states; i++)
        compare(t, &all, bonds + i, t->x_plus[i], scale, t->f.system->states[t->state[i]].name);
}

/* Σ ±e·f over the bonds of a node that neither stores nor loses. */
static void look_at_power(trial *t, test_random *random) {
    (void)random;
    for (int i = 0; i < t->n.node_count; i++) {
        const net_node *node = &t->n.nodes[i];
        if (node->ports > 0 && !node_is(node, "TF") && !node_is(node, "GY")) continue;
        double sum = 0, size = 1;
        for (int b = 0; b < t->n.bond_count; b++) {
            bool open = isnan(t->y[2 * b]) || isnan(t->y[2 * b + 1]); // then the other one is 0
            double power = open ? 0 : t->y[2 * b] * t->y[2 * b + 1];
            if (t->n.bonds[b].to.node == i) sum += power;
            if (t->n.bonds[b].from.node == i) sum -= power;
            if (t->n.bonds[b].to.node == i || t->n.bonds[b].from.node == i) size = fmax(size, fabs(power));
        }
        TRIAL_ASSERT(t, fabs(sum) <= 1e-10 * size);
    }
}

/* Sums of what the ledger keeps: stored energy grows by supplied less dissipated power. */
static void look_at_ledger(trial *t, test_random *random) {
    const hbg_rt_description *system = t->f.system;
    double *power = HBG_NEW_ARRAY(&t->f.arena, double, system->power_count + 1), balance = 0, size = 1;
    (void)random;
    assert_fine(&t->f, hbg_rt_powers(t->f.run, t->time, t->f.x, power));
    for (int32_t i = 0; i < system->power_count; i++) {
        balance += system->powers[i].kind == HBG_RT_SUPPLIED ? power[i] : -power[i];
        size = fmax(size, fabs(power[i]));
    }
    for (int i = 0; i < t->n.node_count; i++)
        for (int port = 1; node_is_storage(&t->n.nodes[i]) && port <= t->n.nodes[i].ports; port++) {
            tableau_port at = port_of(&t->n, i, port);
            double stored = t->y[at.effort] * at.effort_sign * t->y[at.flow] * at.flow_sign;
            balance -= stored;
            size = fmax(size, fabs(stored));
        }
    TRIAL_ASSERT(t, fabs(balance) <= 1e-9 * size);
}

/* ½ xᵀ M⁻¹ x of a storage, by elimination: M is positive definite. */
static double energy_of(const net_node *node, const double *x) {
    double m[NET_PORTS][NET_PORTS + 1], energy = 0;
    for (int i = 0; i < node->ports; i++) {
        for (int k = 0; k < node->ports; k++) m[i][k] = node->value[i * node->ports + k];
        m[i][node->ports] = x[i];
    }
    for (int p = 0; p < node->ports; p++)
        for (int i = 0; i < node->ports; i++) {
            double factor = i == p ? 0 : m[i][p] / m[p][p];
            for (int k = p; k <= node->ports; k++) m[i][k] -= factor * m[p][k];
        }
    for (int i = 0; i < node->ports; i++) energy += x[i] * m[i][node->ports] / m[i][i] / 2;
    return energy;
}

static double stored_energy(const trial *t, const double *x) {
    double sum = 0;
    for (int i = 0; i < t->n.node_count; i++)
        if (node_is_storage(&t->n.nodes[i])) sum += energy_of(&t->n.nodes[i], x + net_first_state(&t->n, i));
    return sum;
}

static void look_at_energy(trial *t, test_random *random) {
    (void)random;
    if (t->n.has_sources) return;
    double before = stored_energy(t, t->x), after = stored_energy(t, t->x_plus);
    TRIAL_ASSERT(t, after <= before * (1 + 1e-12) + 1e-12);
    double *energy = HBG_NEW_ARRAY(&t->f.arena, double, t->f.system->storage_count + 1), sum = 0;
    TRIAL_ASSERT(t, hbg_rt_energies(t->f.run, t->time, t->f.x, energy) == HBG_RT_OK);
    for (int32_t i = 0; i < t->f.system->storage_count; i++) sum += energy[i];
    TRIAL_ASSERT(t, is_near(sum, after, 1e-9) || fabs(sum - after) < 1e-9);
}

/* The graphs are linear: a step of 1 gives the column but for rounding. */
static void look_at_jacobian(trial *t, test_random *random) {
    fixture *f = &t->f;
    int n = f->system->state_count;
    double *base = HBG_NEW_ARRAY(&f->arena, double, n + 1), *there = HBG_NEW_ARRAY(&f->arena, double, n + 1);
    const double *dense = jacobian_of(f, t->time);
    (void)random;
    assert_fine(f, hbg_rt_rates(f->run, t->time, f->x, base));
    for (int j = 0; j < n; j++) {
        double kept = f->x[j];
        f->x[j] += 1;
        assert_fine(f, hbg_rt_rates(f->run, t->time, f->x, there));
        f->x[j] = kept;
        for (int i = 0; i < n; i++)
            TRIAL_ASSERT(t, fabs(there[i] - base[i] - dense[i * n + j]) <= 1e-9 * largest_of(there, n));
    }
}

/* ---- nonlinear resistors ------------------------------------------------------------------------------ */

static double port_value(const trial *t, int node, int port, bool effort) {
    tableau_port at = port_of(&t->n, node, port);
    return effort ? at.effort_sign * t->y[at.effort] : at.flow_sign * t->y[at.flow];
}

/* Junctions, two-ports, linear resistors and sources, row by row on the values found. */
static void check_structure(const trial *t, double scale) {
    static net linear;
    static tableau all;
    linear = t->n;
    for (int i = 0; i < linear.node_count; i++)
        if (linear.nodes[i].cube != 0) linear.nodes[i].kind = "left out";
    tableau_begin(&all, &linear, 2 * linear.bond_count);
    tableau_structure(&all, 0, SOURCE_VALUE, t->time);
    for (int row = 0; row < all.rows; row++) {
        long double sum = -all.matrix[row][all.columns];
        for (int k = 0; k < all.columns; k++) sum += all.matrix[row][k] * t->y[k];
        TRIAL_ASSERT(t, fabsl(sum) <= 1e-9L * scale);
    }
}

static void look_at_laws(trial *t, test_random *random) {
    double scale = fmax(largest_of(t->y, 2 * t->n.bond_count), largest_of(t->dx, net_state_count(&t->n)));
    (void)random;
    check_structure(t, scale);
    for (int i = 0; i < t->n.node_count; i++) {
        const net_node *node = &t->n.nodes[i];
        int first = net_first_state(&t->n, i);
        double flow = node->cube != 0 ? port_value(t, i, 1, false) : 0;
        if (node->cube != 0)
            TRIAL_ASSERT(t, fabs(node->value[0] * flow + node->cube * flow * flow * flow -
                                 port_value(t, i, 1, true)) <= 1e-9 * scale);
        for (int k = 0; k < node->ports && node_is_storage(node); k++) {
            bool capacitor = node_is(node, "C");
            double energy = 0;
            for (int j = 0; j < node->ports; j++)
                energy += node->value[k * node->ports + j] * port_value(t, i, j + 1, capacitor);
            TRIAL_ASSERT(t, fabs(energy - t->x_plus[first + k]) <= 1e-9 * scale);
            TRIAL_ASSERT(t, fabs(port_value(t, i, k + 1, !capacitor) - t->dx[first + k]) <= 1e-9 * scale);
        }
    }
}

/* Along its rates a state stays where dependent storages agree, but for what is of second order. */
static void look_at_drift(trial *t, test_random *random) {
    int n = t->f.system->state_count;
    double moved[NET_BONDS], settled[NET_BONDS], h = 1e-6, scale = largest_of(t->f.dx, n);
    (void)random;
    for (int i = 0; i < n; i++) moved[i] = settled[i] = t->f.x[i] + h * t->f.dx[i];
    assert_fine(&t->f, hbg_rt_settle(t->f.run, t->time + h, settled));
    for (int i = 0; i < n; i++) TRIAL_ASSERT(t, fabs(settled[i] - moved[i]) <= 1e-3 * h * scale);
}

static void look_at_order(trial *t, test_random *random) {
    fixture *f = &t->f, shuffled;
    int n = f->system->state_count;
    double plus[NET_BONDS];
    fixture_open(&shuffled, write_net(&t->n, random));
    assert_fine(&shuffled, hbg_rt_declare(shuffled.run, shuffled.x));
    assert_fine(&shuffled, hbg_rt_enter(shuffled.run, NULL));
    assert_fine(&shuffled, hbg_rt_jump(shuffled.run, t->time, shuffled.x, plus));
    memcpy(shuffled.x, plus, (size_t)n * sizeof *plus);
    assert_fine(&shuffled, hbg_rt_rates(shuffled.run, t->time, plus, shuffled.dx));
    assert_fine(&shuffled, hbg_rt_outputs(shuffled.run, t->time, plus, shuffled.y));
    TRIAL_ASSERT(t, memcmp(plus, f->x, (size_t)n * sizeof *plus) == 0);
    TRIAL_ASSERT(t, memcmp(shuffled.dx, f->dx, (size_t)n * sizeof *plus) == 0);
    TRIAL_ASSERT(t, memcmp(shuffled.y, f->y, 2 * (size_t)t->n.bond_count * sizeof *plus) == 0);
    TRIAL_ASSERT(t, strcmp(equations_of(&shuffled), equations_of(f)) == 0);
    TRIAL_ASSERT(t, memcmp(jacobian_of(&shuffled, t->time), jacobian_of(f, t->time),
                           (size_t)n * (size_t)n * sizeof *plus) == 0);
    fixture_close(&shuffled);
}

/* Turns round the bonds of some one-ports at junctions; what their bonds carry changes sign by the rule. */
static void turn_some(net *n, test_random *random, int *effort_sign, int *flow_sign) {
    for (int b = 0; b < n->bond_count; b++) {
        net_bond *bond = &n->bonds[b];
        effort_sign[b] = flow_sign[b] = 1;
        bool junction_first = n->nodes[bond->from.node].ports == 0,
             junction_last = n->nodes[bond->to.node].ports == 0;
        const net_node *element = &n->nodes[junction_first ? bond->to.node : bond->from.node];
        const net_node *junction = &n->nodes[junction_first ? bond->from.node : bond->to.node];
        if (junction_first == junction_last || node_is(element, "TF") || node_is(element, "GY")) continue;
        if (!random_chance(random, 50)) continue;
        net_swap(bond);
        *(node_is(junction, "1") ? &effort_sign[b] : &flow_sign[b]) = -1;
    }
}

static void look_at_turning(trial *t, test_random *random) {
    static net turned;
    int effort_sign[NET_BONDS], flow_sign[NET_BONDS], states = t->f.system->state_count;
    double plus[NET_BONDS];
    fixture other;
    turned = t->n;
    turn_some(&turned, random, effort_sign, flow_sign);
    fixture_open(&other, write_net(&turned, NULL));
    assert_fine(&other, hbg_rt_declare(other.run, other.x));
    assert_fine(&other, hbg_rt_enter(other.run, NULL));
    assert_fine(&other, hbg_rt_jump(other.run, t->time, other.x, plus));
    assert_fine(&other, hbg_rt_rates(other.run, t->time, plus, other.dx));
    assert_fine(&other, hbg_rt_outputs(other.run, t->time, plus, other.y));
    double scale = fmax(largest_of(t->y, 2 * t->n.bond_count), largest_of(t->f.dx, states)) * 1e-9;
    for (int i = 0; i < states; i++) {
        TRIAL_ASSERT(t, fabs(plus[i] - t->f.x[i]) <= scale);
        TRIAL_ASSERT(t, fabs(other.dx[i] - t->f.dx[i]) <= scale);
    }
    for (int b = 0; b < t->n.bond_count; b++) {
        TRIAL_ASSERT(t, fabs(other.y[2 * b] - effort_sign[b] * t->y[2 * b]) <= scale);
        TRIAL_ASSERT(t, fabs(other.y[2 * b + 1] - flow_sign[b] * t->y[2 * b + 1]) <= scale);
    }
    fixture_close(&other);
}

/* ---- claims ------------------------------------------------------------------------------------------- */

static void rates_and_bond_variables_are_those_of_the_tableau(void **state) {
    (void)state;
    visit_all(trials(250, 1000), 1, look_at_rates);
}

static void jumps_are_those_of_the_tableau(void **state) {
    (void)state;
    statistics s = visit_all(trials(250, 1000), 2, look_at_jump);
    assert_true(s.jumped > s.compared / 10);
}

static void junctions_transformers_and_gyrators_conserve_power(void **state) {
    (void)state;
    visit_all(trials(250, 1000), 3, look_at_power);
}

static void stored_power_is_what_sources_supply_less_what_resistors_take(void **state) {
    (void)state;
    visit_all(trials(175, 700), 4, look_at_ledger);
}

static void energy_never_rises_in_a_jump_without_sources(void **state) {
    (void)state;
    visit_all(trials(250, 1000), 5, look_at_energy);
}

static void the_jacobian_is_the_slope_of_the_rates(void **state) {
    (void)state;
    visit_all(trials(250, 1000), 6, look_at_jacobian);
}

static void rates_in_modes_with_junctions_off_are_those_of_the_tableau(void **state) {
    (void)state;
    visit_each(&(net_plan){.controlled = 40}, trials(250, 1000), 11, look_at_rates);
}

static void jumps_into_modes_with_junctions_off_are_those_of_the_tableau(void **state) {
    (void)state;
    visit_each(&(net_plan){.controlled = 40}, trials(250, 1000), 12, look_at_jump);
}

static void nonlinear_graphs_satisfy_every_equation(void **state) {
    (void)state;
    visit_each(&(net_plan){.cubes = 80}, trials(250, 1000), 9, look_at_laws);
}

static void along_the_rates_dependent_storages_stay_together(void **state) {
    (void)state;
    visit_each(&(net_plan){.cubes = 50}, trials(250, 1000), 10, look_at_drift);
}

static void the_order_of_declarations_changes_no_bit(void **state) {
    (void)state;
    visit_all(trials(175, 700), 7, look_at_order);
}

static void bonds_turned_round_change_signs_only(void **state) {
    (void)state;
    visit_all(trials(175, 700), 8, look_at_turning);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rates_and_bond_variables_are_those_of_the_tableau),
        cmocka_unit_test(jumps_are_those_of_the_tableau),
        cmocka_unit_test(junctions_transformers_and_gyrators_conserve_power),
        cmocka_unit_test(stored_power_is_what_sources_supply_less_what_resistors_take),
        cmocka_unit_test(energy_never_rises_in_a_jump_without_sources),
        cmocka_unit_test(the_jacobian_is_the_slope_of_the_rates),
        cmocka_unit_test(rates_in_modes_with_junctions_off_are_those_of_the_tableau),
        cmocka_unit_test(jumps_into_modes_with_junctions_off_are_those_of_the_tableau),
        cmocka_unit_test(nonlinear_graphs_satisfy_every_equation),
        cmocka_unit_test(along_the_rates_dependent_storages_stay_together),
        cmocka_unit_test(the_order_of_declarations_changes_no_bit),
        cmocka_unit_test(bonds_turned_round_change_signs_only),
    };
    cmocka_set_test_filter(getenv("HBG_TEST_CASES")); // one claim at a time, for mutations_test.sh
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Thousands of random bond graphs: rates, bond variables and jumps agree with the equations written down one by one and
 * solved at once (tableau_impl.h); junctions conserve power; a jump without sources never gains energy; the Jacobian is
 * the slope of the rates; the order of declarations changes no bit, the direction of an element's bond nothing but
 * signs. */
#include "fixture_impl.h"
#include "tableau_impl.h"

/* ---- one graph ---------------------------------------------------------------------------------------- */

typedef struct {
    int graphs, rejected, singular, stiff; /* not looked at */
    int solvable;                          /* singular ones that the tableau has an answer for */
    int compared, dependent, jumped, loops, gyrators, fields, turned, bare, sources;
} statistics;

typedef struct {
    const net_plan *plan;
    statistics count;
    net n;
    char *text;
    double time;
    fixture f;
    int *state;              /* by state of the net: number in the system */
    double *x, *x_plus, *dx; /* by state of the net */
    double *y;               /* by bond: effort, flow */
} trial;

static void explain(const trial *t, const char *what) {
    print_error("%s\n%s", t->text, what);
    fail_msg("%s", what);
}

#define TRIAL_ASSERT(t, condition)                                                                           \
    do {                                                                                                     \
        if (!(condition)) explain((t), #condition);                                                          \
    } while (0)

static void find_states(trial *t) {
    int count = 0;
    t->state = HBG_NEW_ARRAY(&t->f.arena, int, net_state_count(&t->n) + 1);
    for (int i = 0; i < t->n.node_count; i++)
        for (int port = 1; node_is_storage(&t->n.nodes[i]) && port <= t->n.nodes[i].ports; port++) {
            char name[32];
            const char *letter = node_is(&t->n.nodes[i], "C") ? "q" : "p";
            if (t->n.nodes[i].ports > 1)
                snprintf(name, sizeof name, "n%d[%d].%s", i, port, letter);
            else
                snprintf(name, sizeof name, "n%d.%s", i, letter);
            t->state[count++] = find_state(&t->f, name);
        }
}

static void take(const trial *t, const double *from, double *to) {
    for (int i = 0; i < net_state_count(&t->n); i++) to[i] = from[t->state[i]];
}

static bool is_dependent(const trial *t) {
    const compiled_mode *mode = t->f.run->mode;
    for (int32_t i = 0; i < mode->settled.count; i++)
        if (mode->settled.reg[i] != HBG_NONE) return true;
    return false;
}

/* Whether the graph has a unique jump and unique rates behind it, whatever the causality. */
static bool has_answer(const trial *t) {
    static tableau all;
    int bonds = 2 * t->n.bond_count, states = net_state_count(&t->n);
    double plus[NET_BONDS];
    tableau_jump(&all, &t->n, t->time, t->x);
    for (int i = 0; i < states; i++) {
        if (!all.determined[bonds + i]) return false;
        plus[i] = (double)all.value[bonds + i];
    }
    if (!all.consistent) return false;
    tableau_rates(&all, &t->n, t->time, plus);
    for (int i = 0; i < bonds + states; i++)
        if (!all.determined[i]) return false;
    return all.consistent;
}

/* Starts, jumps, and reads rates and bond variables. False: the graph has no unique answer. */
static bool evaluate(trial *t) {
    fixture *f = &t->f;
    const hbg_rt_system *system = f->system;
    size_t states = (size_t)system->state_count + 1;
    double *plus = HBG_NEW_ARRAY(&f->arena, double, states);
    t->x = HBG_NEW_ARRAY(&f->arena, double, states);
    t->x_plus = HBG_NEW_ARRAY(&f->arena, double, states);
    t->dx = HBG_NEW_ARRAY(&f->arena, double, states);
    t->y = f->y;
    if (system->enter(f->run, NULL) != HBG_RT_OK) {
        t->count.rejected++;
        return false; // an answer that needs equal sources or moduli is no answer of the structure
    }
    assert_fine(f, system->start(f->run, f->x));
    find_states(t);
    take(t, f->x, t->x);
    hbg_rt_status status = system->jump(f->run, t->time, f->x, plus);
    if (status == HBG_RT_OK) status = system->rates(f->run, t->time, plus, f->dx);
    if (status == HBG_RT_OK) status = system->outputs_at(f->run, t->time, plus, f->y);
    if (status != HBG_RT_OK) {
        TRIAL_ASSERT(t, status == HBG_RT_SINGULAR);
        t->count.singular++;
        t->count.solvable += has_answer(t);
        return false;
    }
    memcpy(f->x, plus, (states - 1) * sizeof *plus);
    take(t, plus, t->x_plus);
    take(t, f->dx, t->dx);
    return true;
}

static double largest_of(const double *values, int count) {
    double largest = 1;
    for (int i = 0; i < count; i++) largest = fmax(largest, fabs(values[i]));
    return largest;
}

/* Graphs whose answers are large have moduli that nearly cancel; comparing them would compare rounding. */
static bool is_stiff(const trial *t) {
    int states = net_state_count(&t->n);
    return largest_of(t->dx, states) > 1e5 || largest_of(t->x_plus, states) > 1e5 ||
           largest_of(t->y, 2 * t->n.bond_count) > 1e5;
}

static void count_features(trial *t) {
    bool gyrator = false, field = false, turned = false, bare = false, jumped = false;
    for (int i = 0; i < t->n.node_count; i++) {
        const net_node *node = &t->n.nodes[i];
        bool two_port = node_is(node, "TF") || node_is(node, "GY");
        gyrator |= node_is(node, "GY");
        field |= node->ports > 1 && !two_port;
        for (int port = 1; port <= node->ports && !two_port; port++) {
            tableau_port at = port_of(&t->n, i, port);
            const net_bond *bond = &t->n.bonds[at.bond];
            turned |= at.effort_sign < 0 || at.flow_sign < 0;
            bare |= bond->from.port == 1 && bond->to.port == 1 && t->n.nodes[bond->from.node].ports == 1 &&
                    t->n.nodes[bond->to.node].ports == 1;
        }
    }
    for (int i = 0; i < net_state_count(&t->n); i++) jumped |= t->x_plus[i] != t->x[i];
    t->count.compared++;
    t->count.dependent += is_dependent(t);
    t->count.jumped += jumped;
    t->count.loops += t->f.eqn->loops.count > 0;
    t->count.gyrators += gyrator;
    t->count.fields += field;
    t->count.turned += turned;
    t->count.bare += bare;
    t->count.sources += t->n.has_sources;
}

static void print_statistics(const statistics *s) {
    print_message(
        "%d graphs, %d compared: %d with dependent storages, %d that jumped, %d with loops, %d with "
        "gyrators, "
        "%d with fields, %d with turned bonds, %d without a junction, %d with sources; %d rejected, %d "
        "singular (%d of them by the choice of causality), %d nearly so\n",
        s->graphs, s->compared, s->dependent, s->jumped, s->loops, s->gyrators, s->fields, s->turned, s->bare,
        s->sources, s->rejected, s->singular, s->solvable, s->stiff);
}

/* ---- many graphs -------------------------------------------------------------------------------------- */

static char text_memory[1 << 16];

static const char *write_net(const net *n, test_random *shuffle) {
    graph_text text = {text_memory, 0, sizeof text_memory};
    text_net(&text, n, shuffle);
    return text_memory;
}

static void visit(trial *t, uint64_t seed, void (*look)(trial *t, test_random *random)) {
    test_random random = {seed * 1000003};
    static char kept[sizeof text_memory];
    random_net(&t->n, &random, t->plan);
    t->time = random_eighths(&random, 0, 16);
    t->text = strcpy(kept, write_net(&t->n, NULL));
    t->count.graphs++;
    fixture_open(&t->f, t->text);
    if (evaluate(t)) {
        if (is_stiff(t)) {
            t->count.stiff++;
        } else {
            count_features(t);
            look(t, &random);
        }
    }
    fixture_close(&t->f);
}

/* Small graphs full of dependence, loops and signs. */
static const net_plan plans[] = {
    {.most = {.junctions = 4,
              .extra_links = 1,
              .elements = 6,
              .sources = 15,
              .resistors = 35,
              .transformers = 15,
              .gyrators = 10,
              .chained = 10,
              .bare = 1},
     .fields = 20,
     .reversed = 15,
     .signs = 20},
    {.most = {.junctions = 3,
              .extra_links = 0,
              .elements = 7,
              .sources = 0,
              .resistors = 25,
              .transformers = 25,
              .gyrators = 5,
              .chained = 15,
              .bare = 1},
     .fields = 25,
     .reversed = 10,
     .signs = 20},
    {.most = {.junctions = 7,
              .extra_links = 2,
              .elements = 9,
              .sources = 10,
              .resistors = 60,
              .transformers = 20,
              .gyrators = 20,
              .chained = 5,
              .bare = 0},
     .fields = 15,
     .reversed = 15,
     .signs = 20},
};

static statistics visit_all(int graphs, uint64_t seed, void (*look)(trial *t, test_random *random)) {
    static trial t;
    memset(&t, 0, sizeof t);
    for (int i = 0; i < graphs; i++) {
        t.plan = &plans[i % 3];
        visit(&t, seed * 100000 + (uint64_t)i, look);
    }
    print_statistics(&t.count);
    assert_true(t.count.compared > graphs / 4); // the rest has no answer to compare
    assert_true(5 * t.count.solvable <= t.count.singular);
    assert_true(t.count.dependent > t.count.compared / 10 && t.count.loops > t.count.compared / 10);
    assert_true(t.count.gyrators > t.count.compared / 20 && t.count.fields > t.count.compared / 20);
    assert_true(t.count.turned > t.count.compared / 10);
    return t.count;
}

/* ---- properties --------------------------------------------------------------------------------------- */

/* A junction that hangs loose leaves its variable open, which then reads 0. */
static bool has_loose_part(const trial *t) {
    for (int32_t i = 0; i < t->f.eqn->structure->place_count; i++)
        if (hbg_causal_is_floating(t->f.run->mode->assignment, i)) return true;
    return false;
}

static void compare(const trial *t, const tableau *all, int column, double found, double scale,
                    const char *what) {
    char text[160];
    if (all->determined[column] && fabs(found - (double)all->value[column]) <= 1e-8 * scale) return;
    if (!all->determined[column] && found == 0 && has_loose_part(t)) return;
    snprintf(text, sizeof text, "%s is %.15g; the tableau %s %.15g", what, found,
             all->determined[column] ? "says" : "leaves it open, for one", (double)all->value[column]);
    explain(t, text);
}

static void look_at_rates(trial *t, test_random *random) {
    static tableau all;
    int bonds = 2 * t->n.bond_count, states = net_state_count(&t->n);
    (void)random;
    tableau_rates(&all, &t->n, t->time, t->x_plus);
    TRIAL_ASSERT(t, all.consistent);
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
    TRIAL_ASSERT(t, all.consistent);
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
            double power = t->y[2 * b] * t->y[2 * b + 1];
            if (t->n.bonds[b].to.node == i) sum += power;
            if (t->n.bonds[b].from.node == i) sum -= power;
            if (t->n.bonds[b].to.node == i || t->n.bonds[b].from.node == i) size = fmax(size, fabs(power));
        }
        TRIAL_ASSERT(t, fabs(sum) <= 1e-10 * size);
    }
}

/* Sums of what the ledger keeps: stored energy grows by supplied less dissipated power. */
static void look_at_ledger(trial *t, test_random *random) {
    const hbg_rt_system *system = t->f.system;
    double *power = HBG_NEW_ARRAY(&t->f.arena, double, system->power_count + 1), balance = 0, size = 1;
    (void)random;
    assert_fine(&t->f, system->powers_at(t->f.run, t->time, t->f.x, power));
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
    TRIAL_ASSERT(t, t->f.system->energies_at(t->f.run, t->time, t->f.x, energy) == HBG_RT_OK);
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
    assert_fine(f, f->system->rates(f->run, t->time, f->x, base));
    for (int j = 0; j < n; j++) {
        double kept = f->x[j];
        f->x[j] += 1;
        assert_fine(f, f->system->rates(f->run, t->time, f->x, there));
        f->x[j] = kept;
        for (int i = 0; i < n; i++)
            TRIAL_ASSERT(t, fabs(there[i] - base[i] - dense[i * n + j]) <= 1e-9 * largest_of(there, n));
    }
}

static void look_at_order(trial *t, test_random *random) {
    fixture *f = &t->f, shuffled;
    int n = f->system->state_count;
    double plus[NET_BONDS];
    fixture_open(&shuffled, write_net(&t->n, random));
    assert_fine(&shuffled, shuffled.system->start(shuffled.run, shuffled.x));
    assert_fine(&shuffled, shuffled.system->enter(shuffled.run, NULL));
    assert_fine(&shuffled, shuffled.system->jump(shuffled.run, t->time, shuffled.x, plus));
    memcpy(shuffled.x, plus, (size_t)n * sizeof *plus);
    assert_fine(&shuffled, shuffled.system->rates(shuffled.run, t->time, plus, shuffled.dx));
    assert_fine(&shuffled, shuffled.system->outputs_at(shuffled.run, t->time, plus, shuffled.y));
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
    assert_fine(&other, other.system->start(other.run, other.x));
    assert_fine(&other, other.system->enter(other.run, NULL));
    assert_fine(&other, other.system->jump(other.run, t->time, other.x, plus));
    assert_fine(&other, other.system->rates(other.run, t->time, plus, other.dx));
    assert_fine(&other, other.system->outputs_at(other.run, t->time, plus, other.y));
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
    visit_all(1500, 1, look_at_rates);
}

static void jumps_are_those_of_the_tableau(void **state) {
    (void)state;
    statistics s = visit_all(1500, 2, look_at_jump);
    assert_true(s.jumped > s.compared / 10);
}

static void junctions_transformers_and_gyrators_conserve_power(void **state) {
    (void)state;
    visit_all(1500, 3, look_at_power);
}

static void stored_power_is_what_sources_supply_less_what_resistors_take(void **state) {
    (void)state;
    visit_all(900, 4, look_at_ledger);
}

static void energy_never_rises_in_a_jump_without_sources(void **state) {
    (void)state;
    visit_all(1500, 5, look_at_energy);
}

static void the_jacobian_is_the_slope_of_the_rates(void **state) {
    (void)state;
    visit_all(1500, 6, look_at_jacobian);
}

static void the_order_of_declarations_changes_no_bit(void **state) {
    (void)state;
    visit_all(900, 7, look_at_order);
}

static void bonds_turned_round_change_signs_only(void **state) {
    (void)state;
    visit_all(900, 8, look_at_turning);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rates_and_bond_variables_are_those_of_the_tableau),
        cmocka_unit_test(jumps_are_those_of_the_tableau),
        cmocka_unit_test(junctions_transformers_and_gyrators_conserve_power),
        cmocka_unit_test(stored_power_is_what_sources_supply_less_what_resistors_take),
        cmocka_unit_test(energy_never_rises_in_a_jump_without_sources),
        cmocka_unit_test(the_jacobian_is_the_slope_of_the_rates),
        cmocka_unit_test(the_order_of_declarations_changes_no_bit),
        cmocka_unit_test(bonds_turned_round_change_signs_only),
    };
    cmocka_set_test_filter(getenv("HBG_TEST_CASES")); // one claim at a time, for mutations_test.sh
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Runs through many random graphs: each is compiled, started, brought through its jump and evaluated, then a property is
 * looked at. What the graphs were like is counted and printed, so that no property holds because nothing was there. */
#ifndef HBG_TESTS_EQN_TRIAL_IMPL_H
#define HBG_TESTS_EQN_TRIAL_IMPL_H

#include "fixture_impl.h"
#include "tableau_impl.h"

#define TRIAL_TEXT (1 << 16)

/* ---- one graph ---------------------------------------------------------------------------------------- */

typedef struct {
    int graphs, rejected, singular, stiff; /* not looked at */
    int undetermined;                      /* values, where off junctions repeat a zero */
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

static inline void explain(const trial *t, const char *what) {
    print_error("%s\n%s", t->text, what);
    fail_msg("%s", what);
}

#define TRIAL_ASSERT(t, condition)                                                                           \
    do {                                                                                                     \
        if (!(condition)) explain((t), #condition);                                                          \
    } while (0)

static inline void find_states(trial *t) {
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

static inline void take(const trial *t, const double *from, double *to) {
    for (int i = 0; i < net_state_count(&t->n); i++) to[i] = from[t->state[i]];
}

static inline bool is_dependent(const trial *t) {
    return t->f.run->dependent_count > 0;
}

/* Whether the graph has a unique jump and unique rates behind it, whatever the causality. */
static inline bool has_answer(const trial *t) {
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

/* The mode in which the junctions of the net are on or off as it says. */
static inline hbg_rt_status enter_mode(fixture *f, const net *n) {
    int32_t states[NET_NODES] = {0};
    for (int32_t i = 0; i < f->model->automata.count; i++) {
        const char *name = hbg_base_names_get(f->model->names, f->model->automata.items[i].id.name);
        states[i] = n->nodes[atoi(name + 1)].off;
    }
    return hbg_rt_enter(f->run, states);
}

/* Starts, jumps, and reads rates and bond variables. False: the graph has no unique answer. */
static inline bool evaluate(trial *t) {
    fixture *f = &t->f;
    const hbg_rt_description *system = f->system;
    size_t states = (size_t)system->state_count + 1;
    double *plus = HBG_NEW_ARRAY(&f->arena, double, states);
    t->x = HBG_NEW_ARRAY(&f->arena, double, states);
    t->x_plus = HBG_NEW_ARRAY(&f->arena, double, states);
    t->dx = HBG_NEW_ARRAY(&f->arena, double, states);
    t->y = f->y;
    if (enter_mode(f, &t->n) != HBG_RT_OK) {
        t->count.rejected++;
        return false; // an answer that needs equal sources or moduli is no answer of the structure
    }
    assert_fine(f, hbg_rt_declare(f->run, f->x));
    find_states(t);
    take(t, f->x, t->x);
    hbg_rt_status status = hbg_rt_jump(f->run, t->time, f->x, plus);
    if (status == HBG_RT_OK) status = hbg_rt_rates(f->run, t->time, plus, f->dx);
    bool refused = status == HBG_RT_UNDEFINED; // no equation can be made: a ring leaves something open
    if (status == HBG_RT_OK) status = hbg_rt_outputs(f->run, t->time, plus, f->y);
    if (status == HBG_RT_UNDEFINED && !refused) status = HBG_RT_OK; // what nothing determines is no number
    if (status != HBG_RT_OK) {
        TRIAL_ASSERT(t, status == HBG_RT_SINGULAR || refused);
        t->count.singular++;
        t->count.solvable += t->plan->cubes == 0 && has_answer(t);
        return false;
    }
    memcpy(f->x, plus, (states - 1) * sizeof *plus);
    take(t, plus, t->x_plus);
    take(t, f->dx, t->dx);
    return true;
}

static inline double largest_of(const double *values, int count) {
    double largest = 1;
    for (int i = 0; i < count; i++) largest = fmax(largest, fabs(values[i]));
    return largest;
}

/* Graphs whose answers are large have moduli that nearly cancel; comparing them would compare rounding. */
static inline bool is_stiff(const trial *t) {
    int states = net_state_count(&t->n);
    return largest_of(t->dx, states) > 1e5 || largest_of(t->x_plus, states) > 1e5 ||
           largest_of(t->y, 2 * t->n.bond_count) > 1e5;
}

static inline void count_features(trial *t) {
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
    t->count.loops += t->f.code->image.pool.loops.count > 0;
    t->count.gyrators += gyrator;
    t->count.fields += field;
    t->count.turned += turned;
    t->count.bare += bare;
    t->count.sources += t->n.has_sources;
}

static inline void print_statistics(const statistics *s) {
    print_message(
        "%d graphs, %d compared: %d with dependent storages, %d that jumped, %d with loops, %d with "
        "gyrators, "
        "%d with fields, %d with turned bonds, %d without a junction, %d with sources; %d rejected, %d "
        "singular (%d of them by the choice of causality), %d nearly so; %d values undetermined\n",
        s->graphs, s->compared, s->dependent, s->jumped, s->loops, s->gyrators, s->fields, s->turned, s->bare,
        s->sources, s->rejected, s->singular, s->solvable, s->stiff, s->undetermined);
}

/* ---- many graphs -------------------------------------------------------------------------------------- */

static const char *write_net(const net *n, test_random *shuffle) {
    static char memory[TRIAL_TEXT];
    graph_text text = {memory, 0, sizeof memory};
    text_net(&text, n, shuffle);
    return memory;
}

static inline void visit(trial *t, uint64_t seed, void (*look)(trial *t, test_random *random)) {
    test_random random = {seed * 1000003};
    static char kept[TRIAL_TEXT];
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

/* Small graphs: shares of sources, resistors, transformers, gyrators in per cent; then numbers of things at most. */
#define PLAN(source, resistor, transformer, gyrator, ...)                                                    \
    {                                                                                                        \
        .most = {.sources = source,                                                                          \
                 .resistors = resistor,                                                                      \
                 .transformers = transformer,                                                                \
                 .gyrators = gyrator,                                                                        \
                 .chained = 10,                                                                              \
                 __VA_ARGS__},                                                                               \
        .fields = 20, .reversed = 15, .signs = 20                                                            \
    }

static const net_plan plans[] = {
    PLAN(15, 35, 15, 10, .junctions = 4, .extra_links = 1, .elements = 6, .bare = 1),
    PLAN(0, 25, 25, 5, .junctions = 3, .extra_links = 0, .elements = 7, .bare = 1),
    PLAN(10, 60, 20, 20, .junctions = 7, .extra_links = 2, .elements = 9),
};

static inline statistics visit_each(const net_plan *extra, int graphs, uint64_t seed,
                                    void (*look)(trial *t, test_random *random)) {
    static trial t;
    memset(&t, 0, sizeof t);
    for (int i = 0; i < graphs; i++) {
        net_plan plan = plans[i % 3];
        plan.cubes = extra->cubes;
        plan.controlled = extra->controlled;
        t.plan = &plan;
        visit(&t, seed * 100000 + (uint64_t)i, look);
    }
    print_statistics(&t.count);
    assert_true(t.count.compared > graphs / 4); // the rest has no answer to compare
    assert_true(50 * t.count.solvable <= graphs);
    assert_true(t.count.dependent > t.count.compared / 10 && t.count.loops > t.count.compared / 10);
    assert_true(t.count.gyrators > t.count.compared / 20 && t.count.fields > t.count.compared / 20);
    assert_true(t.count.turned > t.count.compared / 10);
    return t.count;
}

static inline statistics visit_all(int graphs, uint64_t seed, void (*look)(trial *t, test_random *random)) {
    return visit_each(&(net_plan){0}, graphs, seed, look);
}

#endif

/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Dependent storages whose rates depend on themselves. Derivative causality makes the state of a storage
 * follow from its input, and its rate from the rate of the input. If the input reads the storage's own rate
 * again, differentiation never ends. There are two causes:
 *
 * - The dependence is only apparent. Between two capacitors in parallel the efforts of both nodes, which read
 *   the rates of everything around, cancel. Written in terms of outputs of elements, without junctions,
 *   transformers and gyrators, the input of the storage is free of them: it is tied to other storages and
 *   sources.
 * - A source is modulated by what flows through it, as in `Se s(0.25*j.f)` at a C. That is not a constraint
 *   but a law: the storage keeps its state, and its input determines its rate (q/C = 0.25·q'). */
#include <string.h>

#include "eqn/eqn_impl.h"

/* ---- what is read -------------------------------------------------------------------------------------- */

typedef struct {
    equations probe;  /* of the same mode, in memory of its own */
    int32_map states; /* dependent states */
    int32_t *number;  /* by state: 1 + its place in `states` */
    int32_t *met;     /* by variable: the search that met it last */
    int32_t search;
    bool *parts; /* by part of the structure: it was read */
    int32_map list, reads;
    int32_map start, heads; /* states whose rates are read for that of a state */
    int32_t *component;
    bool *cyclic; /* by component */
} tying;

/* The input variable of a dependent storage. */
static int32_t given_to(const hbg_eqn *eqn, int32_t state) {
    const state_info *info = &eqn->states[state];
    bool capacitor = eqn->model->elements.items[info->element].kind == HBG_KIND_C;
    int32_t bond = hbg_eqn_bond_of(eqn->model, info->element, info->port);
    return eqn->first[capacitor ? VARIABLE_EFFORT : VARIABLE_FLOW] + bond;
}

static void meet(tying *t, int32_t variable) {
    if (t->met[variable] == t->search) return;
    t->met[variable] = t->search;
    HBG_PUSH(t->probe.arena, t->list, variable);
}

/* The dependent state of which the variable is the rate, or HBG_NONE. */
static int32_t rate_of(const tying *t, int32_t variable) {
    const hbg_eqn *eqn = t->probe.eqn;
    if (variable < eqn->base_count || hbg_eqn_kind_of(eqn, variable) != VARIABLE_STATE) return HBG_NONE;
    return t->number[variable % eqn->base_count - eqn->first[VARIABLE_STATE]] - 1;
}

/* Notes the parts of the structure at a bond that is read: the result depends on their causality. */
static void note_part(tying *t, int32_t variable) {
    const hbg_eqn *eqn = t->probe.eqn;
    variable_kind kind = hbg_eqn_kind_of(eqn, variable);
    if (kind != VARIABLE_EFFORT && kind != VARIABLE_FLOW) return;
    int32_t link = eqn->structure->bond_link[variable % eqn->base_count - eqn->first[kind]];
    for (int i = 0; link != HBG_NONE && i < 2; i++) {
        int32_t place = eqn->structure->links[link].end[i].place;
        if (place != HBG_NONE) t->parts[eqn->structure->place_part[place]] = true;
    }
}

static void find_reads(tying *t, int32_t state) {
    t->search++;
    t->list.count = 0;
    meet(t, given_to(t->probe.eqn, state));
    for (int32_t i = 0; i < t->list.count; i++) {
        int32_t rate = rate_of(t, t->list.items[i]);
        if (rate != HBG_NONE) {
            HBG_PUSH(t->probe.arena, t->heads, rate);
            continue;
        }
        note_part(t, t->list.items[i]);
        t->reads.count = 0;
        hbg_eqn_equations_reads(&t->probe, t->list.items[i], &t->reads);
        for (int32_t k = 0; k < t->reads.count; k++) meet(t, t->reads.items[k]);
    }
}

/* Finds dependent states whose rates read one another in a ring. Returns true if there are any. */
static bool find_cycles(tying *t) {
    hbg_arena *arena = t->probe.arena;
    int32_t count = t->states.count;
    bool any = false;
    t->start.count = t->heads.count = 0;
    for (int32_t i = 0; i < count; i++) {
        HBG_PUSH(arena, t->start, t->heads.count);
        find_reads(t, t->states.items[i]);
    }
    HBG_PUSH(arena, t->start, t->heads.count);
    hbg_graph_strong_components(arena, count, t->start.items, t->heads.items, t->component);
    memset(t->cyclic, 0, (size_t)count * sizeof *t->cyclic);
    for (int32_t i = 0; i < count; i++)
        for (int32_t k = t->start.items[i]; k < t->start.items[i + 1]; k++)
            if (t->component[i] == t->component[t->heads.items[k]]) any = t->cyclic[t->component[i]] = true;
    hbg_eqn_equations_end(&t->probe);
    return any;
}

static bool is_cyclic(const tying *t, int32_t i) {
    return t->cyclic[t->component[i]];
}

/* ---- in terms of outputs of elements ------------------------------------------------------------------ */

/* Whether a junction, a transformer or a gyrator defines the variable. */
static bool is_passed_on(const equations *all, int32_t variable) {
    const hbg_eqn *eqn = all->eqn;
    variable_kind kind = hbg_eqn_kind_of(eqn, variable);
    if (variable >= eqn->base_count || (kind != VARIABLE_EFFORT && kind != VARIABLE_FLOW)) return false;
    int32_t bond = variable - eqn->first[kind];
    if (eqn->structure->bond_link[bond] == HBG_NONE) return false;
    const hbg_bond *of = &eqn->model->bonds.items[bond];
    bool at_to = (kind == VARIABLE_EFFORT) != (hbg_causal_stroke(all->assignment, bond) == 1);
    int32_t by = at_to ? of->to.element : of->from.element;
    hbg_element_kind element = eqn->model->elements.items[by].kind;
    return eqn->structure->element_place[by] != HBG_NONE || element == HBG_KIND_TF || element == HBG_KIND_GY;
}

typedef struct {
    tying *t;
    coefficient *sum;  /* by variable of the value layer; valid if `listed` */
    bool *listed;      /* likewise */
    uint8_t *state;    /* likewise: met, done, or kept as an unknown */
    int32_map order;   /* variables passed on; those they read come first */
    int32_map touched; /* variables of the sum */
    int32_map cuts;    /* unknowns, at least one in each ring, such as that of an autotransformer */
} expansion;

enum { UNMET, OPEN, DONE, CUT };

enum { MOST_CUTS = 64 };

/* Orders the variables from one on. Returns false if something is not a sum. */
static bool order_from(expansion *e, int32_t variable) {
    hbg_arena *arena = e->t->probe.arena;
    if (e->state[variable] == OPEN) {
        e->state[variable] = CUT;
        HBG_PUSH(arena, e->cuts, variable);
    }
    if (e->state[variable] != UNMET) return true;
    e->state[variable] = OPEN;
    const equation *of = hbg_eqn_equations_get(&e->t->probe, variable);
    bool fine = of->kind == EQUATION_ASSIGN;
    int32_map reads = {0};
    if (fine) hbg_eqn_equations_read_term(&e->t->probe, of->term, &reads);
    for (int32_t i = 0; i < reads.count && fine; i++)
        if (is_passed_on(&e->t->probe, reads.items[i])) fine = order_from(e, reads.items[i]);
    if (e->state[variable] == OPEN) e->state[variable] = DONE;
    HBG_PUSH(arena, e->order, variable);
    return fine;
}

static void add(expansion *e, int32_t variable, coefficient factor) {
    hbg_eqn *eqn = e->t->probe.eqn;
    if (!e->listed[variable]) HBG_PUSH(e->t->probe.arena, e->touched, variable);
    e->sum[variable] = e->listed[variable] ? hbg_eqn_coefficient_add(eqn, e->sum[variable], factor) : factor;
    e->listed[variable] = true;
}

/* Adds a multiple of a variable's equation. Returns false if that is not a linear combination. */
static bool add_parts(expansion *e, int32_t variable, coefficient factor) {
    equations *probe = &e->t->probe;
    hbg_eqn *eqn = probe->eqn;
    gradient parts = {0};
    hbg_term_gradient(&eqn->terms, probe->arena, hbg_eqn_equations_get(probe, variable)->term, &parts);
    for (int32_t i = 0; i < parts.count; i++) {
        int32_t read = parts.items[i].variable;
        if (read == HBG_NONE || read >= eqn->base_count) return false;
        variable_kind kind = hbg_eqn_kind_of(eqn, read);
        if (kind != VARIABLE_EFFORT && kind != VARIABLE_FLOW) continue; // a modulus
        coefficient part = hbg_eqn_coefficient_of(eqn, parts.items[i].partial);
        add(e, read, hbg_eqn_coefficient_multiply(eqn, factor, part));
    }
    return true;
}

/* Substitutes variables by their equations, except the unknowns. */
static bool write_out(expansion *e) {
    hbg_eqn *eqn = e->t->probe.eqn;
    bool fine = true;
    for (int32_t i = e->order.count - 1; i >= 0 && fine; i--) {
        int32_t variable = e->order.items[i];
        coefficient factor = e->sum[variable];
        if (e->state[variable] == CUT || !e->listed[variable] || factor.value == 0) continue;
        e->sum[variable] = hbg_eqn_coefficient_whole(eqn, 0);
        fine = add_parts(e, variable, factor);
    }
    return fine;
}

typedef struct {
    int32_t variable;
    coefficient factor;
} addend;

typedef HBG_VEC(addend) addends;

/* Returns the sum as a list, and clears it. */
static addends take_sum(expansion *e) {
    addends sum = {0};
    for (int32_t i = 0; i < e->touched.count; i++) {
        int32_t variable = e->touched.items[i];
        addend of = {variable, e->sum[variable]};
        e->listed[variable] = false;
        if (of.factor.value != 0) HBG_PUSH(e->t->probe.arena, sum, of);
    }
    e->touched.count = 0;
    return sum;
}

static void add_all(expansion *e, const addends *sum, coefficient factor) {
    for (int32_t i = 0; i < sum->count; i++)
        add(e, sum->items[i].variable,
            hbg_eqn_coefficient_multiply(e->t->probe.eqn, factor, sum->items[i].factor));
}

/* Solves an unknown by its own equation, without the unknowns found before: 0 = sum − unknown. Returns false
 * if that is impossible. */
static bool solve_cut(expansion *e, int32_t cut, const addends *found, addends *solved) {
    hbg_eqn *eqn = e->t->probe.eqn;
    int32_t unknown = e->cuts.items[cut];
    if (!add_parts(e, unknown, hbg_eqn_coefficient_whole(eqn, 1)) || !write_out(e)) return false;
    for (int32_t i = 0; i < cut; i++) {
        int32_t before = e->cuts.items[i];
        if (!e->listed[before] || e->sum[before].value == 0) continue;
        coefficient factor = e->sum[before];
        e->sum[before] = hbg_eqn_coefficient_whole(eqn, 0);
        add_all(e, &found[i], factor);
    }
    add(e, unknown, hbg_eqn_coefficient_whole(eqn, -1));
    coefficient own = e->sum[unknown];
    e->sum[unknown] = hbg_eqn_coefficient_whole(eqn, 0);
    addends rest = take_sum(e);
    if (own.value == 0) return false;
    for (int32_t i = 0; i < rest.count; i++) {
        addend of = {rest.items[i].variable, hbg_eqn_coefficient_solve(eqn, rest.items[i].factor, own)};
        HBG_PUSH(e->t->probe.arena, *solved, of);
    }
    return true;
}

/* Solves the unknowns, each by those after it, then the sum without any. */
static bool solve_cuts(expansion *e, addends *sum) {
    addends found[MOST_CUTS] = {0};
    bool fine = e->cuts.count <= MOST_CUTS;
    for (int32_t i = 0; i < e->cuts.count && fine; i++) fine = solve_cut(e, i, found, &found[i]);
    if (!fine) return false;
    add_all(e, sum, hbg_eqn_coefficient_whole(e->t->probe.eqn, 1));
    for (int32_t i = 0; i < e->cuts.count; i++) {
        int32_t unknown = e->cuts.items[i];
        if (!e->listed[unknown] || e->sum[unknown].value == 0) continue;
        coefficient factor = e->sum[unknown];
        e->sum[unknown] = hbg_eqn_coefficient_whole(e->t->probe.eqn, 0);
        add_all(e, &found[i], factor);
    }
    *sum = take_sum(e);
    return true;
}

/* The input of the storage as a sum of outputs of elements; HBG_NONE if it cannot be written so. */
static hbg_term expand(tying *t, int32_t state) {
    equations *probe = &t->probe;
    hbg_eqn *eqn = probe->eqn;
    hbg_arena *arena = probe->arena;
    int32_t given = given_to(eqn, state), count = eqn->base_count + 1;
    expansion e = {.t = t,
                   .sum = HBG_NEW_ARRAY(arena, coefficient, count),
                   .listed = HBG_NEW_ARRAY(arena, bool, count),
                   .state = HBG_NEW_ARRAY(arena, uint8_t, count)};
    bool fine = is_passed_on(probe, given) && order_from(&e, given);
    if (fine) add(&e, given, hbg_eqn_coefficient_whole(eqn, 1));
    fine = fine && write_out(&e);
    addends parts = take_sum(&e);
    fine = fine && (e.cuts.count == 0 || solve_cuts(&e, &parts));
    hbg_term sum = hbg_term_integer(&eqn->terms, 0);
    for (int32_t i = 0; i < parts.count; i++) {
        hbg_term variable = hbg_term_variable(&eqn->terms, parts.items[i].variable);
        sum = hbg_term_add(&eqn->terms, sum,
                           hbg_term_multiply(&eqn->terms, parts.items[i].factor.term, variable));
    }
    hbg_eqn_equations_end(probe);
    return fine ? sum : HBG_NONE;
}

/* ---- all of them --------------------------------------------------------------------------------------- */

static void list_dependent(tying *t) {
    hbg_eqn *eqn = t->probe.eqn;
    t->number = HBG_NEW_ARRAY(t->probe.arena, int32_t, eqn->state_count + 1);
    for (int32_t i = 0; i < eqn->state_count; i++) {
        if (!hbg_eqn_equations_is_dependent(&t->probe, i)) continue;
        HBG_PUSH(t->probe.arena, t->states, i);
        t->number[i] = t->states.count;
    }
}

void hbg_eqn_find_ties(equations *all) {
    hbg_eqn *eqn = all->eqn;
    size_t count = (size_t)eqn->base_count * LAYER_COUNT;
    tying t = {.probe = {.eqn = eqn, .arena = all->arena, .assignment = all->assignment, .plain = true}};
    list_dependent(&t);
    if (t.states.count == 0) return;
    t.probe.purpose = PURPOSE_FIELD;
    t.probe.equations = HBG_NEW_ARRAY(all->arena, equation, count);
    t.met = HBG_NEW_ARRAY(all->arena, int32_t, count);
    t.parts = HBG_NEW_ARRAY(all->arena, bool, eqn->structure->place_count + 1);
    t.component = HBG_NEW_ARRAY(all->arena, int32_t, t.states.count + 1);
    t.cyclic = HBG_NEW_ARRAY(all->arena, bool, t.states.count + 1);
    if (!find_cycles(&t)) return;
    all->tied_parts = t.parts;
    all->dependences = HBG_NEW_ARRAY(all->arena, tie_info, eqn->state_count + 1);
    for (int32_t i = 0; i < eqn->state_count; i++) all->dependences[i].tie = HBG_NONE;
    for (int32_t i = 0; i < t.states.count; i++)
        if (is_cyclic(&t, i)) all->dependences[t.states.items[i]].tie = expand(&t, t.states.items[i]);
    t.probe.dependences = all->dependences;
    if (!find_cycles(&t)) return;
    for (int32_t i = 0; i < t.states.count; i++) {
        tie_info *of = &all->dependences[t.states.items[i]];
        if (!is_cyclic(&t, i)) continue;
        of->tie = HBG_NONE;
        of->is_free = true;
    }
}

bool hbg_eqn_ties_follow_from(const equations *all, const int32_t *places, int32_t count) {
    const hbg_eqn *eqn = all->eqn;
    bool *listed = HBG_NEW_ARRAY(all->arena, bool, eqn->structure->place_count + 1);
    for (int32_t i = 0; i < count; i++) listed[places[i]] = true;
    for (int32_t i = 0; i < eqn->structure->place_count && all->dependences; i++) {
        bool switches = eqn->structure->controlled[i] && !eqn->varies.select[i];
        if (switches && all->tied_parts[eqn->structure->place_part[i]] && !listed[i]) return false;
    }
    return true;
}

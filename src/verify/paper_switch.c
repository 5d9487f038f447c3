/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Constitutive processes of what switches (003, section 5.5): controlled junctions with the predicates Act
 * and Inact, junctions with restitution, and automata that such predicates cannot represent. */
#include <stdlib.h>

#include "verify/paper_impl.h"

static const hbg_element *element_of(const paper_work *work, int32_t element) {
    return &work->model->elements.items[element];
}

/* ---- which automata are predicates --------------------------------------------------------------------------------------- */

static void count_uses(const paper_work *work, hbg_expr expr, int32_t depth, int32_t *uses) {
    if (expr == HBG_NONE || depth > 200) return;
    const hbg_expr_node *node = &work->model->exprs.items[expr];
    if (node->op == HBG_OP_AUTOMATON || node->op == HBG_OP_ACTIVE) uses[node->a]++;
    for (int i = 0; i < hbg_model_expr_arity(node); i++)
        count_uses(work, hbg_model_expr_argument(node, i), depth + 1, uses);
}

static int32_t *uses_of_automata(paper_work *work) {
    const hbg_model *model = work->model;
    int32_t *uses = HBG_NEW_ARRAY(work->arena, int32_t, model->automata.count + 1);
    for (int32_t i = 0; i < model->elements.count; i++) {
        const hbg_element *of = &model->elements.items[i];
        count_uses(work, of->control, 0, uses);
        count_uses(work, of->restitution, 0, uses);
        for (int32_t k = 0; k < of->value_count; k++)
            count_uses(work, model->entries.items[of->first_value + k], 0, uses);
        for (int32_t k = 0; k < of->law_count; k++)
            count_uses(work, model->bindings.items[of->first_law + k].value, 0, uses);
    }
    for (int32_t i = 0; i < model->signals.count; i++)
        if (model->signals.items[i].kind != HBG_SIGNAL_OUTPUT)
            count_uses(work, model->signals.items[i].value, 0, uses);
    for (int32_t i = 0; i < model->transitions.count; i++)
        count_uses(work, model->transitions.items[i].guard, 0, uses);
    return uses;
}

/* The states off and on of an automaton that one junction has for itself; false if it is shared, has more
 * than two states, or waits. */
static bool has_own(paper_work *work, int32_t element, const int32_t *uses, int32_t *automaton,
                    int32_t states[2]) {
    const hbg_model *model = work->model;
    const hbg_expr_node *node = &model->exprs.items[element_of(work, element)->control];
    if (node->op != HBG_OP_AUTOMATON || uses[node->a] != 1) return false;
    const hbg_automaton *of = &model->automata.items[node->a];
    states[0] = states[1] = HBG_NONE;
    *automaton = node->a;
    if (of->state_count > 2 || of->every != HBG_NONE) return false;
    for (int32_t i = 0; i < of->state_count; i++) {
        bool on = model->states.items[of->first_state + i].on;
        paper_predicate how = {.relax = true};
        if (states[on] != HBG_NONE) return false;
        states[on] = i;
        hbg_verify_paper_stay(work, node->a, i, HBG_PROCESS_NOW, &how);
        if (how.unclear) return false;
    }
    return states[1] != HBG_NONE;
}

/* ---- laws of rows ------------------------------------------------------------------------------------------------------------ */

static void add_row(paper_work *work, paper_switch *of, int32_t before, int32_t after, paper_law pulses,
                    bool loses, const char *note) {
    paper_row row = {.before = before, .after = after, .told = {.note = note}};
    int32_t element = of->element;
    hbg_term zero = hbg_term_integer(&work->made->process.terms, 0);
    hbg_verify_paper_junction(work, element, true, pulses, &row.told.jump);
    if (pulses == PAPER_LAW_NONE) {
        for (int32_t i = work->model->incidence_start[element]; i < work->model->incidence_start[element + 1];
             i++)
            hbg_verify_paper_push(
                work, &row.told.jump, HBG_OP_EQUAL,
                hbg_verify_paper_variable(work, work->at.work[work->model->incidence[i]], HBG_PROCESS_NOW),
                zero);
    } else {
        hbg_verify_paper_push(work, &row.told.jump, loses ? HBG_OP_GREATER_EQUAL : HBG_OP_EQUAL,
                              hbg_verify_paper_work_sum(work, element), zero);
    }
    hbg_verify_paper_junction(work, element, false, after ? PAPER_LAW_ON : PAPER_LAW_OFF, &row.told.clause);
    row.laws = row.told.clause.count;
    HBG_PUSH(work->arena, of->rows, row);
}

/* The five rows of a controlled junction; the last is in the text of 003, but not in its formulas. */
static void add_rows(paper_work *work, paper_switch *of) {
    add_row(work, of, 1, 1, PAPER_LAW_ON, false, "on, stays on");
    add_row(work, of, 0, 0, PAPER_LAW_NONE, false, "off, stays off");
    add_row(work, of, 0, 1, PAPER_LAW_ON, true, "off -> on");
    add_row(work, of, 1, 0, PAPER_LAW_ON, true, "on -> off, pulses of one that is on");
    if (work->request->reading == HBG_PAPER_SETTLED)
        add_row(work, of, 1, 0, PAPER_LAW_OFF, true, "on -> off, pulses of one that is off");
}

/* Σ of what the junction balances, in a view. */
static hbg_term balanced(paper_work *work, int32_t element, hbg_process_view view) {
    hbg_terms *terms = &work->made->process.terms;
    hbg_term sum = hbg_term_integer(terms, 0);
    int32_t summed = element_of(work, element)->kind == HBG_KIND_ZERO; // flows at a 0-junction
    for (int32_t i = work->model->incidence_start[element]; i < work->model->incidence_start[element + 1];
         i++) {
        int32_t bond = work->model->incidence[i];
        hbg_term own = hbg_verify_paper_variable(work, work->at.effort[bond] + summed, view);
        bool in = work->model->bonds.items[bond].to.element == element;
        sum = in ? hbg_term_add(terms, sum, own) : hbg_term_subtract(terms, sum, own);
    }
    return sum;
}

/* Newton's rule, with a coefficient or with one that each impact chooses. */
static void add_rebound(paper_work *work, int32_t element, hbg_process_all *jump) {
    hbg_terms *terms = &work->made->process.terms;
    const hbg_choice *choice = hbg_model_choice_of(work->model, (hbg_object){HBG_OBJECT_ELEMENT, element});
    hbg_term eps = hbg_verify_paper_expression(work, element_of(work, element)->restitution, HBG_PROCESS_NEW);
    double low, high;
    if (hbg_model_loses_energy(work->model, element)) {
        work->refused = "a restitution is given as a loss in J, which the composition has no law for: "
                        "`--form exact` has it";
        return;
    }
    if (choice && hbg_model_choice_ends(work->model, choice, &low, &high)) {
        hbg_verify_paper_add(
            work, (hbg_process_variable){
                      .role = HBG_PROCESS_CHOICE,
                      .of = element,
                      .name = hbg_base_arena_print(
                          work->arena, "eps(%s)", hbg_verify_paper_path(work, HBG_OBJECT_ELEMENT, element))});
        work->at.choice[element] = work->made->process.variables.count - 1;
        eps = hbg_verify_paper_variable(work, work->at.choice[element], HBG_PROCESS_NOW);
        hbg_verify_paper_push(work, jump, HBG_OP_GREATER_EQUAL, eps, hbg_term_double(terms, low));
        hbg_verify_paper_push(work, jump, HBG_OP_LESS_EQUAL, eps, hbg_term_double(terms, high));
    }
    hbg_term back =
        hbg_term_negate(terms, hbg_term_multiply(terms, eps, balanced(work, element, HBG_PROCESS_OLD)));
    hbg_verify_paper_push(work, jump, HBG_OP_EQUAL, balanced(work, element, HBG_PROCESS_NEW), back);
}

static void add_bounce_rows(paper_work *work, paper_switch *of) {
    add_row(work, of, 0, 0, PAPER_LAW_NONE, false, "stays off");
    add_row(work, of, 0, 0, PAPER_LAW_ON, true, "impact");
    paper_row *impact = &of->rows.items[1];
    impact->impact = true;
    add_rebound(work, of->element, &impact->told.jump);
}

/* ---- finding them -------------------------------------------------------------------------------------------------------------- */

static void add_junction(paper_work *work, int32_t element, const int32_t *uses, bool *owned) {
    paper_switch made = {.kind = PAPER_FOLLOWER, .element = element, .automaton = HBG_NONE, .modes = 1};
    int32_t automaton, states[2];
    bool own = has_own(work, element, uses, &automaton, states);
    if (element_of(work, element)->restitution != HBG_NONE) {
        made.kind = PAPER_BOUNCE;
        add_bounce_rows(work, &made);
    } else {
        if (own) made.kind = PAPER_JUNCTION;
        add_rows(work, &made);
    }
    if (own) {
        made.automaton = automaton;
        memcpy(made.states, states, sizeof made.states);
        owned[automaton] = true;
        if (made.kind == PAPER_JUNCTION) made.modes = states[0] == HBG_NONE ? 1 : 2;
    }
    HBG_PUSH(work->arena, work->switches, made);
}

static int compare(const void *a, const void *b) {
    const paper_switch *one = a, *other = b;
    int32_t first = one->automaton == HBG_NONE ? INT32_MAX : one->automaton;
    int32_t second = other->automaton == HBG_NONE ? INT32_MAX : other->automaton;
    if (first != second) return first < second ? -1 : 1;
    return one->element < other->element ? -1 : one->element > other->element;
}

/* By automaton, the order in which modes are reported. */
void hbg_verify_paper_find_switches(paper_work *work) {
    const hbg_model *model = work->model;
    const int32_t *uses = uses_of_automata(work);
    bool *owned = HBG_NEW_ARRAY(work->arena, bool, model->automata.count + 1);
    for (int32_t i = 0; i < model->elements.count; i++)
        if (element_of(work, i)->control != HBG_NONE) add_junction(work, i, uses, owned);
    for (int32_t i = 0; i < model->automata.count; i++) {
        paper_switch made = {.kind = PAPER_AUTOMATON,
                             .element = HBG_NONE,
                             .automaton = i,
                             .modes = model->automata.items[i].state_count};
        if (!owned[i]) HBG_PUSH(work->arena, work->switches, made);
    }
    if (work->switches.count > 0)
        qsort(work->switches.items, (size_t)work->switches.count, sizeof *work->switches.items, compare);
}

int32_t hbg_verify_paper_mode_of(paper_work *work, const int32_t *modes, int32_t number) {
    const paper_switch *of = &work->switches.items[number];
    formulas *f = &work->proof->f;
    if (of->kind != PAPER_FOLLOWER) return of->kind == PAPER_BOUNCE ? 0 : modes[number];
    formula on = hbg_verify_paper_holds(
        work, hbg_verify_paper_expression(work, element_of(work, of->element)->control, HBG_PROCESS_NOW));
    for (int32_t i = 0; i < work->switches.count; i++) {
        const paper_switch *at = &work->switches.items[i];
        if (at->kind != PAPER_AUTOMATON) continue;
        for (int32_t k = 0; k < at->modes; k++) {
            int32_t variable = work->at.discrete[work->model->automata.items[at->automaton].first_state + k];
            if (variable == HBG_NONE) continue;
            on = hbg_verify_formula_replace(f, on, 1, &work->map.symbols.items[variable],
                                            modes[i] == k ? &f->yes : &f->no);
        }
    }
    return on == f->yes;
}

/* An energy that stays fixed whatever the switching junctions do cannot jump. */
void hbg_verify_paper_find_jumping(paper_work *work) {
    paper_system system = {.work = work};
    hbg_process *of = &work->made->process;
    for (int pass = 0; pass < 2; pass++)
        for (int32_t i = 0; i < of->variables.count; i++) {
            hbg_process_role role = of->variables.items[i].role;
            bool early = role == HBG_PROCESS_PULSE || role == HBG_PROCESS_WORK;
            if (pass == 0 ? early : role == HBG_PROCESS_ENERGY)
                hbg_verify_paper_unknown(&system, hbg_verify_paper_symbol(work, i, HBG_PROCESS_NEW));
        }
    hbg_verify_paper_give(&system, &work->jump); // which may add variables for what is not a polynomial
    hbg_verify_paper_solve(&system);
    work->may_jump = HBG_NEW_ARRAY(work->arena, bool, of->variables.count + 1);
    for (int32_t i = 0; i < of->variables.count; i++)
        work->may_jump[i] =
            of->variables.items[i].role == HBG_PROCESS_ENERGY &&
            hbg_verify_paper_put(&system, hbg_verify_paper_symbol(work, i, HBG_PROCESS_NEW)) !=
                hbg_verify_paper_symbol(work, i, HBG_PROCESS_OLD);
}

/* ---- predicates ------------------------------------------------------------------------------------------------------------------ */

/* The rate of a quantity that is not negative, or 0, in an atom; NULL: it is not known. */
static formula rate_of(paper_work *work, const paper_system *system, hbg_term atom) {
    formulas *f = &work->proof->f;
    const term_node node = work->made->process.terms.nodes.items[atom];
    if (node.op < HBG_OP_EQUAL || node.op > HBG_OP_GREATER_EQUAL || hbg_verify_paper_is_truth(work, node.a))
        return NULL;
    formula of = hbg_verify_formula_subtract(f, hbg_verify_paper_number(work, node.a),
                                             hbg_verify_paper_number(work, node.b));
    formula sum = f->zero;
    paper_numbers reads = hbg_verify_paper_reads(work, of);
    for (int32_t k = 0; k < reads.count; k++) {
        int32_t i = reads.items[k];
        hbg_process_role role = work->made->process.variables.items[i].role;
        formula own = hbg_verify_paper_derivative(work, of, work->map.symbols.items[i]);
        if (!own || (own != f->zero && role != HBG_PROCESS_ENERGY)) return NULL;
        if (own == f->zero) continue;
        formula rate = work->map.symbols.items[hbg_verify_paper_rate(work, i)];
        sum = hbg_verify_formula_add(f, sum, hbg_verify_formula_multiply(f, own, rate));
    }
    return hbg_verify_paper_put(system, sum);
}

/* The entry condition that the junction maintains while it is on: its rate is 0 in any case. */
static hbg_term kept_while_on(paper_work *work, const paper_switch *of, hbg_term entering) {
    paper_system system = {.work = work};
    hbg_process_all laws = {0}, atoms = {0};
    hbg_term kept = hbg_verify_paper_truth(work, true);
    hbg_verify_paper_conjuncts(work, entering, &atoms);
    if (atoms.count == 0) return kept;
    for (int32_t i = 0; i < work->clause.count; i++) HBG_PUSH(work->arena, laws, work->clause.items[i]);
    hbg_verify_paper_junction(work, of->element, false, PAPER_LAW_ON, &laws);
    for (int32_t i = 0, count = work->made->process.variables.count; i < count; i++) {
        hbg_process_role role = work->made->process.variables.items[i].role;
        if (role == HBG_PROCESS_BOND || role == HBG_PROCESS_RATE)
            hbg_verify_paper_unknown(&system, work->map.symbols.items[i]);
    }
    hbg_verify_paper_give(&system, &laws);
    hbg_verify_paper_solve(&system);
    for (int32_t i = 0; i < atoms.count; i++)
        if (rate_of(work, &system, atoms.items[i]) == work->proof->f.zero)
            kept = hbg_verify_paper_both(work, kept, atoms.items[i]);
    return kept;
}

static void give_predicates(paper_work *work, paper_switch *of, int32_t mode,
                            const hbg_term in[HBG_PROCESS_VIEWS]) {
    for (int32_t i = 0; i < of->rows.count; i++) {
        paper_row *row = &of->rows.items[i];
        hbg_process_all clause = {0};
        if (row->before == mode) hbg_verify_paper_conjuncts(work, in[HBG_PROCESS_OLD], &row->told.before);
        if (row->after != mode) continue;
        hbg_verify_paper_conjuncts(work, in[HBG_PROCESS_NOW], &clause);
        for (int32_t k = 0; k < row->told.clause.count; k++)
            HBG_PUSH(work->arena, clause, row->told.clause.items[k]);
        row->told.clause = clause;
    }
}

/* Act and Inact; for a row that switches, the entry condition, weakened. */
static void give_junction(paper_work *work, paper_switch *of) {
    hbg_term in[2][HBG_PROCESS_VIEWS];
    static const hbg_process_view views[] = {HBG_PROCESS_NOW, HBG_PROCESS_OLD};
    for (int v = 0; v < 2; v++)
        for (int mode = 0; mode < 2; mode++) {
            paper_predicate how = {.relax = true};
            in[mode][views[v]] =
                of->states[mode] == HBG_NONE
                    ? hbg_verify_paper_truth(work, false)
                    : hbg_verify_paper_stay(work, of->automaton, of->states[mode], views[v], &how);
        }
    for (int mode = 0; mode < 2; mode++) {
        paper_predicate how = {.relax = true, .weaken = true};
        if (of->states[0] == HBG_NONE) break;
        int32_t from = of->states[1 - mode], to = of->states[mode];
        hbg_term asked = hbg_verify_paper_enter(work, of->automaton, from, to, HBG_PROCESS_OLD, &how);
        for (int32_t i = 0; i < of->rows.count; i++)
            if (of->rows.items[i].before != mode && of->rows.items[i].after == mode)
                hbg_verify_paper_conjuncts(work, asked, &of->rows.items[i].told.before);
        if (mode == 0 || of->kind == PAPER_BOUNCE) continue;
        how = (paper_predicate){.relax = true, .weaken = true};
        hbg_term kept = kept_while_on(
            work, of, hbg_verify_paper_enter(work, of->automaton, from, to, HBG_PROCESS_NOW, &how));
        if (hbg_verify_paper_is(work, kept, true)) continue;
        how = (paper_predicate){0};
        in[1][HBG_PROCESS_NOW] = hbg_verify_paper_both(work, kept, in[1][HBG_PROCESS_NOW]);
        in[1][HBG_PROCESS_OLD] = hbg_verify_paper_both(
            work, hbg_verify_paper_seen(work, kept, HBG_PROCESS_OLD), in[1][HBG_PROCESS_OLD]);
    }
    for (int mode = 0; mode < 2; mode++) give_predicates(work, of, mode, in[mode]);
}

/* Impact: the guard before it, as written except for its edge. */
static void give_bounce(paper_work *work, paper_switch *of) {
    hbg_term off[HBG_PROCESS_VIEWS], hit = hbg_verify_paper_truth(work, true);
    off[HBG_PROCESS_NOW] = off[HBG_PROCESS_OLD] = hit;
    if (of->automaton != HBG_NONE && of->states[0] != HBG_NONE) {
        paper_predicate how = {.relax = true};
        off[HBG_PROCESS_NOW] =
            hbg_verify_paper_stay(work, of->automaton, of->states[0], HBG_PROCESS_NOW, &how);
        off[HBG_PROCESS_OLD] =
            hbg_verify_paper_stay(work, of->automaton, of->states[0], HBG_PROCESS_OLD, &how);
        hit =
            hbg_verify_paper_enter(work, of->automaton, of->states[0], of->states[1], HBG_PROCESS_OLD, &how);
    } else {
        hbg_verify_paper_note(work,
                              "impacts of %s: its automaton is no predicate; they are possible anywhere",
                              hbg_verify_paper_path(work, HBG_OBJECT_ELEMENT, of->element));
    }
    give_predicates(work, of, 0, off);
    hbg_verify_paper_conjuncts(work, hit, &of->rows.items[1].told.before);
}

static void give_follower(paper_work *work, paper_switch *of) {
    hbg_expr control = element_of(work, of->element)->control;
    for (int mode = 0; mode < 2; mode++) {
        hbg_term in[HBG_PROCESS_VIEWS];
        paper_predicate how = {.negate = !mode};
        in[HBG_PROCESS_NOW] = hbg_verify_paper_predicate(
            work, hbg_verify_paper_expression(work, control, HBG_PROCESS_NOW), &how);
        in[HBG_PROCESS_OLD] = hbg_verify_paper_predicate(
            work, hbg_verify_paper_expression(work, control, HBG_PROCESS_OLD), &how);
        give_predicates(work, of, mode, in);
    }
}

/* ---- automata as processes ---------------------------------------------------------------------------------------------------------- */

static const char *state_name(const paper_work *work, int32_t automaton, int32_t state) {
    const hbg_model *model = work->model;
    return hbg_base_names_get(model->names,
                              model->states.items[model->automata.items[automaton].first_state + state].name);
}

static bool leads(const paper_work *work, int32_t automaton, int32_t from, int32_t to) {
    const hbg_automaton_state *of =
        &work->model->states.items[work->model->automata.items[automaton].first_state + from];
    for (int32_t i = 0; i < of->transition_count; i++)
        if (work->model->transitions.items[of->first_transition + i].target == to) return true;
    return from == to;
}

static void give_automaton(paper_work *work, paper_switch *of) {
    bool unclear = false;
    for (int32_t from = 0; from < of->modes; from++)
        for (int32_t to = 0; to < of->modes; to++) {
            paper_row row = {.before = from, .after = to};
            paper_predicate how = {.relax = true, .weaken = true}, stay = {.relax = true};
            if (!leads(work, of->automaton, from, to)) continue;
            row.told.note = hbg_base_arena_print(work->arena, from == to ? "stays in %s" : "%s -> %s",
                                                 state_name(work, of->automaton, from),
                                                 state_name(work, of->automaton, to));
            HBG_PUSH(work->arena, row.told.before,
                     hbg_verify_paper_discrete(work, of->automaton, from, HBG_PROCESS_OLD));
            if (from != to)
                hbg_verify_paper_conjuncts(
                    work, hbg_verify_paper_enter(work, of->automaton, from, to, HBG_PROCESS_OLD, &how),
                    &row.told.before);
            HBG_PUSH(work->arena, row.told.clause,
                     hbg_verify_paper_discrete(work, of->automaton, to, HBG_PROCESS_NOW));
            hbg_verify_paper_conjuncts(work,
                                       hbg_verify_paper_stay(work, of->automaton, to, HBG_PROCESS_NOW, &stay),
                                       &row.told.clause);
            unclear = unclear || how.unclear || stay.unclear;
            HBG_PUSH(work->arena, of->rows, row);
        }
    if (unclear)
        hbg_verify_paper_note(work,
                              "guards of %s wait, are looked at by a clock, or read events, pre(…), in(…) or "
                              "pulses: 003 has no "
                              "counterpart, and these are taken as true",
                              hbg_verify_paper_path(work, HBG_OBJECT_AUTOMATON, of->automaton));
}

/* ---- all of them ---------------------------------------------------------------------------------------------------------------------- */

static bool is_same(const hbg_process_all *a, const hbg_process_all *b) {
    return a->count == b->count &&
           (a->count == 0 || memcmp(a->items, b->items, (size_t)a->count * sizeof *a->items) == 0);
}

/* (1/E)(true, false): a junction that is never off has the laws of an uncontrolled one. */
static void note_always_on(paper_work *work, const paper_switch *of) {
    hbg_process_all jump = {0}, clause = {0};
    if (of->kind != PAPER_JUNCTION || of->states[0] != HBG_NONE) return;
    const hbg_paper_row *on = &of->rows.items[0].told;
    hbg_term zero = hbg_term_integer(&work->made->process.terms, 0);
    hbg_verify_paper_junction(work, of->element, true, PAPER_LAW_ON, &jump);
    hbg_verify_paper_push(work, &jump, HBG_OP_EQUAL, hbg_verify_paper_work_sum(work, of->element), zero);
    hbg_verify_paper_junction(work, of->element, false, PAPER_LAW_ON, &clause);
    if (on->before.count == 0 && is_same(&on->jump, &jump) && is_same(&on->clause, &clause))
        hbg_verify_paper_note(work, "%s is never off: the same process as a %s that nothing controls",
                              hbg_verify_paper_path(work, HBG_OBJECT_ELEMENT, of->element),
                              hbg_model_element_info_get(element_of(work, of->element)->form)->name);
}

static void tell(paper_work *work, const paper_switch *of) {
    hbg_paper_part *part = NULL;
    for (int32_t i = 0; i < work->made->parts.count; i++)
        if (work->made->parts.items[i].of.index == of->element) part = &work->made->parts.items[i];
    if (of->kind == PAPER_AUTOMATON) {
        hbg_paper_part made = {.name = hbg_verify_paper_path(work, HBG_OBJECT_AUTOMATON, of->automaton),
                               .kind = "automaton",
                               .of = {HBG_OBJECT_AUTOMATON, of->automaton},
                               .like = HBG_NONE};
        HBG_PUSH(work->arena, work->made->others, made);
        part = &work->made->others.items[work->made->others.count - 1];
    } else {
        HBG_PUSH(work->arena, work->made->junctions, part->name);
    }
    for (int32_t i = 0; i < of->rows.count; i++) HBG_PUSH(work->arena, part->rows, of->rows.items[i].told);
}

void hbg_verify_paper_switches(paper_work *work) {
    for (int32_t i = 0; i < work->switches.count; i++) {
        paper_switch *of = &work->switches.items[i];
        switch (of->kind) {
        case PAPER_JUNCTION: give_junction(work, of); break;
        case PAPER_BOUNCE: give_bounce(work, of); break;
        case PAPER_FOLLOWER: give_follower(work, of); break;
        case PAPER_AUTOMATON: give_automaton(work, of); break;
        }
        note_always_on(work, of);
        tell(work, of);
    }
}

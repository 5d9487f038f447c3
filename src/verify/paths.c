/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The event iteration for all energies at once. The same steps as in src/rt/search.c: a search moves all
 * enabled automata together, or one at a time once that has returned to an earlier state, until none is
 * enabled; the mode reached is committed, and the next search begins there. Where a guard may hold or not,
 * the way forks; a level of the solver carries the condition of the way. */
#include <math.h>

#include "verify/paths_impl.h"

#define RAY_COMMITS 8 /* of a chain, before asking whether it ends */
#define RAY_TRIALS  4 /* chains that are asked about */

static void consider(path_explorer *e, path_search *search, const int32_t *states);

/* ---- helpers ----------------------------------------------------------------------------------------------- */

static bool equal(const path_explorer *e, const int32_t *a, const int32_t *b) {
    return memcmp(a, b, (size_t)e->proof->model->automata.count * sizeof *a) == 0;
}

/* A level with a condition on it; false if the way does not exist, and then there is no level. */
static bool enter(path_explorer *e, formula condition) {
    formulas *f = &e->proof->f;
    if (condition == f->no) return false;
    hbg_verify_formulas_push(f);
    hbg_verify_formulas_assert(f, condition);
    if (condition == f->yes || hbg_verify_formulas_try(f, NULL) != ANSWER_NONE) return true;
    hbg_verify_formulas_pop(f);
    return false;
}

static void leave(path_explorer *e) {
    hbg_verify_formulas_pop(&e->proof->f);
}

static void give_up(path_explorer *e, const char *why) {
    if (!e->open) e->open = why;
}

/* ---- guards ------------------------------------------------------------------------------------------------ */

/* Whether the guard of the other transition would hold where this one leads: written as !in(…) of it. */
static formula would_stay(group_proof *proof, const path_search *search, int32_t automaton,
                          const int32_t *states, int32_t transition) {
    formulas *f = &proof->f;
    size_t count = (size_t)proof->model->automata.count;
    int32_t *changed = HBG_NEW_ARRAY(proof->arena, int32_t, count + 1);
    memcpy(changed, states, count * sizeof *changed);
    changed[automaton] = proof->model->transitions.items[transition].target;
    exact_past past = search->past;
    exact_values *values = hbg_verify_group_values(proof, hbg_verify_group_state(proof, changed), &past);
    if (!values) return f->no;
    exact_scope scope;
    hbg_verify_scope_init(&scope, proof, values, &past, false);
    hbg_exact_guard guard = hbg_eqn_exact_guard(proof->eqn, proof->extra.guard);
    return hbg_verify_formula_not(
        f, hbg_verify_value_truth(proof, hbg_verify_scope_evaluate(&scope, guard.condition)));
}

/* `after` counts from the last move of the automaton, also if a search leaves a state and returns to it. */
static formula has_waited(group_proof *proof, const path_search *search, int32_t automaton,
                          int32_t transition, double after) {
    formulas *f = &proof->f;
    if (isnan(after)) return f->yes;
    if (search->moved && search->moved[automaton] > 0) return f->no;
    for (const path_search *at = search->outer; at; at = at->outer)
        if (at->moved[automaton] > 0) return after <= 0 ? f->yes : f->no;
    return proof->timing.waited[transition] ? proof->timing.waited[transition] : f->yes;
}

void hbg_verify_paths_guards(group_proof *proof, exact_scope *scope, const path_search *search,
                             int32_t automaton, const int32_t *states, formula *taken) {
    formulas *f = &proof->f;
    const hbg_automaton *of = &proof->model->automata.items[automaton];
    const hbg_automaton_state *state = &proof->model->states.items[of->first_state + states[automaton]];
    formula none_before = proof->timing.tick[automaton] ? proof->timing.tick[automaton] : f->yes;
    for (int32_t k = 0; k < state->transition_count; k++) {
        int32_t transition = state->first_transition + k;
        hbg_exact_guard guard = hbg_eqn_exact_guard(proof->eqn, transition);
        formula holds = has_waited(proof, search, automaton, transition, guard.after);
        if (holds != f->no && guard.condition != HBG_NONE)
            holds = hbg_verify_formula_and(
                f, holds,
                hbg_verify_value_truth(
                    proof, hbg_verify_scope_evaluate_when(scope, guard.condition,
                                                          hbg_verify_formula_and(f, none_before, holds))));
        if (proof->extra.condition && proof->extra.transition == transition)
            holds = hbg_verify_formula_and(f, holds,
                                           hbg_verify_formula_replace(f, proof->extra.condition,
                                                                      proof->system->state_count, proof->x,
                                                                      search->past.x));
        if (proof->extra.guard != HBG_NONE && proof->extra.transition == transition && holds != f->no)
            holds =
                hbg_verify_formula_and(f, holds, would_stay(proof, search, automaton, states, transition));
        taken[k] = hbg_verify_formula_and(f, none_before, holds);
        none_before = hbg_verify_formula_and(f, none_before, hbg_verify_formula_not(f, holds));
    }
}

/* ---- commits ----------------------------------------------------------------------------------------------- */

/* What was found real becomes the past: finite parts, and pre of them. */
static void record(group_proof *proof, exact_values *values, const exact_past *past, exact_past *next) {
    exact_scope scope;
    hbg_verify_scope_init(&scope, proof, values, past, false);
    for (int32_t i = 0; i < proof->of.variable_count; i++)
        hbg_verify_past_take(next, i, &scope, proof->of.variables[i]);
    for (int32_t i = 0; i < proof->of.pre_count; i++) {
        exact_value value =
            hbg_verify_scope_evaluate(&scope, hbg_eqn_exact_pre(proof->eqn, proof->of.pres[i]));
        next->pre[proof->of.pres[i]] = (exact_value){.fin = value.fin, .is_truth = value.is_truth};
    }
}

/* Both are functions of the same things: if these are as before, so is all that follows. */
static formula is_repeated(group_proof *proof, const path_search *now, const path_search *then) {
    formulas *f = &proof->f;
    formula same = hbg_verify_paths_same(proof, now->past.x, then->past.x);
    same = hbg_verify_formula_and(f, same, hbg_verify_choices_same(proof, &now->past, &then->past));
    for (int32_t i = 0; i < proof->of.variable_count; i++) {
        exact_value a = now->past.left[i], b = then->past.left[i];
        same = hbg_verify_formula_and(f, same, hbg_verify_formula_equal(f, a.fin, b.fin));
    }
    for (int32_t i = 0; i < proof->of.pre_count; i++) {
        exact_value a = now->past.pre[proof->of.pres[i]], b = then->past.pre[proof->of.pres[i]];
        same = hbg_verify_formula_and(f, same, hbg_verify_formula_equal(f, a.fin, b.fin));
    }
    return same;
}

/* A commit that repeats an earlier one of this instant will recur for ever. True if that is certain here. */
static bool comes_again(path_explorer *e, const path_search *search) {
    for (const path_search *then = search->outer; then && then->commits > 0; then = then->outer) {
        if (!equal(e, then->start, search->start)) continue;
        formula again = is_repeated(e->proof, search, then);
        int32_t step = then->first_step - 1;
        hbg_verify_paths_report(e, HBG_FINDING_CHAIN, step, true, again, NULL);
        if (hbg_verify_formulas_check(&e->proof->f, hbg_verify_formula_not(&e->proof->f, again)) ==
            ANSWER_NONE)
            return true;
        hbg_verify_formulas_assert(&e->proof->f, hbg_verify_formula_not(&e->proof->f, again));
    }
    return false;
}

/* A junction that bounced in the previous commit and is still on: a point solution would continue. */
static void check_still_on(path_explorer *e, const path_search *search, const int32_t *states,
                           const exact_past *past) {
    formulas *f = &e->proof->f;
    if (search->commits == 0) return;
    for (int32_t i = 0; i < e->proof->of.restitution_count; i++) {
        if (!hbg_verify_paths_is_on(e->proof, e->proof->of.restitution[i], states)) continue;
        formula bounced = hbg_verify_formula_not(f, hbg_verify_formula_equal(f, search->bounced[i], f->zero));
        formula lost =
            hbg_verify_formula_and(f, bounced, hbg_verify_formula_equal(f, past->bounce[i], f->zero));
        hbg_verify_paths_report(e, HBG_FINDING_LOST_PINNACLE, HBG_NONE, true,
                                hbg_verify_formula_and(f, lost, search->moves), NULL);
    }
}

static void pass(path_explorer *e, path_search *search, const int32_t *states, const exact_past *past,
                 exact_values *values, const bool *thrown);

static void mark_committed(path_explorer *e, bool committed) {
    e->steps.items[e->steps.count - 1].committed = committed;
}

/* A chain as long as this may be endless: asked on its way, and reported once. */
static bool ends_never(path_explorer *e, const path_search *search) {
    if (e->has_ray) {
        e->cut = true;
        return true;
    }
    if (search->commits != RAY_COMMITS || e->rays_tried >= RAY_TRIALS) return false;
    e->rays_tried++;
    e->has_ray = hbg_verify_paths_ray(e, search);
    int32_t steps = e->steps.count;
    e->steps.count = e->ray_end;
    if (e->has_ray) hbg_verify_paths_report(e, HBG_FINDING_CHAIN, e->ray_step, true, e->proof->f.yes, NULL);
    e->steps.count = steps;
    return e->has_ray;
}

/* The mode found is real: the next search begins in it, judged on the recorded values. */
static void commit(path_explorer *e, const path_search *search, const int32_t *states, const exact_past *past,
                   exact_values *values, const formula *x_plus) {
    group_proof *proof = e->proof;
    path_search next = {.start = states, .commits = search->commits + 1, .outer = search};
    if (next.commits > e->longest_chain) e->longest_chain = next.commits;
    hbg_verify_paths_check_commit(e, search, values, x_plus);
    hbg_verify_paths_check_always(e, search, values, past);
    hbg_verify_paths_note_jump(e, search, states, x_plus);
    check_still_on(e, search, states, past);
    if (next.commits > RAY_COMMITS && ends_never(e, search)) return;
    if (next.commits > e->commit_limit) {
        give_up(e, "a chain of commits may go on for longer than was looked at");
        return;
    }
    hbg_verify_paths_past(proof, &next.past);
    next.past.commit = next.commits;
    next.past.drawn = past->drawn;
    memcpy(next.past.x, x_plus, (size_t)proof->system->state_count * sizeof *x_plus);
    record(proof, values, past, &next.past);
    next.x_before = search->past.x;
    next.bounced = past->bounce;
    next.moved = HBG_NEW_ARRAY(proof->arena, int32_t, proof->model->automata.count + 1);
    next.off_earlier = HBG_NEW_ARRAY(proof->arena, bool, proof->of.restitution_count + 1);
    for (int32_t i = 0; i < proof->of.restitution_count; i++)
        next.off_earlier[i] = !hbg_verify_paths_is_on(proof, proof->of.restitution[i], states);
    mark_committed(e, true);
    next.first_step = e->steps.count;
    next.asserted = proof->f.levels.asserted.count;
    if (!comes_again(e, &next)) {
        hbg_verify_paths_ins(proof, states, &next.past, NULL);
        exact_values *again = hbg_verify_group_values(proof, values->of, &next.past);
        formula *x_again = HBG_NEW_ARRAY(proof->arena, formula, proof->system->state_count + 1);
        hbg_verify_values_energies(proof, again, &next.past, x_again);
        next.moves = hbg_verify_formula_not(&proof->f, hbg_verify_paths_same(proof, x_again, next.past.x));
        pass(e, &next, states, &next.past, again, NULL);
    }
    mark_committed(e, false);
}

/* ---- the end of a search ----------------------------------------------------------------------------------- */

/* Time advances. */
static void flow(path_explorer *e, const path_search *search) {
    group_proof *proof = e->proof;
    formulas *f = &proof->f;
    e->ways++;
    hbg_verify_paths_reached(e, search->start);
    hbg_verify_paths_note_flow(e, search);
    if (search->commits == 0) return;
    hbg_verify_paths_report(e, HBG_FINDING_LOST_PINNACLE, HBG_NONE, true, search->moves, NULL);
    if (search->commits < 2) return;
    formula changed =
        hbg_verify_formula_not(f, hbg_verify_paths_same(proof, search->x_before, search->past.x));
    hbg_verify_paths_report(e, HBG_FINDING_TEMPORAL, HBG_NONE, true, changed, NULL);
}

/* Nothing moved and nothing jumped, but an input may have changed: pre is renewed, and guards are judged once
 * more. */
static void renew(path_explorer *e, const path_search *search, const int32_t *states, const exact_past *past,
                  exact_values *values) {
    group_proof *proof = e->proof;
    path_search next = *search;
    if (search->renewed || proof->of.pre_count == 0) {
        flow(e, search);
        return;
    }
    next.renewed = true;
    next.alone = false;
    hbg_verify_paths_past(proof, &next.past);
    next.past.first_pass = false; // events are over
    next.past.commit = search->past.commit;
    next.past.drawn = search->past.drawn;
    memcpy(next.past.x, search->past.x, (size_t)proof->system->state_count * sizeof *next.past.x);
    record(proof, values, past, &next.past);
    hbg_verify_paths_ins(proof, states, &next.past, NULL);
    exact_values *again = hbg_verify_group_values(proof, values->of, &next.past);
    pass(e, &next, states, &next.past, again, NULL);
}

/* No guard is enabled: the mode is real. */
static void settle(path_explorer *e, path_search *search, const int32_t *states, const exact_past *past,
                   exact_values *values) {
    group_proof *proof = e->proof;
    bool stays = equal(e, states, search->start);
    if (values->far && values->far->drifts)
        give_up(e, "sources in conflict agree at an instant, and whether they do later was not looked at");
    formula *x_plus = HBG_NEW_ARRAY(proof->arena, formula, proof->system->state_count + 1);
    hbg_verify_values_energies(proof, values, past, x_plus);
    if (stays && search->commits > 0) {
        flow(e, search);
        return;
    }
    if (!stays) {
        commit(e, search, states, past, values, x_plus);
        return;
    }
    formula same = hbg_verify_paths_same(proof, x_plus, search->past.x);
    if (enter(e, same)) {
        renew(e, search, states, past, values);
        leave(e);
    }
    if (enter(e, hbg_verify_formula_not(&proof->f, same))) {
        commit(e, search, states, past, values, x_plus);
        leave(e);
    }
}

/* ---- moves ------------------------------------------------------------------------------------------------- */

typedef struct {
    path_explorer *e;
    path_search *search;
    const int32_t *states;
    const exact_past *past;
    exact_values *values;
    exact_scope *considered, *before; /* values in the state, and those before */
    const bool *thrown; /* by automaton of the model: it is judged on those before; NULL: all are */
    bool shorted;       /* the mode is shorted, on this way */
    bool parts; /* the continuation is followed where driven automata are at rest, unless a guard read what
                * jumped */
    exact_scope *
        closed; /* where the instant begins on an edge: values in the state, relations closed; NULL: it does not */
    int32_t *next, *taken; /* by automaton of the model; by automaton of the group */
} moving;

/* An event input is true: the state the search began in does not count as seen. */
static formula no_event(group_proof *proof) {
    formula none = proof->f.yes;
    for (int32_t i = 0; i < proof->model->signals.count; i++)
        if (proof->model->signals.items[i].type == HBG_TYPE_EVENT && proof->signals.input[0][i].fin)
            none = hbg_verify_formula_and(&proof->f, none,
                                          hbg_verify_formula_not(&proof->f, proof->signals.input[0][i].fin));
    return none;
}

/* The step at which this search was in that state, or HBG_NONE. */
static int32_t find_seen(const path_explorer *e, const path_search *search, const int32_t *states) {
    for (int32_t i = search->first_step; i < e->steps.count; i++)
        if (equal(e, e->steps.items[i].states, states)) return i;
    return HBG_NONE;
}

static bool is_thrown(const moving *m, int32_t automaton) {
    return !m->thrown || m->thrown[automaton];
}

/* A transition taken on present values may have read a value that never existed. */
static void suspect(moving *m, const int32_t *taken) {
    group_proof *proof = m->e->proof;
    int32_t *own = HBG_NEW_ARRAY(proof->arena, int32_t, proof->of.automaton_count + 1);
    for (int32_t i = 0; i < proof->of.automaton_count; i++)
        own[i] = is_thrown(m, proof->of.automata[i]) ? HBG_NONE : taken[i];
    if (m->thrown) hbg_verify_paths_suspect(m->e, m->search, m->considered, own);
}

/* Whether several automata moved at once on the way from a step to the present one. */
static bool moved_together(const path_explorer *e, int32_t from) {
    for (int32_t i = from + 1; i < e->steps.count; i++) {
        int32_t moved = 0;
        for (int32_t k = 0; k < e->proof->of.automaton_count; k++)
            moved += e->steps.items[i].taken[k] != HBG_NONE;
        if (moved > 1) return true;
    }
    return false;
}

/* The search continues in the state it reached, which counts as seen from now on. */
static void consider_anew(path_explorer *e, path_search *search, const int32_t *states) {
    int32_t first = search->first_step;
    search->first_step = e->steps.count - 1;
    consider(e, search, states);
    search->first_step = first;
}

/* The search has returned. If several moved together, from here on one moves at a time; if that returns too
 * the search has no end, and the first loop is reported. */
static void repeat(path_explorer *e, path_search *search, const int32_t *states, int32_t seen) {
    int32_t steps = e->steps.count;
    if (!search->alone && moved_together(e, seen)) {
        search->alone = true;
        search->loop_first = seen;
        search->loop_end = steps;
        consider_anew(e, search, states);
        // where ways are shared, other instants meet the loop at its other states
        for (int32_t i = seen + 1; i < steps - 1 && e->shares; i++) {
            HBG_PUSH(e->proof->arena, e->steps, e->steps.items[i]);
            consider_anew(e, search, e->steps.items[i].states);
            e->steps.count--;
        }
        search->alone = false;
        return;
    }
    if (search->alone) e->steps.count = search->loop_end;
    hbg_verify_paths_report(e, HBG_FINDING_CYCLE, search->alone ? search->loop_first : seen,
                            search->commits > 0, e->proof->f.yes, NULL);
    e->steps.count = steps;
}

/* The search has returned to a state, unless that is where it began and an event input was true there. */
static void come_back(path_explorer *e, path_search *search, const int32_t *states, int32_t seen) {
    formulas *f = &e->proof->f;
    bool start = seen == 0 && search->commits == 0; // the first step of the instant
    formula counts = start ? no_event(e->proof) : f->yes;
    if (counts == f->yes) {
        repeat(e, search, states, seen);
        return;
    }
    if (enter(e, counts)) {
        repeat(e, search, states, seen);
        leave(e);
    }
    if (enter(e, hbg_verify_formula_not(f, counts))) {
        consider_anew(e, search, states); // an event left it, and it counts from now on
        leave(e);
    }
}

static void move_on(moving *m) {
    path_explorer *e = m->e;
    group_proof *proof = e->proof;
    size_t automata = (size_t)proof->model->automata.count, own = (size_t)proof->of.automaton_count;
    if (equal(e, m->next, m->states) && m->shorted) {
        formula flows = m->values->far->flows;
        bool after = m->search->commits > 0;
        hbg_verify_paths_report(e, HBG_FINDING_SHORT_CIRCUIT, HBG_NONE, after, flows, NULL);
        hbg_verify_paths_report(e, HBG_FINDING_OPEN_FLOW_SOURCE, HBG_NONE, after,
                                hbg_verify_formula_not(&proof->f, flows), NULL);
        return;
    }
    if (equal(e, m->next, m->states)) {
        settle(e, m->search, m->states, m->past, m->values);
        return;
    }
    int32_t *states = HBG_NEW_ARRAY(proof->arena, int32_t, automata + 1);
    int32_t *taken = HBG_NEW_ARRAY(proof->arena, int32_t, own + 1);
    memcpy(states, m->next, automata * sizeof *states);
    memcpy(taken, m->taken, own * sizeof *taken);
    for (size_t i = 0; i < own; i++) {
        if (taken[i] == HBG_NONE) continue;
        int32_t automaton = proof->of.automata[i];
        e->fired[taken[i]] = true;
        m->search->moved[automaton]++;
        e->entered[proof->model->automata.items[automaton].first_state + states[automaton]] = true;
    }
    int32_t suspects = m->search->suspects.count;
    suspect(m, taken);
    int32_t seen = find_seen(e, m->search, states);
    HBG_PUSH(proof->arena, e->steps, (path_step){states, taken, false});
    if (seen != HBG_NONE)
        come_back(e, m->search, states, seen);
    else
        consider(e, m->search, states);
    m->search->suspects.count = suspects;
    for (size_t i = 0; i < own; i++) m->search->moved[proof->of.automata[i]] -= taken[i] != HBG_NONE;
    e->steps.count--;
}

/* Whether a guard of those that move has read what jumped in this mode. */
static bool reads_jumped(moving *m) {
    int32_t before = m->search->suspects.count;
    suspect(m, m->taken);
    bool found = m->search->suspects.count > before;
    m->search->suspects.count = before;
    return found;
}

/* The next automaton of the group that may move, from this number on; HBG_NONE: there is none. */
static int32_t next_place(const moving *m, int32_t *number) {
    const path_explorer *e = m->e;
    for (; *number < e->proof->of.automaton_count; ++*number) {
        int32_t place = m->search->alone ? e->proof->by_source[*number]
                        : e->order       ? e->order[*number]
                                         : *number;
        if (!e->still || !e->driven[place]) return place;
    }
    return HBG_NONE;
}

/* Every automaton takes its first enabled transition or stays, or only the first that can move does; all
 * possibilities are followed. */
static void move_automaton(moving *m, int32_t number) {
    path_explorer *e = m->e;
    group_proof *proof = e->proof;
    int32_t place = next_place(m, &number);
    if (place == HBG_NONE) {
        move_on(m);
        return;
    }
    if (m->parts && e->steps.count == 1 && e->driven[place] && !reads_jumped(m)) return;
    if (hbg_verify_formulas_spent(&proof->f)) {
        give_up(e, hbg_verify_formulas_why_spent(&proof->f));
        return;
    }
    if (e->shares && e->findings.count > 0) return; // all are followed again
    int32_t automaton = proof->of.automata[place];
    const hbg_automaton *of = &proof->model->automata.items[automaton];
    const hbg_automaton_state *state = &proof->model->states.items[of->first_state + m->states[automaton]];
    formula *taken = HBG_NEW_ARRAY(proof->arena, formula, state->transition_count + 1);
    if (m->closed)
        hbg_verify_paths_closed_guards(proof, m->closed, m->search, automaton, m->states, taken);
    else
        hbg_verify_paths_guards(proof, is_thrown(m, automaton) ? m->before : m->considered, m->search,
                                automaton, m->states, taken);
    formula none = proof->f.yes;
    for (int32_t k = 0; k < state->transition_count; k++) {
        if (!enter(e, taken[k])) continue; // so it is not taken
        none = hbg_verify_formula_and(&proof->f, none, hbg_verify_formula_not(&proof->f, taken[k]));
        int32_t transition = state->first_transition + k;
        m->next[automaton] = proof->model->transitions.items[transition].target;
        m->taken[place] = transition;
        move_automaton(m, m->search->alone ? proof->of.automaton_count : number + 1);
        m->next[automaton] = m->states[automaton];
        m->taken[place] = HBG_NONE;
        leave(e);
    }
    if (none == proof->f.yes) {
        move_automaton(m, number + 1);
    } else if (enter(e, none)) {
        move_automaton(m, number + 1);
        leave(e);
    }
}

/* The first step of a search: where driven automata stay, and where some of them move. */
static void move_apart(moving *m) {
    path_explorer *e = m->e;
    formula rest = hbg_verify_driven_rest(e, m->considered, m->search);
    if (enter(e, rest)) {
        e->still = true;
        move_automaton(m, 0);
        e->still = false;
        leave(e);
    }
    if (!enter(e, hbg_verify_formula_not(&e->proof->f, rest))) return;
    hbg_verify_driven_note(e, m->considered, m->search);
    m->parts = true;
    if (!m->shorted && hbg_verify_driven_may_suspect(e, m->values, m->search)) move_automaton(m, 0);
    m->parts = false;
    leave(e);
}

/* Guards of all automata, on the present values or, in a collision, on those before with its pulses. */
static void pass_when(path_explorer *e, path_search *search, const int32_t *states, const exact_past *past,
                      exact_values *values, const bool *thrown, bool shorted) {
    group_proof *proof = e->proof;
    size_t automata = (size_t)proof->model->automata.count;
    exact_scope before;
    exact_scope *considered = hbg_verify_scope_seen(proof, values, past, shorted);
    hbg_verify_scope_init(&before, proof, values, past, true);
    before.struck = thrown != NULL; // after a commit pulses are over
    moving m = {e,      search,  states, past, values, considered, &before,
                thrown, shorted, false,  NULL, NULL,   NULL};
    exact_scope closed;
    m.next = HBG_NEW_ARRAY(proof->arena, int32_t, automata + 1);
    m.taken = HBG_NEW_ARRAY(proof->arena, int32_t, proof->of.automaton_count + 1);
    memcpy(m.next, states, automata * sizeof *m.next);
    for (int32_t i = 0; i < proof->of.automaton_count; i++) m.taken[i] = HBG_NONE;
    if (hbg_verify_driven_counts(e, search)) {
        move_apart(&m);
        return;
    }
    if (!e->edges || !past->first_pass || search->commits > 0) {
        move_automaton(&m, 0);
        return;
    }
    hbg_verify_scope_init(&closed, proof, values, past, false);
    m.closed = &closed;
    if (!enter(e, hbg_verify_paths_edge(proof, considered, &closed, search, states))) return;
    move_automaton(&m, 0);
    leave(e);
}

/* The same where the mode is shorted, and where it is not (semantics, section 3a). */
static void pass(path_explorer *e, path_search *search, const int32_t *states, const exact_past *past,
                 exact_values *values, const bool *thrown) {
    formula shorted = values->far ? values->far->shorted : e->proof->f.no;
    if (enter(e, shorted)) {
        pass_when(e, search, states, past, values, thrown, true);
        leave(e);
    }
    if (shorted == e->proof->f.no) {
        pass_when(e, search, states, past, values, thrown, false);
    } else if (enter(e, hbg_verify_formula_not(&e->proof->f, shorted))) {
        pass_when(e, search, states, past, values, thrown, false);
        leave(e);
    }
}

/* ---- considering a mode ------------------------------------------------------------------------------------ */

/* Values in a state, entered with the committed energies. */
static void consider(path_explorer *e, path_search *search, const int32_t *states) {
    group_proof *proof = e->proof;
    const exact_state *state = hbg_verify_group_state(proof, states);
    if (!state->mode.valid) {
        hbg_verify_paths_report(e, HBG_FINDING_NO_CAUSALITY, HBG_NONE, search->commits > 0, proof->f.yes,
                                NULL);
        return;
    }
    if (hbg_verify_paths_is_shared(e, search, states)) return;
    exact_past past = search->past;
    hbg_verify_paths_past(proof, &past);
    past.x = search->past.x;
    past.pre = search->past.pre;
    past.left = search->past.left;
    past.left_defined = search->past.left_defined;
    past.left_undefined = search->past.left_undefined;
    past.first_pass = e->steps.count == 1 && !search->renewed;
    hbg_verify_choices_draw(proof, search->start, states, &search->past, &past);
    const bool *thrown = hbg_verify_paths_throw(proof, search->off_earlier, states, &past);
    bool *earlier = search->off_earlier;
    search->off_earlier = HBG_NEW_ARRAY(proof->arena, bool, proof->of.restitution_count + 1);
    for (int32_t i = 0; i < proof->of.restitution_count; i++)
        search->off_earlier[i] =
            earlier[i] || !hbg_verify_paths_is_on(proof, proof->of.restitution[i], states);
    hbg_verify_paths_ins(proof, states, &past, search->off_earlier);
    exact_values *values = hbg_verify_group_values(proof, state, &past);
    pass(e, search, states, &past, values, thrown);
    search->off_earlier = earlier;
}

void hbg_verify_paths_explore(path_explorer *e, const int32_t *states) {
    group_proof *proof = e->proof;
    formulas *f = &proof->f;
    path_search search = {.start = states, .moves = f->no};
    hbg_verify_formulas_push(f);
    e->base = f->levels.asserted.count;
    bool valid = hbg_verify_paths_open(proof, states, &search.past) != NULL;
    e->known = f->levels.asserted.count;
    e->given = e->known - (valid && proof->instant.begins != f->yes);
    bool possible = valid && hbg_verify_formulas_try(f, NULL) != ANSWER_NONE;
    e->begun += possible;
    e->excluded += valid && !possible;
    if (possible) {
        int32_t *none = HBG_NEW_ARRAY(proof->arena, int32_t, proof->of.automaton_count + 1);
        for (int32_t i = 0; i < proof->of.automaton_count; i++) none[i] = HBG_NONE;
        search.moved = HBG_NEW_ARRAY(proof->arena, int32_t, proof->model->automata.count + 1);
        search.off_earlier = HBG_NEW_ARRAY(proof->arena, bool, proof->of.restitution_count + 1);
        for (int32_t i = 0; i < proof->of.restitution_count; i++)
            search.off_earlier[i] = !hbg_verify_paths_is_on(proof, proof->of.restitution[i], states);
        search.bounced = search.past.bounce;
        search.x_before = search.past.x;
        HBG_PUSH(proof->arena, e->steps, (path_step){states, none, false});
        consider(e, &search, states);
        e->steps.count--;
    }
    hbg_verify_formulas_pop(f);
}

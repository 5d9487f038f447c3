/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The modes that can exist, as literals: one for each state of an automaton that its transitions can reach,
 * of which exactly one is true; a condition is a gate over them. Literals are made on first use, so a search
 * holds only the automata it is about. */
#include <time.h>

#include "verify/prover_impl.h"
#include "verify/verify_impl.h"

/* ---- which states can be ---------------------------------------------------------------------------------
 */

/* All states that transitions lead to from those already marked. */
static void spread(hbg_verify_modes *modes, const hbg_automaton *automaton) {
    const hbg_model *model = modes->structure->model;
    modes->stack.count = 0;
    for (int32_t i = 0; i < automaton->state_count; i++)
        if (modes->always.can_be[automaton->first_state + i]) HBG_PUSH(modes->arena, modes->stack, i);
    while (modes->stack.count > 0) {
        int32_t state = automaton->first_state + modes->stack.items[--modes->stack.count];
        const hbg_automaton_state *at = &model->states.items[state];
        for (int32_t k = 0; k < at->transition_count; k++) {
            int32_t target = model->transitions.items[at->first_transition + k].target;
            if (target < 0 || modes->always.can_be[automaton->first_state + target]) continue;
            modes->always.can_be[automaton->first_state + target] = true;
            HBG_PUSH(modes->arena, modes->stack, target);
        }
    }
}

static void find_states(hbg_verify_modes *modes) {
    const hbg_model *model = modes->structure->model;
    modes->always.start = HBG_NEW_ARRAY(modes->arena, int32_t, model->automata.count + 1);
    modes->always.can_be = HBG_NEW_ARRAY(modes->arena, bool, model->states.count + 1);
    for (int32_t i = 0; i < model->automata.count; i++) {
        const hbg_automaton *automaton = &model->automata.items[i];
        modes->always.start[i] = automaton->start;
        modes->always.can_be[automaton->first_state + automaton->start] = true;
    }
    for (int32_t i = 0; i < model->experiments.count; i++) {
        const hbg_experiment *experiment = &model->experiments.items[i];
        for (int32_t k = 0; k < experiment->settings.count; k++) {
            const hbg_setting *setting = &experiment->settings.items[k];
            if (setting->target.kind != HBG_OBJECT_AUTOMATON || setting->state < 0) continue;
            modes->always.can_be[model->automata.items[setting->target.index].first_state + setting->state] =
                true;
        }
    }
    for (int32_t i = 0; i < model->automata.count; i++) spread(modes, &model->automata.items[i]);
}

/* ---- life ------------------------------------------------------------------------------------------------
 */

hbg_verify_options hbg_verify_options_default(void) {
    return (hbg_verify_options){.timeout_ms = 60000, .effort = 0, .mode_limit = 4096, .group_ms = 40000};
}

static void init_literals(hbg_verify_modes *modes) {
    const hbg_causal_structure *structure = modes->structure;
    const hbg_model *model = structure->model;
    hbg_arena *arena = modes->arena;
    int32_t places = structure->place_count + 1;
    modes->literals.state = HBG_NEW_ARRAY(arena, int32_t, model->states.count + 1);
    modes->literals.expr = HBG_NEW_ARRAY(arena, int32_t, model->exprs.count + 1);
    modes->literals.zero = HBG_NEW_ARRAY(arena, int32_t, places);
    modes->literals.live = HBG_NEW_ARRAY(arena, int32_t, places);
    modes->draft.part = HBG_NEW_ARRAY(arena, int32_t, places);
    modes->draft.active = HBG_NEW_ARRAY(arena, int32_t, places);
    modes->draft.more = HBG_NEW_ARRAY(arena, int32_t, places);
    modes->draft.less = HBG_NEW_ARRAY(arena, int32_t, places);
    modes->draft.mark = HBG_NEW_ARRAY(arena, int32_t, structure->link_count + 1);
    modes->draft.held = HBG_NEW_ARRAY(arena, int8_t, structure->link_count + 1);
    memset(modes->draft.held, HBG_NONE, (size_t)structure->link_count);
    hbg_verify_begin(modes, NULL);
}

static void init_judging(hbg_verify_modes *modes) {
    const hbg_causal_structure *structure = modes->structure;
    int32_t places = structure->place_count + 1;
    modes->assignment = hbg_causal_assignment_new(modes->arena, structure);
    modes->states = HBG_NEW_ARRAY(modes->arena, int32_t, structure->model->automata.count + 1);
    modes->on = HBG_NEW_ARRAY(modes->arena, bool, places);
    modes->queue = HBG_NEW_ARRAY(modes->arena, int32_t, places);
    modes->seen = HBG_NEW_ARRAY(modes->arena, bool, places);
}

hbg_verify_modes *hbg_verify_modes_new(hbg_arena *arena, hbg_verify_prover *prover,
                                       const hbg_causal_structure *structure,
                                       const hbg_verify_options *options) {
    hbg_verify_modes *modes = HBG_NEW(arena, hbg_verify_modes);
    modes->arena = arena;
    modes->prover = prover;
    modes->structure = structure;
    modes->options = options ? *options : hbg_verify_options_default();
    prover->watch.listener = (verify_listener){0}; // perhaps of another question
    prover->watch.stopped = false;
    find_states(modes);
    modes->always.switches_in = HBG_NEW_ARRAY(arena, bool, structure->region_count + 1);
    for (int32_t place = 0; place < structure->place_count; place++)
        if (structure->controlled[place]) modes->always.switches_in[structure->place_region[place]] = true;
    hbg_verify_groups_init(modes);
    init_literals(modes);
    init_judging(modes);
    return modes;
}

void hbg_verify_modes_as_limits(hbg_verify_modes *modes, hbg_eqn *eqn) {
    modes->eqn = eqn;
}

hbg_verify_modes *hbg_verify_modes_inner(hbg_verify_modes *modes) {
    if (modes->inner) return modes->inner;
    hbg_verify_modes *inner = HBG_NEW(modes->arena, hbg_verify_modes);
    inner->arena = modes->arena;
    inner->prover = modes->prover;
    inner->structure = modes->structure;
    inner->options = modes->options;
    inner->always.switches_in = modes->always.switches_in;
    inner->always.handing = modes->always.handing;
    init_literals(inner);
    return modes->inner = inner;
}

/* Sets the literals listed back to none. */
#define FORGET(literal, made)                                                                                \
    while ((made).count > 0) (literal)[(made).items[--(made).count]] = 0

void hbg_verify_begin(hbg_verify_modes *modes, const bool *known) {
    hbg_verify_clauses_init(&modes->clauses, modes->arena);
    modes->known = known;
    FORGET(modes->literals.state, modes->literals.states_made);
    FORGET(modes->literals.expr, modes->literals.exprs_made);
    FORGET(modes->literals.live, modes->literals.live_made);
    hbg_verify_forget_marks(modes);
    while (modes->literals.groups_made.count > 0) {
        int32_t group = modes->literals.groups_made.items[--modes->literals.groups_made.count];
        for (int32_t i = modes->always.handing.start[group]; i < modes->always.handing.start[group + 1]; i++)
            modes->literals.zero[modes->always.handing.members[i]] = 0;
    }
}

/* ---- literals --------------------------------------------------------------------------------------------
 */

/* Makes the literals of an automaton: exactly one of the possible states. */
static void make_automaton(hbg_verify_modes *modes, int32_t index) {
    const hbg_automaton *automaton = &modes->structure->model->automata.items[index];
    verify_clauses *clauses = &modes->clauses;
    int32_t before = LITERAL_FALSE; // one of the states so far
    for (int32_t i = 0; i < automaton->state_count; i++) {
        int32_t state = automaton->first_state + i;
        int32_t literal = modes->always.can_be[state] ? hbg_verify_variable(clauses) : LITERAL_FALSE;
        modes->literals.state[state] = literal;
        HBG_PUSH(modes->arena, modes->literals.states_made, state);
        VERIFY_CLAUSE(clauses, -literal, -before);
        before = hbg_verify_or(clauses, before, literal);
    }
    VERIFY_CLAUSE(clauses, before);
}

static int32_t state_literal(hbg_verify_modes *modes, int32_t automaton, int32_t state) {
    int32_t index = modes->structure->model->automata.items[automaton].first_state + state;
    if (modes->literals.state[index] == 0) make_automaton(modes, automaton);
    return modes->literals.state[index];
}

/* The automaton is in a state that is mapped to on. */
static int32_t automaton_on(hbg_verify_modes *modes, int32_t index) {
    const hbg_automaton *automaton = &modes->structure->model->automata.items[index];
    int32_t on = LITERAL_FALSE;
    for (int32_t i = 0; i < automaton->state_count; i++) {
        int32_t literal = state_literal(modes, index, i);
        if (modes->structure->model->states.items[automaton->first_state + i].on)
            on = hbg_verify_or(&modes->clauses, on, literal);
    }
    return on;
}

/* The literal of a node whose arguments have theirs. */
static int32_t node_literal(hbg_verify_modes *modes, const hbg_expr_node *node) {
    const int32_t *literal = modes->literals.expr;
    switch (node->op) {
    case HBG_OP_TRUE: return LITERAL_TRUE;
    case HBG_OP_ACTIVE: return state_literal(modes, node->a, node->b);
    case HBG_OP_AUTOMATON: return automaton_on(modes, node->a);
    case HBG_OP_NOT: return -literal[node->a];
    case HBG_OP_AND: return hbg_verify_and(&modes->clauses, literal[node->a], literal[node->b]);
    case HBG_OP_OR: return hbg_verify_or(&modes->clauses, literal[node->a], literal[node->b]);
    default: return LITERAL_FALSE; // a condition contains nothing else
    }
}

/* Puts arguments without a literal on the stack; true if there are none. */
static bool has_arguments(hbg_verify_modes *modes, const hbg_expr_node *node) {
    bool joins = node->op == HBG_OP_AND || node->op == HBG_OP_OR, ready = true;
    if ((joins || node->op == HBG_OP_NOT) && modes->literals.expr[node->a] == 0) {
        HBG_PUSH(modes->arena, modes->stack, node->a);
        ready = false;
    }
    if (joins && modes->literals.expr[node->b] == 0) {
        HBG_PUSH(modes->arena, modes->stack, node->b);
        ready = false;
    }
    return ready;
}

static int32_t condition(hbg_verify_modes *modes, hbg_expr expr) {
    const hbg_model *model = modes->structure->model;
    modes->stack.count = 0;
    if (modes->literals.expr[expr] == 0) HBG_PUSH(modes->arena, modes->stack, expr);
    while (modes->stack.count > 0) {
        int32_t at = modes->stack.items[modes->stack.count - 1];
        const hbg_expr_node *node = &model->exprs.items[at];
        if (!has_arguments(modes, node)) continue;
        modes->stack.count--;
        if (modes->literals.expr[at] != 0) continue;
        modes->literals.expr[at] = node_literal(modes, node);
        HBG_PUSH(modes->arena, modes->literals.exprs_made, at);
    }
    return modes->literals.expr[expr];
}

int32_t hbg_verify_on(hbg_verify_modes *modes, int32_t place) {
    const hbg_causal_structure *structure = modes->structure;
    if (!structure->controlled[place]) return LITERAL_TRUE;
    if (modes->known) return modes->known[place] ? LITERAL_TRUE : LITERAL_FALSE;
    return condition(modes, structure->model->elements.items[structure->place_element[place]].control);
}

void hbg_verify_read_states(hbg_verify_modes *modes, const bool *values) {
    const hbg_model *model = modes->structure->model;
    memcpy(modes->states, modes->always.start, (size_t)model->automata.count * sizeof *modes->states);
    for (int32_t i = 0; i < model->automata.count; i++) {
        const hbg_automaton *automaton = &model->automata.items[i];
        for (int32_t k = 0; k < automaton->state_count; k++) {
            int32_t literal = modes->literals.state[automaton->first_state + k];
            if (literal > 0 && values[literal]) modes->states[i] = k;
        }
    }
}

/* ---- limits ----------------------------------------------------------------------------------------------
 */

#define MOST_HALVINGS 6 /* of the time for a question, one share for each question that timed out */

static int64_t now_ms(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

hbg_verify_result hbg_verify_question_begin(hbg_verify_modes *modes) {
    int32_t halvings = modes->budget.ran_out < MOST_HALVINGS ? modes->budget.ran_out : MOST_HALVINGS;
    modes->budget.patience_ms = modes->options.timeout_ms >> halvings;
    if (modes->options.timeout_ms > 0 && modes->budget.patience_ms < 1) modes->budget.patience_ms = 1;
    modes->budget.deadline_ms = modes->budget.patience_ms > 0 ? now_ms() + modes->budget.patience_ms : 0;
    modes->budget.searches = modes->budget.judged = 0;
    return (hbg_verify_result){.verdict = HBG_VERDICT_UNDECIDED};
}

bool hbg_verify_is_spent(hbg_verify_modes *modes) {
    if (modes->prover->watch.stopped) return true;
    if (modes->budget.judged > modes->options.mode_limit) return true;
    return modes->budget.deadline_ms > 0 && now_ms() >= modes->budget.deadline_ms;
}

verify_answer hbg_verify_search(hbg_verify_modes *modes, bool *values) {
    int32_t left = 0;
    if (modes->budget.deadline_ms > 0) {
        int64_t remaining = modes->budget.deadline_ms - now_ms();
        left = remaining < 1 ? 1 : (int32_t)remaining;
    }
    modes->budget.searches++;
    return hbg_verify_solve(modes->prover, &modes->clauses, left, modes->options.effort, values);
}

static const char *why_undecided(hbg_verify_modes *modes) {
    const char *why = hbg_verify_why_unknown(modes->prover);
    if (modes->prover->watch.stopped) return VERIFY_STOPPED;
    if (modes->budget.judged > modes->options.mode_limit)
        return hbg_base_arena_print(modes->arena, "more than %d modes would have to be judged one by one",
                                    modes->options.mode_limit);
    if (modes->budget.deadline_ms > 0 &&
        (strcmp(why, "timeout") == 0 || now_ms() >= modes->budget.deadline_ms)) {
        modes->budget.ran_out++;
        return hbg_base_arena_print(modes->arena, "no answer within %d ms", modes->budget.patience_ms);
    }
    if (modes->options.effort > 0) return "no answer within the effort allowed";
    return hbg_base_arena_print(modes->arena, "the prover gave up: %s", why);
}

void hbg_verify_conclude(hbg_verify_modes *modes, hbg_verify_result *result, hbg_verdict verdict) {
    int32_t automata = modes->structure->model->automata.count;
    result->verdict = verdict;
    result->searches = modes->budget.searches;
    result->judged = modes->budget.judged;
    if (verdict == HBG_VERDICT_UNDECIDED) result->reason = why_undecided(modes);
    if (verdict != HBG_VERDICT_WITNESS) return;
    result->states = HBG_NEW_ARRAY(modes->arena, int32_t, automata + 1);
    memcpy(result->states, modes->states, (size_t)automata * sizeof *result->states);
}

/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Jumps (semantics, section 4) as blocks. While modes are searched, everything in the diagram reads the
 * states after the jump into the present mode, g(x), and not those of the integrators: these stand still, so
 * mythical modes have no effect. When a mode is committed, the integrators are reset to g(x). If no storage
 * is dependent, g(x) is x. Pulses themselves have no block: a guard that could read one is refused. */
#include "emit/blocks_impl.h"

typedef struct {
    drafting *draft;
    mode_walk walk;
    equation_group group; /* its variables are states */
    island states;        /* all that an island needs to give here */
} jumping;

/* ---- states that guards read -------------------------------------------------------------------------- */

static void add_reads(jumping *j, int32_t transition, int32_map *more) {
    hbg_eqn *eqn = j->draft->eqn;
    hbg_term condition = eqn->guards[transition].condition;
    if (condition == HBG_NONE) return;
    hbg_term_walk(&eqn->terms, condition);
    for (int32_t i = 0; i < eqn->terms.walk.count; i++) {
        const term_node *node = &eqn->terms.nodes.items[eqn->terms.walk.items[i]];
        bool value = node->op == TERM_VARIABLE && node->level == LEVEL_RUN && node->a < eqn->base_count;
        if (value && hbg_eqn_is_physical(eqn, node->a)) HBG_PUSH(j->draft->arena, *more, node->a);
    }
}

static bool is_among(const int32_map *list, int32_t item) {
    for (int32_t i = 0; i < list->count; i++)
        if (list->items[i] == item) return true;
    return false;
}

/* Of automata of this group only the guards that can leave the present mode count. */
static void find_reads(jumping *j, int32_map *more) {
    const hbg_model *model = j->draft->eqn->model;
    for (int32_t a = 0; a < model->automata.count; a++) {
        const hbg_automaton *of = &model->automata.items[a];
        for (int32_t s = 0; s < of->state_count; s++) {
            const hbg_automaton_state *state = &model->states.items[of->first_state + s];
            if (is_among(&j->group.automata, a) && j->walk.states[a] != s) continue;
            for (int32_t t = 0; t < state->transition_count; t++)
                add_reads(j, state->first_transition + t, more);
        }
    }
}

static const char *refuse_pulse(jumping *j, int32_t variable) {
    hbg_buffer name;
    hbg_base_buffer_init(&name, j->draft->arena);
    hbg_eqn_told_name(j->draft->eqn, variable, &name);
    return hbg_base_arena_print(
        j->draft->arena,
        "on entry to the mode %s `%s` pulses, and a guard reads it: a block diagram has no pulses",
        hbg_emit_modes_words(&j->walk, &j->group.automata), name.data);
}

static const char *check_pulses(jumping *j, const equations *all, const int32_map *more, int32_t from) {
    if (all->refused)
        return hbg_base_arena_print(j->draft->arena, "the jump into the mode %s has no equations: %s",
                                    hbg_emit_modes_words(&j->walk, &j->group.automata), all->refused);
    HBG_ASSERT(more->items || more->count <= from);
    for (int32_t i = from; i < more->count; i++)
        if (all->may_pulse[more->items[i]]) return refuse_pulse(j, more->items[i]);
    return all->checks.count > 0 ? refuse_pulse(j, all->checks.items[0].area % j->draft->eqn->base_count)
                                 : NULL;
}

/* ---- one mode ----------------------------------------------------------------------------------------- */

/* The states after the jump, as blocks. */
static void draw(jumping *j, equations *all, const sorted_equations *sorted, group_variant *into) {
    drafting *draft = j->draft;
    draft->now++;
    draft->jumping = true;
    for (int32_t b = 0; b < sorted->block_count; b++) {
        const sorted_block *of = &sorted->blocks[b];
        equation *copies = HBG_NEW_ARRAY(draft->arena, equation, of->count + 1);
        for (int32_t i = 0; i < of->count; i++)
            copies[i] = *hbg_eqn_equations_get(all, sorted->variables[of->first + i]);
        hbg_emit_blocks_solve(draft, sorted->variables + of->first, copies, of->count);
    }
    for (int32_t i = 0; i < j->group.count; i++) into->made[i] = draft->value[j->group.variables[i]];
    for (int32_t i = 0; i < sorted->variable_count; i++) draft->value[sorted->variables[i]] = HBG_NONE;
    draft->jumping = false;
    draft->now++;
}

static const char *jump_into(jumping *j, group_variant *into) {
    hbg_eqn *eqn = j->draft->eqn;
    int32_map more = {0};
    sorted_equations sorted;
    equations all;
    for (int32_t i = 0; i < j->group.count; i++) HBG_PUSH(j->draft->arena, more, j->group.variables[i]);
    find_reads(j, &more);
    hbg_eqn_sort_event(eqn, &j->states, j->walk.assignment, &more, &all, &sorted);
    const char *reason = all.can_jump ? check_pulses(j, &all, &more, j->group.count) : NULL;
    for (int32_t i = 0; i < j->group.count; i++)
        into->made[i] = j->draft->d->integrators[j->states.states.items[i]];
    if (all.can_jump && !reason) draw(j, &all, &sorted, into);
    hbg_eqn_equations_end(&all);
    return reason;
}

/* ---- states that jump together ------------------------------------------------------------------------ */

static bool may_jump(const hbg_eqn *eqn, const int32_map *states) {
    for (int32_t i = 0; i < states->count; i++)
        if (eqn->varies.may_dependent[states->items[i]]) return true;
    return false;
}

static const char *jump_together(drafting *draft, const int32_map *states, const fact_set *facts) {
    hbg_eqn *eqn = draft->eqn;
    jumping j = {.draft = draft, .states = {.states = *states}};
    const char *reason = NULL;
    if (!may_jump(eqn, states)) return NULL;
    hbg_emit_modes_init(&j.walk, draft);
    j.group.variables = HBG_NEW_ARRAY(draft->arena, int32_t, states->count + 1);
    for (; j.group.count < states->count; j.group.count++)
        j.group.variables[j.group.count] = eqn->first[VARIABLE_STATE] + states->items[j.group.count];
    j.group.facts = *facts;
    reason = hbg_emit_modes_find(&j.walk, &facts->places, &j.group.automata, &j.group.modes);
    if (reason) return reason;
    j.group.variant_of = HBG_NEW_ARRAY(draft->arena, int32_t, j.group.modes + 1);
    for (int32_t mode = 0; mode < j.group.modes && !reason; mode++) {
        bool is_new = false;
        hbg_emit_modes_enter(&j.walk, &j.group.automata, mode);
        j.group.variant_of[mode] =
            j.walk.valid ? hbg_emit_modes_variant(&j.walk, &j.group, &is_new) : HBG_NONE;
        if (is_new) reason = jump_into(&j, &j.group.variants.items[j.group.variants.count - 1]);
    }
    for (int32_t i = 0; i < states->count && !reason; i++)
        draft->d->projected[states->items[i]] = hbg_emit_blocks_merge(draft, &j.group, i);
    return reason;
}

/* States that no automaton moves may still be dependent, always: the start is their only jump. */
static const char *jump_at_start(drafting *draft) {
    hbg_eqn *eqn = draft->eqn;
    int32_map left = {0};
    fact_set facts = {0};
    for (int32_t i = 0; i < eqn->state_count; i++) {
        if (eqn->islands.count > 0 && eqn->island_of.state[i] != HBG_NONE) continue;
        HBG_PUSH(draft->arena, left, i);
        hbg_eqn_add_facts(eqn, draft->arena, eqn->first[VARIABLE_STATE] + i, &facts);
    }
    hbg_eqn_close_facts(eqn, draft->arena, &facts);
    return jump_together(draft, &left, &facts);
}

const char *hbg_emit_blocks_jumps(drafting *draft) {
    hbg_eqn *eqn = draft->eqn;
    const char *reason = NULL;
    mode_walk walk;
    hbg_emit_modes_init(&walk, draft);
    if (!walk.valid) return "the mode it starts in has no valid causal assignment";
    if (!eqn->has_islands && eqn->has_events) hbg_eqn_make_islands(eqn, walk.assignment);
    for (int32_t i = 0; i < eqn->islands.count && !reason; i++) {
        const island *of = &eqn->islands.items[i];
        reason = jump_together(draft, &of->states, &of->facts);
    }
    return reason ? reason : jump_at_start(draft);
}

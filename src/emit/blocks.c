/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The reconfigurable block diagram of a model (001, sections 4 and 7): integrators, the computation of their
 * rates, guards and outputs. Junctions in fixed causality are sums. Where the causality of a junction changes
 * there are switches, which its determining bond drives: a mode change moves them, and no block is ever
 * created or reconnected. */
#include "emit/blocks_impl.h"

static void want_term(drafting *draft, hbg_term term, int32_map *targets) {
    hbg_terms *terms = &draft->eqn->terms;
    if (term == HBG_NONE) return;
    hbg_term_walk(terms, term);
    for (int32_t i = 0; i < terms->walk.count; i++) {
        const term_node *node = &terms->nodes.items[terms->walk.items[i]];
        if (node->op == TERM_VARIABLE && node->level == LEVEL_RUN) HBG_PUSH(draft->arena, *targets, node->a);
    }
}

static void want_all(drafting *draft, int32_map *targets) {
    const hbg_eqn *eqn = draft->eqn;
    int32_t state = eqn->first[VARIABLE_STATE];
    for (int32_t i = 0; i < eqn->state_count; i++)
        HBG_PUSH(draft->arena, *targets, LAYER_RATE * eqn->base_count + state + i);
    for (int32_t i = 0; i < draft->d->of->columns; i++) want_term(draft, eqn->readouts.outputs[i], targets);
    for (int32_t i = 0; i < eqn->model->transitions.count; i++)
        want_term(draft, eqn->guards[i].condition, targets);
}

/* ---- groups ------------------------------------------------------------------------------------------- */

static void draw_group(drafting *draft, equation_group *group) {
    for (int32_t v = 0; v < group->variants.count; v++) {
        group_variant *of = &group->variants.items[v];
        if (group->varies) draft->now++; // blocks of terms depend on the local mode
        hbg_emit_blocks_solve(draft, group->variables, of->of, group->count);
        for (int32_t i = 0; i < group->count && group->varies; i++) {
            of->made[i] = draft->value[group->variables[i]];
            draft->value[group->variables[i]] = HBG_NONE;
        }
    }
    if (!group->varies) return;
    draft->now++;
    for (int32_t i = 0; i < group->count; i++)
        for (int32_t k = 0; k < group->exports.count; k++)
            if (group->exports.items[k] == group->variables[i])
                hbg_emit_block_set(draft, group->variables[i], hbg_emit_blocks_merge(draft, group, i));
}

static void draw_ends(drafting *draft) {
    hbg_emit_blocks *d = draft->d;
    const hbg_eqn *eqn = draft->eqn;
    int32_t rate = LAYER_RATE * eqn->base_count + eqn->first[VARIABLE_STATE];
    for (int32_t i = 0; i < eqn->state_count; i++) {
        int32_t in = d->blocks.items[d->integrators[i]].in;
        d->ints.items[in] = draft->value[rate + i];
        d->ints.items[in + 1] = d->projected[i];
        d->resets |= d->projected[i] != d->integrators[i];
    }
    for (int32_t i = 0; i < d->of->columns; i++)
        d->outputs[i] = hbg_emit_block_of_term(draft, eqn->readouts.outputs[i]);
    for (int32_t i = 0; i < eqn->model->transitions.count; i++)
        d->guards[i] = eqn->guards[i].condition == HBG_NONE
                           ? HBG_NONE
                           : hbg_emit_block_of_term(draft, eqn->guards[i].condition);
}

/* ---- the diagram -------------------------------------------------------------------------------------- */

static void prepare(drafting *draft) {
    hbg_emit_blocks *d = draft->d;
    const hbg_eqn *eqn = draft->eqn;
    const int32_t nothing[2] = {0, 0};
    int32_t variables = eqn->base_count * LAYER_COUNT;
    draft->now = 1;
    draft->value = HBG_NEW_ARRAY(draft->arena, int32_t, variables + 1);
    draft->member = HBG_NEW_ARRAY(draft->arena, int32_t, variables + 1);
    for (int32_t i = 0; i < variables; i++) draft->value[i] = HBG_NONE;
    d->integrators = HBG_NEW_ARRAY(d->arena, int32_t, eqn->state_count + 1);
    d->projected = HBG_NEW_ARRAY(d->arena, int32_t, eqn->state_count + 1);
    d->guards = HBG_NEW_ARRAY(d->arena, int32_t, eqn->model->transitions.count + 1);
    d->outputs = HBG_NEW_ARRAY(d->arena, int32_t, d->of->columns + 1);
    for (int32_t i = 0; i < eqn->state_count; i++) {
        block made = {.kind = BLOCK_INTEGRATOR, .of = i, .number = d->of->start[i], .in_count = 2};
        made.name = d->of->system->states[i].name;
        d->integrators[i] = d->projected[i] = hbg_emit_block(d, made, nothing, NULL);
    }
}

/* Finds what no diagram can have, whether it is read or not. */
static const char *find_refused(const drafting *draft) {
    const hbg_eqn *eqn = draft->eqn;
    const hbg_rt_description *system = draft->d->of->system;
    hbg_buffer name;
    hbg_base_buffer_init(&name, draft->arena);
    if (eqn->instants.restitution.count > 0) {
        hbg_model_path(eqn->model, (hbg_object){HBG_OBJECT_ELEMENT, eqn->instants.restitution.items[0]},
                       &name);
        return hbg_base_arena_print(
            draft->arena, "the junction `%s` has restitution: a collision is a pulse, which no block has",
            name.data);
    }
    for (int32_t i = 0; i < system->automaton_count; i++)
        if (system->automata[i].every > 0)
            return hbg_base_arena_print(
                draft->arena,
                "the automaton `%s` looks at its guards at samples only, and the diagram "
                "has no clocks beside its step",
                system->automata[i].name);
    return NULL;
}

static const char *draw(drafting *draft) {
    hbg_emit_blocks *d = draft->d;
    equation_groups groups = {0};
    int32_map targets = {0};
    const char *reason = find_refused(draft);
    if (!reason) reason = hbg_emit_blocks_jumps(draft);
    want_all(draft, &targets);
    if (!reason) reason = hbg_emit_blocks_collect(draft, &targets, &groups);
    if (reason) return reason;
    for (int32_t i = 0; i < groups.count; i++) draw_group(draft, &groups.items[i]);
    draw_ends(draft);
    hbg_emit_blocks_order(d);
    for (int32_t i = 0; i < d->order_count; i++)
        if (d->blocks.items[d->order[i]].kind == BLOCK_REFUSED) return d->blocks.items[d->order[i]].name;
    return NULL;
}

hbg_emit_blocks *hbg_emit_blocks_new(hbg_arena *arena, const hbg_emit_blocks_of *of, const char **reason) {
    hbg_emit_blocks *d = HBG_NEW(arena, hbg_emit_blocks);
    drafting draft = {.d = d, .eqn = of->eqn, .arena = arena};
    d->arena = arena;
    d->of = of;
    hbg_eqn_begin_work(of->eqn);
    prepare(&draft);
    *reason = draw(&draft);
    hbg_eqn_end_work(of->eqn);
    return *reason ? NULL : d;
}

hbg_emit_blocks_counts hbg_emit_blocks_count(const hbg_emit_blocks *of) {
    hbg_emit_blocks_counts counts = {.blocks = of->order_count,
                                     .transitions = of->of->eqn->model->transitions.count};
    for (int32_t i = 0; i < of->order_count; i++) {
        const block *at = &of->blocks.items[of->order[i]];
        counts.integrators += at->kind == BLOCK_INTEGRATOR;
        counts.switches += at->kind == BLOCK_SWITCH;
        counts.lookups += at->kind == BLOCK_LOOKUP;
        counts.constraints += at->kind == BLOCK_CONSTRAINT;
    }
    for (int32_t i = 0; i < of->of->system->state_count; i++)
        counts.resets += of->projected[i] != of->integrators[i];
    return counts;
}

int32_t hbg_emit_blocks_loops(const hbg_emit_blocks *of, const char **names, int32_t most) {
    int32_t count = 0;
    for (int32_t i = 0; i < of->order_count && count < most; i++) {
        const block *at = &of->blocks.items[of->order[i]];
        if (at->kind == BLOCK_CONSTRAINT) names[count++] = at->name ? at->name : "";
    }
    return count;
}

/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The meaning of a sorted model, as terms. */
#include "eqn/eqn_impl.h"

/* Lists the automata that a junction follows. */
static void list_control(hbg_eqn *eqn, hbg_expr expr, int32_t place) {
    const hbg_expr_node *node = &eqn->model->exprs.items[expr];
    if (node->op == HBG_OP_ACTIVE || node->op == HBG_OP_AUTOMATON) {
        int32_map *places = &eqn->automaton_places[node->a];
        if (places->count == 0 || places->items[places->count - 1] != place)
            HBG_PUSH(eqn->arena, *places, place);
        return;
    }
    for (int i = 0; i < hbg_model_expr_arity(node); i++)
        list_control(eqn, hbg_model_expr_argument(node, i), place);
}

static void list_controls(hbg_eqn *eqn) {
    eqn->automaton_places = HBG_NEW_ARRAY(eqn->arena, int32_map, eqn->model->automata.count + 1);
    for (int32_t i = 0; i < eqn->structure->place_count; i++) {
        hbg_expr control = eqn->model->elements.items[eqn->structure->place_element[i]].control;
        if (control != HBG_NONE) list_control(eqn, control, i);
    }
}

static void read_structure_with(hbg_eqn *eqn, const hbg_causal_options *options) {
    eqn->structure = hbg_causal_structure_new(eqn->arena, eqn->model, options);
    eqn->limits = (limit_structure){.cluster_of = NULL};
    list_controls(eqn);
    hbg_eqn_find_selects(eqn);
    hbg_eqn_find_limits(eqn);
}

/* Gates are for junctions that may have to give way bond by bond; most models have none. */
static void read_structure(hbg_eqn *eqn) {
    hbg_causal_options options = hbg_causal_options_default();
    read_structure_with(eqn, &options);
    if (eqn->limits.clusters.count == 0) return;
    bool *gated = HBG_NEW_ARRAY(eqn->arena, bool, eqn->structure->place_count + 1);
    options.gated = gated;
    if (hbg_eqn_find_gated(eqn, gated)) read_structure_with(eqn, &options);
}

/* Every expression as a term. */
static void make_terms(hbg_eqn *eqn, bool may_move) {
    hbg_eqn_number_variables(eqn);
    hbg_eqn_find_variation(eqn);
    hbg_term_init(&eqn->terms, eqn->arena, eqn->first[VARIABLE_PARAM], eqn->first[VARIABLE_PARAM + 1]);
    eqn->may_move = may_move;
    eqn->terms.to_rate = eqn->may_move ? LAYER_RATE * eqn->base_count : 0;
    hbg_eqn_translate(eqn);
}

static void build(hbg_eqn *eqn, const void *with) {
    const hbg_eqn_options *options = with;
    read_structure(eqn);
    make_terms(eqn, options->may_move);
    hbg_eqn_check_laws(eqn);
    hbg_eqn_declare_start(eqn, options->experiment);
    hbg_eqn_find_guards(eqn);
    hbg_eqn_find_thresholds(eqn);
    hbg_eqn_find_plans(eqn);
    eqn->has_events |= options->may_hold && eqn->model->automata.count > 0;
    hbg_eqn_describe(eqn, options);
    hbg_eqn_clear(eqn);
}

/* Makes the meaning of a model, as far as `work` does. If memory runs out, nothing is left. */
static hbg_eqn *make(hbg_arena *arena, const hbg_model *model, void (*work)(hbg_eqn *eqn, const void *with),
                     const void *with) {
    hbg_eqn *eqn = HBG_NEW(arena, hbg_eqn);
    eqn->arena = arena;
    eqn->model = model;
    hbg_memory *memory = arena->memory;
    jmp_buf guard, *outer = memory->exhausted;
    hbg_base_arena_init(&eqn->scratch, memory);
    hbg_base_arena_init(&eqn->work.arena, memory);
    if (HBG_GUARD(memory, guard)) { // only this function knows the scratch memory
        memory->exhausted = outer;
        hbg_eqn_free(eqn);
        hbg_base_memory_exhausted(memory);
    }
    work(eqn, with);
    memory->exhausted = outer;
    return eqn;
}

typedef struct {
    void (*ask)(void *context, hbg_eqn *eqn);
    void *context;
} question;

/* Prepares questions about modes; those of a model without clusters depend on causality only and need no
 * terms. */
static void ask_modes(hbg_eqn *eqn, const void *with) {
    const question *of = with;
    read_structure(eqn);
    if (eqn->limits.clusters.count > 0) make_terms(eqn, false);
    hbg_eqn_clear(eqn);
    of->ask(of->context, eqn);
}

void hbg_eqn_ask_modes(hbg_arena *arena, const hbg_model *model, void (*ask)(void *context, hbg_eqn *eqn),
                       void *context) {
    hbg_eqn_free(make(arena, model, ask_modes, &(question){ask, context}));
}

static hbg_eqn_mode_limit no_limit(const hbg_eqn *eqn, hbg_arena *arena, hbg_eqn_mode_kind kind) {
    return (hbg_eqn_mode_limit){.kind = kind,
                                .bonds = HBG_NEW_ARRAY(arena, uint8_t, eqn->model->bonds.count + 1),
                                .reversed = HBG_NEW_ARRAY(arena, bool, eqn->structure->place_count + 1)};
}

hbg_eqn_mode_limit hbg_eqn_mark_mode(hbg_eqn *eqn, hbg_arena *arena, const int32_t *states) {
    hbg_eqn_mode_limit limit = no_limit(eqn, arena, HBG_EQN_MODE_REGULAR);
    if (eqn->limits.clusters.count == 0) return limit;
    bool *on = HBG_NEW_ARRAY(&eqn->scratch, bool, eqn->structure->place_count + 1);
    for (int32_t i = 0; i < eqn->structure->place_count; i++)
        on[i] = eqn->varies.select[i] || hbg_causal_place_mode(eqn->structure, i, states);
    hbg_eqn_reverse(eqn, on, limit.reversed);
    limit.kind = hbg_eqn_mark_limits(eqn, on, limit.bonds);
    hbg_eqn_clear(eqn);
    return limit;
}

hbg_eqn_mode_limit hbg_eqn_judge_mode(hbg_eqn *eqn, hbg_arena *arena, const int32_t *states) {
    return hbg_eqn_exact_is_valid(eqn, states) ? hbg_eqn_mark_mode(eqn, arena, states)
                                               : no_limit(eqn, arena, HBG_EQN_MODE_NONE);
}

hbg_eqn *hbg_eqn_new(hbg_arena *arena, const hbg_model *sorted, const hbg_eqn_options *options) {
    return make(arena, sorted, build, options);
}

void hbg_eqn_free(hbg_eqn *eqn) {
    if (!eqn) return;
    hbg_base_arena_fini(&eqn->work.arena);
    hbg_base_arena_fini(&eqn->scratch);
}

const hbg_eqn_outline *hbg_eqn_outline_of(const hbg_eqn *eqn) {
    return &eqn->outline;
}

/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Guards as arrays: relations with their differences, conditions, and those of calm automata as steps. */
#include "code/image_impl.h"

typedef HBG_VEC(hbg_rt_named) named_list;

/* Storages that the variables of a relation name, in the order of reading. */
static hbg_rt_range list_named(const hbg_eqn *eqn, const relation_info *relation, named_list *named) {
    hbg_rt_range range = {named->count, 0};
    for (int32_t i = 0; i < relation->variable_count; i++) {
        int32_t variable = relation->variables[i];
        for (int32_t k = eqn->named.start[variable]; k < eqn->named.start[variable + 1]; k++)
            HBG_PUSH(eqn->arena, *named, (hbg_rt_named){eqn->named.states[k], variable});
    }
    range.count = named->count - range.first;
    return range;
}

static hbg_rt_relation relation_of(image_maker *maker, int32_t index, named_list *named) {
    const hbg_code *code = maker->code;
    const hbg_eqn *eqn = code->eqn;
    const relation_info *of = &eqn->relations.items[index];
    const int32_t *watched = hbg_rt_readout_registers(&code->image, &code->image.code.finals[READ_WATCH]);
    int32_t area = code->area_place[index];
    hbg_rt_relation made = {.op = of->op,
                            .difference = hbg_code_image_program(maker, of->walk, of->walk_count),
                            .watch = watched ? watched[index] : HBG_NONE,
                            .watch_area = watched && area != HBG_NONE ? watched[area] : HBG_NONE,
                            .named = list_named(eqn, of, named),
                            .islands = hbg_code_image_ints(maker, &eqn->island_of.relation[index]),
                            .reads_borders = of->reads_cells,
                            .reads_relations = of->reads_relations,
                            .always = of->place != HBG_NONE};
    hbg_code_image_compared(maker, of->term, &made);
    made.plan = hbg_code_image_plan(maker, of->term);
    return made;
}

static void make_relations(image_maker *maker) {
    hbg_eqn *eqn = maker->code->eqn;
    hbg_rt_relation *relations = HBG_NEW_ARRAY(eqn->arena, hbg_rt_relation, eqn->relations.count + 1);
    named_list named = {0};
    for (int32_t i = 0; i < eqn->relations.count; i++) relations[i] = relation_of(maker, i, &named);
    maker->to->guards.relations = relations;
    maker->to->guards.named = named.items;
    maker->to->counts.named = named.count;
}

/* ---- conditions --------------------------------------------------------------------------------------- */

typedef struct {
    HBG_VEC(hbg_rt_enabling) enablings;
    HBG_VEC(hbg_rt_guard_step) steps;
    const bool *is_calm; /* by automaton */
} guard_lists;

static uint16_t step_op(int op) {
    switch (op) {
    case CONDITION_RELATION: return HBG_RT_STEP_RELATION;
    case CONDITION_REGISTER: return HBG_RT_STEP_REGISTER;
    case CONDITION_NUMBER: return HBG_RT_STEP_NUMBER;
    default: return (uint16_t)op;
    }
}

static hbg_rt_range add_steps(const hbg_eqn *eqn, const condition_code *code, guard_lists *lists) {
    hbg_rt_range range = {lists->steps.count, code->count};
    for (int32_t i = 0; i < code->count; i++) {
        const condition_step *at = &code->items[i];
        hbg_rt_guard_step step = {step_op(at->op), at->a, at->b, at->c, at->number};
        HBG_PUSH(eqn->arena, lists->steps, step);
    }
    return range;
}

/* Marks the calm automata. */
static bool *mark_calm(const hbg_code *code, hbg_arena *scratch) {
    bool *is_calm = HBG_NEW_ARRAY(scratch, bool, code->eqn->model->automata.count + 1);
    for (int32_t i = 0; i < code->calm.automata.count; i++) is_calm[code->calm.automata.items[i]] = true;
    return is_calm;
}

static hbg_rt_guard guard_of(image_maker *maker, const guard_info *of, guard_lists *lists) {
    hbg_code *code = maker->code;
    hbg_eqn *eqn = code->eqn;
    hbg_rt_guard made = {.condition = HBG_NONE, .relations = {lists->enablings.count, of->relation_count}};
    if (of->condition != HBG_NONE) made.condition = hbg_code_image_program(maker, of->walk, of->walk_count);
    for (int32_t i = 0; i < of->relation_count; i++)
        HBG_PUSH(code->arena, lists->enablings, (hbg_rt_enabling){of->relations[i], of->enables[i]});
    if (lists->is_calm[of->automaton])
        made.steps = add_steps(eqn, &code->calm.steps[of - eqn->guards], lists);
    return made;
}

void hbg_code_image_make_guards(image_maker *maker) {
    hbg_eqn *eqn = maker->code->eqn;
    int32_t count = eqn->model->transitions.count;
    hbg_rt_guard *guards = HBG_NEW_ARRAY(eqn->arena, hbg_rt_guard, count + 1);
    guard_lists lists = {.is_calm = mark_calm(maker->code, &eqn->scratch)};
    make_relations(maker);
    for (int32_t i = 0; i < count; i++) guards[i] = guard_of(maker, &eqn->guards[i], &lists);
    maker->to->guards.guards = guards;
    maker->to->guards.enablings = lists.enablings.items;
    maker->to->counts.enablings = lists.enablings.count;
    maker->to->counts.steps = lists.steps.count;
    maker->to->guards.steps = lists.steps.items;
}

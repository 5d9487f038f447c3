/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The code of an instant in an island and a local mode: states after the jump, and finite part and area of everything guards
 * read, from the states before it (semantics, sections 2 and 4). */
#include <string.h>

#include "eqn/eqn_impl.h"

/* ---- which variables pulse in this mode --------------------------------------------------------------- */

static bool reads_pulse(hbg_eqn *eqn, const bool *may_pulse, hbg_term term) {
    hbg_terms_walk(&eqn->terms, term);
    for (int32_t i = 0; i < eqn->terms.walk.count; i++) {
        const term_node *node = &eqn->terms.nodes.items[eqn->terms.walk.items[i]];
        if (node->op != TERM_VARIABLE) continue;
        if (node->a >= eqn->base_count || may_pulse[node->a] || node->a == eqn->first[VARIABLE_OPEN])
            return true;
    }
    return false;
}

/* Pulses come from the rates of dependent storages and go where equations read them. Blocks are in order, so one pass
 * finds all; the members of a loop pulse together. */
static void mark_pulses(equations *field, const sorted_equations *sorted, equations *jump) {
    hbg_eqn *eqn = field->eqn;
    for (int32_t i = 0; i < sorted->block_count; i++) {
        const sorted_block *block = &sorted->blocks[i];
        const int32_t *variables = sorted->variables + block->first;
        bool pulse = false;
        for (int32_t k = 0; k < block->count && !pulse; k++) {
            equation of = *hbg_equations_get(field, variables[k]);
            pulse = variables[k] < eqn->base_count && of.kind != EQUATION_KNOWN &&
                    (hbg_eqn_kind_of(eqn, variables[k]) == VARIABLE_DER ||
                     reads_pulse(eqn, jump->may_pulse, of.term));
        }
        for (int32_t k = 0; k < block->count && pulse; k++)
            if (variables[k] < eqn->base_count && hbg_eqn_kind_of(eqn, variables[k]) != VARIABLE_STATE) {
                jump->may_pulse[variables[k]] = true;
                HBG_PUSH(jump->arena, jump->pulsing, variables[k]);
            }
    }
}

/* What the work of a source in a jump reads. */
static void list_work(hbg_eqn *eqn, int32_t power, int32_map *targets) {
    hbg_terms_walk(&eqn->terms, eqn->work_terms[power]);
    for (int32_t i = 0; i < eqn->terms.walk.count; i++) {
        const term_node *node = &eqn->terms.nodes.items[eqn->terms.walk.items[i]];
        if (node->op == TERM_VARIABLE && node->level == LEVEL_RUN) HBG_PUSH(&eqn->scratch, *targets, node->a);
    }
}

/* Which variables pulse is found on the field's equations, for all that events ask for. */
static void find_pulses(hbg_eqn *eqn, const island *of, const hbg_causal_assignment *assignment,
                        const int32_map *more, equations *jump) {
    int32_map targets = {0};
    for (int32_t i = 0; i < more->count; i++)
        HBG_PUSH(jump->arena, targets, more->items[i] % eqn->base_count);
    sorted_equations sorted;
    equations field;
    hbg_equations_init(&field, jump->arena, eqn, assignment, PURPOSE_FIELD);
    for (int32_t i = 0; i < of->asked.count; i++) {
        bool area = of->asked.items[i] / eqn->base_count == LAYER_AREA;
        HBG_PUSH(jump->arena, targets, area ? of->asked.items[i] % eqn->base_count : of->asked.items[i]);
    }
    for (int32_t i = 0; i < of->powers.count; i++) list_work(eqn, of->powers.items[i], &targets);
    for (int32_t i = of->powers.count > 0 ? 0 : targets.count; i < targets.count; i++)
        if (targets.items[i] / eqn->base_count == LAYER_AREA) targets.items[i] %= eqn->base_count;
    for (int32_t i = 0; i < of->states.count; i++)
        HBG_PUSH(jump->arena, targets,
                 LAYER_RATE * eqn->base_count + eqn->first[VARIABLE_STATE] + of->states.items[i]);
    hbg_equations_sort(&field, targets.items, targets.count, NULL, &sorted);
    mark_pulses(&field, &sorted, jump);
    hbg_equations_end(&field);
}

/* ---- code --------------------------------------------------------------------------------------------- */

static void list_targets(hbg_eqn *eqn, const island *of, const equations *all, int32_map *targets) {
    for (int32_t i = 0; i < of->asked.count; i++) {
        int32_t variable = of->asked.items[i];
        bool area = variable / eqn->base_count == LAYER_AREA;
        if (!area || all->may_pulse[variable % eqn->base_count]) HBG_PUSH(all->arena, *targets, variable);
    }
    for (int32_t k = 0; k < of->powers.count; k++) list_work(eqn, of->powers.items[k], targets);
}

/* A dependent storage may jump; what der(…) reads may, for whatever reason. */
static bool can_jump(const island *of, const equations *all) {
    for (int32_t i = 0; i < of->states.count; i++)
        if (hbg_equations_is_dependent(all, of->states.items[i])) return true;
    for (int32_t i = 0; i < of->pres.count; i++)
        if (all->eqn->der_terms[of->pres.items[i]] != HBG_NONE) return true;
    return false;
}

/* What code reads that it has not written. */
typedef struct {
    hbg_eqn *eqn;
    uint8_t *seen;     /* by register: 1 read, 2 written; clean at the end */
    int32_map touched; /* registers */
    int32_map inputs, olds;
} input_list;

static void see(input_list *list, int32_t reg, uint8_t how) {
    if (!list->seen[reg]) HBG_PUSH(&list->eqn->scratch, list->touched, reg);
    list->seen[reg] = how;
}

/* States before the instant are as large as they have been in the run, all others as they are. */
static void add_input(input_list *list, int32_t reg) {
    hbg_eqn *eqn = list->eqn;
    if (reg == HBG_NONE || list->seen[reg]) return;
    see(list, reg, 1);
    int32_t state = hbg_rt_flow_number(reg); // registers of states before the instant are the first of all
    if (state >= 0 && state < eqn->state_count)
        HBG_PUSH(&eqn->scratch, list->olds, state);
    else
        HBG_PUSH(&eqn->scratch, list->inputs, reg);
}

static void list_inputs(input_list *list, int32_t number) {
    hbg_rt_program code = hbg_rt_program_at(&list->eqn->image, number);
    for (int32_t i = 0; i < code.count; i++) {
        const instruction *at = &code.code[i];
        if (at->op == CODE_SOLVE) {
            hbg_rt_loop_view of = hbg_rt_loop_at(&list->eqn->image, at->argument[0]);
            for (int32_t k = 0; k < of.count; k++) see(list, of.reg[k], 2);
            list_inputs(list, of.body);
            continue;
        }
        for (int k = 0; k < 3; k++) {
            bool table = k == 1 && (at->op == HBG_OP_TABLE || at->op == TERM_SLOPE || at->op == TERM_CHARGE);
            if (at->argument[k] >= 0 && !table) add_input(list, at->argument[k]);
        }
        see(list, at->d, 2);
    }
}

static void find_inputs(hbg_eqn *eqn, const island *of, const int32_t *registers, hbg_rt_event *made) {
    input_list list = {.eqn = eqn};
    working_memory *work = &eqn->work;
    while (work->seen.count < eqn->image.code.mark.registers) HBG_PUSH(&work->arena, work->seen, 0);
    list.seen = work->seen.items;
    list_inputs(&list, made->code);
    for (int32_t i = 0; i < of->states.count; i++) // where nothing jumps they are read as they were
        add_input(&list, eqn->home[eqn->first[VARIABLE_OLD] + of->states.items[i]]);
    for (int32_t i = 0; i < of->asked.count; i++) { // known ones are read where they are
        int32_t variable = of->asked.items[i];
        add_input(&list, registers[i] != HBG_NONE ? registers[i] : eqn->home[variable]);
        if (hbg_eqn_kind_of(eqn, variable) == VARIABLE_IN)
            add_input(&list, eqn->home[variable % eqn->base_count + LAYER_AREA * eqn->base_count]);
    }
    for (int32_t i = 0; i < list.touched.count; i++) list.seen[list.touched.items[i]] = 0;
    made->inputs =
        (hbg_rt_range){hbg_code_add_ints(eqn, list.inputs.items, list.inputs.count), list.inputs.count};
    made->olds = (hbg_rt_range){hbg_code_add_ints(eqn, list.olds.items, list.olds.count), list.olds.count};
}

static hbg_rt_range keep_checks(hbg_eqn *eqn, const equations *all, const hbg_code_stage *stage) {
    int32_t *pairs = HBG_NEW_ARRAY(&eqn->scratch, int32_t, 2 * all->checks.count + 1), count = 0;
    for (int32_t i = 0; i < all->checks.count; i++) {
        int32_t reg = stage->var_register[all->checks.items[i].area];
        if (reg == HBG_NONE) continue;
        pairs[count++] = reg;
        pairs[count++] = all->checks.items[i].term;
    }
    return (hbg_rt_range){hbg_code_add_ints(eqn, pairs, count), count};
}

void hbg_eqn_sort_event(hbg_eqn *eqn, const island *of, const hbg_causal_assignment *assignment,
                        const int32_map *more, equations *all, sorted_equations *sorted) {
    int32_map targets = {0};
    hbg_equations_init(all, &eqn->scratch, eqn, assignment, PURPOSE_JUMP);
    all->can_jump = can_jump(of, all);
    if (all->can_jump) find_pulses(eqn, of, assignment, more, all);
    list_targets(eqn, of, all, &targets);
    for (int32_t i = 0; i < more->count; i++) HBG_PUSH(all->arena, targets, more->items[i]);
    hbg_equations_sort(all, targets.items, targets.count, NULL, sorted);
    if (all->checks.count == 0) return;
    for (int32_t i = 0; i < all->checks.count; i++) HBG_PUSH(all->arena, targets, all->checks.items[i].area);
    hbg_equations_sort(all, targets.items, targets.count, NULL, sorted);
}

static int32_t compile(hbg_eqn *eqn, island *of, const hbg_causal_assignment *assignment) {
    static const int32_map no_more = {0};
    hbg_rt_pools *pool = &eqn->image.pool;
    (void)HBG_POOL_ROOM(eqn->arena, pool->events, 1);
    int32_t number = HBG_POOL_LAST(pool->events);
    hbg_rt_event *made = HBG_RT_AT(pool->events, number);
    equations all;
    sorted_equations sorted;
    hbg_eqn_begin_work(eqn);
    hbg_eqn_sort_event(eqn, of, assignment, &no_more, &all, &sorted);
    hbg_code_stage *stage = hbg_code_stage_new(&eqn->scratch, eqn, &of->temps, false);
    hbg_code_stage_add(stage, &all, &sorted);
    int32_t *work = HBG_NEW_ARRAY(&eqn->scratch, int32_t, of->powers.count + 1);
    int32_t *registers = HBG_NEW_ARRAY(&eqn->scratch, int32_t, of->asked.count + 1);
    for (int32_t k = 0; k < of->powers.count; k++)
        work[k] = hbg_code_stage_term(stage, eqn->work_terms[of->powers.items[k]]);
    made->work = (hbg_rt_range){hbg_code_add_ints(eqn, work, of->powers.count), of->powers.count};
    made->refused = hbg_code_add_text(eqn, all.refused);
    eqn->compiled++;
    made->checks = keep_checks(eqn, &all, stage);
    made->code = hbg_code_stage_program(stage);
    for (int32_t i = 0; i < of->asked.count; i++) registers[i] = stage->var_register[of->asked.items[i]];
    made->reg = (hbg_rt_range){hbg_code_add_ints(eqn, registers, of->asked.count), of->asked.count};
    find_inputs(eqn, of, registers, made);
    made->mark = hbg_code_mark(eqn);
    hbg_code_stage_end(stage);
    hbg_equations_end(&all);
    hbg_eqn_end_work(eqn);
    return number;
}

int32_t hbg_code_event(hbg_eqn *eqn, island *of, const hbg_causal_assignment *assignment) {
    int32_t count = hbg_eqn_fact_count(&of->facts);
    hbg_eqn_read_facts(assignment, &of->facts, eqn->fact_key);
    int32_t found = hbg_code_variants_find(&of->variants, eqn->fact_key, count);
    if (found != HBG_NONE) return found;
    found = compile(eqn, of, assignment);
    hbg_code_variants_add(eqn->arena, &of->variants, eqn->fact_key, count, found);
    return found;
}

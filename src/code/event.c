/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The code of an instant for an island in a local mode: from the states before the instant, it computes the
 * states after the jump, and the finite part and area of everything that guards read (semantics, sections 2
 * and 4). */
#include "code/piece_impl.h"

/* Registers that code reads before it writes them. */
typedef struct {
    hbg_code *code;
    uint8_t *seen;     /* by register: 1 read, 2 written; clear at the end */
    int32_map touched; /* registers */
    int32_map inputs, olds;
} input_list;

static void see(input_list *list, int32_t reg, uint8_t how) {
    if (!list->seen[reg]) HBG_PUSH(&list->code->eqn->scratch, list->touched, reg);
    list->seen[reg] = how;
}

/* Adds an input. The size of a state before the instant is that in the run so far; the size of any other
 * input is its present magnitude. */
static void add_input(input_list *list, int32_t reg) {
    hbg_eqn *eqn = list->code->eqn;
    if (reg == HBG_NONE || list->seen[reg]) return;
    see(list, reg, 1);
    int32_t state = hbg_rt_flow_number(reg); // registers of states before the instant are the first of all
    if (state >= 0 && state < eqn->state_count)
        HBG_PUSH(&eqn->scratch, list->olds, state);
    else
        HBG_PUSH(&eqn->scratch, list->inputs, reg);
}

static void list_inputs(input_list *list, hbg_rt_program code) {
    for (int32_t i = 0; i < code.count; i++) {
        const instruction *at = &code.code[i];
        if (at->op == CODE_SOLVE) {
            hbg_rt_loop_view of = hbg_rt_loop_at(&list->code->image, at->argument[0]);
            for (int32_t k = 0; k < of.count; k++) see(list, of.reg[k], 2);
            list_inputs(list, hbg_rt_program_at(&list->code->image, of.body));
            continue;
        }
        for (int k = 0; k < 3; k++) {
            bool table = k == 1 && (at->op == HBG_OP_TABLE || at->op == TERM_SLOPE || at->op == TERM_CHARGE);
            if (at->argument[k] >= 0 && !table) add_input(list, at->argument[k]);
        }
        see(list, at->d, 2);
    }
}

uint8_t *hbg_code_seen(hbg_code *code) {
    stage_memory *work = &code->work;
    while (work->seen.count < code->image.code.mark.registers) HBG_PUSH(&work->arena, work->seen, 0);
    return work->seen.items;
}

static void find_inputs(const island *of, const int32_t *registers, input_list *list) {
    hbg_code *code = list->code;
    hbg_eqn *eqn = code->eqn;
    for (int32_t i = 0; i < of->states.count; i++) // without a jump they are read as before
        add_input(list, code->registers.home[eqn->first[VARIABLE_OLD] + of->states.items[i]]);
    for (int32_t i = 0; i < of->asked.count; i++) { // known ones are read in their homes
        int32_t variable = of->asked.items[i];
        add_input(list, registers[i] != HBG_NONE ? registers[i] : code->registers.home[variable]);
        if (hbg_eqn_kind_of(eqn, variable) == VARIABLE_IN)
            add_input(list, code->registers.home[variable % eqn->base_count + LAYER_AREA * eqn->base_count]);
    }
    for (int32_t i = 0; i < list->touched.count; i++) list->seen[list->touched.items[i]] = 0;
}

void hbg_code_event_inputs(hbg_code *code, const island *of, const int32_t *registers, hbg_rt_program program,
                           int32_map *inputs, int32_map *olds) {
    input_list list = {.code = code, .seen = hbg_code_seen(code)};
    list_inputs(&list, program);
    find_inputs(of, registers, &list);
    *inputs = list.inputs;
    *olds = list.olds;
}

static void keep_inputs(hbg_code *code, const island *of, const int32_t *registers, hbg_rt_event *made) {
    input_list list = {.code = code, .seen = hbg_code_seen(code)};
    list_inputs(&list, hbg_rt_program_at(&code->image, made->code));
    if (made->limit != HBG_NONE) list_inputs(&list, hbg_rt_program_at(&code->image, made->limit));
    find_inputs(of, registers, &list);
    made->inputs =
        (hbg_rt_range){hbg_code_add_ints(code, list.inputs.items, list.inputs.count), list.inputs.count};
    made->olds = (hbg_rt_range){hbg_code_add_ints(code, list.olds.items, list.olds.count), list.olds.count};
}

void hbg_code_event_checks(hbg_arena *arena, const equations *all, const hbg_code_stage *stage,
                           int32_map *pairs) {
    for (int32_t i = 0; i < all->checks.count; i++) {
        int32_t reg = stage->var_register[all->checks.items[i].area];
        if (reg == HBG_NONE) continue;
        HBG_PUSH(arena, *pairs, reg);
        HBG_PUSH(arena, *pairs, all->checks.items[i].term);
    }
}

static hbg_rt_range keep_checks(hbg_code *code, const equations *all, const hbg_code_stage *stage) {
    int32_map pairs = {0};
    hbg_code_event_checks(&code->eqn->scratch, all, stage, &pairs);
    return (hbg_rt_range){hbg_code_add_ints(code, pairs.items, pairs.count), pairs.count};
}

/* Whether what was found about storages that read their own rates holds in this local mode: nothing else
 * decides it. */
static bool holds_here(hbg_code *code, const island *of, const equations *all) {
    const hbg_rt_image *image = &code->image;
    int32_t number = (int32_t)(of - code->eqn->islands.items);
    hbg_rt_range places =
        HBG_RT_AT(image->pool.choices, hbg_rt_ints(image, image->modes.islands.first)[number])->places;
    return hbg_eqn_ties_follow_from(all, hbg_rt_ints(image, places.first), places.count);
}

/* Compiles the island as a whole. Returns whether storages read their own rates. */
static bool fill(hbg_code *code, const island *of, island_code *own, const hbg_causal_assignment *assignment,
                 hbg_rt_event *made) {
    hbg_eqn *eqn = code->eqn;
    static const int32_map no_more = {0};
    equations all;
    sorted_equations sorted;
    hbg_eqn_sort_event(eqn, of, assignment, &no_more, &all, &sorted);
    bool tied = all.dependences != NULL;
    if (tied && !holds_here(code, of, &all)) all.refused = "a third derivative";
    hbg_code_stage *stage = hbg_code_stage_new(&eqn->scratch, code, &own->temps, false);
    hbg_code_stage_add(stage, &all, &sorted);
    int32_t *work = HBG_NEW_ARRAY(&eqn->scratch, int32_t, of->powers.count + 1);
    int32_t *registers = HBG_NEW_ARRAY(&eqn->scratch, int32_t, of->asked.count + 1);
    for (int32_t k = 0; k < of->powers.count; k++)
        work[k] = hbg_code_stage_term(stage, eqn->readouts.works[of->powers.items[k]]);
    made->work = (hbg_rt_range){hbg_code_add_ints(code, work, of->powers.count), of->powers.count};
    made->checks = keep_checks(code, &all, stage);
    made->code = hbg_code_stage_program(stage);
    for (int32_t i = 0; i < of->asked.count; i++) registers[i] = stage->var_register[of->asked.items[i]];
    made->reg = (hbg_rt_range){hbg_code_add_ints(code, registers, of->asked.count), of->asked.count};
    hbg_code_stage_end(stage);
    hbg_code_limit(code, of, &own->limit_temps, &all, made);
    made->refused = hbg_code_add_text(code, all.refused);
    keep_inputs(code, of, registers, made);
    hbg_eqn_equations_end(&all);
    return tied;
}

static int32_t compile(hbg_code *code, int32_t island_number, const hbg_causal_assignment *assignment,
                       bool *tied) {
    hbg_rt_pools *pool = &code->image.pool;
    (void)HBG_POOL_ROOM(code->arena, pool->events, 1);
    int32_t number = HBG_POOL_LAST(pool->events);
    hbg_rt_event *made = HBG_RT_AT(pool->events, number);
    hbg_code_begin_work(code);
    bool in_pieces = hbg_code_event_pieces(code, island_number, assignment, made);
    *tied = !in_pieces && fill(code, &code->eqn->islands.items[island_number],
                               &code->island_code[island_number], assignment, made);
    code->compiled++;
    made->mark = hbg_code_mark(code);
    hbg_code_end_work(code);
    return number;
}

int32_t hbg_code_event(hbg_code *code, int32_t number, const hbg_causal_assignment *assignment) {
    const island *of = &code->eqn->islands.items[number];
    island_code *own = &code->island_code[number];
    int32_t count = hbg_eqn_fact_count(&of->facts);
    hbg_eqn_read_facts(assignment, &of->facts, code->mode.fact_key);
    int32_t found = hbg_code_variants_find(&own->variants, code->mode.fact_key, count);
    if (found != HBG_NONE) return found;
    bool tied;
    found = compile(code, number, assignment, &tied);
    if (!tied) // otherwise its surroundings may matter
        hbg_code_variants_add(code->arena, &own->variants, code->mode.fact_key, count, found);
    return found;
}

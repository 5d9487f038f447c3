/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The arrays of rt/image.h that follow from segments and islands: the contents of islands, the values kept
 * for instants, and automata that move without a search. */
#include <stdlib.h>

#include "code/image_impl.h"

hbg_rt_range hbg_code_image_ints(image_maker *maker, const int32_map *list) {
    hbg_rt_range range = {maker->ints.count, list->count};
    for (int32_t i = 0; i < list->count; i++) HBG_PUSH(maker->code->arena, maker->ints, list->items[i]);
    return range;
}

static hbg_rt_range list_cells(image_maker *maker, const int32_map *variables) {
    hbg_rt_range range = {maker->ints.count, variables->count};
    for (int32_t i = 0; i < variables->count; i++)
        HBG_PUSH(maker->code->arena, maker->ints, maker->cell_of[variables->items[i]]);
    return range;
}

/* The cell of a variable, and its left limit; HBG_NONE: nothing reads it. */
static int32_t left_of(const image_maker *maker, int32_t variable) {
    int32_t cell = maker->cell_of[variable];
    return cell == HBG_NONE ? HBG_NONE : maker->cells.items[cell].left;
}

/* ---- what is kept ------------------------------------------------------------------------------------- */

static void make_pres(image_maker *maker) {
    hbg_code *code = maker->code;
    hbg_eqn *eqn = code->eqn;
    hbg_rt_pre *pres = HBG_NEW_ARRAY(code->arena, hbg_rt_pre, eqn->pres.exprs.count + 1);
    for (int32_t i = 0; i < eqn->pres.exprs.count; i++)
        pres[i] = (hbg_rt_pre){
            .reg = code->registers.home[eqn->first[VARIABLE_PRE] + i],
            .argument = hbg_code_image_program(maker, eqn->pres.walks[i].terms, eqn->pres.walks[i].count),
            .is_der = eqn->pres.der_terms[i] != HBG_NONE};
    maker->to->kept.pres = pres;
}

static void make_ins(image_maker *maker) {
    hbg_code *code = maker->code;
    hbg_eqn *eqn = code->eqn;
    hbg_rt_in *ins = HBG_NEW_ARRAY(code->arena, hbg_rt_in, eqn->in.list.count + 1);
    for (int32_t i = 0; i < eqn->in.list.count; i++) {
        int32_t variable = eqn->first[VARIABLE_IN] + i;
        ins[i] = (hbg_rt_in){
            .automaton = eqn->in.list.items[i].automaton,
            .state = eqn->in.list.items[i].state,
            .fin = code->registers.home[variable],
            .area = code->registers.home[variable + LAYER_AREA * eqn->base_count],
            .argument = hbg_code_image_program(maker, eqn->in.walks[i].terms, eqn->in.walks[i].count)};
    }
    maker->to->kept.ins = ins;
}

static void make_restitution(image_maker *maker) {
    hbg_code *code = maker->code;
    hbg_eqn *eqn = code->eqn;
    const hbg_model *model = eqn->model;
    HBG_VEC(hbg_rt_share) shares = {0};
    hbg_rt_restitution *made =
        HBG_NEW_ARRAY(code->arena, hbg_rt_restitution, eqn->instants.restitution.count + 1);
    for (int32_t i = 0; i < eqn->instants.restitution.count; i++) {
        int32_t element = eqn->instants.restitution.items[i], first = shares.count;
        bool zero = model->elements.items[element].kind == HBG_KIND_ZERO;
        int32_t summed = eqn->first[zero ? VARIABLE_FLOW : VARIABLE_EFFORT];
        const term_walk *walk = &eqn->instants.restitution_walks[element];
        for (int32_t k = model->incidence_start[element]; k < model->incidence_start[element + 1]; k++) {
            int32_t bond = model->incidence[k];
            int32_t sign = model->bonds.items[bond].to.element == element ? 1 : -1;
            HBG_PUSH(code->arena, shares, (hbg_rt_share){maker->cell_of[summed + bond], sign});
        }
        made[i] = (hbg_rt_restitution){.place = eqn->structure->element_place[element],
                                       .reg = code->registers.home[eqn->first[VARIABLE_BOUNCE] + element],
                                       .sum = {first, shares.count - first},
                                       .coefficient = hbg_code_image_program(maker, walk->terms, walk->count),
                                       .throws = eqn->throws.junction[element],
                                       .element = element,
                                       .energy = hbg_model_loses_energy(model, element),
                                       .bond = model->incidence[model->incidence_start[element]],
                                       .flow = !zero};
    }
    maker->to->kept.restitution = made;
    maker->to->kept.shares = shares.items;
    maker->to->counts.shares = shares.count;
}

static void make_sources(image_maker *maker) {
    hbg_code *code = maker->code;
    hbg_eqn *eqn = code->eqn;
    int32_t count = code->system.power_count;
    hbg_rt_pulse_source *sources = HBG_NEW_ARRAY(code->arena, hbg_rt_pulse_source, count + 1);
    for (int32_t i = 0; i < count; i++) {
        const pulse_source *of = &eqn->readouts.pulse_sources[i];
        sources[i] = (hbg_rt_pulse_source){HBG_NONE, HBG_NONE, of->sign};
        if (of->own == HBG_NONE) continue;
        sources[i].area = maker->cell_of[of->own + LAYER_AREA * eqn->base_count];
        sources[i].other = left_of(maker, of->other);
    }
    maker->to->kept.sources = sources;
}

static void make_states(image_maker *maker) {
    hbg_code *code = maker->code;
    hbg_eqn *eqn = code->eqn;
    hbg_rt_state *states = HBG_NEW_ARRAY(code->arena, hbg_rt_state, eqn->state_count + 1);
    for (int32_t i = 0; i < eqn->state_count; i++) {
        int32_t variable = eqn->first[VARIABLE_STATE] + i;
        states[i] = (hbg_rt_state){.cell = maker->cell_of[variable],
                                   .left = left_of(maker, variable),
                                   .old = code->registers.home[eqn->first[VARIABLE_OLD] + i],
                                   .storage = eqn->readouts.state_storage[i]};
    }
    maker->to->kept.states = states;
    maker->to->kept.storage_parts = eqn->readouts.storage_part;
    maker->to->kept.power_parts = eqn->readouts.power_part;
}

static void make_bonds(image_maker *maker) {
    hbg_eqn *eqn = maker->code->eqn;
    hbg_rt_bond *bonds = HBG_NEW_ARRAY(eqn->arena, hbg_rt_bond, eqn->model->bonds.count + 1);
    const int32_t *areas = maker->cell_of + LAYER_AREA * eqn->base_count;
    for (int32_t i = 0; i < eqn->model->bonds.count; i++)
        bonds[i] = (hbg_rt_bond){areas[eqn->first[VARIABLE_EFFORT] + i], areas[eqn->first[VARIABLE_FLOW] + i],
                                 eqn->island_of.bond[i]};
    maker->to->kept.bonds = bonds;
}

/* ---- islands ------------------------------------------------------------------------------------------ */

/* Lists the bonds of an island, whose efforts and flows are in order of bonds. */
static hbg_rt_range list_bonds(image_maker *maker, const island *of) {
    hbg_rt_range range = {maker->ints.count, 0};
    for (int32_t i = 0; i < of->bonds.count; i++) {
        int32_t bond = of->bonds.items[i] % maker->code->eqn->first[VARIABLE_FLOW];
        if (i > 0 && maker->ints.items[maker->ints.count - 1] == bond) continue;
        HBG_PUSH(maker->code->arena, maker->ints, bond);
    }
    range.count = maker->ints.count - range.first;
    return range;
}

/* Lists junctions by their number among those with restitution. */
static hbg_rt_range list_restitution(image_maker *maker, const island *of) {
    const int32_map *all = &maker->code->eqn->instants.restitution;
    hbg_rt_range range = {maker->ints.count, of->restitution.count};
    for (int32_t i = 0; i < of->restitution.count; i++) {
        int32_t number = 0;
        while (all->items[number] != of->restitution.items[i]) number++;
        HBG_PUSH(maker->code->arena, maker->ints, number);
    }
    return range;
}

static hbg_rt_island island_of(image_maker *maker, const island *of) {
    hbg_rt_island made = {.automata = hbg_code_image_ints(maker, &of->automata),
                          .relations = hbg_code_image_ints(maker, &of->relations),
                          .states = hbg_code_image_ints(maker, &of->states),
                          .pres = hbg_code_image_ints(maker, &of->pres),
                          .ins = hbg_code_image_ints(maker, &of->ins),
                          .left = list_cells(maker, &of->variables),
                          .powers = hbg_code_image_ints(maker, &of->powers),
                          .bonds = list_bonds(maker, of),
                          .restitution = list_restitution(maker, of),
                          .asked = list_cells(maker, &of->asked)};
    made.only_waits = made.relations.count == 0 && made.states.count == 0 && made.pres.count == 0 &&
                      made.ins.count == 0 && made.restitution.count == 0;
    return made;
}

typedef struct {
    const hbg_model *model;
    int32_t automaton;
} declaration;

static int by_source(const void *a, const void *b) {
    const declaration *one = a, *other = b;
    return hbg_eqn_source_order(one->model, one->automaton, other->automaton);
}

static const int32_t *order_by_source(hbg_eqn *eqn) {
    int32_t count = eqn->model->automata.count;
    declaration *all = HBG_NEW_ARRAY(&eqn->scratch, declaration, count + 1);
    int32_t *order = HBG_NEW_ARRAY(eqn->arena, int32_t, count + 1);
    for (int32_t i = 0; i < count; i++) all[i] = (declaration){eqn->model, i};
    qsort(all, (size_t)count, sizeof *all, by_source);
    for (int32_t i = 0; i < count; i++) order[i] = all[i].automaton;
    return order;
}

static void make_islands(image_maker *maker) {
    hbg_eqn *eqn = maker->code->eqn;
    hbg_rt_kept *kept = &maker->to->kept;
    hbg_rt_island *islands = HBG_NEW_ARRAY(eqn->arena, hbg_rt_island, eqn->islands.count + 1);
    for (int32_t i = 0; i < eqn->islands.count; i++) islands[i] = island_of(maker, &eqn->islands.items[i]);
    kept->islands = islands;
    kept->island_count = eqn->islands.count;
    kept->leaders = eqn->island_of.leader;
    kept->source_order = order_by_source(eqn);
    kept->automaton_island = eqn->island_of.automaton;
    kept->automaton_throws = eqn->throws.automaton;
    maker->to->counts.throws = eqn->throws.automaton ? eqn->model->automata.count : 0;
    kept->throw_count = eqn->throws.count;
}

static void make_calm(image_maker *maker) {
    const calm_plan *plan = &maker->code->calm;
    maker->to->calm = (hbg_rt_calm){.automata = hbg_code_image_ints(maker, &plan->automata),
                                    .islands = hbg_code_image_ints(maker, &plan->islands),
                                    .relations = hbg_code_image_ints(maker, &plan->relations),
                                    .others = hbg_code_image_ints(maker, &plan->others),
                                    .possible = plan->possible,
                                    .keeps_outputs = plan->keeps_outputs,
                                    .read_states = plan->read_states};
}

void hbg_code_image_instants(hbg_code *code) {
    image_maker maker = {.code = code, .to = &code->image.instants};
    HBG_PUSH(code->arena, maker.ints, HBG_NONE); // so that an empty range lies within the list
    hbg_code_image_make_cells(&maker);
    hbg_code_image_make_plans(&maker);
    hbg_code_image_make_judged(&maker);
    hbg_code_image_make_guards(&maker);
    make_pres(&maker);
    make_ins(&maker);
    make_restitution(&maker);
    make_sources(&maker);
    make_states(&maker);
    make_bonds(&maker);
    make_islands(&maker);
    make_calm(&maker);
    hbg_code_image_end_judged(&maker);
    code->image.instants.ints = maker.ints.items;
    code->image.instants.counts.ints = maker.ints.count;
    code->image.instants.ins_read = code->ins_read;
}

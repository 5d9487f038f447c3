/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Checks of what a run reads at instants: cells and what is judged on them, automata and guards, islands, and what comes from outside. */
#include "rt/package_check_impl.h"

/* ---- instants ----------------------------------------------------------------------------------------- */

static void check_judged_register(hbg_rt_checking *c, int32_t reg) {
    hbg_rt_check_below(c, "register that is judged", reg, c->instants->counts.beginnings);
}

static void check_judged_register_or_none(hbg_rt_checking *c, int32_t reg) {
    hbg_rt_check_below_or_none(c, "register that is judged", reg, c->instants->counts.beginnings);
}

static void check_parts(hbg_rt_checking *c, const hbg_rt_parts *of) {
    check_judged_register(c, of->fin);
    check_judged_register_or_none(c, of->area);
    check_judged_register_or_none(c, of->open);
    for (int k = 0; k < HBG_RT_ORDERS; k++) check_judged_register_or_none(c, of->far[k]);
}

static void check_comparison(hbg_rt_checking *c, const hbg_rt_comparison *of) {
    const hbg_rt_instant_counts *counts = &c->instants->counts;
    if (of->op < HBG_OP_EQUAL || of->op > HBG_OP_GREATER_EQUAL) hbg_rt_check_refuse(c, "relation", of->op);
    hbg_rt_check_below_or_none(c, "relation", of->relation, counts->relations);
    hbg_rt_check_below(c, "parts", of->left, counts->parts);
    hbg_rt_check_below(c, "parts", of->right, counts->parts);
    check_judged_register_or_none(c, of->compared[0]);
    if (of->compared[0] != HBG_RT_NONE) check_judged_register(c, of->compared[1]);
    hbg_rt_check_below_or_none(c, "plan", of->plan, c->instants->counts.plans);
}

/* An operator of the list; its arguments are registers, but for the table. */
static void check_operator(hbg_rt_checking *c, const hbg_rt_judgement *of) {
    bool table = of->op == HBG_OP_TABLE || of->op == HBG_RT_OP_SLOPE;
    if (!table && !hbg_rt_check_computed(of->op)) hbg_rt_check_refuse(c, "operator", of->op);
    int arity = table ? 1 : c->fine ? hbg_rt_check_arity(of->op) : 0;
    bool borders = table || of->op == HBG_OP_FLOOR || of->op == HBG_OP_CEIL || of->op == HBG_OP_REMAINDER;
    for (int k = 0; k < arity && c->fine; k++) check_judged_register(c, of->argument[k]);
    for (int k = arity; k < 3 && c->fine && !table; k++)
        if (of->argument[k] != HBG_RT_NONE) hbg_rt_check_refuse(c, "argument", of->argument[k]);
    if (table) hbg_rt_check_below(c, "table", of->argument[1], c->image->pool.tables.count);
    if (borders) hbg_rt_check_below(c, "border", of->note, c->instants->counts.borders);
    if (!borders && of->note != HBG_RT_NONE) hbg_rt_check_refuse(c, "border", of->note);
}

static void check_judgement(hbg_rt_checking *c, const hbg_rt_judgement *of) {
    const hbg_rt_instants *instants = c->instants;
    check_judged_register(c, of->d);
    switch (of->op) {
    case HBG_RT_JUDGE_LOAD:
        hbg_rt_check_below(c, "cell", of->argument[0], instants->values.cell_count);
        hbg_rt_check_below(c, "parts", of->argument[1], instants->counts.parts);
        break;
    case HBG_RT_JUDGE:
    case HBG_RT_JUDGE_ORDER:
    case HBG_RT_JUDGE_UNBOUNDED:
        hbg_rt_check_below(c, "comparison", of->argument[0], instants->counts.comparisons);
        break;
    case HBG_RT_JUDGE_OPEN: check_judged_register(c, of->argument[0]); break;
    case HBG_RT_JUDGE_PULSES:
        check_judged_register(c, of->argument[0]);
        check_judged_register(c, of->argument[1]);
        break;
    default: check_operator(c, of);
    }
}

static void check_cell(hbg_rt_checking *c, const hbg_rt_cell *of) {
    const hbg_rt_instant_counts *counts = &c->instants->counts;
    hbg_rt_check_below(c, "kind of a cell", of->kind, HBG_RT_CELL_UNDEFINED + 1);
    hbg_rt_check_below(c, "view of a cell", of->view, HBG_RT_VIEW_AREA + 1);
    hbg_rt_check_register_or_none(c, of->home);
    hbg_rt_check_below_or_none(c, "cell", of->area, c->instants->values.cell_count);
    hbg_rt_check_below_or_none(c, "left limit", of->left, c->instants->values.left_count);
    if (of->kind == HBG_RT_CELL_PRE) hbg_rt_check_below(c, "pre", of->index, counts->pres);
    if (of->kind == HBG_RT_CELL_IN) hbg_rt_check_below(c, "in", of->index, counts->ins);
    if (of->kind == HBG_RT_CELL_UNDEFINED)
        hbg_rt_check_below(c, "place", of->index, c->instants->places.count);
    if (of->kind == HBG_RT_CELL_PARAM) hbg_rt_check_register(c, of->home);
}

static void check_program(hbg_rt_checking *c, int32_t program) {
    hbg_rt_check_below(c, "judged program", program, c->instants->counts.judged);
}

static void check_plan_step(hbg_rt_checking *c, const hbg_rt_plan *plan, int32_t number) {
    const hbg_rt_plan_step *of = &c->instants->plans.steps[number];
    const int32_t argument[] = {of->a, of->b, of->c};
    bool variable = of->op == HBG_RT_OP_VARIABLE, table = of->op == HBG_OP_TABLE || of->op == HBG_RT_OP_SLOPE;
    if (of->op >= HBG_OP_COUNT && !variable && of->op != HBG_RT_OP_SLOPE)
        hbg_rt_check_refuse(c, "operator", of->op);
    if (of->arity > 3) hbg_rt_check_refuse(c, "arguments", of->arity);
    if (variable) hbg_rt_check_below(c, "cell", of->cell, c->instants->values.cell_count);
    if (table) hbg_rt_check_below(c, "table", of->b, c->image->pool.tables.count);
    for (int k = 0; k < of->arity && k < 3 && c->fine; k++)
        if (argument[k] < plan->steps.first || argument[k] >= number)
            hbg_rt_check_refuse(c, "step of a plan", argument[k]);
}

static void check_plan(hbg_rt_checking *c, const hbg_rt_plan *of) {
    if (!hbg_rt_check_inside(c, "plan", of->steps, c->instants->counts.plan_steps)) return;
    if (of->steps.count == 0) hbg_rt_check_refuse(c, "plan", of->term);
    for (int32_t i = 0; i < of->steps.count && c->fine; i++) check_plan_step(c, of, of->steps.first + i);
}

void hbg_rt_check_values(hbg_rt_checking *c) {
    const hbg_rt_values *values = &c->instants->values;
    const hbg_rt_instant_counts *counts = &c->instants->counts;
    if (values->left_count < 0 || values->left_count > values->cell_count)
        hbg_rt_check_refuse(c, "left limits", values->left_count);
    if (counts->borders < 0 || counts->borders > counts->beginnings)
        hbg_rt_check_refuse(c, "borders", counts->borders);
    for (int32_t i = 0; i < values->cell_count && c->fine; i++) check_cell(c, &values->cells[i]);
    for (int32_t i = 0; i < counts->parts && c->fine; i++) check_parts(c, &values->parts[i]);
    for (int32_t i = 0; i < counts->comparisons && c->fine; i++) check_comparison(c, &values->comparisons[i]);
    for (int32_t i = 0; i < counts->judgements && c->fine; i++) check_judgement(c, &values->judgements[i]);
    for (int32_t i = 0; i < counts->judged && c->fine; i++) {
        hbg_rt_check_inside(c, "judgement", values->judged[i].code, counts->judgements);
        hbg_rt_check_below(c, "parts", values->judged[i].parts, counts->parts);
    }
    for (int32_t i = 0; i < counts->plans && c->fine; i++) check_plan(c, &c->instants->plans.list[i]);
}

static void check_relation(hbg_rt_checking *c, const hbg_rt_relation *of) {
    if (of->op < HBG_OP_EQUAL || of->op > HBG_OP_GREATER_EQUAL) hbg_rt_check_refuse(c, "relation", of->op);
    hbg_rt_check_below(c, "comparison", of->comparison, c->instants->counts.comparisons);
    check_judged_register(c, of->truth);
    check_program(c, of->difference);
    hbg_rt_check_below_or_none(c, "plan", of->plan, c->instants->counts.plans);
    hbg_rt_check_register(c, of->watch);
    hbg_rt_check_register_or_none(c, of->watch_area);
    if (hbg_rt_check_inside(c, "named state", of->named, c->instants->counts.named))
        for (int32_t i = 0; i < of->named.count && c->fine; i++)
            hbg_rt_check_below(c, "state", c->instants->guards.named[of->named.first + i].state,
                               c->instants->counts.states);
    hbg_rt_check_instant_list(c, "island", of->islands, c->instants->kept.island_count);
}

static void check_guard(hbg_rt_checking *c, int32_t number) {
    const hbg_rt_guards *guards = &c->instants->guards;
    const hbg_rt_guard *of = &guards->guards[number];
    if (of->condition != HBG_RT_NONE) check_program(c, of->condition);
    if (hbg_rt_check_inside(c, "relation of a guard", of->relations, c->instants->counts.enablings))
        for (int32_t i = 0; i < of->relations.count && c->fine; i++)
            hbg_rt_check_below(c, "relation", guards->enablings[of->relations.first + i].relation,
                               c->instants->counts.relations);
    if (!hbg_rt_check_inside(c, "step", of->steps, c->instants->counts.steps)) return;
    if (of->steps.count > c->instants->counts.longest_condition)
        hbg_rt_check_refuse(c, "steps of a guard", of->steps.count);
    for (int32_t i = 0; i < of->steps.count && c->fine; i++) {
        const hbg_rt_guard_step *step = &guards->steps[of->steps.first + i];
        if (step->op == HBG_RT_STEP_RELATION) {
            hbg_rt_check_below(c, "relation", step->a, c->instants->counts.relations);
        } else if (step->op == HBG_RT_STEP_REGISTER) {
            hbg_rt_check_register(c, step->a);
        } else if (step->op != HBG_RT_STEP_NUMBER) {
            if (!hbg_rt_check_computed(step->op) || step->op == HBG_OP_TABLE || step->op == HBG_OP_PI)
                hbg_rt_check_refuse(c, "operator", step->op);
            hbg_rt_check_below(c, "step", step->a, i);
            hbg_rt_check_below_or_none(c, "step", step->b, i);
            hbg_rt_check_below_or_none(c, "step", step->c, i);
        }
    }
}

static void check_automaton(hbg_rt_checking *c, int32_t number) {
    const hbg_rt_switching *switching = &c->instants->switching;
    const hbg_rt_automaton_data *of = &switching->automata[number];
    hbg_rt_check_register(c, of->reg);
    if (!hbg_rt_check_inside(c, "state", of->states, c->instants->counts.discretes)) return;
    hbg_rt_check_below(c, "start state", of->start, of->states.count);
    if (!(of->every >= 0)) hbg_rt_check_refuse(c, "sample period of automaton", number);
    if (hbg_rt_check_inside(c, "place", of->places, c->instants->counts.controlled))
        for (int32_t i = 0; i < of->places.count && c->fine; i++)
            hbg_rt_check_below(c, "place", switching->controlled[of->places.first + i],
                               c->instants->places.count);
    for (int32_t s = 0; s < of->states.count && c->fine; s++) {
        hbg_rt_range transitions = switching->discretes[of->states.first + s].transitions;
        if (!hbg_rt_check_inside(c, "transition", transitions, c->instants->counts.transitions)) return;
        for (int32_t i = 0; i < transitions.count && c->fine; i++) {
            const hbg_rt_transition *at = &switching->transitions[transitions.first + i];
            if (at->automaton != number || at->state != s || at->after < 0)
                hbg_rt_check_refuse(c, "transition", transitions.first + i);
            hbg_rt_check_below(c, "target state", at->target, of->states.count);
        }
    }
}

void hbg_rt_check_automata(hbg_rt_checking *c) {
    const hbg_rt_instants *instants = c->instants;
    int32_t automata = instants->counts.automata;
    for (int32_t i = 0; i < automata && c->fine; i++) check_automaton(c, i);
    for (int32_t i = 0; i < instants->counts.timed && c->fine; i++)
        hbg_rt_check_below(c, "automaton", instants->switching.timed[i], automata);
    for (int32_t i = 0; i < instants->counts.tests && c->fine; i++) {
        const hbg_rt_test *of = &instants->places.tests[i];
        if (!hbg_rt_check_below(c, "automaton", of->automaton, automata)) return;
        hbg_rt_check_below_or_none(c, "state", of->state, hbg_rt_check_states_of(c, of->automaton));
        if (of->yes < HBG_RT_PLACE_OFF || of->yes >= i || of->no < HBG_RT_PLACE_OFF || of->no >= i)
            hbg_rt_check_refuse(c, "test", i);
    }
    for (int32_t i = 0; i < instants->places.count && c->fine; i++) {
        const hbg_rt_place *of = &instants->places.places[i];
        if (of->control < HBG_RT_PLACE_OFF || of->control >= instants->counts.tests)
            hbg_rt_check_refuse(c, "test", of->control);
        hbg_rt_check_register(c, of->reg);
        hbg_rt_check_register_or_none(c, of->undefined);
        hbg_rt_check_below(c, "region", of->region, c->image->modes.regions);
    }
    for (int32_t i = 0; i < instants->counts.relations && c->fine; i++)
        check_relation(c, &instants->guards.relations[i]);
    for (int32_t i = 0; i < instants->counts.transitions && c->fine; i++) check_guard(c, i);
}

static void check_island(hbg_rt_checking *c, const hbg_rt_island *of) {
    const hbg_rt_instant_counts *counts = &c->instants->counts;
    hbg_rt_check_instant_list(c, "automaton", of->automata, counts->automata);
    hbg_rt_check_instant_list(c, "relation", of->relations, counts->relations);
    hbg_rt_check_instant_list(c, "state", of->states, counts->states);
    hbg_rt_check_instant_list(c, "pre", of->pres, counts->pres);
    hbg_rt_check_instant_list(c, "in", of->ins, counts->ins);
    hbg_rt_check_instant_list(c, "cell", of->left, c->instants->values.cell_count);
    hbg_rt_check_instant_list(c, "power", of->powers, counts->powers);
    hbg_rt_check_instant_list(c, "bond", of->bonds, counts->bonds);
    hbg_rt_check_instant_list(c, "restitution", of->restitution, counts->restitution);
    hbg_rt_check_instant_list(c, "cell", of->asked, c->instants->values.cell_count);
    for (int32_t i = 0; i < of->left.count && c->fine; i++)
        if (c->instants->values.cells[c->instants->ints[of->left.first + i]].left < 0)
            hbg_rt_check_refuse(c, "left limit", i);
}

static void check_restitution(hbg_rt_checking *c, const hbg_rt_restitution *of) {
    hbg_rt_check_below(c, "place", of->place, c->instants->places.count);
    hbg_rt_check_register(c, of->reg);
    hbg_rt_check_below(c, "group of rebounds", of->throws, c->instants->kept.throw_count);
    check_program(c, of->coefficient);
    hbg_rt_check_below(c, "bond", of->bond, c->instants->counts.bonds);
    if (hbg_rt_check_inside(c, "share", of->sum, c->instants->counts.shares))
        for (int32_t i = 0; i < of->sum.count && c->fine; i++) {
            int32_t cell = c->instants->kept.shares[of->sum.first + i].cell;
            if (hbg_rt_check_below(c, "cell", cell, c->instants->values.cell_count) &&
                c->instants->values.cells[cell].left < 0)
                hbg_rt_check_refuse(c, "left limit", cell);
        }
}

void hbg_rt_check_kept(hbg_rt_checking *c) {
    const hbg_rt_kept *kept = &c->instants->kept;
    const hbg_rt_instant_counts *counts = &c->instants->counts;
    int32_t cells = c->instants->values.cell_count, lefts = c->instants->values.left_count;
    for (int32_t i = 0; i < kept->island_count && c->fine; i++) check_island(c, &kept->islands[i]);
    for (int32_t i = 0; i < counts->pres && c->fine; i++) {
        hbg_rt_check_register(c, kept->pres[i].reg);
        check_program(c, kept->pres[i].argument);
    }
    for (int32_t i = 0; i < counts->ins && c->fine; i++) {
        const hbg_rt_in *of = &kept->ins[i];
        if (hbg_rt_check_below(c, "automaton", of->automaton, counts->automata))
            hbg_rt_check_below(c, "state", of->state, hbg_rt_check_states_of(c, of->automaton));
        hbg_rt_check_register(c, of->fin);
        hbg_rt_check_register(c, of->area);
        check_program(c, of->argument);
    }
    for (int32_t i = 0; i < counts->restitution && c->fine; i++) check_restitution(c, &kept->restitution[i]);
    for (int32_t i = 0; i < counts->powers && c->fine; i++) {
        hbg_rt_check_below_or_none(c, "cell", kept->sources[i].area, cells);
        hbg_rt_check_below_or_none(c, "left limit", kept->sources[i].other, lefts);
        hbg_rt_check_below_or_none(c, "part", kept->power_parts[i], counts->storages);
    }
    for (int32_t i = 0; i < counts->storages && c->fine; i++)
        hbg_rt_check_below(c, "part", kept->storage_parts[i], counts->storages);
    for (int32_t i = 0; i < counts->states && c->fine; i++) {
        hbg_rt_check_below_or_none(c, "cell", kept->states[i].cell, cells);
        hbg_rt_check_below_or_none(c, "left limit", kept->states[i].left, lefts);
        hbg_rt_check_register(c, kept->states[i].old);
        hbg_rt_check_below_or_none(c, "storage", kept->states[i].storage, counts->storages);
    }
    for (int32_t i = 0; i < counts->bonds && c->fine; i++) {
        hbg_rt_check_below_or_none(c, "cell", kept->bonds[i].effort, cells);
        hbg_rt_check_below_or_none(c, "cell", kept->bonds[i].flow, cells);
        hbg_rt_check_below_or_none(c, "island", kept->bonds[i].island, kept->island_count);
    }
    for (int32_t i = 0; i < counts->automata && c->fine; i++) {
        hbg_rt_check_below(c, "automaton", kept->leaders[i], counts->automata);
        hbg_rt_check_below(c, "automaton", kept->source_order[i], counts->automata);
        hbg_rt_check_below_or_none(c, "island", kept->automaton_island[i], kept->island_count);
        if (kept->automaton_throws)
            hbg_rt_check_below(c, "group of rebounds", kept->automaton_throws[i], kept->throw_count);
    }
}

void hbg_rt_check_outside(hbg_rt_checking *c) {
    const hbg_rt_outside *outside = &c->instants->outside;
    const hbg_rt_calm *calm = &c->instants->calm;
    for (int32_t i = 0; i < outside->input_count && c->fine; i++) {
        hbg_rt_check_register(c, outside->inputs[i].value);
        hbg_rt_check_register(c, outside->inputs[i].given);
    }
    for (int32_t i = 0; i < outside->param_count && c->fine; i++) {
        hbg_rt_check_register(c, outside->params[i].value);
        hbg_rt_check_register_or_none(c, outside->params[i].rate);
    }
    for (int32_t i = 0; i < outside->clock_count && c->fine; i++) {
        const hbg_rt_clock_data *of = &outside->clocks[i];
        if (of->automaton == -1) hbg_rt_check_register(c, of->held);
        if (of->automaton == -1) hbg_rt_check_register(c, of->shown);
        hbg_rt_check_below_or_none(c, "automaton", of->automaton, c->instants->counts.automata);
    }
    for (int32_t i = 0; i < outside->tick_pre_count && c->fine; i++)
        hbg_rt_check_below(c, "pre", outside->tick_pres[i], c->instants->counts.pres);
    hbg_rt_check_register(c, outside->live);
    hbg_rt_check_register(c, outside->open);
    hbg_rt_check_instant_list(c, "automaton", calm->automata, c->instants->counts.automata);
    hbg_rt_check_instant_list(c, "island", calm->islands, c->instants->kept.island_count);
    hbg_rt_check_instant_list(c, "relation", calm->relations, c->instants->counts.relations);
    hbg_rt_check_instant_list(c, "relation", calm->others, c->instants->counts.relations);
}

/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Finds calm automata: those whose moves need no search. Their junctions switch by selects, no storage that
 * they influence ever jumps, and the values that their guards compare do not depend on their states. So at an
 * instant the truth of all their relations is known before any of them moves, and a mode change is computed
 * on booleans: controllers of a converter, sampled once a step, are of this kind. Found once for all
 * modes. */
#include <math.h>
#include <string.h>

#include "code/code_impl.h"

typedef struct {
    hbg_code *code;
    bool *calm;     /* by automaton */
    bool *taint;    /* by register: its value may depend on moves of calm automata */
    bool *needed;   /* by term; false except while a condition is made */
    int32_t *place; /* by term: step of the condition */
} search;

/* ---- conditions as booleans --------------------------------------------------------------------------- */

static bool is_relation(const hbg_eqn *eqn, hbg_term term) {
    bool of_params = eqn->terms.nodes.items[term].level < LEVEL_RUN;
    return !of_params && term < eqn->instants.relation_of_term.count &&
           eqn->instants.relation_of_term.items[term] != HBG_NONE;
}

/* Whether a variable is constant between instants, or the state of an automaton. */
static bool is_held(const hbg_eqn *eqn, int32_t variable) {
    if (variable >= eqn->base_count) return false;
    switch (hbg_eqn_kind_of(eqn, variable)) {
    case VARIABLE_SIGNAL: {
        const hbg_signal *signal = &eqn->model->signals.items[variable - eqn->first[VARIABLE_SIGNAL]];
        return signal->every != HBG_NONE;
    }
    case VARIABLE_GIVEN:
    case VARIABLE_INPUT:
    case VARIABLE_PARAM:
    case VARIABLE_AUTOMATON: return true;
    default: return false;
    }
}

/* Whether a comparison, although not a relation, is judged with a band around equality. A comparison of
 * parameters alone is a relation only if the run may move them; here it never counts as one, so that runs in
 * which nothing moves behave the same. */
static bool has_band(const hbg_eqn *eqn, const term_node *node) {
    if (node->op < HBG_OP_EQUAL || node->op > HBG_OP_GREATER_EQUAL) return false;
    const term_node *left = &eqn->terms.nodes.items[node->a];
    return left->op != TERM_VARIABLE || hbg_eqn_kind_of(eqn, left->a) != VARIABLE_AUTOMATON;
}

static bool add_step(search *of, condition_code *to, const int32_t *place, hbg_term term) {
    hbg_code *code = of->code;
    hbg_eqn *eqn = code->eqn;
    const term_node *node = &eqn->terms.nodes.items[term];
    condition_step step = {.op = node->op, .a = HBG_NONE, .b = HBG_NONE, .c = HBG_NONE};
    if (is_relation(eqn, term)) {
        if (node->op == HBG_OP_EQUAL || node->op == HBG_OP_NOT_EQUAL) return false; // its truth is not a side
        step.op = CONDITION_RELATION;
        step.a = eqn->instants.relation_of_term.items[term];
    } else if (node->op == TERM_VARIABLE) {
        if (!is_held(eqn, node->a)) return false;
        step.op = CONDITION_REGISTER;
        step.a = hbg_code_home(code, node->a);
    } else if (node->op == HBG_OP_NUMBER) {
        step.op = CONDITION_NUMBER;
        step.number = hbg_base_decimal_to_double(eqn->terms.numbers.items[node->a]);
    } else if (node->op >= HBG_OP_COUNT || node->op == HBG_OP_TABLE || node->op == HBG_OP_PI ||
               has_band(eqn, node)) {
        return false;
    } else {
        int arity = hbg_term_arity(node);
        step.a = arity > 0 ? place[node->a] : HBG_NONE;
        step.b = arity > 1 ? place[node->b] : HBG_NONE;
        step.c = arity > 2 ? place[node->c] : HBG_NONE;
    }
    HBG_PUSH(code->arena, *to, step);
    return true;
}

/* Makes the condition as steps on booleans and held values, arguments first; returns false if it reads
 * anything else. Arguments of relations are no part of it. */
static bool make_condition(search *of, const guard_info *guard) {
    hbg_code *code = of->code;
    hbg_eqn *eqn = code->eqn;
    bool *needed = of->needed, fine = true;
    condition_code *steps = &code->calm.steps[guard - eqn->guards];
    *steps = (condition_code){0};
    if (!isnan(guard->after) || guard->in_count > 0 || guard->condition == HBG_NONE) return false;
    needed[guard->condition] = true;
    for (int32_t i = guard->walk_count - 1; i >= 0; i--) {
        const term_node *node = &eqn->terms.nodes.items[guard->walk[i]];
        if (!needed[guard->walk[i]] || is_relation(eqn, guard->walk[i])) continue;
        for (int k = 0; k < hbg_term_arity(node); k++) needed[hbg_term_argument(node, k)] = true;
    }
    for (int32_t i = 0; i < guard->walk_count; i++) {
        if (needed[guard->walk[i]]) fine = fine && add_step(of, steps, of->place, guard->walk[i]);
        of->place[guard->walk[i]] = steps->count - 1;
        needed[guard->walk[i]] = false;
    }
    return fine;
}

/* ---- candidates --------------------------------------------------------------------------------------- */

static const hbg_automaton_state *states_of(const search *of, int32_t automaton, int32_t *count) {
    const hbg_model *model = of->code->eqn->model;
    *count = model->automata.items[automaton].state_count;
    return &model->states.items[model->automata.items[automaton].first_state];
}

/* Whether nothing jumps in the island of an automaton, and its junctions are selects. */
static bool acts_calmly(const search *of, int32_t automaton) {
    const hbg_eqn *eqn = of->code->eqn;
    int32_t number = eqn->island_of.automaton[automaton];
    if (eqn->model->automata.items[automaton].every != HBG_NONE) return false;
    const int32_map *places = &eqn->automaton_places[automaton];
    for (int32_t i = 0; i < places->count; i++)
        if (!eqn->varies.select[places->items[i]]) return false;
    if (number == HBG_NONE) return false; // nothing reads it at instants
    const island *own = &eqn->islands.items[number];
    return own->states.count == 0 && own->pres.count == 0 && own->ins.count == 0 &&
           own->restitution.count == 0;
}

static bool conditions_are_calm(search *of, int32_t automaton) {
    int32_t count;
    const hbg_automaton_state *states = states_of(of, automaton, &count);
    for (int32_t i = 0; i < count; i++)
        for (int32_t k = 0; k < states[i].transition_count; k++)
            if (!make_condition(of, &of->code->eqn->guards[states[i].first_transition + k])) return false;
    return true;
}

/* ---- what a calm move can change ---------------------------------------------------------------------- */

static bool reads_taint(const search *of, const instruction *code) {
    bool first_only = code->op == HBG_OP_TABLE || code->op == TERM_SLOPE || code->op == TERM_CHARGE ||
                      code->op == CODE_DEFAULT;
    for (int i = 0; i < (first_only ? 1 : 3); i++)
        if (code->argument[i] != HBG_NONE && of->taint[code->argument[i]]) return true;
    return false;
}

static void taint_loop(search *of, int32_t number) {
    hbg_rt_loop_view solved = hbg_rt_loop_at(&of->code->image, number);
    hbg_rt_program body = hbg_rt_program_at(&of->code->image, solved.body);
    bool reads = false;
    for (int32_t i = 0; i < body.count && !reads; i++) reads = reads_taint(of, &body.code[i]);
    for (int32_t i = 0; i < body.count; i++) of->taint[body.code[i].d] = reads;
    for (int32_t i = 0; i < solved.count; i++) of->taint[solved.reg[i]] = reads;
}

static void taint_program(search *of, int32_t number) {
    hbg_rt_program code = hbg_rt_program_at(&of->code->image, number);
    for (int32_t i = 0; i < code.count; i++) {
        const instruction *at = &code.code[i];
        if (at->op == CODE_SOLVE)
            taint_loop(of, at->argument[0]);
        else
            of->taint[at->d] = reads_taint(of, at);
    }
}

/* A block has different code in each local mode: if anything it may read is tainted, so are all its
 * results. */
static void taint_block(search *of, const segment *block, reading_kind reading) {
    const hbg_code *code = of->code;
    const int32_map *exports = &block->exports[reading];
    bool reads = false;
    for (int32_t i = 0; i < block->imports.count && !reads; i++) {
        int32_t variable = block->imports.items[i];
        int32_t reg =
            reading == READ_FIELD ? code->where[variable] : code->registers.home[variable]; // as in block.c
        reads = reg == HBG_NONE || of->taint[reg];
    }
    for (int32_t i = 0; i < block->known.count && !reads; i++)
        reads = code->registers.home[block->known.items[i]] == HBG_NONE ||
                of->taint[code->registers.home[block->known.items[i]]];
    for (int32_t i = 0; i < exports->count; i++)
        if (code->where[exports->items[i]] != HBG_NONE) of->taint[code->where[exports->items[i]]] = reads;
}

/* Taints the registers that a reading computes. */
static void taint_reading(search *of, reading_kind reading) {
    const hbg_code *code = of->code;
    for (int32_t i = 0; i < code->segments.count; i++) {
        const segment *at = &code->segments.items[i];
        if (at->varies)
            taint_block(of, at, reading);
        else
            taint_program(of, HBG_RT_AT(code->image.pool.blocks, i)->code[reading]);
    }
    taint_program(of, code->image.code.finals[reading].code);
}

static void taint_sources(search *of) {
    const hbg_code *code = of->code;
    const hbg_eqn *eqn = code->eqn;
    memset(of->taint, 0, (size_t)code->image.code.mark.registers);
    for (int32_t i = 0; i < eqn->model->automata.count; i++) {
        const int32_map *places = &eqn->automaton_places[i];
        if (!of->calm[i]) continue;
        of->taint[code->registers.home[eqn->first[VARIABLE_AUTOMATON] + i]] = true;
        for (int32_t k = 0; k < places->count; k++)
            of->taint[code->registers.home[eqn->first[VARIABLE_ON] + places->items[k]]] = true;
    }
}

/* ---- the plan ----------------------------------------------------------------------------------------- */

static bool reads_automaton(const hbg_eqn *eqn, const guard_info *guard, const bool *calm) {
    for (int32_t i = 0; i < guard->walk_count; i++) {
        const term_node *node = &eqn->terms.nodes.items[guard->walk[i]];
        int32_t number = node->a - eqn->first[VARIABLE_AUTOMATON];
        if (node->op != TERM_VARIABLE || node->a >= eqn->base_count) continue;
        if (hbg_eqn_kind_of(eqn, node->a) == VARIABLE_AUTOMATON && (!calm || calm[number])) return true;
    }
    return false;
}

/* Whether a guard of an automaton that is not calm depends on the states of calm ones, or a relation does. */
static bool is_noticed(search *of, int32_t automaton) {
    const hbg_code *code = of->code;
    const hbg_eqn *eqn = code->eqn;
    int32_t count;
    const hbg_automaton_state *states = states_of(of, automaton, &count);
    const int32_t *watched = hbg_rt_readout_registers(&code->image, &code->image.code.finals[READ_WATCH]);
    for (int32_t i = 0; i < count; i++)
        for (int32_t k = 0; k < states[i].transition_count; k++) {
            const guard_info *guard = &eqn->guards[states[i].first_transition + k];
            if (!of->calm[automaton] && reads_automaton(eqn, guard, of->calm)) return true;
            for (int32_t m = 0; m < guard->relation_count; m++)
                if (of->taint[watched[guard->relations[m]]]) return true;
        }
    return false;
}

static int32_t count_calm(const search *of) {
    int32_t count = 0;
    for (int32_t i = 0; i < of->code->eqn->model->automata.count; i++) count += of->calm[i];
    return count;
}

/* Drops automata whose relations depend on states of calm ones; returns true if there were any. If an
 * automaton that is not calm depends on calm ones, they have to wait for it: then none is calm. */
static bool drop_uncalm(search *of) {
    int32_t before = count_calm(of), automata = of->code->eqn->model->automata.count;
    if (before == 0) return false;
    taint_sources(of);
    taint_reading(of, READ_WATCH);
    for (int32_t i = 0; i < automata; i++) {
        if (!is_noticed(of, i)) continue;
        if (!of->calm[i]) memset(of->calm, 0, (size_t)automata);
        of->calm[i] = false;
    }
    return count_calm(of) < before;
}

/* Whether an automaton can move between instants: not if its guards read only values given from outside. */
static bool can_move(const search *of, int32_t automaton) {
    int32_t count;
    const hbg_automaton_state *states = states_of(of, automaton, &count);
    for (int32_t i = 0; i < count; i++)
        for (int32_t k = 0; k < states[i].transition_count; k++) {
            const guard_info *guard = &of->code->eqn->guards[states[i].first_transition + k];
            if (guard->relation_count > 0 || reads_automaton(of->code->eqn, guard, NULL)) return true;
        }
    return false;
}

static void list_relations(search *of, int32_t automaton) {
    hbg_code *code = of->code;
    hbg_eqn *eqn = code->eqn;
    int32_t count;
    const hbg_automaton_state *states = states_of(of, automaton, &count);
    for (int32_t i = 0; i < count; i++)
        for (int32_t k = 0; k < states[i].transition_count; k++) {
            const guard_info *guard = &eqn->guards[states[i].first_transition + k];
            code->calm.read_states |= reads_automaton(eqn, guard, of->calm);
            for (int32_t m = 0; m < guard->relation_count; m++)
                code->calm.is_calm[guard->relations[m]] = true;
        }
}

static bool any_tainted(const search *of, const hbg_rt_readout *readout) {
    const int32_t *reg = hbg_rt_readout_registers(&of->code->image, readout);
    for (int32_t i = 0; i < readout->reg.count; i++)
        if (of->taint[reg[i]]) return true;
    return false;
}

/* Whether moves change no recorded output, and no stored energy. */
static void look_at_readouts(search *of) {
    hbg_code *code = of->code;
    taint_sources(of);
    taint_reading(of, READ_OUTPUTS);
    code->calm.keeps_outputs = !any_tainted(of, &code->image.code.finals[READ_OUTPUTS]);
    taint_sources(of);
    if (code->image.code.energies_need_field) taint_reading(of, READ_FIELD);
    taint_program(of, code->image.code.energies.code);
    code->calm.possible = !any_tainted(of, &code->image.code.energies);
}

static void list_plan(search *of) {
    hbg_code *code = of->code;
    hbg_eqn *eqn = code->eqn;
    calm_plan *plan = &code->calm;
    plan->is_calm = HBG_NEW_ARRAY(code->arena, bool, eqn->relations.count + 1);
    for (int32_t i = 0; i < eqn->model->automata.count; i++) {
        int32_t number = eqn->island_of.automaton[i];
        if (!of->calm[i]) continue;
        HBG_PUSH(code->arena, plan->automata, i);
        list_relations(of, i);
        bool listed = false;
        for (int32_t k = 0; k < plan->islands.count && !listed; k++)
            listed = plan->islands.items[k] == number;
        if (!listed) HBG_PUSH(code->arena, plan->islands, number);
    }
    for (int32_t k = 0; k < eqn->relations.count; k++)
        if (plan->is_calm[k])
            HBG_PUSH(code->arena, plan->relations, k);
        else
            HBG_PUSH(code->arena, plan->others, k);
}

/* Whether the model has pre(…), which any law may read; the value from which der(…) jumps concerns its island
 * only. */
static bool reads_pre(const hbg_eqn *eqn) {
    for (int32_t i = 0; i < eqn->pres.exprs.count; i++)
        if (eqn->model->exprs.items[eqn->pres.exprs.items[i]].op == HBG_OP_PRE) return true;
    return false;
}

void hbg_code_find_calm(hbg_code *code) {
    hbg_eqn *eqn = code->eqn;
    int32_t automata = eqn->model->automata.count;
    search of = {.code = code};
    of.calm = HBG_NEW_ARRAY(&eqn->scratch, bool, automata + 1);
    of.taint = HBG_NEW_ARRAY(&eqn->scratch, bool, code->image.code.mark.registers + 1);
    of.needed = HBG_NEW_ARRAY(&eqn->scratch, bool, eqn->terms.nodes.count + 1);
    of.place = HBG_NEW_ARRAY(&eqn->scratch, int32_t, eqn->terms.nodes.count + 1);
    if (!eqn->has_events || eqn->in.list.count > 0 || reads_pre(eqn)) return;
    code->calm.steps = HBG_NEW_ARRAY(code->arena, condition_code, eqn->model->transitions.count + 1);
    for (int32_t i = 0; i < automata; i++)
        of.calm[i] = acts_calmly(&of, i) && conditions_are_calm(&of, i) && can_move(&of, i);
    while (drop_uncalm(&of)) continue;
    look_at_readouts(&of);
    list_plan(&of);
}

/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * A model as a hybrid automaton: its variables, the discrete states that instants lead to, each with its
 * field and all ways out of it. Values from outside are left open here; hybrid_join.c puts the phases of an
 * experiment in. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>

#include "verify/hybrid_impl.h"

#define MODE_LIMIT  1024 /* combinations of states */
#define CLOCK_LIMIT 4    /* clocks of different periods */

void hbg_verify_hybrid_refuse(hybrid_map *map, hbg_span place, const char *format, ...) {
    char text[1000];
    va_list arguments;
    if (map->made->reason) return;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    map->made->reason = hbg_base_arena_print(map->proof->arena, "%s", text);
    map->made->place = place;
}

/* ---- variables ------------------------------------------------------------------------------------------------ */

static void add_variable(hybrid_map *map, formula symbol, hbg_hybrid_variable variable) {
    map->symbols[map->made->variables.count] = symbol;
    HBG_PUSH(map->proof->arena, map->made->variables, variable);
}

static bool waits(const group_proof *proof, int32_t automaton) {
    const hbg_automaton *of = &proof->model->automata.items[automaton];
    for (int32_t k = 0; k < of->state_count; k++) {
        const hbg_automaton_state *state = &proof->model->states.items[of->first_state + k];
        for (int32_t m = 0; m < state->transition_count; m++)
            if (proof->timing.waited[state->first_transition + m]) return true;
    }
    return false;
}

static void add_sample(hybrid_map *map, int32_t signal) {
    group_proof *proof = map->proof;
    const hbg_signal *of = &proof->model->signals.items[signal];
    if (of->type != HBG_TYPE_REAL)
        hbg_verify_hybrid_refuse(map, of->id.span, "a sample that is true or false is no variable");
    else if (proof->timing.samples[signal].is_noisy)
        hbg_verify_hybrid_refuse(map, of->id.span, "the noise of a sensor is not affine");
    exact_value held = hbg_verify_group_outside(proof, true, true, signal);
    hbg_verify_group_outside(proof, true, false, signal);
    add_variable(map, held.fin, (hbg_hybrid_variable){.kind = HBG_HYBRID_HELD, .of = signal});
}

static void add_pres(hybrid_map *map) {
    const group_proof *proof = map->proof;
    for (int32_t i = 0; i < proof->of.pre_count; i++) {
        int32_t pre = proof->of.pres[i];
        hbg_buffer text;
        if (!hbg_verify_paths_map_reads(&map->ways, proof->law_pre[pre])) continue;
        hbg_base_buffer_init(&text, proof->arena);
        hbg_base_buffer_text(&text, "pre(");
        hbg_eqn_exact_print(proof->eqn, hbg_eqn_exact_pre(proof->eqn, pre), &text);
        hbg_base_buffer_char(&text, ')');
        add_variable(map, proof->law_pre[pre],
                     (hbg_hybrid_variable){.kind = HBG_HYBRID_PRE, .of = pre, .text = text.data});
    }
}

static void add_variables(hybrid_map *map) {
    group_proof *proof = map->proof;
    formulas *f = &proof->f;
    int32_t most = proof->system->state_count + proof->model->signals.count + proof->model->automata.count +
                   proof->timing.clocks.count + proof->of.pre_count + proof->f.symbols.count + 1;
    map->symbols = HBG_NEW_ARRAY(proof->arena, formula, most + 1);
    for (int32_t i = 0; i < proof->system->state_count; i++)
        add_variable(
            map, proof->x[i],
            (hbg_hybrid_variable){.kind = HBG_HYBRID_STATE, .of = i, .start = map->request->states[i]});
    for (int32_t i = 0; i < proof->model->signals.count; i++)
        if (proof->timing.samples[i].ticks) add_sample(map, i);
    add_pres(map);
    for (int32_t i = 0; i < proof->model->automata.count; i++)
        if (waits(proof, i))
            add_variable(map, hbg_verify_formula_real(f, hbg_base_arena_print(f->arena, "wait'%d", (int)i)),
                         (hbg_hybrid_variable){.kind = HBG_HYBRID_WAIT, .of = i});
    for (int32_t i = 0; i < proof->timing.clocks.count; i++) {
        formula period = proof->timing.clocks.items[i].period;
        add_variable(map, hbg_verify_formula_real(f, hbg_base_arena_print(f->arena, "clock'%d", (int)i)),
                     (hbg_hybrid_variable){.kind = HBG_HYBRID_CLOCK,
                                           .of = i,
                                           .period = hbg_verify_formula_to_double(f, period)});
    }
    add_variable(map, proof->time, (hbg_hybrid_variable){.kind = HBG_HYBRID_TIME});
    hbg_verify_hybrid_saws(map);
    int32_t clocks = proof->timing.clocks.count + map->saws.count;
    if (clocks > CLOCK_LIMIT)
        hbg_verify_hybrid_refuse(map, proof->model->span, "it has clocks of %d periods, more than %d",
                                 (int)clocks, CLOCK_LIMIT);
}

/* ---- discrete states ------------------------------------------------------------------------------------------ */

static void explore_all(hybrid_map *map) {
    group_proof *proof = map->proof;
    hbg_verify_paths_map_begin(&map->ways, proof);
    hbg_verify_paths_reached(&map->ways.explorer, map->request->start);
    if (!hbg_verify_paths_map(&map->ways, MODE_LIMIT))
        hbg_verify_hybrid_refuse(map, proof->model->span, "instants lead to more than %d modes", MODE_LIMIT);
}

static void check_doubts(hybrid_map *map) {
    const group_proof *proof = map->proof;
    const char *why = hbg_verify_paths_map_doubt(&map->ways);
    if (why) hbg_verify_hybrid_refuse(map, proof->model->span, "its modes cannot be followed: %s", why);
    for (int32_t i = 0; i < proof->doubts.undefined.count; i++)
        HBG_PUSH(proof->arena, map->made->warnings,
                 hbg_base_arena_print(proof->arena,
                                      "where an expression has no value (%s) there is no transition",
                                      proof->doubts.undefined.items[i]));
}

/* ---- all of it ------------------------------------------------------------------------------------------------ */

static bool has_too_many(hybrid_map *map) {
    const hbg_model *model = map->proof->model;
    double count = 1;
    for (int32_t i = 0; i < model->automata.count; i++) count *= model->automata.items[i].state_count;
    if (count <= (double)MODE_LIMIT * MODE_LIMIT) return false;
    hbg_verify_hybrid_refuse(map, model->span,
                             "its %d automata have %.3g modes together, more than %d are not looked at",
                             (int)model->automata.count, count, MODE_LIMIT * MODE_LIMIT);
    return true;
}

hbg_hybrid hbg_verify_hybrid(hbg_arena *arena, hbg_verify_prover *prover, hbg_eqn *eqn,
                             const hbg_model *sorted, const hbg_hybrid_request *request,
                             const hbg_verify_options *options) {
    hbg_hybrid made = {.reason = NULL};
    hybrid_map map = {.request = request, .made = &made};
    if (!hbg_eqn_exact_open_whole(eqn)) {
        made.reason = "the mode it starts in has no valid causal assignment";
        made.place = sorted->span;
        return made;
    }
    map.proof = hbg_verify_group_begin(arena, prover, eqn, sorted, options, 0);
    if (!map.proof) {
        made.reason = "there is no memory for the prover";
        return made;
    }
    map.proof->instant.never_starts = true;
    hbg_verify_group_fix(map.proof, request->fixed);
    hbg_verify_group_ask(map.proof);
    map.proof->time = hbg_verify_formula_real(&map.proof->f, "time");
    if (!has_too_many(&map)) explore_all(&map);
    if (!made.reason) check_doubts(&map);
    if (!made.reason) add_variables(&map);
    if (!made.reason) hbg_verify_hybrid_join(&map);
    hbg_verify_formulas_end(&map.proof->f);
    return made;
}

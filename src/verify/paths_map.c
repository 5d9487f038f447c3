/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * All ways through an instant, discrete state by discrete state, for what is written from the event
 * iteration: a hybrid automaton, or a process. */
#include "verify/paths_impl.h"

#define COMMIT_LIMIT 32 /* commits of an instant that are followed */

void hbg_verify_paths_map_begin(path_map *map, group_proof *proof) {
    path_explorer *e = &map->explorer;
    e->proof = proof;
    e->commit_limit = COMMIT_LIMIT;
    e->maps = e->follows = true;
    e->entered = HBG_NEW_ARRAY(proof->arena, bool, proof->model->states.count + 1);
    e->fired = HBG_NEW_ARRAY(proof->arena, bool, proof->model->transitions.count + 1);
    hbg_base_pair_map_init(&e->met, proof->arena);
}

void hbg_verify_group_fix(group_proof *proof, const bool *fixed) {
    for (int32_t i = 0; i < proof->model->params.count; i++)
        if (fixed[i])
            proof->params.value[i] =
                (exact_value){.fin = hbg_verify_formula_double(&proof->f, proof->model->param_values[i])};
}

bool hbg_verify_paths_map_reads(const path_map *map, formula symbol) {
    formulas *f = &map->explorer.proof->f;
    int32_t states = map->explorer.proof->system->state_count;
    for (int32_t i = 0; i < map->modes.count; i++)
        for (int32_t k = 0; k < states && map->modes.items[i].rates; k++)
            if (map->modes.items[i].rates[k] &&
                hbg_verify_formula_reads(f, map->modes.items[i].rates[k], &symbol, 1))
                return true;
    for (int32_t i = 0; i < map->explorer.ways_found.count; i++) {
        const path_way *way = &map->explorer.ways_found.items[i];
        for (int32_t k = 0; k < way->condition_count; k++)
            if (hbg_verify_formula_reads(f, way->conditions[k], &symbol, 1)) return true;
        for (int32_t k = 0; k < states; k++)
            if (hbg_verify_formula_reads(f, way->x_plus[k], &symbol, 1)) return true;
    }
    return false;
}

/* Rates of all states while time advances. */
static void find_rates(group_proof *proof, path_mode *mode) {
    exact_past past = {.before = false};
    hbg_verify_formulas_push(&proof->f);
    if (hbg_verify_paths_open(proof, mode->states, &past)) {
        mode->flowed = proof->instant.flowed;
        past.before = true;
        past.first_pass = false;
        hbg_verify_paths_ins(proof, mode->states, &past, NULL);
        mode->rates = hbg_verify_paths_rates(proof, mode->states, &past);
    }
    hbg_verify_formulas_pop(&proof->f);
}

static void explore(path_map *map, const int32_t *states) {
    path_explorer *e = &map->explorer;
    path_mode mode = {.states = states, .first_way = e->ways_found.count};
    bool ends = e->ends;
    hbg_verify_paths_explore(e, states);
    mode.known = e->known - e->base;
    mode.given = e->given - e->base;
    int32_t exact = e->ways_found.count;
    e->edges = true;
    e->ends = false; // an endless way has no end beyond the edge, either
    hbg_verify_paths_explore(e, states);
    e->edges = false;
    e->ends = ends;
    for (int32_t i = exact; i < e->ways_found.count; i++) e->ways_found.items[i].on_edge = true;
    mode.way_count = e->ways_found.count - mode.first_way;
    find_rates(e->proof, &mode);
    HBG_PUSH(e->proof->arena, map->modes, mode);
}

bool hbg_verify_paths_map(path_map *map, int32_t mode_limit) {
    path_explorer *e = &map->explorer;
    for (int32_t i = 0; i < e->reached.count && i < mode_limit; i++) {
        if (map->runs_begin_first) e->proof->instant.never_starts = i > 0;
        explore(map, e->reached.items[i]);
        if (hbg_verify_formulas_spent(&e->proof->f)) break;
    }
    return e->reached.count <= mode_limit;
}

const char *hbg_verify_paths_map_doubt(const path_map *map) {
    const group_proof *proof = map->explorer.proof;
    const char *failure = hbg_verify_formulas_failure(&proof->f);
    return proof->f.account.no_memory ? failure
           : proof->doubts.impossible ? proof->doubts.impossible
           : proof->doubts.riddle     ? proof->doubts.riddle
           : map->explorer.open       ? map->explorer.open
                                      : failure;
}

int32_t hbg_verify_paths_map_find(const path_map *map, const int32_t *states) {
    size_t size = (size_t)map->explorer.proof->model->automata.count * sizeof *states;
    for (int32_t i = 0; i < map->modes.count; i++)
        if (memcmp(map->modes.items[i].states, states, size) == 0) return i;
    return HBG_NONE;
}

const char *hbg_verify_paths_mode_text(const group_proof *proof, const int32_t *states) {
    const hbg_model *model = proof->model;
    hbg_buffer text;
    hbg_base_buffer_init(&text, proof->arena);
    for (int32_t i = 0; i < model->automata.count; i++) {
        const hbg_automaton *of = &model->automata.items[i];
        const hbg_automaton_state *state = &model->states.items[of->first_state + states[i]];
        hbg_base_buffer_print(&text, "%s%s=%s", i > 0 ? "," : "", proof->system->automata[i].name,
                              hbg_base_names_get(model->names, state->name));
    }
    if (text.size == 0) hbg_base_buffer_text(&text, "the only mode");
    return text.data;
}

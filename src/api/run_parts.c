/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * A model that falls into independent parts of which several switch is run part by part: each is compiled
 * separately and has its own steps. Reports of the run are in terms of the whole; names show what belongs
 * together. */
#include <string.h>

#include "api/run_impl.h"

enum { STATES, INPUTS, PARAMS, CLOCKS, POWERS, STORAGES, BONDS, AUTOMATA, TABLES };

static int32_t count_of(const hbg_rt_description *system, int table) {
    const int32_t counts[] = {[STATES] = system->state_count, [INPUTS] = system->input_count,
                              [PARAMS] = system->param_count, [CLOCKS] = system->clock_count,
                              [POWERS] = system->power_count, [STORAGES] = system->storage_count,
                              [BONDS] = system->bond_count,   [AUTOMATA] = system->automaton_count};
    return counts[table];
}

static const char *name_of(const hbg_rt_description *system, int table, int32_t i) {
    switch (table) {
    case STATES: return system->states[i].name;
    case INPUTS: return system->inputs[i].name;
    case PARAMS: return system->params[i].name;
    case CLOCKS: return system->clocks[i].name;
    case POWERS: return system->powers[i].name;
    case STORAGES: return system->storages[i].name;
    case BONDS: return system->bonds[i].name;
    default: return system->automata[i].name;
    }
}

/* An element may have several lines in the ledger. */
static const char *key_of(hbg_buffer *text, const hbg_rt_description *system, int table, int32_t i) {
    text->size = 0;
    hbg_base_buffer_print(text, "%d %s", table == POWERS ? (int)system->powers[i].kind : 0,
                          name_of(system, table, i));
    return text->data;
}

/* Where the objects of the parts are in the whole. False if that is not known. */
static bool map_table(hbg_arena *arena, const hbg_run_state *state, int table, int32_t **maps) {
    const hbg_rt_description *whole = state->system;
    int32_t count = count_of(whole, table), found = 0;
    hbg_names names;
    hbg_buffer text;
    hbg_base_names_init(&names, arena);
    hbg_base_buffer_init(&text, arena);
    for (int32_t i = 0; i < count; i++) {
        const char *key = key_of(&text, whole, table, i);
        if (hbg_base_names_add(&names, key, text.size) != i + 1) return false; // two of one name
    }
    for (int32_t k = 0; k < state->part_count; k++) {
        const hbg_rt_description *part = state->parts[k].system;
        int32_t own = count_of(part, table);
        maps[k] = HBG_NEW_ARRAY(arena, int32_t, own + 1);
        for (int32_t i = 0; i < own; i++) {
            const char *key = key_of(&text, part, table, i);
            maps[k][i] = hbg_base_names_find(&names, key, text.size) - 1;
            if (maps[k][i] < 0) return false;
        }
        found += own;
    }
    return table == INPUTS || table == PARAMS ? found >= count : found == count; // these may be in several
}

static bool map_all(hbg_session *session, hbg_run_state *state, hbg_sim_part *made) {
    hbg_arena *arena = &session->scratch;
    int32_t **maps[TABLES];
    for (int table = 0; table < TABLES; table++) {
        maps[table] = HBG_NEW_ARRAY(arena, int32_t *, state->part_count + 1);
        if (!map_table(arena, state, table, maps[table])) return false;
    }
    for (int32_t i = 0; i < state->part_count; i++)
        made[i] = (hbg_sim_part){.system = state->parts[i].system,
                                 .instance = state->parts[i].instance,
                                 .states = maps[STATES][i],
                                 .outputs = state->parts[i].output_of,
                                 .inputs = maps[INPUTS][i],
                                 .params = maps[PARAMS][i],
                                 .clocks = maps[CLOCKS][i],
                                 .powers = maps[POWERS][i],
                                 .storages = maps[STORAGES][i],
                                 .bonds = maps[BONDS][i],
                                 .automata = maps[AUTOMATA][i]};
    return true;
}

/* ---- parts ready to run ------------------------------------------------------------------------------- */

hbg_eqn_options hbg_api_run_part_options(const hbg_run_state *state, const hbg_run_part *part) {
    return (hbg_eqn_options){state->experiment == HBG_NONE ? HBG_NONE : 0, part->outputs, part->output_count,
                             state->plan && state->plan->holds, state->plan && state->plan->lines};
}

static hbg_status make_part(hbg_session *session, hbg_run_state *state, const hbg_part *of,
                            hbg_run_part *made) {
    made->model = of->model;
    made->output_of = of->output_of;
    made->outputs = of->outputs;
    made->output_count = of->output_count;
    hbg_eqn_options options = hbg_api_run_part_options(state, made);
    HBG_TRY(hbg_api_run_make_code(session, state, of->model, &options, &made->code));
    made->system = hbg_code_system(made->code);
    made->instance = hbg_code_run(made->code);
    return made->instance ? HBG_OK : HBG_NO_MEMORY;
}

/* The values that the experiment gives parameters, as in hbg_api_run_set_params. */
static hbg_status set_params(hbg_session *session, const hbg_run_state *state, const hbg_sim_part *parts) {
    const hbg_model *model = state->model;
    for (int32_t k = 0; k < state->part_count; k++)
        for (int32_t i = 0; i < parts[k].system->param_count; i++) {
            int32_t param = parts[k].params[i];
            if (!hbg_api_run_sets_param(state, param)) continue;
            hbg_rt_status status = hbg_rt_set_param(parts[k].instance, i, model->param_values[param]);
            if (status != HBG_RT_OK)
                return hbg_api_session_fail(session, HBG_BAD_ARGUMENT,
                                            "the settings of the experiment cannot be used: %s",
                                            hbg_rt_status_text(status));
        }
    return HBG_OK;
}

hbg_status hbg_api_run_split(hbg_session *session, const hbg_sim_options *sim) {
    return sim->solver < HBG_SIM_EULER && sim->stop > 0 ? hbg_api_run_make_parts(session) : HBG_OK;
}

hbg_status hbg_api_run_make_parts(hbg_session *session) {
    hbg_arena *arena = &session->scratch;
    hbg_run_state *state = session->run;
    if (state->system->automaton_count < 2 || state->watched_count > 0 || state->choices)
        return HBG_OK; // watches read the whole, and choices are made in it
    hbg_parts parts = hbg_model_parts_find(arena, state->model, state->outputs, state->output_count);
    if (parts.count < 2 || parts.switching < 2) return HBG_OK;
    hbg_part *models = hbg_model_parts_copy(arena, state->model, &parts, state->experiment, state->outputs,
                                            state->output_count);
    state->parts = HBG_NEW_ARRAY(arena, hbg_run_part, parts.count + 1);
    int32_t roots = 0;
    for (int32_t i = 0; i < parts.count; i++) {
        state->part_count = i + 1; // freed with the run from here on
        HBG_TRY(make_part(session, state, &models[i], &state->parts[i]));
        state->parts[i].root_first = roots;
        roots += state->parts[i].system->root_count;
    }
    hbg_sim_part *made = HBG_NEW_ARRAY(arena, hbg_sim_part, parts.count + 1);
    if (!map_all(session, state, made)) return HBG_OK;
    HBG_TRY(set_params(session, state, made));
    state->apart = made;
    return HBG_OK;
}

void hbg_api_run_release_parts(hbg_run_state *state) {
    for (int32_t i = 0; i < state->part_count; i++) {
        hbg_run_part *part = &state->parts[i];
        if (part->instance) hbg_rt_free(part->instance);
        hbg_code_free(part->code);
        hbg_emit_unload(part->library);
    }
    state->part_count = 0;
}

const hbg_run_part *hbg_api_run_part_of_root(const hbg_run_state *state, int32_t *root) {
    int32_t low = 0, high = state->part_count;
    while (high - low > 1) {
        int32_t middle = low + (high - low) / 2;
        if (state->parts[middle].root_first <= *root)
            low = middle;
        else
            high = middle;
    }
    *root -= state->parts[low].root_first;
    return &state->parts[low];
}

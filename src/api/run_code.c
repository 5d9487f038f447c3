/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The code of a run: compiled from its model, or found in the image that the model was read from. An image
 * has code for several models: the whole, its parts, each without and with room for faults. A key identifies
 * the code of a run. */
#include <string.h>

#include "api/run_impl.h"

uint64_t hbg_api_run_code_key(hbg_arena *arena, const hbg_model *model, const hbg_eqn_options *options,
                              uint64_t *outputs) {
    const uint64_t *exprs = hbg_model_expr_keys(arena, model);
    for (int32_t i = 0; i < options->output_count; i++) outputs[i] = exprs[options->outputs[i].value];
    uint64_t key = hbg_model_key(arena, model, options->experiment, exprs);
    return options->may_move ? ~key : key;
}

/* ---- what is not in an image ---------------------------------------------------------------------------- */

static hbg_status no_code(hbg_session *session, const hbg_run_state *state) {
    const hbg_model *model = state->model;
    for (int32_t i = 0; state->plan && i < state->plan->fault_count; i++)
        if (state->plan->faults[i].text)
            return hbg_api_session_fail(
                session, HBG_BAD_ARGUMENT,
                "the image has no code with a place for the fault `%s`: compile the model with this fault",
                state->plan->faults[i].text);
    for (int32_t i = 0; i < model->params.count; i++)
        if (model->params.items[i].asked)
            return hbg_api_session_fail(
                session, HBG_BAD_ARGUMENT,
                "the image has no code for another value of `%s`, which decides the structure, a period or a "
                "wait: compile the model with this value",
                hbg_api_text_path(session, model, (hbg_object){HBG_OBJECT_PARAM, i}));
    return hbg_api_session_fail(
        session, HBG_BAD_ARGUMENT,
        "the image has no code for this: compile the model with what is asked for here");
}

/* As many of everything as the model has: the numbers are the same in both. */
static bool fits(const hbg_model *model, const hbg_rt_description *system, bool may_hold) {
    int32_t inputs = 0, clocks = 0;
    bool fine = system->param_count == model->params.count && system->bond_count == model->bonds.count &&
                system->automaton_count == model->automata.count;
    for (int32_t i = 0; i < model->signals.count; i++) {
        inputs += model->signals.items[i].kind == HBG_SIGNAL_INPUT;
        clocks += model->signals.items[i].every != HBG_NONE;
    }
    for (int32_t i = 0; fine && i < model->automata.count; i++) {
        fine = system->automata[i].state_count == model->automata.items[i].state_count;
        clocks += system->automata[i].every > 0;
    }
    return fine && system->input_count == inputs && system->clock_count == clocks &&
           (!may_hold || model->automata.count == 0 || system->has_events);
}

/* ---- finding it ------------------------------------------------------------------------------------------ */

static hbg_status choose_outputs(hbg_session *session, hbg_rt_loaded *loaded, const hbg_eqn_options *options,
                                 const uint64_t *keys) {
    const hbg_rt_package *package = hbg_rt_loaded_package(loaded);
    int32_t *chosen = HBG_NEW_ARRAY(&session->scratch, int32_t, options->output_count + 1);
    for (int32_t i = 0; i < options->output_count; i++) {
        int32_t k = 0;
        while (k < package->system->output_count &&
               (package->keys[k] != keys[i] ||
                strcmp(package->system->outputs[k].name, options->outputs[i].label) != 0))
            k++;
        if (k == package->system->output_count)
            return hbg_api_session_fail(
                session, HBG_BAD_ARGUMENT,
                "`%s` was not compiled and cannot be recorded: compile the model with "
                "`--record` of all that is of interest",
                options->outputs[i].label);
        chosen[i] = k;
    }
    return hbg_rt_loaded_choose(loaded, chosen, options->output_count) == HBG_RT_OK ? HBG_OK : HBG_NO_MEMORY;
}

static bool find_image(const hbg_rt_bundle *bundle, uint64_t key, hbg_rt_bundle_item *item) {
    for (int32_t i = 0; i < bundle->count; i++) {
        *item = hbg_rt_bundle_at(bundle, i);
        if (item->kind == HBG_RT_BUNDLE_IMAGE && item->key == key) return true;
    }
    return false;
}

static hbg_status load(hbg_session *session, const hbg_run_state *state, const hbg_model *model,
                       const hbg_eqn_options *options, hbg_code **code) {
    uint64_t *keys = HBG_NEW_ARRAY(&session->scratch, uint64_t, options->output_count + 1);
    uint64_t key = hbg_api_run_code_key(&session->scratch, model, options, keys);
    hbg_rt_bundle_item item;
    char reason[240] = "its code and its text do not belong together";
    if (!find_image(state->image, key, &item)) return no_code(session, state);
    *code = hbg_code_reserve(&session->scratch);
    hbg_rt_loaded **loaded = hbg_code_loaded(*code);
    hbg_rt_status status = hbg_rt_package_read(item.bytes, item.size, hbg_code_memory(&session->memory),
                                               loaded, reason, sizeof reason);
    if (status == HBG_RT_NO_MEMORY) return HBG_NO_MEMORY;
    if (status != HBG_RT_OK || !fits(model, hbg_rt_loaded_package(*loaded)->system, options->may_hold))
        return hbg_api_session_fail(session, HBG_BAD_ARGUMENT, "this is no image that hbg can run: %s",
                                    reason);
    HBG_TRY(choose_outputs(session, *loaded, options, keys));
    hbg_code_begin(*code);
    return HBG_OK;
}

hbg_status hbg_api_run_make_code(hbg_session *session, const hbg_run_state *state, const hbg_model *model,
                                 const hbg_eqn_options *options, hbg_code **code) {
    if (state->image) return load(session, state, model, options, code);
    *code = hbg_code_new(&session->scratch, model, options);
    return *code ? HBG_OK : HBG_BAD_MODEL;
}

/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Parameters that the run moves: straight lines in time, for faults that grow. Before anything is evaluated at a time they are put
 * there, and of what parameters decide the part that follows them is computed anew: stages of a method, located relations and rows
 * all see the line, and no code knows of it. */
#include <math.h>

#include "eqn/instance_impl.h"

bool hbg_eqn_lines_init(hbg_rt_instance *run) {
    size_t size = ((size_t)run->eqn->model->params.count + 1) * sizeof(double);
    run->lines.value = hbg_memory_alloc(run->memory, size);
    run->lines.slope = hbg_memory_alloc(run->memory, size);
    run->lines.moving = hbg_memory_alloc(run->memory, size);
    run->lines.at = NAN;
    run->lines.known = -1;
    return run->lines.value && run->lines.slope && run->lines.moving;
}

static void free_code(hbg_rt_instance *run) {
    param_lines *lines = &run->lines;
    if (lines->code)
        hbg_memory_free(run->memory, lines->code, (size_t)lines->code_capacity * sizeof *lines->code);
    lines->code = NULL;
    lines->code_capacity = lines->code_count = 0;
}

void hbg_eqn_lines_fini(hbg_rt_instance *run) {
    size_t size = ((size_t)run->eqn->model->params.count + 1) * sizeof(double);
    free_code(run);
    if (run->lines.value) hbg_memory_free(run->memory, run->lines.value, size);
    if (run->lines.slope) hbg_memory_free(run->memory, run->lines.slope, size);
    if (run->lines.moving) hbg_memory_free(run->memory, run->lines.moving, size);
}

/* ---- what follows --------------------------------------------------------------------------------------- */

static bool reads(const instruction *code, const bool *hit, int32_t registers) {
    if (code->op == CODE_SOLVE) return true; // what a loop reads is not among its arguments
    for (int i = 0; i < 3; i++)
        if (code->argument[i] >= 0 && code->argument[i] < registers && hit[code->argument[i]]) return true;
    return false;
}

/* Without memory for the list all of the prologue follows. */
static void list_code(hbg_rt_instance *run) {
    param_lines *lines = &run->lines;
    size_t registers = (size_t)run->register_capacity, count = (size_t)run->prologue_done + 1;
    bool *hit = hbg_memory_alloc(run->memory, registers + 1);
    free_code(run);
    lines->known = run->prologue_done;
    lines->code = hit ? hbg_memory_alloc(run->memory, count * sizeof *lines->code) : NULL;
    if (lines->code) lines->code_capacity = (int32_t)count;
    for (int32_t i = 0; lines->code && i < lines->count; i++)
        hit[run->eqn->home[run->eqn->first[VARIABLE_PARAM] + lines->moving[i]]] = true;
    for (int32_t i = 0; lines->code && i < run->prologue_done; i++) {
        const instruction *code = &run->view.prologue[i];
        if (!reads(code, hit, run->register_capacity)) continue;
        if (code->d >= 0) hit[code->d] = true;
        lines->code[lines->code_count++] = i;
    }
    if (hit) hbg_memory_free(run->memory, hit, registers + 1);
}

hbg_rt_status hbg_eqn_follow_lines(hbg_rt_instance *run, double t) {
    param_lines *lines = &run->lines;
    hbg_rt_status status = HBG_RT_OK;
    if (lines->wait || (t == lines->at && lines->known == run->prologue_done)) return HBG_RT_OK;
    if (lines->known != run->prologue_done) list_code(run);
    for (int32_t i = 0; i < lines->count; i++) {
        int32_t param = lines->moving[i];
        *hbg_eqn_home_of(run, VARIABLE_PARAM, param) = lines->value[param] + lines->slope[param] * t;
    }
    lines->at = t;
    run->version++; // factors of constant loops are those of old parameters
    if (!lines->code) return hbg_eqn_follow_params(run);
    for (int32_t i = 0; i < lines->code_count && status == HBG_RT_OK; i++)
        status = hbg_eqn_execute(run, run->view.prologue + lines->code[i], 1);
    return status;
}

hbg_rt_status hbg_eqn_set_line(hbg_rt_instance *run, int32_t param, double t, double value, double slope) {
    param_lines *lines = &run->lines;
    hbg_rt_status status = HBG_RT_OK;
    if (lines->count > 0) status = hbg_eqn_follow_lines(run, t); // what was before, at this very time
    if (status == HBG_RT_OK) status = run->eqn->system.set_param(run, param, value + slope * t);
    lines->value[param] = value;
    lines->slope[param] = slope;
    lines->count = 0;
    for (int32_t i = 0; i < run->eqn->model->params.count; i++)
        if (lines->slope[i] != 0) lines->moving[lines->count++] = i;
    lines->known = -1;
    lines->at = NAN;
    if (lines->count > 0 && status == HBG_RT_OK) status = hbg_eqn_follow_lines(run, t);
    return status;
}

bool hbg_eqn_derives(const hbg_eqn *eqn) {
    for (int32_t i = 0; i < eqn->pre.count; i++)
        if (eqn->model->exprs.items[eqn->pre.items[i]].op == HBG_OP_DER) return true;
    return eqn->dependents.count > 0;
}

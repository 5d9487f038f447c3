/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The check of a model: its passes in order. Each pass is linear in the model and reports all it finds. What
 * the front end could not understand is HBG_NONE in the tables; the passes treat it as unknown and do not
 * report it. */
#include "model/model_impl.h"

/* Whether the errors of the front end may have kept bonds out of the model. */
static bool bonds_lost(const hbg_model *model) {
    const hbg_diagnostics *diagnostics = model->diagnostics;
    if (diagnostics->errors > model->before.errors && !hbg_base_report_wanted(diagnostics, HBG_ERROR))
        return true;
    for (int32_t i = model->before.items; i < diagnostics->items.count; i++) {
        const hbg_diagnostic *item = &diagnostics->items.items[i];
        if (item->severity != HBG_ERROR) continue;
        switch (item->id) {
        case HBG_E_NUMBER:
        case HBG_E_TABLE:
        case HBG_E_ARGUMENT:
        case HBG_E_UNASSIGNED:
        case HBG_E_UNIT_UNKNOWN: break;
        default: return true;
        }
    }
    return false;
}

/* What a sweep varies, and what depends on it. */
static const bool *find_swept(hbg_check *check) {
    const hbg_model *model = check->model;
    int32_t last = model->experiments.count - 1;
    bool *swept = NULL;
    for (int32_t i = 0; last >= 0 && i < model->experiments.items[last].axes.count; i++) {
        const bool *more =
            hbg_model_check_hanging(check, model->experiments.items[last].axes.items[i].param, NULL);
        if (!swept) swept = HBG_NEW_ARRAY(check->scratch, bool, model->exprs.count + 1);
        for (int32_t k = 0; k < model->exprs.count; k++) swept[k] = swept[k] || more[k];
    }
    return swept;
}

static void begin(hbg_check *check, hbg_model *model) {
    hbg_model_check_init(check, model, model->diagnostics, model->scratch);
    check->bonds_lost = bonds_lost(model);
    check->had_errors = model->diagnostics->errors > model->before.errors;
    for (int32_t i = 0; i < model->params.count; i++)
        check->asked = check->asked || model->params.items[i].asked;
}

void hbg_model_check(hbg_model *model) {
    hbg_check check;
    begin(&check, model);
    hbg_model_check_structure(&check);
    hbg_model_check_marks(&check);
    hbg_model_check_laws(&check);
    hbg_model_facts_build(&check);
    hbg_model_flow_build(&check);
    hbg_model_check_types(&check);
    check.swept = find_swept(&check);
    hbg_model_check_constants(&check);
    hbg_model_check_units(&check);
    hbg_model_check_experiments(&check);
    hbg_model_check_automata(&check);
    hbg_model_check_guards(&check);
    hbg_model_check_samples(&check);
    hbg_model_check_signals(&check);
    hbg_model_check_ins(&check);
    hbg_model_check_restitution(&check);
    hbg_model_check_choices(&check);
    hbg_model_check_unused(&check);
    model->frozen = true;
}

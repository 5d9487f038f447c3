/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Tables over time that jump: no action falls on that moment, but they cause the event. A table that an input
 * follows is named after the input. */
#include <math.h>

#include "api/run_events_impl.h"
#include "rt/bands.h"

static bool is_over_time(const hbg_model *model, hbg_expr expr) {
    const hbg_expr_node *node = &model->exprs.items[expr];
    return node->op == HBG_OP_TABLE && model->exprs.items[node->a].op == HBG_OP_TIME;
}

static bool has_jump(const hbg_table *table) {
    for (int32_t i = 1; i < table->count; i++)
        if (table->x[i] == table->x[i - 1] && table->y[i] != table->y[i - 1]) return true;
    return false;
}

/* The input that follows the expression while nothing sets it, counted as the system counts inputs. */
static int32_t input_given_by(const hbg_model *model, hbg_expr expr, const char **unit) {
    int32_t input = 0;
    for (int32_t i = 0; i < model->signals.count; i++) {
        if (model->signals.items[i].kind != HBG_SIGNAL_INPUT) continue;
        *unit = model->signals.items[i].unit;
        if (model->signals.items[i].value == expr) return input;
        input++;
    }
    return HBG_NONE;
}

void hbg_api_run_events_prepare_courses(hbg_session *session, hbg_run_events *events) {
    const hbg_model *model = events->state->model;
    events->courses = HBG_NEW_ARRAY(&session->scratch, hbg_run_course, model->tables.count + 1);
    for (hbg_expr i = 0; i < model->exprs.count; i++) {
        if (events->course_count == model->tables.count || !is_over_time(model, i)) continue;
        int32_t table = model->exprs.items[i].b;
        if (!has_jump(&model->tables.items[table])) continue;
        hbg_run_course *course = &events->courses[events->course_count++];
        const char *unit = NULL;
        course->table = table;
        course->input = input_given_by(model, i, &unit);
        bool given = course->input != HBG_NONE;
        course->name =
            given ? events->state->system->inputs[course->input].name : hbg_api_text_expr(session, model, i);
        course->unit = given ? events->state->system->inputs[course->input].unit
                             : hbg_api_text_unit(session, model->tables.items[table].dimension);
    }
}

bool hbg_api_run_event_course(const hbg_run_events *events, const hbg_sim_event *event, int32_t course,
                              double *value) {
    const hbg_run_course *of = &events->courses[course];
    const hbg_table *table = &events->state->model->tables.items[of->table];
    if (!event->planned || events->count == 0) return false;
    if (of->input != HBG_NONE && !isnan(hbg_api_run_event_input(events, of->input, event->t))) return false;
    for (int32_t i = 1; i < table->count; i++) {
        bool now = fabs(table->x[i] - event->t) <= HBG_RT_TOLD_INSTANT * fabs(event->t);
        if (!now || table->x[i] != table->x[i - 1] || table->y[i] == table->y[i - 1]) continue;
        *value = table->y[i];
        return true;
    }
    return false;
}

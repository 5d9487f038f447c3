/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The slice of the phase space that is drawn. A variable on no axis has the user's value; else the one a run
 * begins with, if the model's ranges allow it, or the middle of its range. An energy variable that would hide
 * the switching that way, such as a body in the air, is 0 instead. The axes go as far as something changes on
 * them. */
#include <math.h>
#include <string.h>

#include "api/verify_plot_impl.h"

/* ---- quantities --------------------------------------------------------------------------------------------- */

static void add(phase_plot *p, hbg_point_part part, int32_t index, const char *name, const char *unit,
                double *value) {
    plot_quantity made = {.part = part, .index = index, .name = name, .unit = unit ? unit : ""};
    made.value = value;
    HBG_PUSH(&p->report->session->scratch, p->all, made);
}

static const char *path_of(phase_plot *p, hbg_object_kind kind, int32_t index) {
    hbg_buffer name;
    hbg_base_buffer_init(&name, &p->report->session->scratch);
    hbg_model_path(p->report->model, (hbg_object){kind, index}, &name);
    return name.data;
}

/* The unit of an input is known to the system. */
static const char *signal_unit(const phase_plot *p, const char *name) {
    const hbg_eqn_outline *system = p->report->system;
    for (int32_t i = 0; i < system->input_count; i++)
        if (strcmp(system->inputs[i].name, name) == 0) return system->inputs[i].unit;
    return "";
}

static void list_quantities(phase_plot *p) {
    const hbg_model *model = p->report->model;
    const hbg_eqn_outline *system = p->report->system;
    for (int32_t i = 0; i < system->state_count; i++)
        add(p, HBG_POINT_STATE, i, system->states[i].name, system->states[i].unit, &p->states[i]);
    for (int32_t i = 0; i < model->signals.count; i++) {
        const hbg_signal *signal = &model->signals.items[i];
        const char *name = path_of(p, HBG_OBJECT_SIGNAL, i);
        if (signal->kind != HBG_SIGNAL_INPUT && signal->every == HBG_NONE) continue;
        add(p, HBG_POINT_SIGNAL, i, name, signal_unit(p, name), &p->signals[i]);
        p->all.items[p->all.count - 1].is_truth = signal->type != HBG_TYPE_REAL;
    }
    for (int32_t i = 0; i < model->params.count; i++)
        if (!model->params.items[i].asked)
            add(p, HBG_POINT_PARAM, i, system->params[i].name, system->params[i].unit, &p->params[i]);
    add(p, HBG_POINT_TIME, 0, "time", "s", &p->point.time);
}

static void read_ranges(phase_plot *p) {
    const hbg_model *model = p->report->model;
    for (int32_t i = 0; i < model->ranges.count; i++) {
        hbg_buffer name;
        hbg_base_buffer_init(&name, &p->report->session->scratch);
        hbg_model_print_expr(model, model->ranges.items[i].value, &name);
        for (int32_t k = 0; k < p->all.count; k++) {
            plot_quantity *at = &p->all.items[k];
            if (strcmp(at->name, name.data) != 0) continue;
            at->has_range = hbg_model_constant(model, model->ranges.items[i].low, &at->low) &&
                            hbg_model_constant(model, model->ranges.items[i].high, &at->high);
        }
    }
}

static void read_nominal(phase_plot *p) {
    const hbg_model *model = p->report->model;
    const hbg_rt_description *system = p->report->session->run->system;
    double *start = HBG_NEW_ARRAY(&p->report->session->scratch, double, system->state_count + 1);
    hbg_rt_instance *instance = hbg_code_run(p->report->session->run->code);
    if (instance) {
        if (hbg_rt_declare(instance, start) != HBG_RT_OK)
            memset(start, 0, (size_t)system->state_count * sizeof *start);
        hbg_rt_free(instance);
    }
    for (int32_t i = 0; i < p->all.count; i++) {
        plot_quantity *at = &p->all.items[i];
        double value = 0;
        hbg_expr given = HBG_NONE;
        if (at->part == HBG_POINT_STATE) value = start[at->index];
        if (at->part == HBG_POINT_SIGNAL && model->signals.items[at->index].kind == HBG_SIGNAL_INPUT)
            given = model->signals.items[at->index].value;
        if (at->part == HBG_POINT_PARAM) given = model->params.items[at->index].value;
        if (given != HBG_NONE && !hbg_model_constant(model, given, &value)) value = 0;
        if (at->has_range && !(value >= at->low && value <= at->high)) value = (at->low + at->high) / 2;
        at->nominal = *at->value = isfinite(value) ? value : 0;
    }
}

/* ---- what the user says ------------------------------------------------------------------------------------- */

static hbg_status find(phase_plot *p, const char *name, size_t size, bool axis, int32_t *found) {
    hbg_session *session = p->report->session;
    const char *wanted = hbg_base_arena_copy(&session->scratch, name, size);
    hbg_nearest nearest;
    hbg_buffer names;
    int32_t listed = 0;
    hbg_base_nearest_init(&nearest, wanted);
    hbg_base_buffer_init(&names, &session->scratch);
    for (*found = 0; *found < p->all.count; ++*found) {
        const plot_quantity *at = &p->all.items[*found];
        bool offered = at->part != HBG_POINT_PARAM || at->has_range; // others have one value
        if (axis && at->is_truth && strcmp(at->name, wanted) == 0)
            return hbg_api_session_fail(session, HBG_BAD_ARGUMENT,
                                        "`%s` is true or false and no axis; --at %s=true draws the one slice",
                                        wanted, wanted);
        if (axis && at->is_truth) offered = false;
        if (offered && strcmp(at->name, wanted) == 0) return HBG_OK;
        if (!offered) continue;
        hbg_base_nearest_offer(&nearest, at->name);
        if (listed++ < 12) hbg_base_buffer_print(&names, "%s`%s`", listed > 1 ? ", " : "", at->name);
    }
    const char *what =
        axis ? "energy variable or real input" : "energy variable, input or parameter with a range";
    if (nearest.best)
        return hbg_api_session_fail(session, HBG_NOT_FOUND, "there is no %s `%s`; did you mean `%s`?", what,
                                    wanted, nearest.best);
    return hbg_api_session_fail(session, HBG_NOT_FOUND, "there is no %s `%s`; there %s %s%s", what, wanted,
                                listed == 1 ? "is" : "are", listed > 0 ? names.data : "none",
                                listed > 12 ? " and more" : "");
}

static hbg_status find_axes(phase_plot *p, const char *axes) {
    hbg_session *session = p->report->session;
    size_t first = strcspn(axes, ",");
    bool any = false;
    for (int32_t i = 0; i < p->all.count; i++) any |= p->all.items[i].part == HBG_POINT_STATE;
    if (!any)
        return hbg_api_session_fail(session, HBG_NOT_FOUND,
                                    "%s stores no energy and has no state: it has no phase space to draw",
                                    hbg_model_title(p->report->model));
    if (axes[first] != ',' || strchr(axes + first + 1, ','))
        return hbg_api_session_fail(session, HBG_BAD_ARGUMENT,
                                    "a phase space has two axes: --plot coil.p,store.q");
    HBG_TRY(find(p, axes, first, true, &p->x));
    HBG_TRY(find(p, axes + first + 1, strlen(axes + first + 1), true, &p->y));
    if (p->x == p->y)
        return hbg_api_session_fail(session, HBG_BAD_ARGUMENT,
                                    "a phase space has two different axes, not `%s` twice",
                                    p->all.items[p->x].name);
    return HBG_OK;
}

static hbg_status set_value(phase_plot *p, const char *text, size_t size) {
    hbg_session *session = p->report->session;
    size_t name = 0;
    int32_t found;
    while (name < size && text[name] != '=') name++;
    if (name == size)
        return hbg_api_session_fail(session, HBG_BAD_ARGUMENT, "`%.*s` says no value: --at x=0.5", (int)size,
                                    text);
    HBG_TRY(find(p, text, name, false, &found));
    plot_quantity *at = &p->all.items[found];
    if (found == p->x || found == p->y)
        return hbg_api_session_fail(session, HBG_BAD_ARGUMENT,
                                    "`%s` is an axis of the picture: it has all values", at->name);
    const char *value = text + name + 1;
    size_t rest = size - name - 1;
    at->is_set = true;
    if (at->is_truth && rest == 4 && memcmp(value, "true", 4) == 0) {
        *at->value = 1;
    } else if (at->is_truth && rest == 5 && memcmp(value, "false", 5) == 0) {
        *at->value = 0;
    } else if (at->is_truth || !hbg_base_double_parse(value, rest, at->value) || !isfinite(*at->value)) {
        return hbg_api_session_fail(
            session, HBG_BAD_ARGUMENT, "`%.*s` is no value of `%s`: %s", (int)rest, value, at->name,
            at->is_truth       ? "true or false"
            : at->unit[0] != 0 ? hbg_base_arena_print(&session->scratch, "a number, in %s", at->unit)
                               : "a number");
    }
    if (at->has_range && !(*at->value >= at->low && *at->value <= at->high))
        return hbg_api_session_fail(session, HBG_BAD_ARGUMENT,
                                    "%s = %g is outside of its range in the model, %g to %g", at->name,
                                    *at->value, at->low, at->high);
    return HBG_OK;
}

hbg_status hbg_api_plot_slice_init(phase_plot *p, const verify_report *report, const char *axes,
                                   const char *const *at, int at_count) {
    hbg_arena *scratch = &report->session->scratch;
    *p = (phase_plot){.report = report, .phase = HBG_NONE};
    p->states = HBG_NEW_ARRAY(scratch, double, report->system->state_count + 1);
    p->signals = HBG_NEW_ARRAY(scratch, double, report->model->signals.count + 1);
    p->params = HBG_NEW_ARRAY(scratch, double, report->model->params.count + 1);
    p->point = (hbg_point){.states = p->states, .signals = p->signals, .params = p->params};
    list_quantities(p);
    read_ranges(p);
    read_nominal(p);
    HBG_TRY(find_axes(p, axes));
    for (int i = 0; i < at_count; i++)
        for (const char *text = at[i];;) {
            size_t size = strcspn(text, ",");
            HBG_TRY(set_value(p, text, size));
            if (!text[size]) break;
            text += size + 1;
        }
    return HBG_OK;
}

/* ---- the group ---------------------------------------------------------------------------------------------- */

static bool group_reads(const hbg_group_result *group, const plot_quantity *of) {
    for (int32_t i = 0; i < group->phase_count; i++)
        if (hbg_verify_condition_reads(group->phases[i].departed, of->part, of->index)) return true;
    for (int32_t i = 0; i < group->finding_count; i++)
        for (int32_t k = 0; k < group->findings[i].where_count; k++)
            if (hbg_verify_condition_reads(group->findings[i].where[k].where, of->part, of->index))
                return true;
    return false;
}

static hbg_status find_group(phase_plot *p, const char *axes) {
    const hbg_consistency_result *result = p->report->result;
    int best = 0;
    for (int32_t i = 0; i < result->group_count; i++) {
        const hbg_group_result *group = &result->groups[i];
        int reads = group_reads(group, &p->all.items[p->x]) + group_reads(group, &p->all.items[p->y]);
        int rank = reads == 0 ? 0 : 2 * reads + (group->verdict == HBG_VERDICT_WITNESS);
        if (rank > best) p->group = group;
        best = rank > best ? rank : best;
    }
    if (p->group) return HBG_OK;
    for (int32_t i = 0; i < result->group_count; i++)
        if (result->groups[i].phase_count == 0)
            return hbg_api_session_fail(p->report->session, HBG_NOT_FOUND, "there is nothing to draw: %s",
                                        result->groups[i].reason ? result->groups[i].reason
                                                                 : "no areas are known");
    return hbg_api_session_fail(p->report->session, HBG_NOT_FOUND,
                                "no switching depends on %s at an instant: there is nothing to draw", axes);
}

/* ---- values ------------------------------------------------------------------------------------------------- */

void hbg_api_plot_set(phase_plot *p, double x, double y) {
    *p->all.items[p->x].value = x;
    *p->all.items[p->y].value = y;
}

/* How many different things a grid without a scale shows. */
static int32_t count_places(phase_plot *p) {
    static const double values[] = {0,     1e-6, -1e-6, 1e-4, -1e-4, 1e-3, -1e-3, 1e-2,
                                    -1e-2, 0.1,  -0.1,  1,    -1,    10,   -10};
    enum { VALUES = sizeof values / sizeof *values };
    uint64_t found[64];
    int32_t count = 0;
    for (int i = 0; i < VALUES * VALUES && count < 64; i++) {
        hbg_api_plot_set(p, values[i % VALUES], values[i / VALUES]);
        uint64_t now = hbg_api_plot_look(p);
        int32_t k = 0;
        while (k < count && found[k] != now) k++;
        if (k == count) found[count++] = now;
    }
    return count;
}

static void choose_values(phase_plot *p) {
    for (int32_t i = 0; i < p->all.count; i++) {
        plot_quantity *at = &p->all.items[i];
        bool fixed = at->has_range && !(at->low < 0 && at->high > 0);
        if (at->part != HBG_POINT_STATE || !at->is_read || at->is_set || fixed || at->nominal == 0 ||
            i == p->x || i == p->y)
            continue;
        int32_t seen = count_places(p);
        *at->value = 0;
        if (count_places(p) <= seen) *at->value = at->nominal;
    }
}

hbg_status hbg_api_plot_slice_choose(phase_plot *p, const char *axes) {
    HBG_TRY(find_group(p, axes));
    for (int32_t i = 0; i < p->all.count; i++)
        p->all.items[i].is_read = group_reads(p->group, &p->all.items[i]);
    choose_values(p);
    const plot_quantity *x = &p->all.items[p->x], *y = &p->all.items[p->y];
    p->map.x = (hbg_draw_range){x->name, x->unit, -1, 1};
    p->map.y = (hbg_draw_range){y->name, y->unit, -1, 1};
    hbg_api_plot_choose_ranges(p);
    return HBG_OK;
}

const char *hbg_api_plot_slice_text(const phase_plot *p) {
    hbg_buffer text;
    hbg_base_buffer_init(&text, &p->report->session->scratch);
    for (int32_t i = 0; i < p->all.count; i++) {
        const plot_quantity *at = &p->all.items[i];
        if (!at->is_read || i == p->x || i == p->y) continue;
        hbg_base_buffer_text(&text, text.size ? ", " : "");
        if (at->is_truth)
            hbg_base_buffer_print(&text, "%s %s", at->name, *at->value != 0 ? "true" : "false");
        else
            hbg_base_buffer_print(&text, "%s = %.6g%s%s", at->name, *at->value == 0 ? 0.0 : *at->value,
                                  at->unit[0] ? " " : "", at->unit);
    }
    return text.size ? text.data : "";
}

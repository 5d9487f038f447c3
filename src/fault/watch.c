/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Elements whose values the system modulates, or that are nonlinear in time by themselves: only the run knows
 * whether faults, `-p` or a sweep make them invalid. The code for that must not depend on which elements are
 * affected, or each set of faults would have separate code: if one is, all that could be are watched,
 * relative to their nominal values, without faults and changes, which further parameters hold. The affected
 * elements are judged. */
#include <math.h>
#include <string.h>

#include "fault/fault_impl.h"

enum {
    MOST_WATCHED = 256, /* entries of a matrix that the run examines in every step */
    MOST_ENTRIES = 2000 /* of all; if there are more, only the judged elements are watched */
};

/* ---- changing expressions ------------------------------------------------------------------------------ */

/* By expression, how it depends on time between settings: 0 not at all, 1 linearly, so its ends suffice, 2 in
 * another way; `dark` if that is not known before the run. */
static const uint8_t *find_courses(hbg_arena *arena, const hbg_fault_plan *plan, bool *dark) {
    const hbg_model *model = plan->model;
    bool *is_line = HBG_NEW_ARRAY(arena, bool, model->params.count + 1);
    for (int32_t i = 0; i < plan->fault_count * PLACE_COUNT; i++)
        if (plan->places[i] != HBG_NONE && hbg_fault_creeps(&plan->faults[i / PLACE_COUNT]))
            is_line[plan->places[i]] = true;
    uint8_t *course = HBG_NEW_ARRAY(arena, uint8_t, model->exprs.count + 1);
    for (int32_t i = 0; i < model->exprs.count; i++) {
        const hbg_expr_node *node = &model->exprs.items[i];
        int of[3] = {0, 0, 0}, arity = hbg_model_expr_arity(node);
        dark[i] = node->op == HBG_OP_TIME || node->op >= HBG_OP_TABLE;
        for (int k = 0; k < arity; k++) {
            hbg_expr part = hbg_model_expr_argument(node, k);
            of[k] = part < 0 ? 0 : course[part];
            dark[i] |= part >= 0 && dark[part];
        }
        int most = of[0] > of[1] ? of[0] : of[1];
        if (node->op == HBG_OP_TIME || (node->op == HBG_OP_PARAM && node->a >= 0 && is_line[node->a]))
            most = 1;
        else if (node->op == HBG_OP_MULTIPLY)
            most = of[0] + of[1];
        else if (node->op == HBG_OP_DIVIDE)
            most = of[1] > 0 ? 2 : of[0];
        else if (node->op != HBG_OP_ADD && node->op != HBG_OP_SUBTRACT && node->op != HBG_OP_NEGATE)
            most = most + of[2] > 0 ? 2 : 0;
        course[i] = (uint8_t)(most > 2 ? 2 : most);
    }
    return course;
}

/* By expression whether it reads one of these parameters; NULL: any. */
static void find_reading(const hbg_model *model, const bool *params, bool *reads) {
    for (int32_t i = 0; i < model->exprs.count; i++) {
        const hbg_expr_node *node = &model->exprs.items[i];
        reads[i] = node->op == HBG_OP_PARAM && node->a >= 0 && (!params || params[node->a]);
        for (int k = 0; k < hbg_model_expr_arity(node); k++) {
            hbg_expr part = hbg_model_expr_argument(node, k);
            reads[i] |= part >= 0 && reads[part];
        }
    }
}

/* Finds parameters that have, or will have, other values than declared; `hangs`: by expression, whether it
 * depends on them. */
static bool find_moved(const hbg_model *model, bool *moved, bool *hangs) {
    bool any = false, more = true;
    for (int32_t i = 0; i < model->params.count && model->param_declared; i++)
        moved[i] |= model->params.items[i].asked;
    for (int32_t i = 0; i < model->experiments.count; i++) { // swept parameters are set by the request
        const hbg_experiment *experiment = &model->experiments.items[i];
        for (int32_t k = 0; experiment->name == 0 && k < experiment->settings.count; k++)
            if (experiment->settings.items[k].target.kind == HBG_OBJECT_PARAM)
                moved[experiment->settings.items[k].target.index] = true;
    }
    for (int32_t i = 0; i < model->params.count; i++) any |= moved[i];
    while (any && more) {
        more = false;
        find_reading(model, moved, hangs);
        for (int32_t i = 0; i < model->params.count; i++) {
            hbg_expr value = model->params.items[i].value;
            if (moved[i] || value < 0 || !hangs[value]) continue;
            moved[i] = more = true;
        }
    }
    return any;
}

/* ---- elements to watch --------------------------------------------------------------------------------- */

static bool has_entries(const hbg_element *element) {
    return element->value_count > 0 && element->value_count <= MOST_WATCHED;
}

/* By element whether it is judged in the run. An element that is nonlinear only in incipient faults is judged
 * closely before. */
static bool find_judged(hbg_arena *arena, const hbg_fault_plan *plan, const hbg_passives *passives,
                        const bool *hangs, bool *dark, bool *bends, bool *judged) {
    const hbg_model *model = plan->model;
    const uint8_t *course = find_courses(arena, plan, dark);
    bool any = false;
    for (int32_t i = 0; i < model->elements.count; i++) {
        const hbg_element *element = &model->elements.items[i];
        if (!has_entries(element) || !hbg_model_passive_hangs(passives, i, hangs)) continue;
        bool bent = false, unseen = hbg_model_passive_is_modulated(passives, i);
        for (int32_t k = 0; k < element->value_count; k++) {
            hbg_expr value = model->entries.items[element->first_value + k];
            bent |= value >= 0 && course[value] > 1;
            unseen |= value >= 0 && course[value] > 1 && dark[value];
        }
        bends[i] = bent && !unseen;
        any |= judged[i] = unseen;
    }
    return any;
}

/* By element whether it could be judged with other faults or parameters; returns how many entries these
 * have. */
static int64_t find_possible(const hbg_model *model, const hbg_passives *passives, const bool *reads,
                             const bool *dark, bool *possible) {
    int64_t entries = 0;
    for (int32_t i = 0; i < model->elements.count; i++) {
        const hbg_element *element = &model->elements.items[i];
        if (!has_entries(element) || !hbg_model_passive_hangs(passives, i, reads)) continue;
        possible[i] = hbg_model_passive_is_modulated(passives, i);
        for (int32_t k = 0; k < element->value_count; k++) {
            hbg_expr value = model->entries.items[element->first_value + k];
            possible[i] |= value >= 0 && dark[value];
        }
        entries += possible[i] ? element->value_count : 0;
    }
    return entries;
}

static void list_watched(hbg_arena *arena, hbg_fault_plan *plan, const bool *watched, const bool *judged) {
    int32_t elements = plan->model->elements.count;
    plan->watched = HBG_NEW_ARRAY(arena, hbg_fault_watched, elements + 1);
    for (int32_t i = 0; i < elements; i++)
        if (watched[i]) plan->watched[plan->watched_count++] = (hbg_fault_watched){i, judged[i]};
}

/* ---- their values -------------------------------------------------------------------------------------- */

/* By parameter whether the watched values read it. In sorted models every expression comes after its
 * parts. */
static void find_read(hbg_arena *arena, const hbg_fault_plan *plan, bool *is_read) {
    const hbg_model *model = plan->model;
    bool *needed = HBG_NEW_ARRAY(arena, bool, model->exprs.count + 1);
    for (int32_t i = 0; i < plan->watched_count; i++) {
        const hbg_element *element = &model->elements.items[plan->watched[i].element];
        for (int32_t k = 0; k < element->value_count; k++) {
            hbg_expr value = model->entries.items[element->first_value + k];
            if (value >= 0) needed[value] = true;
        }
    }
    for (int32_t i = model->exprs.count - 1; i >= 0; i--) {
        const hbg_expr_node *node = &model->exprs.items[i];
        if (needed[i] && node->op == HBG_OP_PARAM && node->a >= 0) is_read[node->a] = true;
        for (int k = 0; needed[i] && k < hbg_model_expr_arity(node); k++) {
            hbg_expr part = hbg_model_expr_argument(node, k);
            if (part >= 0) needed[part] = true;
        }
    }
}

static void *enlarge(hbg_arena *arena, const void *old, int32_t count, int32_t more, size_t size) {
    void *larger = hbg_base_arena_alloc(arena, ((size_t)count + (size_t)more + 1) * size);
    if (count > 0) memcpy(larger, old, (size_t)count * size);
    return larger;
}

static void make_room(hbg_arena *arena, hbg_model *model, int32_t more) {
    int32_t exprs = model->exprs.count, params = model->params.count;
    model->expr_dimension = enlarge(arena, model->expr_dimension, exprs, more, sizeof *model->expr_dimension);
    model->expr_type = enlarge(arena, model->expr_type, exprs, more, sizeof *model->expr_type);
    model->expr_values = enlarge(arena, model->expr_values, exprs, more, sizeof *model->expr_values);
    model->param_values = enlarge(arena, model->param_values, params, more, sizeof *model->param_values);
    if (model->param_declared)
        model->param_declared =
            enlarge(arena, model->param_declared, params, more, sizeof *model->param_declared);
}

/* Adds a parameter with the nominal value of another one, without faults and changes. */
static int32_t add_nominal(hbg_arena *arena, hbg_model *model, int32_t param, double value) {
    hbg_param of = model->params.items[param];
    const char *name = hbg_base_arena_print(
        arena, "%s*nominal", hbg_base_names_get(model->names, of.id.name)); // no name has a star
    of.id.name = hbg_base_names_add(model->names, name, strlen(name));
    int32_t made = hbg_model_add_param(model, of.id);
    hbg_expr number =
        hbg_model_add_number(model, hbg_base_decimal_of_double(arena, value), of.dimension, of.id.span);
    model->expr_dimension[number] = of.dimension;
    model->expr_type[number] = of.value >= 0 ? model->expr_type[of.value] : HBG_TYPE_REAL;
    model->expr_values[number] = value;
    model->params.items[made].value = number;
    model->params.items[made].dimension = of.dimension;
    model->params.items[made].used = true;
    model->param_values[made] = value;
    if (model->param_declared) model->param_declared[made] = value;
    return made;
}

static void add_nominals(hbg_arena *arena, hbg_fault_plan *plan, const bool *moved) {
    hbg_model *model = plan->model;
    int32_t params = model->params.count, more = 0;
    bool *is_read = HBG_NEW_ARRAY(arena, bool, params + 1);
    plan->nominal = HBG_NEW_ARRAY(arena, int32_t, 2 * (size_t)params + 1);
    find_read(arena, plan, is_read);
    for (int32_t i = 0; i < params; i++) more += is_read[i];
    make_room(arena, model, more);
    for (int32_t i = 0; i < params; i++) {
        bool declared = moved[i] && model->param_declared;
        double value = declared ? model->param_declared[i] : model->param_values[i];
        bool known = is_read[i] && isfinite(model->param_values[i]) && isfinite(value);
        plan->nominal[i] = known ? add_nominal(arena, model, i, value) : i;
    }
    for (int32_t i = params; i < model->params.count; i++) plan->nominal[i] = i;
}

/* ---- the watch ----------------------------------------------------------------------------------------- */

void hbg_fault_watch_new(hbg_arena *arena, hbg_fault_plan *plan, const hbg_passives *passives, bool *moved,
                         bool *bends) {
    const hbg_model *model = plan->model;
    size_t elements = (size_t)model->elements.count + 1, exprs = (size_t)model->exprs.count + 1;
    bool *reads = HBG_NEW_ARRAY(arena, bool, exprs), *dark = HBG_NEW_ARRAY(arena, bool, exprs);
    bool *judged = HBG_NEW_ARRAY(arena, bool, elements), *possible = HBG_NEW_ARRAY(arena, bool, elements);
    if (!find_moved(model, moved, reads) && !plan->ready.watches) return;
    if (!find_judged(arena, plan, passives, reads, dark, bends, judged) && !plan->ready.watches) return;
    find_reading(model, NULL, reads);
    bool all = find_possible(model, passives, reads, dark, possible) <= MOST_ENTRIES;
    list_watched(arena, plan, all ? possible : judged, judged);
    add_nominals(arena, plan, moved);
}

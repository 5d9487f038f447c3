/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The variables of an FMU: how each class of references looks to an importer. Ports get their names first:
 * users look for those. */
#include <string.h>

#include "emit/export_fmu_impl.h"

typedef struct {
    hbg_arena *arena;
    const hbg_emit_fmu *of;
    const hbg_rt_description *system;
    hbg_fmu_layout layout;
    hbg_emit_naming naming;
    hbg_emit_variables *list;
} listing;

static hbg_emit_variable *add(listing *l, hbg_fmu_class class, int32_t index, const char *name) {
    hbg_emit_variable made = {.class = class,
                              .index = index,
                              .reference = l->layout.first[class] + (uint32_t)index,
                              .type = hbg_fmu_type_of(l->system, class, index),
                              .name = name,
                              .causality = "local",
                              .variability = "continuous",
                              .initial = "calculated",
                              .derivative_of = -1};
    HBG_PUSH(l->arena, *l->list, made);
    return &l->list->items[l->list->count - 1];
}

static void set_start(hbg_emit_variable *v, double start) {
    v->has_start = true;
    v->start = start;
}

/* ---- ports --------------------------------------------------------------------------------------------- */

static void add_outputs(listing *l) {
    for (int32_t i = 0; i < l->of->shown; i++) {
        const hbg_rt_variable *output = &l->system->outputs[i];
        hbg_emit_variable *v =
            add(l, HBG_FMU_OUTPUT, i, hbg_emit_name_port(&l->naming, output->name, "output"));
        v->causality = "output";
        v->unit = output->unit;
        if (output->is_bool) v->variability = "discrete";
        if (strcmp(v->name, output->name) != 0) v->description = output->name;
    }
}

static void add_inputs(listing *l) {
    for (int32_t i = 0; i < l->system->input_count; i++) {
        const hbg_rt_variable *input = &l->system->inputs[i];
        hbg_emit_variable *v = add(l, HBG_FMU_INPUT, i, hbg_emit_name_port(&l->naming, input->name, "input"));
        v->causality = "input";
        v->variability = "discrete"; // a setting acts at an instant
        v->initial = NULL;
        v->unit = input->unit;
        set_start(v, l->of->input_starts[i]);
        if (strcmp(v->name, input->name) != 0) v->description = input->name;
    }
}

static const char *automaton_type(listing *l, int32_t automaton, bool hold) {
    return hbg_base_arena_print(l->arena, "%s%s", hold ? "hold." : "", l->system->automata[automaton].name);
}

static void add_holds(listing *l) {
    for (int32_t i = 0; i < l->system->automaton_count && l->system->has_events; i++) {
        const char *automaton = l->system->automata[i].name;
        const char *wanted = hbg_base_arena_print(l->arena, "hold_%s", automaton);
        hbg_emit_variable *v = add(l, HBG_FMU_HOLD, i, hbg_emit_name_port(&l->naming, wanted, "input"));
        v->causality = "input";
        v->variability = "discrete";
        v->initial = NULL;
        v->type_name = automaton_type(l, i, true);
        v->description =
            hbg_base_arena_print(l->arena, "state that the automaton %s is held in, or free", automaton);
        set_start(v, 0);
    }
}

/* ---- inside -------------------------------------------------------------------------------------------- */

/* Names a place for faults, which has a star: NAME.scale, NAME.bias. */
static const char *name_param(listing *l, const char *name) {
    const char *star = strchr(name, '*');
    if (star) name = hbg_base_arena_print(l->arena, "%.*s.%s", (int)(star - name), name, star + 1);
    return hbg_emit_name_structured(&l->naming, name, "parameter");
}

static const char *describe_place(listing *l, const char *name, const char *star) {
    bool scale = strcmp(star, "*scale") == 0;
    return hbg_base_arena_print(l->arena, "%s of %.*s: %d while nothing is wrong",
                                scale ? "factor of the value" : "what is added to the value",
                                (int)(star - name), name, scale);
}

static void add_params(listing *l) {
    for (int32_t i = 0; i < l->system->param_count; i++) {
        const hbg_rt_variable *param = &l->system->params[i];
        hbg_emit_variable *v = add(l, HBG_FMU_PARAM, i, name_param(l, param->name));
        const hbg_emit_fmu_param *of = &l->of->params[i];
        const char *star = strchr(param->name, '*');
        v->causality = of->constant ? "local" : of->calculated ? "calculatedParameter" : "parameter";
        v->variability = of->constant ? "constant" : "tunable";
        v->initial = of->calculated && !of->constant ? "calculated" : "exact";
        v->unit = param->unit;
        v->shown_in = of->shown_in;
        if (v->shown_in && !(v->unit && v->unit[0])) v->unit = "1"; // as an angle in degrees
        v->description = star ? describe_place(l, param->name, star) : of->description;
        if (strcmp(v->initial, "exact") == 0) set_start(v, of->start);
    }
}

static void add_states(listing *l) {
    int32_t first = l->list->count;
    for (int32_t i = 0; i < l->system->state_count; i++) {
        const hbg_rt_variable *state = &l->system->states[i];
        add(l, HBG_FMU_STATE, i, hbg_emit_name_structured(&l->naming, state->name, "state"))->unit =
            state->unit;
    }
    for (int32_t i = 0; i < l->system->state_count; i++) {
        const char *name = hbg_base_arena_print(l->arena, "der(%s)", l->list->items[first + i].name);
        const char *unit = l->system->states[i].unit;
        hbg_emit_variable *v = add(l, HBG_FMU_RATE, i, name);
        v->derivative_of = first + i;
        if (unit) v->unit = unit[0] ? hbg_base_arena_print(l->arena, "%s/s", unit) : "1/s";
    }
}

static void add_modes(listing *l) {
    for (int32_t i = 0; i < l->system->automaton_count; i++) {
        const char *name = hbg_emit_name_structured(&l->naming, l->system->automata[i].name, "mode");
        hbg_emit_variable *v = add(l, HBG_FMU_MODE, i, name);
        v->variability = "discrete";
        v->type_name = automaton_type(l, i, false);
    }
}

static void add_areas(listing *l, hbg_fmu_class class, const char *what) {
    for (int32_t i = 0; i < l->system->bond_count && l->system->has_events; i++) {
        const char *wanted = hbg_base_arena_print(l->arena, "%s.%s_area", l->system->bonds[i].name, what);
        hbg_emit_variable *v = add(l, class, i, hbg_emit_name_structured(&l->naming, wanted, "bond"));
        v->variability = "discrete";
        v->unit = l->of->area_units[i + (class == HBG_FMU_FLOW_AREA ? l->system->bond_count : 0)];
        v->description =
            hbg_base_arena_print(l->arena, "area of the impulse of the %s at the last instant", what);
    }
}

static void add_others(listing *l) {
    hbg_emit_variable *commits =
        add(l, HBG_FMU_COMMITS, 0, hbg_emit_name_structured(&l->naming, "events.modes", "hbg"));
    commits->variability = "discrete";
    commits->description = "how many modes have become real since the start";
    hbg_emit_variable *verdict =
        add(l, HBG_FMU_VERDICT, 0, hbg_emit_name_structured(&l->naming, "events.verdict", "hbg"));
    verdict->variability = "discrete";
    verdict->type_name = "verdict";
    verdict->description = "what is wrong with the switching of the model";
    if (l->of->version < 3 || !l->of->exchange) return;
    for (int32_t i = 0; i < hbg_fmu_indicators_of(l->system, &l->of->c.options); i++)
        (void)add(l, HBG_FMU_INDICATOR, i,
                  hbg_emit_name_structured(
                      &l->naming, hbg_base_arena_print(l->arena, "events.indicator_%d", (int)i + 1), "hbg"));
}

void hbg_emit_fmu_variables(hbg_arena *arena, const hbg_emit_fmu *of, hbg_emit_variables *list) {
    listing l = {.arena = arena,
                 .of = of,
                 .system = of->c.system,
                 .layout = hbg_fmu_layout_of(of->c.system),
                 .list = list};
    hbg_emit_naming_init(&l.naming, arena);
    hbg_emit_variable *time = add(&l, HBG_FMU_TIME, 0, hbg_emit_name_structured(&l.naming, "time", "hbg"));
    time->causality = "independent";
    time->initial = NULL;
    time->unit = "s";
    add_inputs(&l);
    add_holds(&l);
    add_outputs(&l);
    add_params(&l);
    add_modes(&l);
    add_states(&l);
    add_areas(&l, HBG_FMU_EFFORT_AREA, "effort");
    add_areas(&l, HBG_FMU_FLOW_AREA, "flow");
    add_others(&l);
}

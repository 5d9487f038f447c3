/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * modelDescription.xml of FMI 2.0 and 3.0. Both have the same content in different words; `version`
 * selects. */
#include <string.h>

#include "emit/export_fmu_impl.h"
#include "rt/search.h"

typedef struct {
    const hbg_emit_fmu *of;
    hbg_emit_variables variables;
    const hbg_emit_files *sources;
    hbg_buffer *out;
} writing;

static bool is_new(const writing *w) {
    return w->of->version >= 3;
}

/* Opens an element with an attribute that identifies it. */
static void open_tag(hbg_buffer *out, const char *indent, const char *tag) {
    hbg_base_buffer_print(out, "%s<%s", indent, tag);
}

static void text(const writing *w, const char *line) {
    hbg_base_buffer_text(w->out, line);
}

/* ---- interfaces ---------------------------------------------------------------------------------------- */

static void put_sources(const writing *w) {
    text(w, ">\n    <SourceFiles>\n");
    for (int32_t i = 0; i < w->sources->count; i++) {
        const char *name = strrchr(w->sources->items[i].name, '/');
        size_t size = strlen(w->sources->items[i].name);
        if (!name || strncmp(w->sources->items[i].name, "sources/", 8) != 0 ||
            strcmp(w->sources->items[i].name + size - 2, ".c") != 0)
            continue;
        open_tag(w->out, "      ", "File");
        hbg_emit_xml_attribute(w->out, "name", name + 1);
        text(w, "/>\n");
    }
    text(w, "    </SourceFiles>\n");
}

static void put_interface(const writing *w, const char *tag, bool steps) {
    hbg_buffer *out = w->out;
    open_tag(out, "  ", tag);
    hbg_emit_xml_attribute(out, "modelIdentifier", w->of->c.name);
    hbg_emit_xml_flag(out, is_new(w) ? "canGetAndSetFMUState" : "canGetAndSetFMUstate", w->of->saves);
    hbg_emit_xml_flag(out, is_new(w) ? "canSerializeFMUState" : "canSerializeFMUstate", w->of->saves);
    hbg_emit_xml_flag(out, is_new(w) ? "providesDirectionalDerivatives" : "providesDirectionalDerivative",
                      true);
    if (is_new(w) && !steps) hbg_emit_xml_flag(out, "needsCompletedIntegratorStep", true);
    if (!is_new(w)) hbg_emit_xml_flag(out, "canNotUseMemoryManagementFunctions", true);
    if (steps) hbg_emit_xml_flag(out, "canHandleVariableCommunicationStepSize", true);
    if (steps && is_new(w)) {
        hbg_emit_xml_flag(out, "hasEventMode", true);
        hbg_emit_xml_flag(out, "mightReturnEarlyFromDoStep", true);
        if (w->of->c.options.fixed) hbg_emit_xml_number(out, "fixedInternalStepSize", w->of->c.options.step);
    }
    if (is_new(w)) {
        text(w, "/>\n");
        return;
    }
    put_sources(w);
    hbg_base_buffer_print(out, "  </%s>\n", tag);
}

/* ---- units and types ----------------------------------------------------------------------------------- */

/* A unit for display; NULL: it is coherent. */
static const hbg_emit_fmu_unit *find_written(const writing *w, const char *unit) {
    for (int32_t i = 0; i < w->of->unit_count; i++)
        if (strcmp(w->of->units[i].name, unit) == 0) return &w->of->units[i];
    return NULL;
}

static void put_base(const writing *w, const char *unit) {
    const hbg_emit_fmu_unit *written = find_written(w, unit);
    int exponents[HBG_EMIT_BASE_UNITS];
    if (!hbg_emit_unit_exponents(written ? written->base : unit, exponents)) return;
    text(w, "      <BaseUnit");
    for (int i = 0; i < HBG_EMIT_BASE_UNITS; i++)
        if (exponents[i] != 0)
            hbg_base_buffer_print(w->out, " %s=\"%d\"", hbg_emit_base_units[i], exponents[i]);
    if (written) hbg_emit_xml_number(w->out, "factor", written->scale);
    if (written && written->offset != 0)
        hbg_emit_xml_number(w->out, "offset", written->offset * written->scale);
    text(w, "/>\n");
}

/* Units in which variables with this unit are shown. */
static void put_shown(const writing *w, const char *unit) {
    hbg_names seen;
    hbg_base_names_init(&seen, w->out->arena);
    for (int32_t i = 0; i < w->variables.count; i++) {
        const hbg_emit_variable *v = &w->variables.items[i];
        if (!v->shown_in || !v->unit || strcmp(v->unit, unit) != 0) continue;
        if (hbg_base_names_find(&seen, v->shown_in, strlen(v->shown_in)) >= 0) continue;
        const hbg_emit_fmu_unit *shown = find_written(w, v->shown_in);
        (void)hbg_base_names_add(&seen, v->shown_in, strlen(v->shown_in));
        open_tag(w->out, "      ", "DisplayUnit");
        hbg_emit_xml_attribute(w->out, "name", shown->name);
        hbg_emit_xml_number(w->out, "factor", 1 / shown->scale);
        if (shown->offset != 0) hbg_emit_xml_number(w->out, "offset", -shown->offset);
        text(w, "/>\n");
    }
}

static void put_unit(const writing *w, const char *unit) {
    open_tag(w->out, "    ", "Unit");
    hbg_emit_xml_attribute(w->out, "name", unit);
    text(w, ">\n");
    put_base(w, unit);
    put_shown(w, unit);
    text(w, "    </Unit>\n");
}

static void put_units(const writing *w) {
    hbg_names seen;
    hbg_base_names_init(&seen, w->out->arena);
    text(w, "  <UnitDefinitions>\n");
    for (int32_t i = 0; i < w->variables.count; i++) {
        const char *unit = w->variables.items[i].unit;
        if (!unit || !unit[0] || hbg_base_names_find(&seen, unit, strlen(unit)) >= 0) continue;
        (void)hbg_base_names_add(&seen, unit, strlen(unit));
        put_unit(w, unit);
    }
    text(w, "  </UnitDefinitions>\n");
}

static void put_item(const writing *w, const char *name, int value) {
    open_tag(w->out, is_new(w) ? "      " : "        ", "Item");
    hbg_emit_xml_attribute(w->out, "name", name);
    hbg_base_buffer_print(w->out, " value=\"%d\"/>\n", value);
}

static void open_type(const writing *w, const char *name) {
    if (is_new(w)) {
        open_tag(w->out, "    ", "EnumerationType");
        hbg_emit_xml_attribute(w->out, "name", name);
        text(w, ">\n");
        return;
    }
    open_tag(w->out, "    ", "SimpleType");
    hbg_emit_xml_attribute(w->out, "name", name);
    text(w, ">\n      <Enumeration>\n");
}

static void close_type(const writing *w) {
    text(w, is_new(w) ? "    </EnumerationType>\n" : "      </Enumeration>\n    </SimpleType>\n");
}

static void put_automaton(const writing *w, const hbg_emit_variable *v) {
    const hbg_rt_automaton *of = &w->of->c.system->automata[v->index];
    open_type(w, v->type_name);
    if (v->class == HBG_FMU_HOLD) put_item(w, "(free)", 0); // no name of a state has brackets
    for (int32_t i = 0; i < of->state_count; i++) put_item(w, of->states[i], (int)i + 1);
    close_type(w);
}

static void put_types(const writing *w) {
    text(w, "  <TypeDefinitions>\n");
    for (int32_t i = 0; i < w->variables.count; i++) {
        hbg_fmu_class class = w->variables.items[i].class;
        if (class == HBG_FMU_MODE || class == HBG_FMU_HOLD) put_automaton(w, &w->variables.items[i]);
    }
    open_type(w, "verdict");
    for (int i = 0; i < HBG_RT_VERDICT_COUNT; i++) put_item(w, hbg_rt_verdict_name((hbg_rt_verdict)i), i + 1);
    close_type(w);
    text(w, "  </TypeDefinitions>\n");
}

/* ---- variables ----------------------------------------------------------------------------------------- */

static void put_common(const writing *w, const hbg_emit_variable *v) {
    hbg_buffer *out = w->out;
    hbg_emit_xml_attribute(out, "name", v->name);
    hbg_base_buffer_print(out, " valueReference=\"%u\"", (unsigned)v->reference);
    if (v->description) hbg_emit_xml_attribute(out, "description", v->description);
    hbg_emit_xml_attribute(out, "causality", v->causality);
    hbg_emit_xml_attribute(out, "variability", v->variability);
    if (v->initial) hbg_emit_xml_attribute(out, "initial", v->initial);
}

static const char *tag_of(const writing *w, const hbg_emit_variable *v) {
    if (v->type == HBG_FMU_TRUTH) return "Boolean";
    if (v->type == HBG_FMU_REAL) return is_new(w) ? "Float64" : "Real";
    if (v->type_name) return "Enumeration";
    return is_new(w) ? "Int64" : "Integer";
}

static void put_typed(const writing *w, const hbg_emit_variable *v) {
    hbg_buffer *out = w->out;
    if (v->type_name) hbg_emit_xml_attribute(out, "declaredType", v->type_name);
    if (v->unit && v->unit[0] && v->type == HBG_FMU_REAL) hbg_emit_xml_attribute(out, "unit", v->unit);
    if (v->shown_in) hbg_emit_xml_attribute(out, "displayUnit", v->shown_in);
    if (v->has_start && v->type == HBG_FMU_TRUTH) hbg_emit_xml_flag(out, "start", v->start != 0);
    if (v->has_start && v->type != HBG_FMU_TRUTH) hbg_emit_xml_number(out, "start", v->start);
    if (v->derivative_of >= 0) {
        unsigned of = is_new(w) ? (unsigned)w->variables.items[v->derivative_of].reference
                                : (unsigned)v->derivative_of + 1;
        hbg_base_buffer_print(out, " derivative=\"%u\"", of);
    }
    if (v->class == HBG_FMU_STATE) hbg_emit_xml_number(out, "nominal", w->of->nominals[v->index]);
    if (v->class == HBG_FMU_STATE && w->of->exchange) hbg_emit_xml_flag(out, "reinit", true);
}

static void put_variables(const writing *w) {
    text(w, "  <ModelVariables>\n");
    for (int32_t i = 0; i < w->variables.count; i++) {
        const hbg_emit_variable *v = &w->variables.items[i];
        open_tag(w->out, "    ", is_new(w) ? tag_of(w, v) : "ScalarVariable");
        put_common(w, v);
        if (!is_new(w)) hbg_base_buffer_print(w->out, "><%s", tag_of(w, v));
        put_typed(w, v);
        text(w, is_new(w) ? "/>\n" : "/></ScalarVariable>\n");
    }
    text(w, "  </ModelVariables>\n");
}

/* ---- the description ----------------------------------------------------------------------------------- */

static void put_head(const writing *w) {
    const hbg_emit_fmu *of = w->of;
    hbg_buffer *out = w->out;
    text(w, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<fmiModelDescription");
    hbg_emit_xml_attribute(out, "fmiVersion", is_new(w) ? "3.0" : "2.0");
    hbg_emit_xml_attribute(out, "modelName", of->c.model);
    hbg_emit_xml_attribute(out, is_new(w) ? "instantiationToken" : "guid", of->token);
    if (of->description) hbg_emit_xml_attribute(out, "description", of->description);
    hbg_emit_xml_attribute(out, "generationTool", hbg_base_arena_print(out->arena, "hbg %s", of->c.version));
    hbg_emit_xml_attribute(out, "generationDateAndTime", of->date);
    hbg_emit_xml_attribute(out, "variableNamingConvention", "structured");
    if (!is_new(w) && of->exchange)
        hbg_base_buffer_print(out, " numberOfEventIndicators=\"%d\"",
                              (int)hbg_fmu_indicators_of(of->c.system, &of->c.options));
    text(w, ">\n");
}

static void put_experiment(const writing *w) {
    const hbg_rt_options *options = &w->of->c.options;
    text(w, "  <LogCategories>\n    <Category name=\"logEvents\" description=\"instants at which something "
            "switches\"/>\n"
            "    <Category name=\"logStatusWarning\" description=\"warnings\"/>\n"
            "    <Category name=\"logStatusError\" description=\"why a call has failed: verdicts and their "
            "trace\"/>\n"
            "  </LogCategories>\n  <DefaultExperiment startTime=\"0\"");
    hbg_emit_xml_number(w->out, "stopTime", options->stop);
    if (!options->fixed && options->rtol > 0) hbg_emit_xml_number(w->out, "tolerance", options->rtol);
    if (options->fixed) hbg_emit_xml_number(w->out, "stepSize", options->step);
    text(w, "/>\n");
}

void hbg_emit_fmu_description(const hbg_emit_fmu *of, const hbg_emit_files *sources, hbg_buffer *out) {
    writing w = {.of = of, .sources = sources, .out = out};
    hbg_emit_fmu_variables(out->arena, of, &w.variables);
    put_head(&w);
    if (of->exchange) put_interface(&w, "ModelExchange", false);
    if (of->steps) put_interface(&w, "CoSimulation", true);
    put_units(&w);
    put_types(&w);
    put_experiment(&w);
    put_variables(&w);
    hbg_emit_fmu_structure(of, &w.variables, out);
    text(&w, "</fmiModelDescription>\n");
}

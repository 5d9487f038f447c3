/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * ModelStructure: outputs, derivatives, initial unknowns and indicators. If the dependences of outputs and
 * derivatives over all modes are known, they are listed: states and time by the code of all modes. An input
 * acts at an instant, which may change modes and energies, so all of them depend on each input. */
#include <string.h>

#include "emit/export_fmu_impl.h"

enum { MOST_LISTED = 200000 }; /* dependencies: some megabytes of text */

typedef struct {
    const hbg_emit_fmu *of;
    const hbg_emit_variables *variables;
    hbg_buffer *out;
    bool is_new;  /* FMI 3 */
    bool depends; /* dependencies are listed */
} structure;

/* ---- dependences --------------------------------------------------------------------------------------- */

static const char *kind_of(const structure *s, const hbg_emit_variable *unknown,
                           const hbg_emit_variable *known) {
    static const char *const kinds[] = {
        [HBG_CODE_INDEPENDENT] = NULL, [HBG_CODE_STRAIGHT] = "discrete", [HBG_CODE_CURVED] = "dependent"};
    const hbg_code_dependences *depends = s->of->depends;
    if (known->class == HBG_FMU_INPUT || known->class == HBG_FMU_HOLD) return "dependent";
    if (known->class != HBG_FMU_STATE && known->class != HBG_FMU_TIME) return NULL;
    const hbg_code_dependence *row = (unknown->class == HBG_FMU_RATE ? depends->rates : depends->outputs) +
                                     (ptrdiff_t)unknown->index * depends->known_count;
    const char *kind = kinds[row[known->class == HBG_FMU_TIME ? depends->known_count - 1 : known->index]];
    return kind && unknown->type != HBG_FMU_REAL ? "dependent" : kind;
}

static void put_dependencies(const structure *s, const hbg_emit_variable *unknown) {
    hbg_buffer kinds;
    const char *space = "";
    hbg_base_buffer_init(&kinds, s->out->arena);
    hbg_base_buffer_text(&kinds, "");
    hbg_base_buffer_text(s->out, " dependencies=\"");
    for (int32_t i = 0; i < s->variables->count; i++) {
        const hbg_emit_variable *known = &s->variables->items[i];
        const char *kind = kind_of(s, unknown, known);
        if (!kind) continue;
        hbg_base_buffer_print(s->out, "%s%u", space,
                              s->is_new ? (unsigned)known->reference : (unsigned)i + 1);
        hbg_base_buffer_print(&kinds, "%s%s", space, kind);
        space = " ";
    }
    hbg_base_buffer_print(s->out, "\" dependenciesKind=\"%s\"", kinds.data);
}

/* ---- lists --------------------------------------------------------------------------------------------- */

static bool is_output(const hbg_emit_variable *v) {
    return v->class == HBG_FMU_OUTPUT;
}

static bool is_rate(const hbg_emit_variable *v) {
    return v->class == HBG_FMU_RATE;
}

static bool is_indicator(const hbg_emit_variable *v) {
    return v->class == HBG_FMU_INDICATOR;
}

static bool is_initial(const hbg_emit_variable *v) {
    bool calculated = v->class == HBG_FMU_PARAM && strcmp(v->causality, "calculatedParameter") == 0;
    return is_output(v) || is_rate(v) || v->class == HBG_FMU_STATE || calculated;
}

/* All selected variables: in FMI 2 by their index, in FMI 3 by their reference. */
static void put_unknowns(const structure *s, const char *list, const char *element,
                         bool (*chosen)(const hbg_emit_variable *)) {
    int32_t count = 0;
    for (int32_t i = 0; i < s->variables->count; i++) {
        const hbg_emit_variable *v = &s->variables->items[i];
        if (!chosen(v)) continue;
        if (count++ == 0 && !s->is_new) hbg_base_buffer_print(s->out, "    <%s>\n", list);
        if (s->is_new)
            hbg_base_buffer_print(s->out, "    <%s valueReference=\"%u\"", element, (unsigned)v->reference);
        else
            hbg_base_buffer_print(s->out, "      <Unknown index=\"%d\"", (int)i + 1);
        if (s->depends && (chosen == is_output || chosen == is_rate)) put_dependencies(s, v);
        hbg_base_buffer_text(s->out, "/>\n");
    }
    if (count > 0 && !s->is_new) hbg_base_buffer_print(s->out, "    </%s>\n", list);
}

void hbg_emit_fmu_structure(const hbg_emit_fmu *of, const hbg_emit_variables *variables, hbg_buffer *out) {
    structure s = {.of = of, .variables = variables, .out = out, .is_new = of->version >= 3};
    const hbg_rt_description *system = of->c.system;
    int64_t knowns = (int64_t)system->state_count + system->input_count + system->automaton_count + 1;
    s.depends = of->depends && knowns * ((int64_t)system->state_count + of->shown) <= MOST_LISTED;
    hbg_base_buffer_text(out, "  <ModelStructure>\n");
    put_unknowns(&s, "Outputs", "Output", is_output);
    put_unknowns(&s, "Derivatives", "ContinuousStateDerivative", is_rate);
    put_unknowns(&s, "InitialUnknowns", "InitialUnknown", is_initial);
    if (s.is_new) put_unknowns(&s, "", "EventIndicator", is_indicator);
    hbg_base_buffer_text(out, "  </ModelStructure>\n");
}

/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * A hybrid automaton as SpaceEx reads it: an XML file of base components, one for each independent part, with
 * a network of them; and a file of settings for an analysis. Automata of SpaceEx describe what may happen:
 * relations are closed, and an invariant holds where no transition is forced. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "draw/draw.h"
#include "emit/spaceex_impl.h"

#define SAMPLES 1000 /* sampling times in the horizon */

typedef struct {
    const hbg_emit_hybrid *of;
    const spaceex_names *names; /* by part */
    hbg_buffer *out;
} printer;

/* ---- sums and bounds ----------------------------------------------------------------------------------- */

/* The shortest text that is read as the same number. */
static void put_number(hbg_buffer *out, double value) {
    char text[40];
    double again = NAN;
    for (int digits = 15; digits <= 17 && again != value; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, value);
        if (!hbg_base_double_parse(text, strlen(text), &again)) again = NAN;
    }
    hbg_base_buffer_text(out, text);
}

/* A term of a sum: " + 2*x", at the beginning "2*x". */
static void put_term(hbg_buffer *out, double factor, const char *name, bool *first) {
    if (factor == 0) return;
    hbg_base_buffer_text(out, factor < 0 ? (*first ? "-" : " - ") : *first ? "" : " + ");
    *first = false;
    double size = fabs(factor);
    if (!name || size != 1) put_number(out, size);
    if (name) hbg_base_buffer_print(out, "%s%s", size != 1 ? "*" : "", name);
}

static void put_sum(hbg_buffer *out, const hbg_hybrid_sum *sum, const char *const *names, int32_t count) {
    bool first = true;
    for (int32_t i = 0; i < count; i++) put_term(out, sum->factors[i], names[i], &first);
    put_term(out, sum->constant, NULL, &first);
    if (first) hbg_base_buffer_char(out, '0');
}

/* The side with variables is on the left. */
static void put_bound(hbg_buffer *out, const hbg_hybrid_bound *bound, const char *const *names,
                      int32_t count) {
    hbg_hybrid_sum left = {0, bound->sum.factors};
    int32_t lead = 0, own = 0;
    for (int32_t i = 0; i < count; i++) own += bound->sum.factors[i] != 0;
    while (lead < count && bound->sum.factors[lead] == 0) lead++;
    if (own == 1 && !bound->equal && bound->sum.factors[lead] == -1) { // -x + 3 <= 0
        hbg_base_buffer_print(out, "%s &gt;= ", names[lead]);
        put_number(out, bound->sum.constant);
        return;
    }
    put_sum(out, &left, names, count);
    hbg_base_buffer_text(out, bound->equal ? " == " : " &lt;= ");
    put_number(out, bound->sum.constant == 0 ? 0 : -bound->sum.constant);
}

static void put_region(hbg_buffer *out, const char *tag, const hbg_hybrid_region *region,
                       const char *const *names, int32_t count) {
    if (region->count == 0) return;
    hbg_base_buffer_print(out, "      <%s>", tag);
    for (int32_t i = 0; i < region->count; i++) {
        if (i > 0) hbg_base_buffer_text(out, " &amp; ");
        put_bound(out, &region->items[i], names, count);
    }
    hbg_base_buffer_print(out, "</%s>\n", tag);
}

/* ---- components ---------------------------------------------------------------------------------------- */

static void put_params(hbg_buffer *out, const hbg_emit_component *part, const spaceex_names *names) {
    for (int32_t i = 0; i < part->of->variables.count; i++)
        hbg_base_buffer_print(out,
                              "    <param name=\"%s\" type=\"real\" local=\"false\" d1=\"1\" d2=\"1\" "
                              "dynamics=\"any\" controlled=\"true\"/>\n",
                              names->variables[i]);
    if (part->of->transitions.count > 0)
        hbg_base_buffer_print(out, "    <param name=\"%s\" type=\"label\" local=\"false\"/>\n", names->label);
}

static void put_location(hbg_buffer *out, const hbg_emit_component *part, const spaceex_names *names,
                         int32_t number) {
    const hbg_hybrid_location *of = &part->of->locations.items[number];
    int32_t count = part->of->variables.count;
    hbg_base_buffer_print(
        out, "    <location id=\"%d\" name=\"%s\" x=\"%d\" y=\"%d\" width=\"300\" height=\"120\">\n",
        (int)number + 1, names->locations[number], 200 + 400 * (int)(number % 4),
        150 + 250 * (int)(number / 4));
    put_region(out, "invariant", &of->invariant, names->variables, count);
    hbg_base_buffer_text(out, "      <flow>");
    for (int32_t i = 0; i < count; i++) {
        hbg_base_buffer_print(out, "%s%s' == ", i > 0 ? " &amp; " : "", names->variables[i]);
        put_sum(out, &of->flow[i], names->variables, count);
    }
    hbg_base_buffer_text(out, "</flow>\n    </location>\n");
}

static void put_transition(hbg_buffer *out, const hbg_emit_component *part, const spaceex_names *names,
                           const hbg_hybrid_transition *of) {
    int32_t count = part->of->variables.count, changed = 0;
    hbg_base_buffer_print(out, "    <transition source=\"%d\" target=\"%d\">\n      <label>%s</label>\n",
                          (int)of->source + 1, (int)of->target + 1, names->label);
    put_region(out, "guard", &of->guard, names->variables, count);
    for (int32_t i = 0; i < count; i++) {
        if (!of->reset[i].factors) continue;
        hbg_base_buffer_print(out, "%s%s := ", changed++ > 0 ? " &amp; " : "      <assignment>",
                              names->variables[i]);
        put_sum(out, &of->reset[i], names->variables, count);
    }
    hbg_base_buffer_print(out, "%s    </transition>\n", changed > 0 ? "</assignment>\n" : "");
}

static void put_component(hbg_buffer *out, const hbg_emit_component *part, const spaceex_names *names) {
    hbg_base_buffer_print(out, "  <component id=\"%s\">\n", names->component);
    put_params(out, part, names);
    for (int32_t i = 0; i < part->of->locations.count; i++) put_location(out, part, names, i);
    for (int32_t i = 0; i < part->of->transitions.count; i++)
        put_transition(out, part, names, &part->of->transitions.items[i]);
    hbg_base_buffer_text(out, "  </component>\n");
}

/* No two parts share a name: each is bound by its own names. */
static void put_network(const printer *p) {
    hbg_base_buffer_text(p->out, "  <component id=\"system\">\n");
    for (int32_t i = 0; i < p->of->part_count; i++) put_params(p->out, &p->of->parts[i], &p->names[i]);
    for (int32_t i = 0; i < p->of->part_count; i++) {
        const hbg_emit_component *part = &p->of->parts[i];
        const spaceex_names *names = &p->names[i];
        hbg_base_buffer_print(p->out, "    <bind component=\"%s\" as=\"%s\" x=\"%d\" y=\"150\">\n",
                              names->component, names->instance, 200 + 400 * (int)i);
        for (int32_t k = 0; k < part->of->variables.count; k++)
            hbg_base_buffer_print(p->out, "      <map key=\"%s\">%s</map>\n", names->variables[k],
                                  names->variables[k]);
        if (part->of->transitions.count > 0)
            hbg_base_buffer_print(p->out, "      <map key=\"%s\">%s</map>\n", names->label, names->label);
        hbg_base_buffer_text(p->out, "    </bind>\n");
    }
    hbg_base_buffer_text(p->out, "  </component>\n");
}

/* ---- table of names ------------------------------------------------------------------------------------ */

static void put_table(const printer *p) {
    for (int32_t i = 0; i < p->of->part_count; i++) {
        const hbg_emit_component *part = &p->of->parts[i];
        const spaceex_names *names = &p->names[i];
        hbg_base_buffer_print(p->out, "component %s\n", names->component);
        for (int32_t k = 0; k < part->of->variables.count; k++) {
            hbg_base_buffer_print(p->out, "  variable %s: ", names->variables[k]);
            hbg_emit_spaceex_comment(p->out, names->originals[k]);
            if (names->units[k][0]) {
                hbg_base_buffer_text(p->out, " [");
                hbg_emit_spaceex_comment(p->out, names->units[k]);
                hbg_base_buffer_char(p->out, ']');
            }
            hbg_base_buffer_char(p->out, '\n');
        }
        for (int32_t k = 0; k < part->of->locations.count; k++) {
            hbg_base_buffer_print(p->out, "  location %d: ", (int)k + 1);
            hbg_emit_spaceex_comment(p->out, names->modes[k]);
            hbg_base_buffer_char(p->out, '\n');
        }
    }
}

static void put_head(const printer *p) {
    const hbg_emit_hybrid *of = p->of;
    hbg_base_buffer_text(p->out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!--\n");
    hbg_emit_spaceex_comment(p->out, of->model);
    if (of->experiment) hbg_base_buffer_text(p->out, ", experiment ");
    if (of->experiment) hbg_emit_spaceex_comment(p->out, of->experiment);
    hbg_base_buffer_print(
        p->out,
        ": a hybrid automaton, made by hbg %s. Values are in SI units.\n\n"
        "Strictness is lost: guards and invariants are closed, so that where a relation just holds both "
        "sides may be taken,\n"
        "and a transition may be taken as soon as its guard holds, while a run of hbg has to. Invariants are "
        "the closed negations\n"
        "of the guards; where such a region is not convex a mode has several locations with the same field.\n"
        "A transition is a whole way through an instant: modes that are only passed are left out, and of "
        "several jumps there\n"
        "is the one from the first state to the last. Where a run would end with a verdict, there is no "
        "transition.\n\n",
        of->version);
    put_table(p);
    for (int32_t i = 0; i < of->warning_count; i++) {
        hbg_base_buffer_text(p->out, "warning: ");
        hbg_emit_spaceex_comment(p->out, of->warnings[i]);
        hbg_base_buffer_char(p->out, '\n');
    }
    hbg_base_buffer_text(p->out, "-->\n");
}

/* ---- settings ------------------------------------------------------------------------------------------ */

static void put_initial(const printer *p) {
    bool first = true;
    hbg_base_buffer_text(p->out, "initially = \"");
    for (int32_t i = 0; i < p->of->part_count; i++) {
        const hbg_hybrid *of = p->of->parts[i].of;
        hbg_base_buffer_print(p->out, "%sloc(%s)==%s", first ? "" : " & ", p->names[i].instance,
                              p->names[i].locations[of->first]);
        first = false;
        for (int32_t k = 0; k < of->variables.count; k++) {
            hbg_base_buffer_print(p->out, " & %s==", p->names[i].variables[k]);
            put_number(p->out, of->variables.items[k].start);
        }
    }
    hbg_base_buffer_text(p->out, "\"\n");
}

static void put_output_variables(const printer *p) {
    const hbg_hybrid *first = p->of->parts[0].of;
    int32_t time = 0;
    while (first->variables.items[time].kind != HBG_HYBRID_TIME) time++;
    hbg_base_buffer_print(p->out, "output-variables = \"%s", p->names[0].variables[time]);
    for (int32_t i = 0; i < p->of->part_count; i++)
        for (int32_t k = 0; k < p->of->parts[i].of->variables.count; k++)
            if (p->of->parts[i].of->variables.items[k].kind == HBG_HYBRID_STATE)
                hbg_base_buffer_print(p->out, ", %s", p->names[i].variables[k]);
    hbg_base_buffer_text(p->out, "\"\n");
}

static void put_settings(const printer *p) {
    hbg_base_buffer_print(p->out, "# settings of SpaceEx for %s\nsystem = \"system\"\n", p->of->file);
    put_initial(p);
    hbg_base_buffer_text(p->out, "forbidden = \"\"\nscenario = \"supp\"\ndirections = \"box\"\n"
                                 "set-aggregation = \"chull\"\nsampling-time = ");
    put_number(p->out, p->of->stop / SAMPLES);
    hbg_base_buffer_text(p->out, "\ntime-horizon = ");
    put_number(p->out, p->of->stop);
    hbg_base_buffer_text(p->out, "\niter-max = 1000\n");
    put_output_variables(p);
    hbg_base_buffer_text(p->out, "output-format = \"GEN\"\nrel-err = 1.0e-12\nabs-err = 1.0e-15\n");
}

void hbg_emit_spaceex(const hbg_emit_hybrid *of, hbg_buffer *automaton, hbg_buffer *settings) {
    printer p = {of, hbg_emit_spaceex_names(automaton->arena, of), automaton};
    put_head(&p);
    hbg_base_buffer_text(p.out, "<sspaceex xmlns=\"http://www-verimag.imag.fr/xml-namespaces/sspaceex\" "
                                "version=\"0.2\" math=\"SpaceEx\">\n");
    for (int32_t i = 0; i < of->part_count; i++) put_component(p.out, &of->parts[i], &p.names[i]);
    put_network(&p);
    hbg_base_buffer_text(p.out, "</sspaceex>\n");
    p.out = settings;
    put_settings(&p);
}

/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The files of an FMU: its description, its sources (the C of export_c.c, the core of src/fmu, an interface
 * for the version of FMI), its icon and terminals, and a page of documentation with the drawing. */
#include <string.h>

#include "emit/export_fmu_impl.h"

static const char *inputs_read_by(hbg_arena *arena, const hbg_emit_fmu *of) {
    hbg_buffer out;
    hbg_base_buffer_init(&out, arena);
    for (int32_t i = 0; i < of->c.system->input_count; i++)
        hbg_base_buffer_print(&out, "%d, ", (int)of->read_by[i]);
    hbg_base_buffer_text(&out, "-1");
    return out.data;
}

static const char *list_of(hbg_arena *arena, const double *numbers, int32_t count) {
    hbg_buffer out;
    hbg_base_buffer_init(&out, arena);
    for (int32_t i = 0; i < count; i++) {
        char text[HBG_DOUBLE_TEXT];
        hbg_base_double_print(text, numbers[i]);
        hbg_base_buffer_print(&out, "%s, ", text);
    }
    hbg_base_buffer_text(&out, "0");
    return out.data;
}

/* Numbers for the units of areas and states. */
static const char *groups_of(hbg_arena *arena, const hbg_emit_fmu *of, int32_t *group_count) {
    const hbg_rt_description *system = of->c.system;
    int32_t areas = 2 * system->bond_count;
    hbg_names units;
    hbg_buffer out;
    hbg_base_buffer_init(&out, arena);
    hbg_base_names_init(&units, arena);
    *group_count = 1;
    for (int32_t i = 0; i < areas + system->state_count; i++) {
        const char *unit = i < areas ? of->area_units[i] : system->states[i - areas].unit;
        int32_t group = (int32_t)hbg_base_names_add(&units, unit ? unit : "", unit ? strlen(unit) : 0);
        if (group >= *group_count) *group_count = group + 1;
        hbg_base_buffer_print(&out, "%d, ", (int)group);
    }
    hbg_base_buffer_text(&out, "0");
    return out.data;
}

static void add_words(hbg_arena *arena, const hbg_emit_fmu *of, hbg_emit_words *words) {
    hbg_emit_c_words(arena, &of->c, words);
    hbg_emit_word_add(arena, words, "token", hbg_emit_in_string(arena, of->token));
    hbg_emit_word_add(arena, words, "has_exchange", of->exchange ? "true" : "false");
    hbg_emit_word_add(arena, words, "has_steps", of->steps ? "true" : "false");
    hbg_emit_word_add(arena, words, "read_by", inputs_read_by(arena, of));
    hbg_emit_word_add(arena, words, "input_starts",
                      list_of(arena, of->input_starts, of->c.system->input_count));
    hbg_emit_word_add(arena, words, "nominals", list_of(arena, of->nominals, of->c.system->state_count));
    int32_t groups;
    hbg_emit_word_add(arena, words, "groups", groups_of(arena, of, &groups));
    hbg_emit_word_add(arena, words, "group_count", hbg_base_arena_print(arena, "%d", (int)groups));
}

static hbg_status add_sources(const hbg_emit_printing *p, const hbg_emit_fmu *of) {
    hbg_emit_words words = {0};
    add_words(p->arena, of, &words);
    const char *version = of->version >= 3 ? "fmi3" : "fmi2";
    HBG_TRY(hbg_emit_add_filled(p, &words, hbg_base_arena_print(p->arena, "fmu/%s.h.in", version),
                                hbg_base_arena_print(p->arena, "%s.h", version)));
    HBG_TRY(hbg_emit_add_filled(p, &words, hbg_base_arena_print(p->arena, "fmu/%s.c.in", version),
                                hbg_base_arena_print(p->arena, "%s.c", version)));
    HBG_TRY(hbg_emit_add_filled(p, &words, "fmu/model.c.in",
                                hbg_base_arena_print(p->arena, "%s_fmu.c", of->c.name)));
    hbg_emit_add_image(p);
    hbg_emit_add_code(p);
    HBG_TRY(hbg_emit_add_folder(p, "fmu"));
    return hbg_emit_add_engine(p);
}

/* ---- the page ------------------------------------------------------------------------------------------ */

static void add_row(hbg_buffer *out, const hbg_emit_variable *v) {
    hbg_base_buffer_text(out, "<tr><td>");
    hbg_emit_xml_text(out, v->name);
    hbg_base_buffer_print(out, "</td><td>%s</td><td>", v->causality);
    hbg_emit_xml_text(out, v->unit ? v->unit : "");
    hbg_base_buffer_text(out, "</td><td>");
    hbg_emit_xml_text(out, v->description ? v->description : "");
    hbg_base_buffer_text(out, "</td></tr>\n");
}

static void add_page(const hbg_emit_printing *p, const hbg_emit_fmu *of) {
    hbg_buffer out;
    hbg_emit_variables variables = {0};
    hbg_emit_fmu_variables(p->arena, of, &variables);
    hbg_base_buffer_init(&out, p->arena);
    hbg_base_buffer_text(&out, "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>");
    hbg_emit_xml_text(&out, of->c.model);
    hbg_base_buffer_text(&out, "</title></head><body>\n<h1>");
    hbg_emit_xml_text(&out, of->c.model);
    hbg_base_buffer_text(&out, "</h1>\n<p>");
    hbg_emit_xml_text(&out, of->description ? of->description : "");
    hbg_base_buffer_print(&out, "</p>\n<p>FMI %d, made by hbg %s. Co-simulation steps with %s.</p>\n",
                          of->version, of->c.version, of->c.solver);
    if (of->drawing)
        hbg_base_buffer_text(&out, "<p><img src=\"bond-graph.svg\" alt=\"the bond graph\"></p>\n");
    hbg_base_buffer_text(&out,
                         "<table>\n<tr><th>variable</th><th>causality</th><th>unit</th><th></th></tr>\n");
    for (int32_t i = 0; i < variables.count; i++) add_row(&out, &variables.items[i]);
    hbg_base_buffer_text(&out, "</table>\n</body></html>\n");
    hbg_emit_add_file(p, "index.html", &out);
    hbg_buffer drawing = {.data = (char *)of->drawing, .size = of->drawing_size};
    if (of->drawing) hbg_emit_add_file(p, "bond-graph.svg", &drawing);
}

/* ---- build description --------------------------------------------------------------------------------- */

static void add_build(const hbg_emit_printing *p, const hbg_emit_fmu *of) {
    hbg_buffer out;
    hbg_base_buffer_init(&out, p->arena);
    hbg_base_buffer_text(&out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                               "<fmiBuildDescription fmiVersion=\"3.0\">\n  <BuildConfiguration");
    hbg_emit_xml_attribute(&out, "modelIdentifier", of->c.name);
    hbg_base_buffer_text(&out, ">\n    <SourceFileSet language=\"C11\" compilerOptions=\"-ffp-contract=off "
                               "-fvisibility=hidden\">\n");
    for (int32_t i = 0; i < p->files->count; i++) {
        const char *name = p->files->items[i].name + strlen(p->folder);
        if (strcmp(name + strlen(name) - 2, ".c") != 0) continue;
        hbg_base_buffer_text(&out, "      <SourceFile");
        hbg_emit_xml_attribute(&out, "name", name);
        hbg_base_buffer_text(&out, "/>\n");
    }
    hbg_base_buffer_text(&out,
                         "      <PreprocessorDefinition name=\"NDEBUG\"/>\n    </SourceFileSet>\n"
                         "    <Library name=\"m\"/>\n  </BuildConfiguration>\n</fmiBuildDescription>\n");
    hbg_emit_add_file(p, "buildDescription.xml", &out);
}

hbg_status hbg_emit_export_fmu(hbg_arena *arena, const hbg_emit_fmu *of, hbg_emit_files *files,
                               const char **reason) {
    hbg_emit_files sources = {0}, others = {0};
    hbg_emit_printing p = {arena, &of->c, &sources, reason, "sources/"};
    hbg_buffer description;
    HBG_TRY(add_sources(&p, of));
    if (of->version >= 3) add_build(&p, of);
    hbg_base_buffer_init(&description, arena);
    hbg_emit_fmu_description(of, &sources, &description);
    p.files = &others;
    p.folder = "";
    hbg_emit_add_file(&p, "modelDescription.xml", &description);
    hbg_emit_fmu_terminals(&p, of);
    p.folder = "documentation/";
    add_page(&p, of);
    for (int32_t i = 0; i < others.count; i++) HBG_PUSH(arena, *files, others.items[i]);
    for (int32_t i = 0; i < sources.count; i++) HBG_PUSH(arena, *files, sources.items[i]);
    return HBG_OK;
}

/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Icon and terminals. FMI 3 has both in terminalsAndIcons; FMI 2 has its icon as model.png, and importers
 * read its terminals from the same place. A terminal is a source that an input sets, with the variables of
 * its bond as members: flows of joined terminals add up to 0, efforts are equal. */
#include "emit/export_fmu_impl.h"

/* Width and height are in the first chunk of a PNG, in big-endian order. */
static unsigned number_at(const char *png, size_t at) {
    const unsigned char *bytes = (const unsigned char *)png + at;
    return (unsigned)bytes[0] << 24 | (unsigned)bytes[1] << 16 | (unsigned)bytes[2] << 8 | bytes[3];
}

static void put_icon(hbg_buffer *out, const hbg_emit_fmu *of) {
    if (!of->icon || of->icon_size < 24) return;
    unsigned width = number_at(of->icon, 16), height = number_at(of->icon, 20);
    hbg_base_buffer_print(out,
                          "  <GraphicalRepresentation>\n"
                          "    <CoordinateSystem x1=\"0\" y1=\"0\" x2=\"%u\" y2=\"%u\" "
                          "suggestedScalingFactorTo_mm=\"0.1\"/>\n"
                          "    <Icon x1=\"0\" y1=\"0\" x2=\"%u\" y2=\"%u\"/>\n  </GraphicalRepresentation>\n",
                          width, height, width, height);
}

static const char *find_name(const hbg_emit_variables *variables, hbg_fmu_class class, int32_t index) {
    for (int32_t i = 0; i < variables->count; i++)
        if (variables->items[i].class == class && variables->items[i].index == index)
            return variables->items[i].name;
    return NULL;
}

static void put_member(hbg_buffer *out, const char *variable, bool is_effort, bool flows_in) {
    if (!variable) return;
    hbg_base_buffer_text(out, "      <TerminalMemberVariable");
    hbg_emit_xml_attribute(out, "variableName", variable);
    hbg_emit_xml_attribute(out, "memberName", is_effort ? "e" : "f");
    hbg_emit_xml_attribute(out, "variableKind", is_effort ? "signal" : flows_in ? "inflow" : "outflow");
    hbg_base_buffer_text(out, "/>\n");
}

static void put_terminal(hbg_buffer *out, const hbg_emit_variables *variables, hbg_emit_naming *naming,
                         const hbg_emit_fmu_terminal *of) {
    const char *given = find_name(variables, HBG_FMU_INPUT, of->input),
               *other = of->output < 0 ? NULL : find_name(variables, HBG_FMU_OUTPUT, of->output);
    hbg_base_buffer_text(out, "    <Terminal");
    hbg_emit_xml_attribute(out, "name", hbg_emit_name_port(naming, of->name, "terminal"));
    hbg_emit_xml_attribute(out, "matchingRule", "plug");
    if (of->description) hbg_emit_xml_attribute(out, "description", of->description);
    hbg_base_buffer_text(out, ">\n");
    put_member(out, of->is_effort ? given : other, true, of->flows_in);
    put_member(out, of->is_effort ? other : given, false, of->flows_in);
    hbg_base_buffer_text(out, "    </Terminal>\n");
}

static void put_terminals(hbg_buffer *out, const hbg_emit_fmu *of) {
    hbg_emit_variables variables = {0};
    hbg_emit_naming naming;
    if (of->terminal_count == 0) return;
    hbg_emit_fmu_variables(out->arena, of, &variables);
    hbg_emit_naming_init(&naming, out->arena);
    hbg_base_buffer_text(out, "  <Terminals>\n");
    for (int32_t i = 0; i < of->terminal_count; i++)
        put_terminal(out, &variables, &naming, &of->terminals[i]);
    hbg_base_buffer_text(out, "  </Terminals>\n");
}

void hbg_emit_fmu_terminals(const hbg_emit_printing *p, const hbg_emit_fmu *of) {
    bool is_new = of->version >= 3;
    hbg_buffer icon = {.data = (char *)of->icon, .size = of->icon_size},
               drawing = {.data = (char *)of->drawing, .size = of->drawing_size}, out;
    if (of->icon) hbg_emit_add_file(p, is_new ? "terminalsAndIcons/icon.png" : "model.png", &icon);
    if (of->icon && of->drawing && is_new) hbg_emit_add_file(p, "terminalsAndIcons/icon.svg", &drawing);
    if (of->terminal_count == 0 && !(of->icon && is_new)) return;
    hbg_base_buffer_init(&out, p->arena);
    hbg_base_buffer_print(&out,
                          "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<fmiTerminalsAndIcons "
                          "fmiVersion=\"%d.0\">\n",
                          of->version);
    if (is_new) put_icon(&out, of);
    put_terminals(&out, of);
    hbg_base_buffer_text(&out, "</fmiTerminalsAndIcons>\n");
    hbg_emit_add_file(p, "terminalsAndIcons/terminalsAndIcons.xml", &out);
}

/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Shared by the files about FMUs: their variables with names, units and starts, and XML. */
#ifndef HBG_EMIT_EXPORT_FMU_IMPL_H
#define HBG_EMIT_EXPORT_FMU_IMPL_H

#include "emit/export_c_impl.h"
#include "fmu/fmu.h"

/* ---- XML ----------------------------------------------------------------------------------------------- */

/* export_fmu_xml.c: text as the value of an attribute or between two tags: a character that XML cannot hold
 * becomes a question mark; and one attribute. */
void hbg_emit_xml_text(hbg_buffer *out, const char *text);
void hbg_emit_xml_attribute(hbg_buffer *out, const char *name, const char *value);
void hbg_emit_xml_number(hbg_buffer *out, const char *name, double value);
void hbg_emit_xml_flag(hbg_buffer *out, const char *name, bool value);

/* ---- units --------------------------------------------------------------------------------------------- */

enum { HBG_EMIT_BASE_UNITS = 8 }; /* kg m s A K mol cd rad, as FMI has them */
extern const char *const hbg_emit_base_units[HBG_EMIT_BASE_UNITS];
/* export_fmu_units.c: the exponents of a unit as hbg prints it; false: not all are whole numbers. */
bool hbg_emit_unit_exponents(const char *unit, int exponents[HBG_EMIT_BASE_UNITS]);

/* ---- variables ----------------------------------------------------------------------------------------- */

typedef struct {
    hbg_fmu_class class;
    int32_t index; /* in its class */
    uint32_t reference;
    hbg_fmu_type type;
    const char *name, *unit, *description;         /* unit "" or NULL: none */
    const char *shown_in;                          /* a unit of the model's; NULL */
    const char *causality, *variability, *initial; /* initial NULL: none */
    bool has_start;
    double start;
    const char *type_name; /* of an enumeration; NULL */
    int32_t derivative_of; /* among variables; -1 */
} hbg_emit_variable;
typedef HBG_VEC(hbg_emit_variable) hbg_emit_variables;

/* export_fmu_variables.c: all visible ones, in the order of their references. */
void hbg_emit_fmu_variables(hbg_arena *arena, const hbg_emit_fmu *of, hbg_emit_variables *list);

/* export_fmu_names.c: distinct names. A port has no dots, since importers make buses of them. */
typedef struct {
    hbg_arena *arena;
    hbg_names taken;
} hbg_emit_naming;
void hbg_emit_naming_init(hbg_emit_naming *naming, hbg_arena *arena);
/* By the convention `structured`: identifiers with dots between them, other text in quotes. A name that is
 * taken gets `other` in front, and a number if needed. */
const char *hbg_emit_name_structured(hbg_emit_naming *naming, const char *text, const char *other);
const char *hbg_emit_name_port(hbg_emit_naming *naming, const char *text, const char *other);

/* export_fmu_structure.c: the unknowns of a model, and what each depends on. */
void hbg_emit_fmu_structure(const hbg_emit_fmu *of, const hbg_emit_variables *variables, hbg_buffer *out);

/* export_fmu_terminals.c: icon and terminals in the place that the version wants. */
void hbg_emit_fmu_terminals(const hbg_emit_printing *p, const hbg_emit_fmu *of);

/* export_fmu_description.c: modelDescription.xml. */
void hbg_emit_fmu_description(const hbg_emit_fmu *of, const hbg_emit_files *sources, hbg_buffer *out);

#endif

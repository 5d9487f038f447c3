/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * modelDescription.xml in one form for FMI 2.0 and 3.0. Texts belong to the description; NULL: the attribute is not there. */
#ifndef TESTS_FMU_DESCRIPTION_H
#define TESTS_FMU_DESCRIPTION_H

#include <stdbool.h>

#include "fmu/report.h"

// X(NAME, FMI 2 ELEMENT OR NULL, FMI 3 ELEMENT OR NULL)
#define FMU_TYPES(X)                                                                                         \
    X(REAL, "Real", "Float64")                                                                               \
    X(INTEGER, "Integer", "Int32")                                                                           \
    X(BOOLEAN, "Boolean", "Boolean")                                                                         \
    X(STRING, "String", "String")                                                                            \
    X(ENUMERATION, "Enumeration", "Enumeration")                                                             \
    X(FLOAT32, NULL, "Float32")                                                                              \
    X(INT8, NULL, "Int8")                                                                                    \
    X(UINT8, NULL, "UInt8")                                                                                  \
    X(INT16, NULL, "Int16")                                                                                  \
    X(UINT16, NULL, "UInt16")                                                                                \
    X(UINT32, NULL, "UInt32")                                                                                \
    X(INT64, NULL, "Int64")                                                                                  \
    X(UINT64, NULL, "UInt64")                                                                                \
    X(BINARY, NULL, "Binary")                                                                                \
    X(CLOCK, NULL, "Clock")

#define FMU_TYPE_NAME(name, two, three) FMU_##name,
typedef enum { FMU_TYPES(FMU_TYPE_NAME) FMU_TYPE_COUNT } fmu_type;
#undef FMU_TYPE_NAME

typedef enum {
    FMU_PARAMETER,
    FMU_CALCULATED_PARAMETER,
    FMU_INPUT,
    FMU_OUTPUT,
    FMU_LOCAL,
    FMU_INDEPENDENT,
    FMU_STRUCTURAL,
    FMU_NO_CAUSALITY // a word the specification does not have
} fmu_causality;

typedef enum {
    FMU_CONSTANT,
    FMU_FIXED,
    FMU_TUNABLE,
    FMU_DISCRETE,
    FMU_CONTINUOUS,
    FMU_NO_VARIABILITY
} fmu_variability;

typedef enum { FMU_EXACT, FMU_APPROX, FMU_CALCULATED, FMU_NO_INITIAL } fmu_initial;

typedef struct {
    const char *name, *start, *unit, *display_unit, *declared_type, *min, *max;
    const char *initial_word; // as written
    unsigned reference;
    fmu_type type;
    fmu_causality causality;
    fmu_variability variability;
    fmu_initial initial; // with the default filled in
    int derivative_of;   // index of the state this is the derivative of, -1 none, -2 none there
    bool reinit;
    bool array;
    bool clocked;
    int line;
} fmu_variable;

typedef struct {
    const char *name;
    const char *displays[16];
    int display_count;
    bool has_base;
} fmu_unit_definition;

typedef struct {
    const char *name, *unit;
    fmu_type type;
    int items; // of an enumeration
    long item_min, item_max;
} fmu_type_definition;

typedef enum { FMU_OUTPUTS, FMU_RATES, FMU_INITIALS, FMU_CROSSINGS, FMU_CLOCKED, FMU_LISTS } fmu_list_kind;

typedef struct {
    int variable;      // index, -1: there is none
    bool dependent;    // dependencies are given; otherwise on everything
    int *dependencies; // indexes of variables
    int dependency_count;
    int kind_count; // of dependenciesKind, -1 not given
    bool *straight; // by dependency: its kind says that it is linear, as long as nothing happens
    int line;
} fmu_unknown;

typedef struct {
    fmu_unknown *items;
    int count;
} fmu_list;

typedef struct {
    bool there;
    const char *identifier;
    bool states, serialized, directional, variable_steps, once, tool, event_mode, intermediate, early,
        may_early, no_memory, step_not_needed, adjoint;
    int output_derivatives;
    double fixed_step;        // 0: not given
    const char *sources[512]; // FMI 2: the files to compile
    int source_count;
} fmu_interface;

typedef struct {
    int version; // 2 or 3
    const char *model_name, *token, *naming, *generation;
    fmu_interface exchange, cosimulation;
    int indicators; // their number
    bool experiment;
    double start, stop, step, tolerance; // 0: not given
    fmu_variable *variables;
    int variable_count;
    fmu_unit_definition *units;
    int unit_count;
    fmu_type_definition *types;
    int type_count;
    fmu_list lists[FMU_LISTS];
    void *document; // libxml2's
    char **texts;   // to be freed
    int text_count, text_room;
} fmu_description;

// false: it cannot be read at all, which is reported
bool fmu_description_init(fmu_description *description, const char *path, fmu_report *report);
void fmu_description_fini(fmu_description *description);

// -1: there is none
int fmu_find_name(const fmu_description *description, const char *name);
int fmu_find_reference(const fmu_description *description, unsigned reference);

#endif

/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Outputs made from a frozen model: drawings of its bond graph; its code, compiled; its image, as C to be
 * shipped; its equations, as a block diagram. */
#ifndef HBG_EMIT_H
#define HBG_EMIT_H

#include "code/code.h"
#include "model/model.h"
#include "rt/engine.h"
#include "rt/rt.h"
#include "verify/verify.h"

/* A drawing with more nodes (elements and junctions) or bonds is refused unless it is forced. */
#define HBG_DIAGRAM_NODES 2000
#define HBG_DIAGRAM_BONDS 8000
/* A model with more elements than this starts closed if no depth is given: at the depth with at most as many
 * nodes as the second. */
#define HBG_DIAGRAM_OPEN     60
#define HBG_DIAGRAM_READABLE 30

typedef struct {
    bool force;    /* draw any number of nodes and bonds */
    int32_t depth; /* deeper components below the focus are closed boxes; negative: as deep as readable */
    int32_t focus; /* scope: draw only its inside, and its neighbours outlined; 0: the whole model */
    const int8_t *open;  /* by scope: opened (1) or closed (-1), whatever the depth; or NULL */
    const char *earlier; /* an earlier SVG: objects in both keep their places; or NULL */
    bool bare;           /* without title, legend and automata */
    bool live;           /* both strokes of bonds and the marks of storages, hidden where they do not apply */
    bool values;         /* a second line at elements: value with unit, law or modulation */
    bool automata;       /* a panel with states and transitions */
    const int8_t
        *stroke; /* by bond: causal stroke at its `from` end (0), at its `to` end (1), none (-1); or NULL */
    const bool *fixed;     /* by bond: its causality is the same in every mode; or NULL */
    const bool *conflict;  /* by bond: it is part of a contradiction; or NULL */
    bool mythical;         /* the conflict is one of sources: the mode is only passed through */
    const bool *loose;     /* by bond: it floats or shares, and parasites decide; or NULL */
    const bool *dependent; /* by element: a storage in derivative causality; or NULL */
    const bool *off;       /* by element: a junction that is off; or NULL */
    const int32_t *states; /* by automaton: the state it is in, as an index; or NULL */
    const char *other;     /* the mode compared with, for the legend; or NULL, as the next three */
    const bool *changed;   /* by bond: its causality is different there */
    const bool
        *changed_element; /* by element: a switched junction, or a storage dependent in just one of the two */
    const int32_t *other_states; /* by automaton: its state there */
    const char *note;            /* a line below the description, or NULL */
    double timeout;              /* s, for the layout */
} hbg_diagram_options;

hbg_diagram_options hbg_emit_diagram_options_default(void);

/* HBG_TOO_LARGE if there is too much to draw without `force`. */
HBG_MUST_CHECK hbg_status hbg_emit_diagram_fits(const hbg_model *model, const hbg_diagram_options *options,
                                                hbg_arena *arena, const char **reason);

/* Appends the bond graph as an SVG document. HBG_TOO_LARGE: see `force`. HBG_NO_PROGRAM: the layout program
 * is missing or failed. With every failure *reason (in the arena of `out`) says why; nothing is appended. */
HBG_MUST_CHECK hbg_status hbg_emit_diagram(const hbg_model *model, const hbg_diagram_options *options,
                                           hbg_buffer *out, const char **reason);

/* Appends the same graph as Graphviz text, for users who want to lay it out themselves. */
HBG_MUST_CHECK hbg_status hbg_emit_dot(const hbg_model *model, const hbg_diagram_options *options,
                                       hbg_buffer *out, const char **reason);

/* ---- native code -------------------------------------------------------------------------------------- */

typedef struct {
    const char *text; /* C, complete */
    size_t size;
    const char *compiler; /* NULL: cc */
    const char *folder;   /* the cache; NULL: hbg in XDG_CACHE_HOME, else in ~/.cache */
    double timeout;       /* s for the compiler; 0: ten minutes */
    int32_t lanes;        /* of its vectors, as hbg_emit_lanes says; 0: it has none */
    bool device;          /* it is CUDA, for nvcc or HBG_NVCC; a C++ compiler accepts it, too */
    bool anew;            /* compiled again, even if it is in the cache */
    /* Called while the compiler runs; false: it is stopped, as if it had failed. May be NULL. */
    bool (*goes_on)(void *context);
    void *context;
} hbg_emit_native;

typedef struct hbg_emit_library hbg_emit_library;

/* How many numbers a vector of this processor has: 2, 4 or 8. */
int32_t hbg_emit_lanes(void);

/* Loads the text as code, compiled now or before. HBG_NO_PROGRAM with a reason if there is no compiler, it
 * refuses the text, or there is no private folder for the object. The library lives in the arena; its code
 * until it is unloaded. */
HBG_MUST_CHECK hbg_status hbg_emit_load(hbg_arena *arena, const hbg_emit_native *native,
                                        hbg_emit_library **library, const char **reason);
const void *hbg_emit_symbol(const hbg_emit_library *library, const char *name); /* or NULL */
void hbg_emit_unload(hbg_emit_library *library);                                /* NULL: nothing happens */

/* ---- C to be shipped ----------------------------------------------------------------------------------- */

/* A complete image, and its surroundings. */
typedef struct {
    const char *name;                         /* a C identifier: the prefix of all names of the model */
    const char *model, *experiment, *version; /* experiment NULL: none */
    const char *sources;                      /* the folder with rt, base and emit/c of hbg's sources */
    const unsigned char *image;               /* a package */
    size_t image_size;
    const char
        *code; /* its programs (hbg_code_print_shipped), called NAME_code; NULL: they are interpreted */
    size_t code_size;
    const hbg_rt_description *system;
    hbg_rt_options options; /* of its experiment */
    const char *solver;     /* in words */
    const char *notes;      /* losses, a line of Markdown each; "" */
    size_t size;            /* bytes of an instance */
    const char *csv_head;   /* line of names */
    int32_t columns;        /* recorded: the first outputs */
    const double *periods;  /* s: times at their multiples are written without rounding errors */
    int32_t period_count;
} hbg_emit_c;

typedef struct {
    const char *name, *text;
    size_t size;
} hbg_emit_file;
typedef HBG_VEC(hbg_emit_file) hbg_emit_files;

/* The files of a folder that `cc *.c -lm` compiles. HBG_CANNOT_READ: the sources are not there, and *reason
 * says why. */
HBG_MUST_CHECK hbg_status hbg_emit_export_c(hbg_arena *arena, const hbg_emit_c *of, hbg_emit_files *files,
                                            const char **reason);

/* ---- FMUs ---------------------------------------------------------------------------------------------- */

typedef struct {
    double start;
    bool calculated;         /* from others */
    bool constant;           /* it has decided which parts exist */
    const char *description; /* NULL: none */
    const char *shown_in;    /* one of the units below; NULL: as it is */
} hbg_emit_fmu_param;

/* A unit for display: a value in base units is (value in it + offset)·scale. */
typedef struct {
    const char *name, *base;
    double scale, offset;
} hbg_emit_fmu_unit;

/* A place where a model takes or gives power: a source that an input sets, and the other variable of its
 * bond. */
typedef struct {
    const char *name;        /* of the source */
    const char *description; /* NULL: none */
    bool is_effort;          /* the input is the effort, and the output the flow */
    bool flows_in;           /* flow brings power in if both variables are positive */
    int32_t input;
    int32_t output; /* -1: the other variable is not recorded */
} hbg_emit_fmu_terminal;

typedef struct {
    hbg_emit_c c;
    int version;             /* of FMI: 2 or 3 */
    bool exchange, steps;    /* interfaces: model exchange, co-simulation */
    bool saves;              /* instances can be saved */
    const char *token;       /* identifies the description to the code */
    const char *date;        /* of the description, in the format of XML */
    const char *description; /* of the model; NULL: none */
    int32_t shown;           /* outputs that are shown: the first */
    const double *input_starts;
    const double *nominals;        /* by state */
    const int32_t *read_by;        /* by input: the output that reads it, -1 */
    const char *const *area_units; /* by bond of areas of efforts, then of flows */
    const hbg_emit_fmu_param *params;
    const hbg_emit_fmu_unit *units; /* that are not coherent, one for each name */
    int32_t unit_count;
    const hbg_code_dependences *depends; /* NULL: on all */
    const char *drawing;                 /* SVG, or NULL */
    size_t drawing_size;
    const char *icon; /* PNG, or NULL */
    size_t icon_size;
    const hbg_emit_fmu_terminal *terminals;
    int32_t terminal_count;
} hbg_emit_fmu;

/* All files of an FMU except its binary: description, sources, documentation. */
HBG_MUST_CHECK hbg_status hbg_emit_export_fmu(hbg_arena *arena, const hbg_emit_fmu *of, hbg_emit_files *files,
                                              const char **reason);

typedef struct {
    const char *engine; /* an archive of the engine; NULL: it is compiled, too */
    bool (*goes_on)(
        void *
            context); /* called while the compiler runs; false: it is stopped, nothing remains. May be NULL */
    void *context;
} hbg_emit_compiler;

/* The binary, compiled by `cc` from the sources among the files. Appended to the files. HBG_NO_PROGRAM: there
 * is no compiler, it refuses them, or it was stopped. */
HBG_MUST_CHECK hbg_status hbg_emit_fmu_binary(hbg_arena *arena, const hbg_emit_fmu *of,
                                              const hbg_emit_compiler *with, hbg_emit_files *files,
                                              const char **reason);

/* The bytes of an archive of these files, the same every time, in the arena. */
HBG_MUST_CHECK hbg_status hbg_emit_zip(hbg_arena *arena, const hbg_emit_files *files, const char **bytes,
                                       size_t *size, const char **reason);

/* ---- a hybrid automaton for SpaceEx -------------------------------------------------------------------- */

/* An independent part of the model: a base component. */
typedef struct {
    const hbg_hybrid *of;
    const hbg_model *model;        /* the model of the automata in its locations */
    const hbg_eqn_outline *system; /* the system whose states are its variables */
} hbg_emit_component;

typedef struct {
    const char *model, *experiment, *version; /* experiment NULL: none */
    const char *file;                         /* name of the file with the automaton */
    double stop;                              /* s */
    const hbg_emit_component *parts;
    int32_t part_count;
    const char *const *warnings;
    int32_t warning_count;
} hbg_emit_hybrid;

/* Appends the automaton in SpaceEx's format, and the settings of an analysis of it. */
void hbg_emit_spaceex(const hbg_emit_hybrid *of, hbg_buffer *automaton, hbg_buffer *settings);

/* ---- processes ----------------------------------------------------------------------------------------- */

/* A process for each independent part of a model, side by side. */
typedef struct {
    const char *model, *version;
    const hbg_process *parts;
    const char *const *names; /* by part: an identifier */
    int32_t part_count;
} hbg_emit_process;

/* Appends it as text, and as a document for LaTeX with the symbols of 003. */
void hbg_emit_process_text(const hbg_emit_process *of, hbg_buffer *out);
void hbg_emit_process_latex(const hbg_emit_process *of, hbg_buffer *out);
/* Parts of the text, for reports: a predicate; a condition. */
void hbg_emit_process_term(const hbg_process *of, hbg_term term, hbg_buffer *out);
void hbg_emit_process_any(const hbg_process *of, const hbg_process_any *any, hbg_buffer *out);
/* Such a text, read and written again without its comments; false with a report if it does not follow the
 * grammar, or has an operator that processes of models do not use. */
bool hbg_emit_process_again(hbg_arena *arena, hbg_diagnostics *diagnostics, const hbg_source *source,
                            hbg_buffer *out);

/* The composition of 003 for each independent part, side by side; `composition` and `linear` select its
 * parts. */
typedef struct {
    const char *model, *version;
    const hbg_paper *parts;
    const char *const *names; /* by part: an identifier */
    int32_t part_count;
    bool composition, linear;
} hbg_emit_paper;
void hbg_emit_paper_text(const hbg_emit_paper *of, hbg_buffer *out);
void hbg_emit_paper_latex(const hbg_emit_paper *of, hbg_buffer *out);
const char *hbg_emit_paper_reading(hbg_paper_reading reading); /* "settled" */

/* ---- block diagrams ------------------------------------------------------------------------------------ */

/* A model with its equations, and the experiment with a fixed step for its diagram. */
typedef struct {
    struct hbg_eqn *eqn;
    const hbg_rt_description *system;
    const char *name; /* an identifier: its name in scripts */
    const char *rows; /* the file to which a script writes its rows */
    const char *model, *experiment, *version, *solver;
    const double *start;          /* by state: as declared */
    const hbg_rt_action *actions; /* in order of time */
    int32_t action_count;
    double stop, step, every; /* s; every 0: rows at the end of each step */
    int32_t columns;          /* recorded: the first outputs */
} hbg_emit_blocks_of;

typedef struct hbg_emit_blocks hbg_emit_blocks;

typedef struct {
    int32_t blocks, integrators, switches, lookups, constraints, resets, transitions;
} hbg_emit_blocks_counts;

/* The reconfigurable block diagram (001, section 4), in the arena: a mode change only moves switches. NULL if
 * that would not be exact, and *reason says why and where. */
hbg_emit_blocks *hbg_emit_blocks_new(hbg_arena *arena, const hbg_emit_blocks_of *of, const char **reason);
hbg_emit_blocks_counts hbg_emit_blocks_count(const hbg_emit_blocks *of);
/* Names of the variables that algebraic loops are solved for, in order; how many. */
int32_t hbg_emit_blocks_loops(const hbg_emit_blocks *of, const char **names, int32_t most);
/* As JSON, as a script for Scilab and as one for MATLAB. */
void hbg_emit_blocks_json(const hbg_emit_blocks *d, hbg_buffer *out);
void hbg_emit_blocks_xcos(const hbg_emit_blocks *d, hbg_buffer *out);
void hbg_emit_blocks_simulink(const hbg_emit_blocks *d, hbg_buffer *out);
/* Why Simulink cannot have it, or NULL. */
const char *hbg_emit_blocks_simulink_refuses(const hbg_emit_blocks *d);

#endif

/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Elaboration: syntax trees become one flat model, in three passes over the tree of instances.
 *   declare  every object gets its place, so that any expression can name any other
 *   connect  half bonds are joined through the ports they meet at
 *   define   expressions are lowered into the model's expression graph */
#ifndef HBG_LANG_ELABORATE_IMPL_H
#define HBG_LANG_ELABORATE_IMPL_H

#include "lang/syntax_impl.h"
#include "lang/unit_impl.h"

#define HBG_LANG_OBJECT_LIMIT 4000000   /* objects that components make */
#define HBG_LANG_UNFOLD_ALL   4000000   /* expressions that all calls of functions unfold into */
#define HBG_LANG_UNFOLD_LIMIT 1000000   /* expressions that one call of a function unfolds into */
#define HBG_LANG_DEPTH_LIMIT  100       /* instances inside instances, functions inside functions */
#define HBG_LANG_LOWER_LIMIT  2000      /* expressions inside expressions, functions unfolded */
#define HBG_LANG_SUGGESTIONS  1000000   /* names compared in search of the intended one */
#define HBG_LANG_EXPANSIONS   (1 << 28) /* expansions are numbered after definitions */

/* What the front end knows of an instance beyond the model's own record; parallel to model.scopes. */
typedef struct {
    syntax_definition *definition;
    const syntax_declaration *instance; /* NULL for the model itself */
    int32_t parent;
    int32_t first_object[DECLARE_FUNCTION + 1]; /* where its objects of a kind begin in the model's tables */
} hbg_instance;

typedef struct {
    const char *path; /* as shown */
    const char *real; /* resolved: two imports of one file are one */
    bool loading;
    syntax_file *syntax;
} hbg_loaded_file;

typedef struct { /* a parameter that decides which parts exist */
    int32_t scope;
    hbg_name name;
    double value;
} hbg_structural;

typedef struct { /* of a parameter, by `-p` */
    syntax_setting setting;
    int32_t param;
} hbg_override;

typedef struct {
    hbg_lang *lang;
    hbg_arena *arena; /* scratch */
    hbg_model *model;
    HBG_VEC(hbg_loaded_file) files;
    HBG_VEC(syntax_definition *) definitions;
    HBG_VEC(syntax_declaration *) functions;
    hbg_pair_map definition_names; /* (0, name) -> definitions */
    hbg_pair_map function_names;   /* (definition number, or -1 at the top of a file, name) -> functions */
    hbg_pair_map arguments;        /* (definition number, name) -> declaration that takes an argument */
    hbg_pair_map state_names;      /* (automaton, name) -> state within it */
    HBG_VEC(hbg_instance) instances;
    HBG_VEC(hbg_unit *) units;
    const char
        *expected_unit; /* of a value given on the command line, as its parameter was declared; or NULL */
    hbg_pair_map unit_texts;  /* (0, text) -> units, NULL there for a text that is not a unit */
    hbg_pair_map table_texts; /* (file, column) -> model.tables */
    HBG_VEC(hbg_override) overrides;
    HBG_VEC(hbg_structural) structural;
    hbg_pair_map structural_params; /* (scope, name) -> structural */
    int64_t expanded;               /* declarations that loops and arrays made */
    int32_t expansions;             /* definitions that were written out */
    hbg_pair_map override_params;   /* (0, param) -> overrides */
    bool bonds_made;                /* from now on a named bond can be found, unless it leads nowhere */
    bool too_large;                 /* reported once; all passes stop */
    int64_t unfolded;               /* expressions that calls of functions made */
    int32_t unfold_start;           /* model.exprs when the outermost call of a function began */
    int depth;                      /* of nested expressions being lowered */
    int64_t suggestions_left;       /* of HBG_LANG_SUGGESTIONS */
} hbg_elaborator;

/* lang.c: begins with a model, or with an empty one; and checks the result: NULL if there are errors. */
void hbg_lang_elaborate_init(hbg_elaborator *elaborator, hbg_lang *lang, hbg_model *model);
/* From the loaded texts to a checked model; NULL if there are errors. */
hbg_model *hbg_lang_elaborate(hbg_elaborator *elaborator, const hbg_lang_options *options);
hbg_model *hbg_lang_elaborate_check(hbg_elaborator *elaborator);

/* files.c */
void hbg_lang_elaborate_load_file(hbg_elaborator *elaborator, const char *path);
void hbg_lang_elaborate_load_text(hbg_elaborator *elaborator, const char *path, const char *text,
                                  size_t size);

/* files_component.c: the file of the search folders that declares a component of this name, ignoring case,
 * and its exact spelling there. Lasts as long as the elaboration. */
bool hbg_lang_elaborate_find_component_file(hbg_elaborator *elaborator, const char *name,
                                            const char **declared, const char **file);

/* size.c: whether the flat model will have room; false with a report. */
bool hbg_lang_elaborate_fits(hbg_elaborator *elaborator, syntax_definition *model);

/* structural.c: values that are needed before there are parts. */
typedef struct hbg_loop hbg_loop;
struct hbg_loop { /* a variable with its present value */
    hbg_name name;
    double value;
    const hbg_loop *outer;
};
/* False with a report; `what` begins the sentence. */
bool hbg_lang_elaborate_structural(hbg_elaborator *elaborator, int32_t scope, const hbg_loop *loop,
                                   const syntax_expr *expr, const char *what, double *value);
bool hbg_lang_elaborate_whole(hbg_elaborator *elaborator, int32_t scope, const hbg_loop *loop,
                              const syntax_expr *expr, const char *what, int64_t *value);
/* Once parts exist: the parameters that were used. */
void hbg_lang_elaborate_mark_structural(hbg_elaborator *elaborator);

/* What `-p` gives the parameter of this instance, and what its arguments say; NULL if nothing. */
const syntax_expr *hbg_lang_elaborate_asked(hbg_elaborator *elaborator, int32_t scope, hbg_name name);
const syntax_expr *hbg_lang_elaborate_given(const hbg_instance *instance, hbg_name name);

/* table_text.c: parameters that are texts. The quoted text that such a parameter, or one that gives it,
 * stands for; NULL with a report. */
const syntax_expr *hbg_lang_elaborate_find_text(hbg_elaborator *elaborator, int32_t scope,
                                                const syntax_expr *expr);
bool hbg_lang_elaborate_is_text(const hbg_elaborator *elaborator, int32_t scope, hbg_name name);
/* Whether an instance gives it a text, and nothing else has that name. */
void hbg_lang_elaborate_check_text(hbg_elaborator *elaborator, int32_t scope,
                                   const syntax_declaration *declaration, const syntax_argument *argument);

/* expand.c: the definition of an instance without loops, conditions and arrays; itself where it has none. */
syntax_definition *hbg_lang_elaborate_expand(hbg_elaborator *elaborator, int32_t scope);
hbg_name hbg_lang_elaborate_indexed(hbg_elaborator *elaborator, hbg_name name,
                                    int32_t index); /* `r[3]`; HBG_NONE: as it is */

/* declare.c: makes the objects of the instance and, below it, of all its instances. */
void hbg_lang_elaborate_declare(hbg_elaborator *elaborator, syntax_definition *model);

/* connect.c */
void hbg_lang_elaborate_connect(hbg_elaborator *elaborator);

/* define.c, experiment.c */
/* Whether an instance may be given it: the parameters of the component's header and its `port in`s. */
bool hbg_lang_elaborate_takes_argument(const syntax_definition *definition, int32_t index);
void hbg_lang_elaborate_define(hbg_elaborator *elaborator);
void hbg_lang_elaborate_experiments(hbg_elaborator *elaborator);
/* What is to be recorded or drawn; an array without an index means all its members. */
void hbg_lang_elaborate_records(hbg_elaborator *elaborator, const syntax_expr *syntax, hbg_records *records);

/* A state of an automaton, given by its name; false with a report. */
bool hbg_lang_elaborate_state(hbg_elaborator *elaborator, const syntax_expr *value, int32_t automaton,
                              int32_t *state);

/* fault.c: false with a report. */
bool hbg_lang_elaborate_fault(hbg_elaborator *elaborator, const syntax_fault *syntax, hbg_fault *fault);
/* Sentences of the command line and rows of a table (fault_table.c), added to an experiment. */
void hbg_lang_elaborate_fault_sentences(hbg_elaborator *elaborator, const hbg_lang_options *options,
                                        hbg_experiment *experiment);
void hbg_lang_elaborate_fault_table(hbg_elaborator *elaborator, const char *path, hbg_experiment *experiment);

/* override.c: reads values of parameters from the command line; finds their parameters, once they exist; and
 * replaces their values in the model. */
void hbg_lang_elaborate_overrides(hbg_elaborator *elaborator, const hbg_lang_options *options);
void hbg_lang_elaborate_find_overrides(hbg_elaborator *elaborator);
void hbg_lang_elaborate_give(hbg_elaborator *elaborator);

/* input.c: values of inputs that are given on the command line; after the experiments. */
void hbg_lang_elaborate_inputs(hbg_elaborator *elaborator, const hbg_lang_options *options);

void hbg_lang_elaborate_advise_parameter(hbg_elaborator *elaborator, hbg_diagnostic *report,
                                         const syntax_path *path);
/* request.c: the requests of the command line, as an experiment without a name after the others. */
void hbg_lang_elaborate_request(hbg_elaborator *elaborator, const hbg_lang_options *options);
/* sweep.c: whether it gives a parameter several values, and these as axes of the request. */
bool hbg_lang_elaborate_is_sweep(const char *text);
void hbg_lang_elaborate_sweeps(hbg_elaborator *elaborator, const hbg_lang_options *options,
                               hbg_experiment *request);
/* `600us` as `600 [us]`: brackets are tedious at a prompt. Other texts stay as they are. */
const char *hbg_lang_elaborate_with_brackets(hbg_elaborator *elaborator, const char *text);

/* resolve.c: names. */
typedef struct {
    hbg_object object; /* the longest part of the path that is an object */
    int32_t used;      /* segments it took */
    int32_t index;     /* `[k]` after it, or HBG_NONE */
} hbg_resolved;
/* fault_target.c: for a component, the report says which of its parts can have the fault. */
bool hbg_lang_elaborate_fault_target(hbg_elaborator *elaborator, const syntax_fault *fault,
                                     hbg_resolved *found);
/* Follows instances as far as the path goes. Reports and returns false if a name is unknown. */
bool hbg_lang_elaborate_resolve(hbg_elaborator *elaborator, int32_t scope, const syntax_path *path,
                                hbg_resolved *result);
/* The same for a name in an expression: if no name is similar, the report says how to declare it. */
bool hbg_lang_elaborate_resolve_value(hbg_elaborator *elaborator, int32_t scope, const syntax_path *path,
                                      hbg_resolved *result);
/* The same from the top, for an expected parameter: only such names are suggested. */
bool hbg_lang_elaborate_resolve_parameter(hbg_elaborator *elaborator, const syntax_path *path,
                                          hbg_resolved *result);
/* What a name with its index means in a scope: a member of an array, or something with numbered ports;
 * `index` is then the port. */
hbg_object hbg_lang_elaborate_find(hbg_elaborator *elaborator, int32_t scope, const syntax_segment *segment,
                                   int32_t *index);
/* The members of an array of that name: how many, the first and the last. */
int32_t hbg_lang_elaborate_members(const hbg_elaborator *elaborator, int32_t scope, hbg_name name, int *first,
                                   int *last);
const char *hbg_lang_elaborate_path_text(hbg_elaborator *elaborator, const syntax_path *path);
const char *hbg_lang_elaborate_name_of(hbg_elaborator *elaborator, hbg_object object);
const char *hbg_lang_elaborate_article(const char *noun); /* "a" or "an" */
/* a name that is free: the stem, or the stem with the least number from 2 that is free */
const char *hbg_lang_elaborate_fresh(hbg_arena *arena, const char *stem,
                                     bool (*is_taken)(const void *context, const char *name),
                                     const void *context);
/* Whether to search that many names for the intended one: for the first errors always, for a million errors
 * in a million names not. */
bool hbg_lang_elaborate_may_suggest(hbg_elaborator *elaborator, int64_t candidates);
/* If no name is similar to the one given, lists the existing ones, as far as they fit. */
typedef bool hbg_elaborate_choice(const syntax_definition *definition, int32_t index);
void hbg_lang_elaborate_list(hbg_elaborator *elaborator, const syntax_definition *definition,
                             hbg_elaborate_choice *fits, hbg_diagnostic *report);
/* Which state of the automaton; HBG_NONE with a report if it has none of that name. */
int32_t hbg_lang_elaborate_find_state(hbg_elaborator *elaborator, int32_t automaton, hbg_name name,
                                      hbg_span span);
/* The variable a letter stands for; HBG_VARIABLE_COUNT if none. */
hbg_variable hbg_lang_elaborate_variable(const hbg_elaborator *elaborator, hbg_name name);

/* lower.c: expressions. */
typedef struct hbg_frame hbg_frame;
struct hbg_frame { /* a function being inlined */
    const syntax_declaration *function;
    const hbg_expr *arguments;
    const hbg_frame *outer;
    int depth;
};
typedef struct {
    hbg_elaborator *elaborator;
    int32_t scope;
    int32_t element; /* whose law this is: its variables have their letters as names; HBG_NONE otherwise */
    const hbg_frame *frame; /* NULL outside functions */
} hbg_lowering;
/* HBG_NONE for NULL and for what was reported. */
hbg_expr hbg_lang_elaborate_lower(const hbg_lowering *lowering, const syntax_expr *expr);
/* call.c: the same for a call. */
hbg_expr hbg_lang_elaborate_call(const hbg_lowering *lowering, const syntax_expr *expr);
/* The unit of a bracketed span; NULL with a report if there is no such unit. {0,0} gives NULL without. */
const hbg_unit *hbg_lang_elaborate_unit(hbg_elaborator *elaborator, hbg_span brackets);
/* The unit of a number, perhaps after a sign; an empty span for anything else. */
hbg_span hbg_lang_number_unit(const syntax_expr *value);
/* The same, as a dimension (unknown if there is none) and as text for display. */
hbg_dimension hbg_lang_elaborate_dimension(hbg_elaborator *elaborator, hbg_span brackets);
const char *hbg_lang_elaborate_unit_label(hbg_elaborator *elaborator, hbg_span brackets);
/* The same, as the unit in which a value is shown; none for a logarithm, which only positive numbers have. */
hbg_display hbg_lang_elaborate_display(hbg_elaborator *elaborator, hbg_span brackets);
/* For a declaration in this unit, or without one: reports a bare number if it would be misread. */
void hbg_lang_elaborate_check_scale(hbg_elaborator *elaborator, hbg_name name, const char *unit,
                                    const syntax_expr *value);
/* Warns of a bare number, perhaps after a sign, for a declaration whose unit is not SI; whether it did. */
bool hbg_lang_elaborate_check_bare(hbg_elaborator *elaborator, const char *name, const char *written,
                                   const syntax_expr *value);
/* The same for an argument, whose unit is that of the parameter's default. */
void hbg_lang_elaborate_check_argument(hbg_elaborator *elaborator, const syntax_declaration *declaration,
                                       const syntax_expr *value);
/* Why a text is not a unit, in words that name it. */
const char *hbg_lang_elaborate_unit_reason(hbg_elaborator *elaborator, const char *text, const char *reason);

/* amount.c: values that are added to others. */
typedef enum {
    HBG_AMOUNT_PURE,         /* of numbers without units */
    HBG_AMOUNT_PERCENT,      /* `-30 [%]`, `2*15 [%]` */
    HBG_AMOUNT_PERCENT_RATE, /* `1 [%/s]`, `60 [%/min]` */
    HBG_AMOUNT_OTHER,        /* without percent */
    HBG_AMOUNT_MIXED         /* with percent, but no percentage: `1 + 10 [%]` */
} hbg_amount;
hbg_amount hbg_lang_elaborate_amount(hbg_elaborator *elaborator, const syntax_expr *expr);
hbg_span hbg_lang_elaborate_amount_span(const syntax_expr *expr); /* with the unit of a number */
/* Reports a difference given on a scale of temperature; `what` begins the sentence. NULL is none. */
void hbg_lang_elaborate_check_difference(hbg_elaborator *elaborator, const syntax_expr *expr,
                                         const char *what);
/* The value of the expression, with the dimension of a percentage where it is one. */
hbg_expr hbg_lang_elaborate_anchor(const hbg_lowering *lowering, const syntax_expr *expr, hbg_expr value);

/* table.c: a column of a CSV file; HBG_NONE with a report. */
int32_t hbg_lang_elaborate_table(hbg_elaborator *elaborator, int32_t scope, const syntax_expr *call);

/* connect.c: the junction in which ports of a domain are joined, '0' or '1' */
char hbg_lang_elaborate_joining(hbg_domain domain);

/* text of the sources from a position on, without an end; of a span, copied */
const char *hbg_lang_elaborate_text_at(hbg_elaborator *elaborator, uint32_t position);
const char *hbg_lang_elaborate_text(hbg_elaborator *elaborator, hbg_span span);
/* path of the file a span is in */
const char *hbg_lang_elaborate_file_of(hbg_elaborator *elaborator, hbg_span span);

#endif

/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The flat hybrid bond graph: elements, bonds, automata, signals and expressions in arrays, every object with
 * its path and source span. Built through the add functions, then checked and frozen; afterwards it is read
 * only. Readers may use the tables; code that builds it calls the builder.
 *
 * Every reference is an int32 index into one of the tables; HBG_NONE if there is none. */
#ifndef HBG_MODEL_H
#define HBG_MODEL_H

#include "base/base.h"
#include "model/kinds_impl.h" /* the lists: element kinds, variables, domains, operators, fault kinds, solvers */

#define HBG_NONE (-1)

typedef int32_t hbg_expr; /* index into hbg_model.exprs */

/* ---- dimensions --------------------------------------------------------------------------------------- */

#define HBG_BASE_UNITS 7 /* m kg s A K mol cd */
#define HBG_DIMENSION_DENOMINATOR                                                                            \
    6 /* exponents are counted in sixths, so that sqrt and cbrt have a dimension */

typedef struct {
    int8_t exponent[HBG_BASE_UNITS]; /* in sixths */
    bool known;                      /* false: a bare number, agrees with every dimension */
} hbg_dimension;

extern const hbg_dimension hbg_model_dimension_any, hbg_model_dimension_pure;
bool hbg_model_dimension_agree(hbg_dimension a, hbg_dimension b); /* equal, or one of them unknown */
hbg_dimension hbg_model_dimension_second(void);
hbg_dimension hbg_model_dimension_joule(void);
hbg_dimension hbg_model_dimension_multiply(hbg_dimension a, hbg_dimension b);
hbg_dimension hbg_model_dimension_divide(hbg_dimension a, hbg_dimension b);
/* a to the power numerator/denominator; false if an exponent is no sixth or out of range. */
bool hbg_model_dimension_power(hbg_dimension a, int numerator, int denominator, hbg_dimension *result);
/* The name engineers use ("V", "Ohm", "N·s/m", else base units "kg·m/s^3"); "a pure number" for dimension
 * one. */
void hbg_model_dimension_print(hbg_buffer *buffer, hbg_dimension dimension);
/* Of several names of a dimension, the one that fits a unit as written: "N·m" for `kN.m`, and not "J". NULL:
 * the name above fits. */
const char *hbg_model_dimension_spoken(hbg_dimension dimension, const char *written);

/* Effort, flow, momentum or displacement of a domain; unknown where the domain table has none. */
hbg_dimension hbg_model_domain_dimension(hbg_domain domain, hbg_variable variable);

/* The unit in which a value is shown, as written: the shown number is SI / scale - offset. NULL: SI. */
typedef struct {
    const char *unit;
    double scale, offset;
    hbg_dimension dimension;
} hbg_display;
double hbg_model_displayed(const hbg_display *display, double value);

/* ---- objects ------------------------------------------------------------------------------------------ */

typedef enum {
    HBG_OBJECT_NONE,
    HBG_OBJECT_SCOPE,     /* a component instance */
    HBG_OBJECT_PARAM,     /* hbg_param */
    HBG_OBJECT_ELEMENT,   /* hbg_element, junctions included */
    HBG_OBJECT_BOND,      /* hbg_bond */
    HBG_OBJECT_PORT,      /* hbg_port */
    HBG_OBJECT_AUTOMATON, /* hbg_automaton */
    HBG_OBJECT_SIGNAL     /* hbg_signal */
} hbg_object_kind;

typedef struct {
    hbg_object_kind kind;
    int32_t index;
} hbg_object;

/* What every object has: the instance it lives in, its own name there, and where it was declared. */
typedef struct {
    int32_t scope;
    hbg_name name;
    hbg_span span; /* of the name */
} hbg_identity;

/* Where a drawing puts an object: pixels in its owner, to the right and downwards. Has no other meaning. */
typedef struct {
    bool given;
    double x, y;
} hbg_drawn_at;

typedef struct {
    hbg_identity id; /* id.scope is the parent; scope 0 is the model itself and its own parent */
    hbg_name component;
    const char *doc;
    hbg_drawn_at place;
} hbg_scope;

typedef struct {
    hbg_identity id;
    hbg_expr value;          /* over literals and other parameters only */
    hbg_dimension dimension; /* as declared, or of its value */
    const char *unit;        /* as written, NULL if none; values are always SI */
    hbg_display display;     /* in that unit */
    const char *doc;
    bool inferred; /* after check: the dimension was found, not declared */
    bool in_unit;  /* the unit is written after its name: a bare number would be misread */
    bool used;
    bool structural;   /* decides which parts the model has: nothing can change it after that */
    bool overridden;   /* by `-p` or an instance's argument */
    bool asked;        /* by `-p`: no experiment sets it */
    hbg_expr declared; /* its value without that; HBG_NONE: not needed, or it has no default */
} hbg_param;

/* One equation `variable[port] = value`: a law, or an initial value. */
typedef struct {
    hbg_variable variable;
    int32_t port; /* from 1 */
    hbg_expr value;
    hbg_span span;
} hbg_binding;

typedef struct {
    hbg_identity id;
    hbg_element_kind kind;            /* the basic kind: causality, structure and energy use it */
    hbg_element_kind form;            /* its line in the list: its word, its value and its law */
    int32_t ports;                    /* 1 for one-ports, 2 for TF and GY, n for fields, 0 for junctions */
    int32_t first_value, value_count; /* in model.entries: the parameter, or a ports×ports matrix by rows */
    int32_t first_law, law_count;     /* in model.bindings: constitutive laws, if written as such */
    int32_t first_initial, initial_count; /* in model.bindings: declared initial q, p, e or f */
    hbg_expr control;                     /* junctions: on while this holds; HBG_NONE: always on */
    hbg_expr restitution;                 /* junctions: coefficient, or HBG_NONE */
    bool dual_off; /* junctions: off flow for a 0-junction, off effort for a 1-junction */
    int32_t net;   /* after check: the bonds and one-ports of one domain; for TF, GY of port 1 */
    hbg_drawn_at place;
} hbg_element;

typedef struct {
    int32_t element;
    int32_t port; /* from 1; 0 at a junction (and at TF, GY without an index until checked) */
    hbg_span span;
} hbg_bond_end;

typedef struct {
    hbg_identity id;       /* name 0 if unnamed: it is then called from>to, a second one from>to#2 */
    hbg_bond_end from, to; /* the half arrow points at `to` */
    int32_t ordinal;       /* after check: which of the unnamed bonds between its two ends, from 1 */
    int32_t net;           /* after check */
} hbg_bond;

/* An energy port of a component. Ports dissolve: the bonds inside and outside are one bond. */
typedef struct {
    hbg_identity id;
    hbg_domain domain; /* HBG_DOMAIN_ANY: that of its connection */
    int32_t bond;      /* HBG_NONE: left open */
    const char *doc;
} hbg_port;

typedef struct {
    int32_t target; /* index of the state within the automaton */
    hbg_expr guard; /* boolean; HBG_NONE for a pure `after` */
    hbg_expr after; /* time since entry, or HBG_NONE */
    hbg_span span;
} hbg_transition;

typedef struct {
    hbg_name name;
    hbg_span span;
    bool on;
    int32_t first_transition, transition_count; /* in model.transitions, in source order */
} hbg_automaton_state;

typedef struct {
    hbg_identity id;
    int32_t first_state, state_count; /* in model.states */
    int32_t start;                    /* within the automaton */
    hbg_expr every;                   /* sample period, or HBG_NONE */
    const char *doc;
} hbg_automaton;

/* Unknown: the check takes the type of the expression. Afterwards only objects with errors are unknown. */
typedef enum { HBG_TYPE_REAL, HBG_TYPE_BOOL, HBG_TYPE_EVENT, HBG_TYPE_UNKNOWN } hbg_type;

typedef struct {
    hbg_identity id;
    hbg_signal_kind kind; /* signal, state, sample, input, sensor, output */
    hbg_type type;
    hbg_dimension dimension; /* as declared; after check, as found */
    bool inferred;           /* after check: it was found */
    bool asked;              /* inputs: `--input` gives the value */
    const char *unit;        /* as written, or NULL */
    hbg_display display;     /* outputs: the unit after `in` */
    hbg_span display_span;   /* of that, brackets included */
    hbg_expr value;   /* its expression; for a state the derivative, for an input the default (or HBG_NONE) */
    hbg_expr initial; /* states: value at the start; otherwise HBG_NONE */
    hbg_expr every;   /* samples and sensors: period; otherwise HBG_NONE */
    hbg_expr noise_mean, noise_variance; /* sensors, or HBG_NONE */
    const char *doc;
} hbg_signal;

typedef struct {
    const char *file, *column; /* as written */
    const char *path;          /* where it was found; NULL if it is not a file */
    hbg_dimension dimension, argument_dimension;
    int32_t count;
    double *x, *y; /* SI; x increases, strictly but for jumps (two points with one x) */
    hbg_span span;
} hbg_table;

/* ---- expressions -------------------------------------------------------------------------------------- */

/* Arguments come before the node that uses them, so a loop over the array in order meets every node after its
 * arguments: no pass over expressions needs recursion. Operators and what `a b c` hold: kinds_impl.h. */
typedef struct {
    uint16_t op; /* hbg_operator */
    int32_t a, b, c;
    hbg_name written; /* what the model writes in its place; 0: itself */
    hbg_span span;
} hbg_expr_node;

/* times / divisor · pi^pi_power. */
typedef struct {
    hbg_decimal times, divisor;
    int32_t pi_power;
} hbg_multiple;

typedef struct {
    hbg_decimal value; /* SI, exact unless a unit asks for pi or a division: that is rounded */
    const hbg_multiple
        *exact; /* of a unit with pi, before it was rounded; NULL: none, as in a model of an image */
    hbg_dimension dimension; /* unknown for a bare number */
    const char *unit;        /* as written, NULL if none */
    bool scale;              /* with a separate zero, such as degC */
} hbg_literal;

/* ---- experiments and verification --------------------------------------------------------------------- */

typedef struct {
    hbg_object target;     /* parameter, element (initial value) or automaton (start state) */
    hbg_variable variable; /* elements: what is given */
    int32_t port;          /* elements: from 1 */
    int32_t state;         /* automata: start state */
    hbg_expr value;
    hbg_span span;
} hbg_setting;

typedef struct {
    hbg_expr time;
    int32_t signal; /* an input */
    hbg_expr value; /* HBG_NONE: an event */
    hbg_span span;
} hbg_action;

typedef struct {
    hbg_expr at, until; /* until: HBG_NONE for a persistent fault */
    hbg_object target;  /* parameter, element with one value, automaton or sensor */
    hbg_fault_kind kind;
    hbg_expr value;   /* bias, slope, stuck value or mean */
    hbg_expr value2;  /* noise: variance */
    bool relative;    /* the value is a fraction of the nominal one (written in %, or %/s) */
    int32_t state;    /* automata: the state it is stuck in; HBG_NONE for stuck on/off */
    bool on;          /* automata stuck on (true) or off (false) when state is HBG_NONE */
    const char *text; /* target, kind and value as written, or NULL */
    bool from_table;  /* a row of a table, and no sentence */
    hbg_span span;
} hbg_fault;

typedef enum {
    HBG_AXIS_GRID,      /* from, to, step */
    HBG_AXIS_LIST,      /* the values */
    HBG_AXIS_NORMAL,    /* mean, deviation */
    HBG_AXIS_UNIFORM,   /* low, high */
    HBG_AXIS_LOGNORMAL, /* median */
    HBG_AXIS_KIND_COUNT
} hbg_axis_kind;

/* A parameter that a sweep varies. */
typedef struct {
    hbg_axis_kind kind;
    int32_t param;
    int32_t first, count; /* its numbers, as settings of the same experiment */
    hbg_expr spread;      /* lognormal: deviation of the logarithm; else HBG_NONE */
    hbg_span span;
} hbg_axis;

typedef struct {
    hbg_expr value;
    const char *label; /* as written */
    const char *unit;  /* the unit of `value`, if it is not SI; NULL: by its dimension */
} hbg_record;
typedef HBG_VEC(hbg_record) hbg_records;

typedef struct {
    hbg_name name;    /* 0: the request of a run, made when the model was read, not an experiment; the last */
    int32_t added_to; /* the experiment that goes with it, or HBG_NONE */
    hbg_span span;
    hbg_expr stop;
    hbg_solver solver;
    hbg_expr step;         /* HBG_NONE: the solver's own */
    hbg_expr record_every; /* HBG_NONE: every step */
    double tolerance;      /* relative, of the solver; 0: not said */
    HBG_VEC(hbg_setting) settings;
    HBG_VEC(hbg_action) actions;
    HBG_VEC(hbg_fault) faults;
    bool faults_apart; /* each fault of a table is for a separate run */
    hbg_records records;
    hbg_records plots;
    HBG_VEC(hbg_axis) axes; /* of the request; a sorted copy has none */
    const char *doc;
} hbg_experiment;

typedef struct {
    hbg_expr value, low, high;
    hbg_span span;
} hbg_range;

/* What a proof checks of every jump: that a condition holds in the mode it leads to, or that a junction loses
 * no more than a bound. */
typedef struct {
    hbg_expr value;   /* the condition, or the bound, J */
    int32_t junction; /* with restitution, of a bound; HBG_NONE: a condition */
    hbg_expr pulse;   /* of a bound: area of the common variable of its bonds */
    bool strict;      /* of a bound: it may not be reached */
    hbg_span span;
} hbg_always;

/* The meaning of the ends of a choice at a junction: coefficients of restitution; shares of the loss of a
 * fully plastic collision, with eps = sqrt(1 - share); energies, with eps = sqrt(max(0, 1 - energy / that
 * loss)). */
typedef enum { HBG_LOSS_NONE, HBG_LOSS_SHARE, HBG_LOSS_ENERGY, HBG_LOSS_COUNT } hbg_loss;

/* What the model leaves open: any value of the interval, ends included. Of a junction it is the restitution,
 * anew at each collision; of a parameter its value, once for a run, or anew whenever an automaton moves. The
 * value in the model is the one without a decision. */
typedef struct {
    hbg_object target;  /* an element or a parameter */
    hbg_expr low, high; /* constants */
    hbg_loss loss;      /* of a junction */
    bool anew;          /* of a parameter: at moves, not once */
    int32_t automaton;  /* whose moves; HBG_NONE: the moves of all */
    hbg_span span;      /* of the interval */
} hbg_choice;

/* ---- the model ---------------------------------------------------------------------------------------- */

typedef struct hbg_model {
    hbg_arena *arena;
    hbg_names *names;             /* borrowed: shared with the session */
    hbg_diagnostics *diagnostics; /* borrowed */
    struct {
        int64_t errors; /* existed before this model: of others, none of its own */
        int32_t items;  /* likewise, diagnostics kept */
    } before;
    hbg_name name;
    hbg_span span;
    const char *doc;
    uint64_t source_sum; /* of the texts it was read from: shows whether another one is still the same */
    HBG_VEC(hbg_scope) scopes;
    HBG_VEC(hbg_param) params;
    HBG_VEC(hbg_element) elements;
    HBG_VEC(hbg_bond) bonds;
    HBG_VEC(hbg_port) ports;
    HBG_VEC(hbg_automaton) automata;
    HBG_VEC(hbg_automaton_state) states;
    HBG_VEC(hbg_transition) transitions;
    HBG_VEC(hbg_signal) signals;
    HBG_VEC(hbg_table) tables;
    HBG_VEC(hbg_expr_node) exprs;
    HBG_VEC(hbg_literal) literals; /* referred to by HBG_OP_NUMBER */
    HBG_VEC(hbg_expr) entries;
    HBG_VEC(hbg_binding) bindings;
    HBG_VEC(hbg_experiment) experiments;
    HBG_VEC(hbg_range) ranges; /* verify blocks */
    HBG_VEC(hbg_expr) assumptions;
    HBG_VEC(hbg_always) always;
    HBG_VEC(hbg_choice) choices; /* in the order of the source */
    hbg_pair_map symbols;        /* (scope, name) -> object code */
    hbg_arena *scratch;          /* tables only the check needs; the owner may set an arena of shorter life */

    /* made by hbg_model_check */
    int32_t *incidence_start; /* elements+1: where an element's bonds begin in `incidence` */
    int32_t *incidence;       /* bond indices, by element, in port order for elements with ports */
    int32_t net_count;
    hbg_domain *net_domain; /* HBG_DOMAIN_ANY if undecided */
    hbg_dimension *expr_dimension;
    hbg_type *expr_type;
    double *param_values;   /* SI; NaN where there is none */
    double *param_declared; /* the same without the changes of `-p`; NULL: it makes none */
    double *expr_values;    /* SI value of constant expressions, NaN of all others */
    bool frozen;

    int32_t chosen; /* the experiment that is to be run: the effect of `-p` on others does not matter;
                     * HBG_NONE: any of them may be */
} hbg_model;

/* Makes an empty model in the arena, with scope 0. Everything borrowed outlives it. */
hbg_model *hbg_model_new(hbg_arena *arena, hbg_names *names, hbg_diagnostics *diagnostics);

/* Builder. Each returns the index of what it added. The symbol is entered under (scope, name) if the name is
 * not 0; a name that is taken is reported with both places and not entered. */
int32_t hbg_model_add_scope(hbg_model *model, hbg_identity id, hbg_name component, const char *doc);
int32_t hbg_model_add_param(hbg_model *model, hbg_identity id);
int32_t hbg_model_add_element(hbg_model *model, hbg_identity id, hbg_element_kind form, int32_t ports);
int32_t hbg_model_add_bond(hbg_model *model, hbg_identity id, hbg_bond_end from, hbg_bond_end to);
int32_t hbg_model_add_port(hbg_model *model, hbg_identity id, hbg_domain domain);
int32_t hbg_model_add_automaton(hbg_model *model, hbg_identity id);
int32_t hbg_model_add_signal(hbg_model *model, hbg_identity id, hbg_signal_kind kind, hbg_type type);
/* A second name for an object that has one: a bond named inside a component and outside. */
void hbg_model_add_alias(hbg_model *model, hbg_identity id, hbg_object object);

/* Expressions. */
hbg_expr hbg_model_add_number(hbg_model *model, hbg_decimal value, hbg_dimension dimension, hbg_span span);
hbg_expr hbg_model_add_expr(hbg_model *model, hbg_operator op, int32_t a, int32_t b, int32_t c,
                            hbg_span span);

/* Objects by name and back. `find` takes one name in one scope. */
hbg_object hbg_model_find(const hbg_model *model, int32_t scope, hbg_name name);
const hbg_identity *hbg_model_identity(const hbg_model *model, hbg_object object);
/* Appends the path: `inverter.boost.L1`; an unnamed bond is `from>to`, after the check a second one
 * `from>to#2`.
 */
void hbg_model_path(const hbg_model *model, hbg_object object, hbg_buffer *buffer);

/* An expression as text, with parentheses only where precedence needs them. */
void hbg_model_print_expr(const hbg_model *model, hbg_expr expr, hbg_buffer *buffer);
/* Likewise of an expression, after the check: as its parts were written, or as their domain has it. */
const char *hbg_model_spoken_unit(const hbg_model *model, hbg_expr expr);
/* The unit of a dimension, of an expression and of a parameter or signal, in that order of preference of names: as written, as its
 * domain has it, by its dimension. "" of a pure number, and where nothing is known. */
const char *hbg_model_dimension_unit(hbg_arena *arena, hbg_dimension dimension);
const char *hbg_model_expr_unit(hbg_arena *arena, const hbg_model *model, hbg_expr expr);
const char *hbg_model_object_unit(hbg_arena *arena, const hbg_model *model, hbg_object object);

/* Checks structure, types, units and domains, constants and automata; reports all it finds; freezes the
 * model. Only a model without errors may be used further. */
void hbg_model_check(hbg_model *model);

/* A view of a model with only what a run of one experiment (HBG_NONE: none), and the request, need; `kept`
 * lasts as long. */
hbg_model hbg_model_for_run(const hbg_model *model, int32_t experiment, hbg_experiment kept[2]);
/* The tables of a checked model as bytes: what a run of the experiment (HBG_NONE: of none) may need, without
 * its text. And back: a model that is to be checked, whose objects have no places in a text; NULL with a
 * reason if the bytes are not such tables. */
void hbg_model_store(const hbg_model *model, int32_t experiment, hbg_buffer *out);
hbg_model *hbg_model_restore(hbg_arena *arena, hbg_names *names, hbg_diagnostics *diagnostics,
                             const void *from, size_t size, const char **reason);

/* By axis of the experiment: whether numbers of this one follow the value that a run gives that one. */
void hbg_model_axis_reads(hbg_arena *arena, const hbg_model *model, const hbg_experiment *experiment,
                          int32_t axis, bool *reads);

/* What must be checked again before a run whose parameters have other values than in the check, by `set` or
 * by a sweep: times, variances, and everything that must be finite, positive, or inside the experiment. It is
 * for the two experiments that make the run (either may be HBG_NONE), and for the changed expressions (NULL:
 * all). */
typedef struct hbg_recheck hbg_recheck;
hbg_recheck *hbg_model_recheck_new(hbg_arena *arena, hbg_model *model, const int32_t experiments[2],
                                   const bool *moved);
/* With the present values of the model. The faults are those of the experiments one after the other; `chosen`
 * says which of them the run has (NULL: all). False if something is impossible, which is reported. */
bool hbg_model_recheck_fits(const hbg_recheck *recheck, hbg_model *model, const int32_t *chosen,
                            int32_t count, hbg_arena *scratch, hbg_diagnostics *diagnostics);

/* A copy of a checked model, checked like it, in which scopes, parameters, elements, bonds, ports, automata
 * and signals are in the order of their paths (bytes), a junction has its bonds in that order, and
 * expressions, literals, tables and nets are numbered as those refer to them. Declaring the same things in
 * another order gives the same copy. Automaton states, transitions, experiments and their contents keep their
 * order; unused expressions are left out. The model outlives the copy. */
hbg_model *hbg_model_sorted(hbg_arena *arena, const hbg_model *model);

/* ---- independent parts -------------------------------------------------------------------------------- */

/* By object its part: no part can observe another one. Outputs belong to what they read. */
typedef struct {
    int32_t count;
    int32_t switching; /* how many of them have automata */
    int32_t *of_element, *of_automaton, *of_output;
    int32_t *of_signal; /* HBG_NONE: an input over time alone, for all its readers */
} hbg_parts;

/* Of a sorted model and the outputs of its runs. */
hbg_parts hbg_model_parts_find(hbg_arena *arena, const hbg_model *sorted, const hbg_record *outputs,
                               int32_t output_count);

typedef struct {
    hbg_model *model;    /* sorted and checked as the whole, which outlives it */
    hbg_record *outputs; /* with expressions of this model */
    int32_t output_count;
    const int32_t *output_of; /* which of the whole they are */
} hbg_part;

/* The parts as models of their own, with the paths that objects have in the whole and no names to find them
 * by; the settings of the experiment (HBG_NONE: none) in a part are its experiment 0. Parameters and inputs
 * that nothing reads are in the first. */
hbg_part *hbg_model_parts_copy(hbg_arena *arena, const hbg_model *sorted, const hbg_parts *parts,
                               int32_t experiment, const hbg_record *outputs, int32_t output_count);

/* The value of an expression over literals and parameters. False if it is not constant or not finite. Before
 * the check no parameter has a value. */
/* A constant expression again, with these values of parts and parameters; its value was known otherwise. */
double hbg_model_value_again(const hbg_expr_node *node, const double *exprs, const double *params,
                             double old);
bool hbg_model_constant(const hbg_model *model, hbg_expr expr, double *value);

/* ---- what elements can be ------------------------------------------------------------------------------ */

/* What other values of parameters make wrong with an element; see passive_judge.c. */
typedef enum {
    HBG_LOST_VALUE,    /* a storage without a positive value, a resistor that became negative */
    HBG_LOST_MATRIX,   /* one that is not positive definite, or of a resistor semidefinite */
    HBG_LOST_SYMMETRY, /* the matrix of a storage that is not symmetric */
    HBG_LOST_SIGN,     /* likewise, for every modulation by the system */
    HBG_LOST_POWER,    /* a resistor that gives power */
    HBG_LOST_RISE,     /* a law that falls */
    HBG_LOST_NUMBER,   /* a law that gives no number */
    HBG_LOST_BOUNCE    /* a restitution that left the range from 0 to 1 */
} hbg_lost_kind;

typedef struct {
    hbg_lost_kind kind;
    int32_t element;
    double value;         /* of the element, of the entry, or what the law gives */
    int32_t row, column;  /* of the entry of a matrix; HBG_NONE: not a single one */
    double limit;         /* for the entry; of a matrix that is not symmetric the other one */
    double at;            /* the argument of the law */
    char given, argument; /* of the law: e, f, q, p; 0: it has several ports */
} hbg_lost;

/* "the resistance of `bulb` negative at 3 s: -15", after "this makes"; `when` is " at 3 s" or empty. */
const char *hbg_model_lost_text(hbg_arena *arena, const hbg_model *model, const hbg_lost *lost,
                                const char *path, const char *when);

typedef struct hbg_passive hbg_passive;

typedef struct {
    const hbg_passive *const *of; /* by element; NULL: it is not judged (no R, C or I, or too large) */
    int32_t count;
} hbg_passives;

/* A constant of the model in a run, at a time if that is known; of an array of doubles by expression. */
typedef double hbg_value_at(const void *context, hbg_expr expr);
double hbg_model_value_in_array(const void *values, hbg_expr expr);

#define HBG_PASSIVE_DRAWS     16
#define HBG_PASSIVE_CONSTANTS 6000

hbg_passives hbg_model_passives_new(hbg_arena *arena, const hbg_model *model, bool time_is_known);
size_t hbg_model_passive_room(const hbg_passives *all); /* doubles that the functions below need */
/* Whether any constant it reads is marked. */
bool hbg_model_passive_hangs(const hbg_passives *all, int32_t element, const bool *hanging);
bool hbg_model_passive_is_modulated(const hbg_passives *all, int32_t element); /* by the system */
/* The constants it needs, some of them twice; their number, at most so many. */
int32_t hbg_model_passive_constants(const hbg_passives *all, int32_t element,
                                    hbg_expr list[HBG_PASSIVE_CONSTANTS]);
/* An element without faults, and what other values make invalid in it. */
void hbg_model_passive_nominal(const hbg_passives *all, int32_t element, double *room, hbg_value_at *value_at,
                               const void *context, double nominal[HBG_PASSIVE_DRAWS]);
bool hbg_model_passive_lost(const hbg_passives *all, int32_t element, double *room, hbg_value_at *value_at,
                            const void *context, const double nominal[HBG_PASSIVE_DRAWS], hbg_lost *lost);
/* Whether an element with one value, which has this one without faults, becomes invalid. */
bool hbg_model_element_minds(const hbg_model *model, int32_t element, double nominal, double value);
/* Likewise one with several, by what is wrong with these. Of a resistor, scaled to a diagonal of ones,
 * `slack` is near enough to 0; the room has as many numbers. */
bool hbg_model_element_minds_matrix(const hbg_model *model, int32_t element, const double *matrix,
                                    double slack, double *room, hbg_lost *lost);
/* Whether it is a restitution: less than 0 goes through the wall, more than 1 adds energy. */
bool hbg_model_bounces(double restitution);
/* Whether the restitution of a junction is given as the energy it loses; whether it may have this value. */
bool hbg_model_loses_energy(const hbg_model *model, int32_t junction);
bool hbg_model_bounces_by(const hbg_model *model, int32_t junction, double restitution);
/* What is left open of an object; NULL: it has one value. */
const hbg_choice *hbg_model_choice_of(const hbg_model *model, hbg_object target);
/* The ends of a choice, SI; of a share that is lost those of the restitution. False: they are not numbers. */
bool hbg_model_choice_ends(const hbg_model *model, const hbg_choice *choice, double *low, double *high);
/* The smallest scaled pivot of a matrix, positive if it is positive definite; 0 if it is singular, less if it
 * is indefinite, NAN if it is not a matrix of numbers. The matrix is overwritten. */
double hbg_model_matrix_least(double *m, int32_t n);
/* An entry that differs from the one across the diagonal. */
bool hbg_model_matrix_asymmetry(const double *m, int32_t n, int32_t *row, int32_t *column);
/* An entry that alone, or with those on the diagonal, prevents this. */
bool hbg_model_matrix_culprit(const double *matrix, int32_t size, int32_t *row, int32_t *column,
                              double *limit);

/* Keys of a sorted model (see key.c): of its expressions by content, and of everything its code follows from
 * except outputs. The experiment, or HBG_NONE, sets energies. */
uint64_t *hbg_model_expr_keys(hbg_arena *arena, const hbg_model *sorted);
uint64_t hbg_model_key(hbg_arena *arena, const hbg_model *sorted, int32_t experiment, const uint64_t *exprs);

/* Every table of the model as text, one line per object, in order: for tests. */
void hbg_model_dump(const hbg_model *model, hbg_buffer *buffer);

/* ---- tables of kinds ---------------------------------------------------------------------------------- */

typedef struct {
    const char *text;      /* as in the language: "Se" */
    const char *name;      /* "effort source" */
    hbg_element_kind kind; /* the basic kind */
    int ports;             /* 0: junction, any number; 1; 2 */
    bool field;            /* may have n ports, and laws of its own */
    const char *variables; /* letters a law or initial value may name, e.g. "efq" */
    hbg_quantity quantity; /* of its value */
} hbg_element_info;
const hbg_element_info *hbg_model_element_info_get(hbg_element_kind form);

typedef struct {
    const char *text; /* "+", "sin", "node"; as the language writes it */
    int arity;        /* expression arguments */
    int precedence;   /* of operators in text; 0 for functions, 100 for leaves */
    hbg_type_rule type_rule;
    hbg_unit_rule unit_rule;
} hbg_operator_info;
const hbg_operator_info *hbg_model_operator_info_get(hbg_operator op);
/* Expression arguments of a node: 0 to 3, in a, b, c. */
static inline int hbg_model_expr_arity(const hbg_expr_node *node) {
    return hbg_model_operator_info_get((hbg_operator)node->op)->arity;
}

static inline hbg_expr hbg_model_expr_argument(const hbg_expr_node *node, int index) {
    return index == 0 ? node->a : index == 1 ? node->b : node->c;
}
/* A function of the language by name; HBG_OP_COUNT if there is none. */
hbg_operator hbg_model_operator_find_function(const char *text, size_t size);

const char *hbg_model_variable_text(hbg_variable variable); /* "e", "f", "q", "p" */
const char *hbg_model_signal_kind_text(hbg_signal_kind kind);
typedef struct {
    const char *text;
    hbg_fault_effect effect;
    bool on_value, on_automaton, on_sensor; /* what can have it */
} hbg_fault_info;
const hbg_fault_info *hbg_model_fault_info_get(hbg_fault_kind kind);
const char *hbg_model_fault_kind_text(hbg_fault_kind kind);
hbg_fault_effect hbg_model_fault_effect_of(const hbg_fault *fault);
const char *hbg_model_solver_text(hbg_solver solver);
const char *hbg_model_domain_name(hbg_domain domain);
hbg_domain hbg_model_domain_find(const char *text, size_t size); /* HBG_DOMAIN_COUNT if there is none */
/* Of a quantity that is not HBG_QUANTITY_NONE. The dimension is unknown, the unit NULL where the domain has no such thing. */
hbg_dimension hbg_model_domain_quantity(hbg_domain domain, hbg_quantity quantity);
const char *hbg_model_domain_unit(hbg_domain domain, hbg_quantity quantity); /* "Ohm" */

#endif

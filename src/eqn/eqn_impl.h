/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * What the files of src/eqn share: terms, variables, equations of a mode, programs, the compiled system. */
#ifndef HBG_EQN_IMPL_H
#define HBG_EQN_IMPL_H

#include "eqn/eqn.h"
#include "eqn/term_impl.h"
#include "graph/graph.h"

/* ---- variables ---------------------------------------------------------------------------------------- */

/* Every variable of a model has a number; each layer repeats the numbers for another view of it. */
typedef enum {
    LAYER_VALUE,   /* the finite value */
    LAYER_RATE,    /* its derivative in time */
    LAYER_RATE2,   /* and the second one */
    LAYER_TANGENT, /* derivative along the seeds; that of rates in the layers behind */
    LAYER_TANGENT_RATE,
    LAYER_TANGENT_RATE2,
    LAYER_AREA, /* area at an instant */
    LAYER_COUNT
} variable_layer;

/* Numbers of the value layer, in this order: kind, how many. */
#define VARIABLE_LIST(X)                                                                                     \
    X(EFFORT, bonds.count)                                                                                   \
    X(FLOW, bonds.count)                                                                                     \
    X(SIGNAL, signals.count) /* value of a signal, held value of a sample or sensor */                       \
    X(GIVEN, signals.count)  /* input: whether an action has set it */                                       \
    X(INPUT, signals.count)  /* input: what an action has set it to */                                       \
    X(PARAM, params.count)                                                                                   \
    X(AUTOMATON, automata.count) /* index of its state */

typedef enum {
#define X(id, count) VARIABLE_##id,
    VARIABLE_LIST(X)
#undef X
        VARIABLE_PRE, /* by expression pre(…): the number recorded at the last commit */
    VARIABLE_IN,      /* by in_info: its value in the other state */
    VARIABLE_BOUNCE,  /* by element, restitution: ε·Σ⁻ while its junction is newly on */
    VARIABLE_STATE,   /* q, p, integrators */
    VARIABLE_OLD,     /* a state before a jump */
    VARIABLE_START,   /* a state as declared */
    VARIABLE_SEED,    /* by state: direction of tangents */
    VARIABLE_TIME,
    VARIABLE_KIND_COUNT
} variable_kind;

/* What a state is: a port of a storage, or an integrator. */
typedef struct {
    int32_t element, port; /* element HBG_NONE: an integrator */
    int32_t signal;
} state_info;

/* ---- programs ----------------------------------------------------------------------------------------- */

typedef HBG_VEC(int32_t) int32_map; /* HBG_NONE where there is nothing */

/* Register code: `op` on the registers of its arguments to register d. Operators of the model's table, and these. */
enum {
    CODE_SOLVE = TERM_CHARGE + 1, /* argument 0: loop */
    CODE_DEFAULT                  /* d = argument 0, unless parameter number 2 was overridden */
};

typedef struct {
    uint16_t op;
    int32_t located; /* number of its relation among those located, or HBG_NONE */
    int32_t d;
    int32_t argument[3]; /* registers; argument 1 of a table is the table */
} instruction;

typedef struct {
    instruction *code;
    int32_t count;
} program;

typedef struct {
    int32_t row, column, reg;
} jacobian_entry;

/* Variables that have to be found together. The body computes all others, the residuals and the Jacobian from
 * the unknowns. */
typedef struct {
    int32_t count;
    int32_t *variable; /* unknowns */
    int32_t *reg;      /* by unknown: its register */
    int32_t *residual; /* by unknown: register of its residual */
    jacobian_entry *entries;
    int32_t entry_count;
    bool linear;
    bool is_sparse;       /* every member is an unknown; the matrix by columns: */
    bool is_constant;     /* the matrix depends on parameters alone */
    int32_t *start, *row; /* pattern */
    int32_t *entry_of;    /* by place in the pattern: its entry */
    program body;
} loop;

/* The law of a storage as a function of its state alone, for integrals over it. */
typedef struct {
    int32_t state_reg, law_reg;
    program code;
} charge_law;

/* ---- equations of a mode ------------------------------------------------------------------------------ */

typedef enum { EQUATION_NONE, EQUATION_KNOWN, EQUATION_ASSIGN, EQUATION_IMPLICIT } equation_kind;

typedef struct {
    equation_kind kind;
    hbg_term term; /* assign: the variable is this; implicit: this is 0 */
} equation;

/* A term that is not linear in a pulse: the area has to be 0 while the term is used. */
typedef struct {
    int32_t area; /* variable of the area layer; then, in a mode, its register */
    hbg_term term;
} pulse_check;

/* What is being computed, which decides what is known. */
typedef enum {
    PURPOSE_FIELD, /* states are known */
    PURPOSE_JUMP,  /* states before the jump are known, states after it are not */
    PURPOSE_START, /* declared energies */
    PURPOSE_ENERGY /* all states are known as they are, dependent or not */
} purpose;

typedef struct {
    hbg_eqn *eqn;
    hbg_arena *arena; /* scratch */
    const hbg_causal_assignment *assignment;
    purpose purpose;
    equation *equations;         /* by variable of all layers; kind NONE until asked for */
    bool *may_pulse;             /* by variable of the value layer, for jumps */
    bool can_jump;               /* some storage is dependent, for jumps */
    bool *is_still;              /* by variable of all layers: known to be 0; for tangents, or NULL */
    int32_t *local;              /* scratch of loops */
    HBG_VEC(pulse_check) checks; /* of jumps */
    const char *refused;         /* what no equation can be made of, or NULL */
} equations;

/* One thing to compute: an assignment, or a loop. */
typedef struct {
    int32_t first, count; /* in sorted.variables */
    bool is_loop;
} sorted_block;

typedef struct {
    int32_t *variables;
    int32_t variable_count;
    sorted_block *blocks;
    int32_t block_count;
} sorted_equations;

void hbg_equations_init(equations *all, hbg_arena *arena, hbg_eqn *eqn,
                        const hbg_causal_assignment *assignment, purpose purpose);
/* The equation of a variable; the pointer serves until the next call. */
const equation *hbg_equations_get(equations *all, int32_t variable);
/* Σ ∂term/∂w · (w in the layer). */
hbg_term hbg_equations_layer(equations *all, hbg_term term, variable_layer layer);
bool hbg_equations_is_dependent(const equations *all, int32_t state);

/* ---- code under construction -------------------------------------------------------------------------- */

/* A stage is code that runs in one go, or behind an earlier part of the same stage. */
typedef struct hbg_eqn_stage {
    hbg_eqn *eqn;
    hbg_arena *arena;
    int32_t *var_register; /* by variable of all layers: where it is, or HBG_NONE */
    int32_map term_register;
    int32_t temps; /* used so far */
    bool locate;   /* relations met are located */
    bool direct;   /* no relation is located, also where it is elsewhere */
    HBG_VEC(instruction) code;
    HBG_VEC(instruction) body; /* of the loop under construction */
    int32_t loop;              /* under construction, or HBG_NONE */
    int32_map loop_registers;  /* by register: the last loop it depended on the unknowns of */
    HBG_VEC(hbg_term) stack;
    HBG_VEC(hbg_term) set_terms;
    HBG_VEC(int32_t) set_variables;
} hbg_eqn_stage;

typedef struct {
    int32_t terms, variables, temps;
    bool locate;
} stage_mark;

/* Everything needed for the targets and not done yet, in order. */
void hbg_equations_sort(equations *all, const int32_t *targets, int32_t target_count,
                        const hbg_eqn_stage *done, sorted_equations *sorted);

hbg_eqn_stage *hbg_stage_new(hbg_arena *arena, hbg_eqn *eqn, int32_t first_temp, bool locate);
int32_t hbg_stage_term(hbg_eqn_stage *stage, hbg_term root); /* its register */
void hbg_stage_set(hbg_eqn_stage *stage, int32_t variable, int32_t reg);
void hbg_stage_assign(hbg_eqn_stage *stage, int32_t variable, hbg_term term);
void hbg_stage_add(hbg_eqn_stage *stage, equations *all, const sorted_equations *sorted);
void hbg_stage_loop(hbg_eqn_stage *stage, equations *all, const int32_t *variables, int32_t count);
void hbg_stage_mark_loop(hbg_eqn_stage *stage, int32_t reg);
bool hbg_stage_in_loop(const hbg_eqn_stage *stage, int32_t reg);
stage_mark hbg_stage_mark(hbg_eqn_stage *stage); /* begins new code */
void hbg_stage_rollback(hbg_eqn_stage *stage, stage_mark mark);
program hbg_stage_program(hbg_eqn_stage *stage);

/* ---- compiled modes ----------------------------------------------------------------------------------- */

/* Code behind the field, and where its results are. */
typedef struct {
    program code;
    int32_t *reg;
    int32_t count;
} readout;

/* Columns of one colour share no row, so that one tangent gives all of them. */
typedef struct {
    int32_t count; /* rows and columns */
    int32_t *start, *row;
    int32_t colour_count;
    int32_t *colour;                 /* by column */
    int32_t *column_start, *columns; /* by colour */
    readout tangent;                 /* registers by state: tangent of its rate; HBG_NONE if always 0 */
} jacobian_plan;

typedef struct {
    uint8_t *on; /* by place: the key */
    bool valid;
    const char *why; /* not valid: in words */
    hbg_causal_assignment *assignment;
    readout field;   /* registers by state: its rate */
    readout settled; /* registers by state: its value, where it is dependent; HBG_NONE elsewhere */
    readout jump;    /* registers by state: after the jump; no code if nothing can jump */
    bool can_jump;
    readout outputs, powers, energies, ticks;
    readout watch;           /* registers by relation of the guards: its difference while time flows */
    int32_t *event_register; /* by variable of all layers: where the jump's code leaves it, or HBG_NONE */
    int32_t *event_work;     /* by power line: register of its work in the jump */
    pulse_check *checks;
    int32_t check_count;
    int32_t *registers;      /* by variable of the value layer, for messages */
    jacobian_plan *jacobian; /* made when first asked for */
} compiled_mode;

/* ---- guards ------------------------------------------------------------------------------------------- */

typedef enum { POLARITY_POSITIVE, POLARITY_NEGATIVE, POLARITY_BOTH } relation_polarity;

/* A value in another state of an automaton. */
typedef struct {
    int32_t automaton, state;
    hbg_term term;
} in_info;

/* A comparison of real numbers inside a guard. */
typedef struct {
    hbg_term term;
    hbg_term difference; /* of its sides while time flows: pre is the present value there */
    uint8_t polarity;    /* which of its values can enable a guard */
} relation_info;

typedef struct {
    int32_t automaton, state;
    hbg_term condition;       /* HBG_NONE: none but `after` */
    double after;             /* s since entry; NAN: none */
    int32_t *relations, *ins; /* in the condition: relations; in(…) */
    int32_t relation_count, in_count;
    hbg_term *walk; /* every term of the condition, arguments first */
    int32_t walk_count;
} guard_info;

/* A value at an instant (semantics, section 2): fin + area·δ, and how large what contributed to each was. Of a boolean, fin
 * is its truth; low and high are what it would be were all relations at equality false or true, sharp what
 * it would be were there no band but rounding. */
typedef struct {
    double fin, area;
    double fin_size, area_size;
    bool low, high, sharp;
} instant_value;

/* ---- the compiled model ------------------------------------------------------------------------------- */

struct hbg_eqn {
    hbg_arena *arena;
    hbg_arena scratch;      /* emptied when a piece of work is done */
    const hbg_model *model; /* sorted */
    hbg_causal_structure *structure;
    hbg_terms terms;
    int32_t first[VARIABLE_KIND_COUNT + 1]; /* number of the first variable of a kind */
    int32_t base_count;                     /* variables of a layer */
    int32_t state_count;
    state_info *states;
    int32_t *element_state; /* by element: its first state, or HBG_NONE */
    int32_t *signal_state;  /* by signal: likewise */
    hbg_expr *start_value;  /* by state: declared, or HBG_NONE */
    hbg_variable *start_variable;
    int32_t *start_state;  /* by automaton */
    HBG_VEC(hbg_expr) pre; /* expressions pre(…) */
    int32_t *pre_of_expr;
    HBG_VEC(hbg_expr) in; /* expressions in(…) */
    int32_t *in_of_expr;
    hbg_term *expr_term; /* by expression; HBG_NONE where it has none */
    const char *refused; /* why the model cannot be compiled, or NULL */

    /* what readouts give */
    hbg_term *output_terms, *power_terms, *energy_terms, *tick_terms;
    int32_t *clock_signal; /* by clock; -1 - automaton for the clock of an automaton */
    int32_t *input_signal; /* by input */

    /* guards; see guard.c */
    guard_info *guards; /* by transition of the model */
    HBG_VEC(relation_info) relations;
    int32_map relation_of_term;
    int32_map event_variables; /* what guards, pre and in read, of any layer */
    hbg_term *pre_terms;       /* by pre: its argument */
    HBG_VEC(in_info) ins;      /* expressions in(…) first, then the parts of those inside guards */
    hbg_term
        *work_terms; /* by power line: work of an independent source in a jump, area · value; 0 for others */
    int32_map restitution;               /* junctions that have it */
    int32_t *named_start, *named_states; /* by variable of the value layer: states of storages it names */
    bool has_events;                     /* some guard can fire */

    /* registers and code shared by all modes */
    int32_t register_count;
    int32_t *home; /* by variable of all layers: its register, or HBG_NONE */
    int32_map temps;
    int32_map number_register;   /* by number of terms */
    int32_map constant_register; /* registers with fixed contents */
    HBG_VEC(double) constant_value;
    int32_map prologue_register; /* by term of level PARAM */
    bool *param_done;            /* its default is in the prologue, or it has none */
    HBG_VEC(instruction) prologue;
    HBG_VEC(loop) loops;
    HBG_VEC(charge_law) charges;
    int32_t *charge_of_element; /* in charges, or HBG_NONE */
    int32_t widest_loop;        /* unknowns of the largest loop */
    int32_t most_entries;       /* and entries of the one with most */
    HBG_VEC(hbg_term) located;  /* relations that are located */
    int32_t located_limit;      /* how many there can be: modes entered later may add some */
    int32_map located_of_term;
    HBG_VEC(compiled_mode *) modes;
    int32_t *mode_slots; /* hash table by what is on: index in modes, or HBG_NONE */
    int32_t mode_slot_count;
    readout start; /* registers by state */
    hbg_rt_system system;
};

/* variable.c */
void hbg_eqn_number_variables(hbg_eqn *eqn);
variable_kind hbg_eqn_kind_of(const hbg_eqn *eqn, int32_t variable);
hbg_term hbg_eqn_var(hbg_eqn *eqn, variable_kind kind, int32_t index);
int32_t hbg_eqn_bond_of(const hbg_model *model, int32_t element, int32_t port);
int hbg_eqn_sign(const hbg_model *model, int32_t element, int32_t port, hbg_variable variable); /* 1 or -1 */
/* Effort or flow of an element's port, positive as the element counts it; common variable of a junction. */
hbg_term hbg_eqn_port(hbg_eqn *eqn, int32_t element, int32_t port, hbg_variable variable);
void hbg_eqn_variable_name(const hbg_eqn *eqn, int32_t variable, hbg_buffer *out);

/* translate.c */
void hbg_eqn_translate(hbg_eqn *eqn);
hbg_term hbg_eqn_energy(hbg_eqn *eqn, int32_t element); /* HBG_NONE where it has no formula */
hbg_term hbg_eqn_power(hbg_eqn *eqn, int32_t element, int32_t port);
hbg_term hbg_eqn_chain(hbg_eqn *eqn, hbg_term term, variable_layer layer);

/* law.c */
hbg_term hbg_eqn_value(hbg_eqn *eqn, int32_t element);
hbg_term hbg_eqn_source_value(const hbg_eqn *eqn, int32_t element);
equation hbg_eqn_resistor(hbg_eqn *eqn, int32_t element, int32_t port, hbg_variable asked);
hbg_term hbg_eqn_storage_law(hbg_eqn *eqn, int32_t element, int32_t port);
equation hbg_eqn_storage_output(hbg_eqn *eqn, int32_t element, int32_t port, bool all_integral);
equation hbg_eqn_storage_state(hbg_eqn *eqn, int32_t element, int32_t port);

/* start.c */
void hbg_eqn_declare_start(hbg_eqn *eqn, int32_t experiment);
equation hbg_eqn_start_equation(equations *all, int32_t state);

int32_t hbg_eqn_charge_law(hbg_eqn *eqn, int32_t element);

/* stage.c */
bool hbg_eqn_has_branch(int op);
int32_t hbg_eqn_home(hbg_eqn *eqn, int32_t variable);

typedef struct {
    equations all;
    sorted_equations sorted;
    hbg_eqn_stage *stage;
} field_code;

/* guard.c */
void hbg_eqn_find_guards(hbg_eqn *eqn);
hbg_term hbg_eqn_jump_work(hbg_eqn *eqn, int32_t element);

/* named.c */
void hbg_eqn_find_named(hbg_eqn *eqn);

/* event.c: the code of an instant in a mode */
void hbg_eqn_make_event(hbg_eqn *eqn, compiled_mode *mode, field_code *field);

/* mode.c: the mode in which places are on or off as given, compiled when first asked for */
compiled_mode *hbg_eqn_mode(hbg_eqn *eqn, const bool *on);
/* jacobian.c */
jacobian_plan *hbg_eqn_jacobian(hbg_eqn *eqn, const compiled_mode *mode);
/* mode.c */
void hbg_eqn_field(hbg_eqn *eqn, hbg_arena *scratch, const hbg_causal_assignment *assignment,
                   field_code *field);

/* eqn.c: all of hbg_eqn_new behind the first allocation; empties the scratch arena */
void hbg_eqn_build(hbg_eqn *eqn, const hbg_eqn_options *options);
void hbg_eqn_clear(hbg_eqn *eqn);

/* system.c */
void hbg_eqn_describe(hbg_eqn *eqn, const hbg_eqn_options *options);
/* print.c */
void hbg_eqn_print_term(const hbg_eqn *eqn, hbg_term term, hbg_buffer *out);
/* instance.c */
void hbg_eqn_fill_functions(hbg_eqn *eqn);
void hbg_eqn_copy_term(const hbg_rt_instance *run, hbg_term term, char *text, size_t size);
void hbg_eqn_copy_name(const hbg_rt_instance *run, int32_t variable, char *text, size_t size);

#endif

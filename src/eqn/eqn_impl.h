/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * What the files of src/eqn share: terms, variables, equations of a mode, programs, the compiled system. */
#ifndef HBG_EQN_IMPL_H
#define HBG_EQN_IMPL_H

#include <pthread.h>
#include <stdatomic.h>

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
        VARIABLE_PRE, /* by expression pre(…) or der(…): what its argument was at the last commit */
    VARIABLE_DER,     /* by the same, der(…) only: the rate; its area is what the argument jumps by */
    VARIABLE_IN,      /* by in_info: its value in the other state */
    VARIABLE_BOUNCE,  /* by element, restitution: ε·Σ⁻ while its junction is newly on */
    VARIABLE_ON,      /* by place: whether a junction that needs no reassignment is on */
    VARIABLE_UNDEFINED, /* by element, junctions off the other way: what their common variable is then, no number */
    VARIABLE_STATE, /* q, p, integrators */
    VARIABLE_OLD,   /* a state before a jump */
    VARIABLE_START, /* a state as declared */
    VARIABLE_SEED,  /* by state: direction of tangents */
    VARIABLE_OPEN, /* what nothing determines: how a balance splits between bonds whose zeros off junctions repeat; no number */
    VARIABLE_LIVE, /* 1, but 0 while left limits are taken: nothing has jumped there */
    VARIABLE_TICK, /* by signal, if any has a clock: what that takes at this instant, for others that tick with it */
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
    CODE_SOLVE = TERM_RATE + 1, /* argument 0: loop */
    CODE_DEFAULT,               /* d = argument 0, unless parameter number 2 was overridden */
    CODE_COPY                   /* d = argument 0 */
};

typedef struct {
    uint16_t op;
    int32_t located; /* number of its relation among those located, or HBG_NONE */
    int32_t d;
    int32_t argument[3]; /* registers; argument 1 of a table is the table */
} instruction;

typedef struct native_host_tag native_host;
typedef int (*native_program)(double *r, hbg_rt_instance *run, const native_host *host,
                              const instruction *code);

typedef struct {
    instruction *code;
    int32_t count;
    native_program native; /* the same as compiled code; NULL: there is none */
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
    bool is_slope; /* it is one of a law: where that begins it may be no number, as that of √(p·q) */
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
    PURPOSE_COUNT
} purpose;

typedef struct {
    hbg_eqn *eqn;
    hbg_arena *arena; /* scratch */
    const hbg_causal_assignment *assignment;
    purpose purpose;
    equation *equations;         /* by variable of all layers; kind NONE until asked for */
    int32_map made;              /* those that are not NONE */
    bool plain;                  /* junctions are on or off as they are in this mode: no selects */
    bool in_any_mode;            /* what is read is what may be read in some mode */
    bool *may_pulse;             /* by variable of the value layer, for jumps */
    int32_map pulsing;           /* those that may */
    bool can_jump;               /* some storage is dependent, for jumps */
    bool *is_still;              /* by variable of all layers: known to be 0; for tangents, or NULL */
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
    int32_t *component; /* by place in `variables`: its block */
    int32_t *start,
        *heads; /* by place in `variables`: places of what it reads, those that are there already left out */
} sorted_equations;

void hbg_equations_init(equations *all, hbg_arena *arena, hbg_eqn *eqn,
                        const hbg_causal_assignment *assignment, purpose purpose);
void hbg_equations_end(equations *all); /* leaves the working memory clean */
/* The equation of a variable; the pointer serves until the next call. */
const equation *hbg_equations_get(equations *all, int32_t variable);
/* What an element or a junction gives on a bond; what a state is the integral of. */
equation hbg_equations_element(equations *all, int32_t element, int32_t port, hbg_variable asked);
equation hbg_equations_junction(equations *all, int32_t junction, int32_t bond, hbg_variable asked);
hbg_term hbg_equations_rate_term(equations *all, int32_t state);
/* Σ ∂term/∂w · (w in the layer). */
hbg_term hbg_equations_layer(equations *all, hbg_term term, variable_layer layer);
bool hbg_equations_is_dependent(const equations *all, int32_t state);

/* ---- code under construction -------------------------------------------------------------------------- */

/* register.c: what runs while time flows; parameters, what is computed from them, the start */
typedef enum { SIDE_FLOW, SIDE_PARAM, SIDE_COUNT } register_side;

/* A stage is code that runs in one go, or behind an earlier part of the same stage. */
typedef struct hbg_eqn_stage {
    hbg_eqn *eqn;
    hbg_arena *arena;
    hbg_arena *own;        /* of its maps, which may be used again */
    int32_t *var_register; /* by variable of all layers: where it is, or HBG_NONE */
    int32_map var_term;    /* by variable: what it was computed from, or HBG_NONE */
    int32_map term_register;
    register_side side; /* of its registers */
    int32_map *pool;    /* its registers */
    int32_t temps;      /* used so far */
    bool locate;        /* relations met are located */
    bool direct;        /* no relation is located, also where it is elsewhere */
    int32_map *
        located; /* relations that it locates, or may use beside those that are located in every mode; NULL: none */
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

/* Its registers come from `temps`, from the first on. */
hbg_eqn_stage *hbg_stage_new(hbg_arena *arena, hbg_eqn *eqn, int32_map *temps, bool locate);
void hbg_stage_end(hbg_eqn_stage *stage);
void hbg_stage_export(hbg_eqn_stage *stage, int32_t variable); /* leaves it in its home */
void hbg_stage_component(hbg_eqn_stage *stage, equations *all, const sorted_equations *sorted,
                         int32_t number);
int32_t hbg_stage_term(hbg_eqn_stage *stage, hbg_term root);       /* its register */
void hbg_stage_number_branch(hbg_eqn_stage *stage, hbg_term term); /* among those that are located */
void hbg_stage_set(hbg_eqn_stage *stage, int32_t variable, int32_t reg);
void hbg_stage_assign(hbg_eqn_stage *stage, int32_t variable, hbg_term term);
void hbg_stage_add(hbg_eqn_stage *stage, equations *all, const sorted_equations *sorted);
/* power.c: the solution of an equation in one odd power of a variable, residual = 0, and the exponent; HBG_NONE for others */
hbg_term hbg_eqn_solve_power(hbg_terms *terms, hbg_term residual, int32_t variable, double *exponent);
void hbg_stage_loop(hbg_eqn_stage *stage, equations *all, const int32_t *variables, int32_t count);
void hbg_stage_mark_loop(hbg_eqn_stage *stage, int32_t reg);
bool hbg_stage_in_loop(const hbg_eqn_stage *stage, int32_t reg);
stage_mark hbg_stage_mark(hbg_eqn_stage *stage); /* begins new code */
void hbg_stage_rollback(hbg_eqn_stage *stage, stage_mark mark);
program hbg_stage_program(hbg_eqn_stage *stage);

/* ---- what is the same in every mode ------------------------------------------------------------------- */

/* Found once from the fixed causality of the structure; see vary.c. */
typedef struct {
    bool *select; /* by place: it switches by a select, causality is as if it were on */
    int8_t *
        link_value; /* by link: whether effort arrives at its end 0 in every mode; HBG_NONE: not always the same */
    bool *place_steady;  /* by place: its equations are the same in every mode */
    bool *bond_varies;   /* by bond: one of its equations depends on the mode */
    bool *may_integral;  /* by state */
    bool *may_dependent; /* by state */
    bool any;            /* some bond varies */
} variation;

void hbg_eqn_find_variation(hbg_eqn *eqn);
bool hbg_eqn_varies(const hbg_eqn *eqn, int32_t variable); /* of any layer */
/* Variables an equation reads, or may read in some mode. Known ones are among them. */
void hbg_equations_reads(equations *all, int32_t variable, int32_map *reads);

/* What an equation of a varying bond depends on: facts of its link and of the places at its ends. As numbers they are the
 * key of compiled code. */
typedef struct {
    int32_map places, links;
} fact_set;
void hbg_eqn_add_facts(hbg_eqn *eqn, hbg_arena *arena, int32_t variable, fact_set *facts);
void hbg_eqn_close_facts(fact_set *facts); /* sorted, each once */
int32_t hbg_eqn_fact_count(const fact_set *facts);
void hbg_eqn_read_facts(const hbg_causal_assignment *assignment, const fact_set *facts, int32_t *key);

/* Code by its key. It is only ever added to: any thread may look for code while one, who has the lock, adds some. */
typedef HBG_VEC(void *) variant_list;
typedef struct {
    const int32_t *key;
    void *variant;
} variant_entry;
typedef struct { /* a hash table; when it is full a larger one takes its place */
    int32_t count;
    const variant_entry *_Atomic entries[]; /* NULL: free */
} variant_slots;
typedef struct {
    variant_list variants; /* in the order they were added; under the lock */
    variant_slots *_Atomic slots;
} variant_table;
void *hbg_variants_find(const variant_table *table, const int32_t *key, int32_t length);
void hbg_variants_add(hbg_arena *arena, variant_table *table, const int32_t *key, int32_t length,
                      void *variant);

/* ---- blocks ------------------------------------------------------------------------------------------- */

/* What code is run for. Tangents are run behind the field; each of the others is code of its own. */
typedef enum {
    READ_FIELD,
    READ_OUTPUTS,
    READ_POWERS,
    READ_TICKS,
    READ_WATCH,
    READ_TANGENT,
    READ_COUNT
} reading_kind;

/* A block in one of its local modes. */
typedef struct {
    program code[READ_COUNT];
    atomic_bool has_tangent;
    int32_t *variables, *registers; /* for messages */
    int32_t count;
    int32_map located;   /* relations located in its field */
    const char *refused; /* what no equation can be made of, or NULL */
} block_variant;

/* A stretch of the code of all modes: steady assignments, the same in every mode, or a block, whose inside depends on its
 * local mode. The order of segments never changes (architecture: blocks). */
typedef struct {
    bool varies;
    int32_map members; /* components of the sorted equations of all modes, while segments are made */
    int32_map wanted;  /* of a steady one: rates of states, and what blocks read while time flows */
    int32_map exports[READ_COUNT]; /* of a block: variables that others read */
    int32_map imports;             /* of a block: variables of others that it may read */
    int32_map known;               /* of a block: variables known from outside that it may read */
    fact_set facts;
    int32_map temps; /* registers */
    variant_table variants;
    program code[READ_COUNT]; /* of steady ones */
} segment;

/* Registers of what is read out, and the code behind all segments. */
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
    int32_t *reg;                    /* by state: tangent of its rate; HBG_NONE if always 0 */
    bool *
        is_still; /* by variable of all layers, shifted to its tangent: it has none; so have areas, behind the last layer */
} jacobian_plan;

/* ---- islands ------------------------------------------------------------------------------------------ */

/* An island in a local mode: the code of an instant. */
typedef struct {
    program code;
    int32_t *inputs; /* registers it starts from, but for states */
    int32_t input_count;
    int32_t *olds; /* states it starts from */
    int32_t old_count;
    int32_t *registers;  /* by variable asked for: where the code leaves it, or HBG_NONE */
    int32_t *event_work; /* by power line of the island: register of its work in the jump */
    pulse_check *checks;
    int32_t check_count;
    const char *refused; /* what no equation can be made of, or NULL */
} event_variant;

/* What can influence one another at an instant: automata, junctions, storages that may jump, and what their guards read. */
typedef struct {
    int32_map automata, relations, states, variables, pres, ins, powers, bonds, restitution;
    int32_map asked;    /* variables of all layers that its code may be asked for */
    bool shares_source; /* of a group: with others */
    fact_set facts;
    int32_map temps;
    variant_table variants;
} island;

/* ---- guards ------------------------------------------------------------------------------------------- */

/* A value in another state of an automaton. */
typedef struct {
    int32_t automaton, state;
    hbg_term term;
} in_info;

/* Every term below one, arguments first: what an instant evaluates it by. */
typedef struct {
    hbg_term *terms; /* the last is the one itself */
    int32_t count;
} term_walk;

/* A comparison of real numbers inside a guard. */
typedef struct {
    hbg_term term;
    int op;
    hbg_term difference; /* of its sides while time flows: pre is the present value there */
    hbg_term finite;     /* its finite part */
    hbg_term area;       /* and its area, where it reads in(…), or HBG_NONE */
    int32_t area_place;  /* of the area among what is watched, or HBG_NONE */
    hbg_term *walk;      /* every term of the difference, arguments first */
    int32_t walk_count;
    int32_t *variables; /* of the value layer that it reads */
    int32_t variable_count;
    bool reads_relations; /* in what is compared, as the condition of a choice */
    hbg_expr written;     /* as a guard has it, or HBG_NONE: it is in a signal that a guard reads */
} relation_info;

/* A guard of a calm automaton as steps on truths and held values; see calm.c. */
enum { CONDITION_RELATION = HBG_OP_COUNT, CONDITION_REGISTER, CONDITION_NUMBER };
typedef struct {
    uint16_t op;     /* an operator on steps before it; a: truth of a relation; a: register; number */
    int32_t a, b, c; /* HBG_NONE: none */
    double number;
} condition_step;
typedef HBG_VEC(condition_step) condition_code;

typedef struct {
    int32_t automaton, state;
    hbg_term condition;       /* HBG_NONE: none but `after` */
    double after;             /* s since entry; NAN: none */
    int32_t *relations, *ins; /* in the condition: relations; in(…) */
    bool *negative;           /* by relation: it enables the guard by being false alone */
    int32_t relation_count, in_count;
    hbg_term *walk; /* every term of the condition, arguments first */
    int32_t walk_count;
    condition_code steps; /* of calm automata */
} guard_info;

/* Automata that move without a search. */
typedef struct {
    bool possible;
    bool keeps_outputs; /* no output tells where they are */
    bool read_states;   /* a guard of theirs reads where one of them is */
    int32_map automata, islands;
    int32_map relations, others; /* relations that their guards read, and the rest */
    bool *is_calm;               /* by relation */
} calm_plan;

/* A value at an instant (semantics, section 2): fin + area·δ, and how large what contributed to each was. Of a boolean, fin
 * is its truth; low and high are what it would be were all relations at equality false or true, sharp what
 * it would be were there no band but rounding. */
typedef struct {
    double fin, area;
    double fin_size, area_size;
    bool low, high, sharp;
    bool decided; /* the truth of the guard asked last hangs on it */
} instant_value;

/* A source whose own variable pulses, whatever the system does: variables of its bond, and the sign of power out of it. */
typedef struct {
    int32_t own, other; /* HBG_NONE: it never does */
    double sign;
} pulse_source;

/* ---- the compiled model ------------------------------------------------------------------------------- */

/* Arrays over all variables that compiling a small part uses over and over; each user leaves them clean. */
typedef struct {
    equation *equations[PURPOSE_COUNT];     /* by variable of all layers */
    int32_t *number, *local;                /* likewise */
    bool *may_pulse;                        /* by variable */
    HBG_VEC(uint8_t) seen;                  /* by register */
    HBG_VEC(struct hbg_eqn_stage *) stages; /* spare ones */
    hbg_arena arena;                        /* of all this */
    bool busy;                              /* somebody may have been cut off in the middle */
} working_memory;

/* Many runs on many threads share it. What hbg_eqn_new makes stays as it is; what is made when a run needs it for the first time
 * is made by one thread at a time, and published: see share.c. */
struct hbg_eqn {
    pthread_mutex_t lock;    /* of whoever compiles, or looks at more than was published */
    _Atomic int64_t version; /* how often somebody has compiled */
    int64_t compiled;        /* blocks and islands in local modes, tangents */
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
    HBG_VEC(hbg_expr) pre; /* expressions pre(…), and der(…), whose area is a jump from there */
    int32_t *pre_of_expr;
    hbg_term *der_terms;  /* by pre: the rate of a der(…); HBG_NONE for others */
    int8_t *der_order;    /* by pre: which derivative of what it reads a der(…) is */
    HBG_VEC(hbg_expr) in; /* expressions in(…) */
    int32_t *in_of_expr;
    hbg_term *expr_term; /* by expression; HBG_NONE where it has none */
    const char *refused; /* why the model cannot be compiled, or NULL */

    /* what readouts give */
    hbg_term *output_terms, *power_terms, *energy_terms, *tick_terms;
    int32_t *clock_signal; /* by clock; -1 - automaton for the clock of an automaton */
    int32_t *tick_level; /* by clock: behind how many others in a row it takes its value; see tick_order.c */
    int32_t tick_levels; /* how many such levels there are */
    int32_map tick_pres; /* expressions pre(…); their arguments are read behind what clocks take */
    bool ticks_read_pre; /* a clock takes pre(…) of something */
    int32_t *input_signal; /* by input */

    /* guards; see guard.c */
    guard_info *guards; /* by transition of the model */
    HBG_VEC(relation_info) relations;
    int32_map relation_of_term;
    int32_map event_variables; /* what guards, pre and in read, of any layer */
    hbg_term *pre_terms;       /* by pre: its argument */
    int32_t instant_terms;     /* terms that instants evaluate are among the first so many */
    term_walk *pre_walks, *in_walks, *restitution_walks; /* by pre; by in; by element, coefficients */
    HBG_VEC(in_info) ins; /* expressions in(…) first, then the parts of those inside guards */
    hbg_term
        *work_terms; /* by power line: work of an independent source in a jump, area · value; 0 for others */
    pulse_source *pulse_sources;         /* by power line */
    int32_map restitution;               /* junctions that have it */
    const char **restitution_name;       /* theirs */
    int32_t *named_start, *named_states; /* by variable of the value layer: states of storages it names */
    bool has_events;                     /* some guard can fire */
    bool may_move;                       /* parameters may be moved: they have rates; see rate.c */
    bool has_open;                       /* junctions switch, so that some mode may repeat a zero */
    bool has_undefined; /* some junction has no common variable while it is off; see defined.c */

    /* registers and code shared by all modes */
    int32_t register_count;
    int32_t side_count[SIDE_COUNT];        /* registers of a kind */
    int32_t *home;                         /* by variable of all layers: its register, or HBG_NONE */
    int32_map temps;                       /* of code that belongs to no segment or island */
    int32_map start_temps;                 /* of the start, and of what parameters alone decide */
    int32_map number_register[SIDE_COUNT]; /* by number of terms */
    int32_map copy_register;               /* by term of level PARAM: what code reads in its place */
    int32_map constant_register;           /* registers with fixed contents */
    HBG_VEC(double) constant_value;
    int32_map prologue_register; /* by term of level PARAM */
    bool *param_done;            /* its default is in the prologue; behind all of them: that of its rate is */
    HBG_VEC(instruction) prologue;
    HBG_VEC(loop) loops;
    int32_t start_loops; /* the first of them are the start's */
    HBG_VEC(charge_law) charges;
    hbg_term *
        law_rate; /* by element: what parameters that move add to such a law in a second; HBG_NONE: not asked for */
    int32_t *charge_of;        /* by element, twice: in charges, or HBG_NONE; see TERM_CHARGE */
    int32_t widest_loop;       /* unknowns of the largest loop */
    int32_t most_entries;      /* and entries of the one with most */
    HBG_VEC(hbg_term) located; /* relations that are located */
    int32_t located_limit;     /* how many there can be: modes entered later may add some */
    int32_t located_params;    /* the first of them are of what parameters alone decide; in the prologue */
    int32_t located_always;    /* the first of them are in code that is the same in every mode */
    int32_map param_branches;  /* terms of level PARAM that have branches, in laws */
    int32_map located_of_term;
    bool **table_turns; /* by table, by interval from −1 on: an odd number of borders lies before it */
    variation varies;
    int32_map *place_segments, *place_islands; /* by place: who has facts of it */
    int32_map *automaton_places;               /* by automaton: places it controls */
    atomic_bool built;                         /* segments and islands are there */
    HBG_VEC(segment) segments;
    int32_t *where; /* by variable of all layers: where the other segments find it, or HBG_NONE */
    struct hbg_eqn_stage *steady; /* the stage of all steady segments */
    int32_map steady_temps, reading_temps[READ_COUNT];
    readout finals[READ_COUNT]; /* rates, outputs, … */
    readout energies;
    bool energies_need_field;        /* some storage is modulated */
    HBG_VEC(int32_t) dependents;     /* states that may be dependent */
    jacobian_plan *_Atomic jacobian; /* made when first asked for */
    HBG_VEC(island) islands;
    calm_plan calm;
    uint8_t ins_read; /* by reading, as bits: laws or outputs read in(…) */
    int32_map waves;  /* registers of the share of a period or cell that passes in a second; see wave.c */
    int32_map timed;  /* automata with a wait or a clock */
    int32_t *automaton_island, *state_island; /* HBG_NONE: none */
    int32_t *automaton_leader;                /* the first automaton of its island */
    int32_t *state_storage; /* by state: its storage among those of the system, or HBG_NONE */
    int32_t *bond_island;
    int32_map *relation_islands;
    const struct native_table_tag *native; /* compiled code in use, or NULL */
    hbg_eqn_native_options native_options; /* it was made for */
    const int32_t
        *contested; /* of groups: by place, a number in common where automata belong together; or NULL */
    island *groups; /* for proofs: islands without what nobody reads; see hbg_eqn_make_groups */
    int32_t group_count;
    int32_t *automaton_group;
    /* what is judged together where something throws back: by automaton, by element with restitution; NULL: nothing does */
    int32_t *automaton_throw, *junction_throw;
    int32_t throw_count;
    working_memory work;
    readout start; /* registers by state */
    hbg_rt_system system;
};

/* variable.c */
void hbg_eqn_number_variables(hbg_eqn *eqn);
bool hbg_eqn_may_be_undefined(const hbg_eqn *eqn, int32_t element); /* its common variable, while it is off */
variable_kind hbg_eqn_kind_of(const hbg_eqn *eqn, int32_t variable);
hbg_term hbg_eqn_var(hbg_eqn *eqn, variable_kind kind, int32_t index);
int32_t hbg_eqn_bond_of(const hbg_model *model, int32_t element, int32_t port);
int hbg_eqn_sign(const hbg_model *model, int32_t element, int32_t port, hbg_variable variable); /* 1 or -1 */
/* Effort or flow of an element's port, positive as the element counts it; common variable of a junction. */
hbg_term hbg_eqn_port(hbg_eqn *eqn, int32_t element, int32_t port, hbg_variable variable);
void hbg_eqn_variable_name(const hbg_eqn *eqn, int32_t variable, hbg_buffer *out);
/* As people know it, which may be the same for several variables: where one of them is spoken of. */
void hbg_eqn_told_name(const hbg_eqn *eqn, int32_t variable, hbg_buffer *out);

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

int32_t hbg_eqn_charge_law(hbg_eqn *eqn, int32_t number); /* of an element, or that many more */
hbg_term hbg_eqn_charged(hbg_eqn *eqn, int32_t number);   /* what is integrated */

/* stage.c */
bool hbg_eqn_has_branch(int op);

/* register.c */
int32_t hbg_eqn_new_register(hbg_eqn *eqn, register_side side);
int32_t
hbg_eqn_flow_number(int32_t reg); /* how many of its kind came before; HBG_NONE: it is a parameter's */
int32_t hbg_eqn_home(hbg_eqn *eqn, int32_t variable);
void hbg_eqn_make_homes(hbg_eqn *eqn); /* of everything that is known from outside */
int32_t hbg_eqn_number_register(hbg_eqn *eqn, register_side side, int32_t number_of_terms);
/* Where code reads a term of level PARAM, which is in register `from`. */
int32_t hbg_eqn_copy_register(hbg_eqn *eqn, hbg_term term, int32_t from);

/* defined.c: the common variable of a junction that has none while it is off; whether a term has a value, as a term; a term that
 * is no number where it has none, also as the guard of a state; the same for all laws */
hbg_term hbg_eqn_common(hbg_eqn *eqn, int32_t junction, hbg_variable asked, hbg_term on);
hbg_term hbg_eqn_has_value(hbg_eqn *eqn, hbg_term term);
hbg_term hbg_eqn_checked(hbg_eqn *eqn, hbg_term term);
hbg_term hbg_eqn_checked_in(hbg_eqn *eqn, hbg_term term, int32_t automaton, int32_t state);
void hbg_eqn_check_laws(hbg_eqn *eqn);

/* pair.c: the finite part of a term while time flows, and its area: HBG_NONE if it cannot pulse there */
hbg_term hbg_eqn_parts(hbg_eqn *eqn, hbg_term term, hbg_term *area);

/* guard.c */
void hbg_eqn_find_guards(hbg_eqn *eqn);
hbg_term hbg_eqn_jump_work(hbg_eqn *eqn, int32_t element);
/* Of a source that pulses by itself, by a der(…) of what is given from outside: its own variable and the other one; HBG_NONE if it does
 * not. */
pulse_source hbg_eqn_pulse_source(hbg_eqn *eqn, int32_t element);

/* rate.c: the gradient of a term for its derivative in time; what an entry of it that is no variable contributes; what all of these
 * do together; the branches that parameters decide */
void hbg_eqn_gradient_in_time(hbg_eqn *eqn, hbg_arena *scratch, hbg_term term, gradient *result);
hbg_term hbg_eqn_rate_share(hbg_eqn *eqn, const gradient_entry *of);
hbg_term hbg_eqn_rate_by_params(hbg_eqn *eqn, hbg_term term);
void hbg_eqn_locate_params(hbg_eqn *eqn);

/* wave.c: what time drives by itself */
void hbg_eqn_find_waves(hbg_eqn *eqn);
hbg_term hbg_eqn_written_out(hbg_eqn *eqn, hbg_term term); /* guard.c: signals by their formulas */

/* tick_order.c: clocks that read each other tick in order */
void hbg_eqn_order_ticks(hbg_eqn *eqn);

/* named.c */
void hbg_eqn_find_named(hbg_eqn *eqn);

/* segment.c: segments and islands of all modes, from one valid assignment of any mode */
void hbg_eqn_make_segments(hbg_eqn *eqn, const hbg_causal_assignment *assignment);
/* block.c: the block in the local mode of the assignment, compiled when first asked for, under the lock; or NULL where nobody has
 * asked for it yet */
block_variant *hbg_eqn_find_block(const segment *of, const hbg_causal_assignment *assignment, int32_t *key);
block_variant *hbg_eqn_block(hbg_eqn *eqn, segment *of, const hbg_causal_assignment *assignment,
                             int32_t *key);
void hbg_eqn_block_tangent(hbg_eqn *eqn, segment *of, const hbg_causal_assignment *assignment,
                           block_variant *variant);
/* island.c, event.c */
void hbg_eqn_make_islands(hbg_eqn *eqn, const hbg_causal_assignment *assignment);
void hbg_eqn_make_groups(hbg_eqn *eqn, const hbg_causal_assignment *assignment);
void hbg_eqn_make_throws(hbg_eqn *eqn, const hbg_causal_assignment *assignment);
event_variant *hbg_eqn_find_event(const island *of, const hbg_causal_assignment *assignment, int32_t *key);
event_variant *hbg_eqn_event(hbg_eqn *eqn, island *of, const hbg_causal_assignment *assignment, int32_t *key);
/* calm.c */
void hbg_eqn_find_calm(hbg_eqn *eqn);
/* The equations of an instant in an island, and those of further variables of the value layer, in order. Inside work. */
void hbg_eqn_sort_event(hbg_eqn *eqn, const island *of, const hbg_causal_assignment *assignment,
                        const int32_map *more, equations *all, sorted_equations *sorted);
/* Why automata of an island belong together: the chain of variables from one to the other, in words. */
void hbg_eqn_explain_island(hbg_eqn *eqn, const hbg_causal_assignment *assignment, const island *of,
                            void (*tell)(void *context, int32_t from, int32_t to, const int32_t *variables,
                                         int32_t count),
                            void *context);
/* jacobian.c */
void hbg_eqn_make_jacobian(hbg_eqn *eqn, const hbg_causal_assignment *assignment);
/* work.c */
void hbg_eqn_begin_work(hbg_eqn *eqn);
void hbg_eqn_end_work(hbg_eqn *eqn);
equation *hbg_eqn_work_equations(hbg_eqn *eqn, purpose purpose);

/* eqn.c: all of hbg_eqn_new behind the first allocation; empties the scratch arena */
void hbg_eqn_build(hbg_eqn *eqn, const hbg_eqn_options *options);
void hbg_eqn_clear(hbg_eqn *eqn);

/* system.c */
void hbg_eqn_describe(hbg_eqn *eqn, const hbg_eqn_options *options);
/* print.c */
void hbg_eqn_explain_conflict(const hbg_eqn *eqn, hbg_arena *arena, const bool *on, hbg_buffer *out);
void hbg_eqn_print_term(const hbg_eqn *eqn, hbg_term term, hbg_buffer *out);
/* share.c */
void hbg_eqn_lock(hbg_eqn *eqn);
void hbg_eqn_unlock(hbg_eqn *eqn);
/* instance.c */
void hbg_eqn_fill_functions(hbg_eqn *eqn);
void hbg_eqn_copy_term(const hbg_rt_instance *run, hbg_term term, char *text, size_t size);
/* The same as the modeller wrote it, where an expression of the model is just this. */
void hbg_eqn_copy_written(const hbg_rt_instance *run, hbg_term term, char *text, size_t size);
void hbg_eqn_copy_expr(const hbg_rt_instance *run, hbg_expr expr, char *text, size_t size);
void hbg_eqn_copy_name(const hbg_rt_instance *run, int32_t variable, char *text, size_t size);

#endif

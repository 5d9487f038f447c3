/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The compiled model, and what the files of src/eqn do for each other. */
#ifndef HBG_EQN_IMPL_H
#define HBG_EQN_IMPL_H

#include <pthread.h>
#include <stdatomic.h>

#include "eqn/block_impl.h"
#include "graph/graph.h"
#include "rt/bands.h"

/* ---- the compiled model ------------------------------------------------------------------------------- */

/* Arrays over all variables that compiling a small part uses over and over; each user leaves them clean. */
typedef struct {
    equation *equations[PURPOSE_COUNT];      /* by variable of all layers */
    int32_t *number, *local;                 /* likewise */
    bool *may_pulse;                         /* by variable */
    HBG_VEC(uint8_t) seen;                   /* by register */
    HBG_VEC(struct hbg_code_stage *) stages; /* spare ones */
    hbg_arena arena;                         /* of all this */
    bool busy;                               /* somebody may have been cut off in the middle */
} working_memory;

/* Many runs on many threads share it. What hbg_eqn_new makes stays as it is; what is made when a run needs it for the first time
 * is made by one thread at a time, and published: see share.c. */
struct hbg_eqn {
    pthread_mutex_t lock; /* of whoever compiles, or looks at more than was published */
    int64_t compiled;     /* blocks and islands in local modes, tangents */
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
    hbg_term *signal_area; /* by signal that reads in(…): its area, plus 1; HBG_NONE: it does not; 0: open */
    hbg_expr *start_value; /* by state: declared, or HBG_NONE */
    hbg_variable *start_variable;
    int32_t *start_state;  /* by automaton */
    HBG_VEC(hbg_expr) pre; /* expressions pre(…), and der(…), whose area is a jump from there */
    int32_t *pre_of_expr;
    bool has_ders_of_pre; /* some argument of a der(…) reads a pre(…) */
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
    int32_t *named_start, *named_states; /* by variable of the value layer: states of storages it names */
    bool has_events;                     /* some guard can fire */
    bool may_move;                       /* parameters may be moved: they have rates; see rate.c */
    bool has_open;                       /* junctions switch, so that some mode may repeat a zero */
    bool has_undefined; /* some junction has no common variable while it is off; see defined.c */

    /* registers and code shared by all modes */
    hbg_rt_image image;                    /* what runs know of all this */
    int32_t side_count[SIDE_COUNT];        /* registers of a kind */
    int32_t *home;                         /* by variable of all layers: its register, or HBG_NONE */
    int32_map temps;                       /* of code that belongs to no segment or island */
    int32_map start_temps;                 /* of the start, and of what parameters alone decide */
    int32_map number_register[SIDE_COUNT]; /* by number of terms */
    int32_map copy_register;               /* by term of level PARAM: what code reads in its place */
    int32_map prologue_register;           /* by term of level PARAM */
    bool *param_done; /* its default is in the prologue; behind all of them: that of its rate is */
    hbg_term *
        law_rate; /* by element: what parameters that move add to such a law in a second; HBG_NONE: not asked for */
    int32_t *charge_of;       /* by element, twice: in charges, or HBG_NONE; see TERM_CHARGE */
    int32_map param_branches; /* terms of level PARAM that have branches, in laws */
    int32_map located_of_term;
    variation varies;
    /* the compiler's one assignment (provide.c), scratch of keys and of places; under the lock */
    hbg_causal_assignment *assignment; /* NULL: none yet */
    uint64_t *assigned;                /* the mode it is in */
    int32_t *switching;
    uint64_t *fact_key, *choice_key;
    int32_t mode_words;          /* 64-bit words of a mode: a bit for each place */
    int32_map *region_switching; /* by region: its places that switch, other than by a select */
    int32_t *region_places;      /* by region: where these are in the image, or HBG_NONE */
    bool *has_choice, *in_set;   /* by region; scratch of choice.c */
    HBG_VEC(region_choice) regions;
    int32_map *region_segments, *region_islands,
        *region_choices;         /* by region: whose choice it takes part in */
    int32_map *automaton_places; /* by automaton: places it controls */
    HBG_VEC(segment) segments;
    int32_t *where; /* by variable of all layers: where the other segments find it, or HBG_NONE */
    struct hbg_code_stage *steady; /* the stage of all steady segments */
    int32_map steady_temps, reading_temps[READ_COUNT];
    HBG_VEC(int32_t) dependents; /* states that may be dependent */
    /* with the Jacobian: by variable of all layers, shifted to its tangent: it has none; so have areas, behind the last layer */
    bool *is_still;
    HBG_VEC(island) islands;
    bool has_islands;         /* they have been made */
    island_code *island_code; /* by island */
    calm_plan calm;
    int32_t *area_place; /* by relation: where its area is among what is watched, or HBG_NONE */
    uint8_t ins_read;    /* by reading, as bits: laws or outputs read in(…) */
    int32_map slacks;    /* by term: that of a threshold in time, HBG_NONE: it is none; see threshold.c */
    int32_map timed;     /* automata with a wait or a clock */
    int32_t *automaton_island, *state_island; /* HBG_NONE: none */
    int32_t *automaton_leader;                /* the first automaton of its island */
    int32_t *state_storage; /* by state: its storage among those of the system, or HBG_NONE */
    int32_t *bond_island;
    int32_map *relation_islands;
    hbg_rt_native native; /* compiled code in use */
    const int32_t
        *contested; /* of groups: by place, a number in common where automata belong together; or NULL */
    island *groups; /* for proofs: islands without what nobody reads; see hbg_eqn_make_groups */
    int32_t group_count;
    int32_t *automaton_group;
    /* what is judged together where something throws back: by automaton, by element with restitution; NULL: nothing does */
    int32_t *automaton_throw, *junction_throw;
    int32_t throw_count;
    hbg_eqn_outline outline;
    working_memory work;
    hbg_rt_system system;
};

/* pool.c: room for so many items one after the other in a pool of the image; the number of the first */
typedef struct {
    void *chunks; /* of any type */
    int32_t *shift, *count;
    int32_t first_shift;
    size_t size; /* of an item */
} hbg_code_pool_parts;
int32_t hbg_code_pool_room(hbg_arena *arena, hbg_code_pool_parts of, int32_t count);
#define HBG_POOL_ROOM(arena, pool, wanted)                                                                   \
    hbg_code_pool_room(                                                                                      \
        (arena),                                                                                             \
        (hbg_code_pool_parts){(pool).chunk, &(pool).shift, &(pool).count, 6, sizeof *(pool).chunk[0]},       \
        (wanted))
/* Adds an item; the number of the last one. */
#define HBG_POOL_ADD(arena, pool, item)                                                                      \
    (HBG_POOL_ROOM((arena), (pool), 1), *HBG_RT_AT((pool), (pool).count - 1) = (item))
#define HBG_POOL_LAST(pool) ((pool).count - 1)
int32_t hbg_code_add_ints(hbg_eqn *eqn, const int32_t *items, int32_t count); /* the number of the first */
int32_t hbg_code_add_program(hbg_eqn *eqn, const hbg_rt_instruction *code, int32_t count);
int32_t hbg_code_add_text(hbg_eqn *eqn, const char *text); /* NULL: HBG_NONE */
hbg_rt_mark hbg_code_mark(const hbg_eqn *eqn);             /* how much there is by now */

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

int32_t hbg_code_charge_law(hbg_eqn *eqn, int32_t number); /* of an element, or that many more */
hbg_term hbg_eqn_charged(hbg_eqn *eqn, int32_t number);    /* what is integrated */

/* stage.c */
bool hbg_code_has_branch(int op);

/* register.c */
int32_t hbg_code_new_register(hbg_eqn *eqn, register_side side);
int32_t hbg_code_home(hbg_eqn *eqn, int32_t variable);
void hbg_code_make_homes(hbg_eqn *eqn); /* of everything that is known from outside */
int32_t hbg_code_number_register(hbg_eqn *eqn, register_side side, int32_t number_of_terms);
/* Where code reads a term of level PARAM, which is in register `from`. */
int32_t hbg_code_copy_register(hbg_eqn *eqn, hbg_term term, int32_t from);

/* defined.c: the common variable of a junction that has none while it is off; whether a term has a value, as a term; a term that
 * is no number where it has none, also as the guard of a state; the same for all laws */
hbg_term hbg_eqn_common(hbg_eqn *eqn, int32_t junction, hbg_variable asked, hbg_term on);
hbg_term hbg_eqn_has_value(hbg_eqn *eqn, hbg_term term);
hbg_term hbg_eqn_checked(hbg_eqn *eqn, hbg_term term);
hbg_term hbg_eqn_checked_in(hbg_eqn *eqn, hbg_term term, int32_t automaton, int32_t state);
void hbg_eqn_check_laws(hbg_eqn *eqn);

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
void hbg_code_locate_params(hbg_eqn *eqn);

/* wave.c: how often a second a term repeats that time drives by itself, as a term; HBG_NONE: it does not */
hbg_term hbg_eqn_wave(hbg_eqn *eqn, hbg_term term);
void hbg_code_find_waves(hbg_eqn *eqn);
bool hbg_eqn_has_cells(int op);                            /* guard.c: floor, ceil, %, tables */
hbg_term hbg_eqn_written_out(hbg_eqn *eqn, hbg_term term); /* guard.c: signals by their formulas */

/* threshold.c: relations and steps that time alone decides; and one as it is computed */
void hbg_eqn_find_thresholds(hbg_eqn *eqn);
bool hbg_eqn_is_threshold(const hbg_eqn *eqn, hbg_term term);
term_node hbg_eqn_slackened(hbg_eqn *eqn, hbg_term term);

/* tick_order.c: clocks that read each other tick in order */
void hbg_eqn_order_ticks(hbg_eqn *eqn);

/* named.c */
void hbg_eqn_find_named(hbg_eqn *eqn);

/* segment.c: segments and islands of all modes, from one valid assignment of any mode */
void hbg_code_make_segments(hbg_eqn *eqn, const hbg_causal_assignment *assignment);
/* provide.c: the compiler's assignment in a mode, under the lock. What a run did not find is made, takes the lock and is found from
 * then on: all segments and islands, if the mode is valid; the answer of a choice; the plan of the Jacobian; the tangent of a block
 * that was found. */
const hbg_causal_assignment *hbg_code_assign_mode(hbg_eqn *eqn, const uint64_t *on);
hbg_rt_provider hbg_code_provider(hbg_eqn *eqn);
/* words.c: what a provider tells */
void hbg_code_tell(void *context, hbg_rt_word word, int32_t id, char *text, size_t size);
/* block.c: the block in the local mode of the assignment, compiled when first asked for, under the lock */
int32_t hbg_code_block(hbg_eqn *eqn, segment *of, const hbg_causal_assignment *assignment);
void hbg_code_block_tangent(hbg_eqn *eqn, segment *of, const hbg_causal_assignment *assignment,
                            int32_t variant);
/* island.c, event.c */
void hbg_eqn_make_islands(hbg_eqn *eqn, const hbg_causal_assignment *assignment);
void hbg_eqn_make_groups(hbg_eqn *eqn, const hbg_causal_assignment *assignment);
void hbg_eqn_make_throws(hbg_eqn *eqn, const hbg_causal_assignment *assignment);
int32_t hbg_code_event(hbg_eqn *eqn, int32_t number, const hbg_causal_assignment *assignment);
/* calm.c */
void hbg_code_find_calm(hbg_eqn *eqn);
/* image_outside.c, image_instants.c: what runs read at instants, in two steps: what is known without segments, and the rest */
void hbg_code_image_outside(hbg_eqn *eqn);
void hbg_code_image_instants(hbg_eqn *eqn);
/* The equations of an instant in an island, and those of further variables of the value layer, in order. Inside work. */
void hbg_eqn_sort_event(hbg_eqn *eqn, const island *of, const hbg_causal_assignment *assignment,
                        const int32_map *more, equations *all, sorted_equations *sorted);
/* Why automata of an island belong together: the chain of variables from one to the other, in words. */
void hbg_eqn_explain_island(hbg_eqn *eqn, const hbg_causal_assignment *assignment, const island *of,
                            void (*tell)(void *context, int32_t from, int32_t to, const int32_t *variables,
                                         int32_t count),
                            void *context);
/* jacobian.c */
void hbg_code_make_jacobian(hbg_eqn *eqn, const hbg_causal_assignment *assignment);
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
bool hbg_eqn_explain_conflict(const hbg_eqn *eqn, hbg_arena *arena, const bool *on, hbg_buffer *out);
void hbg_eqn_print_term(const hbg_eqn *eqn, hbg_term term, hbg_buffer *out);
/* share.c */
void hbg_code_lock(hbg_eqn *eqn);
void hbg_code_unlock(hbg_eqn *eqn);
/* run.c */
void hbg_code_fill_functions(hbg_eqn *eqn);

#endif

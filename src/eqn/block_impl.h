/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * What a compiled model is made of: code that is the same in every mode, blocks with a variant for each local mode, islands that
 * jump together, and the guards of automata. */
#ifndef HBG_EQN_BLOCK_IMPL_H
#define HBG_EQN_BLOCK_IMPL_H

#include <stdatomic.h>

#include "eqn/equation_impl.h"

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
void hbg_eqn_read_facts(const hbg_causal_assignment *assignment, const fact_set *facts, uint64_t *key);

/* variant.c: code by its facts, under the lock. */
typedef struct {
    const uint64_t *key;
    int32_t value;
} variant_entry;
typedef struct { /* a hash table */
    HBG_VEC(variant_entry) entries;
    int32_t *slots; /* entry plus 1; 0: free */
    int32_t slot_count;
} variant_table;
int32_t hbg_code_variants_find(const variant_table *table, const uint64_t *key,
                               int32_t length); /* or HBG_NONE */
void hbg_code_variants_add(hbg_arena *arena, variant_table *table, const uint64_t *key, int32_t length,
                           int32_t value);

/* choice.c: what the mode chooses, by which of some junctions are on. Adds an answer. */
void hbg_code_choice_answer(hbg_eqn *eqn, int32_t choice, const uint64_t *on, int32_t answer);
/* A choice, which is listed by the number given for each region that these facts are in. */
int32_t hbg_code_choice_by_facts(hbg_eqn *eqn, const fact_set *facts, int32_map *listed, int32_t number);
void hbg_code_make_choices(hbg_eqn *eqn); /* of regions */
void hbg_code_choose_islands(hbg_eqn *eqn);
void hbg_code_list_regions(hbg_eqn *eqn); /* what each makes stale, once blocks and islands are there */

/* Regions that are judged together, by one choice. */
typedef struct {
    int32_t region; /* HBG_NONE: all that are the same in every mode */
    int32_t choice;
    int32_map answers; /* validities that differ */
} region_choice;

/* ---- blocks ------------------------------------------------------------------------------------------- */

/* What code is run for. */
typedef hbg_rt_reading reading_kind;
#define READ_FIELD   HBG_RT_FIELD
#define READ_OUTPUTS HBG_RT_OUTPUTS
#define READ_POWERS  HBG_RT_POWERS
#define READ_TICKS   HBG_RT_TICKS
#define READ_WATCH   HBG_RT_WATCH
#define READ_TANGENT HBG_RT_TANGENT
#define READ_COUNT   HBG_RT_READINGS

/* A stretch of the code of all modes: steady assignments, the same in every mode, or a block, whose inside depends on its
 * local mode. The order of segments never changes (segment.c). */
typedef struct {
    bool varies;
    int32_map members; /* components of the sorted equations of all modes, while segments are made */
    int32_map wanted;  /* of a steady one: rates of states, and what blocks read while time flows */
    int32_map exports[READ_COUNT]; /* of a block: variables that others read */
    int32_map imports;             /* of a block: variables of others that it may read */
    int32_map known;               /* of a block: variables known from outside that it may read */
    fact_set facts;
    int32_map temps;        /* registers */
    variant_table variants; /* by facts */
} segment;

/* ---- islands ------------------------------------------------------------------------------------------ */

/* What can influence one another at an instant: automata, junctions, storages that may jump, and what their guards read. */
typedef struct {
    int32_map automata, relations, states, variables, pres, ins, powers, bonds, restitution;
    int32_map asked;    /* variables of all layers that its code may be asked for */
    bool shares_source; /* of a group: with others */
    fact_set facts;
} island;

/* What is compiled for an island. */
typedef struct {
    int32_map temps;        /* registers */
    variant_table variants; /* by facts */
} island_code;

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
    hbg_term *walk;      /* every term of the difference, arguments first */
    int32_t walk_count;
    int32_t *variables; /* of the value layer that it reads */
    int32_t variable_count;
    bool reads_cells;     /* of floor, ceil, %, tables */
    bool reads_relations; /* in what is compared, as the condition of a choice */
    hbg_expr written;     /* as a guard has it, or HBG_NONE: it is in a signal that a guard reads */
} relation_info;

enum { ENABLES_TRUE = 1, ENABLES_FALSE = 2 };
typedef struct {
    int32_t automaton, state;
    hbg_term condition;       /* HBG_NONE: none but `after` */
    double after;             /* s since entry; NAN: none */
    int32_t *relations, *ins; /* in the condition: relations; in(…) */
    uint8_t *enables;         /* by relation: ENABLES_TRUE, ENABLES_FALSE or both, the guard by being so */
    int32_t relation_count, in_count;
    hbg_term *walk; /* every term of the condition, arguments first */
    int32_t walk_count;
} guard_info;

/* A guard of a calm automaton as steps on truths and held values; see calm.c. */
enum { CONDITION_RELATION = HBG_OP_COUNT, CONDITION_REGISTER, CONDITION_NUMBER };
typedef struct {
    uint16_t op;     /* an operator on steps before it; a: truth of a relation; a: register; number */
    int32_t a, b, c; /* HBG_NONE: none */
    double number;
} condition_step;
typedef HBG_VEC(condition_step) condition_code;

/* Automata that move without a search. */
typedef struct {
    bool possible;
    bool keeps_outputs; /* no output tells where they are */
    bool read_states;   /* a guard of theirs reads where one of them is */
    int32_map automata, islands;
    int32_map relations, others; /* relations that their guards read, and the rest */
    bool *is_calm;               /* by relation */
    condition_code *steps;       /* by transition, of these automata */
} calm_plan;

/* A source whose own variable pulses, whatever the system does: variables of its bond, and the sign of power out of it. */
typedef struct {
    int32_t own, other; /* HBG_NONE: it never does */
    double sign;
} pulse_source;

#endif
